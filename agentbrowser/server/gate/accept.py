"""Gate: the listening port and the accept loop.

Every connection is a task that contains its own failures. The gate reads and checks the request head. Then it refuses
the request, answers it over plain HTTP, or makes it a `Socket`.

The gate needs neither Playwright nor the browser side. A program can open it first and answer /health while it imports
the rest of the server.
"""

import contextlib
import ssl
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from functools import partial
from typing import Final, cast
from weakref import WeakValueDictionary

import attrs
import structlog
import trio

from agentbrowser.config import Config
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.server.gate.auth import Grant, Keyring, Owner
from agentbrowser.server.gate.byte_stream import STREAM_LOST, ClientStream, hang_up, limit_unread, peer_address
from agentbrowser.server.gate.frame_meter import Intake
from agentbrowser.server.gate.handshake import switch_protocols
from agentbrowser.server.gate.head import Head, Refusal, check_host, check_origin, read_head
from agentbrowser.server.gate.http import GUARDED, ROUTES, PlainHttp, ServerStatus
from agentbrowser.server.gate.mount import Mount, MountedRequests, check_mounted, mount_origins
from agentbrowser.server.gate.proxied import Address, TrustedProxies
from agentbrowser.server.gate.site import SOCKET_PATH, Site, check_site_origin, is_site
from agentbrowser.server.gate.socket import PeerGone, Socket
from agentbrowser.server.gate.tls import read_certificate, secure

log = structlog.get_logger("agentbrowser.gate")

ACCEPT_PAUSE_S: Final = 0.1
"""Pause of the accept loop when the system has no file descriptor left."""
MAX_DELAYED: Final = 64
"""Refusals that wait for their delay at the same time; further ones are sent at once."""
_SHARE_OF_STRANGERS: Final = 4
"""A quarter of the descriptors may be those of connections whose head has not come yet."""
_DRAINING: Final = "The server is shutting down."
_LINGER_BYTES: Final = 65536
_LINGER_S: Final = 1.0

OnSocket = Callable[[Socket, Grant], Awaitable[None]]
Listener = trio.abc.Listener[trio.SocketStream]


async def listen(config: Config) -> list[trio.SocketListener]:
    """Bind the configured address exclusively.

    Raises:
      OSError: another program has the port, or the address is not ours; the text names it.
    """
    try:
        return await trio.open_tcp_listeners(config.port, host=config.host)
    except OSError as error:
        error.filename = f"port {config.port} of {config.host}"
        raise


def own_names(host: str) -> tuple[str, ...]:
    """Return the name in URLs of the configured address; nothing if that stands for all addresses."""
    if host in ("0.0.0.0", "::"):
        return ()
    return (f"[{host}]" if ":" in host else host,)


def port_of(listener: Listener) -> int:
    """Return the port that a listener is bound to."""
    return int(cast("trio.SocketListener", listener).socket.getsockname()[1])


