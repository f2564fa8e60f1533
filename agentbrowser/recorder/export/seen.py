"""Elements and words that the looks of a recording show, from their JSON or their text. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, Final

import attrs

from agentbrowser.policy.redaction import REDACTED

_QUOTED: Final = r'"((?:[^"\\]|\\.)*)"'
_TOKEN: Final = re.compile(rf"(?P<ref>@[^\s\"]+) (?P<role>[a-zA-Z-]+)(?: (?P<mark>~?){_QUOTED})?|{_QUOTED}")
"""An element with its role and name, or quoted words: what stands in quotes is never taken for an element."""
_FACT: Final = re.compile(rf" (?:in|value=|was \S+) ?{_QUOTED}")
"""Quoted facts about an element, which are no words of their own."""
_ESCAPE: Final = re.compile(r"\\(?:u\{([0-9a-f]+)\}|(.))")
_NAMED_ESCAPES: Final = {"n": "\n", "r": "\r", "t": "\t"}
_KINDS: Final = {"#": "heading", "alert": "alert", "status": "status", "-": "item", "|": "row"}
_LINE: Final = re.compile(r"(#+|alert|status|-|\|)? ?(?=[@\"])")
_CHANGED: Final = re.compile(r'~ ((?:#+ |alert |status |- |\| )?)"')
"""Words that have changed, in a look at changes."""
_PAGE: Final = re.compile(rf"page {_QUOTED} (\S+)", re.MULTILINE)
_FRAME: Final = re.compile(r"^frame (?!main$)", re.MULTILINE)
_URGENT: Final = ("alert", "status", "heading")
_CUT: Final = "…"
_DIFFS: Final = ("changes", "no changes")
"""Beginnings of looks that hold changes: there, a line with a hyphen is gone, and is no item of a list."""
_MAX_WORDS: Final = 100
_UNITS: Final = r"(?:second|sec|minute|min)"
_VOLATILE: Final = re.compile(
    rf"\d:\d\d|\d{{5}}|\b(?:ago|just now|(?:in|less than) a minute)\b|(?:\d|\bfew)\s*(?:more )?{_UNITS}s?\b"
    rf"|\b{_UNITS}s(?: left| remaining)?\W+\d|\b(?:today|yesterday)(?:,| at\b|\W+\d)|\w\W+(?:today|yesterday)\W*$",
    re.IGNORECASE,
)
"""Words that depend on the run: times, and long numbers, which are often random.

A word for a time is not enough: "Second page", "Minute book" and "Today offers" are the same in each run.
"""
_DAY: Final = re.compile(r"\W*(?:today|yesterday)\W*", re.IGNORECASE)
"""Words that are a date; as the name of a button, they are the same in each run."""
_NUMBER: Final = re.compile(r"\S*(?:\d:\d\d|\d{5}|\b[A-Z]{1,6}-?\d{2,})\S*")
"""Words with a time, a long number or a code such as ``PB-782``."""
_ANY_NUMBER: Final = re.compile(r"\S*\d\S*")
_ELIDED: Final = re.compile("\0|…(?!$)")
"""Place of left out words: those of one run, and those that a look at changes elides, since they have not changed."""
_TICKS: Final = 3
"""Values of words that differ by a number, from which on the number counts as that of a ticker."""


@attrs.frozen(kw_only=True)
class SeenElement:
    """Element of a look."""

    role: str
    name: str = ""
    is_derived: bool = False
    """True if the standards give it no name, and the look has found one."""
    selector: Mapping[str, Any] | None = None
    """Selector that matches only this element; None in a look that is text alone, or in a nested frame."""
    frame: str | None = None
    place: int = 0
    """Place among the look's elements of the same role and name, from 0 on."""
    role_place: int = 0
    """Place among the look's elements of the same role."""
    is_alone: bool = True
    """True if the look has no other one of the same role and name."""
    locator: "Locator | None" = None
    """Locator that was recorded as the element was acted on."""


