"""Commands whose standard streams are closed, or lead to a full disk."""

import os
import shlex
import subprocess
import sys

import pytest


def shell(line: str) -> "subprocess.CompletedProcess[str]":
    """Run a line of the shell, in which ``agentbrowser`` is the command under test."""
    program = f"{shlex.quote(sys.executable)} -m agentbrowser"
    line = line.replace("agentbrowser", program, 1)
    return subprocess.run(["sh", "-c", line], capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a file that is always full")
@pytest.mark.parametrize("command", ["--help", "docs protocol"])
def test_output_to_a_full_disk_is_one_line_of_error(command: str) -> None:
    ran = shell(f"agentbrowser {command} > /dev/full")
    assert (ran.returncode, ran.stderr) == (1, "agentbrowser: No space left on device; free some space there\n")


def test_a_server_without_standard_streams_starts_as_far_as_its_browser() -> None:
    assert shell("agentbrowser serve --port 0 --executable-path /nonexistent <&- >&- 2>&-").returncode == 69
