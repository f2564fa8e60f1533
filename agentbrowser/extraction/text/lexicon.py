"""Lexicon of concepts, with their names in several languages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).parent / "lexicon.txt"


def _entries() -> Iterator[tuple[str, str]]:
    """Yield the entries of the file; a line that is indented goes on with the one before."""
    text = re.sub(r"\n[ ]+", " ", _FILE.read_text(encoding="utf-8"))
    for line in text.splitlines():
        name, colon, names = line.partition(": ")
        if colon and not line.startswith("#"):
            yield name, names


_ALL: Final = dict(_entries())

STOP: Final = frozenset(_ALL.pop("stop").split())
"""Stop words."""
GENERIC: Final = frozenset(_ALL.pop("generic").split())
"""Words with little meaning."""
UNITS: Final = frozenset(_ALL.pop("units").split())
"""Units of numbers, ignored at the end of a name."""
TAILS: Final = frozenset(_ALL.pop("tails").split())
"""Last parts of words that are written as one."""
WORDS_OF_KINDS: Final = {name: _ALL.pop(name).split(", ") for name in list(_ALL) if name.endswith(" word")}
"""Values that are words of a kind: "status word"."""
RELATED: Final = {
    (a, b): float(value) for name, value in _ALL.items() for a, tilde, b in [name.partition(" ~ ")] if tilde
}
"""Similarity of two related concepts, 0 to 1."""
CONCEPTS: Final = {name: names.split() for name, names in _ALL.items() if " ~ " not in name}
"""Names of each concept: words, phrases ("last+name") and first parts of compounds ("bestell-")."""
