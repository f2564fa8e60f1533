"""What speaks for a series being what a wish asks for, and against it: numbers for weights to be fitted to."""

import math
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import attrs

from agentbrowser.extraction.cached import lazy
from agentbrowser.extraction.candidates import Series
from agentbrowser.extraction.match.bounds import Bounds
from agentbrowser.extraction.match.column_fields import TRIED, Field, shared
from agentbrowser.extraction.match.fit import NEVER, looks, named, said_by_values
from agentbrowser.extraction.model.weights import Sparse, sparse
from agentbrowser.extraction.output.typed import Reader
from agentbrowser.extraction.schema.schema_fields import Wish
from agentbrowser.extraction.schema.value_types import together
from agentbrowser.extraction.text.spans import is_asked
from agentbrowser.extraction.text.words import coverage

_SHAPES: Final = ("money", "percent", "date", "ago", "time", "duration", "rating", "email", "phone", "url")
_MACHINE: Final = frozenset(("datetime", "content"))
_MACHINE_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d")
_FEW: Final = 0.1
_MOST: Final = 0.5
_ODD: Final = 0.2
"""What looks no better than so may be something else."""
_RARE: Final = 0.4
_USUAL: Final = 0.8
_PLAIN: Final = 0.92
_SELDOM: Final = frozenset(("old", "regular", "discount", "sale"))
"""What few things have: that only some rows have it speaks neither for nor against it."""
_ALONE_NAMED: Final = 0.3
"""How far the others are called what is asked for, where there are none."""
_HARDLY: Final = 0.15
"""What is called so by less is not called so."""

ALONE: Final = (
    "+goes together", "~cut", "~cleaned", "+told", "+near", "+class", "+form", "-better named",
    "-better looks", "-tiny", "-same everywhere", "+to title", "-known by class", "-number asked long",
    "-distinctless title", "+named", "+well named", "+plainly named", "-unnamed", "-unnamed but known", "-rival",
    "-named otherwise", "-odd names", "+looks", "-looks wrong", "+looks unnamed", "+said", "-own", "-part", "~machine",
    "-alt", "-aria", "-data", "~value", "+filled", "-constant", "-crowded", "-composite", "~label", "-section", "+many",
    "-some of many", "~composite cell", "-foreign", "-numeric text", "-wordy number", "-long", "~counting",
    "-counting unasked", "-rare", "-very rare", "+machine date asked", "-machine date", "+title first", "-heading",
    "+title link", "-fragment", "-place", "-narrow", "-marred", "-action", "+per asked",
)  # fmt: skip
"""What is told of a pair by itself: for it (+), against it (-), or one or the other (~)."""
AMONG: Final = (
    "+others named", "+agrees", "+agrees unnamed", "-clash", "-same spot", "+next", "+link of subject",
    "-link of another",
)  # fmt: skip
"""What is told of a pair once the other wishes have found something."""


_UNNAMED: Final = ALONE.index("-unnamed")
Traits = list[float]
Bounded: TypeAlias = Sequence[tuple[float, int]]
"""What options are worth at most, each with its place among them: the greatest first."""


def alone(wishes: Sequence[Wish], fields: Sequence[Field]) -> "list[list[Option]]":
    """Return for each wish the fields that can be it."""
    matches = [[_match(wish, place, field) for field in fields] for place, wish in enumerate(wishes)]
    return [_row(place, wishes, matches, fields) for place in range(len(wishes))]


class _Match(NamedTuple):
    """How a field is called, by each source, and looks, for one wish."""

    name: float
    look: float
    told: Sequence[float] = ()


def _match(wish: Wish, place: int, field: Field) -> _Match | None:
    series = field.series
    told = [named(wish, series, said) if said else 0.0 for said in series.sources.values()]
    name = field.called[place] = max(told)
    can_be = (
        series.is_many <= wish.is_many
        and not field.is_caption
        and (field.is_for_any or is_asked(wish, series, is_span=field.is_span, is_moment=field.is_moment))
    )
    look = looks(wish, series) if can_be else NEVER
    return _Match(name, look, told) if look > NEVER and _is_read(wish, series) else None


