"""State of an engine that outlives the loop of a browser thread: locks belong to the loop that tasks waited in."""

import asyncio
from pathlib import Path

from agentbrowser.browser.downloads.trace_files import TraceFiles
from agentbrowser.browser.engine.engine import Engine
from agentbrowser.browser.engine.pool import EnginePool
from agentbrowser.config import Config


async def crowd(lock: asyncio.Lock | asyncio.Semaphore) -> None:
    """Have more tasks take a lock than it lets in."""

    async def hold() -> None:
        async with lock:
            await asyncio.sleep(0)

    await asyncio.gather(*(hold() for _ in range(5)))


def test_long_work_waits_for_threads_in_the_loop_of_another_browser_thread() -> None:
    engine = Engine(Config())

    async def run_and_end() -> None:
        await crowd(engine.capacity.threads)
        await engine.abandon()

    asyncio.run(run_and_end())
    asyncio.run(crowd(engine.capacity.threads))


def test_traces_wait_for_deletions_in_the_loop_of_another_driver(tmp_path: Path) -> None:
    traces = TraceFiles()

    async def run() -> None:
        traces.begin(tmp_path)
        await crowd(traces._lock)

    asyncio.run(run())
    asyncio.run(run())


def test_an_owner_gets_an_engine_that_another_thread_puts_to_rest_meanwhile() -> None:
    pool = EnginePool(Config())
    engine = pool.of_owner("a")

    class Resting(dict[object, Engine]):
        """Engines of owners, one of which the browser thread puts to rest once it was found."""

        def __contains__(self, owner: object) -> bool:
            if owner in self.keys():
                pool._resting[owner] = self.pop(owner)
                return True
            return False

    pool._by_owner = Resting(pool._by_owner)
    assert pool.of_owner("a") is engine
