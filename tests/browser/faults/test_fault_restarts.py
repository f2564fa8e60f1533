"""Faults while something is being put right: nothing hangs, and nobody is taken for dead who is only slow."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import trio

from agentbrowser.browser.engine import driver, recovery
from agentbrowser.browser.engine import engine as engine_module
from agentbrowser.browser.engine.driver import Driver
from agentbrowser.browser.engine.engine import Engine
from agentbrowser.browser.engine.heartbeat import Heartbeat, ThreadLoad
from agentbrowser.browser.engine.processes import Process
from agentbrowser.browser.engine.proxy_check import ProxyCheck
from agentbrowser.browser.engine.recovery import Recovery
from agentbrowser.browser.page import scripts
from agentbrowser.browser.tabs import Tabs
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched, ServerBusy
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server
from agentbrowser.server.watch.memory_usage import can_measure
from tests.browser.fault_helpers import renderers, talking, true
from tests.browser.processes import alive, browser_pid, driver_pid, play, running, until, works
from tests.browser.site import Site
from tests.pure.logbook import logged

pytestmark = pytest.mark.slow


def stop_browser(engine: Engine) -> int:
    browser = browser_pid(engine)
    os.killpg(browser, signal.SIGSTOP)
    return browser


def stop_driver(engine: Engine) -> int:
    pid = driver_pid(engine)
    os.kill(pid, signal.SIGSTOP)
    return pid


def test_a_browser_that_hangs_as_it_is_retired_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "_CLOSE_TIMEOUT_S", 0.2)

    async def scene() -> None:
        async with running() as engine:
            await (await engine.new_context()).close()
            stopped = stop_browser(engine)
            assert await engine.retire()
            await until(lambda: not alive(stopped))
            assert await works(engine)

    play(scene)


@pytest.mark.parametrize("stop", [stop_browser, stop_driver])
def test_what_hangs_as_the_browser_is_tried_is_killed(
    monkeypatch: pytest.MonkeyPatch, stop: Callable[[Engine], int]
) -> None:
    stopped: list[int] = []
    wait = asyncio.wait

    async def soon(tasks: Any, *, timeout: float | None = None, **options: Any) -> Any:
        """Let the launch end first, however busy the machine is."""
        if timeout == engine_module._START_TIMEOUT_S:
            await until(lambda: bool(stopped))
            timeout = 0.5
        return await wait(tasks, timeout=timeout, **options)

    async def scene() -> None:
        async with running() as engine:
            monkeypatch.setattr(asyncio, "wait", soon)

            async def run(proxy_check: ProxyCheck, browser: Any) -> None:
                stopped.append(stop(engine))
                await browser.new_context()

            monkeypatch.setattr(ProxyCheck, "run", run)
            engine.proxy_check = ProxyCheck(0, *[None] * 2)  # type: ignore[arg-type]
            with logged(Config()) as log, pytest.raises(BrowserNotLaunched) as failed:
                await engine.new_context()
            assert failed.value.retryable
            assert "launch_timed_out" in log.getvalue()
            await until(lambda: not alive(stopped[0]))
            monkeypatch.undo()
            engine.proxy_check = None
            assert await works(engine)

    play(scene)


def test_what_is_lost_just_as_it_is_back_comes_back_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "FIRST_PAUSE_S", 0.0)

    async def scene() -> None:
        async def restart() -> None: ...

        def tell(state: str) -> None:
            if state == "ready" and one.restarts == 1:  # its task ends now, and is not known to have ended
                asyncio.get_running_loop().call_soon(one.lost)

        one = Recovery(restart, tell)
        one.lost()
        await until(lambda: one.restarts == 2)
        assert one.state == "ready"

    asyncio.run(scene())


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, max_total_pages=3, max_queued=0)


async def test_a_deadline_is_kept_and_the_next_request_waits_for_the_rescue(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = trio.Event(), asyncio.Event()
    unblock = scripts.unblock

    async def slow(tab: Any) -> None:
        server.portal.call_in_trio(begun.set)
        await may_end.wait()
        await unblock(tab)

    monkeypatch.setattr(scripts, "unblock", slow)
    async with talking(server) as talker:
        await talker.ask("page/navigate", url=site.html("/", "here"))
        assert (await talker.fail("script/evaluate", expression="for (;;);", timeout=300))["code"] == -32016
        await begun.wait()
        late = await talker.begin("observe/content", format="text")
        await talker.begun(late)
        server.portal.call_in_asyncio(may_end.set)
        assert (await talker.answer(late))["result"]["content"].strip() == "here"


async def test_a_page_that_is_closed_while_it_is_revived_stays_closed(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with talking(server) as talker:
        await talker.ask("events/subscribe", events=["page"])
        sick = (await talker.ask("page/create", url=site.html("/", "here")))["id"]
        kill_renderers(server)
        await talker.event("page", type="crashed")
        opening, may_open = trio.Event(), asyncio.Event()
        check_generation = Tabs.check_generation

        async def slow(*arguments: Any) -> None:
            server.portal.call_in_trio(opening.set)
            await may_open.wait()
            await check_generation(*arguments)

        monkeypatch.setattr(Tabs, "check_generation", slow)
        back = await talker.begin("page/navigate", url=site.url("/"), pageId=sick)
        await opening.wait()
        await talker.ask("page/close", pageId=sick)
        server.portal.call_in_asyncio(may_open.set)
        assert (await talker.error(back))["code"] == -32011
        assert (await talker.ask("page/list"))["pages"] == []
        await true(lambda: server.engines.capacity.pages == 0)


def kill_renderers(server: Server) -> None:
    for pid in renderers(server.engine.pid):
        os.kill(pid, signal.SIGKILL)


async def test_clients_that_come_at_once_get_no_more_pages_than_there_may_be(server: Server) -> None:
    refused: list[ServerBusy] = []

    async def come(enough: trio.Event) -> None:
        async with server.connect() as browser:
            try:
                await browser.request("page/create", {})
            except ServerBusy as busy:
                refused.append(busy)
            await enough.wait()

    async with trio.open_nursery() as nursery:
        enough = trio.Event()
        for _ in range(8):
            nursery.start_soon(come, enough)
        await true(lambda: len(refused) + server.engines.capacity.pages >= 8)
        assert (len(refused), server.engines.capacity.pages) == (5, 3)
        enough.set()


# Slow, or dead, or somebody else


def test_a_process_that_has_the_number_of_a_dead_driver_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing: Any = None
    started = Driver(nothing, nothing, os.getpid())
    assert started._process == Process.of(os.getpid())
    killed: list[int] = []
    monkeypatch.setattr(driver, "kill", killed.append)
    monkeypatch.setattr(driver, "kill_group", killed.append)
    monkeypatch.setattr(Process, "of", lambda pid: Process(pid, 1, pid))  # one that was started at another time
    started.kill()
    assert killed == []


@pytest.mark.skipif(not can_measure(), reason="the system has no /proc")
async def test_a_process_that_works_is_told_from_one_that_does_not() -> None:
    async with trio.open_nursery() as nursery:
        spinning: trio.Process = await nursery.start(
            partial(trio.run_process, [sys.executable, "-c", "while True: pass"], check=False)
        )
        load = ThreadLoad((spinning.pid,))
        load.is_high()

        async def great() -> bool:
            await trio.sleep(0.1)
            return load.is_high()

        with trio.fail_after(30):
            while not await great():
                pass
            spinning.send_signal(signal.SIGSTOP)
            while await great():
                pass
        spinning.kill()
        assert not await great()


class Played(Heartbeat):
    """A pulse of a browser that answers as the test says."""

    async def beats(self, answer: asyncio.Future[None]) -> bool:
        """Ask once, of somebody who answers then."""

        async def ask() -> None:
            await answer

        return await self._answers(ask)


@pytest.mark.parametrize(
    ("busy", "answers_after", "beats", "looks"),
    [
        ([False], None, False, 2),
        ([True, False], None, False, 2),
        ([True, True, True, False], None, False, 4),
        ([True] * 20, None, False, 12),
        ([True] * 20, 5, True, 6),
    ],
)
def test_a_browser_that_is_busy_has_more_time_for_an_answer_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, busy: list[bool], answers_after: int | None, beats: bool, looks: int
) -> None:
    looked: list[bool] = []
    measured = ThreadLoad.is_high

    async def scene() -> None:
        answer = asyncio.get_running_loop().create_future()

        def is_high(load: ThreadLoad) -> bool:
            if load.pids:  # of a browser that other tests share
                return measured(load)
            looked.append(True)
            if len(looked) - 1 == answers_after:  # the first look is only where it begins
                answer.set_result(None)
            return [*busy, False][min(len(looked) - 2, len(busy))]

        monkeypatch.setattr(ThreadLoad, "is_high", is_high)
        assert await Played(0.02).beats(answer) is beats

    asyncio.run(scene())
    assert len(looked) - 1 == looks
