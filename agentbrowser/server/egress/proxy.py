"""Egress proxy (the wall): the browser's only access to the network. A SOCKS 5 server with one port for each client.

The browser sends host names and never resolves any. The proxy checks the name, resolves it, checks each address and
connects to one of these. So a connection reaches only an address that was checked.
"""

import contextlib
import errno
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from functools import cached_property
from typing import Final

import attrs
import structlog
import trio

from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.policy.urls import Address, AllowlistEntry, UrlRules, check_address, check_host
from agentbrowser.protocol.errors import DomainNotAllowed, InvalidParams
from agentbrowser.server.egress import socks
from agentbrowser.server.egress.copy_loop import CopyLoop
from agentbrowser.server.egress.denials import DenialLog, reason_of
from agentbrowser.server.egress.dns_cache import DnsCache, Resolve, Unresolved, system_resolver
from agentbrowser.server.egress.relay import Budget, Overspent, Relay
from agentbrowser.server.egress.socks import Destination, Malformed
from agentbrowser.server.gate.byte_stream import STREAM_LOST, abort, hang_up
from agentbrowser.server.gate.peer_uid import belongs_to_other_user

log = structlog.get_logger("agentbrowser.egress")

_ACCEPT_PAUSE_S: Final = 0.1
_BACKLOG: Final = 128
_NET_ERRORS: Final = {errno.ECONNREFUSED: "ERR_CONNECTION_REFUSED", errno.ETIMEDOUT: "ERR_CONNECTION_TIMED_OUT"}


@attrs.frozen(kw_only=True)
class EgressLimits:
    """Limits of a client's connections."""

    greeting_s: float = 5.0
    resolve_s: float = 5.0
    pinned_s: float = 30.0
    connect_s: float = 10.0
    idle_s: float = 3600.0
    linger_s: float = 5.0
    """Idle time after one direction has ended: browsers never end one direction only."""
    connections: int = 512
    connection_bytes: int = 4 * 1024**3
    session_bytes: int = 64 * 1024**3


class _Failed(Exception):
    def __init__(self, reason: str, answer: bytes) -> None:
        super().__init__(reason)
        self.reason, self.answer = reason, answer


