"""Names that markup gives values: classes, ids, properties and tags."""

import re
from functools import lru_cache
from typing import Final

import attrs

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.words import Words, words

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

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
BY_MARKUP: Final = {"p": 0.95, "d": 0.85, "n": 0.85, "c": 0.8, "a": 0.85, "i": 0.75, "e": 0.75, "u": 0.7, "r": 0.6}
BY_LABEL: Final = {"k": 1.0, "q": 0.9, "h": 0.85, "a": 0.8, "b": 0.75, "w": 0.45}
"""Trust in names by the letter of the markup, and of the label, that they are from."""
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
def names_by_markup(hints: tuple[str, ...], is_part: bool, is_over: bool) -> MarkupNames:
    """Return the names in the hints of a column; many pages have the same hints."""
    names = MarkupNames()
    for hint in hints:
        letter, name = hint[0], hint[1:]
        if letter == "t":
            if (known := NAMES_BY_TAG.get(name)) and not (is_over and name in HEADINGS):
                names.form.append((words(known[0]), known[1]))
        elif letter == "r" and "me" in name.split():
            names.labels.append((words("website"), 0.7))
        elif letter in BY_MARKUP and not (letter in "cu" and is_styling(name)):
            trust = BY_MARKUP[letter] * (OF_PART if is_part else 1.0)
            (names.classes if letter in "ciu" else names.labels).append((words(name), trust))
    return names
