"""What speaks for a series being what a wish asks for, and against it: numbers for weights to be fitted to."""

import itertools
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import attrs

from agentbrowser.browser.extraction.candidates import Group, Series
from agentbrowser.browser.extraction.fit import NEVER, looks, named, said_by_values, titled
from agentbrowser.browser.extraction.typed import Reader, wants_iso
from agentbrowser.browser.extraction.wishes import Wish
from agentbrowser.browser.extraction.words import Words, coverage, words

_TRIED: Final = 8
_SHORT: Final = 40
_TEXTUAL: Final = frozenset(("text", "own", "whole", "part", "json"))
_SHAPES: Final = ("money", "percent", "date", "ago", "time", "duration", "rating", "email", "phone", "url")
_ADDRESSES: Final = frozenset(("link", "image"))
_MACHINE: Final = frozenset(("datetime", "content"))
_TINY: Final = 3
_RARE: Final = 0.4
_PLAIN: Final = 0.92
_WRONG: Final = -0.35
_SIGNS: Final = "\u2190"
_BY_TAG: Final = 0.7
"""What is called something by less is so by its tag alone."""
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))

ALONE: Final = (
    "+named", "+well named", "+plainly named", "-unnamed", "-unnamed but known", "-rival", "-named otherwise",
    "-plainly otherwise", "-no names", "-odd names", "+looks", "-looks wrong", "-looks quite wrong", "+looks unnamed",
    "+said", "~whole", "-own", "-part", "~machine", "-alt", "-aria", "-data", "~class", "~value", "+filled",
    "-lack of required", "-constant", "-crowded", "-composite", "~label", "-section", "+many", "-some of many",
    "-foreign", "-numeric text", "-wordy number", "-long", "~counting", "-counting unasked", "-rare", "-very rare",
    "+machine date asked", "-machine date", "+title first", "-heading", "+title link", "-fragment", "-place",
)  # fmt: skip
"""What is told of a pair by itself: for it (+), against it (-), or one or the other (~)."""
AMONG: Final = ("+support", "+agrees", "+agrees unnamed", "-clash", "-same spot", "+next")
"""What is told of a pair once the other wishes have found something."""


_UNNAMED: Final = ALONE.index("-unnamed")
Traits = list[float]


@attrs.define(eq=False, slots=False)
class Field:
    """One series with what the pairs with it share."""

    series: Series
    rank: float
    """Where it stands among those of its group, 0 to 1."""

    @cached_property
    def known(self) -> float:
        """How far it is named in words that are known."""
        said = [trust for said, trust in self.series.evidence if any(word.concepts for word in said.all)]
        return max((trust for trust in said if trust >= _BY_TAG), default=0.0)

    @cached_property
    def odd(self) -> float:
        """How far it is named in words that nobody knows."""
        return max(
            (trust for said, trust in self.series.evidence if not any(w.concepts for w in said.all)), default=0.0
        )

    @cached_property
    def is_counting(self) -> bool:
        """Whether its values are 1, 2, 3 and so on."""
        digits = ["".join(filter(str.isdecimal, text)) for text in self.series.texts[:_TRIED]]
        return len(digits) > 2 and all(
            one and two and int(two[-9:]) - int(one[-9:]) == 1 for one, two in itertools.pairwise(digits)
        )

    @cached_property
    def is_caption(self) -> bool:
        """Whether its texts announce what follows them, or stand between others."""
        is_mark = self.is_constant and len(self.series.texts[0]) < _TINY and not self.series.texts[0].isdecimal()
        return is_mark or all(text.endswith((":", "：")) for text in self.series.texts[:_TRIED])

    @cached_property
    def is_constant(self) -> bool:
        """Whether every row says the same."""
        return len(self.series.rows) > 2 and len(set(self.series.texts)) == 1

    @cached_property
    def spoken(self) -> list[Words]:
        """Its values, as far as they are short."""
        return [words(text) for text in dict.fromkeys(self.series.texts[:24]) if len(text) < _SHORT][:_TRIED]

    @cached_property
    def titled(self) -> float:
        """How much it looks like what a thing is called."""
        return titled(self.series)

    @cached_property
    def first(self) -> dict[int, tuple[int, str]]:
        """The spot and the text of some rows."""
        cells = zip(self.series.rows, self.series.spots, self.series.texts, strict=True)
        found: dict[int, tuple[int, str]] = {}
        for row, spot, text in cells:
            if len(found) >= _TRIED:
                break
            found.setdefault(row, (spot, text))
        return found