@attrs.define(eq=False)
class Gate:
    """Accept loop that passes each WebSocket to ``on_socket``.

    The socket is closed with 1000 when ``on_socket`` returns or raises `PeerGone`. It is closed with 1011, and the
    failure is logged, when it raises anything else. Owners close the sockets that are open when the gate stops
    accepting.
    """

    config: Config
    on_socket: OnSocket | None = None
    """Handler of WebSockets; while it is None, WebSockets wait after the check of their handshake."""
    listeners: Sequence[Listener] = ()
    status: ServerStatus = attrs.field(factory=ServerStatus)
    mounts: dict[bytes, Mount] = attrs.field(factory=dict, init=False)
    """Applications at `MOUNT_PATHS`; their owners add them before the first request."""
    site: Site | None = attrs.field(default=None, init=False)
    """The server's own pages; None before the server is there."""
    requests: MountedRequests = attrs.field(init=False)
    """Requests to the mounts."""
    connections: int = attrs.field(default=0, init=False)
    """Number of open and waiting WebSockets."""
    _connections_of: Counter[Owner] = attrs.field(factory=Counter, init=False)
    _intakes: WeakValueDictionary[Owner, Intake] = attrs.field(factory=WeakValueDictionary, init=False)
    _delayed: int = attrs.field(default=0, init=False)
    """Number of refusals that are being delayed."""
    max_strangers: int = attrs.field(factory=lambda: _descriptor_limit() // _SHARE_OF_STRANGERS, init=False)
    """Number of connections whose head has not come yet; beyond it, the oldest of them are dropped."""
    _strangers: dict[trio.CancelScope, None] = attrs.field(factory=dict, init=False)
    _open: trio.Event = attrs.field(factory=trio.Event, init=False)
    _serving: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _ended: trio.Event = attrs.field(factory=trio.Event, init=False)
    _accepting: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _keyring: Keyring = attrs.field(init=False)
    _http: PlainHttp = attrs.field(init=False)
    _proxies: TrustedProxies = attrs.field(init=False)
    _tls: ssl.SSLContext | None = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._keyring = Keyring(self.config)
        self.requests = MountedRequests(self.config.max_connections)
        self._http = PlainHttp(self.status, self.config.write_timeout_s)
        self._tls = read_certificate(self.config)
        self._proxies = TrustedProxies.of(self.config.trusted_proxies)
        if self.on_socket is not None:
            self._open.set()

    def reload(self, config: Config) -> list[Grant]:
        """Replace the tokens and the certificate, and return the grants that are withdrawn with it.

        Open connections keep the encryption that they have.

        Raises:
          ValueError: a token or the certificate is invalid; nothing has changed.
        """
        tls = read_certificate(config)
        if (tls is None) != (self._tls is None):
            raise ValueError("tls_cert can't be added or removed by a reload: clients would need another URL")
        withdrawn = self._keyring.reload(config)
        self._tls = tls
        return withdrawn

    @property
    def ports(self) -> list[int]:
        """Return the ports that the gate listens on."""
        return [port_of(listener) for listener in self.listeners]

    @property
    def port(self) -> int:
        """Return the port that the gate listens on, the first one if there are several.

        Raises:
          RuntimeError: it listens on none.
        """
        if not self.listeners:
            raise RuntimeError("The server listens on no port: clients connect by `server.connect()`.")
        return self.ports[0]

    def serve_sockets(self, on_socket: OnSocket) -> None:
        """Pass WebSockets to ``on_socket`` from now on, the waiting ones first."""
        self.on_socket = on_socket
        self._open.set()

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until `stop_accepting` was called and the last connection has ended, or until `end`. [trio]

        Cancel: connections are dropped immediately.
        """
        try:
            with self._serving:
                async with trio.open_nursery() as nursery:
                    with self._accepting:
                        async with trio.open_nursery() as accepting:
                            for listener in self.listeners:
                                accepting.start_soon(self._accept, listener, nursery)
                            task_status.started()
        finally:
            self._ended.set()

    def end(self) -> None:
        """Close the port and drop all connections immediately."""
        self._serving.cancel()

    async def wait_ended(self) -> None:
        """Wait until `run` has returned. [trio]"""
        await self._ended.wait()

    def stop_accepting(self) -> None:
        """Close the port; open connections continue."""
        self._accepting.cancel()

    async def _accept(self, listener: Listener, nursery: trio.Nursery) -> None:
        async with listener:
            while True:
                try:
                    stream = await listener.accept()
                except OSError as failure:
                    log.warning("accept_failed", error=str(failure))
                    await trio.sleep(ACCEPT_PAUSE_S)
                else:
                    nursery.start_soon(self._serve_contained, stream)

    async def _serve_contained(self, stream: trio.SocketStream) -> None:
        """Serve one connection and log its failure: no failure may end the accept loop."""
        try:
            await self._serve(stream)
        except* STREAM_LOST:
            log.debug("connection_lost")
        except* Exception:
            log.exception("connection_failed")
        finally:
            await trio.aclose_forcefully(stream)

    async def _serve(self, tcp: trio.SocketStream) -> None:
        stream: ClientStream = tcp
        head: Head | None = None
        client = peer_address(tcp)
        try:
            with self._as_stranger():
                client = await self._proxies.read_source(tcp, client, self.config.head_timeout_s)
                if self._tls is not None:
                    stream = await secure(tcp, self._tls, self.config.head_timeout_s)
                head = await read_head(stream, self.config.head_timeout_s)
            if head is not None:
                client = self._proxies.client_of(head, client)
                await self._route(stream, head, client)
        except Refusal as refusal:
            log.info("refused", remote=f"{client[0]}:{client[1]}", status=refusal.status, why=refusal.why)
            await self._refuse(stream, refusal)

    @contextlib.contextmanager
    def _as_stranger(self) -> Iterator[None]:
        """Count a connection in the block, which is cancelled once too many others have come after it."""
        with trio.CancelScope() as scope:
            self._strangers[scope] = None
            if len(self._strangers) > self.max_strangers:
                oldest = next(iter(self._strangers))
                del self._strangers[oldest]
                oldest.cancel()
            try:
                yield
            finally:
                self._strangers.pop(scope, None)

    async def _refuse(self, stream: ClientStream, refusal: Refusal) -> None:
        """Send a refusal, after its delay if not too many others wait: each holds a file descriptor."""
        if refusal.delay_s and self._delayed < MAX_DELAYED:
            self._delayed += 1
            try:
                await trio.sleep(refusal.delay_s)
            finally:
                self._delayed -= 1
        await stream.send_all(refusal.response())
        await hang_up(stream, limit_bytes=_LINGER_BYTES, limit_s=_LINGER_S)

    async def _route(self, stream: ClientStream, head: Head, client: Address) -> None:
        head = attrs.evolve(head, peer=client[0])
        has_tls = self._tls is not None
        port, own = stream.socket.getsockname()[1], own_names(self.config.host)
        check_host(head, port, self.config.allowed_hosts, own=own, has_tls=has_tls)
        if is_site(head):
            check_site_origin(head, self.config.live_url, has_tls=has_tls)
            return await self._answer_site(stream, head, client)
        check_origin(head, (*self.config.allowed_origins, *mount_origins(head, has_tls=has_tls)))
        if head.upgrade:
            await self._admit(stream, head, client)
        elif head.path in ROUTES:
            if head.path in GUARDED:
                self._keyring.grant(head)
            await self._http.answer(stream, head)
        elif (mount := self.mounts.get(head.path)) is not None:
            await self._answer_mounted(stream, head, mount)
        elif head.path == b"/":
            raise Refusal(426, "This is agentbrowser: connect with a WebSocket.", ("Upgrade: websocket",))
        else:
            raise Refusal(404, "Nothing is here.")

    async def _answer_site(self, stream: ClientStream, head: Head, client: Address) -> None:
        """Answer a request to the server's own pages, or serve their socket."""
        if self.site is None or self.status.state == "draining":
            raise Refusal(503, "The server is starting or shutting down.", ("Retry-After: 1",))
        if not head.upgrade:
            await stream.send_all(await self.site.respond(head, self._keyring))
            return await hang_up(stream, limit_bytes=_LINGER_BYTES, limit_s=_LINGER_S)
        if head.path != SOCKET_PATH:
            raise Refusal(404, "No socket is here.")
        switched, access = switch_protocols(head), self.site.admit(head, self._keyring)
        limit_unread(stream, self.config.write_timeout_s)
        await stream.send_all(switched)
        socket = Socket(stream, self.config, remote=f"{client[0]}:{client[1]}", early=head.rest)
        await self._serve_contained_socket(socket, partial(self.site.serve, socket, access))

    async def _answer_mounted(self, stream: ClientStream, head: Head, mount: Mount) -> None:
        """Have a mount answer a request with the grant of its token."""
        grant = self._keyring.grant(head)
        check_mounted(head)
        if self.status.state == "draining":
            raise Refusal(503, _DRAINING)
        with self.requests.counted(head, grant):
            await self._open.wait()
            limit_unread(stream, self.config.write_timeout_s)
            await self._http.answer_with(mount(grant), stream, head)

    async def _admit(self, stream: ClientStream, head: Head, client: Address) -> None:
        """Accept a WebSocket if its handshake, its token and the capacity allow it."""
        response = switch_protocols(head)
        grant = self._keyring.grant(head)
        with self.counted(grant):
            await self._open.wait()
            limit_unread(stream, self.config.write_timeout_s)
            await stream.send_all(response)
            assert self.on_socket is not None
            intake = self._intakes.setdefault(grant.owner, Intake())
            remote = f"{client[0]}:{client[1]}"
            socket = Socket(stream, self.config, remote=remote, early=head.rest, intake=intake)
            socket.traceparent = next((value.decode("latin-1") for value in head.values(b"traceparent")), None)
            await self._serve_contained_socket(socket, partial(self.on_socket, socket, grant))

    @contextlib.contextmanager
    def counted(self, grant: Grant | None) -> Iterator[None]:
        """Count a connection while it is open; without a grant it is one of this program, and not counted.

        Raises:
          Refusal: the server or its token has all the connections that it may have.
          RuntimeError: the server has ended, as the program knows.
        """
        if grant is None:
            if self.status.state == "draining":
                raise RuntimeError("The server has ended: connect within its `open_server` block.")
            yield
            return
        self._check_capacity(grant)
        self._count(grant, +1)
        try:
            yield
        finally:
            self._count(grant, -1)

    def _check_capacity(self, grant: Grant) -> None:
        if self.status.state == "draining":
            raise Refusal(503, _DRAINING)
        if self.connections >= self.config.max_connections:
            raise Refusal(503, "The server is full.", ("Retry-After: 1",))
        if grant.max_connections is not None and self._connections_of[grant.owner] >= grant.max_connections:
            raise Refusal(429, "This token has all the connections that it may have.", ("Retry-After: 1",))

    def _count(self, grant: Grant, change: int) -> None:
        self.connections += change
        self._connections_of[grant.owner] += change
        if not self._connections_of[grant.owner]:
            del self._connections_of[grant.owner]
        self.status.full = self.connections >= self.config.max_connections

    async def _serve_contained_socket(self, socket: Socket, serve: Callable[[], Awaitable[None]]) -> None:
        code = 1000
        try:
            await serve()
        except* PeerGone as gone:
            log.debug("peer_gone", remote=socket.remote, why=str(gone.exceptions[0]))
        except* Exception:
            log.exception("connection_failed", remote=socket.remote)
            code = 1011
        await socket.close(code)


def _descriptor_limit() -> int:
    """Return the number of descriptors that this process may have open."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return sys.maxsize
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft


@contextlib.asynccontextmanager
async def open_gate(config: Config, *, listens: bool = True) -> AsyncIterator[Gate]:
    """Bind the configured address, unless told not to, and answer plain HTTP until the block ends. [trio]

    Raises:
      OSError: another program has the port, or the address is not ours.
    """
    gate = Gate(config, listeners=await listen(config) if listens else ())
    async with open_quiet_nursery() as nursery:
        await nursery.start(gate.run)
        try:
            yield gate
        finally:
            gate.end()
