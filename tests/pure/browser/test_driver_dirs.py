"""What is left of servers that were killed: ended and removed, and nothing else is."""

import contextlib
import json
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from agentbrowser.browser.engine import driver_dirs
from agentbrowser.browser.engine.driver_dirs import DriverDir, remove_leftovers
from agentbrowser.browser.engine.processes import Process

NOBODY = Process(pid=2**22 + 1, start=1, group=1)
"""No process has such a number."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the tests a folder and a register of their own, since servers that tests share run in this process."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(driver_dirs, "_OPEN", set())
    return tmp_path


@contextlib.contextmanager
def started() -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that leads a group of its own."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
        try:
            yield process
        finally:
            process.kill()


def leave(folder: Path, *running: Process, name: str = "agentbrowser-left", mode: int = 0o700) -> Path:
    """Make a directory as a server leaves it that was killed."""
    path = folder / name
    path.mkdir(mode=mode)
    path.chmod(mode)
    note(path / "owner", NOBODY)
    note(path / "started", *running)
    (path / "profile").mkdir()
    return path


def note(file: Path, *processes: Process) -> None:
    file.write_text(json.dumps([attrs.astuple(process) for process in processes]))


def known(process: subprocess.Popen[bytes]) -> Process:
    found = Process.of(process.pid)
    assert found is not None
    return found


def test_a_driver_dir_is_private_and_records_processes(folder: Path) -> None:
    with started() as process:
        driver_dir = DriverDir.make()
        driver_dir.record(os.getpid(), process.pid, None)
        assert driver_dir.path.parent == folder
        assert driver_dir.path.stat().st_mode & 0o777 == 0o700
        for name in ("owner", "started"):
            assert (driver_dir.path / name).stat().st_mode & 0o777 == 0o600
        assert json.loads((driver_dir.path / "started").read_text())[1] == list(attrs.astuple(known(process)))
        driver_dir.remove()
        assert not driver_dir.path.exists()


def test_leftovers_of_a_dead_server_are_killed_and_removed(folder: Path) -> None:
    with started() as process:
        left = leave(folder, known(process))
        remove_leftovers()
        assert process.wait(10) == -9
    assert not left.exists()


def test_a_process_that_only_has_the_number_is_spared(folder: Path) -> None:
    with started() as process:
        left = leave(folder, attrs.evolve(known(process), start=known(process).start - 1))
        remove_leftovers()
        assert process.poll() is None
    assert not left.exists()


def test_a_process_without_a_group_of_its_own_is_killed_alone(folder: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as process:
        leave(folder, known(process))
        remove_leftovers()
        assert process.poll() is None
        process.kill()


def test_a_living_servers_home_is_left_alone(folder: Path) -> None:
    with started() as process:
        driver_dir = DriverDir.make()
        driver_dir.record(process.pid)
        remove_leftovers()
        assert process.poll() is None
        assert driver_dir.path.exists()
        note(driver_dir.path / "owner", NOBODY)  # as one out of sight looks, in another container
        remove_leftovers()
        assert process.poll() is None
        driver_dir.remove()


def test_a_home_whose_owner_lives_is_left_alone_without_a_lock_too(folder: Path) -> None:
    path = leave(folder)
    note(path / "owner", *filter(None, [Process.of(os.getpid())]))
    remove_leftovers()
    assert path.exists()


@pytest.mark.parametrize("text", ["", "{", "[]x", "[[1, 2]]", '[["a", 1, 1]]', "7"])
def test_a_note_that_makes_no_sense_is_left_alone(folder: Path, text: str) -> None:
    path = leave(folder)
    (path / "owner").write_text(text)
    remove_leftovers()
    assert path.exists()


def test_a_foreign_directory_is_left_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = leave(folder, name="agentbrowser-open", mode=0o755)
    (folder / "agentbrowser-file").write_text("x")
    (folder / "agentbrowser-empty").mkdir(mode=0o700)
    elsewhere = leave(folder, name="elsewhere")
    (folder / "agentbrowser-link").symlink_to(elsewhere)
    before = set(folder.iterdir())
    remove_leftovers()
    assert set(folder.iterdir()) == before
    assert (others / "profile").exists()
    monkeypatch.setattr(driver_dirs, "_user_id", lambda: os.geteuid() + 1)
    mine = leave(folder)
    remove_leftovers()
    assert mine.exists()


def test_kill_all_kills_the_recorded_processes() -> None:
    with started() as process:
        driver_dir = DriverDir.make()
        driver_dir.record(process.pid)
        driver_dirs.kill_all()
        assert process.wait(10) == -9
        driver_dir.remove()
