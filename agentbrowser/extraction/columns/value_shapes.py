"""Shapes of values."""

import re
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.text.digit_forms import digit_form
from agentbrowser.extraction.text.kinds import kinds_of

_SAMPLE: Final = 12
SHAPES: Final = (
    "email", "phone", "url", "money", "percent", "rating", "date", "ago", "time", "duration", "period", "version",
    "integer", "number", "code", "counted", "measured", "person", "place", "word", "tiny", "few words", "line", "prose",
    "class", "machine date", "href", "src", "mark", "checked", "capitals", "range", "listed", "lower word",
    "lower words", "known word",
)  # fmt: skip
_PLACES: Final = {shape: place for place, shape in enumerate(SHAPES)}
_KNOWN: Final = ("email", "phone", "url", "money", "percent", "rating", "date", "ago", "time", "duration")
_COUNTED: Final = re.compile(
    r"^\D{0,3}\d[\d.,  ]*[km]?\s+[^\W\d]{3,}+\W*+(?:[^\W\d]++\W*+){0,2}$|^[^\W\d]{3,}+\W++\d[\d.,]*+\W?$", re.IGNORECASE
)
_RANGE: Final = re.compile(r"^\D{0,4}\d[\d.,\s]*\D{0,8}[-–—~][^\d-]{0,4}\d[\d.,]*\D{0,8}$")
_WRITTEN_ON: Final = re.compile("[\u3040-\u30ff\u3400-\u9fff]{2}")
"""Two signs of a script without spaces, which count as one word."""
_TINY: Final = 2
_LINE: Final = 5
_PROSE: Final = 14


def shape_of(column: Column) -> int:
    """Return the place in `SHAPES` of the shape that most values have."""
    if column.kind in ("href", "src", "class", "checked"):
        return _PLACES[column.kind]
    step = max(1, len(column.texts) // _SAMPLE)
    shape = _shape_for_machines if column.kind in ("datetime", "content") else _shape
    shapes = list(map(shape, map(digit_form, column.texts[::step][:_SAMPLE])))
    is_one = shapes.count(shapes[0]) == len(shapes)
    return _PLACES[shapes[0] if is_one else max(dict.fromkeys(shapes), key=shapes.count)]


def _shape_for_machines(text: str) -> str:
    return "machine date" if "date" in kinds_of(text) and any(map(str.isalnum, text)) else _shape(text)


@memoize
def _shape(text: str) -> str:
    kinds = kinds_of(text)
    if not any(map(str.isalnum, text)):
        return "rating" if "rating" in kinds else "mark"
    for name in _KNOWN:
        if name in kinds:
            return name
    if "integer" in kinds:
        return "period" if "year" in kinds else "integer"
    if "number" in kinds:
        return "number"
    if "version" in kinds:
        return "version"
    words = _WRITTEN_ON.sub(r"\g<0> ", text).split()
    if any(kind.endswith(" word") for kind in kinds):
        return "known word"
    if len(words) == 1 and 1 < len(text) < _LINE and text.isupper():
        return "capitals"
    if _RANGE.match(text):
        return "range"
    if "code" in kinds and len(words) == 1:
        return "code"
    if _COUNTED.match(text):
        return "counted"
    if any(map(str.isdigit, text)) and len(words) < _LINE:
        return "measured"
    if len(text) <= _TINY:
        return "tiny"
    if len(words) > _PROSE or len(text) > 100:
        return "prose"
    if text.count(",") * 3 >= len(words) > 2:
        return "listed"
    if len(words) >= _LINE:
        return "line"
    if "person" in kinds and "place" not in kinds:
        return "person"
    if "place" in kinds:
        return "place"
    shape = "word" if len(words) == 1 else "few words"
    return shape if not text[0].islower() else "lower word" if len(words) == 1 else "lower words"
