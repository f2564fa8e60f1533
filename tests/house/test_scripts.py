"""The in-page scripts: rooms, their import walls, and the bundle that is generated from them."""

import hashlib
import re
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import agentbrowser.browser
from agentbrowser.browser.scripts.bundle import PROGRAMS
from tests.each import each_of

SCRIPTS: Final = Path(agentbrowser.browser.__file__).parent / "scripts"
BUNDLE: Final = SCRIPTS / "bundle.gen.js"
MODULES: Final = sorted(path for path in SCRIPTS.rglob("*.js") if path != BUNDLE)
MAX_MODULES: Final = 16

# The rooms that the modules of a room import from.
WALLS: Final = {
    "dom": {"dom"},
    "observe": {"dom", "observe"},
    "act": {"dom", "observe", "settle", "act"},
    "extract": {"dom", "observe", "extract"},
    "settle": {"dom", "settle"},
    "programs": {"dom", "observe", "act", "extract", "settle"},
}
_IMPORT: Final = re.compile(r'^import [^"]*?from "([^"]+)";', re.MULTILINE)


def _imports(path: Path) -> set[Path]:
    return {(path.parent / name).resolve() for name in _IMPORT.findall(path.read_text(encoding="utf-8"))}


def _name(path: Path) -> str:
    return path.relative_to(SCRIPTS).as_posix()


def _room(path: Path) -> str:
    return path.relative_to(SCRIPTS).parts[0]


def test_the_bundle_is_generated_from_these_modules() -> None:
    sources = hashlib.sha256()
    for path in sorted(MODULES, key=_name):
        sources.update(f"{_name(path)}\n".encode() + path.read_bytes())
    (written,) = re.findall(r"^// sources: (\w+)$", BUNDLE.read_text(encoding="utf-8"), re.MULTILINE)
    assert written == sources.hexdigest(), "run `npm run --prefix .ci/js build`"


def test_each_module_of_programs_is_one_program_of_the_bundle() -> None:
    assert set(PROGRAMS) == {path.stem for path in MODULES if _room(path) == "programs"}
    for source in PROGRAMS.values():
        assert source.startswith('(() => { "use strict";\n')
        assert re.search(r"return \w+;\n\}\)\(\)$", source)


@each_of(MODULES, _name)
def test_a_script_imports_only_from_rooms_behind_no_wall(path: Path) -> None:
    assert {_room(imported) for imported in _imports(path)} <= WALLS[_room(path)]


def test_scripts_do_not_import_each_other_in_circles() -> None:
    TopologicalSorter({path: _imports(path) for path in MODULES}).prepare()


def test_every_script_is_part_of_a_program() -> None:
    reached = {path for path in MODULES if _room(path) == "programs"}
    while more := {imported for path in reached for imported in _imports(path)} - reached:
        reached |= more
    assert reached == set(MODULES)


def test_no_folder_of_scripts_holds_more_modules_than_a_room() -> None:
    for folder in {path.parent for path in MODULES}:
        assert sum(path.parent == folder for path in MODULES) <= MAX_MODULES, folder.name


@each_of(MODULES, _name)
def test_a_script_is_described_by_noun_phrases_and_imperatives(path: Path) -> None:
    comments = re.findall(r"/\*\*.*?\*/|(?<!:)// [^\n]*", path.read_text(encoding="utf-8"), re.DOTALL)
    assert not [text for text in comments if re.match(r"[/*\s]+(What|How|Whether|Where|Who|Which)\b", text)]
    assert not [text for text in comments if re.search(r"\b(tell|tells|told)\b", text, re.IGNORECASE)]


def test_python_and_the_page_agree_on_the_functions_that_are_called() -> None:
    program = (SCRIPTS / "programs" / "isolated_world.js").read_text(encoding="utf-8")
    (table,) = re.findall(r"const CALLS = \{(.*?)\};", program, re.DOTALL)
    declared = set(re.findall(r"\w+", table))
    sources = [path.read_text(encoding="utf-8") for path in SCRIPTS.parent.rglob("*.py")]
    called = {name for text in sources for name in re.findall(r'\.call(?:_with_owner)?\((?:\w+, )?"(\w+)"', text)}
    mentioned = {name for text in sources for name in re.findall(r'"(\w+)"', text)}
    assert called
    assert called <= declared
    assert declared - {"elementIndexes"} <= mentioned  # that one is for tests/browser/act/test_injected_find.py
