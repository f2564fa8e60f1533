"""A real HAProxy before two gates: clients stay at their node, leave one that drains, and keep their address."""

import re
import shutil
import socket as sockets
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest
import trio

import agentbrowser
from agentbrowser.cli import deploy
from agentbrowser.client import Reconnect
from agentbrowser.protocol import wire
from agentbrowser.server.gate import auth
from agentbrowser.server.gate.auth import FAILURES_PER_MINUTE, Grant
from agentbrowser.server.gate.socket import Socket
from tests.loop.raw_websocket import Knocker, open_gate, upgrade
from tests.valkey import free_port

pytestmark = pytest.mark.skipif(shutil.which("haproxy") is None, reason="needs Debian's haproxy: .ci/run installs it")

TOKEN = "the-only-right-token"
LIMIT_S = 60
CONFIG = """
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  option redispatch 1
frontend clients
  bind 127.0.0.1:{port}
  default_backend nodes
backend nodes
  balance leastconn
  cookie NODE insert indirect nocache httponly
  option httpchk
  http-check send meth GET uri /balance ver HTTP/1.1 hdr Host 127.0.0.1:{port}
  http-check disable-on-404
  default-server check inter 100ms fall 5 rise 1 send-proxy-v2 on-marked-down shutdown-sessions
  server a 127.0.0.1:{a} cookie a
  server b 127.0.0.1:{b} cookie b
"""


@contextmanager
def haproxy(directory: Path, port: int, nodes: dict[str, Knocker]) -> Iterator[None]:
    """Run HAProxy before the nodes until the block ends."""
    with running(directory, CONFIG.format(port=port, **{name: node.port for name, node in nodes.items()})):
        yield


@contextmanager
def running(directory: Path, config: str) -> Iterator[None]:
    """Run HAProxy with a configuration until the block ends."""
    path = directory / "haproxy.cfg"
    path.write_text(config)
    process = subprocess.Popen(["haproxy", "-db", "-f", str(path)], stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.wait()


async def until_served(knocker: Knocker, host: str) -> None:
    with trio.fail_after(LIMIT_S):
        while not await is_served(knocker, host):  # noqa: ASYNC110 - another process
            await trio.sleep(0.05)


async def is_served(knocker: Knocker, host: str) -> bool:
    try:
        request = f"GET /balance HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        return await knocker.status(request.encode()) == 200
    except OSError:
        return False


@asynccontextmanager
async def leaving_nodes(directory: Path) -> AsyncIterator[tuple[str, list[str]]]:
    """Run two nodes behind HAProxy until the block ends; yield its URL, and the nodes that were reached, in order.

    The first node closes three connections, and drains from the third on.
    """
    visits: list[str] = []
    nodes: dict[str, Knocker] = {}
    codes = iter((1011, 1011, 1001))

    def serving(name: str) -> object:
        async def serve(socket: Socket, grant: Grant) -> None:
            visits.append(name)
            code = next(codes, None)
            if code == 1001:
                nodes[name].gate.status.state = "draining"
            while True:
                request = wire.parse(await socket.receive())
                assert isinstance(request, wire.Request)
                answer = {"sessionSecret": "A" * 22, "capabilities": {"limits": {}, "features": {}}}
                await socket.send(wire.encode(wire.Reply(request.id, answer)))
                if code is not None:
                    await socket.close(code, "over")

        return serve

    port = free_port()
    settings = {"trusted_proxies": ("127.0.0.1",), "allowed_hosts": (f"127.0.0.1:{port}",)}
    async with AsyncExitStack() as stack:
        for name in ("a", "b"):
            nodes[name] = await stack.enter_async_context(open_gate(serving(name), **settings))  # type: ignore[arg-type]
        stack.enter_context(haproxy(directory, port, nodes))
        await until_served(Knocker(nodes["a"].gate, port), f"127.0.0.1:{port}")
        yield f"ws://127.0.0.1:{port}", visits


async def until_at_the_other_node(visits: list[str]) -> None:
    """Wait for the connection that follows the drain, and check that those before it reached one node."""
    with trio.fail_after(LIMIT_S):
        while len(visits) < 4:  # noqa: ASYNC110 - the server's count
            await trio.sleep(0.01)
    assert len(set(visits[:3])) == 1
    assert visits[3] != visits[0]


async def test_a_client_returns_to_its_node_until_that_drains(tmp_path: Path) -> None:
    async with leaving_nodes(tmp_path) as (url, visits):
        again = Reconnect(max_attempts=12, base_ms=1)
        async with agentbrowser.connect(url, reconnect=again, wait_s=LIMIT_S):
            await until_at_the_other_node(visits)


async def test_wrong_tokens_count_for_the_client_before_the_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(auth, "GUESS_DELAY_S", 0.0)
    port = free_port()

    def status(source: str) -> int:
        """Send a wrong token from an address of this machine."""
        with sockets.create_connection(("127.0.0.1", port), timeout=LIMIT_S, source_address=(source, 0)) as stream:
            stream.sendall(upgrade(port, "X-AGENT-Token: wrong-wrong-wrong"))
            return int(stream.recv(65536).split(b" ")[1])

    settings = {"trusted_proxies": ("127.0.0.1",), "allowed_hosts": (f"127.0.0.1:{port}",), "token": TOKEN}
    async with open_gate(**settings) as node:  # type: ignore[arg-type]
        with haproxy(tmp_path, port, {"a": node, "b": node}):
            await until_served(Knocker(node.gate, port), f"127.0.0.1:{port}")
            ask = trio.to_thread.run_sync
            attempts = [await ask(status, "127.0.0.7") for _ in range(FAILURES_PER_MINUTE + 1)]
            assert attempts == [401] * FAILURES_PER_MINUTE + [429]
            assert await ask(status, "127.0.0.8") == 401


async def test_a_link_to_the_live_view_leads_to_the_node_that_made_it(tmp_path: Path) -> None:
    """Checked with the file that the command prints: only this node knows the link."""
    port, hosts = free_port(), ("agents.example.org", "b.agents.example.org")
    settings = {"trusted_proxies": ("127.0.0.1",), "allowed_hosts": hosts}
    visits: list[str] = []

    def serving(name: str) -> object:
        async def serve(socket: Socket, grant: Grant) -> None:
            visits.append(name)

        return serve

    async with AsyncExitStack() as stack:
        nodes = {name: await stack.enter_async_context(open_gate(serving(name), **settings)) for name in "abc"}  # type: ignore[arg-type]
        text = deploy.text("haproxy").replace("bind :80", f"bind 127.0.0.1:{port}")
        for name, node in nodes.items():
            text = re.sub(rf"server {name} \S+", f"server {name} 127.0.0.1:{node.port}", text)
        stack.enter_context(running(tmp_path, text))
        through = Knocker(nodes["a"].gate, port)
        await until_served(through, "agents.example.org")
        for _ in range(3):
            await through.ask(upgrade(port).replace(f"127.0.0.1:{port}".encode(), b"B.agents.example.org"))
    assert visits == ["b"] * 3
