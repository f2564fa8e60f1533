"""The whole server: the gate, the connections behind it, the browser at the end; started and ended in order."""

import contextlib
import socket
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.browser.engine.engine import Engine, ProxyCheck
from agentbrowser.browser.portal import Portal, PortalClosed
from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.dial import over
from agentbrowser.config import Config
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.policy.approvals import ApprovalRules
from agentbrowser.policy.urls import UrlRules
from agentbrowser.server.corridor.admission import Admission
from agentbrowser.server.corridor.approvals import Approvals
from agentbrowser.server.corridor.connection import POLICY_CLOSE, Connection
from agentbrowser.server.egress.proxy import EgressProxy
from agentbrowser.server.gate.accept import Gate, open_gate
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import memory_pair
from agentbrowser.server.gate.socket import Peer
from agentbrowser.server.sessions.binding import SessionBinding
from agentbrowser.server.sessions.session import Session, open_session
from agentbrowser.server.sessions.sessions import Sessions
from agentbrowser.server.sessions.snapshots import SessionSnapshots
from agentbrowser.server.sessions.store import SessionStore
from agentbrowser.server.watch import log_context
from agentbrowser.server.watch.housekeeping import Housekeeping
from agentbrowser.server.watch.metrics import Metrics
from agentbrowser.server.watch.supervisor import Supervisor

log = structlog.get_logger("agentbrowser.server")

_END_TIMEOUT_S: Final = 8.0
"""How long closing the browser may take."""


@attrs.define(eq=False, kw_only=True)
class Server:
    """A running server."""

    config: Config
    egress: EgressProxy
    portal: Portal
    engine: Engine
    gate: Gate
    nursery: trio.Nursery
    """Where that runs which no connection waits for."""
    snapshots: SessionSnapshots = attrs.field(factory=SessionSnapshots)
    sessions: Sessions = attrs.field(init=False)
    approvals: Approvals = attrs.field(init=False)
    admission: Admission = attrs.field(init=False)
    metrics: Metrics = attrs.field(factory=Metrics, init=False)
    connections: set[Connection] = attrs.field(factory=set, init=False)

    def __attrs_post_init__(self) -> None:
        self.sessions = Sessions(config=self.config, nursery=self.nursery, snapshots=self.snapshots)
        rules = self.config.approvals or ApprovalRules(mode="disabled")
        self.admission = _create_admission(self.config, self.portal, self.engine)
        self.metrics.watch(self)
        status = self.gate.status
        status.figures, status.crowded = self.metrics.text, lambda: self.engine.capacity.is_full
        self.approvals = Approvals(rules=rules, sessions=lambda: {one.session: None for one in self.connections})

    @property
    def port(self) -> int:
        """The port it listens on."""
        return self.gate.ports[0]

    @property
    def url(self) -> str:
        """Where a client connects."""
        host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
        return f"ws://{host}:{self.port}"

    @contextlib.asynccontextmanager
    async def connect(self) -> AsyncIterator[Browser]:
        """Connect from inside the process, without a socket: ``async with server.connect() as browser:``."""
        peer, transport = memory_pair()
        async with open_quiet_nursery() as nursery:
            nursery.start_soon(self.serve, peer, Grant(self.config.scope, "memory"))
            async with over(transport) as browser:
                yield browser
            await transport.close()

    async def serve(self, peer: Peer, grant: Grant) -> None:
        """Serve one client until it is gone, then close or park what it had. [trio]"""
        session = self._open_session(peer, grant)
        connection = Connection(peer=peer, session=session, config=session.config, metrics=self.metrics)
        again = partial(self._open_session, peer, grant)
        binding = SessionBinding(connection=connection, grant=grant, sessions=self.sessions, open=again)
        binding.take(session)
        self.connections.add(connection)
        log_context.bind_connection()
        log.info("client_connected", remote=peer.remote, grant=grant.name, scope=grant.scope.word)
        try:
            await _serve_until_expiry(grant, connection)
        finally:
            self.connections.discard(connection)
            await binding.end()
            log.info("client_gone", remote=peer.remote)

    def _open_session(self, peer: Peer, grant: Grant) -> Session:
        """Open a session with a way out of its own."""
        door = self.egress.add_session_proxy(self.nursery, peer.remote, lambda: session.private_open, grant.allowlist)
        session = open_session(
            grant=grant,
            config=self.config,
            portal=self.portal,
            engine=self.engine,
            approvals=self.approvals,
            admission=self.admission,
            door=door,
        )
        return session

    async def drain(self) -> None:
        """Take no more clients, let requests finish within the grace, and close every connection. [trio]

        Plain HTTP is answered to the end, so that /health can say that the server is draining.
        """
        self.gate.status.state = "draining"
        async with trio.open_nursery() as nursery:
            for connection in list(self.connections):
                nursery.start_soon(connection.drain, self.config.drain_timeout_s)
        self.gate.stop_accepting()
        await self.sessions.close_all()


