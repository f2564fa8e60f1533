"""Head of an HTTP request: bounded read, checks and refusals."""

import re
from http import HTTPStatus
from typing import Final

import attrs
import h11
import trio

from agentbrowser.server.gate.byte_stream import ClientStream, peer_address

HEAD_BYTES: Final = 16 * 1024
MOUNT_PATHS: Final = frozenset({b"/mcp"})
"""Paths at which an application may be mounted: only their requests may have a body, and methods other than GET."""
SITE_PATH: Final = b"/live"
"""Path of the server's own pages."""
LOGIN_PATH: Final = SITE_PATH + b"/login"
"""Path of the one request to them that is a POST, without a body."""

_PLAIN_LINES: Final = re.compile(rb"(?:[!-~][\t -~]*\r\n)+\r\n")
"""Lines of printable ASCII that end in CRLF; none begins with a blank, as a folded header would."""
_OWN_SITES: Final = (b"none", b"same-origin")
"""Values of Sec-Fetch-Site for an address that a user has entered, and for pages of the server, which has none."""


@attrs.define
class Refusal(Exception):
    """HTTP error that answers a request and ends its connection.

    ``why`` and ``headers`` are sent to the client, so they never repeat the client's own input.
    """

    status: int
    why: str
    headers: tuple[str, ...] = ()
    delay_s: float = 0.0
    """Time to wait before the answer."""

    def response(self) -> bytes:
        """Return the complete response as bytes."""
        body = f"{self.why}\n".encode()
        lines = (
            f"HTTP/1.1 {self.status} {HTTPStatus(self.status).phrase}",
            "Content-Type: text/plain; charset=utf-8",
            f"Content-Length: {len(body)}",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
            "Connection: close",
            *self.headers,
        )
        return "\r\n".join(lines).encode("ascii") + b"\r\n\r\n" + body


@attrs.frozen(repr=False)
class Head:
    """Head of one request. It has no repr: a query or a header may hold a token."""

    method: bytes
    target: bytes
    headers: tuple[tuple[bytes, bytes], ...]
    """Names in lower case, values stripped."""
    raw: bytes
    """Bytes of the head, for replay."""
    rest: bytes
    """Bytes that arrived after the head in the same read."""
    peer: str
    """Address of the peer, without its port."""

    @property
    def path(self) -> bytes:
        """Return the target without its query."""
        return self.target.partition(b"?")[0]

    @property
    def query(self) -> bytes:
        """Return the target's query, still encoded."""
        return self.target.partition(b"?")[2]

    @property
    def upgrade(self) -> bool:
        """Return True if the client requests a WebSocket."""
        return bool(self.values(b"upgrade"))

    def values(self, name: bytes) -> list[bytes]:
        """Return the values of every header of that name."""
        return [value for known, value in self.headers if known == name]

    def sole(self, name: bytes) -> bytes | None:
        """Return the value of a header that may occur only once.

        Raises:
          Refusal: it occurs twice.
        """
        values = self.values(name)
        if len(values) > 1:
            raise Refusal(400, f"The header {name.decode()} comes more than once.")
        return values[0] if values else None


async def read_head(stream: ClientStream, timeout_s: float) -> Head | None:
    """Read one request head and check its form.

    Returns:
      The head, or None if the peer disconnected without sending anything.

    Raises:
      Refusal: the head is too long, too slow or not supported.
    """
    with trio.move_on_after(timeout_s):
        head = await _read(stream)
        if head is not None:
            _check_form(head)
        return head
    raise Refusal(408, "The request head took too long.")


async def _read(stream: ClientStream) -> Head | None:
    parser = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
    raw = b""
    while len(raw) < HEAD_BYTES:
        data = await stream.receive_some(HEAD_BYTES - len(raw))
        raw += data
        event = _parse(parser, data)
        if isinstance(event, h11.Request):
            if event.http_version != b"1.1":
                raise Refusal(400, "Only HTTP/1.1 is spoken here.")
            rest = parser.trailing_data[0]
            head = raw[: len(raw) - len(rest)]
            return Head(event.method, event.target, tuple(event.headers), head, rest, peer_address(stream)[0])
        if isinstance(event, h11.ConnectionClosed):
            return None
    raise Refusal(431, "The request head is too long.")


def _parse(parser: h11.Connection, data: bytes) -> object:
    parser.receive_data(data)
    try:
        return parser.next_event()
    except h11.RemoteProtocolError:
        # h11's message quotes the offending line, which may hold a token.
        raise Refusal(400, "The request is not valid HTTP/1.1.") from None


def _check_form(head: Head) -> None:
    if not _PLAIN_LINES.fullmatch(head.raw):
        raise Refusal(400, "The request head must be lines of printable ASCII, unfolded, that end in CRLF.")
    if not head.target.startswith(b"/"):
        raise Refusal(400, "The request target must be a path.")
    if head.path in MOUNT_PATHS and not head.upgrade:
        return
    if head.method not in (b"GET", b"HEAD") and (head.method, head.path) != (b"POST", LOGIN_PATH):
        raise Refusal(400, "Only GET is answered here.")
    if head.values(b"transfer-encoding") or head.sole(b"content-length") not in (None, b"0"):
        raise Refusal(400, "A GET request has no body here.")
    if head.values(b"expect"):
        raise Refusal(400, "No expectation can be met here.")


def check_host(
    head: Head, port: int, allowed: tuple[str, ...], *, own: tuple[str, ...] = (), has_tls: bool = False
) -> None:
    """Raise for a request to a foreign host name: a browser sends it after DNS rebinding.

    Args:
      port: port on which the request arrived.
      own: further names of the server itself.
      allowed: further hosts, with or without a port.

    Raises:
      Refusal: 403, the host is not allowed.
    """
    names = ("127.0.0.1", "localhost", "[::1]", *own)
    default_port = 443 if has_tls else 80
    hosts = {f"{name}:{port}" for name in (*names, *allowed)} | set(allowed)
    hosts |= set(names) if port == default_port else set()
    given = head.sole(b"host")
    if given is None or given.decode("ascii").lower() not in {host.lower() for host in hosts}:
        raise Refusal(403, "This Host is not allowed; the operator can name it in --allowed-hosts.")


def check_origin(head: Head, allowed: tuple[str, ...]) -> None:
    """Raise for a request of a web page, unless its exact origin is allowed; other clients send no Origin.

    An image, a script or a link of a page sends no Origin, but a browser marks it with Sec-Fetch-Site.

    Raises:
      Refusal: 403, the origin is not allowed.
    """
    origins = head.values(b"origin")
    if len(origins) > 1 or any(origin.decode("ascii") not in allowed for origin in origins):
        raise Refusal(403, "This Origin is not allowed; the operator can name it in --allowed-origins.")
    if not origins and any(site not in _OWN_SITES for site in head.values(b"sec-fetch-site")):
        raise Refusal(403, "Web pages may not send this; the operator can name their origin in --allowed-origins.")
