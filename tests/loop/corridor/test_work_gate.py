"""A busy server: who works at once, who waits, and in which order."""

from collections.abc import Awaitable, Callable

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from agentbrowser.config import Config
from agentbrowser.protocol.errors import ServerBusy
from agentbrowser.server.corridor.work_gate import WorkGate, available_cores


@attrs.define
class Workers:
    """Requests at one gate, which work until they are released."""

    gate: WorkGate
    nursery: trio.Nursery
    begun: list[str] = attrs.field(factory=list)
    refused: list[str] = attrs.field(factory=list)
    ends: dict[str, trio.Event] = attrs.field(factory=dict)

    async def come(self, name: str) -> None:
        """Send a request; the first letter of its name is its owner."""
        self.ends[name] = trio.Event()
        self.nursery.start_soon(self._request, name)
        await wait_all_tasks_blocked()

    async def _request(self, name: str) -> None:
        try:
            await self.gate.work(name[0], self._work(name))
        except ServerBusy:
            self.refused.append(name)

    def _work(self, name: str) -> Callable[[], Awaitable[None]]:
        async def work() -> None:
            self.begun.append(name)
            await self.ends[name].wait()

        return work

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await wait_all_tasks_blocked()


async def with_workers(scene: Callable[[Workers], Awaitable[None]], width: int = 1, timeout_s: float = 100.0) -> None:
    async with trio.open_nursery() as nursery:
        workers = Workers(WorkGate(width=width, timeout_s=timeout_s), nursery)
        nursery.start_soon(workers.gate.run)
        await scene(workers)
        nursery.cancel_scope.cancel()


async def test_no_more_requests_work_at_once_than_there_are_slots() -> None:
    async def scene(workers: Workers) -> None:
        for name in ("a1", "a2", "a3"):
            await workers.come(name)
        assert workers.begun == ["a1", "a2"]
        assert (workers.gate.working, workers.gate.waiting) == (2, 1)
        await workers.end("a2")
        assert workers.begun == ["a1", "a2", "a3"]

    await with_workers(scene, width=2)


async def test_owners_take_turns() -> None:
    async def scene(workers: Workers) -> None:
        for name in ("a1", "a2", "a3", "a4", "b1", "b2"):
            await workers.come(name)
        for name in ("a1", "a2", "b1", "a3"):
            await workers.end(name)
        assert workers.begun == ["a1", "a2", "b1", "a3", "b2"]

    await with_workers(scene)


async def test_a_request_that_mostly_waits_loses_its_slot(autojump_clock: MockClock) -> None:
    async def scene(workers: Workers) -> None:
        for name in ("a1", "a2", "a3"):
            await workers.come(name)
        await trio.sleep(0.6)
        assert workers.begun == ["a1", "a2"]
        await workers.end("a1")  # it has no slot any more, so nobody gets one
        assert workers.begun == ["a1", "a2"]
        await trio.sleep(0.5)
        assert workers.begun == ["a1", "a2", "a3"]

    await with_workers(scene)


async def test_a_request_that_gets_no_slot_in_time_is_refused_as_busy(autojump_clock: MockClock) -> None:
    async def scene(workers: Workers) -> None:
        await workers.come("a1")
        await workers.come("a2")
        await trio.sleep(0.3)
        assert workers.refused == ["a2"]
        assert (workers.gate.refused, workers.gate.waiting) == (1, 0)

    await with_workers(scene, timeout_s=0.2)


async def test_cancelled_requests_leave_the_queue_and_their_slots() -> None:
    gate = WorkGate(width=1, timeout_s=100.0)
    async with trio.open_nursery() as nursery:
        for _ in range(2):
            nursery.start_soon(gate.work, "a", trio.sleep_forever)
        await wait_all_tasks_blocked()
        assert (gate.working, gate.waiting) == (1, 1)
        nursery.cancel_scope.cancel()
    assert (gate.working, gate.waiting) == (0, 0)


async def test_a_request_that_is_cancelled_as_it_gets_its_slot_gives_it_back() -> None:
    gate = WorkGate(width=1, timeout_s=100.0)
    release, waiting = trio.Event(), trio.CancelScope()

    async def wait() -> None:
        with waiting:
            await gate.work("a", trio.sleep_forever)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(gate.work, "a", release.wait)
        await wait_all_tasks_blocked()
        nursery.start_soon(wait)
        await wait_all_tasks_blocked()
        release.set()
        waiting.cancel()
    assert (gate.working, gate.waiting) == (0, 0)


@pytest.mark.parametrize(("setting", "width"), [(3, 3), (None, 2 * available_cores())])
def test_the_width_is_configured_or_follows_the_cores(setting: int | None, width: int) -> None:
    assert WorkGate.of(Config(max_working=setting)).width == width
