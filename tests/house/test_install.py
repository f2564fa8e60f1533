"""What is installed with which extra, and what a client does without the rest."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
MODULES = {"pillow": "PIL", "prometheus-client": "prometheus_client"}
WITH_THE_CLIENT = {"h11", "outcome", "wsproto"}
"""What Trio and trio-websocket bring anyway."""

WITHOUT = """
import sys
for name in {names}:
    sys.modules[name] = None
"""


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^A-Za-z0-9_.-]", one)[0] for one in requirements}


def server_modules() -> list[str]:
    """Return the modules that only the extra ``server`` brings."""
    return sorted(MODULES.get(name, name) for name in names(EXTRAS["server"]) - WITH_THE_CLIENT)


def without_server(program: str, *args: str) -> "subprocess.CompletedProcess[str]":
    program = WITHOUT.format(names=server_modules()) + program
    return subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, timeout=60)


def test_the_extras_do_not_overlap() -> None:
    assert not names(PROJECT["dependencies"]) & names(EXTRAS["server"])
    assert EXTRAS["client"] == []
    for extra in ("test", "bench"):
        assert "agentbrowser-server[server]" in EXTRAS[extra]
    assert {"playwright", "hypercorn"} <= set(server_modules())


def test_the_lock_fits_the_project_and_names_no_address() -> None:
    text = (ROOT / "uv.lock").read_text()
    (ours,) = [package for package in tomllib.loads(text)["package"] if package["name"] == PROJECT["name"]]
    locked = {(one["name"], str(SpecifierSet(one.get("specifier", "")))) for one in ours["metadata"]["requires-dist"]}
    requirements = [Requirement(one) for some in (PROJECT["dependencies"], *EXTRAS.values()) for one in some]
    assert locked == {(one.name, str(one.specifier)) for one in requirements if one.name != PROJECT["name"]}
    assert "://" not in text


def test_no_hint_names_the_unrelated_package() -> None:
    files = [
        path
        for path in ROOT.rglob("*")
        if path.suffix in (".py", ".md", ".toml")
        and not any(part.startswith(".venv") or part == "node_modules" for part in path.relative_to(ROOT).parts)
    ]
    texts = "\n".join(path.read_text(encoding="utf-8") for path in files)
    assert PROJECT["name"] == "agentbrowser-server"
    assert re.findall(r"pip install (?:-\S+ )*['\"]?agentbrowser(?!-server)\b", texts) == []


@pytest.mark.parametrize("module", ["client", "client.aio", "client.blocking"])
def test_a_client_needs_nothing_of_the_server(module: str) -> None:
    ran = without_server(f"import agentbrowser.{module}, agentbrowser; agentbrowser.connect, agentbrowser.Browser")
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("command", ["serve", "install", "doctor", "demo", "--help"])
def test_a_command_without_the_server_says_how_to_get_it(command: str) -> None:
    ran = without_server("import runpy; runpy.run_module('agentbrowser', run_name='__main__', alter_sys=True)", command)
    assert (ran.returncode, ran.stdout) == (2, "")
    hint = re.escape("pip install 'agentbrowser-server[server]'")
    assert re.fullmatch(rf"agentbrowser: \w+ is missing; get it by {hint}\n", ran.stderr)


def test_our_own_missing_module_is_no_question_of_extras() -> None:
    ran = without_server(
        "import sys; sys.modules['agentbrowser.cli.commands'] = None; from agentbrowser.__main__ import main; main()"
    )
    assert "Traceback" in ran.stderr
