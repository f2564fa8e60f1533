"""A web site whose answers take a time that the path says: ``/300/name`` is answered after 300 ms.

``/300/socket`` is a web socket that answers each message after 300 ms, ``/300/stream`` a stream of
events whose second one comes then.
"""

import contextlib
import http.server
import threading
from collections.abc import Iterator
from typing import Any

import attrs
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, CloseConnection, Request, TextMessage

from tests.browser.site import serve_requests

_JSON = b'{"ok": true}'


@attrs.define(eq=False)
class SlowSite:
    """Pages by path. ``/MS/data`` is JSON, ``/MS/x.js`` a script and ``/MS/x.html`` a page, after so many ms."""

    pages: dict[str, str] = attrs.field(factory=dict)
    released: threading.Event = attrs.field(factory=threading.Event)
    """Set at the end: until then, answers of ``/held`` and streams of ``/events`` wait."""
    port: int = 0

    def url(self, path: str) -> str:
        """Return the URL of a path."""
        return f"http://127.0.0.1:{self.port}{path}"

    def show(self, path: str, body: str) -> str:
        """Serve a page, and return its URL."""
        self.pages[path] = f"<!doctype html><meta charset=utf-8><title>{path}</title><body>{body}"
        return self.url(path)

    def answer(self, path: str) -> tuple[str, bytes]:
        """Return type and body of an answer, after its delay."""
        if path in self.pages:
            return "text/html", self.pages[path].encode()
        first = path.split("/")[1]
        if first == "held":
            self.released.wait(30)
        elif first.isdigit():
            self.released.wait(int(first) / 1000)
        if path.endswith(".js"):
            return "text/javascript", b"window.loaded?.()"
        if path.endswith(".html"):
            return "text/html", b"<p id=inner>Inner words</p>"
        return "application/json", _JSON


class _Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: SlowSite

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        path = self.path.partition("?")[0]
        if path.endswith("/socket") and not path.startswith("/held"):
            self._serve_socket(int(path.split("/")[1]) / 1000)
            return
        if path.endswith("/stream"):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b"data: begin\n\n")
            self.site.released.wait(int(path.split("/")[1]) / 1000)
            self.wfile.write(b"data: end\n\n")
            self.close_connection = True
            return
        if path == "/events":
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(b"data: hello\n\n")
            self.site.released.wait(30)
            self.close_connection = True
            return
        kind, body = self.site.answer(path)
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _serve_socket(self, delay_s: float) -> None:
        self.close_connection = True
        connection = WSConnection(ConnectionType.SERVER)
        connection.initiate_upgrade_connection([(k.encode(), v.encode()) for k, v in self.headers.items()], self.path)
        while True:
            for event in connection.events():
                match event:
                    case Request():
                        self.wfile.write(connection.send(AcceptConnection()))
                    case TextMessage(data=text):
                        self.site.released.wait(delay_s)
                        self.wfile.write(connection.send(TextMessage(data=text)))
                    case CloseConnection():
                        return
            if not (received := self.connection.recv(4096)):
                return
            connection.receive_data(received)

    do_POST = do_GET  # noqa: N815 - the name that http.server calls

    def log_message(self, *_: Any) -> None: ...


@contextlib.contextmanager
def open_slow_site() -> Iterator[SlowSite]:
    """Serve a site for the duration of the block."""
    site = SlowSite()
    with serve_requests(type("Answer", (_Answer,), {"site": site})) as site.port:
        try:
            yield site
        finally:
            site.released.set()
