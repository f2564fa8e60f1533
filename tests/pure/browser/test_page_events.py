"""Events of a page's lifecycle: which documents close it."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from agentbrowser.browser.events.page_events import LifecycleEvents
from agentbrowser.browser.page.navigation_policy import close_if_refused

OWN = ["file:///etc/hostname", "chrome://settings/", "chrome-extension://x/index.html", "view-source:http://a.test/"]
OF_THE_WEB = ["http://a.test/file:///x", "https://a.test/", "about:blank", "blob:http://a.test/1", "data:text/html,x"]


@pytest.mark.parametrize("url", OWN + OF_THE_WEB)
def test_a_page_that_goes_to_a_document_of_the_browsers_own_is_closed(url: str) -> None:
    closed: list[str] = []
    tab: Any = SimpleNamespace(page=SimpleNamespace(url=url), id="page-1", emit=lambda _: None, status="ready")
    tab.tabs = SimpleNamespace(evict=lambda tab, why: closed.append(why))
    events = LifecycleEvents(tab, has_loaded=lambda _: True)
    events._navigated(SimpleNamespace(parent_frame=tab, url=url))  # type: ignore[arg-type]
    assert closed == []
    events._navigated(SimpleNamespace(parent_frame=None, url=url))  # type: ignore[arg-type]
    assert closed == ["a page of the browser's own"] * (url in OWN)


@pytest.mark.parametrize("url", OWN + OF_THE_WEB)
def test_a_window_with_a_document_of_the_browsers_own_is_closed(url: str) -> None:
    reported: list[str] = []
    closing: list[Any] = []
    tabs: Any = SimpleNamespace(emit=lambda event: reported.append(event.reason), run_in_background=closing.append)
    page: Any = SimpleNamespace(url=url, close=lambda: asyncio.sleep(0))
    assert asyncio.run(close_if_refused(tabs, page, None)) == (url in OWN)
    assert ["the browser's own" in reason for reason in reported] == [True] * (url in OWN)
    for work in closing:
        asyncio.run(work)
