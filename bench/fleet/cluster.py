"""Processes of a fleet: a Valkey, proxies with the delivered configuration, and nodes."""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Iterator
from importlib import resources
from pathlib import Path
from typing import Final

import attrs
import trio

from bench.program import Program, Taken
from tests.loop.fleet.conftest import new_key, write_keys
from tests.valkey import Valkey, free_port, open_valkey

START_TIMEOUT_S: Final = 120.0
_HOST: Final = "agents.example.org"
_SERVER: Final = re.compile(r"^    server \w+ \S+(.*)$", re.MULTILINE)


@attrs.define(eq=False)
class FleetProcess:
    """One process, which can be ended and started again on the same port."""

    name: str
    command: list[str]
    port: int
    log: Path
    environ: dict[str, str] = attrs.field(factory=dict)
    _process: "subprocess.Popen[bytes] | None" = attrs.field(default=None, init=False)

    @property
    def pid(self) -> int:
        """Id of the running process."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(self.command, stdout=log, stderr=log, env={**_environ(), **self.environ})

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    async def wait(self) -> int:
        """Return its exit code. [trio]"""
        assert self._process is not None
        return await trio.to_thread.run_sync(self._process.wait, abandon_on_cancel=True)

    def check(self) -> None:
        """Raise RuntimeError with the end of its log if it has ended."""
        if self._process is not None and self._process.poll() is not None:
            raise RuntimeError(f"{self.name} has ended: {self.log.read_text(errors='replace')[-500:]}")

    def kill(self) -> None:
        """End it at once, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def taken(self) -> Taken:
        """Return the present resource usage of this process and of those that it has started."""
        total = Taken()
        for part in Program(self.port, self.pid).taken().values():
            total = total.plus(part)
        return total

    def status(self, path: str) -> int:
        """Return the status of a path on its port; 0 if nothing answers."""
        try:
            with urllib.request.urlopen(self._request(path), timeout=5) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as refused:
            return refused.code
        except OSError:
            return 0

    def metrics(self, token: str) -> dict[str, float]:
        """Return its metrics without labels, by name."""
        with urllib.request.urlopen(self._request("/metrics", {"X-AGENT-Token": token}), timeout=20) as answer:
            lines = answer.read().decode().splitlines()
        return {name: float(value) for name, _, value in (line.partition(" ") for line in lines) if name[:1] != "#"}

    def _request(self, path: str, headers: dict[str, str] | None = None) -> urllib.request.Request:
        return urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers={"Host": _HOST, **(headers or {})})


@attrs.define(eq=False, kw_only=True)
class Fleet:
    """Running fleet."""

    nodes: list[FleetProcess]
    proxies: list[FleetProcess]
    valkey: Valkey
    tokens: list[str]
    is_simulated: bool

    def url_of(self, number: int) -> str:
        """Return the URL for a client, which shares its proxy with others."""
        return f"ws://127.0.0.1:{self.proxies[number % len(self.proxies)].port}"

    def token_of(self, number: int) -> str:
        """Return the token for a client."""
        return self.tokens[number % len(self.tokens)]

    async def until_ready(self, node: FleetProcess) -> None:
        """Wait until a node takes sessions. [trio]"""
        with trio.fail_after(START_TIMEOUT_S):
            while await trio.to_thread.run_sync(node.status, "/ready") != 200:  # noqa: ASYNC110 - another process
                await trio.sleep(0.1)

    async def until_proxied(self) -> None:
        """Wait until every proxy has a node. [trio]"""
        with trio.fail_after(START_TIMEOUT_S):
            for proxy in self.proxies:
                while await trio.to_thread.run_sync(proxy.status, "/balance") != 200:
                    proxy.check()
                    await trio.sleep(0.1)

    def saved(self) -> int:
        """Return the number of sessions in the store."""
        return sum(name.count(":") == 3 for name in self.valkey.names())

    def saves(self) -> int:
        """Return the number of saves since the start of the store."""
        return int(self._info("commandstats", r"cmdstat_hset:calls=(\d+)"))

    def stored_bytes(self) -> int:
        """Return the memory of the store's data."""
        return int(self._info("memory", r"used_memory:(\d+)"))

    def store_cpu_s(self) -> float:
        """Return the CPU time that the store has taken."""
        return sum(float(self._info("cpu", rf"used_cpu_{kind}:([\d.]+)")) for kind in ("sys", "user"))

    def _info(self, section: str, pattern: str) -> str:
        found = re.search(pattern, self.valkey.text(f"INFO {section}"))
        return "0" if found is None else found[1]


