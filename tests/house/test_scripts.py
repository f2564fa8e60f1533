"""The scripts of the page share one scope."""

import re
from collections import Counter
from pathlib import Path

from agentbrowser.browser.page import isolated_world

_DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.M)


def test_no_two_scripts_declare_one_name() -> None:
    folder = Path(isolated_world.__file__).parents[1] / "js"
    texts = [(folder / f"{name}.js").read_text(encoding="utf-8") for name in isolated_world._FILES]
    counts = Counter(name for text in texts for name in _DECLARED.findall(text))
    assert [name for name, count in counts.items() if count > 1] == []


def test_scripts_are_sent_without_comments_and_with_all_their_code() -> None:
    folder = Path(isolated_world.__file__).parents[1] / "js"
    for path in folder.glob("*.js"):
        full = path.read_text(encoding="utf-8").split("\n")
        bare = isolated_world.bare(path.read_text(encoding="utf-8")).split("\n")
        assert len(bare) == len(full)
        for line, kept in zip(full, bare, strict=True):
            is_aside = line.strip().startswith(("/*", "*", "//")) and not re.search(r"\*/.*\S", line.strip())
            assert kept == ("" if is_aside else line.lstrip(" ")), (path.name, line)


def test_what_is_not_a_whole_line_of_comment_stays() -> None:
    code = 'a(); // b\n/** @type {c} */ const d = 1;\n/*\n * e\n */\nf("/*"); /* g */ h();\n  // i\n  j("*/");\n'
    left = 'a(); // b\n/** @type {c} */ const d = 1;\n\n\n\nf("/*"); /* g */ h();\n\nj("*/");\n'
    assert isolated_world.bare(code) == left
