"""Clipboards of the sessions of one owner: each pastes what it has copied itself, or nothing."""

from collections.abc import AsyncIterator

import pytest

from agentbrowser.client import Browser
from agentbrowser.protocol.errors import ActionFailed
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site

PAGE = """<input id=i><textarea id=t></textarea>
<button id=written onclick="navigator.clipboard.writeText('from a button')">Copy</button>
<button id=own onclick="document.execCommand('copy')">Copy</button>
<script>
var copy = event => { event.preventDefault(); event.clipboardData.setData('text/plain', 'set by the page') };
document.querySelector('#own').addEventListener('click', () => addEventListener('copy', copy, { once: true }), true);
</script>"""
FRAMED = "<p>outer</p><iframe srcdoc='<textarea id=t></textarea>'></iframe>"


@pytest.fixture
async def others(shared_server: SharedServer, site: Site) -> AsyncIterator[tuple[Browser, Browser]]:
    async with shared_server.connect() as one, shared_server.connect() as other:
        for browser in (one, other):
            await browser.request("page/navigate", {"url": site.html("/", PAGE)})
        yield one, other


def css(value: str) -> dict[str, str]:
    return {"type": "css", "value": value}


async def press(browser: Browser, key: str, field: str | None = None) -> None:
    await browser.request("action/press", {"key": key, **({"selector": css(field)} if field else {})})


async def copy(browser: Browser, text: str) -> None:
    await browser.request("action/fill", {"selector": css("#i"), "value": text})
    await press(browser, "Control+a", "#i")
    await press(browser, "Control+c", "#i")


async def paste(browser: Browser, key: str = "Control+v") -> str:
    """Return what a paste into an empty field brings."""
    await browser.request("action/clear", {"selector": css("#t")})
    await press(browser, key, "#t")
    return await value(browser)


async def value(browser: Browser) -> str:
    found = await browser.request("observe/element", {"selector": css("#t"), "properties": ["value"]})
    return str(found["value"])


async def test_each_session_pastes_what_it_has_copied(others: tuple[Browser, Browser]) -> None:
    one, other = others
    await copy(one, "text of one")
    assert await paste(other) == ""
    assert await paste(one) == "text of one"
    await copy(other, "text of another")
    assert [await paste(browser) for browser in others] == ["text of one", "text of another"]
    assert await paste(one, "Shift+Insert") == "text of one"
    assert await paste(one, "Control+Shift+V") == "text of one"


async def test_what_pages_copy_by_themselves_is_kept_apart(others: tuple[Browser, Browser], site: Site) -> None:
    one, other = others
    await copy(other, "text of another")
    await one.request("action/click", {"selector": css("#own")})
    assert [await paste(browser) for browser in others] == ["set by the page", "text of another"]
    options = {"permissions": ["clipboard-write"]}
    await one.request("context/create", {"contextId": "writer", "options": options})
    page = (await one.request("page/create", {"contextId": "writer", "url": site.url("/")}))["id"]
    await one.request("action/click", {"selector": css("#written"), "pageId": page})
    await one.request("page/close", {"pageId": page})
    assert [await paste(browser) for browser in others] == ["from a button", "text of another"]


async def test_a_key_for_the_focused_element_copies_and_pastes_the_sessions_own(
    others: tuple[Browser, Browser], site: Site
) -> None:
    one, other = others
    await copy(other, "text of another")
    await one.request("page/navigate", {"url": site.html("/plain", "plain words")})
    for key in ("Control+a", "Control+c"):
        await press(one, key)
    await one.request("page/navigate", {"url": site.html("/framed", FRAMED)})
    frames = (await one.request("frame/list"))["frames"]
    await one.request("frame/switch", {"frameId": frames[-1]["frameId"]})
    await one.request("action/click", {"selector": css("#t")})
    await press(one, "Control+v")
    assert [await value(one), await paste(other)] == ["plain words", "text of another"]


async def test_a_page_that_prevents_copies_gets_no_text_of_another_session(
    others: tuple[Browser, Browser], site: Site
) -> None:
    one, other = others
    await copy(other, "text of another")
    script = "<script>addEventListener('copy', event => event.stopImmediatePropagation(), true)</script>"
    await one.request("page/navigate", {"url": site.html("/rude", f"{script}<textarea id=t></textarea>")})
    with pytest.raises(ActionFailed, match="another session has copied"):
        await press(one, "Control+v", "#t")
    assert await value(one) == ""


async def test_a_page_that_is_written_anew_still_reports_its_copies(others: tuple[Browser, Browser]) -> None:
    """`document.open()` removes the listeners of its window."""
    one, other = others
    await copy(other, "text of another")
    write = {"world": "main", "expression": "html => { document.open(); document.write(html); document.close() }"}
    for focused in ("#i", None):
        await one.request("script/evaluate", {**write, "arg": PAGE + "<script>i.value = 'own'; i.focus()</script>"})
        for key in ("Control+a", "Control+c"):
            await press(one, key, focused)
        assert [await paste(browser) for browser in others] == ["own", "text of another"]
    await one.request("script/evaluate", {**write, "arg": PAGE})
    await one.request("action/click", {"selector": css("#own")})
    assert [await paste(browser) for browser in others] == ["set by the page", "text of another"]