@attrs.frozen(kw_only=True)
class Row:
    """Row of a list or table, option or card around an element, or the element itself, by words of its own."""

    words: str
    role: str | None = None
    css: str = ""
    """Selector of all rows of its kind, if it has no role."""
    path: str = ""
    """Path of child steps from the row to the element; empty for the row itself."""
    inner: tuple[str, str] | None = None
    """Role and name of the element, if no other one in the row has them."""

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "Row | None":
        """Return the row of a recorded locator; None if it has none whose words a later run can be expected to show."""
        row, name = event.get("row"), event.get("name") or ""
        if not row:
            return None
        words = next((one for one in row["words"] if _is_lasting(one) and not _NUMBER.search(one)), None)
        if words is None:
            return None
        inner = (event["role"], name) if row["isOnly"] and _is_lasting(name) else None
        return cls(words=words, role=row.get("role"), css=row.get("css") or "", path=row["path"], inner=inner)


@attrs.frozen(kw_only=True)
class Locator:
    """Recorded locator of an element, which matched only that one."""

    css: str
    frames: tuple[str, ...] = ()
    """Selectors of the elements that embed its frame and the frames around that, the outermost first."""
    role: str | None = None
    """Its role, if no other visible element had its role and name."""
    name: str = ""
    row: Row | None = None
    """Row with words of its own, if the selector depends on the place of the element."""

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> "Locator":
        """Return the locator of an entry."""
        name = event.get("name") or ""
        role = event["role"] if event.get("isOnly") and _is_lasting(name) else None
        frames = tuple(event.get("frames") or ())
        return cls(css=event["css"], frames=frames, role=role, name=name if role else "", row=Row.of(event))


def _is_lasting(name: str) -> bool:
    """Return True if a name is neither masked nor of one run only."""
    return REDACTED not in name and not _VOLATILE.search(name)


@attrs.frozen(kw_only=True)
class SeenLook:
    """One look: its elements by their refs, and its words with their kinds."""

    url: str | None
    is_diff: bool
    elements: Mapping[str, SeenElement]
    words: tuple[tuple[str, str], ...]
    has_frames: bool = False
    """True if it shows frames; a look at changes does not say which words are theirs."""


def read_look(look: Mapping[str, Any]) -> SeenLook:
    """Return the elements and words of a recorded look."""
    text, changes = look.get("text") or "", look.get("changes")
    is_diff = isinstance(changes, dict) or text.startswith(_DIFFS)
    listed = look.get("interactiveElements") or (changes or {}).get("added") or []
    if listed:
        elements = dict(_with_places((one["ref"], _of_json(one)) for one in listed))
    else:
        elements = dict(_with_places(_elements_of(text)))
    blocks = look.get("content") or [one.get("block") or {} for one in (changes or {}).get("words") or []]
    words = list(_words_of(text)) if text else [pair for block in blocks for pair in _words_of_block(block)]
    line = _PAGE.search(text)
    url = line[2] if line else (look.get("metadata") or {}).get("url")
    has_frames = bool(_FRAME.search(text))
    return SeenLook(url=url, is_diff=is_diff, elements=elements, words=tuple(words), has_frames=has_frames)


def tickers_in(looks: Iterable[SeenLook]) -> frozenset[str]:
    """Return the shapes of words whose number goes on by itself, such as ``API # ms``: looks show it once at a time."""
    values: dict[str, set[str]] = {}
    lists = set[str]()
    for look in looks:
        shown: dict[str, set[str]] = {}
        for _, text in look.words:
            shown.setdefault(_shape_of(text), set()).add(text)
        for shape, texts in shown.items():
            values.setdefault(shape, set()).update(texts)
            if len(texts) > 1:
                lists.add(shape)
    return frozenset(shape for shape, texts in values.items() if len(texts) >= _TICKS and shape not in lists)


def _shape_of(text: str) -> str:
    return re.sub(r"\d+", "#", text)


def codes_in(words: Iterable[tuple[str, str]]) -> set[str]:
    """Return the words with numbers that may be of one run only."""
    return {code for _, text in words for code in _NUMBER.findall(text)}


def steady_words(
    words: Iterable[tuple[str, str]],
    known: set[str],
    codes: set[str],
    most: int,
    tickers: Collection[str] = (),
) -> list[str]:
    """Return new words that a later run can be expected to show: messages and headings first.

    Of many words, the first and the last ones: pages put a message behind all others.

    Args:
      known: words of the look before.
      codes: words with numbers that were there before the last action, which therefore has not made them up.
      tickers: shapes of words whose numbers depend on the time.
    """
    new = [(kind, _steady_part(text, codes, tickers)) for kind, text in dict.fromkeys(words) if text not in known]
    steady = [(kind, text) for kind, text in new if _is_steady(text)]
    urgent = list(dict.fromkeys(text for kind, text in steady if kind in _URGENT))[:most]
    others = [text for text in dict.fromkeys(text for _, text in steady) if text not in urgent]
    left = most - len(urgent)
    last = left // 2 if len(others) > left else 0
    return urgent + others[: left - last] + (others[-last:] if last else [])


