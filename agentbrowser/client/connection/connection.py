"""Connection of a client to its server: requests, replies, events and reconnection. [trio]"""

import contextlib
import itertools
import math
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

import attrs
import trio

from agentbrowser.client.connection.handshake import Handshake
from agentbrowser.client.connection.pending_request import FAULTY_MESSAGE_CODES, PendingRequest, check_timeout
from agentbrowser.client.connection.reconnect import (
    NEVER,
    ConnectionChange,
    ConnectionState,
    Reconnect,
    first_waits_s,
)
from agentbrowser.client.connection.streams import IncomingStreams
from agentbrowser.client.connection.transport import ConnectionLost, Transport
from agentbrowser.client.subscriptions import CONNECTION_CHANGES, EventReader, Subscription, kind_of, kinds_of
from agentbrowser.client.typed import unstructure
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams, ResourceLimitExceeded

if TYPE_CHECKING:
    from agentbrowser.protocol.types.event import EventFilter

Open = Callable[[], AbstractAsyncContextManager[Transport]]

HANDSHAKE_TIMEOUT_S: Final = 60.0
"""Deadline of the handshake; restoring a session's pages takes time."""
_SUBSCRIBE: Final = "events/subscribe"
_CLOSE_TIMEOUT_S: Final = 2.0
"""Deadline of the requests that end a session or a subscription."""


