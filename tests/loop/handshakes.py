"""Requests that must be refused before any socket exists. ``{port}`` stands for the server's."""

import re
from typing import Final

import attrs

from tests.loop.raw_websocket import KEY

GOOD: Final = (
    "GET / HTTP/1.1\r\n"
    "Host: 127.0.0.1:{port}\r\n"
    "Upgrade: websocket\r\n"
    "Connection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\n"
    f"Sec-WebSocket-Key: {KEY}\r\n"
    "\r\n"
)


@attrs.frozen
class BadHandshake:
    """What is sent, and the status it gets."""

    name: str
    request: str
    status: int = 400
    hangs_up: bool = False
    """Whether the client ends its side after the request."""

    def on_wire(self, port: int) -> bytes:
        return self.request.replace("{port}", str(port)).encode("latin-1")


def _with(*lines: str) -> str:
    return GOOD.replace("\r\n\r\n", "\r\n" + "".join(f"{line}\r\n" for line in lines) + "\r\n")


def _without(name: str) -> str:
    return re.sub(rf"{name}: .*\r\n", "", GOOD)


def _line(first: str) -> str:
    return GOOD.replace("GET / HTTP/1.1", first)


_HOST: Final = "Host: 127.0.0.1:{port}"

BAD_HANDSHAKES: Final = (
    BadHandshake("non-ascii header", _with("X-Note: caf\xe9")),
    BadHandshake("non-ascii host", GOOD.replace("127.0.0.1:", "127.0.0.\xb9:")),
    BadHandshake("non-ascii subprotocol", _with("Sec-WebSocket-Protocol: \xff")),
    BadHandshake("non-ascii extension", _with("Sec-WebSocket-Extensions: \xff")),
    BadHandshake("non-ascii connection", GOOD.replace("Connection: Upgrade", "Connection: Upgrade, \xff")),
    BadHandshake("non-ascii token", _with("X-AGENT-Token: \xff\xfe")),
    BadHandshake("non-ascii target", _line("GET /\xe9 HTTP/1.1")),
    BadHandshake("nul in a header", _with("X-Note: a\x00b")),
    BadHandshake("escape in a header", _with("X-Note: a\x1bb")),
    BadHandshake("no host", _without("Host")),
    BadHandshake("two hosts", _with(_HOST)),
    BadHandshake("foreign host", GOOD.replace("127.0.0.1", "evil.test"), 403),
    BadHandshake("foreign origin", _with("Origin: http://evil.test"), 403),
    BadHandshake("http 1.0", _line("GET / HTTP/1.0")),
    BadHandshake("http 0.9", "GET /\r\n\r\n"),
    BadHandshake("http 2.0", _line("GET / HTTP/2.0")),
    BadHandshake("http 2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    BadHandshake("h2c", GOOD.replace("websocket", "h2c").replace("Connection: ", "HTTP2-Settings: AA\r\nConnection: ")),
    BadHandshake("websocket and h2c", _with("Upgrade: h2c")),
    BadHandshake("connect", f"CONNECT 127.0.0.1:{{port}} HTTP/1.1\r\n{_HOST}\r\n\r\n"),
    BadHandshake("post", _line("POST / HTTP/1.1")),
    BadHandshake("head", _line("HEAD / HTTP/1.1")),
    BadHandshake("options", _line("OPTIONS * HTTP/1.1")),
    BadHandshake("body", _with("Content-Length: 5") + "hello"),
    BadHandshake("two lengths", _with("Content-Length: 0", "Content-Length: 5") + "hello"),
    BadHandshake("chunked body", _with("Transfer-Encoding: chunked") + "0\r\n\r\n"),
    BadHandshake("odd transfer coding", _with("Transfer-Encoding: gzip")),
    BadHandshake("expectation", _with("Expect: 100-continue")),
    BadHandshake("folded header", _with("X-Note: a", " b")),
    BadHandshake("folded first header", GOOD.replace("Host", " Host")),
    BadHandshake("header without a colon", _with("X-Note")),
    BadHandshake("blank before the colon", _with("X-Note : a")),
    BadHandshake("bare line feeds", GOOD.replace("\r\n", "\n")),
    BadHandshake("leading blank line", "\r\n" + GOOD),
    BadHandshake("absolute form", _line("GET http://127.0.0.1:{port}/ HTTP/1.1")),
    BadHandshake("asterisk form", _line("GET * HTTP/1.1")),
    BadHandshake("two blanks in the request line", _line("GET  / HTTP/1.1")),
    BadHandshake("long header", _with("X-Note: " + "a" * 20_000), 431),
    BadHandshake("many headers", _with(*(f"X-Note-{n}: a" for n in range(2_000))), 431),
    BadHandshake("long target", _line("GET /" + "a" * 20_000 + " HTTP/1.1"), 431),
    BadHandshake("endless request line", "G" * 20_000, 431),
    BadHandshake("tls", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"),
    BadHandshake("half a head", GOOD[:60], hangs_up=True),
    BadHandshake("no connection header", _without("Connection")),
    BadHandshake("connection says close", GOOD.replace("Connection: Upgrade", "Connection: close")),
    BadHandshake("no key", _without("Sec-WebSocket-Key")),
    BadHandshake("short key", GOOD.replace(KEY, "AAAA")),
    BadHandshake("key not base64", GOOD.replace(KEY, "!" * 24)),
    BadHandshake("two keys", _with(f"Sec-WebSocket-Key: {KEY}")),
    BadHandshake("no version", _without("Sec-WebSocket-Version"), 426),
    BadHandshake("old version", GOOD.replace(": 13", ": 8"), 426),
    BadHandshake("two versions", _with("Sec-WebSocket-Version: 13")),
)
