"""Ends of a wait other than rest: the page crashes or is closed, or the client gives the request up."""

import os
import signal
from collections.abc import Iterator

import pytest
import trio
import trio.testing

from agentbrowser.client import Browser
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.server.app import Server
from tests.browser.fault_helpers import renderers, talking
from tests.browser.settle.slow_site import SlowSite, open_slow_site

CLICK = {"selector": {"type": "css", "value": "#go"}}
PAGE = "<button id=go>Go</button><script>go.onclick = () => fetch('/held/data').catch(() => 0)</script>"
LONG = {"settle": {"timeout": 30_000}}


@pytest.fixture(scope="module")
def slow() -> Iterator[SlowSite]:
    with open_slow_site() as site:
        yield site


async def test_a_crash_ends_the_wait(server: Server, slow: SlowSite) -> None:
    async with talking(server) as talker:
        before = renderers(server.engine.pid)
        url = slow.show("/", PAGE).replace("127.0.0.1", "localhost")
        page: str = (await talker.ask("page/create", url=url))["id"]
        await talker.ask("action/click", pageId=page, **CLICK)
        look = await talker.begin("agent/observe", pageId=page, **LONG)
        await talker.begun(look)
        for pid in renderers(server.engine.pid) - before:
            os.kill(pid, signal.SIGKILL)
        assert (await talker.error(look))["code"] == -32017


async def test_closing_the_page_ends_the_wait(browser: Browser, slow: SlowSite) -> None:
    page = (await browser.request("page/create", {"url": slow.show("/", PAGE)}))["id"]
    await browser.request("action/click", {"pageId": page, **CLICK})
    errors: list[int] = []

    async def look() -> None:
        try:
            await browser.request("agent/observe", {"pageId": page, **LONG})
        except AgentBrowserError as error:
            errors.append(error.code)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look)
        await trio.testing.wait_all_tasks_blocked()
        await browser.request("page/close", {"pageId": page})
    assert errors == [-32017]


async def test_a_cancelled_wait_leaves_the_page_usable_and_its_activity_known(browser: Browser, slow: SlowSite) -> None:
    await browser.request("page/navigate", {"url": slow.show("/", PAGE)})
    await browser.request("action/click", CLICK)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(browser.request, "agent/observe", LONG)
        await trio.testing.wait_all_tasks_blocked()
        await browser.request("page/list")  # the server reads requests in order
        nursery.cancel_scope.cancel()
    look = await browser.request("agent/observe", {"settle": {"timeout": 50}})
    assert look["awaited"] == ["GET /held/data"]
    assert [one["name"] for one in look["interactiveElements"]] == ["Go"]
