"""Bounds of a journal, and what stays of ended sessions."""

import sys
from typing import Any

import attrs
import pytest

from agentbrowser.protocol import wire
from agentbrowser.protocol.types.event import ConsoleEvent, NetworkEvent
from agentbrowser.recorder import session_recorder
from agentbrowser.recorder.journal import Entry, SessionJournal
from agentbrowser.recorder.session_recorder import Recordings, SessionRecorder


def entry(time_ms: int, size: int = 1000) -> Entry:
    return Entry(time_ms=time_ms, kind="note", size=size, fields={"n": time_ms})


def test_the_oldest_entries_leave_when_there_are_too_many_bytes() -> None:
    journal = SessionJournal(max_bytes=10_000)
    for n in range(100):
        journal.add(entry(n))
    assert journal.size <= 10_000
    kept = [one.time_ms for one in journal.entries()]
    assert kept == list(range(100 - len(kept), 100))
    assert journal.evicted == 100 - len(kept)


def test_entries_leave_when_they_are_too_old() -> None:
    journal = SessionJournal(max_age_ms=1000)
    for n in (0, 500, 1400, 1600):
        journal.add(entry(n))
    assert [one.time_ms for one in journal.entries()] == [1400, 1600]


def test_an_entry_larger_than_the_journal_removes_no_other() -> None:
    journal = SessionJournal(max_bytes=10_000)
    journal.add(entry(1))
    journal.add(entry(2, size=20_000))
    assert [one.time_ms for one in journal.entries()] == [1]


def test_a_stopped_recorder_records_nothing_and_can_forget() -> None:
    recorder = SessionRecorder()
    recorder.note("person", page="page-1")
    recorder.stop()
    recorder.note("person", page="page-2")
    recorder.event(ConsoleEvent(page_id="page-1", type="log", text="late", level="info"))
    assert [recorder.plain(one)["page"] for one in recorder.journal.entries()] == ["page-1"]
    recorder.stop(discards=True)
    assert recorder.journal.entries() == []


def test_used_secrets_are_masked_in_entries_from_before_their_use() -> None:
    recorder = SessionRecorder()
    recorder.event(ConsoleEvent(page_id="page-1", type="log", text="hunter2", level="info"))
    recorder.mask = lambda value: {key: "***" if item == "hunter2" else item for key, item in value.items()}
    (one,) = recorder.journal.entries()
    assert recorder.plain(one)["text"] == "***"


def test_an_owner_reaches_its_own_recordings_only() -> None:
    recordings, mine, other = Recordings(), SessionRecorder(), SessionRecorder()
    recordings.add("me", mine)
    recordings.add("other", other)
    assert recordings.of("me") == [mine]


def test_ended_recordings_are_few_and_leave_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("agentbrowser.recorder.session_recorder.time.monotonic", lambda: now[0])
    recordings = Recordings()
    for _ in range(20):
        recorder = SessionRecorder()
        recordings.add("me", recorder)
        recorder.note("person")
        now[0] += 1
        recorder.end()
    assert len(recordings.of("me")) == 8
    now[0] += 601
    assert recordings.of("me") == []


def test_the_recordings_of_an_owner_have_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_recorder, "MAX_OWNER_BYTES", 1_000_000)
    monkeypatch.setattr(session_recorder, "_EVICTED_BYTES", 100_000)
    recordings, small, large, other = Recordings(), SessionRecorder(), SessionRecorder(), SessionRecorder()
    for owner, recorder in (("me", small), ("me", large), ("other", other)):
        recordings.add(owner, recorder)
    small.picture("p", b"x" * 300_000, 1)
    other.picture("p", b"x" * 900_000, 1)
    for time_ms in range(20):
        large.picture("p", b"x" * 100_000, time_ms)
    assert 300_000 < small.journal.size + large.journal.size <= 1_000_000
    assert [len(one.journal) for one in (small, other)] == [1, 1]
    assert large.journal.entries()[-1].time_ms == 19
    assert large.journal.evicted + len(large.journal) == 20


def test_an_owner_with_many_ended_recordings_loses_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_recorder, "_MAX_ENDED_BYTES", 250_000)
    recordings, other, mine = Recordings(), SessionRecorder(), [SessionRecorder() for _ in range(3)]
    for owner, recorder in (("other", other), *(("me", one) for one in mine)):
        recordings.add(owner, recorder)
        recorder.picture("p", b"x" * 100_000, 1)
        recorder.end()
    assert recordings.of("other") == [other]
    assert recordings.of("me") == mine[2:]


def test_an_empty_recording_does_not_stay() -> None:
    recordings, recorder = Recordings(), SessionRecorder()
    recordings.add("me", recorder)
    recorder.end()
    assert recordings.of("me") == []


def memory_of(value: Any) -> int:
    """Return the bytes of a value and of all that it holds."""
    if isinstance(value, dict):
        inner = sum(memory_of(key) + memory_of(item) for key, item in value.items())
    elif isinstance(value, list | tuple):
        inner = sum(map(memory_of, value))
    elif isinstance(value, Entry | NetworkEvent):
        inner = memory_of(attrs.asdict(value, recurse=False))
    else:
        inner = 0
    return sys.getsizeof(value) + inner


@pytest.mark.parametrize("is_accepted", [True, False])
def test_the_size_of_a_journal_is_what_its_requests_take(is_accepted: bool) -> None:
    recorder = SessionRecorder()
    # Parsed, each of these lists takes twenty times the bytes of its JSON.
    params: dict[str, Any] = {"junk": [[] for _ in range(20_000)], "n" * 60_000: 1}
    for number in range(20):
        recorder.answered(
            "page/list",
            params,
            request_id=f"{number}{'i' * 5000}",
            page_id=None,
            duration_s=0.0123,
            size=60_000,
            reply=wire.Reply(number, {}),
            message=b"{}",
            is_accepted=is_accepted,
            approval=None,
        )
    kept = recorder.journal.entries()
    assert len(kept) == 20
    # Twice: an entry's objects, and names that all entries share.
    assert sum(map(memory_of, kept)) < 2 * recorder.journal.size + 40_000
    recorded = recorder.plain(kept[0])
    assert recorded["params"] == ({**params} if is_accepted else {"omitted": ["junk", "n" * 100]})
    assert repr(recorded["ms"]) == "12", "times on the wire are integers"


@pytest.mark.parametrize("headers", [0, 15, 4000])
def test_the_size_of_a_journal_is_what_its_responses_take(headers: int) -> None:
    recorder = SessionRecorder()
    for number in range(20):
        response = NetworkEvent(
            type="response",
            method="GET",
            resource_type="fetch",
            request_id=f"request-{number}",
            page_id="page-1",
            url=f"https://shop.example/{number}",
            headers={f"{name:x}-{number}": f"{name * 7}.{number}" for name in range(headers)},
            timing={f"phase{phase}": phase + number / 7 for phase in range(8)},
        )
        recorder.event(response)
    kept = recorder.journal.entries()
    assert len(kept) == 20
    assert sum(map(memory_of, kept)) < 1.5 * recorder.journal.size + 40_000  # names that all entries share
