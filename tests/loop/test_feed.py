"""The feed, by which events come back from the browser thread: batches, order, what is dropped, how it ends."""

import asyncio
from collections.abc import AsyncIterator

import pytest
import trio
import trio.testing

from agentbrowser.browser.portal import Feed, Portal


@pytest.fixture
async def portal() -> AsyncIterator[Portal]:
    with trio.fail_after(5):
        async with Portal.open() as portal:
            yield portal


async def test_a_feed_hands_over_whole_batches_in_order(portal: Portal) -> None:
    feed = Feed[int]()

    async def report(numbers: range) -> None:
        for number in numbers:
            feed.put(number, "number")

    await portal.run(report, range(5))
    await portal.run(report, range(5, 10))
    assert await feed.receive() == list(range(10))


async def test_a_feed_wakes_a_waiting_receiver(portal: Portal) -> None:
    feed = Feed[int]()
    heard: list[int] = []

    async def report() -> None:
        for number in range(100):
            feed.put(number, "number")
            await asyncio.sleep(0)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(portal.run, report)
        while len(heard) < 100:
            heard += await feed.receive()
    assert heard == list(range(100))


async def test_a_feed_wakes_trio_once_for_a_batch() -> None:
    feed = Feed[int]()
    for number in range(100):
        feed.put(number, "number")
    assert trio.lowlevel.current_statistics().run_sync_soon_queue_size == 1
    assert len(await feed.receive()) == 100


async def test_a_full_feed_drops_and_counts_by_kind() -> None:
    feed = Feed[int](limit=2)
    for kind in ("console", "console", "console", "network", "console"):
        feed.put(0, kind)
    assert len(await feed.receive()) == 2
    assert feed.take_dropped() == {"console": 2, "network": 1}
    assert feed.take_dropped() == {}
    feed.put(1, "console")
    assert await feed.receive() == [1]


async def test_a_closed_feed_gives_what_it_has_and_then_the_end() -> None:
    feed = Feed[int]()
    feed.put(1, "number")
    feed.close()
    feed.put(2, "number")
    assert await feed.receive() == [1]
    for _ in range(2):
        with trio.fail_after(1), pytest.raises(trio.EndOfChannel):
            await feed.receive()


async def test_closing_a_feed_wakes_its_receiver() -> None:
    feed = Feed[int]()

    async def hear_the_end() -> None:
        with pytest.raises(trio.EndOfChannel):
            await feed.receive()

    with trio.fail_after(1):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(hear_the_end)
            await trio.testing.wait_all_tasks_blocked()
            feed.close()


async def test_a_feed_delivers_what_a_call_put_before_the_call_returns(portal: Portal) -> None:
    heard: list[int] = []
    feed = Feed[int]()
    feed.deliver = heard.extend

    async def report(number: int) -> None:
        feed.put(number, "number")

    for number in range(20):
        await portal.run(report, number)
        assert heard[-1] == number


async def test_a_failing_delivery_stops_neither_trio_nor_the_feed() -> None:
    heard: list[list[int]] = []

    def fail_once(batch: list[int]) -> None:
        heard.append(batch)
        if len(heard) == 1:
            raise ValueError("bad event")

    feed = Feed[int]()
    feed.deliver = fail_once
    for number in range(2):
        feed.put(number, "number")
        await trio.testing.wait_all_tasks_blocked()
    assert heard == [[0], [1]]


def test_a_feed_outlives_the_trio_run() -> None:
    feeds: list[Feed[int]] = []

    async def make() -> None:
        feeds.append(Feed[int](limit=1))

    trio.run(make)
    feeds[0].put(1, "number")
    feeds[0].put(2, "number")
    feeds[0].close()
    assert feeds[0].take_dropped() == {"number": 1}
