"""The glossary: the new names in its tables of renames exist."""

import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "agentbrowser"


def test_the_new_names_of_the_glossary_exist() -> None:
    text = (PACKAGE / "docs" / "glossary.md").read_text(encoding="utf-8")
    modules, classes = (
        set(re.findall(r"^\| `\w+` \| `([\w/]+)` \|$", text.partition(f"### {part}\n")[2].partition("\n### ")[0], re.M))
        for part in ("Modules", "Classes")
    )
    sources = {str(path.relative_to(PACKAGE).with_suffix("")): path for path in PACKAGE.rglob("*.py")}
    defined = {name for path in sources.values() for name in re.findall(r"^class (\w+)", path.read_text(), re.M)}
    assert len(modules) > 100
    assert sorted(modules - sources.keys()) == []
    assert sorted(classes - defined) == []
