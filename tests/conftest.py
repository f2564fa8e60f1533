"""Settings of all tests: how many run at once, in which order, and that none fails because the machine is busy."""

import gc
import os
import sys
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings

# Without bytecode, each of the hundreds of Python processes of the tests compiles all that it imports. For a server
# that takes half a second. Node takes a quarter of the time in which Playwright's driver starts to compile it.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.setdefault("NODE_COMPILE_CACHE", str(Path(__file__).parents[1] / ".pytest_cache" / "node"))

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


def pytest_xdist_auto_num_workers() -> int:
    """Return two workers for each core: half of the browser tests' time is waiting."""
    return (os.cpu_count() or 1) * 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the objects that the collection of tests makes, half a million, out of collections of garbage.

    They live as long as the process. To visit them takes an eighth of the time of the collection of tests, and half a
    second whenever a test looks for what it has left behind.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


LONGEST: Final = (
    "tests/browser/security/test_wall.py",
    "tests/browser/sites/test_sites.py",
    "tests/browser/act/test_injected_find.py",
    "tests/browser/faults/test_fault_browser.py",
    "tests/browser/act/test_actions.py",
    "tests/browser/server/test_load.py",
    "tests/browser/security/test_secrets.py",
    "tests/browser/security/test_loop_holds.py",
    "tests/browser/act/test_hazards.py",
    "tests/browser/observe/test_look.py",
    "tests/browser/sessions/test_cold_return.py",
    "tests/browser/act/test_fast_pointer.py",
    "tests/browser/clients/test_typescript_reconnect.py",
    "tests/browser/server/test_readme.py",
    "tests/browser/recorder/test_replay.py",
    "tests/browser/recorder/test_export.py",
    "tests/browser/server/test_demo.py",
    "tests/browser/clients/test_typescript.py",
    "tests/browser/sessions/test_fleet.py",
    "tests/pure/client/test_types_refuse.py",
    "tests/loop/mcp/test_conformance.py",
    "tests/loop/gate/test_crowds.py",
)
"""Files that take longest. They are handed out first: one that is begun last leaves the other workers idle."""
ROOMS: Final = ("tests/browser", "tests/parity", "tests/loop", "tests/house", "tests/spec", "tests/pure")
"""Order of the other files, from minutes to fractions of a second each: at the end, no worker has long to run alone."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--run-slow", action="store_true", help="run the tests that are marked slow, too")


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.option.run_slow = config.workerinput["run_slow"]
    elif config.args_source is pytest.Config.ArgsSource.ARGS:
        config.option.run_slow = True  # whoever names files means all of their tests


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker what has been chosen: it can't tell, as its own arguments always name files."""
    node.workerinput["run_slow"] = node.config.option.run_slow


@pytest.hookimpl(trylast=True)  # files of the same rank stay in the order of pytest-randomly
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.option.run_slow:
        slow = {item for item in items if item.get_closest_marker("slow") is not None}
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]
    ranks = {name: rank for rank, name in enumerate((*LONGEST, *ROOMS))}

    def rank(item: pytest.Item) -> int:
        file = item.nodeid.partition("::")[0]
        return ranks.get(file, ranks.get("/".join(file.split("/")[:2]), len(ranks)))

    items.sort(key=rank)


def _sparing_the_tests(send: Callable[[int, int], None]) -> Callable[[int, int], None]:
    def checked(pid: int, number: int) -> None:
        # The pid 0 is the sender's group, and -1 is everybody: a SIGSTOP there once stopped a whole CI run.
        assert pid not in (0, -1), "a signal to the process group of the tests"
        send(pid, number)

    return checked


os.kill = _sparing_the_tests(os.kill)
if hasattr(os, "killpg"):
    os.killpg = _sparing_the_tests(os.killpg)
