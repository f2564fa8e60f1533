"""Recorder of one session, and the recordings that a server keeps."""

import secrets
import time
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final

import attrs

from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.event import NetworkEvent, Report, now_ms
from agentbrowser.recorder.journal import Entry, SessionJournal
from agentbrowser.recorder.masks import has_recordable_result, omitted, recorded_params

_MAX_ENDED: Final = 8
"""Recordings of ended sessions that an owner keeps in memory."""
_MAX_ENDED_BYTES: Final = 64 * 1024 * 1024
"""Their memory, for all owners."""
MAX_OWNER_BYTES: Final = 256 * 1024 * 1024
"""Memory of all recordings of an owner: 750 connections with 20 MiB each had 15 GiB."""
_EVICTED_BYTES: Final = 1024 * 1024
"""Memory that leaves the largest recording at once: to find it takes time for each session."""
_ENDED_S: Final = 600.0
_EVENT_BYTES: Final = 300
_MEMBER_BYTES: Final = 140
"""Memory of a header or a time of an event beside its characters: two objects, and their place."""


@attrs.define(eq=False, kw_only=True)
class SessionRecorder:
    """Recorder of one session. Its methods are quick, never wait, and may run in any thread."""

    id: str = attrs.field(factory=lambda: f"rec-{secrets.token_hex(5)}")
    journal: SessionJournal = attrs.field(factory=SessionJournal)
    keep: Callable[[Entry], object] | None = None
    """Receives each entry, for the record directory."""
    on_end: Callable[[], object] | None = None
    mask: Callable[[Any], Any] = lambda value: value
    """Masks the secrets that the client has used; applied when entries are read."""
    keeps_bodies: bool = False
    seed: int = attrs.field(factory=lambda: secrets.randbelow(2**31))
    """Seed of the random numbers of its pages, if it keeps bodies: a replay repeats them."""
    started_ms: int = attrs.field(factory=now_ms)
    stopped_ms: int | None = None
    ended_s: float | None = None
    """End of its session on the monotonic clock; None while it lasts."""

    @property
    def is_recording(self) -> bool:
        """Return True until the recording is stopped or its session ends."""
        return self.stopped_ms is None

    def stamp(self, error: AgentBrowserError) -> None:
        """Put the id of the recording and the present time into the details of an error, while it lasts."""
        if self.is_recording:
            error.recording = {"id": self.id, "time": now_ms()}

    def answered(
        self,
        method: str,
        params: Any,
        *,
        request_id: object,
        page_id: str | None,
        duration_s: float,
        size: int,
        reply: wire.Reply | wire.ErrorReply,
        message: bytes,
        is_accepted: bool,
        approval: dict[str, str] | None,
    ) -> None:
        """Record a request with its answer.

        Args:
          size: size of the request in bytes.
          message: the answer as it is sent.
          is_accepted: False if the request was refused before it had a job, so that nothing of its params is known.
        """
        if not self.is_recording:
            return
        result = reply.result if isinstance(reply, wire.Reply) else None
        kept = recorded_params(method, params, result, size) if is_accepted else omitted(params)
        # As bytes: parsed, JSON of small lists takes twenty times its length, which is what the journal counts.
        packed = wire.dump(kept)
        fields: dict[str, Any] = {"id": request_id, "method": method[:100], "ms": round(duration_s * 1000)}
        if page_id is not None:
            fields["page"] = page_id
        if approval is not None:
            fields["approval"] = approval
        is_kept = result is None or has_recordable_result(method, len(message))
        if not is_kept:
            fields["result"] = {"omitted": len(message)}
        self._add(
            Entry(
                time_ms=now_ms() - round(duration_s * 1000),
                kind="request",
                fields=fields,
                params=packed,
                message=message if is_kept else None,
                size=(len(message) if is_kept else 0) + len(packed) + len(str(request_id)),
            )
        )

    def event(self, event: Report) -> None:
        """Record an event of the browser."""
        if self.is_recording:
            size = _EVENT_BYTES + len(getattr(event, "url", None) or "") + len(getattr(event, "text", ""))
            if isinstance(event, NetworkEvent):
                headers = event.headers or {}
                size += sum(len(name) + len(value) for name, value in headers.items())
                size += _MEMBER_BYTES * (len(headers) + len(event.timing or {}))
            time_ms = getattr(event, "timestamp", None) or now_ms()
            self._add(Entry(time_ms=time_ms, kind=event.kind, event=event, size=size))

    def picture(self, page_id: str, jpeg: bytes, time_ms: int) -> None:
        """Record a picture of a page."""
        self._blob("picture", jpeg, {"page": page_id}, time_ms)

    def body(self, request_id: str, body: bytes) -> None:
        """Record the body of a response."""
        self._blob("body", body, {"requestId": request_id, "bytes": len(body)}, now_ms())

    def note(self, kind: str, time_ms: int | None = None, **fields: Any) -> None:
        """Record something else by its kind, such as ``person`` for a takeover: that a person acted, and no content."""
        if self.is_recording:
            size = _EVENT_BYTES + sum(len(value) for value in fields.values() if isinstance(value, str))
            self._add(Entry(time_ms=time_ms or now_ms(), kind=kind, fields=fields, size=size))

    def _blob(self, kind: str, blob: bytes, fields: dict[str, Any], time_ms: int) -> None:
        if self.is_recording:
            self._add(Entry(time_ms=time_ms, kind=kind, fields=fields, blob=blob, size=len(blob)))

    def _add(self, entry: Entry) -> None:
        self.journal.add(entry)
        if self.keep is not None:
            self.keep(entry)

    def plain(self, entry: Entry) -> dict[str, Any]:
        """Return an entry as plain data without secrets."""
        masked: dict[str, Any] = self.mask(entry.plain(wire.load))
        return masked

    def stop(self, *, discards: bool = False) -> None:
        """Record no more; with ``discards`` also forget what was recorded."""
        if self.stopped_ms is None:
            self.stopped_ms = now_ms()
        if discards:
            self.journal.clear()

    def end(self) -> None:
        """Stop at the end of the session."""
        if self.ended_s is None:
            self.stop()
            self.ended_s = time.monotonic()
            if self.on_end is not None:
                self.on_end()


