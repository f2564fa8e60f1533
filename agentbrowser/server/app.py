"""Server: gate, connections and browser, started and closed in order."""

import contextlib
import socket
from collections.abc import AsyncIterator
from functools import partial
from typing import Final
from urllib.parse import urlsplit

import attrs
import structlog
import trio

from agentbrowser.browser.engine.engine import Engine
from agentbrowser.browser.engine.pool import EnginePool
from agentbrowser.browser.engine.proxy_check import ProxyCheck
from agentbrowser.browser.engine.warm_contexts import WarmSupply
from agentbrowser.browser.loop_hold import LoopHold
from agentbrowser.browser.portal import Portal, PortalClosed
from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.dial import over
from agentbrowser.config import Config, unusable_browser, unusable_state
from agentbrowser.live.site import open_live_view
from agentbrowser.live.view import LiveView
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.policy.approvals import NO_RULES
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.policy.urls import UrlRules
from agentbrowser.recorder.record_dir import RecordDir, open_record_dir
from agentbrowser.recorder.session_recorder import Recordings, SessionRecorder
from agentbrowser.server.corridor.admission import Admission
from agentbrowser.server.corridor.approvals import Approvals
from agentbrowser.server.corridor.connection import POLICY_CLOSE, Connection
from agentbrowser.server.corridor.work_gate import WorkGate
from agentbrowser.server.egress.denials import TRIAL
from agentbrowser.server.egress.proxy import EgressProxy
from agentbrowser.server.gate.accept import Gate, open_gate
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import MemoryTransport, memory_pair
from agentbrowser.server.gate.socket import Peer
from agentbrowser.server.sessions.binding import SessionBinding
from agentbrowser.server.sessions.handoffs import Handoffs
from agentbrowser.server.sessions.session import Session, open_session
from agentbrowser.server.sessions.sessions import Sessions, run_contained
from agentbrowser.server.sessions.snapshots import SessionSnapshots
from agentbrowser.server.sessions.sqlite_store import SqliteStore
from agentbrowser.server.sessions.store import BadStore
from agentbrowser.server.watch import log_context
from agentbrowser.server.watch.audit_log import AuditLog, open_audit_log
from agentbrowser.server.watch.housekeeping import Housekeeping
from agentbrowser.server.watch.loop_instrument import measured
from agentbrowser.server.watch.metrics import Metrics
from agentbrowser.server.watch.supervisor import Supervisor

log = structlog.get_logger("agentbrowser.server")

WITHDRAWN: Final = "the token was withdrawn"
_RELOADED: Final = ("token", "tokens", "tls_cert", "tls_key", "secrets", "approvals")
"""Settings that a reload applies."""
_END_TIMEOUT_S: Final = 8.0
"""Time limit for closing the browser."""


