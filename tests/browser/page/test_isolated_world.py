"""In-page scripts: isolation from the page, one installation per document, and typed errors."""

import asyncio
import contextlib
from typing import Any

import pytest
from playwright.async_api import CDPSession

from agentbrowser.browser.engine import vendor
from agentbrowser.protocol.errors import ExecutionContextDestroyed, TargetClosed
from agentbrowser.protocol.types.selector import Css
from tests.browser.watched_page import ALL, ForeignTab, Scenarios, WatchedTab

LONG = 100_000
"""Length of a command that has the script in it."""


def test_a_hostile_page_neither_sees_nor_changes_the_script(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        elements = await tab.see()
        assert {"@ok", "@inform"} <= set(elements)
        assert len(elements) == 10
        assert await tab.page.locator(f"css={await tab.refs.resolve('@ok')}").get_attribute("id") == "ok"
        asked = {"expression": "Symbol.for('agentbrowser') in globalThis"}
        assert (await (await tab.cdp()).send("Runtime.evaluate", asked))["result"]["value"] is False
        metadata = (await tab.refs.observe(ALL)).metadata
        assert metadata is not None
        assert metadata.title == "Hostile"

    scenarios.page("/observe_hostile.html", scenario)


def test_the_script_is_sent_once_for_each_document(scenarios: Scenarios, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(tab: WatchedTab) -> None:
        sizes = record_sizes(monkeypatch)
        for _ in range(2):
            await tab.see()
            await tab.see()
            await tab.page.reload()
        assert len([size for size in sizes if size > LONG]) == 3  # the last is for later documents

    scenarios.page("/observe.html", scenario)


@pytest.mark.parametrize("policy", ["", "default-src 'self'; script-src 'none'; require-trusted-types-for 'script'"])
def test_a_page_that_moves_on_holds_the_script_before_it_is_used(
    scenarios: Scenarios, monkeypatch: pytest.MonkeyPatch, policy: str
) -> None:
    frame = '<iframe srcdoc="<button>In it</button>"></iframe>'
    page = f'<meta http-equiv=Content-Security-Policy content="{policy}"><button>On it</button>{frame}'

    async def scenario(tab: WatchedTab) -> None:
        await tab.isolated_worlds.install_page_programs()
        for _ in range(2):
            await tab.see()
            await tab.page.reload()
        await tab.page.route("**/policy", lambda route: route.fulfill(body=page, content_type="text/html"))
        await tab.page.goto("http://127.0.0.1/policy")
        sizes = record_sizes(monkeypatch)
        assert {"On it", "In it"} <= {element.name for element in (await tab.see()).values()}
        assert sizes
        assert max(sizes) < LONG

    scenarios.page("/observe.html", scenario)


def record_sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the list of the sizes of all commands that are sent from now on."""

    async def send(session: CDPSession, method: str, params: dict[str, Any]) -> dict[str, Any]:
        sizes.append(len(str(params)))
        return await original(session, method, params)

    sizes: list[int] = []
    original = vendor.send
    monkeypatch.setattr(vendor, "send", send)
    return sizes


def test_the_owner_of_a_frame_is_found_in_the_next_document(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        for _ in range(2):  # the second document has a world of its own
            await tab.page.set_content("<iframe srcdoc=child></iframe>")
            main, child = tab.page.frames
            assert await tab.isolated_worlds.of(main).call_with_owner(child, "registerFrame", "f1")
            await tab.page.reload()

    scenarios.page("/observe.html", scenario)


def test_works_without_an_isolated_world(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        isolated = await tab.by_id()
        plain = await ForeignTab(tab.page).by_id()
        assert plain == isolated

    scenarios.page("/observe.html", scenario)


def test_calls_during_navigations_end_in_an_answer_or_a_typed_error(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        async def look() -> None:
            with contextlib.suppress(ExecutionContextDestroyed):
                await tab.see()

        address = tab.page.url
        for n in range(5):
            await asyncio.gather(tab.page.goto(f"{address}?{n}"), *(look() for _ in range(5)))
        assert "@link" in await tab.see()

    scenarios.page("/observe.html", scenario)


def test_a_closed_page_is_a_typed_error(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.see()
        await tab.page.close()
        with pytest.raises(TargetClosed):
            await tab.see()

    scenarios.page("/observe.html", scenario)


def test_lone_surrogates_do_not_break_the_answer(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        await tab.run("q.value = 'a\\ud800b'; b.textContent = '\\udc00 half'")
        found = await tab.by_id()
        assert (found["q"].value, found["b"].name) == ("a\ufffdb", "\ufffd half")
        assert found["b"].selector == Css("#b")

    scenarios.markup("<input id=q><button id=b></button>", scenario)
