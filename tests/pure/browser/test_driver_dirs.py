"""What is left of servers that were killed: ended and removed, and nothing else is."""

import contextlib
import errno
import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from agentbrowser.browser.engine import driver, driver_dirs
from agentbrowser.browser.engine.driver_dirs import DriverDir, OwnedDir, compiled_code_dir, remove_leftovers
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


def test_a_browser_finds_programs_that_start_nothing(folder: Path) -> None:
    driver_dir = DriverDir.make()
    path = str(driver_dir.programs)
    asked = subprocess.run(
        [shutil.which("xdg-settings", path=path) or "", "check", "default-url-scheme-handler", "mailto", "x.desktop"],
        capture_output=True,
        check=True,
    )
    assert asked.stdout == b"yes\n"
    for name in ("xdg-open", "xdg-email"):
        found = shutil.which(name, path=path)
        assert found is not None
        assert subprocess.run([found, "mailto:x"], capture_output=True, check=False).returncode == 1
    driver_dir.remove()


def test_leftovers_of_a_dead_server_are_killed_and_removed(folder: Path) -> None:
    with started() as process:
        left = leave(folder, known(process))
        remove_leftovers()
        assert process.wait(10) == -9
    assert not left.exists()


def test_what_a_client_has_downloaded_does_not_outlive_a_killed_server(folder: Path) -> None:
    kept = OwnedDir.make("downloads-")
    (kept.path / "statement.pdf").write_bytes(b"private")
    remove_leftovers()
    assert (kept.path / "statement.pdf").exists()
    os.close(kept._lock)  # as when the process ends
    note(kept.path / "owner", NOBODY)
    remove_leftovers()
    assert not kept.path.exists()


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


def test_without_a_temporary_directory_nothing_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def gettempdir() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr("tempfile.gettempdir", gettempdir)
    remove_leftovers()


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


# Code that Node has compiled


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a test a directory of caches, which does not exist yet."""
    path = tmp_path / "home" / ".cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(path))
    monkeypatch.delenv("NODE_COMPILE_CACHE", raising=False)
    return path


def test_compiled_code_is_kept_in_a_private_directory(caches: Path) -> None:
    before = os.umask(0)
    try:
        found = compiled_code_dir()
    finally:
        os.umask(before)
    assert found == caches / "agentbrowser.node"
    assert found.stat().st_mode & 0o777 == 0o700
    assert compiled_code_dir() == found


def test_compiled_code_is_not_kept_where_others_could_write_it(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = caches / "agentbrowser.node"
    path.mkdir(parents=True)
    for mode in (0o720, 0o702, 0o750):
        path.chmod(mode)
        assert compiled_code_dir() is None
    path.chmod(0o700)
    assert compiled_code_dir() == path
    monkeypatch.setattr(driver_dirs, "_user_id", lambda: os.geteuid() + 1)
    assert compiled_code_dir() is None


def test_compiled_code_is_not_kept_behind_a_link(caches: Path) -> None:
    (caches / "elsewhere").mkdir(mode=0o700, parents=True)
    (caches / "agentbrowser.node").symlink_to("elsewhere")
    assert compiled_code_dir() is None


def test_compiled_code_is_not_kept_without_a_directory_for_it(caches: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    caches.parent.mkdir()
    caches.write_text("no directory")
    assert compiled_code_dir() is None

    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", home)
    assert compiled_code_dir() is None


@pytest.mark.skipif(os.name != "posix", reason="Node is started by a shell script")
def test_node_gets_the_directory_for_compiled_code(
    caches: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = tmp_path / "node of the test"
    node.write_text("#!/bin/sh\necho $NODE_COMPILE_CACHE\n")
    node.chmod(0o700)
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(node))
    assert given_to_node(tmp_path) == str(caches / "agentbrowser.node")
    monkeypatch.setenv("NODE_COMPILE_CACHE", "/of/the/operator")
    assert given_to_node(tmp_path) == "/of/the/operator"
    monkeypatch.delenv("NODE_COMPILE_CACHE")
    (caches / "agentbrowser.node").chmod(0o777)
    assert given_to_node(tmp_path) == ""


def given_to_node(folder: Path) -> str:
    wrapper = driver._write_node_wrapper(folder)
    assert wrapper is not None
    return subprocess.run([wrapper], check=True, capture_output=True, text=True).stdout.strip()
