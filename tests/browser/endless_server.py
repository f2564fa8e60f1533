"""A server that answers every request with a file that never ends."""

import contextlib
import http.server
import threading
import time
from collections.abc import Iterator

import attrs

from tests.browser.site import serve_requests


@attrs.define(eq=False)
class Served:
    """State of the transfer: the file is still being received, or not."""

    closed: bool = False


@contextlib.contextmanager
def serve_endless_file(pause_s: float = 0.001) -> Iterator[tuple[str, Served]]:
    """Serve the file, with a pause after each 64 KiB, and yield its URL."""
    served, over = Served(), threading.Event()

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Disposition", 'attachment; filename="endless.bin"')
            self.end_headers()
            with contextlib.suppress(OSError):
                while not over.is_set():
                    self.wfile.write(b"x" * 65_536)
                    time.sleep(pause_s)
            served.closed = True

        def log_message(self, *_: object) -> None: ...

    with serve_requests(Answer) as port:
        try:
            yield f"http://127.0.0.1:{port}/", served
        finally:
            over.set()
