"""The rules of the house: who may import whom, which vendor lives where, how large a file may be."""

import ast
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

from agentbrowser.protocol.blocking_client import GENERATED_MODULES
from tests.conftest import LONGEST
from tests.each import each_of

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "agentbrowser"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "node_modules" not in path.parts)

MAX_LINES = 400

LAYERS = {
    "protocol.errors": 0,
    "protocol.types": 0,
    "protocol": 1,
    "policy": 2,
    "config": 2,
    "nursery": 2,
    "spans": 2,
    "long_work": 2,
    "frozen_imports": 2,
    "recorder": 2.5,
    "methods": 3,
    "extraction": 3.9,
    "extraction.caching": 3.1,
    "extraction.text": 3.2,
    "extraction.schema": 3.3,
    "extraction.columns": 3.4,
    "extraction.model": 3.5,
    "extraction.match": 3.6,
    "extraction.output": 3.7,
    "browser.scripts": 4.1,
    "browser.background_tasks": 4.1,
    "browser.capacity": 4.1,
    "browser.deadline": 4.1,
    "browser.faults": 4.1,
    "browser.selectors": 4.1,
    "browser.ids": 4.1,
    "browser.loop_hold": 4.1,
    "browser.portal": 4.1,
    "browser.events": 4.2,
    "browser.downloads.directory_watch": 4.2,
    "browser.downloads.disk_guard": 4.2,
    "browser.downloads.trace_files": 4.15,
    "browser.engine": 4.3,
    "browser.downloads": 4.4,
    "browser.page": 4.4,
    "browser.storage": 4.4,
    "browser.semantic": 4.4,
    "browser.act": 4.4,
    "browser.observe": 4.5,
    "browser.recording": 4.5,
    "browser.settle": 4.5,
    "browser": 4.6,
    "browser.live": 4.65,
    "browser.live.hold": 4.1,
    "client": 4.7,
    "tools": 4.8,
    "server.gate": 5.1,
    "server.watch.log_context": 5.1,
    "server.watch.memory_usage": 5.1,
    "server.watch.metrics": 5.1,
    "server.watch.audit_log": 5.1,
    "server.egress": 5.2,
    "server.corridor": 5.3,
    "server.sessions": 5.3,
    "server.watch": 5.4,
    "live": 5.45,
    "server": 5.5,
    "forced_exit": 5.55,
    "mcp": 5.6,
    "cli": 6,
    "protocol.generate": 6,
    "protocol.blocking_client": 6,
    "protocol.reference": 6,
    "__main__": 6,
}
"""Layer of each room; of a module, where it differs. A module imports from its own room, and from rooms of its layer or
a lower one."""
STRANGERS = {
    ("client", "browser"),
    ("client", "extraction"),
    ("browser", "client"),
    ("tools", "browser"),
    ("tools", "extraction"),
}
"""Rooms that may not import each other, whatever their layers: a client needs nothing of the browser side."""

SERVER_IMPORTS = {
    f"agentbrowser.browser.{name}"
    for name in (
        "portal",
        "engine.engine",
        "engine.pool",
        "engine.proxy_check",
        "engine.recovery",
        "engine.warm_contexts",
        "engine.vendor",
        "tabs",
        "step_batch",
        "capacity",
        "loop_hold",
    )
}
"""The modules of the browser side that the server may import."""

WALLS = {
    "playwright": ("browser", "cli.doctor", "cli.install"),
    "asyncio": ("browser", "client"),
    "hypercorn": ("server", "cli", "browser.engine.vendor"),
    "trio_websocket": ("client",),
    "wsproto": ("server.gate", "client.connection.websocket"),
    "msgspec": ("protocol",),
    "ada_url": ("policy",),
    "cattrs": ("protocol.codec",),
    "PIL": ("browser.observe", "browser.recording"),
    "mcp": ("mcp",),
    "mcp_types": ("mcp",),
    "anyio": ("mcp",),
    "opentelemetry": ("server.watch.telemetry",),
}
"""The rooms that may import each vendor."""
ONLY_TRIO_IN_BROWSER = "browser.portal"
ONLY_ASYNCIO_IN_CLIENT = "client.aio"
EMPTY_PACKAGES = {
    ".".join(path.parent.relative_to(PACKAGE).parts)
    for path in MODULES
    if path.name == "__init__.py" and len(ast.parse(path.read_text()).body) == 1
}
"""Packages that hold a docstring and no code of their own."""
MAX_MODULES = 16
AREAS = {"methods", "protocol/types"}
"""Folders with one module for each area of the protocol, however many these are."""


