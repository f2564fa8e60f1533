"""MCP over streamable HTTP for the clients of one grant, in both eras of the protocol."""

import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from functools import partial
from typing import Any, Final

import attrs
import structlog
import trio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.shared.inbound import MCP_PROTOCOL_VERSION_HEADER
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.handshake import NO_APPROVER
from agentbrowser.mcp.calls import RunningCalls
from agentbrowser.mcp.elicitation import Context, is_stateless
from agentbrowser.mcp.link import BrowserLink, Decide, Open
from agentbrowser.mcp.mount import Receive, Send
from agentbrowser.mcp.server import ToolServer
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import InvalidRequest, ServerBusy
from agentbrowser.server.app import Server
from agentbrowser.server.gate import message_parser
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.head import Refusal
from agentbrowser.server.gate.mount import MAX_BODY_BYTES

log = structlog.get_logger("agentbrowser.mcp")

SESSION_IDLE_S: Final = 1800.0
"""Time after which a session without a request, and its browser session, end."""
BODY_TIMEOUT_S: Final = 30.0
MAX_BODY_PARTS: Final = 20_000
"""Brackets and commas of a body: 4 MB of them took the SDK 0.8 s."""
_CHECK_S: Final = 60.0
_SESSION_HEADER: Final = "mcp-session-id"
_SIZE: Final = "agentbrowser.size"
"""Key of the size of the body in the scope of a request."""
_IGNORED: Final = frozenset({b"last-event-id"})
"""No events are kept, so that none can be replayed; the SDK gives no answer to a request for it."""
_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
)
_REPLACED: Final = frozenset(name for name, _ in _HEADERS)


@attrs.define(eq=False)
class SessionLinks:
    """Links to the browser: one for each session, and one for the stateless clients of the grant."""

    _open: Open
    _nursery: trio.Nursery
    _decide: Decide
    _links: dict[str, BrowserLink] = attrs.field(factory=dict, init=False)
    _requests: Counter[str] = attrs.field(factory=Counter, init=False)
    """Requests under way of each session."""
    _idle_since_s: dict[str, float] = attrs.field(factory=dict, init=False)

    def link(self, session: str) -> BrowserLink:
        """Return the link of a session, which the SDK knows; empty for the stateless clients."""
        if session not in self._links:
            self._links[session] = BrowserLink(self._open, self._nursery, self._decide)
        return self._links[session]

    @contextlib.contextmanager
    def used(self, session: str) -> Iterator[None]:
        """Keep the link of a session while a request of it is under way."""
        self._requests[session] += 1
        try:
            yield
        finally:
            self._requests[session] -= 1
            if not self._requests[session]:
                del self._requests[session]
                if session in self._links:
                    self._idle_since_s[session] = trio.current_time()

    def end(self, session: str) -> None:
        """Close the link of a session that has ended."""
        self._idle_since_s.pop(session, None)
        if (link := self._links.pop(session, None)) is not None:
            link.close()

    async def close_idle(self) -> None:
        """Close the links that no request has used for long. [trio]"""
        while True:
            await trio.sleep(_CHECK_S)
            idle_s = trio.current_time() - SESSION_IDLE_S
            for session, since_s in list(self._idle_since_s.items()):
                if since_s < idle_s and not self._requests[session]:
                    log.info("session_idle")
                    self.end(session)


