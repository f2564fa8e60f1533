"""recording/*: the flight recorder's journals of this session, and of earlier ones of the same owner."""

import base64
import itertools
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, Final, TypeVar
from weakref import WeakValueDictionary

import attrs
import trio

from agentbrowser.long_work import LongWork, give_way
from agentbrowser.protocol.errors import InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.registry import Scope, composite
from agentbrowser.protocol.types.fields import constraints, field, milliseconds
from agentbrowser.recorder.archive import TRACE, zip_of

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs
    from agentbrowser.recorder.journal import Entry
    from agentbrowser.recorder.session_recorder import SessionRecorder
    from agentbrowser.server.corridor.dispatch import Call

MAX_EXPORT_BYTES: Final = 64 * 1024 * 1024
MAX_GET_BYTES: Final = 1024 * 1024
"""Size of the entries of one answer: as objects, JSON of small lists takes twenty times its length."""
_PIECE_BYTES: Final = 3 * 64 * 1024
_PIECE_CHARS: Final = 4 * 64 * 1024
"""The same piece in base64."""

T = TypeVar("T")


@attrs.frozen(eq=False)
class _Turns:
    """Turns of the readers of recordings: of the server, and of each owner."""

    server: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(1))
    owners: "WeakValueDictionary[Hashable, trio.CapacityLimiter]" = attrs.field(factory=WeakValueDictionary)


_turns: Final = trio.lowlevel.RunVar[_Turns]("readers of recordings")


@attrs.frozen(kw_only=True)
class RecordingListParams:
    """No parameters."""


@attrs.frozen(kw_only=True)
class RecordingEntry:
    """A recording; ``current`` is that of this session."""

    id: str
    started: int
    """Time in milliseconds since 1970."""
    stopped: int | None = None
    """Absent while it is recording."""
    current: bool
    entries: int
    bytes: int
    """Memory of its entries."""
    evicted: int
    """Entries that have left: it holds at most 20 MiB of the last 10 minutes."""


@attrs.frozen(kw_only=True)
class RecordingListResult:
    """The recordings of this client's token, the oldest first."""

    recordings: list[RecordingEntry]


@composite("recording/list", RecordingListParams, scope=Scope.FULL, free=True, reads=True)
async def list_recordings(call: "Call", params: RecordingListParams) -> RecordingListResult:
    """List the recordings of this session and the last eight of its token that ended in the last 10 minutes. [trio]"""
    return RecordingListResult(recordings=[_entry(call, one) for one in call.session.recordings()])


@attrs.frozen(kw_only=True)
class GetParams:
    """A recording, this session's by default, and the part of it."""

    recording_id: str | None = field(default=None, maximum=100)
    since: int | None = field(default=None, minimum=0)
    """Time in milliseconds since 1970; entries before it are left out."""
    limit: int = field(default=200, minimum=1, maximum=1000)


@attrs.frozen(kw_only=True)
class GetResult:
    """Entries in order of time, without pictures."""

    id: str
    entries: list[dict[str, Any]]
    more: bool
    """True if there are later entries; ask again with ``since`` of the last one. At most 1 MiB is returned at once."""


@composite("recording/get", GetParams, scope=Scope.FULL, free=True, reads=True)
async def get(call: "Call", params: GetParams) -> GetResult:
    """Return entries of a recording. [trio]

    Raises:
      InvalidParams: there is no such recording.
    """
    recorder = _find(call, params.recording_id)
    since = params.since or 0
    chosen = [entry for entry in recorder.journal.entries() if entry.time_ms >= since]
    sizes = itertools.accumulate(entry.size for entry in chosen)
    count = max(1, min(params.limit, sum(size <= MAX_GET_BYTES for size in sizes)))

    def read() -> list[dict[str, Any]]:
        return [_plain(recorder, entry) for entry in chosen[:count]]

    return GetResult(id=recorder.id, entries=await _in_turn(call, read), more=len(chosen) > count)


@attrs.frozen(kw_only=True)
class RecordingStopParams:
    """A recording, this session's by default."""

    recording_id: str | None = field(default=None, maximum=100)
    discard: bool = False
    """True: also forget what was recorded; a record directory of the operator keeps it."""


@composite("recording/stop", RecordingStopParams, scope=Scope.FULL, free=True)
async def stop(call: "Call", params: RecordingStopParams) -> RecordingEntry:
    """Record nothing more in this session. [trio]

    Raises:
      InvalidParams: there is no such recording.
    """
    recorder = _find(call, params.recording_id)
    recorder.stop(discards=params.discard)
    await call.session.set_subscriptions(call.session.subscriptions)  # pages need to report less now
    return _entry(call, recorder)