@cache
def _imports(path: Path) -> tuple[str, ...]:
    """Return the modules that a file imports at run time, by their full names."""
    return tuple(_all_imports(path))


def _all_imports(path: Path) -> Iterator[str]:
    for node in _outside_type_checking(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _outside_type_checking(node: ast.AST) -> Iterator[ast.AST]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _outside_type_checking(child)


def _dotted(path: Path) -> str:
    """Return a module's name within the package: ``server.gate.head``."""
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


def _longest(name: str, table: Iterable[str]) -> str | None:
    """Return the longest entry that is the name, or a package that it is in."""
    return max((entry for entry in table if name == entry or name.startswith(f"{entry}.")), key=len, default=None)


def _name(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@each_of(MODULES, _name)
def test_a_module_imports_only_from_lower_layers(path: Path) -> None:
    module = _dotted(path)
    if module == "__init__":
        return
    room = _longest(module, LAYERS)
    assert room is not None, f"{module} has no layer"
    for name in _imports(path):
        first, _, rest = name.partition(".")
        imported = _longest(rest, LAYERS)
        if rest in EMPTY_PACKAGES:  # the module that is imported from it is yielded too
            continue
        if first != "agentbrowser" or imported in (None, room):
            continue
        assert imported is not None
        assert LAYERS[imported] <= LAYERS[room], f"{room} may not import {name}"
        assert (module.partition(".")[0], rest.partition(".")[0]) not in STRANGERS, f"{room} may not import {name}"
        if module.startswith("server.") and rest.startswith("browser"):
            assert any(name.startswith(allowed) for allowed in SERVER_IMPORTS), name


def test_the_layout_names_every_room() -> None:
    import agentbrowser

    _, lines = (agentbrowser.__doc__ or "").split("keeps the table):\n")
    named = {word for line in lines.splitlines() for word in line.strip().partition("   ")[0].replace(",", "").split()}
    rooms = {path.name + "/" for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert named == rooms | {path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}


def test_no_folder_holds_too_many_modules() -> None:
    folders = Counter(str(path.parent.relative_to(PACKAGE)) for path in MODULES if path.name != "__init__.py")
    assert {folder for folder, count in folders.items() if count > MAX_MODULES} <= AREAS


def test_no_two_public_classes_share_a_name() -> None:
    mirrors = {PACKAGE / "client" / "blocking" / f"{name}.py" for name in GENERATED_MODULES}
    places: dict[str, list[str]] = {}
    for path in MODULES:
        if path in mirrors:  # generated from the Trio client, class by class
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(_dotted(path))
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


@each_of(MODULES, _name)
def test_a_vendor_stays_behind_its_wall(path: Path) -> None:
    module = _dotted(path)
    for vendor in {name.partition(".")[0] for name in _imports(path)}:
        assert vendor not in WALLS or _longest(module, WALLS[vendor]), f"{vendor} does not belong here"
        if vendor == "trio" and _longest(module, ["browser"]):
            assert module == ONLY_TRIO_IN_BROWSER
        if vendor == "asyncio" and _longest(module, ["client"]):
            assert module == ONLY_ASYNCIO_IN_CLIENT


def _scripts() -> Iterator[Path]:
    """Yield the files of JavaScript and TypeScript that are not generated."""
    for pattern in ("browser/scripts/**/*.js", "sdk/typescript/src/*.ts", "sdk/typescript/tests/*.ts"):
        yield from (path for path in PACKAGE.glob(pattern) if ".gen." not in path.name)


@each_of([*MODULES, *_scripts()], _name)
def test_a_file_is_no_longer_than_a_room(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MAX_LINES


def test_the_top_level_holds_only_what_belongs_there() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    top = {line.partition("/")[0] for line in listed.splitlines() if not line.startswith(".")}
    assert top <= {"pyproject.toml", "agentbrowser", "tests", "bench", "README.md", "LICENSE", "uv.lock"}


def test_a_client_needs_neither_playwright_nor_hypercorn() -> None:
    program = "import sys, agentbrowser.client; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "trio" in loaded
    assert not {"playwright", "hypercorn", "agentbrowser.server", "agentbrowser.browser"} & set(loaded)


def test_the_public_names_can_be_had() -> None:
    import agentbrowser

    for name in agentbrowser._PUBLIC:
        assert getattr(agentbrowser, name).__name__ == name
        assert name in dir(agentbrowser)
    with pytest.raises(AttributeError):
        agentbrowser.nothing  # noqa: B018


def test_the_longest_files_of_tests_exist() -> None:
    assert [name for name in LONGEST if not (ROOT / name).is_file()] == []
