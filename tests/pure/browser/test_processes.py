"""Detection of processes that have ended, or are about to."""

import os
import subprocess

import pytest

from agentbrowser.browser.engine import processes
from agentbrowser.browser.engine.processes import is_dead


def test_a_process_that_has_ended_is_dead_before_it_is_reaped() -> None:
    assert not is_dead(os.getpid())
    with subprocess.Popen(["true"]) as process:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert is_dead(process.pid)
    assert is_dead(process.pid)


def test_a_process_that_is_ending_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = processes._stat_fields(os.getpid())
    assert not int(fields[6]) & 0x4
    ending = [*fields[:6], str(int(fields[6]) | 0x4), *fields[7:]]
    monkeypatch.setattr(processes, "_stat_fields", lambda pid: ending)
    assert is_dead(os.getpid())
