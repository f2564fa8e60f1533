"""The line to a server: requests and their answers, events, and a new connection when one is lost. [trio]"""

import contextlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Final
from weakref import WeakSet

import attrs
import trio

from agentbrowser.client.connection.handshake import Hello
from agentbrowser.client.connection.pending_request import Flight
from agentbrowser.client.connection.reconnect import NEVER, LineChange, LineState, Reconnect
from agentbrowser.client.connection.streams import Streams
from agentbrowser.client.connection.transport import ConnectionLost, Transport
from agentbrowser.client.subscriptions import CHANGES, Ear, kinds_of, news_of
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.types.event import DEFAULT_KINDS, Dropped, EventFilter

Open = Callable[[], AbstractAsyncContextManager[Transport]]

HELLO_TIMEOUT_S: Final = 60.0
"""How long the server may take to let the client in; it may have pages to open again."""
_SUBSCRIBE: Final = "events/subscribe"
_FAREWELL_S: Final = 2.0
"""How long telling the server may take that the client leaves, or wants something no more."""


@attrs.define(eq=False, kw_only=True)
class Line:
    """What is sent to a server and heard from it, over one connection after another."""

    open: Open = attrs.field(repr=False)
    """Makes a connection; it holds the token, so it is never shown, and nor is the hello with its secret."""
    hello: Hello | None = attrs.field(default=None, repr=False)
    """What is said first on each connection; None where the server is not to keep anything beyond it."""
    reconnect: Reconnect = NEVER
    state: LineState = attrs.field(default="connecting", init=False)
    dropped: Counter[str] = attrs.field(factory=Counter, init=False)
    _transport: Transport = attrs.field(init=False, repr=False)
    _nursery: trio.Nursery = attrs.field(init=False)
    """Of the connection."""
    _outbox: trio.MemorySendChannel[bytes] = attrs.field(init=False)
    """What one task sends, so that nobody who is cancelled leaves half a message on the wire."""
    _written: trio.Event = attrs.field(init=False)
    """The outbox is closed and empty."""
    _is_up: bool = attrs.field(default=False, init=False)
    _has_left: bool = attrs.field(default=False, init=False)
    _over: trio.Event = attrs.field(factory=trio.Event, init=False)
    _why: ConnectionLost | None = attrs.field(default=None, init=False)
    """Why the latest connection ended."""
    _ids: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    _flights: dict[wire.Id | None, Flight] = attrs.field(factory=dict, init=False, repr=False)
    _streams: Streams = attrs.field(factory=Streams, init=False)
    _ears: "WeakSet[Ear]" = attrs.field(factory=WeakSet, init=False)
    _subscribed: dict[str, dict[str, Any]] = attrs.field(factory=dict, init=False)
    """The kinds of events that the server was asked for, each with what was said of it besides."""

    @property
    def told(self) -> Any:
        """What the server has answered to the hello, as plain data; None where none was said."""
        return self.hello and self.hello.answer

    # What a client does

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data. [trio]

        While there is no connection, it waits for one.

        Raises:
          AgentBrowserError: what the server answered, as the class of its code.
          ConnectionLost: the connection ended before the answer came, and the request could not be repeated.
          ResourceLimitExceeded: it is larger than what the server takes; nothing was sent.
          TypeError: the params are no plain data.

        Cancel: the server is told to cancel the request.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
        return await self.ask(method, params)

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Coroutine[Any, Any, Any]:
        """Send a request at once, and return what waits for its answer, as `request` does."""
        self._check_open()
        flight = Flight.of(next(self._ids), method, params, keyed=self.hello is not None)
        self._check_size(flight)
        self._flights[flight.id] = flight
        if self._is_up:
            self._send(flight)
        return self._arrival(flight)

    async def _arrival(self, flight: Flight) -> Any:
        try:
            await self._streams.arrival(flight)
        except trio.Cancelled:
            self._tell_cancelled(flight)
            raise
        finally:
            del self._flights[flight.id]
            self._streams.forget(flight)
        return flight.result()

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification; nothing answers it. [trio]

        Raises:
          ConnectionLost: there is no connection now.
        """
        await trio.lowlevel.checkpoint()
        self._check_open()
        if not self._is_up:
            raise ConnectionLost("There is no connection to the server now.")
        self._outbox.send_nowait(wire.encode(wire.Notification(method, params)))

    async def hear(self, names: frozenset[str], filter: EventFilter | None = None) -> Ear:
        """Return what hears the news of these names from now on; the server is asked for them if need be. [trio]"""
        self._check_open()
        ear = Ear(names)
        self._ears.add(ear)
        if kinds := kinds_of(names):
            said = {"filter": unstructure(filter)} if filter else {}
            await self.request(_SUBSCRIBE, {"events": sorted(kinds), **said})
            self._subscribed |= dict.fromkeys(sorted(kinds), said)
        return ear

    async def unhear(self, ear: Ear) -> None:
        """Let go of what hears, and spare the pages what nobody here listens to any more. [trio]"""
        self._ears.discard(ear)
        ear.close()
        await self._unsubscribe()

    async def _unsubscribe(self) -> None:
        kinds = self._unheard_kinds()
        if kinds and self._is_up:
            for kind in kinds:
                del self._subscribed[kind]
            with trio.move_on_after(_FAREWELL_S) as scope, contextlib.suppress(AgentBrowserError):
                scope.shield = True
                await self.request("events/unsubscribe", {"events": sorted(kinds)})

    async def leave(self) -> None:
        """End the session, so that the server need not wait for the client, and the connection, if there is one. [trio]

        Cancel: is put off until it is done, which takes 2 s at most.
        """
        self._has_left = True
        if not self._is_up:
            return
        with trio.move_on_after(_FAREWELL_S) as scope:
            scope.shield = True
            if self.hello is not None and self.hello.ends_session:
                with contextlib.suppress(AgentBrowserError):
                    await self.request("shutdown")
            self._is_up = False
            self._outbox.close()
            await self._written.wait()
            self._nursery.cancel_scope.cancel()
            await self._over.wait()

    # One connection after another

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Connect, take in what the server sends, and connect again, until that can't be had any more. [trio]

        Raises:
          ConnectionLost: the first connection could not be made; what is lost later is told to those who wait.
          AgentBrowserError: the server does not take what the client says of itself.
        """
        try:
            why = await self._attend(task_status.started)
            if self.state == "connecting":
                raise why
            self._close(await self._come_back(why))
        finally:
            if self.state != "closed":
                self._close(ConnectionLost("The client is closed.", retryable=False))
            self._over.set()

    async def _come_back(self, why: ConnectionLost) -> ConnectionLost:
        """Connect again and again, and return why that came to an end."""
        waits = list(self.reconnect.waits_s())
        attempt = 0
        while why.retryable and attempt < len(waits) and not self._has_left:
            self._change(LineChange(state="reconnecting", attempt=attempt + 1, wait_s=waits[attempt], error=why))
            await trio.sleep(waits[attempt])
            attempt += 1
            why = await self._attend()
            if self.state == "connected":  # until just now
                waits, attempt = list(self.reconnect.waits_s()), 0
        return why.with_details(attempts=attempt or None)

    async def _attend(self, up: Callable[[], None] = lambda: None) -> ConnectionLost:
        """Have one connection for as long as it lasts, and return why it ended, or was not to be had."""
        try:
            async with self.open() as self._transport, open_quiet_nursery() as self._nursery:
                self._outbox, letters = trio.open_memory_channel[bytes](math.inf)
                self._written = trio.Event()
                self._nursery.start_soon(self._write, letters, self._written)
                self._nursery.start_soon(self._listen)
                await self._set_up()
                up()
        except ConnectionLost as why:
            return why
        except AgentBrowserError as error:
            if self.state == "connecting":
                raise
            return ConnectionLost(
                f"The server did not take the client back: {error.message}", retryable=error.retryable
            )
        return self._why or ConnectionLost("The client is closed.", retryable=False)

    async def _write(self, letters: trio.MemoryReceiveChannel[bytes], written: trio.Event) -> None:
        try:
            with contextlib.suppress(ConnectionLost):  # what listens hears of it as well, and sees to it
                async for letter in letters:
                    await self._transport.send(letter)
        finally:
            written.set()

    async def _listen(self) -> None:
        self._why = None
        try:
            while True:
                text = await self._transport.receive()
                self._take(wire.parse(text), text)
        except ConnectionLost as error:
            self._why = error
        except wire.BadMessage as bad:
            self._why = ConnectionLost(f"The server sent something that is no message: {bad}")
        self._is_up = False
        self._nursery.cancel_scope.cancel()

    async def _set_up(self) -> None:
        """Say hello, have what was wanted before, and send what waits to be sent."""
        restored: str | None = None
        with trio.move_on_after(HELLO_TIMEOUT_S) as patience:
            if self.hello is not None:
                restored = await self._introduce(self.hello)
            self._settle(restored)
            if self.state == "reconnecting" and restored != "warm":
                for kind, said in [*self._subscribed.items()]:
                    await self._ask_now(_SUBSCRIBE, {"events": [kind], **said})
        if patience.cancelled_caught:
            raise ConnectionLost(f"The server did not answer the hello in {HELLO_TIMEOUT_S:.0f} s.")
        for flight in self._flights.values():
            if not flight.is_sent:
                self._send(flight)
        self._is_up = True
        self._change(LineChange(state="connected", restored=restored))

    def _settle(self, restored: str | None) -> None:
        """Let those know whose requests can't be repeated."""
        for flight in self._flights.values():
            if not flight.survives(restored):
                flight.end(flight.lost(self._lost_for(restored)))

    async def _introduce(self, hello: Hello) -> str | None:
        """Say hello, and return what the server has kept of the session."""
        if self.state == "connecting":
            await self._ask_now("initialize", hello.params(), hello.heard)
            return hello.restored
        try:
            await self._ask_now("initialize", hello.params(), hello.heard)
        except InvalidParams:
            hello.begin_anew()
            await self._ask_now("initialize", hello.params(), hello.heard)
        return hello.restored

    async def _ask_now(
        self, method: str, params: Mapping[str, Any], heard: Callable[[Any], None] | None = None
    ) -> None:
        """Ask on this connection, whatever the state; what listens cancels it if the connection is lost."""
        flight = Flight.of(next(self._ids), method, params, keyed=False)
        flight.heard = heard
        self._flights[flight.id] = flight
        try:
            self._send(flight)
            await flight.over.wait()
        finally:
            del self._flights[flight.id]
        flight.result()

    def _send(self, flight: Flight) -> None:
        flight.is_sent = True
        self._outbox.send_nowait(flight.message)

    def _close(self, why: ConnectionLost) -> None:
        self._why = why
        self._change(LineChange(state="closed", error=why))
        for flight in self._flights.values():
            flight.end(flight.lost(why))
        for ear in self._ears:
            ear.end(None if self._has_left else why)

    def _check_open(self) -> None:
        if self.state == "closed" and self._why is not None:
            raise self._why.again()

    def _check_size(self, flight: Flight) -> None:
        limit = self.hello.max_message_bytes if self.hello else None
        if limit is not None and len(flight.message) > limit:
            raise ResourceLimitExceeded(
                f"{flight.method} would take {len(flight.message)} bytes, and the server takes {limit} at most.",
                resource="message",
                limit=limit,
                current=len(flight.message),
            )

    # What comes in

    def _take(self, message: wire.Message, text: str) -> None:
        match message:
            case wire.Reply(id_) | wire.ErrorReply(id_) if id_ in self._flights:
                self._streams.take(self._flights[id_], message, text)
            case wire.Notification(name, params):
                if not self._streams.take_piece(name, params) and self._is_news(params):
                    self._hear(name, news_of(name, params))
                if self._unheard_kinds():  # an iteration was left without a word
                    self._nursery.start_soon(self._unsubscribe)
            case _:
                pass  # an answer that nobody waits for any more

    def _is_news(self, params: Any) -> bool:
        return self.hello is None or not isinstance(params, dict) or self.hello.is_news(params.get("seq"))

    def _hear(self, name: str, news: Any) -> None:
        if isinstance(news, Dropped):
            self.dropped[news.event_kind] += news.count
        elif news is not None:
            ears = [ear for ear in self._ears if name in ear.names]
            if lost := sum(not ear.put(news) for ear in ears):
                self.dropped[name.rpartition("/")[2]] += lost

    def _change(self, change: LineChange) -> None:
        self.state = change.state
        self._hear(CHANGES, change)

    def _unheard_kinds(self) -> set[str]:
        """Return what the server was asked for, and nobody here listens to any more."""
        heard = kinds_of(frozenset().union(*(ear.names for ear in self._ears)))
        return self._subscribed.keys() - DEFAULT_KINDS - heard

    def _tell_cancelled(self, flight: Flight) -> None:
        if flight.is_sent and self._is_up:
            self._outbox.send_nowait(wire.encode(wire.Notification("$/cancelRequest", {"id": flight.id})))
            for name in self._streams.of(flight):
                cancel = wire.Request(next(self._ids), "stream/cancel", {"streamId": name})
                self._outbox.send_nowait(wire.encode(cancel))

    @staticmethod
    def _lost_for(restored: str | None) -> ConnectionLost:
        if restored is None:
            return ConnectionLost("The server does not know the session any more: its pages are gone.")
        return ConnectionLost("It was not repeated, since it may have acted.")
