"""Memory that the messages of one owner take while they arrive and while their requests are under way."""

import contextlib
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.config import Config
from agentbrowser.live.access import Access, AccessBook
from agentbrowser.live.site import LiveSite
from agentbrowser.live.view import LiveView
from agentbrowser.server.corridor.outbox import OwnerShare
from agentbrowser.server.gate import frame_meter
from agentbrowser.server.gate.auth import Grant, Owner
from agentbrowser.server.gate.frame_meter import LARGE_BYTES, ONE_MESSAGE_S, Intake
from agentbrowser.server.gate.socket import PeerGone, Socket
from tests.loop.raw_websocket import FIN, PING, TEXT, Wire, echo, frame, header, open_gate, reading, socket_pair

LIMIT = 1024 * 1024
MESSAGE = b"x" * (LIMIT // 2)
CONNECTIONS = 12


@pytest.fixture(autouse=True)
def _a_small_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame_meter, "MAX_OWNER_BYTES", LIMIT)


@contextlib.asynccontextmanager
async def two_readers(intake: Intake) -> AsyncIterator[list[tuple[Wire, list[str | PeerGone]]]]:
    """Read from two sockets of one owner, in the background."""
    async with contextlib.AsyncExitStack() as stack:
        pairs = []
        for _ in range(2):
            ours, theirs = trio.testing.memory_stream_pair()
            socket = Socket(ours, Config(), remote="memory", intake=intake)
            pairs.append((Wire(theirs), await stack.enter_async_context(reading(socket))))
        yield pairs


async def test_messages_that_do_not_end_take_a_bounded_memory_and_all_become_whole_later() -> None:
    intakes: set[Intake | None] = set()

    async def note_and_echo(socket: Socket, grant: Grant) -> None:
        intakes.add(socket.intake)
        await echo(socket, grant)

    async with open_gate(note_and_echo) as knocker, contextlib.AsyncExitStack() as stack:
        wires = [await stack.enter_async_context(knocker.websocket()) for _ in range(CONNECTIONS)]
        nursery = await stack.enter_async_context(trio.open_nursery())
        has_more = trio.Event()

        async def send(wire: Wire, whole: bytes) -> None:
            await wire.send(whole[:-1])
            await has_more.wait()
            await wire.send(whole[-1:])

        for wire in wires:
            nursery.start_soon(send, wire, frame(TEXT, MESSAGE))
        await trio.testing.wait_all_tasks_blocked(0.05)
        (intake,) = intakes
        assert intake is not None
        assert LIMIT - LARGE_BYTES < intake.arriving_bytes < LIMIT + len(MESSAGE) + CONNECTIONS * 2 * LARGE_BYTES
        async with knocker.websocket() as small:
            await small.say("still here")
            assert await small.hear() == (TEXT, b"still here")
        has_more.set()
        for wire in wires:
            assert await wire.hear() == (TEXT, MESSAGE)
        assert intake.arriving_bytes == 0


async def test_a_message_that_stays_away_makes_room_for_another_of_its_owner(autojump_clock: trio.abc.Clock) -> None:
    intake = Intake()
    async with two_readers(intake) as [(first, heard_first), (second, heard_second)]:
        await first.send(header(FIN | TEXT, 9 * len(MESSAGE)) + 8 * MESSAGE)
        await trio.testing.wait_all_tasks_blocked()
        began_s = trio.current_time()
        await second.say(MESSAGE.decode())
        await trio.testing.wait_all_tasks_blocked()
        assert heard_first == heard_second == []
        assert await first.hear() == (PING, b"")
        assert await first.hear_close() == 1013
        assert trio.current_time() - began_s == pytest.approx(ONE_MESSAGE_S, abs=5)
        await trio.testing.wait_all_tasks_blocked()
        assert heard_second == [MESSAGE.decode()]
        assert intake.arriving_bytes == 0


async def test_a_large_message_waits_for_the_answers_to_others(autojump_clock: trio.abc.Clock) -> None:
    intake = Intake()
    intake.count(kept=LIMIT + 1)
    async with two_readers(intake) as [(first, heard_first), (second, heard_second)]:
        await first.say(MESSAGE.decode())
        await second.say("small")
        await trio.sleep(10)
        assert (heard_first, heard_second) == ([], ["small"])
        intake.count(kept=-LIMIT)
        await trio.testing.wait_all_tasks_blocked()
        assert heard_first == [MESSAGE.decode()]


async def test_a_socket_is_closed_while_its_message_waits() -> None:
    intake = Intake()
    intake.count(kept=LIMIT + 1)
    ours, theirs = trio.testing.memory_stream_pair()
    socket, wire = Socket(ours, Config(), remote="memory", intake=intake), Wire(theirs)
    async with reading(socket) as heard:
        await wire.say(MESSAGE.decode())
        await trio.testing.wait_all_tasks_blocked()
        await socket.close(1008)
        await trio.testing.wait_all_tasks_blocked()
        assert isinstance(heard[0], PeerGone)
    assert intake.arriving_bytes == 0


async def test_a_wide_character_counts_for_the_whole_message() -> None:
    intake = Intake()
    async with two_readers(intake) as [(first, _), _]:
        await first.send(frame(TEXT, "\U0001f600".encode() + MESSAGE[:1000], fin=0))
        await trio.testing.wait_all_tasks_blocked()
        assert intake.arriving_bytes == 4 * 1001


async def test_those_who_watch_by_links_of_one_owner_have_one_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands of 10 MB that did not end, by 24 links of an agent's own handoffs, made the server 230 MB larger."""
    none: Any = SimpleNamespace(rules=None)
    turn = trio.Event()
    monkeypatch.setattr(OwnerShare, "take_turn", lambda share: turn.wait())
    view = LiveView(
        portal=none,
        approvals=none,
        handoffs=none,
        book=AccessBook(),
        sessions=list,
        grant_of=lambda session: None,
        base_url=None,
        idle_s=1.0,
    )
    site, access = LiveSite(view, view.book), Access(name="whoever has the link", made_by=Owner("agent", b"token"))
    pairs = [socket_pair() for _ in range(CONNECTIONS)]
    async with trio.open_nursery() as nursery:
        for socket, wire in pairs:
            nursery.start_soon(site.serve, socket, access)
            await wire.send(frame(TEXT, MESSAGE)[:-1])
        await trio.testing.wait_all_tasks_blocked(0.05)
        (intake,) = {socket.intake for socket, _ in pairs}
        assert LIMIT - LARGE_BYTES < intake.arriving_bytes < LIMIT + len(MESSAGE) + CONNECTIONS * 2 * LARGE_BYTES
        for _, wire in pairs:
            await wire.send(frame(TEXT, MESSAGE)[-1:])
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert intake.kept_bytes > LIMIT  # of commands that wait for their turn
        turn.set()
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert (intake.arriving_bytes, intake.kept_bytes) == (0, 0)
        operator = attrs.evolve(access, may_approve=True)
        assert view.intake_of(operator) is not intake
        nursery.cancel_scope.cancel()
