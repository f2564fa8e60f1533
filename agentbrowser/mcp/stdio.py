"""Standard input and output as the streams of the MCP server.

The SDK's own streams read in a blocked thread, which no signal ends. These belong to Trio.
"""

import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import anyio
import attrs
import structlog
import trio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from agentbrowser.nursery import open_quiet_nursery

log = structlog.get_logger("agentbrowser.mcp")

MAX_LINE_BYTES: Final = 16 * 1024 * 1024
_UNWRITTEN: Final = 32
"""Answers that wait for a client that does not read; then the calls wait."""
_CHUNK_BYTES: Final = 65_536
_MAX_ID: Final = 2**53
_FIRST_FREE_FD: Final = 3

Received = SessionMessage | Exception
Streams = tuple[MemoryObjectReceiveStream[Received], MemoryObjectSendStream[SessionMessage]]


@attrs.define(eq=False)
class RequestsInFlight:
    """Ids of the requests that have no answer yet."""

    _ids: set[Any] = attrs.field(factory=set, init=False)
    _changed: trio.Event = attrs.field(factory=trio.Event, init=False)

    def add_received(self, message: Any) -> None:
        """Add a request; remove one that its client cancels, which gets no answer."""
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._remove((message.params or {}).get("requestId"))

    def add_sent(self, message: Any) -> None:
        """Remove the request of an answer."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._remove(message.id)

    async def wait_answered(self) -> None:
        """Wait until all requests have their answers. [trio]"""
        while self._ids:
            self._changed = trio.Event()
            await self._changed.wait()

    def _remove(self, id_: Any) -> None:
        if isinstance(id_, str | int):
            self._ids.discard(id_)
        self._changed.set()


@contextlib.contextmanager
def claimed_descriptors() -> Iterator[tuple[int, int]]:
    """Yield private descriptors of standard input and output.

    Meanwhile, descriptor 0 is /dev/null and 1 is standard error: other code and child processes can neither read a
    message nor write into one.
    """
    private = [_private(fd) for fd in (0, 1)]
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    try:
        yield private[0], private[1]
    finally:
        for fd, kept in enumerate(private):
            os.dup2(kept, fd)
            os.close(kept)


def _private(fd: int) -> int:
    """Return a duplicate that child processes do not inherit, and that is none of the standard descriptors."""
    if sys.platform == "win32":
        return os.dup(fd)
    import fcntl

    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, _FIRST_FREE_FD)


@attrs.frozen
class ThreadStream(trio.abc.Stream):
    """Stream over a descriptor that Windows can't wait for: a thread does, and the process does not wait for it."""

    _fd: int

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """Return the next bytes; none at the end."""
        return await trio.to_thread.run_sync(os.read, self._fd, max_bytes or _CHUNK_BYTES, abandon_on_cancel=True)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """Write all bytes.

        Raises:
          BrokenResourceError: the other side has closed.
        """
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[await trio.to_thread.run_sync(os.write, self._fd, rest, abandon_on_cancel=True) :]
        except OSError as error:
            raise trio.BrokenResourceError from error

    async def wait_send_all_might_not_block(self) -> None:
        """Return: a thread blocks in our stead."""
        await trio.lowlevel.checkpoint()

    async def aclose(self) -> None:
        """Leave the descriptor to its owner, since a thread may be reading from it."""
        await trio.lowlevel.checkpoint()


def _stream(fd: int) -> trio.abc.Stream:
    if sys.platform == "win32":
        return ThreadStream(fd)
    return trio.lowlevel.FdStream(os.dup(fd))  # a duplicate, which it closes and makes non-blocking for a time


@contextlib.asynccontextmanager
async def open_stdio(read_fd: int, write_fd: int) -> AsyncIterator[Streams]:
    """Yield the streams of messages over two descriptors. [trio]

    The input ends once all requests have been answered: at its end the SDK cancels those that have not. When the client
    reads no more, the block is cancelled.
    """
    to_server, from_client = anyio.create_memory_object_stream[Received](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](_UNWRITTEN)
    requests = RequestsInFlight()
    async with (
        contextlib.AsyncExitStack() as stack,
        _stream(read_fd) as stdin,
        _stream(write_fd) as stdout,
        open_quiet_nursery() as nursery,
    ):
        for stream in (to_server, from_client, to_client, from_server):
            stack.callback(stream.close)
        nursery.start_soon(_read, stdin, to_server, to_client.clone(), requests)
        nursery.start_soon(_write, from_server, stdout, requests, nursery.cancel_scope)
        yield from_client, to_client
        to_client.close()
        nursery.cancel_scope.cancel()


async def _read(
    stdin: trio.abc.ReceiveStream,
    to_server: MemoryObjectSendStream[Received],
    to_client: MemoryObjectSendStream[SessionMessage],
    requests: RequestsInFlight,
) -> None:
    async with to_server, to_client:
        async for line in _lines(stdin):
            try:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValidationError:
                refusal = _refusal(line)
                log.warning("message_not_read", reason=refusal.error.message)
                await to_client.send(SessionMessage(refusal))  # the SDK drops it: the host would wait for ever
                continue
            requests.add_received(message)
            await to_server.send(SessionMessage(message))
        await requests.wait_answered()


def _refusal(line: bytes) -> JSONRPCError:
    """Return the answer to a line that is no message; with the id of its request, if a short line has a valid one."""
    try:
        value = json.loads(line) if len(line) <= _CHUNK_BYTES else None
    except (ValueError, RecursionError):
        error = ErrorData(code=PARSE_ERROR, message="The line is not JSON.")
        return JSONRPCError(jsonrpc="2.0", id=None, error=error)
    id_ = value.get("id") if isinstance(value, dict) else None
    is_number = type(id_) is int and abs(id_) < _MAX_ID
    is_id = is_number or (isinstance(id_, str) and id_ == id_.encode(errors="ignore").decode())
    error = ErrorData(code=INVALID_REQUEST, message="The line is no single message of JSON-RPC 2.0.")
    return JSONRPCError(jsonrpc="2.0", id=id_ if is_id else None, error=error)


async def _lines(stdin: trio.abc.ReceiveStream) -> AsyncIterator[bytes]:
    """Yield the lines of a stream; a line beyond the limit ends it."""
    parts: list[bytes] = []
    size = 0
    async for chunk in stdin:
        *ends, rest = bytes(chunk).split(b"\n")
        for end in ends:
            line = b"".join([*parts, end])
            parts, size = [], 0
            if line.strip():
                yield line
        parts.append(rest)
        size += len(rest)
        if size > MAX_LINE_BYTES:
            log.error("message_too_large", limit_bytes=MAX_LINE_BYTES)
            return


async def _write(
    messages: MemoryObjectReceiveStream[SessionMessage],
    stdout: trio.abc.SendStream,
    requests: RequestsInFlight,
    serving: trio.CancelScope,
) -> None:
    """Write the messages in order. A task of its own does it: a client that does not read stops nothing else."""
    try:
        async for message in messages:
            await stdout.send_all(f"{message.message.model_dump_json(by_alias=True, exclude_unset=True)}\n".encode())
            requests.add_sent(message.message)
    except trio.BrokenResourceError:
        log.info("client_gone")
        serving.cancel()
