"""Reader of looks as text: lines of words and elements, as a model sees them."""

import json
import re
from collections.abc import Iterator
from typing import Final

import attrs

_TOKEN: Final = re.compile(
    r"""(?P<ref>@[\w.]+)
      | (?P<mark>~)? "(?P<quoted>(?:\\.|[^"\\])*)"
      | (?P<key>\w+)="(?P<value>(?:\\.|[^"\\])*)"
      | \((?P<states>(?:"(?:\\.|[^"\\])*"|[^()"])*)\)
      | (?P<word>[^\s"]+)""",
    re.VERBOSE,
)
_QUOTED: Final = re.compile(r'"((?:\\.|[^"\\])*)"')
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))")
_PLAIN: Final = {"n": "\n", "r": "\r", "t": "\t"}
_BEFORE: Final = re.compile(
    r"""(?P<kept>"(?:\\.|[^"\\])*"(?!\ →\ )) | "(?:\\.|[^"\\])*"\ (?=→\ ) | \ was\ \w+(?:\ "(?:\\.|[^"\\])*")?""",
    re.VERBOSE,
)
"""Words of a line of changes that stood there before; all of other quoted words is kept."""
_CURSOR: Final = re.compile(r"cursor (\S+)$")


@attrs.define(eq=False)
class Part:
    """A piece of a line: words of the page, or an element."""

    words: list[str] = attrs.field(factory=list)
    """The quoted words; the first one of an element with a name is the name."""
    ref: str = ""
    role: str = ""
    name: str = ""
    states: str = ""
    row: int = 0
    """Number of the line."""
    cell: int = 0
    """Number of the cell within the line."""


@attrs.define(eq=False)
class TextLook:
    """A look as text, with the pages that continue it."""

    lines: list[str] = attrs.field(factory=list)
    parts: list[Part] = attrs.field(factory=list)
    folds: list[str] = attrs.field(factory=list)
    """Cursors of folded rows that have not been read."""

    @classmethod
    def of(cls, text: str) -> "TextLook":
        """Read a look."""
        look = cls()
        look.add(text)
        return look

    def add(self, text: str) -> None:
        """Read one more page of the look; an element that is listed again keeps its first place."""
        seen = {part.ref for part in self.parts if part.ref}
        for line in _present_lines(text):
            if not _QUOTED.search(line) and (cursor := _CURSOR.search(line)):
                self.folds.append(cursor[1])
            elif line.startswith("..."):
                self.folds += [cursor[1]] if (cursor := _CURSOR.search(line)) else []
                continue
            row = len(self.lines)
            self.lines.append(line)
            self.parts += [part for part in _parts(line, row) if not part.ref or part.ref not in seen]

    @property
    def elements(self) -> list[Part]:
        """Return the elements in reading order."""
        return [part for part in self.parts if part.ref]

    @property
    def words(self) -> str:
        """Return all words of the page, in reading order."""
        return squeezed(" ".join(word for part in self.parts for word in part.words))


def _present_lines(text: str) -> Iterator[str]:
    """Yield the lines of a look; of changes, what is there now."""
    is_changes = text.startswith("changes\n")
    for line in text.splitlines():
        if not is_changes:
            yield line
        elif not line.startswith("- "):
            yield _BEFORE.sub(lambda found: found["kept"] or "", line)


def squeezed(text: str) -> str:
    """Return a text with each run of white space as one space."""
    return " ".join(text.split())


def has_words(text: str, words: str) -> bool:
    """Return whether words stand in a text, however it is cut into lines and pieces."""
    return _solid(words) in _solid(text)


def _solid(text: str) -> str:
    return "".join(text.split()).casefold()


def unescaped(text: str) -> str:
    """Return the words that a quoted text of a look stands for."""
    return _ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else _PLAIN.get(found[2], found[2]), text)


def _parts(line: str, row: int) -> Iterator[Part]:
    cell, element, expected = 0, None, ""
    for token in _TOKEN.finditer(line):
        kind = token.lastgroup
        if kind == "ref":
            element, expected = Part(ref=token["ref"], row=row, cell=cell), "role"
            yield element
        elif kind == "quoted":
            text = unescaped(token["quoted"])
            if element is not None and expected in ("name", "context"):
                element.words.append(text)
                if expected == "name":
                    element.name = text
                expected = "more"
            else:
                element, expected = None, ""
                yield Part(words=[text], row=row, cell=cell)
        elif kind == "value":
            text = unescaped(token["value"])
            if element is not None:
                element.words.append(text)
                expected = "more"
            else:
                yield Part(words=[text], row=row, cell=cell)
        elif kind == "states":
            held = [unescaped(found[1]) for found in _QUOTED.finditer(token["states"])]
            if element is not None:
                element.states = token["states"]
                element.words += held
            elif held:
                yield Part(words=held, row=row, cell=cell)
        elif token["word"] == "|":
            cell, element, expected = cell + 1, None, ""
        elif expected == "role" and element is not None:
            element.role, expected = token["word"], "name"
        elif token["word"] == "in" and element is not None:
            expected = "context"
        else:
            expected = "more" if element is not None else ""


def shown(part: Part) -> str:
    """Return a short description of an element, for the message of a failure."""
    return f"{part.ref} {part.role} {json.dumps(part.name, ensure_ascii=False)}"
