"""The server as a program: real processes, a real browser, signals, exit codes, and what the log says."""

import contextlib
import gc
import json
import os
import signal
import socket
import sys
import warnings
from collections.abc import AsyncIterator
from functools import partial
from subprocess import DEVNULL, PIPE, STDOUT
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.cli.serve import _load_server
from tests.browser.processes import children
from tests.browser.site import Site
from tests.loop.raw_websocket import Wire, upgrade

pytestmark = pytest.mark.slow

LIMIT_S = 120
CANARY = "canary-7531-in-the-coal-mine"


@attrs.define
class Program:
    """A running `agentbrowser serve`, and what it has logged."""

    process: trio.Process
    port: int = 0
    log: str = ""

    async def read_log(self, until: str | None = None) -> None:
        """Take in what is logged until one event is that, or until the end."""
        assert self.process.stderr is not None
        while until is None or until not in self.events():
            chunk = await self.process.stderr.receive_some()
            if not chunk:
                return
            self.log += chunk.decode()

    @contextlib.asynccontextmanager
    async def dial(self, *headers: str, target: str = "/") -> AsyncIterator[Wire]:
        """Ask for a WebSocket."""
        async with await trio.open_tcp_stream("127.0.0.1", self.port) as stream:
            await stream.send_all(upgrade(self.port, *headers, target=target))
            yield Wire(stream)

    def events(self) -> list[str]:
        return [event["event"] for event in self.lines()]

    def lines(self) -> list[dict[str, Any]]:
        """Return the whole lines that were logged."""
        lines = [line for line in self.log.splitlines(keepends=True) if line.endswith("\n")]
        assert all(line.startswith("{") for line in lines), [line for line in lines if not line.startswith("{")]
        return [json.loads(line) for line in lines]

    async def end_at_once(self) -> int:
        """Send SIGTERM until the process ends, and return the exit code: the first second of signals is one signal."""
        while self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
            await trio.sleep(0.2)
        return self.process.returncode

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and return the exit code."""
        self.process.send_signal(number)
        await self.read_log()
        return await self.process.wait()


@contextlib.asynccontextmanager
async def program(*words: str, starts: bool = True, limit_s: float = LIMIT_S, **environ: str) -> AsyncIterator[Program]:
    """Run the server, in a process group of its own, and wait until it listens, unless it never ``starts``."""
    command = [sys.executable, "-m", "agentbrowser", "serve", "--port", "0", "--log-format", "json", *words]
    start = partial(
        trio.run_process,
        command,
        stdin=b"",
        stderr=PIPE,
        stdout=DEVNULL,
        env={**os.environ, **environ},
        start_new_session=True,
        check=False,
    )
    with trio.fail_after(limit_s):
        async with trio.open_nursery() as nursery:
            running = Program(await nursery.start(start))
            if starts:
                await running.read_log(until="listening")
                running.port = next(int(line["url"].rpartition(":")[2]) for line in running.lines() if "url" in line)
            yield running
            nursery.cancel_scope.cancel()


async def run(*words: str) -> tuple[int, str]:
    """Run a command that ends by itself; return its exit code and what it says."""
    command = [sys.executable, "-m", "agentbrowser", *words]
    with trio.fail_after(LIMIT_S):
        done = await trio.run_process(command, capture_stdout=True, stderr=STDOUT, check=False)
    return done.returncode, done.stdout.decode()


async def ask(wire: Wire, method: str, **params: Any) -> None:
    """Send the connection's only request, as one would by hand."""
    assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
    await wire.say(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))


async def answer(wire: Wire) -> Any:
    """Return the result of the request."""
    while "id" not in (message := json.loads((await wire.hear())[1])):
        pass  # an event
    return message["result"]


def family(pid: int) -> set[int]:
    """Return the process and all that descend from it."""
    return {pid}.union(*map(family, children(pid)))


