"""The record directory on a disk that is full, and after a bug in an entry."""

import errno
import os
from pathlib import Path

import pytest

from agentbrowser.config import Config
from agentbrowser.recorder.archive import read_recording
from agentbrowser.recorder.record_dir import RecordDir
from agentbrowser.recorder.session_recorder import SessionRecorder
from tests.pure.logbook import logged


def test_entries_that_a_full_disk_loses_are_logged_once_a_minute(tmp_path: Path) -> None:
    def fail() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with logged(Config()) as log:
        record_dir = RecordDir.open(str(tmp_path / "recordings"))
        for _ in range(3):
            record_dir._put(1, fail)
        record_dir.close()
    assert log.getvalue().count("recording_not_kept") == 1


def test_the_thread_outlives_an_entry_that_can_not_be_written(tmp_path: Path) -> None:
    def fail() -> None:
        raise KeyError("a bug")

    written: list[int] = []
    with logged(Config()) as log:
        record_dir = RecordDir.open(str(tmp_path / "recordings"))
        record_dir._put(1, fail)
        record_dir._put(1, lambda: written.append(1))
        record_dir.close()
    assert written == [1]
    assert "a bug" in log.getvalue()


def test_a_disk_that_is_full_for_a_while_spoils_no_entry_and_no_description(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, fdopen = os.write, os.fdopen

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    record_dir = RecordDir.open(str(tmp_path / "kept"))
    recorder = SessionRecorder()
    record_dir.add(recorder)
    recorder.note("person", page="page-1")
    record_dir._put(0, lambda: monkeypatch.setattr(os, "write", lambda file, line: write(file, line[:5])))
    recorder.note("person", page="page-2")
    record_dir._put(0, lambda: monkeypatch.setattr(os, "write", write))
    recorder.note("person", page="page-3")
    record_dir._put(0, lambda: monkeypatch.setattr(os, "fdopen", full))
    recorder.end()
    record_dir._put(0, lambda: monkeypatch.setattr(os, "fdopen", fdopen))
    record_dir.close()
    (folder,) = (tmp_path / "kept").iterdir()
    assert [event["page"] for event in read_recording(folder).events] == ["page-1", "page-3"]
