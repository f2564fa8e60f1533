"""Second process of a fit."""

import subprocess
import sys
from typing import Final

_BEGIN: Final = "from bench.fitting.processes import Beside; known = [1]; "


def _run(code: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process without threads, as a fit is: a fork of the test runner would have its locks."""
    return subprocess.run([sys.executable, "-c", _BEGIN + code], capture_output=True, text=True, check=False)


def test_work_in_a_second_process_returns_its_result_and_changes_nothing_here() -> None:
    done = _run("print(Beside(lambda: [known.append(2), *known]).result(), known)")
    assert (done.stdout, done.returncode) == ("[None, 1, 2] [1]\n", 0)


def test_a_failure_of_the_second_process_ends_the_fit_with_its_reason() -> None:
    done = _run("Beside(lambda: 1 // 0).result()")
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr
    assert "EOFError" in done.stderr
