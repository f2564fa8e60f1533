"""The shared browser: lost and launched again, cancelled half-way, and gone without a trace after close."""

import asyncio
import gc
import os
import signal
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error
from structlog.contextvars import bind_contextvars, get_contextvars

from agentbrowser.browser.engine import driver, watchdog
from agentbrowser.browser.engine import engine as engine_module
from agentbrowser.browser.engine.engine import Engine, Loss
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched, TargetClosed
from tests.browser.processes import (
    alive,
    browser_pid,
    children,
    descendants,
    driver_pid,
    nothing_left,
    play,
    running,
    script,
    until,
    works,
)

pytestmark = pytest.mark.slow
temporary = pytest.fixture(autouse=True)(nothing_left)


# Losses


def test_browser_that_dies_is_reported_and_replaced() -> None:
    async def scene() -> None:
        async with running() as engine:
            lost: list[Loss] = []
            engine.on_lost(lost.append)
            page = await (await engine.new_context()).new_page()
            first = browser_pid(engine)
            os.kill(first, signal.SIGKILL)
            with pytest.raises(Error):
                await page.evaluate("new Promise(() => {})")
            await until(lambda: lost == ["browser"])
            assert engine.pid is None
            assert await works(engine)
            assert engine.pid not in (None, first)
            assert lost == ["browser"]

    play(scene)


def test_driver_that_dies_is_reported_and_replaced() -> None:
    async def scene() -> None:
        async with running() as engine:
            lost: list[Loss] = []
            engine.on_lost(lost.append)
            await engine.new_context()
            family, first = descendants(engine), driver_pid(engine)
            os.kill(first, signal.SIGKILL)
            await until(lambda: lost == ["driver"])
            await until(lambda: not any(map(alive, family)))
            assert await works(engine)
            assert driver_pid(engine) != first

    play(scene)


@pytest.mark.parametrize("pid_of", [browser_pid, driver_pid])
def test_a_loss_and_the_restart_are_not_logged_as_the_request_that_launched_the_browser(
    pid_of: Callable[[Engine], int],
) -> None:
    async def scene() -> None:
        bind_contextvars(request=7)
        async with running() as engine:
            await engine.new_context()
            seen: list[Mapping[str, Any]] = []
            engine.recovery.on_state = lambda state: seen.append(get_contextvars())
            os.kill(pid_of(engine), signal.SIGKILL)
            await until(lambda: engine.recovery.restarts == 1)
            assert seen == [{}] * 3  # broken, restarting, ready

    play(scene)


def test_driver_that_dies_takes_a_stopped_browser_along() -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.new_context()
            family = descendants(engine)
            os.killpg(browser_pid(engine), signal.SIGSTOP)
            os.kill(driver_pid(engine), signal.SIGKILL)
            await until(lambda: not any(map(alive, family)))

    play(scene)


