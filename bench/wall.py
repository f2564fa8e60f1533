"""Cost of the egress proxy: page loads with 200 subresources, with and without it.

Run: python -m bench.wall
"""

import base64
import contextlib
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Final
from unittest import mock

import structlog
import trio

from agentbrowser.browser import contexts
from agentbrowser.browser.engine.proxy_check import proxy_settings
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from bench.harness import Subject, arguments, race

COUNT: Final = 200
_PIXEL: Final = base64.b64decode("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")

# In its own process, so that it does not share an interpreter with the proxy.
_SITE: Final = f"""
import http.server
PIXEL = {_PIXEL!r} + bytes(4096)
class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        page = "".join(f"<img src=/i{{n}}>" for n in range({COUNT})) if self.path.startswith("/page") else ""
        body = page.encode() or PIXEL
        lines = [
            "HTTP/1.1 200 OK",
            "Content-Type: " + ("text/html" if page else "image/gif"),
            "Cache-Control: no-store",
            f"Content-Length: {{len(body)}}",
        ]
        self.wfile.write("\\r\\n".join([*lines, "", ""]).encode() + body)
    def log_message(self, *_): ...
class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100
server = Server(("127.0.0.1", 0), Answer)
print(server.server_port, flush=True)
server.serve_forever()
"""

_CAME: Final = "[...document.images].filter(one => one.complete && one.naturalWidth > 0).length"


@contextlib.contextmanager
def open_site() -> Iterator[str]:
    """Serve a page with many images."""
    with subprocess.Popen([sys.executable, "-c", _SITE], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/page"
        finally:
            process.terminate()


@contextlib.asynccontextmanager
async def open_browser(door: Callable[[int], Any], *, walled: bool) -> AsyncIterator[Browser]:
    """Run a server with this proxy, and connect to it; check at the end that all requests used it."""
    config = Config(port=0, scope=Scope.PRIVILEGED, private_network="allow")
    async with open_server(config) as server, server.connect() as browser:
        with mock.patch.object(contexts, "proxy_settings", door):  # for the one context in use
            await browser.request("page/navigate", {"url": "about:blank"})
        yield browser
        (ways,) = (one.session.session_proxy for one in server.connections)
        if ways is None or (ways.budget.remaining_bytes < server.egress.limits.session_bytes) is not walled:
            raise ValueError("the page was not loaded the way it should be")


def loading(browser: Browser, url: str) -> Callable[[], Awaitable[float]]:
    """Return a run that loads the page, and checks that it is complete."""

    async def run() -> float:
        started = time.perf_counter()
        await browser.request("page/navigate", {"url": url})
        took = time.perf_counter() - started
        came = (await browser.request("script/evaluate", {"expression": _CAME}))["value"]
        if came != COUNT:
            raise ValueError(f"{came} of {COUNT} images came")
        return took

    return run


async def main(rounds: int) -> None:
    """Run the benchmark."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    around = {"server": "http://none", "bypass": "*"}
    with open_site() as url:
        async with (
            open_browser(lambda port: around, walled=False) as without,
            open_browser(proxy_settings, walled=True) as within,
        ):
            await race(
                f"a page with {COUNT} images that are never cached",
                [
                    Subject("past the wall", loading(without, url)),
                    Subject("through the wall", loading(within, url)),
                ],
                rounds=rounds,
                warmup=min(rounds, 3),
            )


if __name__ == "__main__":
    trio.run(main, min(60, arguments().rounds))