def fields_of(group: Group, most: int) -> list[Field]:
    """Return the series of a group that hold something, with where they stand."""
    series = [one for one in group.series if one.rows and any(map(_says_something, one.texts[:_TRIED]))]
    leaves = [one.order for one in series if one.kind in _TEXTUAL and not (one.is_composite or one.is_many)]
    leaves = sorted(leaves or [one.order for one in series])
    last = max(1, len(leaves) - 1)
    return [Field(one, min(1.0, sum(order < one.order for order in leaves) / last)) for one in series[:most]]


def _says_something(text: str) -> bool:
    """Tell whether there is more than points and dashes: letters, digits, or signs such as stars and ticks."""
    return any(mark.isalnum() or mark >= _SIGNS for mark in text)


def alone(wishes: Sequence[Wish], field: Field) -> list[Traits | None]:
    """Return the traits of each wish with one series; None where it can't be."""
    series = field.series
    names = [named(wish, series) for wish in wishes]
    found = []
    for place, wish in enumerate(wishes):
        rival = max((name for other, name in enumerate(names) if other != place), default=0.0)
        found.append(_alone(wish, field, names[place], rival, _placed(place, wishes)))
    return found


def _placed(place: int, wishes: Sequence[Wish]) -> float:
    return place / (len(wishes) - 1) if len(wishes) > 1 else 0.0


def _alone(wish: Wish, field: Field, name: float, rival: float, place: float) -> Traits | None:
    series = field.series
    look = looks(wish, series)
    if look <= NEVER or series.is_many > wish.is_many or field.is_caption or not _is_read(wish, series):
        return None
    if wish.type == "boolean":
        name = max(name, said_by_values(wish, series))
    is_unnamed = name < 0.15
    traits = [
        name,
        max(0.0, name - 0.6),
        float(name > _PLAIN),
        float(is_unnamed),
        float(is_unnamed and bool(wish.concepts)),
        max(0.0, rival - name),
        field.known if is_unnamed else 0.0,
        float(is_unnamed and field.known > _PLAIN),
        float(max(field.known, field.odd) < 0.5),
        field.odd if is_unnamed and field.known < 0.5 else 0.0,
        max(0.0, look),
        max(0.0, -look),
        float(look < _WRONG),
        max(0.0, look) if is_unnamed else 0.0,
        _said(wish, field),
    ]
    return [*traits, *_written(wish, field, name), *_stood(wish, field, place, is_unnamed=is_unnamed)]


def _is_read(wish: Wish, series: Series) -> bool:
    reader = Reader(wish, series)
    sample = series.texts[:_TRIED]
    return sum(reader.read(text) is not None for text in sample) * 2 >= len(sample)


def _said(wish: Wish, field: Field) -> float:
    """Return how much the values themselves are what the description speaks of: "new or used"."""
    if not wish.hint.all or wish.type not in ("string", "boolean"):
        return 0.0
    return max((coverage(said, wish.hint) for said in field.spoken if said.all), default=0.0)