@attrs.define(eq=False, kw_only=True)
class Server:
    """Running server."""

    config: Config
    egress: EgressProxy
    portal: Portal
    engines: EnginePool
    gate: Gate
    nursery: trio.Nursery
    """Nursery of the background tasks that no connection waits for."""
    snapshots: SessionSnapshots = attrs.field(factory=SessionSnapshots)
    audit: AuditLog | None = None
    record_dir: RecordDir | None = None
    recordings: Recordings = attrs.field(factory=Recordings, init=False)
    sessions: Sessions = attrs.field(init=False)
    approvals: Approvals = attrs.field(init=False)
    handoffs: Handoffs = attrs.field(init=False)
    admission: Admission = attrs.field(init=False)
    work_gate: WorkGate = attrs.field(init=False)
    hold: LoopHold = attrs.field(factory=LoopHold, init=False)
    metrics: Metrics = attrs.field(factory=Metrics, init=False)
    live: LiveView = attrs.field(init=False)
    connections: dict[Connection, Grant] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.sessions = Sessions(config=self.config, nursery=self.nursery, snapshots=self.snapshots)
        self.approvals = Approvals(
            rules=self.config.approvals or NO_RULES,
            sessions=lambda: {connection.session: None for connection in self.connections},
        )
        self.handoffs = Handoffs(nursery=self.nursery)
        self.live = open_live_view(self)
        self.admission = Admission(
            capacity=self.engines.capacity, max_queued=self.config.max_queued, timeout_s=self.config.queue_timeout_s
        )
        self.engines.capacity.on_room_freed = lambda: self.portal.call_in_trio(self.admission.wake_first)
        self.work_gate = WorkGate.of(self.config)
        self.metrics.watch(self)
        status = self.gate.status
        status.metrics_text, status.is_at_capacity = self.metrics.text, lambda: self.engines.capacity.is_full
        status.has_sessions = lambda: bool(self.connections or self.sessions.parked)

    @property
    def engine(self) -> Engine:
        """Return the engine of the clients without a token."""
        return self.engines.of_owner("")

    @property
    def port(self) -> int:
        """Return the port that the server listens on."""
        return self.gate.port

    @property
    def url(self) -> str:
        """Return the WebSocket URL for clients; RuntimeError if the server listens on no port."""
        host = f"[{self.config.host}]" if ":" in self.config.host else self.config.host
        return f"{'ws' if self.config.tls_cert is None else 'wss'}://{host}:{self.port}"

    @contextlib.asynccontextmanager
    async def connect(self, grant: Grant | None = None, remote: str = "memory") -> AsyncIterator[Browser]:
        """Connect a client in this process without a socket: ``async with server.connect() as browser:``.

        Args:
          grant: permissions and limits of the client; by default the scope of the server.
          remote: name of the client in the log.

        Raises:
          Refusal: the grant has all the connections that it may have.
          RuntimeError: the server has ended.
        """
        peer, transport = memory_pair(remote)
        with self.gate.counted(grant):
            async with self._client(peer, transport, grant or Grant(self.config.scope, "memory")) as browser:
                yield browser

    @contextlib.asynccontextmanager
    async def _client(self, peer: Peer, transport: MemoryTransport, grant: Grant) -> AsyncIterator[Browser]:
        async with open_quiet_nursery() as nursery:
            nursery.start_soon(self.serve, peer, grant)
            async with over(transport) as browser:
                yield browser
            await transport.close()

    async def serve(self, peer: Peer, grant: Grant) -> None:
        """Serve one client until it disconnects, then close or park its session. [trio]"""
        session = self._open_session(peer, grant)
        connection = Connection(peer=peer, session=session, config=session.config, metrics=self.metrics)
        reopen = partial(self._open_session, peer, grant)
        binding = SessionBinding(connection=connection, grant=grant, sessions=self.sessions, open=reopen)
        binding.take(session)
        self.connections[connection] = grant
        log_context.bind_connection()
        log.info("client_connected", remote=peer.remote, grant=grant.name, scope=grant.scope.word)
        try:
            await _serve_until_expiry(grant, connection)
        finally:
            del self.connections[connection]
            await binding.end()
            log.info("client_gone", remote=peer.remote)

    def _open_session(self, peer: Peer, grant: Grant) -> Session:
        """Open a session with its own session proxy."""
        session_proxy = self.egress.add_session_proxy(
            self.nursery, peer.remote, lambda: session.private_open, grant.allowlist
        )
        session = open_session(
            grant=grant,
            config=self.config,
            portal=self.portal,
            engine=self.engines.of_owner(grant.owner if grant.owner.is_proven else ""),
            approvals=self.approvals,
            handoffs=self.handoffs,
            admission=self.admission,
            work_gate=self.work_gate,
            share=self.sessions.share_of(grant.owner),
            session_proxy=session_proxy,
            audit=self.audit,
            recordings=self.recordings,
            recorder=self._open_recorder(),
        )
        return session

    def _open_recorder(self) -> SessionRecorder | None:
        """Return a flight recorder, unless the operator has turned it off."""
        if not self.config.recorder:
            return None
        recorder = SessionRecorder(keeps_bodies=self.config.record_bodies)
        if self.record_dir is not None:
            self.record_dir.add(recorder)
        return recorder

    def reload(self, config: Config) -> None:
        """Apply the tokens, certificate, secrets and approval rules of a configuration; everything else stays. [trio]

        Connections of tokens that are gone or have changed are closed with 1008, and their sessions end.

        Raises:
          ValueError: a token or the certificate is invalid; nothing has changed.
        """
        withdrawn = self.gate.reload(config)
        for connection, grant in self.connections.items():
            if grant.withdrawn.is_set():
                log.info("token_withdrawn", remote=connection.peer.remote, grant=grant.name)
                self.sessions.start(connection.expel, POLICY_CLOSE, WITHDRAWN)
        self.sessions.end_parked(grant.owner for grant in withdrawn)
        has_other_rules = self.config.approvals != config.approvals
        self.config = attrs.evolve(self.config, **{name: getattr(config, name) for name in _RELOADED})
        self.approvals.rules = config.approvals or NO_RULES
        for session in {connection.session for connection in self.connections}.union(self.sessions.parked_sessions):
            session.reload_secrets(config.secrets or SecretStore())
            if has_other_rules:
                session.approved.clear()

    async def drain(self) -> None:
        """Reject new clients, let requests finish within the drain timeout and close every connection. [trio]

        Each session is saved before its connection is closed, so that its client can return to another node at once.
        Plain HTTP is answered to the end, so that /health and /balance can report that the server is draining.
        """
        self.gate.status.state = "draining"
        self.sessions.stop_parking()
        deadline_s = trio.current_time() + self.config.drain_timeout_s + self.sessions.hand_over_s
        self.live.end()
        self.approvals.stop()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.gate.requests.wait_answered, self.config.drain_timeout_s)
            for connection in list(self.connections):
                nursery.start_soon(run_contained, partial(self._drain_connection, connection, deadline_s))
            nursery.start_soon(self.sessions.close_parked, deadline_s)
        await self.sessions.close_all(deadline_s)
        self.gate.stop_accepting()

    async def _drain_connection(self, connection: Connection, deadline_s: float) -> None:
        await connection.drain(
            self.config.drain_timeout_s, lambda: self.sessions.hand_over(connection.session, deadline_s)
        )

    @property
    def drain_limit_s(self) -> float:
        """Return the longest time that `drain` takes with the present sessions."""
        return self.config.drain_timeout_s + self.sessions.hand_over_s


