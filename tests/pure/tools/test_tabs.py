"""browser_navigate: what the model gives for a URL."""

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
import trio

from agentbrowser import tools
from agentbrowser.browser.engine import engine
from tests.pure.tools.test_downloads import Standard


@attrs.define(eq=False)
class Recording(Standard):
    """Client that records the URLs of its navigations."""

    urls: list[str] = attrs.field(factory=list)

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        if method == "page/navigate":
            self.urls.append((params or {})["url"])
            return {"status": 200}
        return await super().request(method, params)


@pytest.mark.parametrize(
    ("given", "loaded"),
    [
        ("shop.example/a?b", "https://shop.example/a?b"),
        ("shop.example:8080/a", "https://shop.example:8080/a"),
        ("localhost:8080", "http://localhost:8080"),
        ("shop.example/login?next=https://a.example/", "https://shop.example/login?next=https://a.example/"),
        ("//shop.example/a", "https://shop.example/a"),
        ("http://shop.example/", "http://shop.example/"),
        ("about:blank", "about:blank"),
        ("javascript:1", "javascript:1"),
        ("JavaScript:alert(1)", "JavaScript:alert(1)"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("data:text/html,x", "data:text/html,x"),
    ],
)
def test_only_a_url_without_a_scheme_gets_one(given: str, loaded: str) -> None:
    browser = Recording()

    async def navigate() -> None:
        await tools.run(browser, "browser_navigate", {"url": given})

    trio.run(navigate)
    assert browser.urls == [loaded]


@attrs.define(eq=False)
class Empty(Recording):
    """Client without tabs, which records the timeouts of those that it opens."""

    timeouts: list[int] = attrs.field(factory=list)

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        if method == "page/list":
            return {"pages": []}
        if method == "page/create":
            self.timeouts.append((params or {})["timeout"])
            return {"id": "p1"}
        return await super().request(method, params)


@pytest.mark.parametrize("tab", [{}, {"tab": "new"}])
def test_a_new_tab_waits_for_the_error_of_a_browser_that_does_not_start(tab: dict[str, str]) -> None:
    browser = Empty()

    async def navigate() -> None:
        await tools.run(browser, "browser_navigate", {"url": "about:blank", **tab})

    trio.run(navigate)
    assert len(browser.timeouts) == 1
    assert browser.timeouts[0] > engine._LAUNCH_TIMEOUT_S * 1000
