"""Names that a page gives its values: labels around them, hints in their markup, and the context of a group.

The in-page script sends each as a text that begins with a letter for its source: "kPrice", "cprice-box".
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

import attrs

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.words import Words, words


class Relation(StrEnum):
    """Relation of a label to the value, by the letter of the in-page script."""

    NAME = "k"
    """Plain name: a term, a column of a table, words with a colon."""
    FIRST_OF_TWO = "q"
    """Words before the value that have nothing but the value beside them, so mostly its name."""
    BEFORE = "b"
    AFTER = "a"
    BETWEEN = "w"
    """Words between the value and the next one, and mostly the name of that."""
    HEADING = "h"


class PageLabel(NamedTuple):
    """Words of the page around a value."""

    relation: Relation
    text: str


class Markup(StrEnum):
    """Part of the markup that a hint is from, by the letter of the in-page script."""

    PROPERTY = "p"
    """``itemprop`` or ``property``."""
    DATA_ATTRIBUTE = "d"
    """Name of the ``data-`` attribute that has the value."""
    NAME = "n"
    CLASS = "c"
    """Class, or test id."""
    TITLE = "a"
    """``aria-label`` or ``title``."""
    ID = "i"
    OUTER_TITLE = "e"
    """``title`` or ``aria-label`` of an element that holds nothing but the value's."""
    OUTER_CLASS = "u"
    """Class of an element that holds nothing but the value's."""
    REL = "r"
    TAG = "t"


class Hint(NamedTuple):
    """Name in the markup of a value."""

    markup: Markup
    text: str


class ContextSource(StrEnum):
    """Source of a name of a whole group, by the letter of the in-page script."""

    NAME = "k"
    """Caption, legend, or term of a description."""
    HEADING = "h"
    ARIA_LABEL = "n"
    ID = "i"
    CLASS = "c"
    PROPERTY = "p"
    DATA_KEY = "j"
    """Key in embedded data."""


class ContextName(NamedTuple):
    """Name of a whole group."""

    source: ContextSource
    text: str


TRUST_BY_RELATION: Final = {
    Relation.NAME: 1.0,
    Relation.FIRST_OF_TWO: 0.9,
    Relation.HEADING: 0.85,
    Relation.AFTER: 0.8,
    Relation.BEFORE: 0.75,
    Relation.BETWEEN: 0.45,
}
TRUST_BY_MARKUP: Final = {
    Markup.PROPERTY: 0.95,
    Markup.DATA_ATTRIBUTE: 0.85,
    Markup.NAME: 0.85,
    Markup.TITLE: 0.85,
    Markup.CLASS: 0.8,
    Markup.ID: 0.75,
    Markup.OUTER_TITLE: 0.75,
    Markup.OUTER_CLASS: 0.7,
    Markup.REL: 0.6,
}
"""Trust in names by their markup. Tags have no names of their own; `NAMES_BY_TAG` has the trust in theirs."""
PLAIN_RELATIONS: Final = frozenset((Relation.NAME, Relation.FIRST_OF_TWO))
"""Relations of the labels that name their value plainly: "Author: Ann"."""
CLASSES: Final = frozenset((Markup.CLASS, Markup.OUTER_CLASS))
"""Markup that may name a style, and not the content."""
HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
OF_PART: Final = 0.75
"""Factor of a name of the whole for a part of it."""
NAMES_BY_TAG: Final = {
    "time": ("date", 0.6),
    "address": ("address", 0.7),
    "del": ("old", 0.75),
    "s": ("old", 0.75),
    "strike": ("old", 0.75),
    "img": ("image", 0.6),
    "h1": ("title", 0.6),
    "h2": ("title", 0.55),
    "h3": ("title", 0.55),
    "h4": ("title", 0.5),
    "caption": ("title", 0.3),
    "blockquote": ("text", 0.4),
    "summary": ("question", 0.4),
    "dt": ("term", 0.5),
    "dd": ("definition", 0.4),
    "meter": ("rating", 0.4),
    "progress": ("progress", 0.7),
}
"""Meanings of tags, each with its trust."""
_STYLING: Final = re.compile(
    r"(?:[a-z]+:)*-?(?:"
    r"(?:text|font|bg|border|rounded|[pm][trblxyse]?|[wh]|min|max|flex|grid|gap|cols?|row|items|justify|align|leading|"
    r"tracking|ring|shadow|opacity|z|inset|overflow|line-clamp|whitespace|break|wb|d|fs|fw|float|pull|css|sc|jsx|v|lh|"
    r"mui[a-z]*|ant|chakra|el|btn|button|badge|link|muted|visually|sr|is|js|fa|icon|space|self|tabular)(?:[-_:/\[.]+\S*|\d+)"
    r"|text|row|col|flex|grid|truncate|btn|badge|muted|clearfix|container|wrapper|inner|outer|block|inline|hidden|"
    r"visible|active|small|bold|italic|left|right|center|clear|odd|even|first|last|uppercase|underline|antialiased)$",
    re.IGNORECASE,
)
"""Classes of frameworks for the style of an element."""
_PART: Final = re.compile(r"__([a-z][\w-]*)$|--([a-z]+-[a-z][\w-]*)$")
"""Part of a block's class that names its element or modifier: "badge--age-rating"."""
_ELEMENT: Final = re.compile(r"([a-z][\w-]*?)__([a-z]+)$")
"""Class of an element with the block that it is in: "min-max-temperature__max"."""


@memoize
def label_of(sent: str) -> PageLabel:
    """Return a label as the in-page script sends it."""
    return PageLabel(Relation(sent[0]), sent[1:])


@memoize
def hint_of(sent: str) -> Hint:
    """Return a hint as the in-page script sends it."""
    markup, name = Markup(sent[0]), sent[1:]
    if markup in CLASSES and (parts := _ELEMENT.match(name)) and parts[2] in parts[1].split("-"):
        name = parts[2]  # the other words are those of its neighbours, too
    return Hint(markup, name)


def context_name_of(sent: str) -> ContextName:
    """Return a name of a group as the in-page script sends it."""
    return ContextName(ContextSource(sent[0]), sent[1:])


@memoize
def is_styling(name: str) -> bool:
    """Return True if a class names a style, and not the content."""
    if _STYLING.match(name) is None:
        return False
    part = _PART.search(name)
    return not part or not words(part[1] or part[2]).concepts


@attrs.define
class MarkupNames:
    """Names that markup gives values, each with its trust."""

    labels: list[tuple[Words, float]] = attrs.field(factory=list)
    classes: list[tuple[Words, float]] = attrs.field(factory=list)
    form: list[tuple[Words, float]] = attrs.field(factory=list)


@lru_cache(maxsize=2000)
def names_by_markup(hints: tuple[Hint, ...], is_part: bool, is_over: bool) -> MarkupNames:
    """Return the names in the hints of a column; many pages have the same hints."""
    names = MarkupNames()
    for markup, name in hints:
        if markup == Markup.TAG:
            if (known := NAMES_BY_TAG.get(name)) and not (is_over and name in HEADINGS):
                names.form.append((words(known[0]), known[1]))
        elif markup == Markup.REL and "me" in name.split():
            names.labels.append((words("website"), 0.7))
        elif not (markup in CLASSES and is_styling(name)):
            trust = TRUST_BY_MARKUP[markup] * (OF_PART if is_part else 1.0)
            (names.classes if markup in CLASSES or markup == Markup.ID else names.labels).append((words(name), trust))
    return names
