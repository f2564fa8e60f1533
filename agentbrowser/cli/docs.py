"""Pages of the documentation, as the command ``docs`` lists and shows them."""

import difflib
import re
from pathlib import Path
from typing import Final

import attrs

FOLDER: Final = Path(__file__).parents[1] / "docs"
_SUMMARY: Final = re.compile(r"\A# (.+)\n\n((?:.+\n)+)")
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)")


class NoSuchTopic(ValueError):
    """Unknown topic; the text is one line with the accepted ones."""


@attrs.frozen
class Topic:
    """Page of the documentation."""

    name: str
    path: Path

    @property
    def text(self) -> str:
        """Return the page as Markdown."""
        return self.path.read_text(encoding="utf-8")

    @property
    def summary(self) -> str:
        """Return the first sentence of the page, without its links."""
        found = _SUMMARY.match(self.text)
        first = " ".join(found[2].split()) if found else ""
        return _LINK.sub(r"\1", re.split(r"(?<=\.)\s", first)[0]).replace("`", "")


def topics() -> dict[str, Topic]:
    """Return the pages by their names."""
    paths = sorted(FOLDER.glob("*.md"))
    return {path.name.partition(".")[0]: Topic(path.name.partition(".")[0], path) for path in paths}


def find(name: str) -> Topic:
    """Return the page with a name.

    Raises:
      NoSuchTopic: no page has the name.
    """
    known = topics()
    if name in known:
        return known[name]
    similar = difflib.get_close_matches(name, known, n=1)
    hint = f"; did you mean {similar[0]}?" if similar else ""
    raise NoSuchTopic(f"there is no topic {name!r}; the topics are {', '.join(known)}{hint}")
