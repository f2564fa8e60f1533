"""Connection of a client: a nursery with a reader, a writer, and a task for each request."""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import attrs
import structlog
import trio

from agentbrowser.config import Config
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, Cancelled, InvalidRequest, ServerBusy
from agentbrowser.protocol.request_meta import split_meta
from agentbrowser.recorder.session_recorder import SessionRecorder
from agentbrowser.server.corridor import dispatch, idempotency
from agentbrowser.server.corridor.job import InFlight
from agentbrowser.server.corridor.outbox import Outbox, open_outbox
from agentbrowser.server.corridor.streams import PackedReply
from agentbrowser.server.gate import message_parser
from agentbrowser.server.gate.socket import Peer, PeerGone
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.watch import log_context
from agentbrowser.server.watch.metrics import Metrics, method_label
from agentbrowser.spans import traced

log = structlog.get_logger("agentbrowser.connection")

MAX_BAD_IN_A_ROW: Final = 20
MAX_READ_AHEAD: Final = 64
MAX_READ_AHEAD_BYTES: Final = 1024 * 1024
MAX_IN_FLIGHT_BYTES: Final = 16 * 1024 * 1024
"""Total size of the requests that run at the same time; a larger one runs alone."""
POLICY_CLOSE: Final = 1008
_UNWINDING_S: Final = 1.0
_STOPS_PER_TURN: Final = 8
"""Requests of a client that has left, which are stopped for one turn of its owner: an owner may have thousands."""


