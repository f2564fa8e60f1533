"""Values of secret fields in every view of a page."""

from typing import Any, Final

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
