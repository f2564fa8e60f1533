"""Very many requests, and very many who never say what they want: everybody is answered, and nobody else waits."""

from collections import Counter

import pytest
import trio

from agentbrowser.config import Config
from tests.loop.memory_client import dialogue
from tests.loop.raw_websocket import TEXT, open_gate, upgrade

pytestmark = pytest.mark.slow

REQUESTS = 10_000
STRANGERS = 200


async def test_ten_thousand_requests_are_answered_once_each(autojump_clock: trio.abc.Clock) -> None:
    answered: Counter[int] = Counter()
    in_flight = 0
    async with dialogue(Config(max_in_flight=64)) as client, trio.open_nursery() as nursery:

        async def ask() -> None:
            for id_ in range(REQUESTS):
                await client.ask(id_, "nothing/at/all")

        nursery.start_soon(ask)
        for _ in range(REQUESTS):
            answered[(await client.hear())["id"]] += 1
            in_flight = max(in_flight, len(client.connection._in_flight))
    assert answered == Counter(range(REQUESTS))
    assert 1 < in_flight <= 64


async def test_connections_without_a_head_leave_descriptors_to_others() -> None:
    async with open_gate(head_timeout_s=30.0) as knocker:
        knocker.gate.max_strangers = 3
        strangers = [await knocker.connect() for _ in range(5)]
        for one in strangers:
            await one.send(b"G")
        for oldest in strangers[:2]:
            assert await oldest.rest() == b""
        async with knocker.websocket() as wire:
            await wire.say("in between")
            assert await wire.hear() == (TEXT, b"in between")
        for one in strangers:
            await one.stream.aclose()


async def test_two_hundred_half_heads_hold_nobody_up() -> None:
    statuses: Counter[bytes] = Counter()
    async with open_gate(head_timeout_s=2.0) as knocker, trio.open_nursery() as nursery:

        async def dawdle() -> None:
            wire = await knocker.connect()
            async with wire.stream:
                await wire.send(upgrade(knocker.port)[:-10])
                statuses[(await wire.head())[:12]] += 1
                assert (await wire.rest()).endswith(b"\n")

        for _ in range(STRANGERS):
            nursery.start_soon(dawdle)
        async with knocker.websocket() as wire:
            await wire.say("in between")
            assert await wire.hear() == (TEXT, b"in between")
    assert statuses == {b"HTTP/1.1 408": STRANGERS}
    assert knocker.gate.connections == 0
