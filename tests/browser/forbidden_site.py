"""A small web server, and a forbidden one that records every connection and datagram that reaches it."""

import contextlib
import re
from collections.abc import AsyncIterator

import attrs
import trio

_STUN = b"\x21\x12\xa4\x42"
_NAME = re.compile(rb"v-([a-z0-9-]+)[./]")


@attrs.define(eq=False)
class SmallSite:
    """A web server with bodies by path; an unknown path is a small page."""

    port: int = 0
    pages: dict[str, tuple[int, dict[str, str], str]] = attrs.field(factory=dict)

    def serve(self, path: str, body: str = "", status: int = 200, **headers: str) -> None:
        """Serve a body; an underscore in a header name stands for a hyphen."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.pages[path] = (status, {"Content-Type": "text/html", **named}, body)

    def answer(self, head: bytes) -> bytes:
        """Return the answer to a request."""
        path = head.split(b" ")[1].decode("latin-1").partition("?")[0] if head.count(b" ") > 1 else ""
        status, headers, body = self.pages.get(path, (200, {"Access-Control-Allow-Origin": "*"}, "x"))
        lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in headers.items())]
        return "\r\n".join([*lines, f"Content-Length: {len(body.encode())}", "Connection: close", "", body]).encode()

    async def attend(self, stream: trio.SocketStream) -> None:
        """Answer one request."""
        with contextlib.suppress(trio.BrokenResourceError):
            async with stream:
                await stream.send_all(self.answer(await _read_head(stream)))


async def _read_head(stream: trio.SocketStream) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head and (data := await stream.receive_some(65536)):
        head += data
    return head


@attrs.define(eq=False)
class ForbiddenSite(SmallSite):
    """A server that nobody may reach. It records who does, by address and by requested name."""

    connections: int = 0
    datagrams: int = 0
    reached: set[str] = attrs.field(factory=set)
    """Names in the received bytes, and addresses of the connections."""

    async def attend(self, stream: trio.SocketStream) -> None:
        """Record a connection from the first byte on: a TLS handshake contains the name too."""
        self.connections += 1
        self.reached.add(stream.socket.getsockname()[0])
        with contextlib.suppress(trio.BrokenResourceError):
            async with stream:
                received = await stream.receive_some(65536)
                self.reached.update(name.decode() for name in _NAME.findall(received))
                await stream.send_all(self.answer(received))

    async def count_datagrams(self) -> None:
        """Record UDP datagrams, for ever."""
        with trio.socket.socket(trio.socket.AF_INET, trio.socket.SOCK_DGRAM) as socket:
            await socket.bind(("0.0.0.0", self.port))
            while True:
                received, _ = await socket.recvfrom(2048)
                self.datagrams += 1
                self.reached.add("webrtc-stun" if received[4:8] == _STUN else "webtransport")


@contextlib.asynccontextmanager
async def serve_site(origin: SmallSite, *hosts: str) -> AsyncIterator[None]:
    """Listen on one port of all these addresses, also by UDP for a forbidden site."""
    async with trio.open_nursery() as nursery:
        for host in hosts:
            listeners = await trio.open_tcp_listeners(origin.port, host=host)
            origin.port = int(listeners[0].socket.getsockname()[1])
            nursery.start_soon(trio.serve_listeners, origin.attend, listeners)
        if isinstance(origin, ForbiddenSite):
            nursery.start_soon(origin.count_datagrams)
        yield
        nursery.cancel_scope.cancel()
