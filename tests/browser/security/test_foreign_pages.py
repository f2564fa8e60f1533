"""Pages in the user's own browser, which has no wall: none can open a socket to the server or read its answers."""

import contextlib
import http.client
import threading
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.server.gate.accept import Gate, listen
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.socket import Socket
from tests.browser.stage import FakeTab, Stage, opened

SPELLINGS = (
    "ws://127.0.0.1:{port}/",
    "ws://localhost:{port}/",
    "ws://[::ffff:127.0.0.1]:{port}/",
    "ws://evil.test:{port}/",
)
OPEN_SOCKETS = """urls => Promise.all(urls.map(url => new Promise(done => {
    const socket = new WebSocket(url);
    socket.onopen = () => done(true);
    socket.onerror = () => done(false);
})))"""
READ = "url => fetch(url).then(response => response.text(), () => null)"


@attrs.define
class Port:
    """A gate in its own thread."""

    number: int = 0
    sockets: int = 0
    ready: threading.Event = attrs.field(factory=threading.Event)
    over: trio.Event = attrs.field(factory=trio.Event)
    token: trio.lowlevel.TrioToken | None = None

    async def run(self, config: Config) -> None:
        gate = Gate(config, self._count, await listen(config))
        gate.status.state = "ready"
        self.number = gate.ports[0]
        self.token = trio.lowlevel.current_trio_token()
        async with trio.open_nursery() as nursery:
            await nursery.start(gate.run)
            self.ready.set()
            await self.over.wait()
            nursery.cancel_scope.cancel()

    async def _count(self, socket: Socket, grant: Grant) -> None:
        self.sockets += 1

    def end(self) -> None:
        if self.token is not None:
            self.token.run_sync_soon(self.over.set)


@contextlib.contextmanager
def open_port(**settings: Any) -> Iterator[Port]:
    port = Port()
    thread = threading.Thread(target=trio.run, args=(port.run, Config(port=0, **settings)))
    thread.start()
    assert port.ready.wait(10)
    try:
        yield port
    finally:
        port.end()
        thread.join()


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with opened("--host-resolver-rules=MAP evil.test 127.0.0.1") as stage:
        yield stage


@pytest.mark.parametrize(
    ("origin", "host", "reached"),
    [
        (False, False, [False, False, False, False]),
        (True, False, [True, True, False, False]),
        (False, True, [False, False, False, False]),
        (True, True, [True, True, False, True]),
    ],
    ids=["neither", "the origin is allowed", "the host is allowed", "both are allowed"],
)
def test_a_page_opens_a_socket_only_where_the_operator_lets_it(
    stage: Stage, origin: bool, host: bool, reached: list[bool]
) -> None:
    settings = {
        "allowed_origins": (stage.pages.url(""),) if origin else (),
        "allowed_hosts": ("evil.test",) if host else (),
    }
    with open_port(**settings) as port:

        async def act(tab: FakeTab) -> Any:
            return await tab.page.evaluate(OPEN_SOCKETS, [url.format(port=port.number) for url in SPELLINGS])

        assert stage.play("/", act) == reached
    assert port.sockets == sum(reached)


@pytest.mark.parametrize("allowed", [False, True])
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "evil.test"])
def test_a_page_reads_nothing_of_the_server(stage: Stage, host: str, allowed: bool) -> None:
    with open_port(allowed_origins=(stage.pages.url(""),) if allowed else ()) as port:

        async def act(tab: FakeTab) -> Any:
            return await tab.page.evaluate(READ, f"http://{host}:{port.number}/health")

        assert stage.play("/", act) is None


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 200), ("localhost", 200), ("evil.test", 403)])
def test_a_rebound_name_is_not_ours(stage: Stage, host: str, status: int) -> None:
    """An attacker's host name that resolves to loopback would make the server part of the attacker's origin."""
    with open_port() as port:

        async def act(tab: FakeTab) -> Any:
            answer = await tab.page.goto(f"http://{host}:{port.number}/health")
            return answer and answer.status

        assert stage.play("/", act) == status


LOCK_OUT = """address => Promise.all([...Array(12).keys()].map(number => new Promise(done => {
    const image = new Image();
    image.onload = image.onerror = done;
    image.src = address + number;
}))).then(() => true)"""


def test_a_page_can_not_lock_the_clients_out(stage: Stage) -> None:
    """Twelve images with wrong tokens come from the clients' own address."""
    with open_port(token="the-only-right-token") as port:

        async def act(tab: FakeTab) -> Any:
            return await tab.page.evaluate(LOCK_OUT, f"http://127.0.0.1:{port.number}/metrics?token=")

        assert stage.play("/", act)
        answers = [status(port.number, "guess"), status(port.number, "the-only-right-token")]
    assert answers == [401, 200]  # the page's images did not count as guesses


def status(port: int, token: str) -> int:
    """Return the status of a request for the metrics."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", "/metrics", headers={"X-AGENT-Token": token})
        return connection.getresponse().status
    finally:
        connection.close()
