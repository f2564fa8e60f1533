"""A client made of memory: `say`, `hear`, `hang_up`; and a browser thread whose every answer is scripted."""

import contextlib
import itertools
import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from typing import Any

import attrs
import trio

from agentbrowser.browser.portal import Portal
from agentbrowser.browser.tabs import Tabs
from agentbrowser.config import Config
from agentbrowser.policy.secrets import Secret, SecretStore
from agentbrowser.policy.subscriptions import DEFAULT, Subscriptions
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.registry import Scope, TabState
from agentbrowser.protocol.types.snapshot import SessionSnapshot
from agentbrowser.server.corridor.connection import Connection
from agentbrowser.server.gate.memory_transport import MemoryTransport, memory_pair
from agentbrowser.server.sessions.session import Session

HEARING_S = 100.0
"""Virtual seconds: the clock jumps."""


@attrs.define
class FakeSnapshots:
    """Snapshots of a fake browser, set by the test."""

    show: Callable[[SessionSnapshot], object] | None = None
    lose: Callable[[], object] | None = None
    snapshot: SessionSnapshot | None = attrs.field(factory=SessionSnapshot)
    reopened: list[SessionSnapshot] = attrs.field(factory=list)

    def begin(self, show: Callable[[SessionSnapshot], object], lost: Callable[[], object]) -> None:
        self.show, self.lose = show, lost

    def note_action(self) -> None: ...

    def renew(self) -> None:
        if self.show is not None:
            self.show(SessionSnapshot())

    def end(self) -> None:
        self.show = self.lose = None

    async def take(self) -> SessionSnapshot | None:
        return self.snapshot

    async def reopen(self, snapshot: SessionSnapshot) -> list[str]:
        self.reopened.append(snapshot)
        self.snapshot = snapshot
        return []

    async def give_up(self, snapshot: SessionSnapshot, reason: str) -> list[str]:
        return [page.page_id for page in snapshot.pages]


@attrs.define
class FakePageRecorder:
    """Recorder of pages that takes no pictures."""

    def note_action(self, tab: Any) -> None: ...


@attrs.define
class FakeContexts:
    snapshots: FakeSnapshots = attrs.field(factory=FakeSnapshots)


@attrs.define
class FakeTab:
    """A page of which only the offered steps are recorded."""

    tabs: Any
    offered: list[tuple[str, Any]] = attrs.field(factory=list)
    """The steps on offer, at most one."""

    @property
    def actions(self) -> "FakeTab":
        return self

    @property
    def lookahead(self) -> "FakeTab":
        return self

    @property
    def settler(self) -> "FakeTab":
        return self

    @property
    def hold(self) -> "FakeTab":
        return self

    @contextlib.contextmanager
    def interrupts(self) -> Iterator[None]:
        yield

    @contextlib.asynccontextmanager
    async def acting(self, *, is_replacing: bool) -> AsyncIterator[None]:
        yield

    @contextlib.contextmanager
    def offer(self, method: str, params: Any) -> Iterator[None]:
        self.offered.append((method, params))
        yield
        self.offered.pop()


@attrs.define
class FakeSecrets:
    """The secrets that the browser side resolves, and those that it masks in pixels."""

    vault: SecretStore = SecretStore()
    known: list[Secret] = attrs.field(factory=list)

    def remember(self, secrets: Iterable[Secret]) -> None:
        self.known.extend(secrets)


@attrs.define
class FakeTabs:
    """Answers every handler's call to the browser with what the script says, after what it waits for."""

    offered: list[tuple[str, Any]] = attrs.field(factory=list)
    opened: list[str] = attrs.field(factory=list)
    listens_to: Subscriptions = DEFAULT
    closed: bool = False
    blocked_navigations: int = 0
    contexts: FakeContexts = attrs.field(factory=FakeContexts)
    secrets: FakeSecrets = attrs.field(factory=FakeSecrets)
    page_recorder: FakePageRecorder = attrs.field(factory=FakePageRecorder)

    async def serve(
        self, handler: Callable[..., Awaitable[Any]], params: Any, fresh: str | None, state: TabState | None
    ) -> Any:
        if fresh is not None:
            self.opened.append(fresh)
        return await handler(self if state is None else await self.tab(params.page_id), params)

    async def browse(self, work: Callable[[Any], Awaitable[Any]]) -> Any:
        return await work(self)

    async def tab(self, _: str | None) -> FakeTab:
        return FakeTab(self, self.offered)

    def listen(self, subscriptions: Subscriptions) -> None:
        self.listens_to = subscriptions

    async def close(self) -> None:
        self.closed = True


class FakePortal(Portal):
    """Runs the work in Trio itself."""

    def __init__(self) -> None: ...

    async def run(self, afn: Callable[..., Awaitable[Any]], *args: Any) -> Any:  # type: ignore[override]
        await trio.lowlevel.checkpoint()
        return await afn(*args)

    def call_in_trio(self, news: Callable[..., object], *args: object) -> None:
        news(*args)


@attrs.define
class Client:
    """The client's side of a dialogue with a server that is only a connection."""

    transport: MemoryTransport
    session: Session
    tabs: FakeTabs
    connection: Connection
    _heard: deque[dict[str, Any]] = attrs.field(factory=deque)

    async def say(self, message: Any) -> None:
        """Send a message: text as it is, anything else as JSON."""
        text = message if isinstance(message, str) else json.dumps(message)
        await self.transport.send(text.encode())

    async def ask(self, id_: Any, method: str, **params: Any) -> None:
        """Send a request."""
        await self.say({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})

    async def hear(self) -> dict[str, Any]:
        """Return the next message of the server."""
        with trio.fail_after(HEARING_S):
            heard: dict[str, Any] = json.loads(await self.transport.receive())
        return heard

    async def hear_all(self, count: int) -> dict[Any, dict[str, Any]]:
        """Return the next messages by their ids."""
        return {heard["id"]: heard for heard in [await self.hear() for _ in range(count)]}

    async def hang_up(self) -> None:
        """Leave."""
        await self.transport.close()


@contextlib.asynccontextmanager
async def dialogue(config: Config | None = None, scope: Scope = Scope.STANDARD) -> AsyncIterator[Client]:
    """Open a connection to a server whose browser is scripted."""
    config = config or Config()
    tabs = FakeTabs()
    rules = UrlRules.compile(allowed_domains=config.allowed_domains, private_network="ask-first", own_ports=[9222])
    session = Session(
        scope=scope,
        config=config,
        rules=rules,
        portal=FakePortal(),
        tabs=_as_tabs(tabs),
        ids=map("page-{}".format, itertools.count(1)),
    )
    peer, transport = memory_pair()
    connection = Connection(peer=peer, session=session, config=config)
    session.notify = connection.notify
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.serve)
        yield Client(transport, session, tabs, connection)
        await transport.close()
        nursery.cancel_scope.cancel()


def _as_tabs(fake: Any) -> Tabs:
    tabs: Tabs = fake
    return tabs