@attrs.define(eq=False, kw_only=True)
class Connection:
    """Connection of one client."""

    peer: Peer
    session: Session
    """Present session; see `SessionBinding`."""
    config: Config
    metrics: Metrics | None = None
    outbox: Outbox = attrs.field(
        default=attrs.Factory(lambda connection: open_outbox(connection.session, connection.metrics), takes_self=True)
    )
    _in_flight: dict[wire.Id, InFlight] = attrs.field(factory=dict, init=False)
    _writing: bool = attrs.field(default=False, init=False)
    _backlog: deque[tuple[wire.Request, int]] = attrs.field(factory=deque, init=False)
    """Requests read ahead, with their sizes."""
    _kept_bytes: int = attrs.field(default=0, init=False)
    """Memory of the messages whose requests have no answer yet."""
    _moving: InFlight | None = attrs.field(default=None, init=False)
    """Request that may change the connection's session; later requests wait for it."""
    _is_behind: bool = attrs.field(default=False, init=False)
    """True while unsent events of the backlog must be sent before new ones."""
    _is_expelled: bool = attrs.field(default=False, init=False)
    _streaming: trio.Lock = attrs.field(factory=trio.Lock, init=False)
    _over: trio.Event = attrs.field(factory=trio.Event, init=False)
    _changed: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot, init=False)

    @property
    def in_flight(self) -> int:
        """Return the number of running requests."""
        return len(self._in_flight)

    @property
    def read_ahead(self) -> int:
        """Return the number of requests that have arrived and not begun."""
        return len(self._backlog)

    async def serve(self) -> None:
        """Answer the client until it leaves or is closed. [trio]

        Cancel: requests in flight are also cancelled in the browser.
        """
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._write, nursery.cancel_scope)
                await self._read(nursery)
                await self._stop_all(nursery.cancel_scope)
        finally:
            self.outbox.share.in_flight -= len(self._in_flight)
            self._in_flight.clear()
            self._keep(-self._kept_bytes)
            self._writing = False
            self.outbox.close()
            self._over.set()
            self._changed.unpark_all()

    async def drain(self, grace_s: float, before_close: Callable[[], Awaitable[None]] | None = None) -> None:
        """Wait for requests in flight within the grace period, answer the rest, then close. [trio]"""
        self.session.draining = True
        with trio.move_on_after(grace_s):
            await self._until_idle()
        for request in self._in_flight.values():
            request.stop(ServerBusy.at_shutdown())
        with trio.move_on_after(_UNWINDING_S):
            await self._until_idle()
        with trio.move_on_after(_UNWINDING_S):
            await self._answer_the_stuck()
            await self._until_idle()
        if before_close is not None:
            await before_close()
        await self.peer.close(1001, "server shutdown")
        with trio.move_on_after(_UNWINDING_S):
            await self._over.wait()

    async def expel(self, code: int, reason: str) -> None:
        """Stop requests in flight, and close the connection with that code. [trio]"""
        self._is_expelled = True
        self._backlog.clear()
        for request in self._in_flight.values():
            request.stop(Cancelled(f"The connection is closed: {reason}."))
        await self.peer.close(code, reason)

    async def _answer_the_stuck(self) -> None:
        """Answer requests that can't be cancelled because the browser hangs."""
        for id_ in list(self._in_flight):
            del self._in_flight[id_]
            self.outbox.share.in_flight -= 1
            await self._refuse(ServerBusy.at_shutdown(), id_)

    async def _until_idle(self) -> None:
        while not self._over.is_set() and not self._is_idle():
            await self._changed.park()

    def _is_idle(self) -> bool:
        return not (self._in_flight or self._backlog or self._writing or len(self.outbox) or self._streaming.locked())

    async def _stop_all(self, connection: trio.CancelScope) -> None:
        """Cancel all requests once the owner had turns for them, since many that unwind together hold the loop."""
        for _ in range(0, len(self._in_flight), _STOPS_PER_TURN):
            await self.outbox.share.take_turn()
        connection.cancel()

    # Reading

    async def _read(self, nursery: trio.Nursery) -> None:
        bad_in_a_row = 0
        while True:
            try:
                text = await self.peer.receive()
            except PeerGone:
                return
            size = len(text)
            self._keep(size)
            try:
                await self.outbox.share.take_turn()
                message = await message_parser.parse(text)
            except wire.BadMessage as bad:
                bad_in_a_row += 1
                await self._refuse_bad(bad.error_reply, last=bad_in_a_row >= MAX_BAD_IN_A_ROW)
                continue
            finally:
                del text  # it may be large, and the next one may be long in coming
                self._keep(-size)
            bad_in_a_row = 0
            await self._take(message, size, nursery)
            del message

    def _keep(self, size: int) -> None:
        """Count the memory of a message as its owner's; less than 0: it is given back."""
        self._kept_bytes += size
        self.peer.intake.count(kept=size)

    async def _refuse_bad(self, fault: wire.ErrorReply, *, last: bool) -> None:
        await self._refuse(fault.error, fault.id)
        if last:
            with trio.move_on_after(1):
                await self._until_idle()
            await self.peer.close(POLICY_CLOSE, "too many invalid messages")

    async def _take(self, message: wire.Message, size: int, nursery: trio.Nursery) -> None:
        match message:
            case wire.Request() if message.id in self._in_flight or self._read_ahead_with(message.id):
                why = f"A request with the id {message.id!r} is still in flight."
                await self._refuse(InvalidRequest(why, path="id"))  # without the id, which is that one's
            case wire.Request():
                self._backlog.append((message, size))
                self._keep(size)
                self._begin(nursery)
            case wire.Notification("$/cancelRequest", {"id": int() | str() as id_}) if not isinstance(id_, bool):
                await self._cancel(id_)
            case wire.Notification():
                log.debug("notification_ignored", method=message.method[:100])
            case _:
                await self._refuse(InvalidRequest("The server takes requests, not answers.", path="id"))
        # Some requests are read ahead, so that a client with many in flight can still cancel one or disconnect.
        while len(self._backlog) > MAX_READ_AHEAD or sum(size for _, size in self._backlog) > MAX_READ_AHEAD_BYTES:
            await self._changed.park()  # stop reading: TCP pushes back

    def _begin(self, nursery: trio.Nursery) -> None:
        """Begin requests in order of arrival, up to the limit in flight."""
        if self._is_expelled:
            return
        while self._backlog and self._moving is None and self._has_room(self._backlog[0][1]):
            request, size = self._backlog.popleft()
            self._begin_request(request, size, nursery)

    def _read_ahead_with(self, id_: wire.Id) -> list[tuple[wire.Request, int]]:
        return [one for one in self._backlog if one[0].id == id_]

    def _has_room(self, size: int) -> bool:
        if not self._in_flight:
            return True
        total = size + sum(one.size for one in self._in_flight.values())
        most = self.outbox.share.most_in_flight(self.config.max_in_flight)
        return len(self._in_flight) < most and total <= MAX_IN_FLIGHT_BYTES

    async def _refuse(self, error: AgentBrowserError, id_: wire.Id | None = None) -> None:
        """Answer a message that becomes no request, or one that gets no other answer."""
        if (recorder := self.session.recorder) is not None:
            recorder.stamp(error)
        await self.outbox.put(wire.encode(wire.ErrorReply(id_, error)))

    def _begin_request(self, request: wire.Request, size: int, nursery: trio.Nursery) -> None:
        in_flight = self._in_flight[request.id] = InFlight(self.session, request.method, size, request.params)
        self.outbox.share.in_flight += 1
        if _moves(request):
            self._moving = in_flight
        try:
            if self.session.rate_limit is not None:
                self.session.rate_limit.take()
            in_flight.params, in_flight.traceparent = split_meta(request.params)
            in_flight.job = idempotency.prepare(self.session, request.method, in_flight.params)
        except Exception as error:  # noqa: BLE001 - explain() logs foreign errors
            in_flight.refusal = dispatch.explain(error)
        nursery.start_soon(self._answer, request.id, in_flight, nursery)

    async def _cancel(self, id_: wire.Id) -> None:
        cancelled = Cancelled("The request was cancelled by the client.")
        if (request := self._in_flight.get(id_)) is not None:
            request.stop(cancelled)
            if request.job is not None:
                request.job.cancel(request.session)
        for one in self._read_ahead_with(id_):
            self._backlog.remove(one)
            self._keep(-one[1])
            await self._refuse(cancelled, id_)

    # Answering

    async def _answer(self, id_: wire.Id, request: InFlight, nursery: trio.Nursery) -> None:
        try:
            tracer, parent = self.metrics.tracer if self.metrics else None, request.traceparent or self.peer.traceparent
            with traced(tracer, method_label(request.method), parent, session=request.session.number):
                packet = await self._packet(id_, request)
            if packet.streams:
                await self._streaming.acquire()  # one at a time, since each keeps its texts in memory
            await self._reply(id_, request, packet.message)
        finally:
            # Only now: the next request of the page would add its reply to those that wait for a slow reader.
            if request.job is not None and not request.job.is_detached:
                request.job.leave()
            self._keep(-request.size)
        if packet.streams:
            try:
                await self.session.streams.send(packet.streams, self.outbox)
            finally:
                self._streaming.release()
        if self._moving is request:
            self._moving = None
            if self._is_behind:
                nursery.start_soon(self._catch_up)
        self._begin(nursery)
        self._changed.unpark_all()

    async def _reply(self, id_: wire.Id, request: InFlight, message: bytes) -> None:
        if self._in_flight.get(id_) is not request:  # drain() has answered it
            return
        try:
            await self.outbox.put(message)
        finally:
            if self._in_flight.pop(id_, None) is not None:
                self.outbox.share.in_flight -= 1

    async def _packet(self, id_: wire.Id, request: InFlight) -> PackedReply:
        log_context.bind_request(id_, request.method, self.session.number)
        requests = request.session.request_log
        entry = requests.begin(request.method, request.job)

        async def pack(message: wire.Reply | wire.ErrorReply) -> PackedReply:
            await self.outbox.wait_for_memory()
            masks, recorder = request.session.masks, request.session.recorder
            error = message.error if isinstance(message, wire.ErrorReply) else None
            if recorder is not None and error is not None:
                recorder.stamp(error)
            if masks.is_quick(message.result if isinstance(message, wire.Reply) else message.error.to_wire()):
                masked = masks.reply(message)
            else:
                masked = await trio.to_thread.run_sync(masks.reply, message)
            packed = self.session.streams.pack(masked)  # a result that is too large is answered with an error
            requests.end(entry, error)
            if self.metrics is not None:
                self.metrics.answered(request.method, error, trio.current_time() - request.arrived_s)
            if request.session.audit is not None:
                dispatch.audit(request.session, request.method, request.job, message, request.arrived_s)
            if recorder is not None:
                _record(recorder, id_, request, masked, packed.message)
            return packed

        if request.refusal is not None:
            return await pack(wire.ErrorReply(id_, request.refusal))
        assert request.job is not None
        try:
            with request.scope:
                result = await idempotency.run(request.session, request.job, request.arrived_s)
                return await pack(wire.Reply(id_, result))
        except Exception as error:  # noqa: BLE001 - explain() logs foreign errors
            return await pack(wire.ErrorReply(id_, dispatch.explain(error)))
        return await pack(wire.ErrorReply(id_, request.reason or Cancelled("The request was cancelled.")))

    # Writing

    def notify(self, kind: str, params: dict[str, Any]) -> None:
        """Send an event in the client's dialect, or count it as dropped if the outbox is full."""
        if kind == "dropped" and self.metrics is not None:
            self.metrics.dropped(params["kind"], params["count"])
        self.send_notification(f"{self.session.dialect}/{kind}", params, kind)

    def send_notification(self, name: str, params: dict[str, Any], kind: str | None = None) -> bool:
        """Send a notification, or count it as dropped under its kind or name; return True if sent."""
        message = self._encode(name, params)
        if self.session.streams.takes(message):
            return self.outbox.offer(kind or name, message)
        self.outbox.drop(kind or name)
        return False

    def _encode(self, name: str, params: dict[str, Any]) -> bytes:
        return wire.encode(wire.Notification(name, self.session.masks.plain(params)))

    def fall_behind(self) -> None:
        """Hold the session's events until the present request is answered, then replay them from its cursor."""
        self.session.hold_events()
        self._is_behind = True

    async def _catch_up(self) -> None:
        """Replay the missed events at the client's pace, then send each event at once again. [trio]"""
        session = self.session
        while session.binding is not None and session.binding.connection is self:
            lease = session.lease
            if lease is None:  # shutdown was called meanwhile
                self._is_behind = False
                session.binding.take(session)
                return
            if lost := lease.backlog.missed(lease.cursor):
                self.outbox.drop("event", lost)
            kept = lease.backlog.next(lease.cursor)
            if kept is None:
                lease.last_sent, self._is_behind = None, False
                session.binding.take(session)
                return
            message = self._encode(f"{session.dialect}/{kept.kind}", kept.params)
            if session.streams.takes(message):
                await self.outbox.put(message)
            else:
                self.outbox.drop(kept.kind)
            lease.last_sent = kept.seq

    async def _write(self, connection: trio.CancelScope) -> None:
        try:
            while True:
                message = await self.outbox.take()
                self._writing = True
                await self.peer.send(message)
                self._writing = False
                self._changed.unpark_all()
        except PeerGone:
            await self._stop_all(connection)


def _record(
    recorder: SessionRecorder, id_: wire.Id, request: InFlight, reply: wire.Reply | wire.ErrorReply, message: bytes
) -> None:
    job = request.job
    recorder.answered(
        method_label(request.method),
        request.params,
        request_id=id_,
        page_id=job.page_id if job else None,
        duration_s=trio.current_time() - request.arrived_s,
        size=request.size,
        reply=reply,
        message=message,
        is_accepted=job is not None and job.params is not None,
        approval=job.approval if job else None,
    )


def _moves(request: wire.Request) -> bool:
    params = request.params if isinstance(request.params, dict) else {}
    return (request.method == "initialize" and params.get("sessionId") is not None) or (
        request.method == "shutdown" and params.get("closePages") is False
    )
