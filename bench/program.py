"""A server process for benchmarks, with a test site and the resource usage of its processes."""

import contextlib
import http.server
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import trio

_LISTENING: Final = re.compile(rb'"url": "ws://[^:]+:(\d+)"')
_PAGE_BYTES: Final = os.sysconf("SC_PAGE_SIZE")
_TICKS: Final = os.sysconf("SC_CLK_TCK")
PARTS: Final = ("server", "driver", "browser")


@attrs.frozen
class Taken:
    """Resource usage of one part of a server: private memory in bytes, and counts."""

    own_bytes: int = 0
    rss_bytes: int = 0
    cpu_s: float = 0.0
    fds: int = 0
    threads: int = 0
    processes: int = 0

    def plus(self, other: "Taken") -> "Taken":
        """Return the sum of both."""
        both = zip(attrs.astuple(self), attrs.astuple(other), strict=True)
        return Taken(*(one + two for one, two in both))


@attrs.frozen
class Program:
    """A running server."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        """URL for clients."""
        return f"ws://127.0.0.1:{self.port}"

    def taken(self) -> dict[str, Taken]:
        """Return the present resource usage of each part."""
        generations, sums = [[self.pid]], dict.fromkeys(PARTS, Taken())
        while generations[-1]:
            generations.append([child for pid in generations[-1] for child in children(pid)])
        for number, pids in enumerate(generations):
            part = PARTS[min(number, 2)]
            for pid in pids:
                with contextlib.suppress(OSError):  # the process has ended
                    sums[part] = sums[part].plus(_taken(pid))
        return sums

    def own_mib(self) -> dict[str, float]:
        """Return the private memory of each part, in MiB."""
        return {part: round(taken.own_bytes / 1024**2, 2) for part, taken in self.taken().items()}


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    found = []
    for one in lists:
        with contextlib.suppress(OSError):
            found += [int(child) for child in one.read_text().split()]
    return found


def _taken(pid: int) -> Taken:
    home = Path(f"/proc/{pid}")
    resident, shared = (int(pages) * _PAGE_BYTES for pages in (home / "statm").read_text().split()[1:3])
    fields = (home / "stat").read_text().rpartition(")")[2].split()
    return Taken(
        own_bytes=resident - shared,
        rss_bytes=resident,
        cpu_s=(int(fields[11]) + int(fields[12])) / _TICKS,
        fds=len(os.listdir(home / "fd")),
        threads=int(fields[17]),
        processes=1,
    )


@contextlib.asynccontextmanager
async def open_program(*flags: str) -> AsyncIterator[Program]:
    """Run a server for the length of the block, with private networks allowed.

    Raises:
      RuntimeError: the server has ended instead of listening; the error has its output.
    """
    command = [sys.executable, "-m", "agentbrowser", "serve", "--port", "0", "--log-format", "json"]
    command += ["--private-network", "allow", *flags]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AGENT_")}
    async with trio.open_nursery() as nursery:
        process: trio.Process = await nursery.start(
            partial(trio.run_process, command, stderr=subprocess.PIPE, env=environment, check=False)
        )
        try:
            assert process.stderr is not None
            said = b""
            while (found := _LISTENING.search(said)) is None:
                if not (more := await process.stderr.receive_some(65536)):
                    raise RuntimeError(f"the server has ended: {' '.join(command)}\n{said.decode(errors='replace')}")
                said += more
            nursery.start_soon(_swallow, process.stderr)
            yield Program(int(found[1]), process.pid)
        finally:
            process.terminate()


async def _swallow(lines: trio.abc.ReceiveStream) -> None:
    async for _ in lines:
        pass


def page(elements: int) -> str:
    """Return a page with about that many elements: a product list, and a button that counts its clicks."""
    product = "<li class=product><h3>Thing {0}</h3><span class=price>{0}.50 EUR</span><button>Buy {0}</button></li>"
    counter = "<button id=counter onclick='this.textContent = ++this.value || (this.value = 1)' value=0>0</button>"
    field = "<label>Name <input id=name></label>"
    return f"<!doctype html><title>Shop</title>{counter}{field}<ul>" + "".join(
        product.format(number) for number in range(elements // 4)
    )


class _Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report the error, unless a browser that was killed has dropped the connection."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextlib.contextmanager
def open_site(body_of: Callable[[str], bytes]) -> Iterator[str]:
    """Serve the HTML that a function returns for each path; yield the base URL, without a slash at its end."""

    class Answer(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = body_of(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    with _Site(("127.0.0.1", 0), Answer) as site:
        thread = threading.Thread(target=site.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{site.server_port}"
        finally:
            site.shutdown()
            thread.join()


@contextlib.contextmanager
def open_shop() -> Iterator[str]:
    """Serve pages of any size (``/100`` has a hundred elements); yield the base URL."""

    def body_of(path: str) -> bytes:
        size = path.strip("/")
        return page(int(size)).encode() if size.isdigit() else b""

    with open_site(body_of) as url:
        yield f"{url}/"


def write_line(name: str, facts: object) -> None:
    """Append a result to the results of a benchmark, and print it."""
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    line = json.dumps(facts)
    with (results / f"{name}.jsonl").open("a") as lines:
        lines.write(line + "\n")
    print(" ", line, flush=True)