@attrs.frozen(kw_only=True)
class ExportParams:
    """A recording, this session's by default."""

    recording_id: str | None = field(default=None, maximum=100)
    include_trace: bool = False
    """True: stop the trace that ``trace/start`` began on the active page's context, and add it."""
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class ExportResult:
    """A zip file in base64: entries, pictures, ``viewer.html`` and HAR."""

    id: str
    data: str = attrs.field(repr=False)
    size: int = attrs.field(metadata=constraints(minimum=0))
    """Size of the zip file in bytes."""


@composite("recording/export", ExportParams, scope=Scope.FULL, free=True)
async def export(call: "Call", params: ExportParams) -> ExportResult:
    """Return a recording as one zip, which `agentbrowser show` opens. [trio]

    Raises:
      InvalidParams: there is no such recording.
      ActionFailed: no trace is being recorded.
      ResourceLimitExceeded: the zip is larger than 64 MiB.
    """
    recorder = _find(call, params.recording_id)
    trace = await call.browse(_stop_trace(call)) if params.include_trace else None

    def export() -> ExportResult:
        packed = zip_of(recorder, {} if trace is None else {TRACE: _from_base64(trace)})
        if len(packed) > MAX_EXPORT_BYTES:
            message = f"The recording has {len(packed)} bytes; an export may have {MAX_EXPORT_BYTES}."
            raise ResourceLimitExceeded(message, resource="recording", limit=MAX_EXPORT_BYTES, current=len(packed))
        return ExportResult(id=recorder.id, data=_to_base64(packed), size=len(packed))

    return await _in_turn(call, export)


async def _in_turn(call: "Call", work: Callable[[], T]) -> T:
    """Return what long work in a thread makes, which gives way to the loops; one call of the server at a time. [trio]

    Each parses a recording, and 64 calls of a connection may be in flight: eight at once took 4 GB. One call of each
    owner waits for the server's turn, so that no owner waits for many of another.
    """
    try:
        turns = _turns.get()
    except LookupError:
        _turns.set(turns := _Turns())
    session, long_work = call.session, LongWork(work)
    own = turns.owners.setdefault(session.owner if session.owner.is_proven else session, trio.CapacityLimiter(1))
    async with own:
        try:
            made: T = await trio.to_thread.run_sync(long_work.run, limiter=turns.server, abandon_on_cancel=True)
        finally:
            long_work.is_abandoned = True
    return made


def _plain(recorder: "SessionRecorder", entry: "Entry") -> dict[str, Any]:
    give_way()
    return recorder.plain(entry)


def _to_base64(content: bytes) -> str:
    pieces = []
    for start in range(0, len(content), _PIECE_BYTES):
        give_way()
        pieces.append(base64.b64encode(content[start : start + _PIECE_BYTES]).decode("ascii"))
    return "".join(pieces)


def _from_base64(text: str) -> bytes:
    pieces = []
    for start in range(0, len(text), _PIECE_CHARS):
        give_way()
        pieces.append(base64.b64decode(text[start : start + _PIECE_CHARS]))
    return b"".join(pieces)


def _stop_trace(call: "Call") -> Any:
    page_id = None if call.session.active == call.session.fresh else call.session.active

    async def work(tabs: "Tabs") -> str:
        return await (await tabs.resolve_context(None, page_id)).tracing.stop()

    return work


def _find(call: "Call", recording_id: str | None) -> "SessionRecorder":
    known = {one.id: one for one in call.session.recordings()}
    if recording_id is None and call.session.recorder is not None:
        return call.session.recorder
    if recording_id in known:
        return known[recording_id]
    expected = "the id of a recording of recording/list"
    if call.session.recorder is None and recording_id is None:
        raise InvalidParams("The operator has turned the recorder off.", path="recordingId", expected=expected)
    raise InvalidParams(
        f"There is no recording {recording_id}.", path="recordingId", expected=expected, got=recording_id
    )


def _entry(call: "Call", recorder: "SessionRecorder") -> RecordingEntry:
    return RecordingEntry(
        id=recorder.id,
        started=recorder.started_ms,
        stopped=recorder.stopped_ms,
        current=recorder is call.session.recorder,
        entries=len(recorder.journal),
        bytes=recorder.journal.size,
        evicted=recorder.journal.evicted,
    )
