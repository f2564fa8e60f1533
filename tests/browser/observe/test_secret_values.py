"""Values of secret fields in every view of a page."""

from typing import Any, Final

import pytest

from agentbrowser.client import Browser
from tests.browser.site import Site

WORDS: Final = (
    "current-password",
    "new-password",
    "section-a one-time-code",
    "cc-number",
    "CC-Exp",
    "billing cc-csc",
    "cc-name",
)
FIELDS: Final = "".join(
    f'<label>Field {index} <input id=f{index} autocomplete="{word}" value="SECRET"></label>'
    for index, word in enumerate(WORDS)
)
AREA: Final = f"<label>Code <textarea id=f{len(WORDS)} autocomplete=one-time-code>SECRET</textarea></label>"
OPEN: Final = """
<label>Mail <input autocomplete=email value=OPEN-mail></label>
<label>Month <select autocomplete=cc-exp-month><option>1<option selected>OPEN-month</select></label>
"""
BESIDE: Final = """
<section><h2>Part <textarea autocomplete=one-time-code>SECRET</textarea></h2><input type=checkbox></section>
<div tabindex=0 onclick="void 0"><textarea autocomplete=one-time-code>SECRET</textarea></div><input type=checkbox>
<iframe srcdoc="<input type=password value=SECRET>"></iframe><noscript><input type=password value=SECRET></noscript>"""
"""Fields whose values were in the names of what is beside them, and in the HTML of another document."""
SELECTORS: Final = [f"#f{index}" for index in range(len(WORDS) + 1)]
WHOLE: Final[list[tuple[str, dict[str, Any]]]] = [
    ("agent/observe", {"format": "text"}),
    ("agent/observe", {"format": "json"}),
    ("observe/dom", {}),
    ("observe/content", {"format": "html"}),
    ("observe/content", {"format": "text"}),
    ("observe/content", {"format": "markdown"}),
    ("observe/ariaSnapshot", {}),
    ("observe/accessibility", {"options": {"interestingOnly": False}}),
    ("observe/accessibility", {"options": {"includeHidden": True}}),
]
PARTS: Final[list[tuple[str, dict[str, Any]]]] = [
    ("observe/element", {"properties": ["text", "value", "attributes"]}),
    ("observe/dom", {}),
    ("observe/content", {"format": "html"}),
    ("observe/content", {"format": "text"}),
    ("observe/ariaSnapshot", {}),
]


async def views(browser: Browser) -> list[str]:
    """Return the page and each secret field, as every method of observation shows them."""
    seen = [str(await browser.request(method, params)) for method, params in WHOLE]
    for method, params in PARTS:
        for selector in SELECTORS:
            target = {"options": {"root": selector}} if method == "observe/dom" else {"selector": selector}
            seen.append(str(await browser.request(method, {**params, **target})))
    return seen


async def test_no_view_shows_the_value_of_a_secret_field(browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/", f"<form>{FIELDS}{AREA}{OPEN}</form>{BESIDE}")})
    seen = await views(browser)
    assert [one for one in seen if "SECRET" in one] == []
    assert {"OPEN-mail" in seen[0], "OPEN-month" in seen[0]} == {True}


async def test_no_view_shows_what_was_filled_into_a_secret_field(browser: Browser, site: Site) -> None:
    page = f"<form>{FIELDS}{AREA}</form>".replace("SECRET", "")
    await browser.request("page/navigate", {"url": site.html("/", page)})
    for selector in SELECTORS:
        assert "value" not in await browser.request("action/fill", {"selector": selector, "value": "SECRET"})
    assert [one for one in await views(browser) if "SECRET" in one] == []


WRITE_ANEW: Final = "const page = document.body.innerHTML; document.open(); document.write(page); document.close()"


@pytest.mark.parametrize("is_opened", [False, True])
async def test_no_key_takes_a_value_out_of_a_secret_field(browser: Browser, site: Site, is_opened: bool) -> None:
    page = site.html("/", f"{FIELDS}{AREA}<textarea id=other></textarea>")
    await browser.request("page/navigate", {"url": page})
    if is_opened:  # which removes all listeners
        await browser.request("agent/observe", {})
        await browser.request("script/evaluate", {"expression": WRITE_ANEW, "world": "main"})
    for selector, copy, paste in [
        (SELECTORS[0], "Control+C", "Control+V"),
        (SELECTORS[1], "Control+Insert", "Shift+Insert"),
        (SELECTORS[-1], "Control+X", "Control+V"),
    ]:
        await browser.request("action/press", {"selector": selector, "key": "Control+A"})
        await browser.request("action/press", {"key": copy})
        await browser.request("action/press", {"selector": "#other", "key": paste})
    assert "SECRET" not in str(
        await browser.request("observe/element", {"selector": "#other", "properties": ["value"]})
    )


async def test_no_drag_takes_a_value_out_of_a_secret_field(browser: Browser, site: Site) -> None:
    body = f"<style>#f0 {{ font: 40px monospace }}</style>{FIELDS}<br><textarea id=other></textarea>"
    await browser.request("page/navigate", {"url": site.html("/", body)})
    await browser.request("action/press", {"selector": "#f0", "key": "Control+A"})
    box = (await browser.request("observe/element", {"selector": "#f0", "properties": ["boundingBox"]}))["boundingBox"]
    source = {"type": "coordinates", "x": box["x"] + 20, "y": box["y"] + box["height"] / 2}
    await browser.request("action/drag", {"source": source, "target": "#other"})
    assert "SECRET" not in str(
        await browser.request("observe/element", {"selector": "#other", "properties": ["value"]})
    )


async def test_a_button_of_the_page_copies_the_value_of_a_secret_field(browser: Browser, site: Site) -> None:
    copy = "a.select(); document.execCommand(`copy`)"
    body = f"<input id=a name=new-password value=made><button onclick='{copy}'>Copy</button>"
    await browser.request("page/navigate", {"url": site.html("/", f"{body}<textarea id=other></textarea>")})
    await browser.request("action/click", {"selector": "button"})
    await browser.request("action/press", {"selector": "#other", "key": "Control+V"})
    assert (await browser.request("observe/element", {"selector": "#other", "properties": ["value"]}))[
        "value"
    ] == "made"