def _steady_part(text: str, codes: set[str], tickers: Collection[str]) -> str:
    """Return the longest part of words that does not depend on the run, such as that before a number."""
    if _shape_of(text) in tickers:
        marked = _ANY_NUMBER.sub("\0", text)
    else:
        marked = _NUMBER.sub(lambda found: found[0] if found[0] in codes else "\0", text)
    return max((part.strip() for part in _ELIDED.split(marked)), key=len)


def _is_steady(text: str) -> bool:
    is_of_one_run = len(text) > _MAX_WORDS or text.endswith(_CUT) or _DAY.fullmatch(text)
    return not is_of_one_run and any(map(str.isalpha, text)) and _is_lasting(text)


def _of_json(one: Mapping[str, Any]) -> SeenElement:
    selector = one.get("selector")
    is_unique = isinstance(selector, dict) and selector.get("type") != "ref"
    return SeenElement(
        role=one["role"],
        name=one.get("name") or "",
        is_derived="nameFrom" in one,
        selector=selector if is_unique else None,
        frame=one.get("frameId"),
    )


def _with_places(elements: Iterable[tuple[str, SeenElement]]) -> Iterator[tuple[str, SeenElement]]:
    listed = list(elements)
    total = Counter((one.role, one.name) for _, one in listed)
    seen, roles = Counter[tuple[str, str]](), Counter[tuple[str, str | None]]()
    for ref, one in listed:
        key, role = (one.role, one.name), (one.role, one.frame)
        yield ref, attrs.evolve(one, place=seen[key], role_place=roles[role], is_alone=total[key] == 1)
        seen[key] += 1
        roles[role] += 1


def _elements_of(text: str) -> Iterator[tuple[str, SeenElement]]:
    frame: str | None = None
    is_diff = text.startswith(_DIFFS)
    for line in text.splitlines():
        if line.startswith("frame "):
            frame = None if line == "frame main" else line
        if line.startswith(("page ", "frame ", "... ")) or (is_diff and _is_of_known(line)):
            continue
        for found in _TOKEN.finditer(line):
            if found["ref"]:
                name = plain(found[4] or "")
                yield found["ref"], SeenElement(role=found["role"], name=name, is_derived=bool(found[3]), frame=frame)


def _is_of_known(line: str) -> bool:
    """Return True for a line of a diff about elements that are gone, or that were known before."""
    return line.startswith("- @") or (line.startswith("~ ") and " was " not in line)


def _words_of(text: str) -> Iterator[tuple[str, str]]:
    is_in_frame = False
    for line in text.splitlines():
        if line.startswith("frame "):
            is_in_frame = line != "frame main"
        if is_in_frame:
            continue
        if line.startswith("~ "):
            changed = _CHANGED.match(line)
            line = changed[1] + line.rpartition(" → ")[2] if changed else ""
        elif line.startswith("+ "):
            line = line[2:]
        elif line.startswith('- "') and text.startswith("changes"):
            continue
        start = _LINE.match(line)
        if start is None:
            continue
        mark = start[1] or ""
        kind = _KINDS.get("#" if mark.startswith("#") else mark, "paragraph")
        for found in _TOKEN.finditer(_FACT.sub("", line), start.end()):
            if not found["ref"]:
                yield from ((kind, cell) for cell in plain(found[5]).split(" | ") if cell.strip())


def _words_of_block(block: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for part in block.get("parts") or []:
        if part.get("text") and not part.get("kind"):
            text = part["text"] + (_CUT if part.get("omitted") else "")
            yield block.get("kind", "paragraph"), text


def plain(escaped: str) -> str:
    """Return words as the page has them, from between the quotes of a look."""
    return _ESCAPE.sub(
        lambda found: chr(int(found[1], 16)) if found[1] else _NAMED_ESCAPES.get(found[2], found[2]), escaped
    )
