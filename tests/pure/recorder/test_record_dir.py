"""The record directory: whose it is, on a disk that is full, and after a bug in an entry."""

import errno
import os
from pathlib import Path

import pytest

from agentbrowser.config import Config
from agentbrowser.recorder.archive import read_recording
from agentbrowser.recorder.record_dir import BadRecordDir, RecordDir
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


def test_a_record_directory_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadRecordDir, match="can't be made"):
        RecordDir.open(str(tmp_path / "file"))


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o1777])
def test_a_record_directory_that_others_can_write_to_is_refused(tmp_path: Path, mode: int) -> None:
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept").chmod(mode)
    (tmp_path / "link").symlink_to("kept")
    for name in ("kept", "link"):
        with pytest.raises(BadRecordDir, match=rf"/{name}: others can write to it; chmod 700"):
            RecordDir.open(str(tmp_path / name))


def test_a_record_directory_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(BadRecordDir, match="is another user's"):
        RecordDir.open(str(tmp_path))


def test_a_link_to_the_record_directory_is_followed_once(tmp_path: Path) -> None:
    for name in ("kept", "other"):
        (tmp_path / name).mkdir(mode=0o755)
    (tmp_path / "link").symlink_to("kept")
    record_dir = RecordDir.open(str(tmp_path / "link"))
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("other")
    record_dir.add(SessionRecorder())
    record_dir.close()
    assert [len(list((tmp_path / name).iterdir())) for name in ("kept", "other")] == [1, 0]
