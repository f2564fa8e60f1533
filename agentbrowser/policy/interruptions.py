"""Parts of a text that nobody sees, with which a page interrupts a word: characters without a width, and markup. Pure.

Each search takes time in proportion to the text, and goes in steps: Python runs nothing else during one.
"""

import bisect
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from agentbrowser.policy.urls import REDACTED

STEP: Final = 32768
"""Characters that a search covers in one step."""
_OVERLAP: Final = 32768
"""Characters beyond a step in which a match that begins within it ends."""

_RAW: Final = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\U000e0000-\U000e0fff"
)
_INVISIBLE: Final = re.compile(f"[{_RAW}]+")
# Their bytes in UTF-8, in hexadecimal digits.
_BYTES: Final = (
    "(?:C2|AD) (?:CD|8F) (?:D8|9C) (?:E1|85|9F) (?:E1|85|A0) (?:E1|9E|B[45]) (?:E1|A0|8[B-F]) (?:E2|80|8[B-F]) "
    "(?:E2|80|A[A-E]) (?:E2|81|A[0-9A-F]) (?:E3|85|A4) (?:EF|B8|8[0-9A-F]) (?:EF|BB|BF) (?:EF|BE|A0) "
    "(?:F3|A0|[89AB][0-9A-F]|[89AB][0-9A-F])"
)
_PERCENT: Final = "%(?:25)*"
_IN_URL: Final = "|".join(one[3:-1].replace("|", _PERCENT) for one in _BYTES.split(" "))
_IN_JSON: Final = (
    "00ad|034f|061c|115f|1160|17b[45]|180[b-f]|200[b-f]|202[a-e]|206[0-9a-f]|3164|fe0[0-9a-f]|feff|ffa0"
    r"|db40\\+ud[c-f][0-9a-f]{2}"
)
_UNSEEN: Final = rf"[{_RAW}]+|{_PERCENT}(?:{_IN_URL})|&(?:amp;)*(?:shy|zwn?j|[lr]rm);|(?<!\\)\\+u(?:{_IN_JSON})"
_IN_ASCII: Final = "%&\\"
_PATTERNS: Final = (
    (_IN_ASCII, re.compile(_UNSEEN)),  # attributes are in the markup
    ("<", re.compile(rf"{_UNSEEN}|<[!/?a-zA-Z][^<>]{{0,4000}}>")),
    ("*`~", re.compile(rf"{_UNSEEN}|[*`~]{{1,3}}")),  # of Markdown
)
"""Patterns of interruptions, with characters of which a text of ASCII has one where it has any."""
_PART, _PART_OVERLAP = 16_384, 4_096
"""Characters that are read without their interruptions at a time, and those beyond them in which a match may end."""


def spans(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each match."""
    at = 0
    while at < len(text):
        match = pattern.search(text, at, min(len(text), at + STEP + _OVERLAP))
        if match is None or match.start() >= at + STEP:
            at += STEP
        else:
            yield match.span()
            at = match.end()


def redacted(text: str, found: Iterable[tuple[int, int]]) -> str:
    """Return the text with `REDACTED` in place of each span; of those that overlap, once."""
    pieces, kept = list[str](), 0
    for start, end in sorted(found):
        if start >= kept:
            pieces += [text[kept:start], REDACTED]
        kept = max(kept, end)
    return "".join([*pieces, text[kept:]]) if pieces else text


def visible(text: str) -> str:
    """Return the text without characters that have no width."""
    return text if text.isascii() else _INVISIBLE.sub("", text)


def interrupted_spans(text: str, find: Callable[[str, bool], Iterable[tuple[int, int]]]) -> Iterator[tuple[int, int]]:
    """Yield the spans of what is found in a text without its interruptions, with these.

    Args:
      find: returns the spans in a part of the text; its second argument is True if the text ends with the part.
    """
    patterns = [
        pattern
        for marks, pattern in _PATTERNS
        if any(mark in text for mark in marks) or (marks is _IN_ASCII and not text.isascii())
    ]
    for pattern, at in itertools.product(patterns, range(0, len(text), _PART)):
        part = text[at : at + _PART + _PART_OVERLAP]
        plain = pattern.sub("", part)
        if len(plain) == len(part) or not (found := list(find(plain, at + len(part) == len(text)))):
            continue
        starts, shifts = _kept_pieces(pattern, part)
        for start, end in found:
            first, last = (place + shifts[bisect.bisect_right(starts, place) - 1] for place in (start, end - 1))
            yield at + first, at + last + 1


def _kept_pieces(pattern: re.Pattern[str], text: str) -> tuple[list[int], list[int]]:
    """Return where each piece between interruptions begins without them, and how many characters they take before."""
    starts, shifts, left_out, kept = list[int](), list[int](), 0, 0
    for match in pattern.finditer(text):
        if match.start() > kept:
            starts.append(kept - left_out)
            shifts.append(left_out)
        left_out += match.end() - match.start()
        kept = match.end()
    return [*starts, kept - left_out], [*shifts, left_out]
