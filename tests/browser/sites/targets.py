"""Choice of the element that a task means, by its everyday role, its name and the words near it."""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

import attrs

from tests.browser.sites.looks import Part, TextLook, has_words, shown, squeezed

_ANY: Final = frozenset({"generic", "image", "img", "group", "listitem"})
_KINDS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    "button": (
        frozenset({"button", "summary", "disclosure"}),
        frozenset({"link", "menuitem", "switch", "tab", "combobox"}) | _ANY,
    ),
    "link": (frozenset({"link"}), frozenset({"button", "tab", "menuitem", "treeitem"}) | _ANY),
    "field": (
        frozenset({"textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "date", "time", "file"}),
        frozenset({"button"}) | _ANY,
    ),
    "checkbox": (frozenset({"checkbox", "switch", "menuitemcheckbox"}), frozenset({"button", "option"}) | _ANY),
    "radio": (frozenset({"radio", "menuitemradio"}), frozenset({"option", "button"}) | _ANY),
    "option": (frozenset({"option"}), frozenset({"menuitem", "radio", "button", "link", "treeitem"}) | _ANY),
    "tab": (frozenset({"tab"}), frozenset({"link", "button", "radio"}) | _ANY),
    "menuitem": (
        frozenset({"menuitem", "menuitemradio", "menuitemcheckbox"}),
        frozenset({"option", "button", "link"}) | _ANY,
    ),
    "card": (frozenset({"article", "group", "listitem", "generic", "figure"}), frozenset({"button", "link", "option"})),
    "row": (frozenset({"row", "listitem", "option", "generic"}), frozenset({"link", "button", "article", "group"})),
    "cell": (frozenset({"cell", "gridcell", "columnheader", "rowheader"}), frozenset({"button", "option"}) | _ANY),
    "icon": (frozenset({"button", "img", "image"}), frozenset({"link", "menuitem"}) | _ANY),
    "file": (frozenset({"file", "textbox", "button"}), frozenset({"link", "option", "row"}) | _ANY),
    "heading": (frozenset({"heading"}), frozenset({"button", "link", "columnheader", "article"}) | _ANY),
}
"""Roles of a look for each everyday role: the expected ones, and those that are accepted."""
_EXACT, _COUNTED, _WITHIN, _LABELLED = range(4)
_SAME_ELEMENT, _SAME_CELL, _SAME_LINE, _SAME_ITEM, _ELSEWHERE = range(5)
_HOLDERS: Final = frozenset({"card", "row", "heading"})
"""Everyday roles of things that hold more than their name."""
_POINTED: Final = frozenset({"hover", "drop"})
"""Actions on a place: what is at the place does not matter."""
_TRIM: Final = re.compile(r"^[\W_]+|[\W\d_]+$")
"""Symbols before a name, and symbols and counts after it."""


class TargetMissing(Exception):
    """No element of the look fits."""


class TargetAmbiguous(Exception):
    """Two elements of the look fit equally well."""


@attrs.frozen
class Target:
    """Description of an element in a task."""

    role: str
    name: str = ""
    near: str = ""

    def find(self, look: TextLook, action: str) -> Part:
        """Return the element that fits best.

        Raises:
          TargetMissing: none fits.
          TargetAmbiguous: two fit equally well.
        """
        ranked = sorted(self._ranked(look, action), key=lambda found: found[0])
        if not ranked and action in _POINTED:
            ranked += sorted(self._around(look), key=lambda found: found[0])[:1]
        if not ranked:
            raise TargetMissing(str(self))
        best = [part for rank, part in ranked if rank == ranked[0][0]]
        is_one_place = action in _POINTED and len({part.row for part in best}) == 1
        if len(best) > 1 and not is_one_place:
            raise TargetAmbiguous(f"{self}: {', '.join(map(shown, best[:6]))}")
        return best[0]

    def _ranked(self, look: TextLook, action: str) -> Iterator[tuple[tuple[int, ...], Part]]:
        """Yield the elements that fit, each with its rank; smaller is better."""
        places = _places(look, self.near) if self.near else []
        if self.near and not places:
            return
        expected, accepted = _KINDS[self.role]
        labels = _places(look, self.name) if self.role == "field" and self.name else []
        is_bare_text = self.role not in _HOLDERS and any(not part.ref and self._fits(part.words) for part in look.parts)
        for part in look.elements:
            is_odd = part.role not in expected
            named = self._name_rank(part)
            can_be_labelled = not is_odd or (action != "fill" and part.role in accepted)
            if named is None and can_be_labelled and labels and _nearness(look, part, labels)[0] <= _SAME_LINE:
                named = _LABELLED
            if named is None or (is_odd and (action == "fill" or part.role not in accepted) and part.role not in _ANY):
                continue
            if named == _WITHIN and is_bare_text:
                continue  # it only holds the thing that is meant
            tier, distance = _nearness(look, part, places)
            fit = (is_odd, named) if self.role == "field" else (named, is_odd)
            is_marked = action == "dblclick" and "double-clickable" in part.states
            yield (tier, *fit, not is_marked, distance), part

    def _name_rank(self, part: Part) -> int | None:
        if not self.name:
            return _EXACT
        text, name = _read(part.name), squeezed(self.name).casefold()
        if text == name:
            return _EXACT
        if _TRIM.sub("", text) == _TRIM.sub("", name) != "":
            return _COUNTED
        return _WITHIN if _holds(text, name) else None

    def _fits(self, words: list[str]) -> bool:
        return any(self.name and squeezed(word).casefold() == squeezed(self.name).casefold() for word in words)

    def _around(self, look: TextLook) -> Iterator[tuple[tuple[int, ...], Part]]:
        """Yield the elements in the line of the words, or below them in their section: pointing there is enough."""
        places = _places(look, self.name or self.near)
        for part in look.elements:
            tier, distance = _nearness(look, part, places)
            if places and tier < _ELSEWHERE:
                yield (tier, distance), part


def _read(name: str) -> str:
    """Return a name as a model reads it: symbols alone mean what they are called."""
    if name and not any(map(str.isalnum, name)):
        name = " ".join(unicodedata.name(character, "") for character in name if not character.isspace())
    return squeezed(name).casefold()


def _holds(text: str, words: str) -> bool:
    """Return whether a text holds words that neither begin nor end within a word of it."""
    return re.search(rf"(?<![\w-]){re.escape(words)}(?![\w-])", text) is not None


def _places(look: TextLook, near: str) -> list[Part]:
    """Return the parts with some words; those that have nothing else, if there are any."""
    wanted = squeezed(near).casefold()
    exact = [part for part in look.parts if wanted in (squeezed(word).casefold() for word in part.words)]
    if exact:
        return exact
    within = [part for part in look.parts if any(_holds(squeezed(word).casefold(), wanted) for word in part.words)]
    if within:
        return within
    rows = [row for row in range(len(look.lines)) if has_words(_line_words(look, row), near)]
    return [part for part in look.parts if part.row in rows]


def _line_words(look: TextLook, row: int) -> str:
    return " ".join(word for part in look.parts if part.row == row for word in part.words)


def _nearness(look: TextLook, part: Part, places: list[Part]) -> tuple[int, int]:
    """Return the closest relation of an element to one of the places, and the distance in lines."""
    return min((_relation(look, part, place) for place in places), default=(_SAME_ELEMENT, 0))


def _relation(look: TextLook, part: Part, place: Part) -> tuple[int, int]:
    if part is place:
        return _SAME_ELEMENT, 0
    if part.row == place.row:
        return (_SAME_CELL if part.cell == place.cell else _SAME_LINE), 0
    distance = 2 * abs(part.row - place.row) - (part.row > place.row)  # words stand before what they are about
    between = look.lines[min(part.row, place.row) + 1 : max(part.row, place.row) + 1]
    return (_ELSEWHERE if any(map(_begins_an_item, between)) else _SAME_ITEM), distance


def _begins_an_item(line: str) -> bool:
    return line.lstrip("+ ").startswith(("- ", "| ", "# ", "## ", "### ", "#### ", "frame ", "dialog ", "nav", "main"))