def _written(wish: Wish, field: Field, name: float) -> Traits:
    series, profile = field.series, field.series.profile
    kind = series.kind
    is_text = wish.type == "string" and not wish.concepts & _ADDRESSES
    is_number = wish.type in ("number", "integer")
    look = looks(wish, series)
    return [
        float(kind == "whole"),
        float(kind == "own"),
        float(kind == "part"),
        float(kind in ("content", "datetime", "json")),
        float(kind in ("alt", "title")),
        float(kind == "aria"),
        float(kind.startswith("data-")),
        float(kind == "class"),
        float(kind in ("value", "checked")),
        series.filled,
        (1 - series.filled) * wish.is_required,
        (1 - name) * max(0.0, 1 - max(0.0, look)) * field.is_constant,
        float(series.is_crowded),
        float(series.is_composite),
        float(series.is_label),
        float(series.key.startswith("section")),
        float(wish.is_many and series.is_many),
        float(wish.is_many and not series.is_many),
        float(is_text and look <= 0.2 and profile.share(*_SHAPES) > 0.5),
        profile.numeric if is_text and look <= 0.2 else 0.0,
        profile.wordy if is_number and profile.share("money") <= 0.5 else 0.0,
        min(2.0, profile.length / 100) if look <= 0.2 else 0.0,
        float(field.is_counting and "rank" in wish.concepts),
        float(field.is_counting and "rank" not in wish.concepts),
        float(series.filled < _RARE),
        float(series.filled < _RARE / 2),
        float(kind in _MACHINE and wants_iso(wish)),
        float(kind in _MACHINE and not wants_iso(wish)),
    ]


def _stood(wish: Wish, field: Field, place: float, *, is_unnamed: bool) -> Traits:
    is_text = wish.type == "string" and not wish.concepts & _ADDRESSES
    off = abs(place - field.rank) if field.series.kind in _TEXTUAL else 0.3
    is_headed = bool(field.series.tags & _HEADINGS)
    return [
        max(-0.5, field.titled) if is_text and place == 0.0 else 0.0,
        float(is_headed and is_text and place > 0.0),
        float(is_headed and field.series.kind == "href"),
        float(field.series.kind == "href" and "#" in field.series.texts[0]),
        off if is_unnamed else 0.0,
    ]


def among(place: int, field: Field, chosen: Sequence[tuple[Field, float] | None], traits: Traits) -> Traits:
    """Return the traits of a wish with a series, given what each of the wishes is likely to be, and how likely."""
    agreed = total = clash = same = near = 0.0
    for other, choice in enumerate(chosen):
        if choice is None or other == place:
            continue
        there, sure = choice
        total += sure
        agreed += sure * _order(place, field, other, there)
        overlap, spot = _overlap(field, there)
        clash = max(clash, sure * overlap)
        same = max(same, sure * spot)
        if abs(other - place) == 1 and field.series.kind in _TEXTUAL:
            near = max(near, sure * (there.series.order < field.series.order) * (other < place))
    agree = agreed / total if total else 0.5
    unnamed = traits[_UNNAMED]
    support = total / (len(chosen) - 1) if len(chosen) > 1 else 0.5
    return [support, agree, agree * unnamed, clash, same, near]


def _order(place: int, field: Field, other: int, there: Field) -> float:
    if field.series.kind not in _TEXTUAL or there.series.kind not in _TEXTUAL or field is there:
        return 0.5
    return float((other < place) == (there.series.order < field.series.order))


def _overlap(field: Field, there: Field) -> tuple[float, float]:
    """Return in how many rows two series say the same, and in how many they stand in the same element."""
    if field is there or field.series.kind not in _TEXTUAL or there.series.kind not in _TEXTUAL:
        return 0.0, 0.0
    rows = field.first.keys() & there.first.keys()
    if not rows:
        return 0.0, 0.0
    pairs = [(field.first[row], there.first[row]) for row in rows]
    same = sum(one[1] == two[1] or one[1] in two[1] or two[1] in one[1] for one, two in pairs)
    spot = sum(one[0] == two[0] for one, two in pairs)
    return same / len(rows), spot / len(rows)
