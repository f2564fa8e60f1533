"""Server of the test sites: delayed files, an echo, an endless event stream, a long poll, and a second origin.

==========================  ===================================================================================
``GET /any/file?delay=400``  the file after 400 ms
``POST /echo?delay=400``     the posted body after 400 ms; ``status=422`` sets the status
``GET /sse?every=200``       an endless event stream
``GET /poll``                a request that is answered after 25 s
==========================  ===================================================================================

In HTML, ``__SITE__`` becomes the origin of the page, and ``__OTHER__`` one on another host.
"""

import contextlib
import http.server
import mimetypes
import threading
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.browser.site import serve_requests

HERE: Final = Path(__file__).parent
_POLL_S: Final = 25.0
_DELAY: Final = threading.Event()
"""Never set: a wait for it is a delay of the server, not of a test."""


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    roots: tuple[Path, ...] = ()

    def do_GET(self) -> None:
        path, query = self._delayed()
        if path == "/poll":
            _DELAY.wait(_POLL_S)
            self._send(b"{}", "application/json")
        elif path == "/sse":
            self._stream(int(query.get("every", 200)) / 1000)
        elif (file := self._file(path)) is None:
            self._send(b"not found", "text/plain", 404)
        else:
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            body = file.read_bytes()
            if kind == "text/html":
                kind, body = "text/html; charset=utf-8", self._placed(body)
            self._send(body, kind)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        _, query = self._delayed()
        self._send(body, self.headers.get("Content-Type", "application/json"), int(query.get("status", 200)))

    def _delayed(self) -> tuple[str, dict[str, str]]:
        """Return the path and the query, after the delay that the query sets."""
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        _DELAY.wait(int(query.get("delay", 0)) / 1000)
        return urllib.parse.unquote(url.path), query

    def _file(self, path: str) -> Path | None:
        for root in self.roots:
            file = (root / path.lstrip("/")).resolve()
            file = file / "index.html" if file.is_dir() else file
            if file.is_file() and root.resolve() in file.parents:
                return file
        return None

    def _placed(self, body: bytes) -> bytes:
        host = self.headers.get("Host", "127.0.0.1")
        name, _, port = host.partition(":")
        other = f"{'localhost' if name == '127.0.0.1' else '127.0.0.1'}:{port}"
        return body.replace(b"__SITE__", f"http://{host}".encode()).replace(b"__OTHER__", f"http://{other}".encode())

    def _send(self, body: bytes, kind: str, status: int = 200) -> None:
        self.send_response(status)
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Access-Control-Allow-Origin": "*"}
        for name, value in (headers | {"Cache-Control": "no-store"}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _stream(self, every_s: float) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(b"data: tick\n\n")
                self.wfile.flush()
                _DELAY.wait(every_s)

    def log_message(self, *_: Any) -> None: ...


@contextlib.contextmanager
def open_sites(*roots: Path) -> Iterator[str]:
    """Serve folders as one tree, the first one first; yield the base URL without a slash at its end."""
    with serve_requests(type("Handler", (_Handler,), {"roots": roots})) as port:
        yield f"http://127.0.0.1:{port}"
