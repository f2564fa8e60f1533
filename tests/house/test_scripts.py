"""The scripts of the page share one scope."""

import re
from collections import Counter
from pathlib import Path

from agentbrowser.browser import world

_DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.M)


def test_no_two_scripts_declare_one_name() -> None:
    folder = Path(world.__file__).parent / "js"
    texts = [(folder / f"{name}.js").read_text(encoding="utf-8") for name in world._FILES]
    counts = Counter(name for text in texts for name in _DECLARED.findall(text))
    assert [name for name, count in counts.items() if count > 1] == []
