"""Test pages of the comparison: one that counts actions, and four for observation."""

import contextlib
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.pages import ACTIONS

READ: Final = ("form", "shop", "table", "article")
_TESTS: Final = Path(__file__).parents[2] / "tests" / "browser" / "pages"

# The counters of the page for actions, and what the operations have to add to them.
_NONE: Final = '{"clicks":0,"hovers":0,"inputs":0,"changes":0}'
COUNTS: Final = f"JSON.parse(document.querySelector('#shown').value || '{_NONE}')"
NAME: Final = "document.querySelector('#name').value"
ADDED: Final = {
    "click by css": {"clicks": 1},
    "click by role": {"clicks": 1},
    "click by ref": {"clicks": 1},
    "fill": {"inputs": 1},
    "ten steps": {"clicks": 3, "hovers": 1, "inputs": 1, "changes": 4},
}

# What a program that knows the shop's markup would evaluate there; ours is given the schema alone.
SHOP_SCRIPT: Final = """[...document.querySelectorAll("article")].map((card) => ({
  name: card.querySelector("h3").innerText,
  price: parseFloat(card.querySelector("p").innerText),
}))"""


@contextlib.contextmanager
def open_pages() -> Iterator[str]:
    """Serve the pages; yield their base URL."""
    texts = {f"/{kind}": (_TESTS / f"fold_{kind}.html").read_bytes() for kind in READ} | {"/actions": ACTIONS}

    class Answer(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            text = texts.get(self.path)
            self.send_response(200 if text else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(text or b"")))
            self.end_headers()
            self.wfile.write(text or b"")

        def log_message(self, *_: object) -> None:
            return

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as site:
        site.daemon_threads = True
        thread = threading.Thread(target=site.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{site.server_port}/"
        finally:
            site.shutdown()
            thread.join()
