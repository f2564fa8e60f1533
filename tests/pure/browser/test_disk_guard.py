"""The disk guard: files beyond the quotas are emptied, claimed or not, and completed ones are left alone."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentbrowser.browser.downloads.directory_watch import DirectoryWatch
from agentbrowser.browser.downloads.disk_guard import DiskGuard, DiskQuota


@pytest.fixture
def guard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> DiskGuard:
    """Return a guard that checks only when it is asked."""
    monkeypatch.setattr(DirectoryWatch, "open", lambda folder: None)
    guard = DiskGuard()
    guard.watch(tmp_path)
    return guard


def write(folder: Path, name: str, size: int) -> Path:
    path = folder / name
    path.write_bytes(b"x" * size)
    return path


def sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in folder.iterdir()}


def until(holds: Callable[[], bool]) -> None:
    end_s = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end_s
        time.sleep(0.01)


def test_a_file_beyond_the_quota_is_emptied_and_earlier_ones_stay(guard: DiskGuard, tmp_path: Path) -> None:
    guard.add(DiskQuota(100))
    write(tmp_path, "b.crdownload", 60)
    assert guard.check() == 40
    write(tmp_path, "a", 50)
    write(tmp_path, "c.crdownload", 30)
    assert guard.check() == 10
    assert sizes(tmp_path) == {"b.crdownload": 60, "a": 0, "c.crdownload": 30}


def test_an_emptied_file_is_emptied_again_when_it_grows(guard: DiskGuard, tmp_path: Path) -> None:
    guard.add(DiskQuota(100))
    file = write(tmp_path, "a.crdownload", 200)
    with file.open("r+b") as opened:
        guard.check()
        opened.seek(200)
        opened.write(b"more")
    guard.check()
    file = file.rename(tmp_path / "a")  # it is complete for the browser
    with guard.claimed(quota := DiskQuota(1000), [file]) as name:
        assert guard.exceeds(name)
        with guard.moving(name, 0, tmp_path / "to") as fits:
            assert not fits
    assert (sizes(tmp_path), quota.kept_bytes) == ({"a": 0}, 0)


def test_files_that_nobody_has_claimed_have_the_space_of_the_client_that_has_most(
    guard: DiskGuard, tmp_path: Path
) -> None:
    full, other = DiskQuota(100, {tmp_path / "x": 100}), DiskQuota(100, {tmp_path / "y": 30})
    guard.add(full)
    guard.add(other)
    write(tmp_path, "a", 70)
    guard.check()
    assert sizes(tmp_path) == {"a": 70}
    guard.remove(other)
    guard.check()
    assert sizes(tmp_path) == {"a": 0}


def test_a_claimed_file_counts_for_its_client_only(guard: DiskGuard, tmp_path: Path) -> None:
    small, large = DiskQuota(10), DiskQuota(100)
    guard.add(small)
    guard.add(large)
    mine, theirs = write(tmp_path, "a", 20), write(tmp_path, "b.crdownload", 20)
    with guard.claimed(small, [mine]) as first, guard.claimed(large, [tmp_path / "b", theirs]) as second:
        guard.check()
        assert (guard.exceeds(first), guard.exceeds(second)) == (True, False)
    assert sizes(tmp_path) == {"a": 0, "b.crdownload": 20}


def test_a_file_in_another_directory_is_checked_once_it_is_claimed(guard: DiskGuard, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    guard.watch(tmp_path / "nothing")
    guard.add(quota := DiskQuota(10))
    file, trace = write(tmp_path / "other", "a", 20), write(tmp_path / "other", "trace.zip", 20)
    with guard.claimed(quota, [file]) as name:
        assert guard.exceeds(name)
    assert (file.stat().st_size, trace.stat().st_size) == (0, 20)


def test_a_file_that_is_moved_counts_as_kept(guard: DiskGuard, tmp_path: Path) -> None:
    guard.add(quota := DiskQuota(100))
    file = write(tmp_path, "a", 60)
    with guard.claimed(quota, [file]) as name, guard.moving(name, 60, tmp_path / "to") as fits:
        assert fits
        write(tmp_path, "b", 50)
        guard.check()
        assert sizes(tmp_path) == {"a": 60, "b": 0}
        file.unlink()
    assert quota.kept_bytes == 60
    assert guard.check() == 40


def test_files_that_were_read_whole_make_room_for_one_that_fits_then(guard: DiskGuard, tmp_path: Path) -> None:
    (watched := tmp_path / "watched").mkdir()
    guard.watch(watched)
    kept = [write(tmp_path, name, 30) for name in "xyz"]
    guard.add(quota := DiskQuota(100, dict.fromkeys(kept, 30)))
    quota.used |= set(kept[1:])
    file = write(watched, "a", 40)
    guard.check()
    assert sizes(watched) == {"a": 40}  # before it is claimed
    with guard.claimed(quota, [file]) as name:
        assert not guard.exceeds(name)
        assert [path.exists() for path in kept] == [True, False, True]
        write(watched, "a", 101)
        assert guard.exceeds(name)
    assert list(quota.kept) == [kept[0], kept[2]]  # nothing leaves for what does not fit


def test_a_file_that_can_not_be_moved_is_not_kept(guard: DiskGuard, tmp_path: Path) -> None:
    guard.add(quota := DiskQuota(100))
    file, to = write(tmp_path, "a", 60), tmp_path / "to"
    with pytest.raises(OSError), guard.claimed(quota, [file]) as name, guard.moving(name, 60, to):
        raise OSError("the disk is full")
    assert quota.kept_bytes == 0


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
def test_a_thread_empties_what_nobody_has_asked_about(tmp_path: Path) -> None:
    guard = DiskGuard()
    guard.watch(tmp_path)
    guard.add(DiskQuota(100))
    write(tmp_path, "a.crdownload", 200)
    until(lambda: sizes(tmp_path) == {"a.crdownload": 0})
    thread = guard._thread
    assert thread is not None
    guard.unwatch(tmp_path / "another")
    assert thread.is_alive()
    guard.unwatch(tmp_path)
    thread.join(20)
    assert not thread.is_alive()


def test_without_a_watch_a_question_checks(guard: DiskGuard, tmp_path: Path) -> None:
    guard.add(quota := DiskQuota(10))
    with guard.claimed(quota, [write(tmp_path, "a", 20)]) as name:
        assert guard.exceeds(name)


@pytest.mark.skipif(sys.platform != "linux", reason="directories are watched by inotify")
@pytest.mark.parametrize("error", [OSError(24, "Too many open files"), RuntimeError("a bug")])
def test_the_thread_outlives_a_check_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    check, failures = DiskGuard._check, [error, error]

    def fail_twice(guard: DiskGuard) -> int:
        if failures:
            raise failures.pop()
        return check(guard)

    monkeypatch.setattr(DiskGuard, "_check", fail_twice)
    guard = DiskGuard()
    guard.add(DiskQuota(100))
    guard.watch(tmp_path)
    try:
        write(tmp_path, "a", 200)
        until(lambda: sizes(tmp_path)["a"] == 0)
        assert not failures
    finally:
        guard.unwatch(tmp_path)