@attrs.define(eq=False, slots=False)
class Option:
    """A field that can be what is wished; what is told of the two is told where it may matter."""

    wish: Wish
    place: int
    field: Field
    match: _Match
    best: _Match
    rival: float
    where: float

    @lazy
    def traits(self) -> Traits:
        """What is told of the pair by itself, by `ALONE`."""
        return _alone(self.wish, self.field, self.match, self.best, self.rival, self.where)

    @lazy
    def told(self) -> Sparse:
        """The same, without what is 0."""
        return sparse(self.traits)


def bounded(row: Sequence[Option], bounds: Bounds, of_fields: Sequence[float]) -> Bounded:
    """Return what the options for a wish are worth at most, by themselves or given the others but for their part."""
    if not row:
        return []
    wish, best = row[0].wish, row[0].best.name
    asked = bounds.asked(wish) + bounds.most["-better named"] * max(0.0, best - _HARDLY)
    is_first, is_truth = wish.is_text and row[0].where == 0, wish.type == "boolean"
    found = []
    for at, option in enumerate(row):
        name, look, _ = option.match
        bound = math.inf
        if name < _HARDLY and not is_truth:
            bound = asked + of_fields[option.place]
            bound += bounds.pair(together(wish, option.field.shape), name, option.rival, look)
            bound += bounds.title(_titled(option.field)) if is_first else 0.0
        found.append((bound, at))
    return sorted(found, reverse=True)


def _row(
    place: int, wishes: Sequence[Wish], matches: Sequence[Sequence[_Match | None]], fields: Sequence[Field]
) -> list[Option]:
    wish = wishes[place]
    rivals = [other for other, it in enumerate(wishes) if other != place and it.is_address == wish.is_address]
    found = [match for match in matches[place] if match is not None]
    best = _Match(max([match.name for match in found], default=0.0), max([match.look for match in found], default=0.0))
    where = place / (len(wishes) - 1) if len(wishes) > 1 else 0.0
    return [
        Option(wish, at, field, match, best, max([field.called[other] for other in rivals], default=0.0), where)
        for at, (match, field) in enumerate(zip(matches[place], fields, strict=True))
        if match is not None
    ]


def _alone(wish: Wish, field: Field, match: _Match, best: _Match, rival: float, place: float) -> Traits:
    series, look = field.series, match.look
    name = max(match.name, said_by_values(wish, series)) if wish.type == "boolean" else match.name
    good, bad = (look, 0.0) if look > 0 else (0.0, -look)
    is_unnamed = name < _HARDLY
    is_text = wish.is_text
    traits = [
        together(wish, field.shape),
        series.key[-1:] == "^",
        series.key.endswith(" plain"),
        *match.told,
        max(0.0, best.name - max(name, _HARDLY)),
        max(0.0, best.look - good),
        is_text and field.is_tiny,
        wish.type != "boolean" and field.is_constant,
        field.to_title if "link" in wish.concepts else 0.0,
        field.known_class if is_unnamed else 0.0,
        min(1.0, series.profile.length / 60) if wish.is_number else 0.0,
        1 - field.distinct if is_text and place == 0.0 else 0.0,
        name,
        name - 0.6 if name > 0.6 else 0.0,
        name > _PLAIN,
        is_unnamed,
        is_unnamed and bool(wish.concepts),
        rival - name if rival > name else 0.0,
        field.known if is_unnamed else 0.0,
        field.odd if is_unnamed and field.known < 0.5 else 0.0,
        good,
        bad,
        good if is_unnamed else 0.0,
        _said(wish, field) if wish.hint.all else 0.0,
    ]
    return [*traits, *_written(wish, field, name, look), *_stood(wish, field, place, is_unnamed=is_unnamed)]


def _is_read(wish: Wish, series: Series) -> bool:
    if wish.is_number:  # whose look has told it
        return True
    values = list(map(Reader(wish, series).read, series.sample))
    least = 1 if wish.type == "boolean" else len(values) / 2
    return len(values) - values.count(None) >= least


def _said(wish: Wish, field: Field) -> float:
    """Return how much the values themselves are what the description speaks of: "new or used"."""
    if wish.is_number:
        return 0.0
    return max([coverage(said, wish.hint) for said in field.spoken if said.all], default=0.0)


