"""Plain HTTP on the server's port: health, readiness and metrics, an ASGI app that Hypercorn serves."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Literal

import attrs
import hypercorn
import trio
from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, Scope

import agentbrowser
from agentbrowser.browser.engine.vendor import http_server
from agentbrowser.server.gate.byte_stream import ClientStream
from agentbrowser.server.gate.head import Head

if TYPE_CHECKING:
    from hypercorn.typing import ASGIFramework

_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
)


@attrs.define
class ServerStatus:
    """State of the server; its owner sets ``state``, and the gate sets ``full``."""

    state: Literal["starting", "ready", "draining", "browser"] = "starting"
    """State of the server; ``browser`` means that the browser was lost and can't be replaced."""
    full: bool = False
    is_at_capacity: Callable[[], bool] = lambda: False
    """Function that returns True if there is no room for one more page; the owner sets it."""
    has_sessions: Callable[[], bool] = lambda: False
    """Function that returns True if clients are connected or sessions wait for theirs; the owner sets it."""
    metrics_text: Callable[[], str] = lambda: ""
    """Function that returns the server's metrics, in any thread; the owner sets it."""


Answer = tuple[int, str]
"""HTTP status and JSON text."""


def health(status: ServerStatus) -> Answer:
    """Return the liveness answer: 503 if the server should be restarted or is shutting down."""
    word = {"draining": "draining", "browser": "degraded"}.get(status.state, "ok")
    return (200 if word == "ok" else 503), f'{{"status":"{word}","version":"{agentbrowser.__version__}"}}'


def ready(status: ServerStatus) -> Answer:
    """Return the readiness answer: 503 with a reason if the server would refuse one more connection."""
    full = status.full or status.is_at_capacity()
    reason = "full" if full and status.state == "ready" else status.state
    return (200, '{"status":"ready"}') if reason == "ready" else (503, f'{{"status":"unready","reason":"{reason}"}}')


def balance(status: ServerStatus) -> Answer:
    """Return the answer for a load balancer: 404 if only the clients of this server's sessions may come.

    A proxy ends the connections of a server that answers 503, so that is the answer only while there are none.
    """
    code, text = ready(status)
    if code == 200:
        return code, text
    is_old_only = status.state in ("ready", "draining") or status.has_sessions()
    return (404 if is_old_only else 503), text


def metrics(status: ServerStatus) -> Answer:
    """Return the metrics of the server."""
    return 200, status.metrics_text()


ROUTES: Final[dict[bytes, Callable[[ServerStatus], Answer]]] = {
    b"/health": health,
    b"/ready": ready,
    b"/balance": balance,
    b"/metrics": metrics,
}
"""Handlers of plain HTTP, by path."""
GUARDED: Final = frozenset({b"/metrics"})
"""Paths that require a token, if one is configured: they reveal the activity of all clients."""


def _metrics_type() -> bytes:
    from prometheus_client import CONTENT_TYPE_LATEST  # imported late, so that the port opens sooner

    return CONTENT_TYPE_LATEST.encode()


@attrs.frozen
class HttpApp:
    """ASGI app behind `ROUTES`; requests without a route do not reach it."""

    status: ServerStatus

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"no ASGI {scope['type']} is served")
        path = scope["raw_path"]
        route = ROUTES[path]
        # In a thread, since the metrics read /proc for each process of the machine: 20 ms for 600 of them.
        code, text = await trio.to_thread.run_sync(route, self.status) if route is metrics else route(self.status)
        body = text.encode()
        kind = (b"content-type", _metrics_type() if path == b"/metrics" else b"application/json")
        headers = [kind, *_HEADERS, (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": code, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


class PlainHttp:
    """Adapter that passes single requests to Hypercorn.

    Args:
      write_timeout_s: time limit of a response; Hypercorn shields its sends from every other cancellation.
    """

    def __init__(self, status: ServerStatus, write_timeout_s: float) -> None:
        self._write_timeout_s = write_timeout_s
        self._config = hypercorn.Config()
        self._config.errorlog = logging.getLogger("agentbrowser.http")
        self._config.include_server_header = False
        self._serve = http_server(HttpApp(status), self._config)

    async def answer(self, stream: ClientStream, head: Head) -> None:
        """Answer a request whose head was read, then close the stream."""
        await self._serve(_ReplayStream(stream, head.raw, self._write_timeout_s))

    async def answer_with(self, app: "ASGIFramework", stream: ClientStream, head: Head) -> None:
        """Have an application answer a request, which may have a body, then close the stream.

        The application must send ``connection: close``: a second request on the connection would pass no check.
        """
        serve = http_server(app, self._config)
        await serve(_ReplayStream(stream, head.raw + head.rest, self._write_timeout_s))


@attrs.define
class _ReplayStream:
    """Stream that replays what was read of a request; it has only the methods that Hypercorn needs."""

    _stream: ClientStream
    _head: bytes
    _write_timeout_s: float

    @property
    def socket(self) -> trio.socket.SocketType:
        return self._stream.socket

    async def receive_some(self, max_bytes: int) -> bytes:
        if self._head:
            head, self._head = self._head, b""
            return head
        return await self._stream.receive_some(max_bytes)

    async def send_all(self, data: bytes) -> None:
        try:
            with trio.fail_after(self._write_timeout_s):
                await self._stream.send_all(data)
        except trio.TooSlowError:
            raise trio.BrokenResourceError("the peer does not read") from None

    async def send_eof(self) -> None:
        await self._stream.send_eof()

    async def aclose(self) -> None:
        await self._stream.aclose()
