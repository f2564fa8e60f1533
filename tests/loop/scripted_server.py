"""A whole server whose browser is scripted, and clients of it that come, lose their connections, and come back."""

import contextlib
import itertools
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.browser.engine.pool import EnginePool
from agentbrowser.config import Config
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.registry import Scope
from agentbrowser.server import app
from agentbrowser.server.app import Server
from agentbrowser.server.gate.accept import Gate
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import MemoryPeer, MemoryTransport
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.snapshots import SessionSnapshots
from tests.loop.memory_client import HEARING_S, FakePortal, FakeTabs

OPEN = Grant(Scope.STANDARD, "open")
ONE = Grant(Scope.STANDARD, "one", digest=b"one")
TWO = Grant(Scope.STANDARD, "two", digest=b"two")

Message = dict[str, Any]


@attrs.define(eq=False)
class Peer(MemoryPeer):
    """An end of memory that knows how it was closed."""

    code: int | None = None

    async def close(self, code: int, reason: str = "") -> None:
        if self.code is None:
            self.code = code
        await super().close(code, reason)


@attrs.define
class SessionProxy:
    closed: bool = False
    rules: UrlRules = attrs.field(
        factory=lambda: UrlRules.compile(allowed_domains=None, private_network="ask-first", own_ports=[9222])
    )

    async def close(self) -> None:
        self.closed = True


@attrs.define
class EgressProxy:
    def add_session_proxy(self, *_: Any) -> SessionProxy:
        return SessionProxy()


@attrs.define
class Guest:
    """A client, by one of its connections."""

    peer: MemoryPeer
    transport: MemoryTransport
    gone: trio.Event = attrs.field(factory=trio.Event)
    notes: deque[Message] = attrs.field(factory=deque)
    _ids: int = 0

    async def send(self, method: str, **params: Any) -> int:
        """Send a request."""
        self._ids += 1
        message = {"jsonrpc": "2.0", "id": self._ids, "method": method, "params": params}
        await self.transport.send(json.dumps(message).encode())
        return self._ids

    async def hear(self) -> Message:
        """Return the next message of the server."""
        with trio.fail_after(HEARING_S):
            heard: Message = json.loads(await self.transport.receive())
        return heard

    async def answer(self, id_: int) -> Message:
        """Return the answer to a request, keeping the notifications before it."""
        while (heard := await self.hear()).get("id") != id_:
            assert "method" in heard, heard
            self.notes.append(heard)
        return heard

    async def call(self, method: str, **params: Any) -> Message:
        """Send a request and return its result, or its error."""
        answer = await self.answer(await self.send(method, **params))
        result: Message = answer["result"] if "result" in answer else answer["error"]
        return result

    async def initialize(self, id_: str = "s", **params: Any) -> Message:
        return await self.call("initialize", sessionId=id_, **params)

    async def note(self) -> Message:
        """Return the next notification."""
        return self.notes.popleft() if self.notes else await self.hear()

    @property
    def code(self) -> int | None:
        """What the server closed the connection with."""
        return self.peer.code if isinstance(self.peer, Peer) else None

    async def hang_up(self) -> None:
        """Lose the connection, and wait until the server has noticed."""
        await self.transport.close()
        with trio.fail_after(HEARING_S):
            await self.gone.wait()


@attrs.define
class Inn:
    """The server."""

    server: Server
    nursery: trio.Nursery
    opened: list[Session]

    async def guest(self, grant: Grant = OPEN) -> Guest:
        """Have a client connect."""
        to_server, from_client = trio.open_memory_channel[str](16)
        to_client, from_server = trio.open_memory_channel[str](0)
        guest = Guest(Peer(from_client, to_client), MemoryTransport(from_server, to_server))
        self.nursery.start_soon(self._serve, guest, grant)
        return guest

    async def _serve(self, guest: Guest, grant: Grant) -> None:
        await self.server.serve(guest.peer, grant)
        guest.gone.set()

    @property
    def open_pages(self) -> int:
        """How many sessions have not been closed."""
        return sum(not tabs_of(session).closed for session in self.opened)


def tabs_of(session: Session) -> FakeTabs:
    tabs: Any = session.tabs
    assert isinstance(tabs, FakeTabs)
    return tabs


@contextlib.asynccontextmanager
async def open_inn(
    monkeypatch: pytest.MonkeyPatch, *, snapshots: SessionSnapshots | None = None, **settings: Any
) -> AsyncIterator[Inn]:
    opened: list[Session] = []

    def open_session(*, grant: Grant, config: Config, approvals: Any, session_proxy: Any, **_: Any) -> Session:
        tabs: Any = FakeTabs()
        session = Session(
            scope=grant.scope,
            config=config,
            rules=session_proxy.rules,
            portal=FakePortal(),
            tabs=tabs,
            ids=map("page-{}".format, itertools.count(1)),
            approvals=approvals,
            session_proxy=session_proxy,
        )
        opened.append(session)
        return session

    monkeypatch.setattr(app, "open_session", open_session)
    fakes: dict[str, Any] = {"egress": EgressProxy(), "portal": FakePortal(), "engines": EnginePool(Config())}
    async with trio.open_nursery() as nursery:
        server = Server(
            config=Config(**settings),
            gate=Gate(Config(**settings)),
            nursery=nursery,
            snapshots=snapshots or SessionSnapshots(),
            **fakes,
        )
        yield Inn(server, nursery, opened)
        nursery.cancel_scope.cancel()