def haproxy_path() -> str | None:
    """Return the executable, also where PATH has no folder of the administrator's; None without one."""
    return shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin")


def _environ() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("AGENT_")}


def _proxy_configuration(port: int, nodes: list[FleetProcess]) -> str:
    """Return the delivered configuration with these nodes."""
    text = resources.files("agentbrowser.deploy").joinpath("haproxy.cfg").read_text(encoding="utf-8")
    text = text.replace("bind :80", f"bind 127.0.0.1:{port}")
    head, *backends = re.split(r"(?m)^(?=backend )", text)
    lines = [f"    server {node.name} 127.0.0.1:{node.port}" for node in nodes]
    for backend in backends:
        of_cookie = "cookie" in (_SERVER.findall(backend) or [""])[0]
        named = [f"{line} cookie {node.name}" if of_cookie else line for line, node in zip(lines, nodes, strict=True)]
        head += "\n".join([_SERVER.sub("", backend).rstrip(), *named, "", ""])
    return head


@contextlib.contextmanager
def _open_processes(folder: Path, nodes: int, proxies: int, sessions: int, is_simulated: bool) -> Iterator[Fleet]:
    from bench.neighbours import open_tokens_file

    tokens = [f"token-{number}-of-the-fleet" for number in range(max(1, sessions // 100) if is_simulated else 1)]
    proxy_ports = [free_port() for _ in range(proxies)]
    hosts = [_HOST, *(f"127.0.0.1:{port}" for port in proxy_ports)]
    module = "bench.fleet.node" if is_simulated else "agentbrowser"
    with (
        open_valkey(folder) as valkey,
        open_tokens_file({f"owner{number}": token for number, token in enumerate(tokens)}) as tokens_file,
        contextlib.ExitStack() as stack,
    ):
        flags = ["--tokens-file", tokens_file, "--trusted-proxies", "127.0.0.1", "--allowed-hosts", ",".join(hosts)]
        flags += ["--state-key-file", write_keys(folder / "keys", new_key()), "--private-network", "allow"]
        flags += ["--max-connections", "20000", "--max-parked", "20000", "--drain-timeout", "2", "--log-format", "json"]
        running = []
        for number in range(nodes):
            port = free_port()
            command = [sys.executable, "-m", module, "serve", "--port", str(port), *flags]
            log = folder / f"node{number}.log"
            node = FleetProcess(f"node{number}", command, port, log, {"AGENT_STATE_URL": valkey.url})
            running.append(node)
        before = []
        for number, port in enumerate(proxy_ports):
            path = folder / f"haproxy{number}.cfg"
            path.write_text(_proxy_configuration(port, running))
            command = [haproxy_path() or "haproxy", "-db", "-f", str(path)]
            before.append(FleetProcess(f"proxy{number}", command, port, folder / f"haproxy{number}.log"))
        for process in (*running, *before):
            stack.callback(process.kill)
        for node in running:
            node.start()
        yield Fleet(nodes=running, proxies=before, valkey=valkey, tokens=tokens, is_simulated=is_simulated)
        for node in running:  # browsers end with their nodes only in an orderly shutdown
            node.send(signal.SIGTERM)
        for node in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                node._process.wait(60) if node._process is not None else None


@contextlib.asynccontextmanager
async def open_fleet(
    folder: Path, *, nodes: int, proxies: int, sessions: int, is_simulated: bool
) -> AsyncIterator[Fleet]:
    """Run a fleet for the length of the block. [trio]"""
    with _open_processes(folder, nodes, proxies, sessions, is_simulated) as fleet:
        for node in fleet.nodes:
            await fleet.until_ready(node)
        for proxy in fleet.proxies:  # which would send a node few sessions for 10 s after it has come up (slowstart)
            proxy.start()
        await fleet.until_proxied()
        yield fleet
