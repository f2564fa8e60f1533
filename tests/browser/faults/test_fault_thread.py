"""Faults of the browser thread: it dies, or stands still, or one of its listeners raises."""

import asyncio
import contextlib
import threading

import pytest
import structlog
import trio

from agentbrowser.browser.portal import Portal, PortalClosed
from agentbrowser.cli import failures
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.gate.http import health
from agentbrowser.server.watch import supervisor
from agentbrowser.server.watch.supervisor import ThreadLost
from tests.browser.fault_helpers import Talker, clean, talking, true
from tests.browser.processes import alive, browser_pid, driver_pid
from tests.browser.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(clean.__name__)]

ENDLESS = "new Promise(() => {})"


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1)


async def stop_loop() -> None:
    asyncio.get_running_loop().stop()
    await asyncio.sleep(60)


async def begin_two(talker: Talker, site: Site) -> list[int]:
    await talker.ask("events/subscribe", events=["page"])
    pages = [(await talker.ask("page/create", url=site.html("/", "here")))["id"] for _ in range(2)]
    ids = [await talker.begin("script/evaluate", expression=ENDLESS, pageId=page) for page in pages]
    await talker.begun(*ids)
    return ids


async def test_a_thread_that_dies_is_replaced(server: Server, site: Site) -> None:
    async with talking(server) as talker:
        ids = await begin_two(talker, site)
        browser, driver = browser_pid(server.engine), driver_pid(server.engine)
        with pytest.raises(PortalClosed):
            await server.portal.run(stop_loop)
        await true(lambda: health(server.gate.status)[0] == 503)
        for id_ in ids:
            error = await talker.error(id_)
            assert (error["code"], error["data"]["retryable"]) == (-32010, True)
        await true(lambda: health(server.gate.status)[0] == 200)
        await talker.event("page", type="close")
        await true(lambda: not alive(browser) and not alive(driver))
        assert (await talker.ask("page/list"))["pages"] == []
        await talker.ask("page/navigate", url=site.html("/again", "again"))
        assert (await talker.ask("observe/content", format="text"))["content"].strip() == "again"


async def serve_until_the_thread_dies() -> None:
    async with open_server(Config(port=0, drain_timeout_s=0)) as server:
        with contextlib.suppress(PortalClosed):
            await server.portal.run(stop_loop)
        await trio.sleep_forever()


async def test_a_thread_that_can_not_be_replaced_ends_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    async def reopen(portal: Portal) -> None:
        raise PortalClosed("no thread")

    monkeypatch.setattr(Portal, "reopen", reopen)
    with pytest.raises(ExceptionGroup) as ended:
        await serve_until_the_thread_dies()
    assert ended.group_contains(ThreadLost, match="can't be replaced: no thread")
    failure = failures.failure_for(ended.value)
    assert isinstance(failure, failures.ServerBroken)
    assert failure.exit_code == 70


async def test_a_thread_that_stands_still_is_told_on_once_and_recovers(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "BLOCKED_S", 1.5)
    held = threading.Event()
    async with talking(server) as talker:
        await talker.ask("page/create", url=site.html("/", "here"))
        with structlog.testing.capture_logs() as logs:

            def told(event: str) -> list[str]:
                return [str(line.get("stack")) for line in logs if line["event"] == event]

            server.portal.call_in_asyncio(hold_up, held)
            late = await talker.begin("observe/content", format="text", timeout=100)
            await true(lambda: bool(told("thread_blocked")))
            held.set()
            assert (await talker.answer(late)).keys() == {"jsonrpc", "id", "error"}
            await true(lambda: bool(told("thread_goes_on")))
        assert "hold_up" in told("thread_blocked")[0]
        assert (await talker.ask("observe/content", format="text"))["content"].strip() == "here"


def hold_up(held: threading.Event) -> None:
    held.wait(20)


async def test_a_listener_that_raises_is_logged_and_hurts_no_request(server: Server, site: Site) -> None:
    async with talking(server) as talker:
        await talker.ask("events/subscribe", events=["console"])
        await talker.ask("page/create", url=site.html("/", "here"))
        with structlog.testing.capture_logs() as logs, pytest.MonkeyPatch.context() as patch:
            patch.setattr("agentbrowser.browser.events.listeners.ContextListeners._on_event", lambda *_: [][1])
            await talker.ask("script/evaluate", expression="console.log(1)", world="main")
            await true(lambda: "listener_failed" in [line["event"] for line in logs])
        await talker.ask("script/evaluate", expression="console.log('heard')", world="main")
        await talker.event("console", text="heard")
