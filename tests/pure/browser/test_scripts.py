"""The in-page scripts share one scope: a name that is declared twice would silently be the later one."""

import re
from collections import Counter
from pathlib import Path

import agentbrowser.browser

FOLDER = Path(agentbrowser.browser.__file__).parent / "js"
DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)


def test_no_two_scripts_declare_the_same_name() -> None:
    names = Counter(name for path in FOLDER.glob("*.js") for name in DECLARED.findall(path.read_text(encoding="utf-8")))
    assert len(names) > 100
    assert [name for name, count in names.items() if count > 1] == []
