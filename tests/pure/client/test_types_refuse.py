"""Type checkers refuse misspelt methods and params, and pass what is right; the lines are in refused.py."""

import json
import os
import subprocess
import sys
from pathlib import Path

import playwright
import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
FILE = Path(__file__).with_name("refused.py")
REFUSED = {number for number, line in enumerate(FILE.read_text().splitlines(), 1) if line.endswith("# refused")}
NODE = Path(playwright.__file__).parent / "driver"
LIMIT_S = 240


def check(*command: str) -> str:
    """Run a checker, and return what it says."""
    env = {**os.environ, "PATH": f"{os.environ['PATH']}:{NODE}"}  # pyright runs on Node: the system's, or Playwright's
    command = (sys.executable, "-m", *command)
    ran = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=LIMIT_S)
    assert ran.returncode == 1, ran.stdout + ran.stderr
    return ran.stdout


def test_the_bad_program_has_marked_lines() -> None:
    assert len(REFUSED) > 20


def test_mypy_rejects_exactly_the_marked_lines() -> None:
    said = check("mypy", "--no-error-summary", "--hide-error-context", str(FILE)).splitlines()
    lines = [line.removeprefix(str(FILE.relative_to(ROOT))) for line in said if ": error: " in line]
    assert {int(line.split(":")[1]) for line in lines} == REFUSED


def test_pyright_rejects_exactly_the_marked_lines() -> None:
    said = json.loads(check("pyright", "--outputjson", "--pythonpath", sys.executable, str(FILE)))
    errors = [one for one in said["generalDiagnostics"] if one["severity"] == "error"]
    assert {one["range"]["start"]["line"] + 1 for one in errors} == REFUSED, errors
