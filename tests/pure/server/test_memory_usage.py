"""The memory of processes, as it is read."""

import mmap
import os
import subprocess
import sys
from pathlib import Path

import pytest

from agentbrowser.server.watch import memory_usage
from agentbrowser.server.watch.memory_usage import can_measure, measure

MIB = 1024 * 1024


def write(proc: Path, pid: int, parent: int, resident: int, shared: int) -> None:
    home = proc / str(pid)
    home.mkdir()
    (home / "stat").write_text(f"{pid} (a) b) S {parent} 1 1 0")
    (home / "statm").write_text(f"9999 {resident} {shared} 0 0 0 0")


def test_each_process_counts_for_the_part_it_belongs_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_usage, "_PROC", tmp_path)
    own = os.getpid()
    write(tmp_path, own, 1, 1100, 100)
    write(tmp_path, 900_001, own, 210, 10)
    write(tmp_path, 900_002, 900_001, 33, 3)
    write(tmp_path, 900_003, 900_002, 44, 4)
    write(tmp_path, 900_004, 1, 5000, 0)
    (tmp_path / "900005").mkdir()  # it ended between two looks
    found = measure()
    page = os.sysconf("SC_PAGE_SIZE")
    assert (found.server, found.driver, found.browser) == (1000 * page, 200 * page, 70 * page)
    assert found.total == 1270 * page


def driver_growth_with_a_child_of_40_mib() -> int:
    program = "import os, sys; held = os.urandom(1) * (40 << 20); print(flush=True); sys.stdin.read()"
    before = measure()
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        after = measure()
        child.communicate()
    return after.driver - before.driver


@pytest.mark.skipif(not can_measure(), reason="the system has no /proc")
def test_memory_that_is_taken_is_seen() -> None:
    before = measure()
    # New to the process: the allocator might reuse what an earlier test has freed.
    held = mmap.mmap(-1, 50 * MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    for offset in range(0, len(held), mmap.PAGESIZE):
        held[offset] = 1
    assert measure().server - before.server > 45 * MIB
    # Shared drivers of other tests may give memory back meanwhile.
    assert any(driver_growth_with_a_child_of_40_mib() > 38 * MIB for _ in range(5))
    assert len(held) == 50 * MIB


def test_where_there_is_no_proc_nothing_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_usage, "_PROC", tmp_path)
    assert not can_measure()
