"""Observations of an element that is not there: the error says so, and is no timeout."""

from typing import Any

import pytest

from agentbrowser.client import Browser
from agentbrowser.methods import page
from agentbrowser.protocol import errors
from tests.browser.site import Site

MISSING = {"type": "css", "value": "#missing"}
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("observe/screenshot", {"selector": MISSING}),
    ("observe/ariaSnapshot", {"selector": MISSING, "timeout": None, "options": {"timeout": 500}}),
    ("observe/content", {"selector": MISSING}),
    ("observe/dom", {"options": {"root": MISSING}}),
    ("observe/accessibility", {"options": {"root": MISSING}}),
    ("frame/switch", {"selector": MISSING}),
]


@pytest.fixture
async def opened(browser: Browser, site: Site) -> Browser:
    await browser.call(page.navigate, url=site.html("/", "<p>A page"))
    return browser


async def test_a_missing_element_is_not_found_within_a_short_timeout(opened: Browser) -> None:
    for method, params in REQUESTS:
        with pytest.raises(errors.ElementNotFound) as caught:
            await opened.request(method, {"timeout": 1500, **params})
        assert caught.value.details["selector"] == MISSING, method
        assert caught.value.details["waitedMs"] < 1500, method


async def test_a_detached_element_is_not_found_within_a_short_timeout(opened: Browser, site: Site) -> None:
    await opened.call(page.navigate, url=site.html("/", "<button>Here</button>"))
    seen = await opened.request("agent/observe", {"includeInteractiveElements": True})
    ref = {"type": "ref", "value": seen["interactiveElements"][0]["ref"]}
    await opened.request("script/evaluate", {"expression": "document.querySelector('button').remove()"})
    for method in ("observe/screenshot", "observe/content"):
        with pytest.raises(errors.ElementNotFound):
            await opened.request(method, {"selector": ref, "timeout": 1500})