async def _serve_until_expiry(grant: Grant, connection: Connection) -> None:
    """Serve a client until its grant expires."""
    if grant.withdrawn.is_set():  # it has waited at the gate meanwhile
        return await connection.peer.close(POLICY_CLOSE, WITHDRAWN)
    if grant.expires_s is None:  # most grants do not expire, and a task for each would cost memory
        return await connection.serve()
    async with open_quiet_nursery() as nursery:
        nursery.start_soon(_close_at_expiry, grant, connection.peer)
        await connection.serve()
        nursery.cancel_scope.cancel()


async def _close_at_expiry(grant: Grant, peer: Peer) -> None:
    """Close a connection when its grant expires. [trio]"""
    await grant.wait_expired()
    log.info("token_expired", remote=peer.remote, grant=grant.name)
    await peer.close(POLICY_CLOSE, "the token has expired")


@contextlib.asynccontextmanager
async def _open_egress(config: Config, gate: Gate) -> AsyncIterator[tuple[EgressProxy, ProxyCheck]]:
    """Open the egress proxy, and the proxy check that every launched browser must pass."""
    with socket.create_server(("127.0.0.1", 0)) as tcp_probe, socket.socket(type=socket.SOCK_DGRAM) as udp_probe:
        udp_probe.bind(("127.0.0.1", 0))
        for probe in (tcp_probe, udp_probe):
            probe.setblocking(False)
        own_ports = [int(tcp_probe.getsockname()[1]), *gate.ports]
        if config.browser_url is not None:  # a page that reached it would control the browser
            own_ports.append(urlsplit(config.browser_url).port or 0)
        rules = UrlRules.compile(
            allowed_domains=config.allowed_domains, private_network=config.private_network, own_ports=own_ports
        )
        egress = EgressProxy(rules)
        async with egress.open_session_proxy(TRIAL, lambda: False) as session_proxy:
            yield egress, ProxyCheck(session_proxy.port, tcp_probe, udp_probe)


