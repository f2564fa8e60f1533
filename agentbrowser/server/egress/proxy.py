"""The wall: the only way from the browser to the network. A SOCKS 5 server, with a door of its own for each client.

The browser sends names and never resolves any. A host is judged by name, resolved here, each of its addresses judged,
and one of these connected to; so what was judged is what is reached.
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
from agentbrowser.server.egress.dns_cache import DnsCache, Resolve, Unresolved, ask_system
from agentbrowser.server.egress.relay import Budget, Overspent, Relay
from agentbrowser.server.egress.socks import Destination, Malformed
from agentbrowser.server.gate.byte_stream import STREAM_LOST, abort, hang_up
from agentbrowser.server.gate.peer_uid import belongs_to_other_user

log = structlog.get_logger("agentbrowser.egress")

_PAUSE_S: Final = 0.1
_BACKLOG: Final = 128
_NET_ERRORS: Final = {errno.ECONNREFUSED: "ERR_CONNECTION_REFUSED", errno.ETIMEDOUT: "ERR_CONNECTION_TIMED_OUT"}


@attrs.frozen(kw_only=True)
class EgressLimits:
    """How much of anything a client's connections may take."""

    greeting_s: float = 5.0
    resolve_s: float = 5.0
    pinned_s: float = 30.0
    connect_s: float = 10.0
    idle_s: float = 3600.0
    linger_s: float = 5.0
    """Browsers never end one direction only: one that has ended its own is gone."""
    connections: int = 512
    connection_bytes: int = 4 * 1024**3
    session_bytes: int = 64 * 1024**3


class _Failed(Exception):
    def __init__(self, reason: str, answer: bytes) -> None:
        super().__init__(reason)
        self.reason, self.answer = reason, answer