def _create_admission(config: Config, portal: Portal, engine: Engine) -> Admission:
    """Return the queue for when there is no room."""
    admission = Admission(capacity=engine.capacity, max_queued=config.max_queued, timeout_s=config.queue_timeout_s)
    engine.capacity.on_room_freed = lambda: portal.call_in_trio(admission.look)
    return admission


async def _prepare_spares(engine: Engine, config: Config, egress: EgressProxy) -> None:
    """Have contexts made for clients to come."""
    engine.warm_contexts.keep_ready(config.warm_contexts, egress.listen, egress.discard)


async def _serve_until_expiry(grant: Grant, connection: Connection) -> None:
    """Serve a client for as long as its grant lasts."""
    if grant.expires_s is None:  # most do not end, and a task for each would cost memory
        return await connection.serve()
    async with open_quiet_nursery() as nursery:
        nursery.start_soon(_close_at_expiry, grant, connection.peer)
        await connection.serve()
        nursery.cancel_scope.cancel()


async def _close_at_expiry(grant: Grant, peer: Peer) -> None:
    """Close a connection when its grant ends. [trio]"""
    await grant.over()
    log.info("token_expired", remote=peer.remote, grant=grant.name)
    await peer.close(POLICY_CLOSE, "the token has expired")


@contextlib.asynccontextmanager
async def _open_egress(config: Config, gate: Gate) -> AsyncIterator[tuple[EgressProxy, ProxyCheck]]:
    """Build the wall, and what every browser that is launched has to try against it."""
    with socket.create_server(("127.0.0.1", 0)) as spy, socket.socket(type=socket.SOCK_DGRAM) as udp_spy:
        udp_spy.bind(("127.0.0.1", 0))
        for one in (spy, udp_spy):
            one.setblocking(False)
        own_ports = [int(spy.getsockname()[1]), *gate.ports]
        rules = UrlRules.compile(
            allowed_domains=config.allowed_domains, private_network=config.private_network, own_ports=own_ports
        )
        egress = EgressProxy(rules)
        async with egress.open_session_proxy("trial", lambda: False) as door:
            yield egress, ProxyCheck(door.port, spy, udp_spy)


@contextlib.asynccontextmanager
async def _open_snapshots(config: Config) -> AsyncIterator[SessionSnapshots]:
    """Open what remembers sessions, in a directory if the operator names one."""
    if config.state_dir is None:
        yield SessionSnapshots()
        return
    store = await trio.to_thread.run_sync(SessionStore.open, config.state_dir)
    try:
        yield SessionSnapshots(store)
    finally:
        with trio.CancelScope(shield=True):
            await store.close()


@contextlib.asynccontextmanager
async def open_server(config: Config | None = None) -> AsyncIterator[Server]:
    """Run a server for as long as the block lasts: ``async with open_server(Config(port=0)) as server:``.

    Raises:
      OSError: the address can't be had.
      BrowserNotLaunched: there is no browser to be found.
      BadStateDir: the directory for sessions can't be used.
      ValueError: a setting makes no sense.
    """
    async with open_gate(config or Config()) as gate, open_behind(gate) as server:
        yield server


@contextlib.asynccontextmanager
async def open_behind(gate: Gate) -> AsyncIterator[Server]:
    """Run a server behind a gate that is open already, and close the gate with it.

    Raises:
      As `open_server`.
    """
    config = gate.config
    async with (
        _open_snapshots(config) as snapshots,
        _open_egress(config, gate) as (egress, proxy_check),
        Portal.open() as portal,
        open_quiet_nursery() as nursery,
    ):
        engine = Engine(config, proxy_check=proxy_check)
        server = Server(
            config=config, egress=egress, portal=portal, engine=engine, gate=gate, nursery=nursery, snapshots=snapshots
        )
        try:
            supervisor = Supervisor(portal, engine, gate.status)
            await portal.run(engine.start)
            gate.serve_sockets(server.serve)
            gate.status.state = "ready"
            nursery.start_soon(supervisor.run)
            nursery.start_soon(snapshots.run)
            housekeeping = Housekeeping(config=config, engine=engine, portal=portal, admission=server.admission)
            nursery.start_soon(housekeeping.run)
            await portal.run(_prepare_spares, engine, config, egress)
            log.info("listening", url=server.url)
            yield server
        finally:
            with trio.CancelScope(shield=True):
                await server.drain()
                nursery.cancel_scope.cancel()
                gate.end()
                with trio.move_on_after(_END_TIMEOUT_S), contextlib.suppress(PortalClosed):
                    await portal.run(engine.close)
                await gate.wait_ended()  # its connections cross to the browser thread, which ends next