def _written(wish: Wish, field: Field, name: float, look: float) -> Traits:
    series, profile, wants_rank = field.series, field.series.profile, "rank" in wish.concepts
    filled = series.filled if wish.concepts.isdisjoint(_SELDOM) else max(series.filled, _USUAL)
    is_doubtful = look <= _ODD
    is_odd = is_doubtful and wish.is_text
    return [
        *field.by_kind,
        filled,
        (1 - name) * max(0.0, 1 - max(0.0, look)) if field.is_constant else 0.0,
        *field.by_state,
        wish.is_many and series.is_many,
        wish.is_many and not series.is_many,
        series.is_composite and bool(series.heads) and field.is_textual,
        is_odd and profile.share(*_SHAPES) > (_FEW if wish.is_many else _MOST),
        profile.numeric if is_odd else 0.0,
        profile.wordy if wish.is_number and profile.share("money") <= 0.5 else 0.0,
        min(2.0, profile.length / 100) if is_doubtful else 0.0,
        wants_rank and field.is_counting,
        not wants_rank and field.is_counting,
        filled < _RARE,
        filled < _RARE / 2,
        (wish.wants_iso or wish.wants_markup) and _is_machine(series, wish),
        1.0 + wish.wants_shown if series.kind in _MACHINE and not wish.wants_iso else 0.0,
    ]


def _is_machine(series: Series, wish: Wish) -> bool:
    """Tell whether values are written for machines: an attribute where one is asked for, or dates that begin so."""
    if series.kind in _MACHINE:
        return True
    is_attribute = series.kind == "title" or series.kind.startswith("data-")
    return is_attribute and (wish.wants_markup or all(map(_MACHINE_DATE.match, series.texts[:TRIED])))


def _stood(wish: Wish, field: Field, place: float, *, is_unnamed: bool) -> Traits:
    is_text, is_link = wish.is_text, field.series.kind == "href"
    off = (abs(place - field.rank) if field.is_textual else 0.3) if is_unnamed else 0.0
    return [
        _titled(field) if is_text and place == 0.0 else 0.0,
        is_text and place > 0.0 and field.is_headed,
        is_link and field.is_headed,
        is_link and "#" in field.series.texts[0],
        off,
        field.narrow,
        field.marred,
        is_text and field.is_action,
        field.per if wish.is_per else 0.0,
    ]


def _titled(field: Field) -> float:
    return max(-0.5, field.series.titled)


def among(
    place: int, field: Field, chosen: Sequence[tuple[Field, float] | None], traits: Traits, subject: int
) -> Traits:
    """Return the traits of a wish with a series, given what each of the wishes is likely to be, and how likely."""
    series, is_textual = field.series, field.is_textual
    called = agreed = total = clash = same = near = of_subject = of_other = 0.0
    for other, choice in enumerate(chosen):
        if choice is None or other == place:
            continue
        there, sure = choice
        total += sure
        called += there.called.get(other, 0.0)
        if is_textual and there.is_textual and field is not there:
            agreed += sure * ((other < place) == (there.series.order < series.order))
            overlap, spot = _overlap(field, there)
            if sure * overlap > clash:
                clash = sure * overlap
            if sure * spot > same:
                same = sure * spot
        else:
            agreed += sure * 0.5
        if series.kind == "href" and there.is_textual:
            here = sure * shared(field, there)
            of_subject, of_other = (here, of_other) if other == subject else (of_subject, max(of_other, here))
        if is_textual and other + 1 == place and there.series.order < series.order:
            near = sure
    agree = agreed / total if total else 0.5
    unnamed = traits[_UNNAMED]
    others = called / (len(chosen) - 1) if len(chosen) > 1 else _ALONE_NAMED
    return [others, agree, agree * unnamed, clash, same, near, of_subject, of_other * (1 - of_subject)]


def _overlap(field: Field, there: Field) -> tuple[float, float]:
    """Return in how many rows two series say the same, and in how many they stand in the same element."""
    if (known := field.overlaps.get(id(there))) is None:
        known = field.overlaps[id(there)] = there.overlaps[id(field)] = _overlap_of(field, there)
    return known


def _overlap_of(field: Field, there: Field) -> tuple[float, float]:
    rows = field.first.keys() & there.first.keys()
    if not rows:
        return 0.0, 0.0
    same = spot = 0
    ours, theirs = field.first, there.first
    for row in rows:
        (at, one), (place, two) = ours[row], theirs[row]
        same += one in two or two in one
        spot += at == place
    return same / len(rows), spot / len(rows)
