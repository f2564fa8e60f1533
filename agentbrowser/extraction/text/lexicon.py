"""Words that mean the same on pages: concepts with their names in several languages."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).parent / "lexicon.txt"


def _entries() -> Iterator[tuple[str, str]]:
    """Yield the entries of the file; a line that is indented goes on with the one before."""
    text = re.sub(r"\n[ ]+", " ", _FILE.read_text(encoding="utf-8"))
    for line in text.splitlines():
        name, colon, said = line.partition(": ")
        if colon and not line.startswith("#"):
            yield name, said


_ALL: Final = dict(_entries())

STOP: Final = frozenset(_ALL.pop("stop").split())
"""Words that say nothing."""
GENERIC: Final = frozenset(_ALL.pop("generic").split())
"""Words that say little."""
UNITS: Final = frozenset(_ALL.pop("units").split())
"""What numbers are in; at the end of a name they say nothing else."""
TAILS: Final = frozenset(_ALL.pop("tails").split())
"""Last parts of words that are written as one."""
RELATED: Final = {
    (a, b): float(said) for name, said in _ALL.items() for a, tilde, b in [name.partition(" ~ ")] if tilde
}
"""How near two concepts are, 0 to 1."""
CONCEPTS: Final = {name: said.split() for name, said in _ALL.items() if " ~ " not in name}
"""What each concept is called: words, phrases ("last+name") and first parts of compounds ("bestell-")."""