@attrs.define(eq=False)
class EgressProxy:
    """Egress proxy of one server; it enforces the operator's rules even if the browser is compromised."""

    _rules: UrlRules
    limits: EgressLimits = attrs.field(factory=EgressLimits, kw_only=True)
    resolver: Callable[[], Resolve] = attrs.field(default=system_resolver, kw_only=True)
    """Factory of each client's resolver."""
    denial_log: DenialLog = attrs.field(factory=DenialLog, init=False)
    """Denied connections of all clients."""
    rules: UrlRules = attrs.field(init=False)
    """Operator's rules; the ports of session proxies count as own ports, which the browser may not reach."""
    _ports: set[int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ports = set(self._rules.own_ports)
        self.rules = attrs.evolve(self._rules, own_ports=self._ports)  # one mutable set, so that new ports apply to all

    def listen(self) -> socket.socket:
        """Return a new listener for a session proxy; connections wait until that is open. Called in any thread.

        Raises:
          OSError: no port or no file descriptor is left.
        """
        listener = socket.create_server(("127.0.0.1", 0), backlog=_BACKLOG)
        listener.setblocking(False)
        self._ports.add(_port_of(listener))
        return listener

    def discard(self, listener: socket.socket) -> None:
        """Close a listener. Called in any thread."""
        if listener.fileno() >= 0:
            self._ports.discard(_port_of(listener))
            listener.close()

    @contextlib.asynccontextmanager
    async def open_session_proxy(self, session: str, private_open: Callable[[], bool]) -> AsyncIterator["SessionProxy"]:
        """Open a client's session proxy until the block ends: see `add_session_proxy`. [trio]

        Raises:
          OSError: no port or no file descriptor is left.
        """
        async with open_quiet_nursery() as nursery:
            session_proxy = self.add_session_proxy(nursery, session, private_open)
            session_proxy.open(self.listen())
            try:
                yield session_proxy
            finally:
                await session_proxy.close()

    def add_session_proxy(
        self,
        nursery: trio.Nursery,
        session: str,
        private_open: Callable[[], bool],
        allowlist: tuple[AllowlistEntry, ...] | None = None,
    ) -> "SessionProxy":
        """Return a session proxy for a client, which uses no resources until it is opened.

        Args:
          nursery: nursery of the session proxy's tasks.
          session: name of the client in the log.
          private_open: returns True if the client has opened the private network.
          allowlist: allowlist of the client's token, in addition to the operator's.
        """
        return SessionProxy(self, nursery, session, private_open, allowlist)


@attrs.define(eq=False)
class SessionProxy:
    """Session proxy: a loopback port that one client's contexts use as their proxy."""

    egress: EgressProxy
    _nursery: trio.Nursery
    session: str
    private_open: Callable[[], bool]
    allowlist: tuple[AllowlistEntry, ...] | None = None
    port: int = attrs.field(default=0, init=False)
    """Port of the session proxy; 0 until it is opened."""
    connections: int = attrs.field(default=0, init=False)
    """Number of open connections."""
    _copy_loop: CopyLoop = attrs.field(init=False)
    _lifetime: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _ended: trio.Event = attrs.field(factory=trio.Event, init=False)

    # Created on first use, in Trio: a thousand clients may be connected that open no page.

    @cached_property
    def denial_log(self) -> DenialLog:
        """Return the log of the client's denied and failed connections."""
        return DenialLog(self.session, self.egress.denial_log)

    @cached_property
    def budget(self) -> Budget:
        """Return the byte budget of all the client's connections together."""
        return Budget(self.egress.limits.session_bytes)

    @cached_property
    def _dns_cache(self) -> DnsCache:
        limits = self.egress.limits
        return DnsCache(self.egress.resolver(), limits.resolve_s, limits.pinned_s)

    @cached_property
    def _slots(self) -> trio.Semaphore:
        return trio.Semaphore(self.egress.limits.connections)

    @property
    def rules(self) -> UrlRules:
        """Return the rules for this client: the operator's, narrowed by its token."""
        return self.egress.rules.narrowed(self.allowlist)

    def open(self, listener: socket.socket) -> None:
        """Accept connections of a listener from `EgressProxy.listen`, and close it at the end. [trio]"""
        if self._lifetime.cancel_called:
            self.egress.discard(listener)
            return
        self.port = _port_of(listener)
        self._nursery.start_soon(self._serve_at, listener)

    async def close(self) -> None:
        """Close the session proxy and all its connections. [trio]"""
        self._lifetime.cancel()
        if self.port:
            await self._ended.wait()

    async def _serve_at(self, listener: socket.socket) -> None:
        """Serve connections until the session proxy is closed; they end with it."""
        try:
            with self._lifetime, CopyLoop() as self._copy_loop:
                async with open_quiet_nursery() as nursery:
                    nursery.start_soon(self._copy_loop.run)
                    await self._accept(trio.SocketListener(trio.socket.from_stdlib_socket(listener)), nursery)
        except Exception:  # the nursery is shared by all clients, whose proxies must go on
            log.exception("door_failed", remote=self.session)
        finally:
            self.egress.discard(listener)
            self._ended.set()

    async def _accept(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        """Accept connections until cancelled, each in its own task, up to the limit. [trio]"""
        while True:
            await self._slots.acquire()
            try:
                stream = await listener.accept()
            except OSError as failure:
                self._slots.release()
                log.warning("accept_failed", error=str(failure))
                await trio.sleep(_ACCEPT_PAUSE_S)
            else:
                nursery.start_soon(self._serve_contained, stream)

    async def _serve_contained(self, inbound: trio.SocketStream) -> None:
        """Serve one connection and log its failure: no failure may end the accept loop."""
        self.connections += 1
        try:
            await self._serve(inbound)
        except* STREAM_LOST:
            await abort(inbound)  # a truncated document must not look complete
        except* Exception:
            log.exception("connection_failed", remote=self.session)
        finally:
            self.connections -= 1
            self._slots.release()
            await trio.aclose_forcefully(inbound)

    async def _serve(self, inbound: trio.SocketStream) -> None:
        if belongs_to_other_user(inbound.socket):
            log.info("egress_stranger", remote=self.session, why="it is another user's")
            return await abort(inbound)
        try:
            with trio.fail_after(self.egress.limits.greeting_s):
                destination, early = await _read_destination(inbound)
        except (Malformed, trio.TooSlowError) as stranger:
            log.info("egress_stranger", remote=self.session, why=str(stranger) or "it is too slow")
            return await _refuse(inbound, getattr(stranger, "answer", b""))
        try:
            addresses = await self._check_addresses(destination)
            outbound = await self._connect(addresses, destination.port)
        except (InvalidParams, DomainNotAllowed) as refused:
            self.denial_log.deny(destination, reason_of(refused), refused)
            return await _refuse(inbound, socks.DENIED)
        except _Failed as failed:
            self.denial_log.fail(destination, failed.reason)
            return await _refuse(inbound, failed.answer)
        async with outbound:
            await self._relay(inbound, outbound, destination, early)

    async def _check_addresses(self, destination: Destination) -> Sequence[Address]:
        """Return the addresses of a destination, after checks of its host and of every address."""
        rules = self.rules
        permission = check_host(destination.host, destination.port, rules, private_open=self.private_open())
        try:
            host = permission.host
            addresses = await self._dns_cache.addresses(host) if isinstance(host, str) else (host,)
        except Unresolved:
            raise _Failed("ERR_NAME_NOT_RESOLVED", socks.UNREACHABLE) from None
        for address in addresses:
            check_address(address, permission, rules)
            if permission.port in rules.own_ports and _is_own_address(address):
                raise InvalidParams("That is this server's own port.", reason="self")
        return addresses

    async def _connect(self, addresses: Sequence[Address], port: int) -> trio.SocketStream:
        """Connect to the first address that answers; each has an equal share of the time."""
        reason, share_s = "ERR_CONNECTION_TIMED_OUT", self.egress.limits.connect_s / len(addresses)
        for address in addresses:
            with trio.move_on_after(share_s):
                try:
                    return await _open(address, port)
                except OSError as error:
                    reason = _NET_ERRORS.get(error.errno or 0, "ERR_ADDRESS_UNREACHABLE")
        raise _Failed(reason, socks.REFUSED if reason == "ERR_CONNECTION_REFUSED" else socks.UNREACHABLE)

    async def _relay(
        self, inbound: trio.SocketStream, outbound: trio.SocketStream, destination: Destination, early: bytes
    ) -> None:
        limits = self.egress.limits
        budget = Budget(limits.connection_bytes, self.budget)
        await inbound.send_all(socks.GRANTED)
        try:
            budget.spend(len(early))
            await outbound.send_all(early)
            idle_s, linger_s = limits.idle_s, limits.linger_s
            await Relay(
                inbound=inbound,
                outbound=outbound,
                copy_loop=self._copy_loop,
                budget=budget,
                idle_s=idle_s,
                linger_s=linger_s,
            ).run()
        except* Overspent:
            self.denial_log.deny(destination, "budget")
            await abort(inbound)
        except* STREAM_LOST:
            await abort(outbound)
            raise


async def _read_destination(inbound: trio.SocketStream) -> tuple[Destination, bytes]:
    """Return the destination that a connection requests, and the bytes after the request. [trio]"""
    data = b""
    while (length := socks.read_greeting(data)) is None:
        data += await _receive_more(inbound)
    await inbound.send_all(socks.NO_AUTHENTICATION)
    data = data[length:]
    while (request := socks.read_request(data)) is None:
        data += await _receive_more(inbound)
    return request[0], data[request[1] :]


async def _receive_more(inbound: trio.SocketStream) -> bytes:
    data = await inbound.receive_some(1024)
    if not data:
        raise trio.BrokenResourceError("it ended before it had said where to go")
    return bytes(data)


async def _refuse(inbound: trio.SocketStream, answer: bytes) -> None:
    """Send an answer, and close the connection so that the answer arrives."""
    await inbound.send_all(answer)
    await hang_up(inbound, limit_bytes=65536, limit_s=1.0)


async def _open(address: Address, port: int) -> trio.SocketStream:
    connection = trio.socket.socket(_family(address), socket.SOCK_STREAM)
    try:
        await connection.connect((str(address), port))
    except BaseException:
        connection.close()
        raise
    return trio.SocketStream(connection)


def _is_own_address(address: Address) -> bool:
    """Return True if an address is this machine's: the source address that it would use to reach it. Sends nothing."""
    try:
        with socket.socket(_family(address), socket.SOCK_DGRAM) as probe:
            probe.connect((str(address), 9))
            return str(probe.getsockname()[0]) == str(address)
    except OSError:
        return False


def _port_of(listener: socket.socket) -> int:
    return int(listener.getsockname()[1])


def _family(address: Address) -> socket.AddressFamily:
    return socket.AF_INET if address.version == 4 else socket.AF_INET6
