"""Paths, functions, classes, methods and commands that the pages for contributors name: each of them exists."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

import attrs
import pytest

from agentbrowser.methods import EVENTS, METHODS
from tests.house.test_house import LAYERS, WALLS

ROOT: Final = Path(__file__).parents[3]
PACKAGE: Final = ROOT / "agentbrowser"
DOCS: Final = PACKAGE / "docs"
PAGES: Final = ("architecture.md", "contributing.md")
SOURCES: Final = ("py", "js", "mjs", "ts")
# Names of a method and of files that the recipes create.
EXAMPLES: Final = {"page/zoom", "bench/corpus/dev/NAME.html", "bench/corpus/dev/NAME.json"}
_ATTRIBUTES: Final = {"tab.actions"}

_FENCE: Final = re.compile(r"^ *```(?:\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)
_PATH: Final = re.compile(r"(?:\.ci|[\w.-]+)(?:/[\w.-]+)+/?|[\w-]+/")
_FUNCTION: Final = re.compile(r"[A-Za-z_][\w.]*\(\)|test_\w+")
_CLASS: Final = re.compile(r"[A-Z]\w*(?:\.\w+)?|_?[A-Z][A-Z_]+")
_MODULE: Final = re.compile(r"[a-z_]+(?:\.[a-z_]+)+")
_COMMAND: Final = re.compile(r"-m ((?:agentbrowser|bench)[\w.]*)")
_JS_TOP: Final = re.compile(
    r"^(?:export )?(?:default )?(?:async )?(?:function\*? ?|class |const |let )(\w+)", re.MULTILINE
)
_JS_METHOD: Final = re.compile(r"^(?:export )?class (\w+)|^  (?:get |async |static )*(\w+)\(.*\{$", re.MULTILINE)
_LINK: Final = re.compile(r"\[[^\]]*\]\([^)]*\)")


@attrs.frozen
class Mention:
    """A name in code type, and the file that is named before it in the same paragraph, item or table cell."""

    name: str
    file: str | None


def blocks(text: str) -> Iterator[str]:
    """Yield paragraphs, list items and rows of tables, without blocks of code."""
    yield from re.split(r"\n\n|\n(?=\||- |\d+\. )", _FENCE.sub("", text))


def mentions(page: str) -> Iterator[Mention]:
    """Yield the names in code type of a page."""
    for block in blocks((DOCS / page).read_text(encoding="utf-8")):
        file = None
        for name in re.findall(r"`([^`]+)`", _LINK.sub("", block)):
            if is_path(name):
                file = name
            yield Mention(" ".join(name.split()), file)


def commands(page: str) -> Iterator[str]:
    """Yield the commands of a page: blocks of code, and code type with spaces."""
    text = (DOCS / page).read_text(encoding="utf-8")
    yield from chain(_FENCE.findall(text), (mention.name for mention in mentions(page) if " " in mention.name))


def is_path(name: str) -> bool:
    return _PATH.fullmatch(name) is not None and name not in EXAMPLES and name not in {*METHODS, *EVENTS}


def located(path: str) -> Path | None:
    """Return the place of a path, which is relative to the package or to the repository; None if it is not there."""
    return next((base / path for base in (PACKAGE, ROOT) if (base / path).exists()), None)


@cache
def defined_in(path: Path) -> frozenset[str]:
    """Return the functions, classes, methods, fields and variables that a source file defines."""
    text = path.read_text(encoding="utf-8")
    return frozenset(_defined_in_python(ast.parse(text)) if path.suffix == ".py" else _defined_in_script(text))


def _defined_in_python(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        yield from _bound(node)
        if isinstance(node, ast.ClassDef):
            yield from (f"{node.name}.{name}" for part in node.body for name in _bound(part))


def _bound(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case ast.Assign(targets=targets):
            yield from (target.id for target in targets if isinstance(target, ast.Name))


def _defined_in_script(text: str) -> Iterator[str]:
    yield from _JS_TOP.findall(text)
    owner = ""
    for opened, method in _JS_METHOD.findall(text):
        owner = opened or owner
        if method:
            yield f"{owner}.{method}"


@cache
def defined_anywhere() -> frozenset[str]:
    files = [path for base in (PACKAGE, ROOT / "tests") for path in base.rglob("*.*") if path.suffix[1:] in SOURCES]
    return frozenset(name for path in files if "node_modules" not in path.parts for name in defined_in(path))


def is_module(name: str) -> bool:
    folders = (base.joinpath(*name.split(".")) for base in (PACKAGE, ROOT))
    return any(folder.is_dir() or folder.with_suffix(".py").is_file() for folder in folders)


@pytest.mark.parametrize("page", PAGES)
def test_each_path_exists(page: str) -> None:
    paths = {mention.name for mention in mentions(page) if is_path(mention.name)}
    assert len(paths) > 20
    assert sorted(path for path in paths if located(path) is None) == []


@pytest.mark.parametrize("page", PAGES)
def test_each_function_is_defined_in_the_file_that_is_named_before_it(page: str) -> None:
    functions = {mention for mention in mentions(page) if _FUNCTION.fullmatch(mention.name)}
    assert len(functions) > 20
    absent = []
    for mention in functions:
        file = located(mention.file) if mention.file else None
        if file is None or not file.is_file() or mention.name.removesuffix("()") not in defined_in(file):
            absent.append(f"{mention.name} in {mention.file}")
    assert sorted(absent) == []


@pytest.mark.parametrize("page", PAGES)
def test_each_class_and_constant_is_defined(page: str) -> None:
    names = {mention.name for mention in mentions(page) if _CLASS.fullmatch(mention.name)}
    assert len(names) > 5
    assert sorted(names - defined_anywhere() - WALLS.keys()) == []


@pytest.mark.parametrize("page", PAGES)
def test_each_module_exists(page: str) -> None:
    names = {mention.name for mention in mentions(page) if _MODULE.fullmatch(mention.name)} - METHODS.keys()
    assert sorted(name for name in names - _ATTRIBUTES if not is_module(name)) == []


@pytest.mark.parametrize("page", PAGES)
def test_each_module_and_path_of_a_command_exists(page: str) -> None:
    text = "\n".join(commands(page))
    modules = set(_COMMAND.findall(text))
    paths = set(re.findall(r"(?<![\w/.])(?:tests|bench|agentbrowser|\.ci)/[\w./-]+", text))
    assert sorted(name for name in modules if not is_module(name)) == []
    assert sorted(path for path in paths - EXAMPLES if located(path) is None) == []


def _table(head: str) -> list[list[str]]:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = text.split(f"| {head} |")[1].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_table_of_layers_is_that_of_the_house() -> None:
    rows = _table("layer | rooms | purpose")
    assert {room: float(layer) for layer, rooms, _ in rows for room in re.findall(r"`([^`]+)`", rooms)} == LAYERS


def test_the_table_of_walls_is_that_of_the_house() -> None:
    rows = _table("package | rooms that may import it")
    assert {name.strip("`"): tuple(re.findall(r"`([^`]+)`", rooms)) for name, rooms in rows} == WALLS