@attrs.define(eq=False)
class Endpoint:
    """Endpoint of one grant: sessions of the era that has them, and the stateless requests."""

    grant: Grant
    _manager: StreamableHTTPSessionManager
    _links: SessionLinks

    async def answer(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request, whose head the gate has checked."""
        session = _session_of(scope)
        scope = {**scope, "headers": [one for one in scope["headers"] if one[0] not in _IGNORED]}
        with self._links.used(session):
            body = await _read_body(receive)
            if body is None:
                return await _refuse(send, 408, "The request body took too long.")
            if len(body) > MAX_BODY_BYTES:
                return await _refuse(send, 413, f"The body must have {MAX_BODY_BYTES} bytes at most.")
            # The SDK parses it on the loop that serves all clients.
            fault = await message_parser.parse_with(body_fault, body)
            if fault is not None:
                return await _refuse(send, 400, fault)
            closing = _ClosingSend(send)
            await self._manager.handle_request({**scope, _SIZE: len(body)}, _replayed(body, receive), closing)
        if scope["method"] == "DELETE" and closing.status < 300:
            self._links.end(session)


@contextlib.asynccontextmanager
async def open_endpoint(
    server: Server, grant: Grant, make_tools: Callable[..., ToolServer] = ToolServer
) -> AsyncIterator[Endpoint]:
    """Run the endpoint of a grant until the block ends. [trio]"""
    async with open_quiet_nursery() as nursery:
        calls = RunningCalls(nursery)
        links = SessionLinks(partial(_connected, server, grant), nursery, calls.decide)
        tools = make_tools(calls, lambda context: links.link(_session_in(context)), _groups_of, _size_of)
        manager = StreamableHTTPSessionManager(
            tools.build(),
            max_request_body_size=MAX_BODY_BYTES,
            session_idle_timeout=SESSION_IDLE_S,
            max_sessions=server.config.max_connections,
        )
        async with manager.run():
            nursery.start_soon(links.close_idle)
            yield Endpoint(grant, manager, links)
        nursery.cancel_scope.cancel()


@contextlib.asynccontextmanager
async def _connected(server: Server, grant: Grant) -> AsyncIterator[Browser]:
    try:
        async with server.connect(grant, "mcp") as browser:
            await browser.request("initialize", {"capabilities": NO_APPROVER})
            yield browser
    except Refusal as refusal:
        raise ServerBusy(refusal.why, hint="Try again when another client has left.") from None


def _session_of(scope: Any) -> str:
    """Return the session that a request names; empty if it names none, or is stateless."""
    headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}
    version = headers.get(MCP_PROTOCOL_VERSION_HEADER)
    is_known = version is None or version in HANDSHAKE_PROTOCOL_VERSIONS
    return headers.get(_SESSION_HEADER, "") if is_known else ""


def _session_in(context: Context) -> str:
    """Return the session of a request: the SDK has checked the header in the era that has sessions."""
    if is_stateless(context) or context.request is None:
        return ""
    return str(context.request.headers.get(_SESSION_HEADER, ""))


def _groups_of(context: Context) -> Collection[str]:
    """Return the groups of tools that the URL asks for: ``/mcp?tools=evaluate,state``."""
    wanted = "" if context.request is None else context.request.query_params.get("tools", "")
    return tuple(filter(None, (group.strip() for group in wanted.split(","))))


def _size_of(context: Context) -> int:
    return 0 if context.request is None else int(context.request.scope[_SIZE])


async def _read_body(receive: Receive) -> bytes | None:
    """Return the body of a request, at most one byte beyond the limit; None if it does not come in time."""
    body = bytearray()
    with trio.move_on_after(BODY_TIMEOUT_S):
        while len(body) <= MAX_BODY_BYTES:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body", False):
                break
        return bytes(body)
    return None


def body_fault(body: bytes) -> str | None:
    """Return why a body is refused before it is parsed; None if it is not."""
    try:
        text = body.decode()
    except UnicodeDecodeError:
        return "The body must be UTF-8."
    if "\0" in text:  # or the SDK reads it as UTF-16, where the quotes are others
        return "The body must be JSON in UTF-8."
    try:
        wire.check_structure(text, MAX_BODY_PARTS)
        wire.check_id(text)  # the SDK takes a request with an object as its id for a notification
    except InvalidRequest as error:
        return error.message
    except wire.BadMessage as error:
        return str(error)
    return None


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return how to receive a body that was read, then what follows: the end of the connection."""
    parts = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Any:
        return parts.pop() if parts else await receive()

    return replay


@attrs.define(eq=False)
class _ClosingSend:
    """Function that sends a response, which ends its connection: a second request on it would pass no check."""

    _send: Send
    status: int = attrs.field(default=500, init=False)

    async def __call__(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            kept = [(name, value) for name, value in message.get("headers", ()) if name.lower() not in _REPLACED]
            message = {**message, "headers": [*kept, *_HEADERS]}
        # After its last part Hypercorn reports a disconnect, on which the SDK cancels this very call: the connection
        # would stay open. A send has a time limit of its own.
        with trio.CancelScope(shield=True):
            await self._send(message)


async def _refuse(send: Send, status: int, why: str) -> None:
    body = f"{why}\n".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", b"%d" % len(body)), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