async def ended(pids: set[int]) -> None:
    """Return when none of the processes lives any more."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            watched = os.pidfd_open(pid)
            await trio.lowlevel.wait_readable(watched)
            os.close(watched)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_server_runs_until_it_is_told_to_stop(number: signal.Signals, site: Site) -> None:
    url = site.html("/", "", title="Here")
    async with program() as server, server.dial() as wire:
        await ask(wire, "page/navigate", url=url)
        assert (await answer(wire))["title"] == "Here"
        processes = family(server.process.pid)
        assert len(processes) > 2
        assert await server.end(number) == 0
        assert await wire.hear_close() == 1001
        assert server.events()[-1] == "stopped"
        await ended(processes)


def test_what_the_server_imports_is_hidden_from_the_garbage_collector() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()  # what other tests have left
    try:
        _load_server()
        looked_through, set_aside = len(gc.get_objects()), gc.get_freeze_count()
    finally:
        gc.unfreeze()
    assert looked_through < set_aside / 10


@contextlib.asynccontextmanager
async def slow_page(server: Program, site: Site) -> AsyncIterator[Wire]:
    """Be a client that is loading a page that is slow to come."""
    async with server.dial() as wire:
        await ask(wire, "page/navigate", url=site.hold("/slow"))
        for _ in range(LIMIT_S * 100):
            if "/slow" in site.paths():
                break
            await trio.sleep(0.01)
        yield wire


async def test_a_request_under_way_is_finished_also_when_the_whole_group_is_told(site: Site) -> None:
    async with program() as server, slow_page(server, site) as wire:
        processes = family(server.process.pid)
        os.killpg(server.process.pid, signal.SIGINT)
        await server.read_log(until="stopping")
        site.html("/slow", "", title="Late")
        site.held["/slow"].set()
        assert (await answer(wire))["title"] == "Late"
        assert await wire.hear_close() == 1001
        assert await server.process.wait() == 0
        await ended(processes)


async def test_a_second_signal_ends_at_once_and_leaves_nothing(site: Site) -> None:
    async with program("--drain-timeout", "50") as server, slow_page(server, site):
        processes = family(server.process.pid)
        server.process.send_signal(signal.SIGTERM)
        await server.read_log(until="stopping")
        with trio.fail_after(30):
            assert await server.end_at_once() == 1
            await ended(processes)
        assert "stopped" not in server.events()


async def test_a_shutdown_that_takes_too_long_is_cut_short() -> None:
    script = "import time; from agentbrowser.forced_exit import exit_within; exit_within(0.1); time.sleep(60)"
    with trio.fail_after(LIMIT_S):
        assert (await trio.run_process([sys.executable, "-c", script], check=False)).returncode == 1


async def test_the_token_is_needed_and_never_logged(site: Site) -> None:
    url = site.html("/", f"<script>console.log('{CANARY}')</script>")
    async with program("--log-level", "debug", AGENT_TOKEN=CANARY) as server:
        for target in ("/", f"/?token={CANARY}x"):
            async with server.dial(target=target) as wire:
                assert (await wire.head()).startswith(b"HTTP/1.1 401 ")
        async with server.dial(target=f"/?token={CANARY}") as wire:
            await ask(wire, "page/navigate", url=f"{url}?session={CANARY}")
            await answer(wire)
        async with server.dial(f"X-AGENT-Token: {CANARY}") as wire:
            await ask(wire, "page/list")
            await answer(wire)
        assert await server.end() == 0
    assert "browser_launched" in server.events()
    assert "no_token" not in server.events()
    assert CANARY not in server.log


async def test_a_server_without_a_token_says_so() -> None:
    async with program() as server:
        await server.end()
    events = [line["event"] for line in server.lines() if line["level"] != "info"]
    assert [event for event in events if event != "leftovers_removed"] == [
        "no_token"
    ]  # those of another, killed server
    (warning,) = [line for line in server.lines() if line["event"] == "no_token"]
    assert warning["level"] == "warning"
    assert warning["scope"] == "standard"


async def test_a_port_in_use_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, said = await run("serve", "--port", str(port))
    assert code == 1
    assert (
        said == f"agentbrowser: port {port} of 127.0.0.1 is in use; stop what listens there, or choose another --port\n"
    )


async def test_without_a_browser_there_is_no_server() -> None:
    code, said = await run("serve", "--port", "0", "--executable-path", "/does/not/exist")
    assert code == 69
    assert said.count("\n") == 1
    assert "/does/not/exist" in said
    assert "agentbrowser install" in said


async def test_a_browser_that_does_not_start_is_found_out_by_doctor() -> None:
    code, said = await run("doctor", "--json", "--port", "0", "--executable-path", "/bin/false")
    findings = {finding["name"]: finding for finding in json.loads(said)["findings"]}
    assert code == 1
    assert findings["browser"]["state"] == "ok"
    assert findings["launch"]["state"] == "fail"
    assert findings["launch"]["mend"]


async def test_doctor_finds_this_machine_fit() -> None:
    code, said = await run("doctor", "--json", "--port", "0")
    states = {finding["name"]: finding["state"] for finding in json.loads(said)["findings"]}
    assert code == 0
    assert states["launch"] == states["browser"] == states["driver"] == "ok"


async def test_install_finds_what_there_is() -> None:
    code, said = await run("install")
    assert code == 0
    assert "works" in said
