"""A door in the wall, one who wants to go through it, and a server on the other side that counts who came."""

import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from ipaddress import ip_address
from typing import Any

import attrs
import trio

from agentbrowser.policy.urls import Address, UrlRules
from agentbrowser.server.egress.proxy import EgressLimits, EgressProxy, SessionProxy
from agentbrowser.server.gate.byte_stream import abort

LIMIT_S = 40.0
GREETING = b"\x05\x01\x00"
GRANTED, FAILED, DENIED, UNREACHABLE, REFUSED, NO_COMMAND, NO_ADDRESS = 0, 1, 2, 4, 5, 7, 8


@attrs.define
class Zone:
    """A name server: each name has answers, the last of which it gives for ever; a name without any has no address."""

    answers: dict[str, list[Any]] = attrs.field(factory=dict)
    asked: list[str] = attrs.field(factory=list)
    silent: bool = False

    async def resolve(self, name: str) -> Sequence[Address]:
        self.asked.append(name)
        await trio.lowlevel.checkpoint()
        if self.silent:
            await trio.sleep_forever()
        left = self.answers.get(name)
        if not left:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        answer = left.pop(0) if len(left) > 1 else left[0]
        return [ip_address(one) for one in answer.split()]


@attrs.define
class Spy:
    """A server on loopback."""

    port: int
    came: int = 0
    heard: bytes = b""


Behaviour = Callable[[trio.SocketStream, Spy], Awaitable[None]]


async def echo(stream: trio.SocketStream, spy: Spy) -> None:
    """Send everything back, and end when the other side does."""
    async for data in stream:
        spy.heard += data
        await stream.send_all(data)
    await stream.send_eof()


async def swallow(stream: trio.SocketStream, spy: Spy) -> None:
    async for data in stream:
        spy.heard += data


async def silence(stream: trio.SocketStream, spy: Spy) -> None:
    await trio.sleep_forever()


async def reset(stream: trio.SocketStream, spy: Spy) -> None:
    await stream.send_all(b"half an ans")
    spy.heard += await stream.receive_some(100)
    await abort(stream)


async def last_words(stream: trio.SocketStream, spy: Spy) -> None:
    """Answer only after the other side has ended its own."""
    async for data in stream:
        spy.heard += data
    await stream.send_all(b"got " + spy.heard)


@contextlib.asynccontextmanager
async def open_spy(behaviour: Behaviour = echo, host: str = "127.0.0.1") -> AsyncIterator[Spy]:
    """Listen for as long as the block lasts."""
    (listener,) = await trio.open_tcp_listeners(0, host=host)
    spy = Spy(int(listener.socket.getsockname()[1]))

    async def attend(stream: trio.SocketStream) -> None:
        spy.came += 1
        with contextlib.suppress(trio.BrokenResourceError):
            await behaviour(stream, spy)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, attend, [listener])
        yield spy
        nursery.cancel_scope.cancel()


@attrs.define
class Guest:
    """A connection to the door."""

    stream: trio.SocketStream

    async def send(self, data: bytes) -> None:
        await self.stream.send_all(data)

    async def hear(self, count: int) -> bytes:
        """Return that many bytes, or fewer if the door closes before."""
        heard = b""
        with trio.fail_after(LIMIT_S):
            while len(heard) < count and (data := await self.stream.receive_some(count - len(heard))):
                heard += data
        return heard

    async def rest(self) -> bytes:
        return await self.hear(1 << 30)

    async def greet(self) -> None:
        await self.send(GREETING)
        assert await self.hear(2) == b"\x05\x00"

    async def ask(self, host: str, port: int) -> int:
        """Ask for a host and return the code of the answer."""
        await self.greet()
        await self.send(request(host, port))
        answer = await self.hear(10)
        assert len(answer) == 10
        assert answer[0] == 5
        return answer[1]


def request(host: str | bytes, port: int, *, command: int = 1, kind: int | None = None) -> bytes:
    """Return a request: for an address if the host is written as one, else for a name."""
    head = bytes((5, command, 0))
    try:
        raw = ip_address(host).packed if isinstance(host, str) else ip_address("x").packed
        place = bytes((kind or (1 if len(raw) == 4 else 4),)) + raw
    except ValueError:
        raw = host.encode() if isinstance(host, str) else host
        place = bytes((kind or 3, len(raw))) + raw
    return head + place + port.to_bytes(2, "big")


@attrs.define
class Doorway:
    """A door, and what is behind it."""

    door: SessionProxy
    egress: EgressProxy
    zone: Zone
    private: list[bool]

    @contextlib.asynccontextmanager
    async def guest(self) -> AsyncIterator[Guest]:
        async with await trio.open_tcp_stream("127.0.0.1", self.door.port) as stream:
            yield Guest(stream)

    async def ask(self, host: str, port: int) -> int:
        async with self.guest() as guest:
            return await guest.ask(host, port)

    @property
    def reasons(self) -> list[str]:
        return [denial.reason for denial in self.door.denial_log.denials]

    async def until(self, condition: Callable[[], bool]) -> None:
        with trio.fail_after(LIMIT_S):
            while not condition():  # noqa: ASYNC110 - sockets give no event
                await trio.sleep(0.005)

    async def empty(self) -> None:
        """Wait until nobody is in the door."""
        await self.until(lambda: self.door.connections == 0)


@contextlib.asynccontextmanager
async def open_doorway(
    *allowed: str,
    zone: Zone | None = None,
    private_open: bool = False,
    private: Any = "ask-first",
    own: tuple[int, ...] = (),
    **limits: Any,
) -> AsyncIterator[Doorway]:
    """Open a door for a client, under rules and limits of the test's choice."""
    zone = zone or Zone()
    rules = UrlRules.compile(allowed_domains=allowed or None, private_network=private, own_ports=own)
    egress = EgressProxy(rules, limits=EgressLimits(**limits), resolver=lambda: zone.resolve)
    opened = [private_open]
    with trio.fail_after(LIMIT_S):
        async with egress.open_session_proxy("test", lambda: opened[-1]) as door:
            yield Doorway(door, egress, zone, opened)
