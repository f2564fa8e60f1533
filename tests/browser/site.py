"""A web site on loopback with pages from a test; it records every request."""

import contextlib
import http.server
import threading
from collections.abc import Iterator, Mapping
from typing import Any

import attrs

_LIMIT_S = 20.0


@attrs.frozen
class Seen:
    """A request that reached the site."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@attrs.define(eq=False)
class Site:
    """Bodies by path. An unknown path is a 404; a path in ``held`` waits until it is released."""

    pages: dict[str, tuple[bytes, dict[str, str]]] = attrs.field(factory=dict)
    seen: list[Seen] = attrs.field(factory=list)
    held: dict[str, threading.Event] = attrs.field(factory=dict)
    port: int = 0

    def html(self, path: str, body: str, title: str = "", **headers: str) -> str:
        """Serve a page, and return its URL."""
        text = f"<!doctype html><meta charset=utf-8><title>{title}</title><body>{body}"
        return self.serve(path, text.encode(), **{"Content-Type": "text/html", **headers})

    def serve(self, path: str, body: bytes, **headers: str) -> str:
        """Serve bytes, and return their URL. An underscore in a header name means a hyphen; a Location redirects."""
        self.pages[path] = (body, {name.replace("_", "-"): value for name, value in headers.items()})
        return self.url(path)

    def hold(self, path: str) -> str:
        """Delay the answer for this path until the test is over, and return its URL."""
        self.held[path] = threading.Event()
        return self.url(path)

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        """Return the URL of a path; ``localhost`` as host is another origin."""
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        """Return the requested paths in order, without the browser's own requests."""
        return [one.path for one in self.seen if one.path != "/favicon.ico"]


class _Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Site

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.site.seen.append(Seen(self.command, self.path, dict(self.headers), body))
        path = self.path.partition("?")[0]
        if path in self.site.held:
            self.site.held[path].wait(_LIMIT_S)
        content, headers = self.site.pages.get(path, (b"", {}))
        self.send_response(404 if path not in self.site.pages else 302 if "Location" in headers else 200)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_PUT = do_DELETE = do_PATCH = do_GET  # noqa: N815 - the names that http.server calls

    def log_message(self, *_: Any) -> None: ...


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 100

    def handle_error(self, *_: Any) -> None:
        """Ignore the error: browsers drop connections at any time."""


@contextlib.contextmanager
def serve_requests(handler: type[http.server.BaseHTTPRequestHandler]) -> Iterator[int]:
    """Answer requests with a handler for the duration of the block; yield the port."""
    server = _Server(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


@contextlib.contextmanager
def open_site() -> Iterator[Site]:
    """Serve a site for the duration of the block."""
    site = Site()
    with serve_requests(type("Answer", (_Answer,), {"site": site})) as site.port:
        try:
            yield site
        finally:
            for held in site.held.values():
                held.set()
