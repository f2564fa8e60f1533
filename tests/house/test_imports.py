"""Modules that each command imports: what a command does not need, it does not load. Times are for `bench.cold`."""

import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from agentbrowser import methods

HEAVY = frozenset(
    {
        "PIL",
        "agentbrowser.browser.tabs",
        "agentbrowser.client",
        "agentbrowser.config",
        "agentbrowser.extraction",
        "agentbrowser.methods",
        "agentbrowser.server",
        "attrs",
        "cattrs",
        "click",
        "hypercorn",
        "msgspec",
        "playwright",
        "prometheus_client",
        "rich",
        "structlog",
        "trio",
        "trio_websocket",
    }
)
"""Modules that take long to import, and the rooms of ours that import them."""

SERVING = {
    *("agentbrowser.config", "agentbrowser.server", "attrs", "click", "hypercorn", "msgspec", "structlog", "trio"),
    "rich",  # structlog imports it where it is installed
}
"""All that is loaded before the port answers."""


def loaded(program: str, candidates: Iterable[str] = HEAVY) -> set[str]:
    """Return which of the modules a program has imported when it ends."""
    program = f"import sys\n{program}\nprint(*[name for name in {sorted(candidates)} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    return set(ran.stdout.splitlines()[-1].split())


def command(*words: str) -> str:
    """Return a program that runs a command line to its end."""
    return f"""
from agentbrowser.__main__ import main
sys.argv = ["agentbrowser", *{words}]
try:
    main()
except SystemExit:
    pass
"""


@pytest.mark.parametrize("words", [("--version",), ("--help",), ("demo", "--help"), ("docs",), ("docs", "glossary")])
def test_a_command_that_only_prints_loads_click_alone(words: tuple[str, ...]) -> None:
    assert loaded(command(*words)) - {"attrs"} == {"click"}


@pytest.mark.parametrize("module", ["client", "client.aio", "client.blocking"])
def test_a_client_loads_no_codec_no_method_and_no_websocket(module: str) -> None:
    areas = {f"agentbrowser.methods.{area}" for area in ("action", "page", "sequence")}
    found = loaded(f"import agentbrowser.{module}", HEAVY | areas)
    assert found == {"agentbrowser.client", "agentbrowser.methods", "attrs", "msgspec", "trio"}


_AREAS_OF_METHODS = {f"agentbrowser.methods.{module.name}" for module in pkgutil.iter_modules(methods.__path__)}

OF_PAGES = {
    *(f"agentbrowser.client.{name}" for name in ("download", "element", "options", "page", "results", "selectors")),
    *(f"agentbrowser.protocol.types.{name}" for name in ("action", "approval", "element", "event", "observe", "page")),
}


@pytest.mark.parametrize("module", ["client", "client.aio"])
def test_a_client_loads_nothing_of_pages_before_its_first_page(module: str) -> None:
    assert loaded(f"import agentbrowser.{module}", OF_PAGES) == set()
    opened = f"from agentbrowser.{module} import Browser, connect; Browser(object()).page"
    assert loaded(opened, OF_PAGES) == OF_PAGES - {"agentbrowser.protocol.types.approval"}


def test_each_public_name_of_the_client_exists() -> None:
    from agentbrowser import client

    names = {name: getattr(client, name) for name in dir(client)}
    assert names["Page"] is client.Page
    assert names["at"] is client.at
    with pytest.raises(AttributeError, match="no attribute 'Tab'"):
        _ = client.Tab  # type: ignore[attr-defined]


def test_a_warm_verb_loads_next_to_nothing(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "token").write_text("none")
    code = """
import _socket
class Socket(_socket.socket):
    def connect(self, path): pass
    def sendall(self, request): pass
    def recv(self, size, answers=[b"+0 5\\nhello", b""]): return answers.pop(0)
_socket.socket = Socket
sys.argv = ["agentbrowser", "look"]
from agentbrowser.__main__ import main
try:
    main()
except SystemExit as end:
    assert not end.code
print()
print(*sorted({*sys.modules} - START))
"""
    program = f"import sys\nSTART = {{*sys.modules}}\n{code}"
    environ = {**os.environ, "AGENTBROWSER_RUNTIME_DIR": str(tmp_path)}
    ran = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True, env=environ)
    answer, modules = ran.stdout.splitlines()
    ours = {name for name in modules.split() if name.startswith("agentbrowser")}
    assert answer == "hello"
    assert ours == {f"agentbrowser{name}" for name in ("", ".__main__", ".cli", ".cli.verbs")} | {
        "agentbrowser.cli.verbs.client",
        "agentbrowser.cli.verbs.runtime_dir",
    }
    assert set(modules.split()) - ours <= {"_socket", "_stat", "os", "stat"}


def test_help_on_settings_loads_the_settings() -> None:
    assert loaded(command("serve", "--help")) == {"agentbrowser.config", "attrs", "click"}


def test_the_port_is_open_before_the_browser_side_is_loaded() -> None:
    program = """
from agentbrowser.cli import serve
serve._load_server = sys.exit
""" + command("serve", "--port=0")
    assert loaded(program) == SERVING


def test_a_server_that_is_up_has_loaded_what_the_first_request_needs() -> None:
    program = """
from agentbrowser.cli.serve import _load_server
_load_server()
"""
    needed = {"PIL", "agentbrowser.browser.tabs", "agentbrowser.extraction", "agentbrowser.methods", "playwright"}
    assert needed <= loaded(program)


def test_a_server_without_otel_loads_nothing_of_opentelemetry() -> None:
    program = """
from agentbrowser.cli.serve import _load_server
_load_server()
"""
    telemetry = {"opentelemetry", "agentbrowser.server.watch.telemetry"}
    assert loaded(program, telemetry | {"agentbrowser.spans"}) == {"agentbrowser.spans"}


def test_a_server_on_its_own_loads_nothing_of_a_fleet(tmp_path: Path) -> None:
    program = f"""
import trio
from agentbrowser.config import Config
from agentbrowser.server.app import open_snapshots
async def main():
    async with open_snapshots(Config()), open_snapshots(Config(state_dir={str(tmp_path / "state")!r})):
        pass
trio.run(main)"""
    fleet = {"coredis", "cryptography", "anyio", "agentbrowser.server.sessions.shared_store"}
    assert loaded(program, fleet | {"agentbrowser.server.sessions.snapshots"}) == {
        "agentbrowser.server.sessions.snapshots"
    }


def test_each_name_of_the_protocol_is_found_without_the_other_areas() -> None:
    found = loaded("from agentbrowser import methods\nassert methods.find_method('page/navigate')", _AREAS_OF_METHODS)
    assert found == {"agentbrowser.methods.agent_observe", "agentbrowser.methods.page"}
    names = (sorted(methods.METHODS), sorted(methods.EVENTS))
    program = f"""
from agentbrowser import methods
wanted = {names}
print([*filter(lambda name: methods.find_method(name) is None, wanted[0])])
print([*filter(lambda name: methods.find_event(name) is None, wanted[1])])
print(methods.find_method('page/no'), methods.find_event('no'))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout.splitlines() == ["[]", "[]", "None None"]
