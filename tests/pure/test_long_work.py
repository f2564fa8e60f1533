"""Long work in threads: it rests while a loop is busy, proceeds beside one that always is, and can be abandoned."""

import asyncio
import threading

import pytest

from agentbrowser import long_work
from agentbrowser.browser import background_tasks, loop_hold
from agentbrowser.browser.background_tasks import in_thread
from agentbrowser.browser.loop_hold import LoopHold
from agentbrowser.browser.observe.pictures import annotations
from agentbrowser.long_work import Abandoned, LongWork, give_way
from agentbrowser.protocol.types.annotations import AnnotateOptions, Annotation
from agentbrowser.protocol.types.observe import ScreenshotResult


@pytest.fixture(autouse=True)
def busy(monkeypatch: pytest.MonkeyPatch) -> set[object]:
    """Only the loops of the test are busy."""
    loops: set[object] = set()
    monkeypatch.setattr(long_work, "busy_loops", loops)
    monkeypatch.setattr(loop_hold, "busy_loops", loops)
    return loops


def test_work_on_a_loop_or_in_a_thread_of_its_own_is_not_touched(
    monkeypatch: pytest.MonkeyPatch, busy: set[object]
) -> None:
    naps = list[float]()
    monkeypatch.setattr("agentbrowser.long_work.time.sleep", naps.append)
    busy.add(object())
    give_way()
    assert naps == []


def test_work_rests_until_the_loop_waits_again(monkeypatch: pytest.MonkeyPatch, busy: set[object]) -> None:
    hold, naps = LoopHold(), list[float]()

    def nap(seconds: float) -> None:
        naps.append(seconds)
        if len(naps) == 3:
            hold.end()

    monkeypatch.setattr("agentbrowser.long_work.time.sleep", nap)
    monkeypatch.setattr(long_work, "_LONGEST_REST_S", 3600.0)
    hold.begin()
    LongWork(give_way).run()
    assert len(naps) == 3
    assert not busy


def test_work_proceeds_beside_a_loop_that_is_always_busy(monkeypatch: pytest.MonkeyPatch, busy: set[object]) -> None:
    busy.add(object())
    monkeypatch.setattr(long_work, "_LONGEST_REST_S", 0.0)
    monkeypatch.setattr(long_work, "_LEAST_WORK_S", 3600.0)
    steps = []

    def work() -> None:
        for step in range(1000):
            give_way()
            steps.append(step)

    LongWork(work).run()
    assert len(steps) == 1000


def test_the_work_of_a_cancelled_request_ends() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        try:
            while True:
                give_way()
        except Abandoned:
            ended.set()
            raise

    async def run() -> None:
        asked = asyncio.create_task(in_thread(work))
        await asyncio.to_thread(begun.wait)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        await asyncio.to_thread(ended.wait)

    asyncio.run(run())


def test_one_engine_leaves_threads_to_the_others() -> None:
    gate = threading.Event()
    held: list[str] = []

    async def run() -> None:
        loop, other_began = asyncio.get_running_loop(), asyncio.Event()

        def work(owner: str) -> None:
            held.append(owner)
            if owner == "other":
                loop.call_soon_threadsafe(other_began.set)
            gate.wait()

        async def ask(owner: str, threads: asyncio.Semaphore) -> None:
            background_tasks.threads.set(threads)
            await in_thread(work, owner)

        one, other = asyncio.Semaphore(2), asyncio.Semaphore(2)
        asked = [asyncio.create_task(ask("one", one)) for _ in range(8)]
        asked.append(asyncio.create_task(ask("other", other)))
        await other_began.wait()
        assert held.count("one") <= 2
        gate.set()
        await asyncio.gather(*asked)
        assert held.count("one") == 8

    asyncio.run(run())


def test_marks_and_long_looks_use_the_threads_of_their_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    is_counted: list[bool] = []

    async def run() -> None:
        threads = asyncio.Semaphore(1)
        background_tasks.threads.set(threads)

        def work(*_: object) -> tuple[bytes, list[Annotation]]:
            is_counted.append(threads.locked())
            return b"", []

        monkeypatch.setattr(annotations, "annotate", work)
        taken = ScreenshotResult(data="", format="jpeg", width=1, height=1)
        await annotations.marked_screenshot(taken, [], AnnotateOptions())
        await background_tasks.beside_loop(True, work)

    asyncio.run(run())
    assert is_counted == [True, True]
