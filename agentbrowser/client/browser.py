"""The client's side of the corridor: typed calls, errors as the same classes, events as they come."""

import contextlib
import itertools
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from typing import Any, Final, ParamSpec, TypeVar

import attrs
import trio

from agentbrowser import wire
from agentbrowser.client.transport import ConnectionLost, Transport, open_websocket
from agentbrowser.codec import structure, unstructure
from agentbrowser.errors import AgentBrowserError, InvalidParams
from agentbrowser.methods import EVENTS
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.registry import Method
from agentbrowser.types.event import DEFAULT_KINDS, Dropped, PublicEvent

P = ParamSpec("P")
ResultT = TypeVar("ResultT")

MAX_WAITING_EVENTS: Final = 10_000

_Listener = trio.MemorySendChannel[PublicEvent]


@attrs.define(eq=False)
class _Waiting:
    """A request whose answer is awaited."""

    arrived: trio.Event = attrs.field(factory=trio.Event)
    message: wire.Reply | wire.Fault | None = None


@attrs.define(eq=False)
class Browser:
    """A connection to a server. Calls may overlap; those on one page happen in the order they were made."""

    transport: Transport
    dropped: Counter[str] = attrs.field(factory=Counter, init=False)
    """How many events of each kind were lost, here or on the way."""
    _ids: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    _waiting: dict[wire.Id, _Waiting] = attrs.field(factory=dict, init=False)
    _listeners: dict[_Listener, frozenset[str]] = attrs.field(factory=dict, init=False)
    _lost: ConnectionLost | None = attrs.field(default=None, init=False)

    async def call(self, method: Method[P, ResultT], *args: P.args, **kwargs: P.kwargs) -> ResultT:
        """Call a method with its params as keywords: ``await browser.call(page.navigate, url="https://…")``.

        Raises:
          AgentBrowserError: what the server answered, as the class of its code.
          ConnectionLost: the connection ended before the answer came.

        Cancel: the server is told to cancel the request.
        """
        result = await self.request(method.name, unstructure(method.params(*args, **kwargs)))
        return structure(method.result, result)

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data.

        Raises:
          AgentBrowserError: what the server answered, as the class of its code.
          ConnectionLost: the connection ended before the answer came.

        Cancel: the server is told to cancel the request.
        """
        if self._lost is not None:
            raise self._lost
        id_ = next(self._ids)
        waiting = self._waiting[id_] = _Waiting()
        try:
            await self.transport.send(wire.encode(wire.Request(id_, method, params)))
            await waiting.arrived.wait()
        except trio.Cancelled:
            await self._tell_cancelled(id_)
            raise
        finally:
            del self._waiting[id_]
        match waiting.message:
            case wire.Reply(_, result):
                return result
            case wire.Fault(_, error):
                raise error
        raise ConnectionLost("The connection to the server was lost before the answer came.")

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification; nothing answers it."""
        await self.transport.send(wire.encode(wire.Notification(method, params)))

    @contextlib.asynccontextmanager
    async def events(self, *kinds: str) -> AsyncIterator[AsyncIterator[PublicEvent]]:
        """Subscribe to kinds of events and iterate over what comes in, until the connection ends.

        Events that come faster than they are taken are lost, and counted in ``dropped``.

        Use it as ``async with browser.events("console") as events: async for event in events: …``.
        """
        send, receive = trio.open_memory_channel[PublicEvent](MAX_WAITING_EVENTS)
        self._listeners[send] = frozenset(kinds)
        try:
            await self.request("events/subscribe", {"events": list(kinds)})
            with receive:
                yield receive
        finally:
            del self._listeners[send]
            send.close()
            await self._unsubscribe(set(kinds) - DEFAULT_KINDS - set().union(*self._listeners.values()))

    async def run(self) -> None:
        """Take in what the server sends, until the connection ends. [trio]"""
        try:
            while True:
                self._take(wire.parse(await self.transport.receive()))
        except ConnectionLost as error:
            self._lost = error
        except wire.BadMessage as bad:
            self._lost = ConnectionLost(f"The server sent something that is no message: {bad}")
        for waiting in self._waiting.values():
            waiting.arrived.set()
        for listener in self._listeners:
            listener.close()

    def _take(self, message: wire.Message) -> None:
        match message:
            case wire.Reply(id_) | wire.Fault(id_) if id_ in self._waiting:
                self._waiting[id_].message = message
                self._waiting[id_].arrived.set()
            case wire.Notification(name, params) if name in EVENTS:
                with contextlib.suppress(InvalidParams):  # an event of a newer server
                    self._hear(structure(EVENTS[name].params, params))
            case _:
                pass  # an answer that nobody waits for any more, or an event of a newer server

    def _hear(self, event: Any) -> None:
        if isinstance(event, Dropped):
            self.dropped[event.event_kind] += event.count
            return
        for listener, kinds in self._listeners.items():
            if getattr(event, "kind", None) in kinds:
                try:
                    listener.send_nowait(event)
                except trio.WouldBlock:
                    self.dropped[event.kind] += 1
                except trio.BrokenResourceError:  # nobody iterates any more
                    continue

    async def _unsubscribe(self, kinds: set[str]) -> None:
        """Spare the pages what nobody here listens to any more."""
        if kinds and self._lost is None:
            with trio.move_on_after(1) as scope, contextlib.suppress(AgentBrowserError):
                scope.shield = True
                await self.request("events/unsubscribe", {"events": sorted(kinds)})

    async def _tell_cancelled(self, id_: wire.Id) -> None:
        with trio.move_on_after(1) as scope, contextlib.suppress(ConnectionLost):
            scope.shield = True
            await self.notify("$/cancelRequest", {"id": id_})


@contextlib.asynccontextmanager
async def over(transport: Transport) -> AsyncIterator[Browser]:
    """Speak to a server over a transport that is open already."""
    browser = Browser(transport)
    async with open_quiet_nursery() as nursery:
        nursery.start_soon(browser.run)
        yield browser
        nursery.cancel_scope.cancel()


@contextlib.asynccontextmanager
async def connect(url: str = "ws://127.0.0.1:9222", *, token: str | None = None) -> AsyncIterator[Browser]:
    """Connect to a server and speak to it: ``async with agentbrowser.connect(url, token=…) as browser:``.

    Raises:
      ConnectionLost: nobody answers, or the server refuses.
    """
    async with open_websocket(url, token) as transport, over(transport) as browser:
        yield browser