@pytest.mark.parametrize("victim", ["driver", "browser"])
def test_unreported_loss_is_detected_by_the_next_call(victim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (driver, watchdog):
        monkeypatch.setattr(module, "watch", lambda *_: lambda: None)

    async def scene() -> None:
        async with running() as engine:
            lost: list[Loss] = []
            engine.on_lost(lost.append)
            await engine.new_context()
            os.kill(driver_pid(engine) if victim == "driver" else browser_pid(engine), signal.SIGKILL)
            assert await works(engine)
            assert lost in (["driver"], ["browser"])

    play(scene)


def test_listener_that_raises_hurts_nobody() -> None:
    async def scene() -> None:
        async with running() as engine:
            lost: list[Loss] = []
            engine.on_lost(lambda _: [][1])
            engine.on_lost(lost.append)
            await engine.new_context()
            os.kill(browser_pid(engine), signal.SIGKILL)
            await until(lambda: lost == ["browser"])
            assert await works(engine)

    play(scene)


def test_removed_listener_is_not_called() -> None:
    async def scene() -> None:
        async with running() as engine:
            gone: list[Loss] = []
            here: list[Loss] = []
            leave = engine.on_lost(gone.append)
            engine.on_lost(here.append)
            leave()
            await engine.new_context()
            os.kill(browser_pid(engine), signal.SIGKILL)
            await until(lambda: here == ["browser"])
            assert gone == []

    play(scene)


# Cancellation and the end


@pytest.mark.parametrize("after_ms", [0, 1, 5, 50, 200])
def test_cancelled_launch_leaves_nothing(after_ms: int) -> None:
    async def scene() -> None:
        async with running() as engine:
            task = asyncio.create_task(engine.new_context())
            await asyncio.sleep(after_ms / 1000)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await until(lambda: not engine._tasks)
            if engine._browser is not None:
                assert engine._browser.contexts == []

    play(scene)


def test_one_cancelled_caller_does_not_spoil_the_launch_for_another() -> None:
    async def scene() -> None:
        async with running() as engine:
            first, second = (asyncio.create_task(engine.new_context()) for _ in range(2))
            await asyncio.sleep(0.01)
            first.cancel()
            context = await second
            assert first.cancelled() or first.cancelling()
            await until(lambda: context.browser is not None and context.browser.contexts == [context])

    play(scene)


def test_closing_twice_at_once_and_again_is_fine() -> None:
    async def scene() -> None:
        engine = Engine(Config())
        await engine.new_context()
        family = descendants(engine)
        await asyncio.gather(engine.close(), engine.close())
        await engine.close()
        assert not any(map(alive, family))
        assert len(family) > 2

    play(scene)


def test_engine_that_was_never_started_can_be_closed() -> None:
    play(lambda: Engine(Config()).close())


def test_closed_engine_launches_nothing() -> None:
    async def scene() -> None:
        async with running() as engine:
            await engine.start()
        with pytest.raises(TargetClosed):
            await engine.new_context()

    play(scene)


def test_close_is_not_a_loss() -> None:
    async def scene() -> None:
        lost: list[Loss] = []
        async with running() as engine:
            engine.on_lost(lost.append)
            await engine.new_context()
        assert lost == []

    play(scene)


def test_close_whose_caller_goes_away_goes_on() -> None:
    async def scene() -> None:
        engine = Engine(Config())
        await engine.new_context()
        family = descendants(engine)
        task = asyncio.create_task(engine.close())
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        await engine.close()
        assert not any(map(alive, family))

    play(scene)


@pytest.mark.parametrize("stopped", ["browser", "driver", "both"])
def test_close_kills_stopped_processes(stopped: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_CLOSE_TIMEOUT_S", 0.5)

    async def scene() -> None:
        engine = Engine(Config())
        await (await engine.new_context()).new_page()
        family = descendants(engine)
        if stopped != "driver":
            os.killpg(browser_pid(engine), signal.SIGSTOP)
        if stopped != "browser":
            os.kill(driver_pid(engine), signal.SIGSTOP)
        async with asyncio.timeout(20):
            await engine.close()
        await until(lambda: not any(map(alive, family)))

    play(scene)


def test_close_ends_a_launch_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_CLOSE_TIMEOUT_S", 0.5)

    async def scene() -> None:
        engine = Engine(Config(executable_path=script(tmp_path, "exec sleep 600")))
        task = asyncio.create_task(engine.new_context())
        await until(lambda: bool(engine._driver) and len(children(driver_pid(engine))) == 1)
        family = descendants(engine)
        await engine.close()
        with pytest.raises(BrowserNotLaunched, match="SIGKILL"):
            await task
        await until(lambda: not any(map(alive, family)))

    play(scene)


def test_close_ends_a_driver_that_hangs_at_its_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "_CLOSE_TIMEOUT_S", 0.5)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", script(tmp_path, "exec sleep 600"))

    async def scene() -> None:
        before = children(os.getpid())
        engine = Engine(Config())
        task = asyncio.create_task(engine.start())
        await until(lambda: len(children(os.getpid()) - before) == 1)
        await engine.close()
        await asyncio.wait({task})
        assert task.cancelled()
        await until(lambda: children(os.getpid()) == before)

    play(scene)


def test_no_descriptor_is_left() -> None:
    async def scene() -> None:
        counts = []
        gc.collect()  # what other tests have left
        for _ in range(4):
            async with running() as engine:
                await engine.new_context()
            counts.append(len(os.listdir("/proc/self/fd")))
        assert counts[-1] - counts[0] < len(counts) - 1, counts  # one for each engine; other threads may open some

    play(scene)


def test_a_browser_in_which_a_context_is_being_created_is_not_retired() -> None:
    async def scene() -> None:
        async with running() as engine:
            with engine.capacity.reserved(context=True):
                context = await engine.new_context()
                assert not await engine.retire()
                await context.new_page()
            await context.close()
            assert await engine.retire()

    play(scene)
