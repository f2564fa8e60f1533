"""Streams of messages over standard input and output."""

import contextlib
import json
import os
from collections.abc import AsyncIterator

import attrs
import trio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse

from agentbrowser.mcp.stdio import Streams, ThreadStream, open_stdio

LARGE = 1_000_000


@attrs.define
class Host:
    """The other end of the pipes."""

    stdin: trio.lowlevel.FdStream
    stdout: trio.lowlevel.FdStream

    async def ask(self, id_: int) -> None:
        await self.stdin.send_all(json.dumps({"jsonrpc": "2.0", "id": id_, "method": "ping"}).encode() + b"\n")


@contextlib.asynccontextmanager
async def piped() -> AsyncIterator[tuple[Host, int, int]]:
    (read_in, write_in), (read_out, write_out) = os.pipe(), os.pipe()
    try:
        async with trio.lowlevel.FdStream(write_in) as stdin, trio.lowlevel.FdStream(read_out) as stdout:
            with trio.fail_after(60):
                yield Host(stdin, stdout), read_in, write_out
    finally:
        os.close(read_in)
        with contextlib.suppress(OSError):
            os.close(write_out)


async def requests_of(streams: Streams, count: int) -> list[JSONRPCRequest]:
    found = []
    for _ in range(count):
        message = await streams[0].receive()
        assert isinstance(message, SessionMessage)
        assert isinstance(message.message, JSONRPCRequest)
        found.append(message.message)
    return found


def answer_to(request: JSONRPCRequest, text: str = "") -> SessionMessage:
    return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=request.id, result={"text": text}))


async def test_requests_in_flight_are_answered_after_the_end_of_the_input() -> None:
    async with piped() as (host, read_fd, write_fd), open_stdio(read_fd, write_fd) as streams:
        await host.ask(1)
        await host.ask(2)
        await host.stdin.aclose()
        first, second = await requests_of(streams, 2)
        ended = trio.Event()

        async def read_to_end() -> None:
            assert [message async for message in streams[0]] == []
            ended.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(read_to_end)
            await streams[1].send(answer_to(second))
            await trio.testing.wait_all_tasks_blocked(0.01)
            assert not ended.is_set()
            await streams[1].send(answer_to(first))
            await ended.wait()


async def test_a_line_that_is_no_message_is_refused() -> None:
    deep = b'{"jsonrpc": "2.0", "id": 12, "method": "ping", "params": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
    async with piped() as (host, read_fd, write_fd), open_stdio(read_fd, write_fd) as streams:
        ids = (b'{"id": 7}', b'{"id": true}', rb'{"id": "\ud800"}', b'{"id": ' + b"9" * 4000 + b"}")
        for line in (b"hello", b'{"jsonrpc": "2.0"', deep, b"[]", b"42", *ids):
            await host.stdin.send_all(line + b"\n")
        await host.ask(3)
        assert [request.id for request in await requests_of(streams, 1)] == [3]
        received = b""
        while received.count(b"\n") < 9:
            received += bytes(await host.stdout.receive_some())
        refusals = [(one["id"], one["error"]["code"]) for one in map(json.loads, received.splitlines())]
        assert refusals[:5] == [*[(None, -32700)] * 3, *[(None, -32600)] * 2]
        assert refusals[5:] == [(7, -32600), *[(None, -32600)] * 3]


async def test_an_output_that_is_not_read_stops_nothing_else() -> None:
    async with piped() as (host, read_fd, write_fd), open_stdio(read_fd, write_fd) as streams:
        await host.ask(1)
        (first,) = await requests_of(streams, 1)
        await streams[1].send(answer_to(first, "x" * LARGE))  # far more than a pipe holds
        await host.ask(2)
        (second,) = await requests_of(streams, 1)
        await streams[1].send(answer_to(second))
        received = b""
        while received.count(b"\n") < 2:
            received += bytes(await host.stdout.receive_some())
        assert [json.loads(line)["id"] for line in received.splitlines()] == [1, 2]


async def test_a_thread_reads_and_writes_where_the_system_cannot_wait_for_a_pipe() -> None:
    read_fd, write_fd = os.pipe()
    reader, writer = ThreadStream(read_fd), ThreadStream(write_fd)
    received = bytearray()

    async def read() -> None:
        async for part in reader:
            received.extend(part)

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await writer.send_all(b"x" * LARGE)
            os.close(write_fd)
    assert len(received) == LARGE
    os.close(read_fd)