@contextlib.asynccontextmanager
async def open_snapshots(config: Config) -> AsyncIterator[SessionSnapshots]:
    """Open the store of session snapshots, if one is configured; BadStore if its settings can't be used. [trio]"""
    if (problem := unusable_state(config)) is not None:
        raise ValueError(problem)
    if config.state_url is not None:
        # Imported on demand: a server on its own needs neither coredis nor cryptography.
        try:
            from agentbrowser.server.sessions.shared_store import open_shared_store
        except ModuleNotFoundError as missing:
            extra = "pip install 'agentbrowser-server[fleet]'"
            raise BadStore(f"state_url: {missing.name} is missing; get it by {extra}") from None
        async with open_shared_store(config) as shared:
            yield SessionSnapshots(shared)
        return
    if config.state_dir is None:
        yield SessionSnapshots()
        return
    store = await trio.to_thread.run_sync(SqliteStore.open, config.state_dir)
    try:
        yield SessionSnapshots(store)
    finally:
        with trio.CancelScope(shield=True):
            await store.close()


async def _start_telemetry(server: Server, stack: contextlib.AsyncExitStack) -> None:
    """Send spans and metrics, if the operator wants them. [trio]"""
    if server.config.otel:
        # Imported on demand, since most servers do without the SDK.
        try:
            from agentbrowser.server.watch.telemetry import open_telemetry
        except ModuleNotFoundError as missing:
            extra = "pip install 'agentbrowser-server[otel]'"
            raise ValueError(f"otel: {missing.name} is missing; get it by {extra}") from None
        server.metrics.tracer = await stack.enter_async_context(open_telemetry(server.metrics.registry))


@contextlib.asynccontextmanager
async def open_server(config: Config | None = None, *, listens: bool = True) -> AsyncIterator[Server]:
    """Run a server until the block ends: ``async with open_server(Config(port=0)) as server:``.

    With ``listens=False`` it opens no port: only `Server.connect` reaches it.

    Raises:
      OSError: the address is not available.
      BrowserNotLaunched: no browser was found.
      BadStore: the store of sessions can't be used.
      BadAuditLog: the audit log can't be written.
      BadRecordDir: the record directory can't be written to.
      ValueError: a setting is invalid.
    """
    async with open_gate(config or Config(), listens=listens) as gate, open_behind(gate) as server:
        yield server


@contextlib.asynccontextmanager
async def open_behind(gate: Gate) -> AsyncIterator[Server]:
    """Run a server behind an open gate, and close the gate with it.

    Raises:
      As `open_server`.
    """
    config = gate.config
    if (problem := unusable_browser(config)) is not None:
        raise ValueError(problem)
    async with (
        contextlib.AsyncExitStack() as stack,
        open_snapshots(config) as snapshots,
        open_audit_log(config.audit_log) as audit,
        open_record_dir(config.record_dir) as record_dir,
        _open_egress(config, gate) as (egress, proxy_check),
        Portal.open() as portal,
        open_quiet_nursery() as nursery,
    ):
        warm = WarmSupply(config.warm_contexts, egress.listen, egress.discard) if config.warm_contexts else None
        engines = EnginePool(config, proxy_check, warm)
        server = Server(
            config=config,
            egress=egress,
            portal=portal,
            engines=engines,
            gate=gate,
            nursery=nursery,
            snapshots=snapshots,
            audit=audit,
            record_dir=record_dir,
        )
        try:
            await _start_telemetry(server, stack)
            supervisor = Supervisor(portal, engines, gate.status)
            await portal.run(engines.start)
            gate.serve_sockets(server.serve)
            gate.status.state = "ready"
            for hold in (server.hold, portal.hold):  # the start does much at once, while no client waits
                hold.reset()
            stack.enter_context(measured(server.hold))
            if snapshots.store is not None:
                nursery.start_soon(snapshots.store.listen, partial(server.sessions.start, server.sessions.give))
            housekeeping = Housekeeping(config=config, engines=engines, portal=portal, admission=server.admission)
            for part in (supervisor, snapshots, server.work_gate, server.live, housekeeping):
                nursery.start_soon(part.run)
            if gate.ports:
                log.info("listening", url=server.url)
            yield server
        finally:
            with trio.CancelScope(shield=True):
                await server.drain()
                nursery.cancel_scope.cancel()
                gate.end()
                with trio.move_on_after(_END_TIMEOUT_S), contextlib.suppress(PortalClosed):
                    await portal.run(engines.close)
                await gate.wait_ended()  # its connections call into the browser thread, which ends next
