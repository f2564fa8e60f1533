"""The record directory on a disk that is full, and after a bug in an entry."""

import errno
from pathlib import Path

from agentbrowser.config import Config
from agentbrowser.recorder.record_dir import RecordDir
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