@attrs.define(eq=False, kw_only=True)
class ClientConnection:
    """A logical connection to a server, over one transport after another."""

    open: Open = attrs.field(repr=False)
    """Opens a transport. It holds the token, so its repr is hidden, as is the handshake with its secret."""
    handshake: Handshake | None = attrs.field(default=None, repr=False)
    """First request on each transport; None without a session that outlives the transport."""
    reconnect: Reconnect = NEVER
    wait_s: float = 0.0
    """Seconds in which the first connection is retried while no server answers."""
    state: ConnectionState = attrs.field(default="connecting", init=False)
    dropped: Counter[str] = attrs.field(factory=Counter, init=False)
    _events: EventReader = attrs.field(
        default=attrs.Factory(lambda self: EventReader(self.dropped), takes_self=True), init=False
    )
    _transport: Transport = attrs.field(init=False, repr=False)
    _nursery: trio.Nursery = attrs.field(init=False)
    """Nursery of the present transport."""
    _outbox: trio.MemorySendChannel[bytes] = attrs.field(init=False)
    """Messages for the writer task: only it sends, so that a cancelled caller never leaves half a message."""
    _written: trio.Event = attrs.field(init=False)
    """Set once the outbox is closed and empty."""
    _is_up: bool = attrs.field(default=False, init=False)
    _is_closing: bool = attrs.field(default=False, init=False)
    _finished: trio.Event = attrs.field(factory=trio.Event, init=False)
    _close_reason: ConnectionLost | None = attrs.field(default=None, init=False)
    """Error of the latest lost transport."""
    _ids: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    _pending: dict[wire.Id | None, PendingRequest] = attrs.field(factory=dict, init=False, repr=False)
    _streams: IncomingStreams = attrs.field(factory=IncomingStreams, init=False)
    _subscriptions: "WeakSet[Subscription]" = attrs.field(factory=WeakSet, init=False)
    _subscribed: dict[str, dict[str, Any]] = attrs.field(factory=dict, init=False)
    """Subscribed event kinds, each with the other params of its subscription."""

    @property
    def server_info(self) -> Any:
        """Return the result of ``initialize`` as plain data; None without a handshake."""
        return self.handshake and self.handshake.answer

    # Calls of the client

    async def request(self, method: str, params: Mapping[str, Any] | None = None, timeout_ms: int | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data. [trio]

        While there is no connection, the request waits for one.

        Raises:
          AgentBrowserError: the error of the server, as the class of its code.
          ConnectionLost: the connection ended before the answer came, and the request could not be repeated.
          ResourceLimitExceeded: the request is larger than the server accepts; nothing was sent.
          Timeout: the client's own timeout is over.
          InvalidParams: the params are not plain data.

        Cancel: the server cancels the request.
        """
        await trio.lowlevel.checkpoint_if_cancelled()
        return await self.start_request(method, params, timeout_ms)

    def start_request(
        self, method: str, params: Mapping[str, Any] | None = None, timeout_ms: int | None = None
    ) -> Coroutine[Any, Any, Any]:
        """Send a request at once, and return a coroutine that waits for its result, as `request` does."""
        self._check_open()
        check_timeout(timeout_ms)
        pending = PendingRequest.of(next(self._ids), method, params, keyed=self.handshake is not None)
        self._check_size(pending)
        self._pending[pending.id] = pending
        if self._is_up:
            self._send(pending)
        return self._wait_for_result(pending, timeout_ms)

    async def _wait_for_result(self, pending: PendingRequest, timeout_ms: int | None) -> Any:
        with trio.move_on_after(math.inf if timeout_ms is None else timeout_ms / 1000) as clock:
            try:
                await self._streams.wait_for_result(pending)
            except trio.Cancelled:
                self._send_cancel(pending)
                raise
            finally:
                del self._pending[pending.id]
                self._streams.forget(pending)
        if timeout_ms is not None and clock.cancelled_caught:
            raise pending.timeout_error(timeout_ms)
        return pending.result()

    async def notify(self, method: str, params: Mapping[str, Any] | None = None) -> None:
        """Send a notification, which has no reply. [trio]

        Raises:
          ConnectionLost: there is no connection now.
        """
        await trio.lowlevel.checkpoint()
        self._check_open()
        if not self._is_up:
            raise ConnectionLost("There is no connection to the server now.")
        self._outbox.send_nowait(PendingRequest.notice(method, params))

    async def subscribe(self, names: frozenset[str], filter: "EventFilter | None" = None) -> Subscription:
        """Subscribe to the notifications of these names, also at the server if needed. [trio]"""
        self._check_open()
        subscription = Subscription(names)
        self._subscriptions.add(subscription)
        if kinds := kinds_of(names):
            options = {"filter": unstructure(filter)} if filter else {}
            await self.request(_SUBSCRIBE, {"events": sorted(kinds), **options})
            self._subscribed |= dict.fromkeys(sorted(kinds), options)
        return subscription

    async def unsubscribe(self, subscription: Subscription) -> None:
        """End a subscription, also at the server if it was the last one of its kinds. [trio]"""
        self._subscriptions.discard(subscription)
        subscription.close()
        await self._drop_unused_kinds()

    async def _drop_unused_kinds(self) -> None:
        kinds = self._unused_kinds()
        if kinds and self._is_up:
            for kind in kinds:
                del self._subscribed[kind]
            with trio.move_on_after(_CLOSE_TIMEOUT_S) as scope, contextlib.suppress(AgentBrowserError):
                scope.shield = True
                await self.request("events/unsubscribe", {"events": sorted(kinds)})

    async def aclose(self) -> None:
        """End the session, so that the server need not park it, and the connection. [trio]

        Cancel: deferred until the end, at most 2 s. The block of `connect` then ends within 1 s, the time for a server
        that does not answer to close the connection.
        """
        self._is_closing = True
        if not self._is_up:
            return
        with trio.move_on_after(_CLOSE_TIMEOUT_S) as scope:
            scope.shield = True
            if self.handshake is not None and self.handshake.ends_session:
                with contextlib.suppress(AgentBrowserError):
                    await self.request("shutdown")
            self._is_up = False
            self._outbox.close()
            await self._written.wait()
            self._nursery.cancel_scope.cancel()
            await self._finished.wait()

    # Transports

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Connect, dispatch incoming messages, and reconnect until the schedule is exhausted. [trio]

        Raises:
          ConnectionLost: the first connection failed; later losses are raised in the waiting calls.
          AgentBrowserError: the server refused the handshake.
        """
        try:
            reason = await self._connect_first(task_status.started)
            self._close(await self._reconnect(reason))
        finally:
            if self.state != "closed":
                self._close(ConnectionLost("The client is closed.", retryable=False))
            self._finished.set()

    async def _connect_first(self, opened: Callable[[], None]) -> ConnectionLost:
        """Run the first transport, which may have to wait for the server; return the error that ended it.

        Raises:
          ConnectionLost: no connection was established.
        """
        end_s = trio.current_time() + self.wait_s
        waits = first_waits_s()
        reason = await self._run_transport(opened)
        while self.state == "connecting" and reason.retryable and (left_s := end_s - trio.current_time()) > 0:
            await trio.sleep(min(next(waits), left_s))
            reason = await self._run_transport(opened)
        if self.state == "connecting":
            raise reason.with_details(waited_ms=round(self.wait_s * 1000) or None)
        return reason

    async def _reconnect(self, reason: ConnectionLost) -> ConnectionLost:
        """Reconnect by the schedule, and return the error of the last attempt."""
        waits = self.reconnect.waits_s()
        attempt = 0
        while reason.retryable and not self._is_closing and (wait_s := next(waits, None)) is not None:
            attempt += 1
            if reason.details.get("code") in FAULTY_MESSAGE_CODES:
                self._fail_sent(reason)
            self._set_state(ConnectionChange(state="reconnecting", attempt=attempt, wait_s=wait_s, error=reason))
            await trio.sleep(wait_s)
            reason = await self._run_transport()
            if self.state == "connected":  # this attempt succeeded, and was lost later
                waits, attempt = self.reconnect.waits_s(), 0
        return reason.with_details(attempts=attempt or None)

    async def _run_transport(self, opened: Callable[[], None] = lambda: None) -> ConnectionLost:
        """Run one transport until it ends, and return the error that ended it, or that kept it from opening."""
        try:
            async with self.open() as self._transport, open_quiet_nursery() as self._nursery:
                self._outbox, messages = trio.open_memory_channel[bytes](math.inf)
                self._written = trio.Event()
                self._nursery.start_soon(self._write_messages, messages, self._written)
                self._nursery.start_soon(self._read_messages)
                await self._set_up()
                opened()
        except ConnectionLost as reason:
            return reason
        except AgentBrowserError as error:
            if self.state == "connecting":
                raise
            return ConnectionLost(
                f"The server did not take the client back: {error.message}", retryable=error.retryable
            )
        return self._close_reason or ConnectionLost("The client is closed.", retryable=False)

    async def _write_messages(self, messages: trio.MemoryReceiveChannel[bytes], written: trio.Event) -> None:
        try:
            with contextlib.suppress(ConnectionLost):  # the reader gets the same error, and handles it
                async for message in messages:
                    await self._transport.send(message)
        finally:
            written.set()

    async def _read_messages(self) -> None:
        self._close_reason = None
        try:
            while True:
                text = await self._transport.receive()
                self._dispatch(wire.parse(text), text)
        except ConnectionLost as error:
            self._close_reason = error
        except wire.BadMessage as bad:
            self._close_reason = ConnectionLost(f"The server sent something that is no message: {bad}")
        self._is_up = False
        self._nursery.cancel_scope.cancel()

    async def _set_up(self) -> None:
        """Perform the handshake, renew the subscriptions, and send the waiting requests."""
        restored: str | None = None
        with trio.move_on_after(HANDSHAKE_TIMEOUT_S) as timeout_scope:
            if self.handshake is not None:
                restored = await self._perform_handshake(self.handshake)
            self._fail_unrepeatable(restored)
            if self.state == "reconnecting" and restored != "warm":
                for kind, options in [*self._subscribed.items()]:
                    await self._request_now(_SUBSCRIBE, {"events": [kind], **options})
        if timeout_scope.cancelled_caught:
            raise ConnectionLost(f"The server did not answer the hello in {HANDSHAKE_TIMEOUT_S:.0f} s.")
        for pending in self._pending.values():
            if not pending.is_sent:
                self._send(pending)
        self._is_up = True
        if restored is None and self.handshake is not None and self.state == "reconnecting":
            restored = "none"
        self._set_state(ConnectionChange(state="connected", restored=restored))

    def _fail_unrepeatable(self, restored: str | None) -> None:
        """Fail the requests that can't be repeated on the new transport."""
        for pending in self._pending.values():
            if not pending.prepare_repeat(restored):
                pending.end(pending.unrepeatable_error(restored))

    def _fail_sent(self, reason: ConnectionLost) -> None:
        """Fail the requests of which one has ended the transport."""
        for pending in self._pending.values():
            if pending.is_sent:
                pending.end(pending.lost_error(reason))

    async def _perform_handshake(self, handshake: Handshake) -> str | None:
        """Send ``initialize``, and return ``warm`` or ``cold`` if the server restored the session."""
        if self.state == "connecting":
            await self._request_now("initialize", handshake.params(), handshake.accept)
            return handshake.restored
        try:
            await self._request_now("initialize", handshake.params(), handshake.accept)
        except InvalidParams:
            handshake.start_new_session()
            await self._request_now("initialize", handshake.params(), handshake.accept)
        return handshake.restored

    async def _request_now(
        self, method: str, params: Mapping[str, Any], on_result: Callable[[Any], None] | None = None
    ) -> None:
        """Send a request on this transport during its setup; the reader cancels it if the transport is lost."""
        pending = PendingRequest.of(next(self._ids), method, params, keyed=False)
        pending.on_result = on_result
        self._pending[pending.id] = pending
        try:
            self._send(pending)
            await pending.done.wait()
        finally:
            del self._pending[pending.id]
        pending.result()

    def _send(self, pending: PendingRequest) -> None:
        pending.is_sent = True
        self._outbox.send_nowait(pending.message)

    def _close(self, reason: ConnectionLost) -> None:
        self._close_reason = reason
        self._set_state(ConnectionChange(state="closed", error=reason))
        for pending in self._pending.values():
            pending.end(pending.lost_error(reason))
        for subscription in self._subscriptions:
            subscription.end(None if self._is_closing else reason)

    def _check_open(self) -> None:
        if self.state == "closed" and self._close_reason is not None:
            raise self._close_reason.copy()

    def _check_size(self, pending: PendingRequest) -> None:
        limit = self.handshake.max_message_bytes if self.handshake else None
        if limit is not None and len(pending.message) > limit:
            raise ResourceLimitExceeded(
                f"{pending.method} would take {len(pending.message)} bytes, and the server takes {limit} at most.",
                resource="message",
                limit=limit,
                current=len(pending.message),
            )

    # Incoming messages

    def _dispatch(self, message: wire.Message, text: str) -> None:
        match message:
            case wire.Reply(id_) | wire.ErrorReply(id_) if id_ in self._pending:
                self._streams.take(self._pending[id_], message, text)
            case wire.Notification(name, params):
                if not self._streams.take_chunk(name, params) and self._is_new_event(params):
                    self._deliver(name, self._events.read(name, params))
                if self._unused_kinds():  # an iterator was dropped without closing
                    self._nursery.start_soon(self._drop_unused_kinds)
            case _:
                pass  # the reply to a cancelled request

    def _is_new_event(self, params: Any) -> bool:
        return self.handshake is None or not isinstance(params, dict) or self.handshake.accept_event(params.get("seq"))

    def _deliver(self, name: str, event: Any) -> None:
        if event is not None:
            interested = [one for one in self._subscriptions if name in one.names]
            if lost := sum(not one.put(event) for one in interested):
                self.dropped[kind_of(name)] += lost

    def _set_state(self, change: ConnectionChange) -> None:
        self.state = change.state
        self._deliver(CONNECTION_CHANGES, change)

    def _unused_kinds(self) -> set[str]:
        """Return the subscribed event kinds without a listener."""
        from agentbrowser.protocol.types.event import DEFAULT_KINDS

        used = kinds_of(frozenset().union(*(one.names for one in self._subscriptions)))
        return self._subscribed.keys() - DEFAULT_KINDS - used

    def _send_cancel(self, pending: PendingRequest) -> None:
        if pending.is_sent and self._is_up:
            self._outbox.send_nowait(wire.encode(wire.Notification("$/cancelRequest", {"id": pending.id})))
            for name in self._streams.of(pending):
                cancel = wire.Request(next(self._ids), "stream/cancel", {"streamId": name})
                self._outbox.send_nowait(wire.encode(cancel))