@attrs.define(eq=False)
class Recordings:
    """Recordings of a server by owner; those of ended sessions stay for some minutes."""

    _of_owner: dict[Hashable, list[SessionRecorder]] = attrs.field(factory=dict, init=False)

    def add(self, owner: Hashable, recorder: SessionRecorder) -> None:
        """Add the recorder of a new session."""
        self._of_owner.setdefault(owner, []).append(recorder)
        recorder.journal.on_growth = partial(self._trim, owner)
        self._forget_old()

    def of(self, owner: Hashable) -> list[SessionRecorder]:
        """Return the recordings of an owner, the oldest first."""
        self._forget_old()
        return list(self._of_owner.get(owner, ()))

    def _forget_old(self) -> None:
        now_s = time.monotonic()
        for owner, recorders in list(self._of_owner.items()):
            ended = [one for one in recorders if one.ended_s is not None]
            gone = [one for one in ended if now_s - (one.ended_s or 0) > _ENDED_S or not len(one.journal)]
            gone += [one for one in ended if one not in gone][: max(0, len(ended) - len(gone) - _MAX_ENDED)]
            self._remove(owner, gone)
        ended_of = {owner: [one for one in some if one.ended_s] for owner, some in self._of_owner.items()}
        memory_of = {owner: sum(one.journal.size for one in ended) for owner, ended in ended_of.items()}
        while sum(memory_of.values()) > _MAX_ENDED_BYTES:
            crowd = max(memory_of, key=lambda owner: memory_of[owner])
            oldest = min(ended_of[crowd], key=lambda one: one.ended_s or 0)
            ended_of[crowd].remove(oldest)
            memory_of[crowd] -= oldest.journal.size
            self._remove(crowd, [oldest])

    def _trim(self, owner: Hashable) -> None:
        """Let the oldest entries of an owner's largest recordings leave, down to the limit. In any thread."""
        journals = [one.journal for one in list(self._of_owner.get(owner, ()))]
        excess = sum(journal.size for journal in journals) - MAX_OWNER_BYTES
        while excess > 0:
            max(journals, key=lambda journal: journal.size).evict(min(excess, _EVICTED_BYTES))
            excess -= _EVICTED_BYTES

    def _remove(self, owner: Hashable, gone: list[SessionRecorder]) -> None:
        left = [one for one in self._of_owner.get(owner, ()) if one not in gone]
        if left:
            self._of_owner[owner] = left
        else:
            self._of_owner.pop(owner, None)
