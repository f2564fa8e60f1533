"""What speaks for a series being what a wish asks for, and against it: numbers for weights to be fitted to."""

import math
import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.spans import is_asked
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.candidate_columns import TRIED, CandidateColumn, shared
from agentbrowser.extraction.match.column_fit import NEVER, looks, named, said_by_values, together
from agentbrowser.extraction.match.score_bounds import ScoreBounds
from agentbrowser.extraction.model.weights import Sparse, sparse
from agentbrowser.extraction.schema.schema_fields import SchemaField
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
FeatureVector = list[float]
Bounded: TypeAlias = Sequence[tuple[float, int]]
"""What options are worth at most, each with its place among them: the greatest first."""


def alone(fields: Sequence[SchemaField], candidates: Sequence[CandidateColumn]) -> "list[list[ColumnOption]]":
    """Return for each wish the fields that can be it."""
    matches = [[_match(field, place, candidate) for candidate in candidates] for place, field in enumerate(fields)]
    return [_row(place, fields, matches, candidates) for place in range(len(fields))]


class _Match(NamedTuple):
    """How a field is called, by each source, and looks, for one wish."""

    name: float
    look: float
    told: Sequence[float] = ()


def _match(field: SchemaField, place: int, candidate: CandidateColumn) -> _Match | None:
    column = candidate.column
    told = [named(field, column, said) if said else 0.0 for said in column.sources.values()]
    name = candidate.called[place] = max(told)
    can_be = (
        column.is_many <= field.is_many
        and not candidate.is_caption
        and (candidate.is_for_any or is_asked(field, column, is_span=candidate.is_span, is_moment=candidate.is_moment))
    )
    look = looks(field, column) if can_be else NEVER
    return _Match(name, look, told) if look > NEVER and _is_read(field, column) else None


@attrs.define(eq=False, slots=False)
class ColumnOption:
    """A field that can be what is wished; what is told of the two is told where it may matter."""

    field: SchemaField
    place: int
    candidate: CandidateColumn
    match: _Match
    best: _Match
    rival: float
    where: float

    @cached
    def features(self) -> FeatureVector:
        """What is told of the pair by itself, by `ALONE`."""
        return _alone(self.field, self.candidate, self.match, self.best, self.rival, self.where)

    @cached
    def told(self) -> Sparse:
        """The same, without what is 0."""
        return sparse(self.features)


def bounded(row: Sequence[ColumnOption], bounds: ScoreBounds, candidate_scores: Sequence[float]) -> Bounded:
    """Return what the options for a wish are worth at most, by themselves or given the others but for their part."""
    if not row:
        return []
    field, best = row[0].field, row[0].best.name
    asked = bounds.asked(field) + bounds.most["-better named"] * max(0.0, best - _HARDLY)
    is_first, is_truth = field.is_text and row[0].where == 0, field.type == "boolean"
    found = []
    for at, option in enumerate(row):
        name, look, _ = option.match
        bound = math.inf
        if name < _HARDLY and not is_truth:
            bound = asked + candidate_scores[option.place]
            bound += bounds.pair(together(field, option.candidate.shape), name, option.rival, look)
            bound += bounds.title(_titled(option.candidate)) if is_first else 0.0
        found.append((bound, at))
    return sorted(found, reverse=True)


def _row(
    place: int,
    fields: Sequence[SchemaField],
    matches: Sequence[Sequence[_Match | None]],
    candidates: Sequence[CandidateColumn],
) -> list[ColumnOption]:
    field = fields[place]
    rivals = [other for other, it in enumerate(fields) if other != place and it.is_address == field.is_address]
    found = [match for match in matches[place] if match is not None]
    best = _Match(max([match.name for match in found], default=0.0), max([match.look for match in found], default=0.0))
    where = place / (len(fields) - 1) if len(fields) > 1 else 0.0
    return [
        ColumnOption(
            field, at, candidate, match, best, max([candidate.called[other] for other in rivals], default=0.0), where
        )
        for at, (match, candidate) in enumerate(zip(matches[place], candidates, strict=True))
        if match is not None
    ]


def _alone(
    field: SchemaField, candidate: CandidateColumn, match: _Match, best: _Match, rival: float, place: float
) -> FeatureVector:
    column, look = candidate.column, match.look
    name = max(match.name, said_by_values(field, column)) if field.type == "boolean" else match.name
    good, bad = (look, 0.0) if look > 0 else (0.0, -look)
    is_unnamed = name < _HARDLY
    is_text = field.is_text
    features = [
        together(field, candidate.shape),
        column.key[-1:] == "^",
        column.key.endswith(" plain"),
        *match.told,
        max(0.0, best.name - max(name, _HARDLY)),
        max(0.0, best.look - good),
        is_text and candidate.is_tiny,
        field.type != "boolean" and candidate.is_constant,
        candidate.to_title if "link" in field.concepts else 0.0,
        candidate.known_class if is_unnamed else 0.0,
        min(1.0, column.profile.length / 60) if field.is_number else 0.0,
        1 - candidate.distinct if is_text and place == 0.0 else 0.0,
        name,
        name - 0.6 if name > 0.6 else 0.0,
        name > _PLAIN,
        is_unnamed,
        is_unnamed and bool(field.concepts),
        rival - name if rival > name else 0.0,
        candidate.known if is_unnamed else 0.0,
        candidate.odd if is_unnamed and candidate.known < 0.5 else 0.0,
        good,
        bad,
        good if is_unnamed else 0.0,
        _said(field, candidate) if field.hint.all else 0.0,
    ]
    return [*features, *_written(field, candidate, name, look), *_stood(field, candidate, place, is_unnamed=is_unnamed)]


