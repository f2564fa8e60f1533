"""The rules of the house: who may import whom, which vendor lives where, how large a file may be."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "agentbrowser"
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if "node_modules" not in path.parts)

MAX_LINES = 400

LAYERS = {
    "errors": 0,
    "types": 0,
    "wire": 1,
    "policy": 1,
    "registry": 1,
    "codec": 1,
    "census": 1,
    "config": 1,
    "credentials": 1,
    "nursery": 1,
    "approval": 1,
    "globs": 1,
    "openrpc": 1,
    "typescript": 1,
    "shapes": 1,
    "redaction": 1,
    "subscriptions": 1,
    "tokens": 1,
    "vault": 1,
    "masking": 1,
    "methods": 2,
    "browser": 3,
    "client": 3,
    "server": 4,
}
TOP = 5
"""Everything else: the command line and what belongs to it."""

SERVERS_DOORS = {f"agentbrowser.browser.{name}" for name in ("portal", "launch", "tabs", "runs")}
"""What the server may import of the browser."""

WALLS = {
    "playwright": ("browser", "doctor", "install"),
    "asyncio": ("browser", "client"),
    "hypercorn": ("server", "cli", "doctor"),
    "trio_websocket": ("client",),
    "wsproto": ("server",),
    "msgspec": ("wire", "schema"),
    "ada_url": ("policy",),
    "cattrs": ("codec",),
    "PIL": ("browser",),
}
ONLY_TRIO_IN_BROWSER = "browser/portal.py"


ONLY_ASYNCIO_IN_CLIENT = "client/aio.py"


def _imports(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports at run time, by their full names."""
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


def _room(path: Path) -> str:
    """Return the top-level module or folder that a file belongs to."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def _layer(room: str) -> int:
    return LAYERS.get(room, TOP)


def _name(path: Path) -> str:
    return str(path.relative_to(PACKAGE))


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_module_imports_only_from_layers_above(path: Path) -> None:
    room = _room(path)
    if room == "__init__":
        return
    for name in _imports(path):
        first, _, rest = name.partition(".")
        imported = rest.split(".")[0]
        if first != "agentbrowser" or imported in ("", room, "__version__"):
            continue
        if _layer(imported) == 3 and _layer(room) == 3:
            pytest.fail(f"{room} and {imported} may not know each other")
        assert _layer(imported) <= _layer(room), f"{room} may not import {name}"
        if room == "server" and imported == "browser":
            assert any(name.startswith(door) for door in SERVERS_DOORS), f"server may not import {name}"


def test_the_layout_names_every_module() -> None:
    import agentbrowser

    _, lines = (agentbrowser.__doc__ or "").split("keeps the table):\n")
    named = {word for line in lines.splitlines() for word in line.strip().partition("   ")[0].replace(",", "").split()}
    rooms = {path.name + "/" for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert named == rooms | {path.stem for path in PACKAGE.glob("*.py") if not path.stem.startswith("__")}


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_a_vendor_stays_behind_its_wall(path: Path) -> None:
    for vendor in {name.partition(".")[0] for name in _imports(path)}:
        assert _room(path) in WALLS.get(vendor, (_room(path),)), f"{vendor} does not belong here"
        if vendor == "trio" and _room(path) == "browser":
            assert _name(path) == ONLY_TRIO_IN_BROWSER
        if vendor == "asyncio" and _room(path) == "client":
            assert _name(path) == ONLY_ASYNCIO_IN_CLIENT


def _scripts() -> Iterator[Path]:
    """Yield the files of JavaScript and TypeScript that somebody has written."""
    for pattern in ("browser/js/*.js", "sdk/typescript/src/*.ts", "sdk/typescript/tests/*.ts"):
        yield from (path for path in PACKAGE.glob(pattern) if not path.name.endswith(".gen.ts"))


@pytest.mark.parametrize("path", [*MODULES, *_scripts()], ids=_name)
def test_a_file_is_no_longer_than_a_room(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MAX_LINES


def test_the_top_level_holds_only_what_belongs_there() -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    top = {line.partition("/")[0] for line in listed.splitlines() if not line.startswith(".")}
    assert top <= {"pyproject.toml", "agentbrowser", "tests", "bench", "README.md", "LICENSE", "uv.lock"}


def test_a_client_needs_neither_playwright_nor_hypercorn() -> None:
    program = "import sys, agentbrowser.client; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "trio_websocket" in loaded
    assert not {"playwright", "hypercorn", "agentbrowser.server", "agentbrowser.browser"} & set(loaded)


def test_the_public_names_can_be_had() -> None:
    import agentbrowser

    for name in agentbrowser._PUBLIC:
        assert getattr(agentbrowser, name).__name__ == name
        assert name in dir(agentbrowser)
    with pytest.raises(AttributeError):
        agentbrowser.nothing  # noqa: B018
