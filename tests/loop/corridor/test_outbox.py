"""What waits to be written: bounded, replies wait, notifications are dropped and counted."""

import json

import pytest
import trio
import trio.testing

from agentbrowser.server.corridor.outbox import (
    MAX_BYTES,
    MAX_EVENTS,
    MAX_MESSAGES,
    MAX_OWNER_BYTES,
    Outbox,
    OwnerShare,
)


async def test_messages_come_out_in_order() -> None:
    outbox = Outbox()
    await outbox.put(b"1")
    outbox.offer("page", b"2")
    await outbox.put(b"3")
    assert [await outbox.take() for _ in range(3)] == [b"1", b"2", b"3"]


async def test_a_reply_waits_for_room() -> None:
    outbox = Outbox()
    for number in range(MAX_MESSAGES):
        await outbox.put(str(number).encode())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(outbox.put, b"late")
        await trio.testing.wait_all_tasks_blocked()
        assert len(outbox) == MAX_MESSAGES
        taken = [await outbox.take() for _ in range(MAX_MESSAGES + 1)]
    assert taken[-1] == b"late"


async def test_a_notification_without_room_is_dropped_counted_and_told() -> None:
    outbox = Outbox()
    for _ in range(MAX_EVENTS):
        outbox.offer("page", b"event")
    for _ in range(7):
        outbox.offer("console", b"lost")
    outbox.offer("network", b"lost")
    taken = [await outbox.take() for _ in range(MAX_EVENTS + 2)]
    assert b"lost" not in taken
    told = [json.loads(message)["params"] for message in taken if message != b"event"]
    assert sorted(told, key=lambda one: one["kind"]) == [
        {"kind": "console", "count": 7},
        {"kind": "network", "count": 1},
    ]


async def test_the_queue_is_bounded_in_bytes_but_a_large_message_goes_alone() -> None:
    outbox = Outbox()
    await outbox.put(b"x" * (MAX_BYTES + 1))
    outbox.offer("page", b"small")
    assert outbox.dropped == {"page": 1}
    with trio.move_on_after(0) as scope:
        await outbox.put(b"reply")
    assert scope.cancelled_caught
    assert len(await outbox.take()) == MAX_BYTES + 1


@pytest.mark.parametrize("tasks", [1, 5])
async def test_a_cancelled_wait_loses_nothing(tasks: int) -> None:
    outbox = Outbox()
    for _ in range(tasks):
        with trio.move_on_after(0):
            await outbox.take()
    await outbox.put(b"1")
    with trio.fail_after(20):
        assert await outbox.take() == b"1"


async def test_few_messages_of_an_owner_are_read_in_one_turn_of_the_loop() -> None:
    share, others = OwnerShare(), OwnerShare()
    order = list[str]()

    async def read(one: OwnerShare, name: str) -> None:
        await one.take_turn()
        order.append(name)

    async with trio.open_nursery() as nursery:
        for _ in range(100):
            nursery.start_soon(read, share, "many")
        await trio.lowlevel.checkpoint()
        nursery.start_soon(read, others, "one")
    assert len(order) == 101
    assert order.index("one") < 50


async def test_a_client_that_reads_nothing_gets_no_answers_beyond_the_memory_of_its_owner() -> None:
    share = OwnerShare()
    slow, reading = Outbox(share=share), Outbox(share=share)
    message = b"x" * (MAX_OWNER_BYTES // 4)
    async with trio.open_nursery() as nursery:
        for _ in range(5):
            nursery.start_soon(slow.put, message)
        await trio.testing.wait_all_tasks_blocked()
        assert share.waiting_bytes > MAX_OWNER_BYTES
        with trio.move_on_after(0.05) as waited:
            await slow.wait_for_memory()
        assert waited.cancelled_caught
        await reading.wait_for_memory()  # it has taken all of its own
        await slow.take()
        await slow.take()
        await slow.wait_for_memory()
        nursery.cancel_scope.cancel()
    slow.close()
    assert share.waiting_bytes == 0
