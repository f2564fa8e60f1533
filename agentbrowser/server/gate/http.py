"""Plain HTTP on our port: how the server is, told by an ASGI app that Hypercorn serves."""

import logging
from collections.abc import Callable
from typing import Final, Literal

import attrs
import hypercorn
import trio
from hypercorn.typing import ASGIReceiveCallable, ASGISendCallable, Scope

import agentbrowser
from agentbrowser.browser.engine.vendor import http_server
from agentbrowser.server.gate.head import Head

_HEADERS: Final = (
    (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
    (b"connection", b"close"),
)


@attrs.define
class ServerStatus:
    """How the server is: its owner sets ``state``, and the gate ``full``."""

    state: Literal["starting", "ready", "draining", "browser"] = "starting"
    """``browser``: the browser is lost and can't be had again."""
    full: bool = False
    crowded: Callable[[], bool] = lambda: False
    """Tells whether there is no room for one more page; its owner sets it."""
    figures: Callable[[], str] = lambda: ""
    """Returns the figures of the server; its owner sets it."""


Answer = tuple[int, str]
"""An HTTP status and a JSON text."""


def health(status: ServerStatus) -> Answer:
    """Say whether the server should be left running."""
    word = {"draining": "draining", "browser": "degraded"}.get(status.state, "ok")
    return (200 if word == "ok" else 503), f'{{"status":"{word}","version":"{agentbrowser.__version__}"}}'


def ready(status: ServerStatus) -> Answer:
    """Say whether the server would take one more connection, and if not, why."""
    full = status.full or status.crowded()
    reason = "full" if full and status.state == "ready" else status.state
    return (200, '{"status":"ready"}') if reason == "ready" else (503, f'{{"status":"unready","reason":"{reason}"}}')


def metrics(status: ServerStatus) -> Answer:
    """Return the figures of the server."""
    return 200, status.figures()


ROUTES: Final[dict[bytes, Callable[[ServerStatus], Answer]]] = {
    b"/health": health,
    b"/ready": ready,
    b"/metrics": metrics,
}
"""The paths of plain HTTP."""
GUARDED: Final = frozenset({b"/metrics"})
"""Those that ask for a token, where one is configured: they tell what all clients do."""


def _metrics_type() -> bytes:
    from prometheus_client import CONTENT_TYPE_LATEST  # the metrics load it, after the port is open

    return CONTENT_TYPE_LATEST.encode()


@attrs.frozen
class HttpApp:
    """The ASGI app behind `ROUTES`; what has no route does not reach it."""

    status: ServerStatus

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            raise ValueError(f"no ASGI {scope['type']} is served")
        path = scope["raw_path"]
        code, text = ROUTES[path](self.status)
        body = text.encode()
        kind = (b"content-type", _metrics_type() if path == b"/metrics" else b"application/json")
        headers = [kind, *_HEADERS, (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": code, "headers": headers})
        await send({"type": "http.response.body", "body": body, "more_body": False})


class PlainHttp:
    """Hands single requests to Hypercorn.

    Args:
      write_timeout_s: how long a response may take; Hypercorn shields its sends from any cancellation but this.
    """

    def __init__(self, status: ServerStatus, write_timeout_s: float) -> None:
        self._write_timeout_s = write_timeout_s
        config = hypercorn.Config()
        config.errorlog = logging.getLogger("agentbrowser.http")
        config.include_server_header = False
        self._serve = http_server(HttpApp(status), config)

    async def answer(self, stream: trio.SocketStream, head: Head) -> None:
        """Answer the request whose head has been read; the stream is closed afterwards."""
        await self._serve(_Replayed(stream, head.raw, self._write_timeout_s))


@attrs.define
class _Replayed:
    """A TCP stream whose first bytes, once read, are read again; what Hypercorn needs of a stream, and no more."""

    _stream: trio.SocketStream
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