def _is_read(field: SchemaField, column: Column) -> bool:
    if field.is_number:  # whose look has told it
        return True
    values = list(map(Reader(field, column).read, column.sample))
    least = 1 if field.type == "boolean" else len(values) / 2
    return len(values) - values.count(None) >= least


def _said(field: SchemaField, candidate: CandidateColumn) -> float:
    """Return how much the values themselves are what the description speaks of: "new or used"."""
    if field.is_number:
        return 0.0
    return max([coverage(said, field.hint) for said in candidate.spoken if said.all], default=0.0)


def _written(field: SchemaField, candidate: CandidateColumn, name: float, look: float) -> FeatureVector:
    column, profile, wants_rank = candidate.column, candidate.column.profile, "rank" in field.concepts
    filled = column.filled if field.concepts.isdisjoint(_SELDOM) else max(column.filled, _USUAL)
    is_doubtful = look <= _ODD
    is_odd = is_doubtful and field.is_text
    return [
        *candidate.by_kind,
        filled,
        (1 - name) * max(0.0, 1 - max(0.0, look)) if candidate.is_constant else 0.0,
        *candidate.by_state,
        field.is_many and column.is_many,
        field.is_many and not column.is_many,
        column.is_composite and bool(column.heads) and candidate.is_textual,
        is_odd and profile.share(*_SHAPES) > (_FEW if field.is_many else _MOST),
        profile.numeric if is_odd else 0.0,
        profile.wordy if field.is_number and profile.share("money") <= 0.5 else 0.0,
        min(2.0, profile.length / 100) if is_doubtful else 0.0,
        wants_rank and candidate.is_counting,
        not wants_rank and candidate.is_counting,
        filled < _RARE,
        filled < _RARE / 2,
        (field.wants_iso or field.wants_markup) and _is_machine(column, field),
        1.0 + field.wants_shown if column.kind in _MACHINE and not field.wants_iso else 0.0,
    ]


def _is_machine(column: Column, field: SchemaField) -> bool:
    """Tell whether values are written for machines: an attribute where one is asked for, or dates that begin so."""
    if column.kind in _MACHINE:
        return True
    is_attribute = column.kind == "title" or column.kind.startswith("data-")
    return is_attribute and (field.wants_markup or all(map(_MACHINE_DATE.match, column.texts[:TRIED])))


def _stood(field: SchemaField, candidate: CandidateColumn, place: float, *, is_unnamed: bool) -> FeatureVector:
    is_text, is_link = field.is_text, candidate.column.kind == "href"
    off = (abs(place - candidate.rank) if candidate.is_textual else 0.3) if is_unnamed else 0.0
    return [
        _titled(candidate) if is_text and place == 0.0 else 0.0,
        is_text and place > 0.0 and candidate.is_headed,
        is_link and candidate.is_headed,
        is_link and "#" in candidate.column.texts[0],
        off,
        candidate.narrow,
        candidate.marred,
        is_text and candidate.is_action,
        candidate.per if field.is_per else 0.0,
    ]


def _titled(candidate: CandidateColumn) -> float:
    return max(-0.5, candidate.column.titled)


def among(
    place: int,
    candidate: CandidateColumn,
    chosen: Sequence[tuple[CandidateColumn, float] | None],
    features: FeatureVector,
    subject: int,
) -> FeatureVector:
    """Return the traits of a wish with a series, given what each of the wishes is likely to be, and how likely."""
    column, is_textual = candidate.column, candidate.is_textual
    called = agreed = total = clash = same = near = of_subject = of_other = 0.0
    for other, choice in enumerate(chosen):
        if choice is None or other == place:
            continue
        there, sure = choice
        total += sure
        called += there.called.get(other, 0.0)
        if is_textual and there.is_textual and candidate is not there:
            agreed += sure * ((other < place) == (there.column.order < column.order))
            overlap, spot = _overlap(candidate, there)
            if sure * overlap > clash:
                clash = sure * overlap
            if sure * spot > same:
                same = sure * spot
        else:
            agreed += sure * 0.5
        if column.kind == "href" and there.is_textual:
            here = sure * shared(candidate, there)
            of_subject, of_other = (here, of_other) if other == subject else (of_subject, max(of_other, here))
        if is_textual and other + 1 == place and there.column.order < column.order:
            near = sure
    agree = agreed / total if total else 0.5
    unnamed = features[_UNNAMED]
    others = called / (len(chosen) - 1) if len(chosen) > 1 else _ALONE_NAMED
    return [others, agree, agree * unnamed, clash, same, near, of_subject, of_other * (1 - of_subject)]


def _overlap(candidate: CandidateColumn, there: CandidateColumn) -> tuple[float, float]:
    """Return in how many rows two series say the same, and in how many they stand in the same element."""
    if (known := candidate.overlaps.get(id(there))) is None:
        known = candidate.overlaps[id(there)] = there.overlaps[id(candidate)] = _overlap_of(candidate, there)
    return known


def _overlap_of(candidate: CandidateColumn, there: CandidateColumn) -> tuple[float, float]:
    rows = candidate.first.keys() & there.first.keys()
    if not rows:
        return 0.0, 0.0
    same = spot = 0
    ours, theirs = candidate.first, there.first
    for row in rows:
        (at, one), (place, two) = ours[row], theirs[row]
        same += one in two or two in one
        spot += at == place
    return same / len(rows), spot / len(rows)
