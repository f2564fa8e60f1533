"""What is measured once a second, and what happens when it can't be."""

import errno
import os
import resource
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from agentbrowser.browser.capacity import Capacity
from agentbrowser.browser.engine.pool import EnginePool
from agentbrowser.config import Bytes, Config
from agentbrowser.server.corridor.admission import Admission
from agentbrowser.server.watch import descriptors, housekeeping, memory_usage, metrics
from agentbrowser.server.watch.housekeeping import Housekeeping
from agentbrowser.server.watch.memory_usage import MemoryUsage
from tests.pure.logbook import logged

MIB = 1024 * 1024


def out_of_descriptors(*_: Any, **__: Any) -> Any:
    raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))


class Thread:
    """A browser thread in which no engine runs."""

    async def run(self, work: Any) -> None: ...


@pytest.fixture
def keeper(monkeypatch: pytest.MonkeyPatch) -> Housekeeping:
    config = Config(max_memory_bytes=Bytes(100 * MIB))
    engines = EnginePool(config)
    admission = Admission(capacity=engines.capacity, max_queued=1, timeout_s=1)
    portal: Any = Thread()
    monkeypatch.setattr(housekeeping, "can_measure", lambda: True)
    return Housekeeping(config=config, engines=engines, portal=portal, admission=admission)


async def test_without_descriptors_what_was_measured_last_holds(
    keeper: Housekeeping, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    capacity = keeper.engines.capacity
    monkeypatch.setattr(housekeeping, "measure", lambda: MemoryUsage(server=101 * MIB))
    await keeper.run_once()
    assert capacity.is_full
    monkeypatch.setattr(housekeeping, "measure", out_of_descriptors)
    await keeper.run_once()
    assert (capacity.memory_bytes, capacity.is_full) == (101 * MIB, True)


async def test_a_bug_does_not_end_the_periodic_tasks(
    keeper: Housekeeping, monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    outcomes = iter([RuntimeError("a bug"), RuntimeError("a bug"), None])
    done = trio.Event()

    async def run(_: Any) -> None:
        if (error := next(outcomes)) is not None:
            raise error
        done.set()
        await trio.sleep_forever()

    monkeypatch.setattr(keeper.portal, "run", run)
    with logged(Config()) as log:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(keeper.run)
            await done.wait()
            nursery.cancel_scope.cancel()
    assert log.getvalue().count("housekeeping_failed") == 1


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="descriptors are counted in /proc")
async def test_the_server_is_full_before_its_descriptors_run_out(keeper: Housekeeping) -> None:
    keeper.engines.capacity.max_memory_bytes = None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = descriptors.scarcest([])
    assert used is not None
    assert used.limit == soft
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (used.used + 3, hard))
        await keeper.run_once()
        assert keeper.engines.capacity.exhausted(context=True) == ("descriptors", *_most_and_used(keeper))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    await keeper.run_once()
    assert keeper.engines.capacity.exhausted() is None


def _most_and_used(keeper: Housekeeping) -> tuple[int, int]:
    used, limit = keeper.engines.capacity.descriptors or (0, 0)
    return limit - limit // 4, used


async def test_without_a_descriptor_to_count_them_the_server_is_full(
    keeper: Housekeeping, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper.engines.capacity.max_memory_bytes = None
    await keeper.run_once()
    assert not keeper.engines.capacity.is_full
    monkeypatch.setattr(housekeeping, "scarcest", out_of_descriptors)
    await keeper.run_once()
    assert keeper.engines.capacity.is_full


def test_contexts_count_before_the_next_measurement() -> None:
    capacity = Capacity(max_pages=1000, max_contexts=1000)
    capacity.descriptors_measured(700, 1024)
    opened = 0
    while not capacity.is_full:
        capacity.count(contexts=+1)
        opened += 1
    assert 10 <= opened <= 30
    capacity.descriptors_measured(750, 1024)
    assert not capacity.is_full


def test_a_process_that_can_not_be_read_for_want_of_descriptors_is_not_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Path, "read_text", out_of_descriptors)
    with pytest.raises(OSError, match="open files"):
        memory_usage._read(os.getpid(), "stat")


def test_the_other_figures_are_told_without_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "can_measure", lambda: True)
    monkeypatch.setattr(metrics, "measure", out_of_descriptors)

    class Present(metrics._ServerCollector):
        def _gauges(self) -> Any:
            yield "pages", "Pages that are open.", 3

        def _counters(self) -> Any:
            yield from ()

        def _limits(self) -> Any:
            yield from ()

    server: Any = None
    assert [family.name for family in Present(server).collect()] == ["agentbrowser_pages"]
