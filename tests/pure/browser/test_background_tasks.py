"""Creations of a client's pages: a cancelled request does not interrupt them, and a lost browser ends them."""

import asyncio

import pytest

from agentbrowser.browser import background_tasks
from agentbrowser.browser.background_tasks import BackgroundTasks
from agentbrowser.protocol.errors import TargetClosed


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_tasks, "_UNWIND_S", 0.0)


def test_a_creation_that_waits_for_a_lost_browser_ends_and_releases_its_lock() -> None:
    async def run() -> None:
        tasks, lock = BackgroundTasks(), asyncio.Lock()

        async def create() -> None:
            async with lock:
                tasks.end_with_browser()
                await asyncio.Event().wait()

        with pytest.raises(TargetClosed) as lost:
            await tasks.complete(create())
        assert lost.value.retryable
        assert not lock.locked()

    asyncio.run(run())


def test_background_work_that_waits_for_a_lost_browser_ends() -> None:
    async def run() -> None:
        tasks = BackgroundTasks()
        waiting = tasks.start(asyncio.sleep(3600))
        tasks.end_with_browser()
        await asyncio.wait({waiting})
        assert waiting.cancelled()

    asyncio.run(run())


def test_a_cancelled_request_waits_for_the_creation_and_undoes_it() -> None:
    async def run() -> list[str]:
        tasks, made, undone = BackgroundTasks(), asyncio.Event(), list[str]()

        async def create() -> str:
            await made.wait()
            return "a page"

        async def undo(page: str) -> None:
            undone.append(page)

        request = asyncio.create_task(tasks.complete(create(), undo))
        await asyncio.sleep(0)
        request.cancel()
        await asyncio.sleep(0)
        assert not request.done()
        made.set()
        await asyncio.wait({request})
        assert request.cancelled()
        return undone

    assert asyncio.run(run()) == ["a page"]
