"""The feed, by which events come back from the browser thread: batches, order, and what is dropped."""

import asyncio
from collections.abc import AsyncIterator, Mapping

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.browser.portal import EventBridge, Portal


@attrs.define
class BatchRecorder:
    """Hears what a feed delivers."""

    batches: list[list[int]] = attrs.field(factory=list)
    dropped: list[dict[str, int]] = attrs.field(factory=list)

    def __call__(self, batch: list[int], dropped: Mapping[str, int]) -> None:
        self.batches.append(batch)
        self.dropped.append(dict(dropped))

    @property
    def all(self) -> list[int]:
        return [item for batch in self.batches for item in batch]


@pytest.fixture
async def portal() -> AsyncIterator[Portal]:
    with trio.fail_after(40):
        async with Portal.open() as portal:
            yield portal


async def test_a_feed_delivers_what_a_call_put_before_the_call_returns(portal: Portal) -> None:
    recorder = BatchRecorder()
    feed = EventBridge(recorder)

    async def report(number: int) -> None:
        feed.put(number, "number")

    for number in range(20):
        await portal.run(report, number)
        assert recorder.all == list(range(number + 1))


async def test_a_feed_keeps_the_order(portal: Portal) -> None:
    recorder = BatchRecorder()
    feed = EventBridge(recorder)

    async def report() -> None:
        for number in range(500):
            feed.put(number, "number")
            if number % 7 == 0:
                await asyncio.sleep(0)

    await portal.run(report)
    assert recorder.all == list(range(500))


async def test_a_feed_wakes_trio_once_for_a_batch() -> None:
    recorder = BatchRecorder()
    feed = EventBridge(recorder)
    for number in range(100):
        feed.put(number, "number")
    assert trio.lowlevel.current_statistics().run_sync_soon_queue_size == 1
    await trio.testing.wait_all_tasks_blocked()
    assert [len(batch) for batch in recorder.batches] == [100]


async def test_a_full_feed_drops_and_counts_by_kind() -> None:
    recorder = BatchRecorder()
    feed = EventBridge(recorder, limit=2)
    for kind in ("console", "console", "console", "network", "console"):
        feed.put(0, kind)
    feed.put(1, "page", even_if_full=True)
    await trio.testing.wait_all_tasks_blocked()
    feed.put(2, "console")
    await trio.testing.wait_all_tasks_blocked()
    assert recorder.batches == [[0, 0, 1], [2]]
    assert recorder.dropped == [{"console": 2, "network": 1}, {}]


async def test_a_failing_delivery_stops_neither_trio_nor_the_feed() -> None:
    heard: list[list[int]] = []

    def fail_once(batch: list[int], _: Mapping[str, int]) -> None:
        heard.append(batch)
        if len(heard) == 1:
            raise ValueError("bad event")

    feed = EventBridge(fail_once)
    for number in range(2):
        feed.put(number, "number")
        await trio.testing.wait_all_tasks_blocked()
    assert heard == [[0], [1]]


def test_a_feed_may_outlive_trio() -> None:
    recorder = BatchRecorder()

    async def make() -> EventBridge[int]:
        return EventBridge(recorder)

    feed = trio.run(make)
    feed.put(1, "number")
    assert recorder.batches == []