@attrs.define(eq=False)
class EgressProxy:
    """The wall of one server: it holds the operator's rules, whatever becomes of the browser."""

    _rules: UrlRules
    limits: EgressLimits = attrs.field(factory=EgressLimits, kw_only=True)
    resolver: Callable[[], Resolve] = attrs.field(default=ask_system, kw_only=True)
    """Makes each client's resolver."""
    denial_log: DenialLog = attrs.field(factory=DenialLog, init=False)
    """What was denied to all clients."""
    rules: UrlRules = attrs.field(init=False)
    """The operator's rules; the ports of the doors are among our own, which nothing in the browser reaches."""
    _ports: set[int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._ports = set(self._rules.own_ports)
        self.rules = attrs.evolve(self._rules, own_ports=self._ports)  # all clients see the one set, as it is now

    def listen(self) -> socket.socket:
        """Return a new listener for a door; until that is open, what connects to it waits. Called in any thread.

        Raises:
          OSError: there is no port or no file descriptor left.
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
    async def open_session_proxy(
        self, session: str, private_open: Callable[[], bool], allowlist: tuple[AllowlistEntry, ...] | None = None
    ) -> AsyncIterator["SessionProxy"]:
        """Open a client's way out for as long as the block lasts: see `add_session_proxy`. [trio]

        Raises:
          OSError: there is no port or no file descriptor left.
        """
        async with open_quiet_nursery() as nursery:
            door = self.add_session_proxy(nursery, session, private_open, allowlist)
            door.open(self.listen())
            try:
                yield door
            finally:
                await door.close()

    def add_session_proxy(
        self,
        nursery: trio.Nursery,
        session: str,
        private_open: Callable[[], bool],
        allowlist: tuple[AllowlistEntry, ...] | None = None,
    ) -> "SessionProxy":
        """Give a client a way out, which takes up nothing until it is opened.

        Args:
          nursery: where it is served from then on.
          session: what the client is called in the log.
          private_open: tells whether the client has opened its private network.
          allowlist: that of the client's token, beside the operator's.
        """
        return SessionProxy(self, nursery, session, private_open, allowlist)


@attrs.define(eq=False)
class SessionProxy:
    """One client's way out: a port of loopback that its contexts have as their proxy."""

    egress: EgressProxy
    _nursery: trio.Nursery
    session: str
    private_open: Callable[[], bool]
    allowlist: tuple[AllowlistEntry, ...] | None = None
    port: int = attrs.field(default=0, init=False)
    """Where it is; 0 until it is opened."""
    connections: int = attrs.field(default=0, init=False)
    """How many are open."""
    _copy_loop: CopyLoop = attrs.field(init=False)
    _life: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _over: trio.Event = attrs.field(factory=trio.Event, init=False)

    # These are made on their first use, in Trio: there may be a thousand clients that only listen and open no page.

    @cached_property
    def denial_log(self) -> DenialLog:
        """What was denied to the client, and what failed."""
        return DenialLog(self.session, self.egress.denial_log)

    @cached_property
    def budget(self) -> Budget:
        """What all of its connections together may still carry."""
        return Budget(self.egress.limits.session_bytes)

    @cached_property
    def _names(self) -> DnsCache:
        limits = self.egress.limits
        return DnsCache(self.egress.resolver(), limits.resolve_s, limits.pinned_s)

    @cached_property
    def _room(self) -> trio.Semaphore:
        return trio.Semaphore(self.egress.limits.connections)

    @property
    def rules(self) -> UrlRules:
        """The rules for this client: the operator's, narrowed by its token."""
        return self.egress.rules.narrowed(self.allowlist)

    def open(self, listener: socket.socket) -> None:
        """Let in what comes to the listener, one of `EgressProxy.listen`; the door closes it at its own end. [trio]"""
        if self._life.cancel_called:
            self.egress.discard(listener)
            return
        self.port = _port_of(listener)
        self._nursery.start_soon(self._serve_at, listener)

    async def close(self) -> None:
        """End it, and all that goes through it. [trio]"""
        self._life.cancel()
        if self.port:
            await self._over.wait()

    async def _serve_at(self, listener: socket.socket) -> None:
        """Let connections through until the door is closed; they end with it."""
        try:
            with self._life, CopyLoop() as self._copy_loop:
                async with open_quiet_nursery() as nursery:
                    nursery.start_soon(self._copy_loop.run)
                    await self._accept(trio.SocketListener(trio.socket.from_stdlib_socket(listener)), nursery)
        except Exception:  # its nursery is all clients'; nothing goes through this door any more, and that is all
            log.exception("door_failed", remote=self.session)
        finally:
            self.egress.discard(listener)
            self._over.set()

    async def _accept(self, listener: trio.SocketListener, nursery: trio.Nursery) -> None:
        """Take in connections for ever, each into a task of its own; no more at once than there is room for. [trio]"""
        while True:
            await self._room.acquire()
            try:
                stream = await listener.accept()
            except OSError as failure:
                self._room.release()
                log.warning("accept_failed", error=str(failure))
                await trio.sleep(_PAUSE_S)
            else:
                nursery.start_soon(self._contain, stream)

    async def _contain(self, near: trio.SocketStream) -> None:
        """Serve one connection; whatever goes wrong in it ends here."""
        self.connections += 1
        try:
            await self._serve(near)
        except* STREAM_LOST:
            await abort(near)  # a document that was cut off must not look like a whole one
        except* Exception:
            log.exception("connection_failed", remote=self.session)
        finally:
            self.connections -= 1
            self._room.release()
            await trio.aclose_forcefully(near)

    async def _serve(self, near: trio.SocketStream) -> None:
        if belongs_to_other_user(near.socket):
            log.info("egress_stranger", remote=self.session, why="it is another user's")
            return await abort(near)
        try:
            with trio.fail_after(self.egress.limits.greeting_s):
                destination, early = await _read_destination(near)
        except (Malformed, trio.TooSlowError) as stranger:
            log.info("egress_stranger", remote=self.session, why=str(stranger) or "it is too slow")
            return await _refuse(near, getattr(stranger, "answer", b""))
        try:
            addresses = await self._check_addresses(destination)
            far = await self._connect(addresses, destination.port)
        except (InvalidParams, DomainNotAllowed) as refused:
            self.denial_log.deny(destination, reason_of(refused), refused)
            return await _refuse(near, socks.DENIED)
        except _Failed as failed:
            self.denial_log.fail(destination, failed.reason)
            return await _refuse(near, failed.answer)
        async with far:
            await self._relay(near, far, destination, early)

    async def _check_addresses(self, destination: Destination) -> Sequence[Address]:
        """Return the addresses of the destination, once it and all of them have passed the rules."""
        rules = self.rules
        leave = check_host(destination.host, destination.port, rules, private_open=self.private_open())
        try:
            host = leave.host
            addresses = await self._names.addresses(host) if isinstance(host, str) else (host,)
        except Unresolved:
            raise _Failed("ERR_NAME_NOT_RESOLVED", socks.UNREACHABLE) from None
        for address in addresses:
            check_address(address, leave, rules)
            if leave.port in rules.own_ports and _is_ours(address):
                raise InvalidParams("That is this server's own port.", reason="self")
        return addresses

    async def _connect(self, addresses: Sequence[Address], port: int) -> trio.SocketStream:
        """Connect to the first address that answers, each being given its share of the time."""
        reason, share_s = "ERR_CONNECTION_TIMED_OUT", self.egress.limits.connect_s / len(addresses)
        for address in addresses:
            with trio.move_on_after(share_s):
                try:
                    return await _open(address, port)
                except OSError as error:
                    reason = _NET_ERRORS.get(error.errno or 0, "ERR_ADDRESS_UNREACHABLE")
        raise _Failed(reason, socks.REFUSED if reason == "ERR_CONNECTION_REFUSED" else socks.UNREACHABLE)

    async def _relay(
        self, near: trio.SocketStream, far: trio.SocketStream, destination: Destination, early: bytes
    ) -> None:
        limits = self.egress.limits
        budget = Budget(limits.connection_bytes, self.budget)
        await near.send_all(socks.GRANTED)
        try:
            budget.spend(len(early))
            await far.send_all(early)
            idle_s, linger_s = limits.idle_s, limits.linger_s
            await Relay(
                near=near, far=far, copy_loop=self._copy_loop, budget=budget, idle_s=idle_s, linger_s=linger_s
            ).run()
        except* Overspent:
            self.denial_log.deny(destination, "budget")
            await abort(near)
        except* STREAM_LOST:
            await abort(far)
            raise


async def _read_destination(near: trio.SocketStream) -> tuple[Destination, bytes]:
    """Return where a connection wants to go, and what it has said beyond that. [trio]"""
    data = b""
    while (length := socks.read_greeting(data)) is None:
        data += await _receive_more(near)
    await near.send_all(socks.NO_AUTHENTICATION)
    data = data[length:]
    while (request := socks.read_request(data)) is None:
        data += await _receive_more(near)
    return request[0], data[request[1] :]


async def _receive_more(near: trio.SocketStream) -> bytes:
    data = await near.receive_some(1024)
    if not data:
        raise trio.BrokenResourceError("it ended before it had said where to go")
    return bytes(data)


async def _refuse(near: trio.SocketStream, answer: bytes) -> None:
    """Say a last word, and see that it arrives."""
    await near.send_all(answer)
    await hang_up(near, limit_bytes=65536, limit_s=1.0)


async def _open(address: Address, port: int) -> trio.SocketStream:
    made = trio.socket.socket(_family(address), socket.SOCK_STREAM)
    try:
        await made.connect((str(address), port))
    except BaseException:
        made.close()
        raise
    return trio.SocketStream(made)


def _is_ours(address: Address) -> bool:
    """Tell whether an address is this machine's: the one that it would itself use to go there. Nothing is sent."""
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
