"""Candidate columns of a group: the form, names and position of each, computed at the first use."""

import bisect
import itertools
import operator
import re
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached, memoize
from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.columns.column_keys import CHILD, WHOLE_CELL
from agentbrowser.extraction.columns.page_names import HEADINGS, Markup
from agentbrowser.extraction.columns.spans import ends, halves, have_both_ends, have_date_and_time, is_part
from agentbrowser.extraction.columns.value_shapes import shape_of
from agentbrowser.extraction.match.headers import names_another, names_items
from agentbrowser.extraction.model.features import KindFeatures, StateFeatures
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.profiles import WRITTEN
from agentbrowser.extraction.text.truth import truth
from agentbrowser.extraction.text.words import Words, words

TRIED: Final = 8
"""Number of values to sample where a few suffice."""
TEXTUAL: Final = WRITTEN | {"json"}
_MAX_SHORT_TEXT: Final = 40
_MARK_LENGTH: Final = 3
_LONE_MARK_PROBABILITY: Final = 0.5
_MAX_COMPARED: Final = 24
_MAX_PLACES: Final = 64
_MIN_SAME_SHARE: Final = 0.9
_FIRST_SIGN: Final = "\u2190"
_MIN_NAME_TRUST: Final = 0.7
"""Least trust in a name that is not from a tag alone."""
_PER_UNIT: Final = re.compile(
    r"(?:/|\b(?:per|pro|par|por|al|je|à|za|a)\b)\s?"
    r"(?:m²|m2|km|sq|ft|kg|g|l|100|h|hr|hour|std|stunde|heure|hora|ora|n[iu]ght|nacht|nuit|noche|notte|noite|"
    r"day|tag|jour|mo|month|monat|mois|mes|year|yr|jahr|an|año|st|stk|stück|pc|pce|unit|item|person|pers|kom|u)\b",
    re.IGNORECASE,
)
_ACTION_CLASS: Final = re.compile(r"(?:^|[-_])(?:btn|button|cta)(?:$|[-_])", re.IGNORECASE)


@attrs.define(eq=False, slots=False)
class CandidateColumn:
    """A column with everything that its pairs with fields share."""

    column: Column
    rank: float
    """Position among the textual columns of its group, 0 to 1."""

    is_span: bool = False
    """True if its values are spans and the schema has a field for each end."""
    is_moment: bool = False
    """True if its values are moments and the schema has fields for date and time."""
    name_scores: dict[int, float] = attrs.field(factory=dict)
    """Similarity of its names to each field, by the place of the field."""
    overlaps: dict[int, tuple[float, float]] = attrs.field(factory=dict)
    """Shares of rows with the same text, and in the same element, by the id of the other column."""
    link_shares: dict[int, float] = attrs.field(factory=dict)
    """Share of rows in which a link contains a text column, by the id of that column."""
    to_title: float = 0.0
    """Similarity of the text of its links to titles."""
    narrow: float = 0.0
    """Share of the rows that it lacks, compared with a column that contains all of its values."""
    is_piece: bool = False
    """True if its values are parts of the cells of a table."""
    badged: float = 0.0
    """Probability that it is another column with a badge or a mark on some values."""

    @cached
    def known_name(self) -> float:
        """Return the trust in its best name of known words."""
        sources = self.column.sources
        return _best_known([*sources.labels, *sources.near, *sources.form])

    @cached
    def known_class(self) -> float:
        """Return the trust in its best class of known words."""
        return _best_known(self.column.sources.classes)

    @cached
    def distinct(self) -> float:
        """Return the share of distinct values."""
        return len(set(self.column.texts)) / len(self.column.texts)

    @cached
    def shape(self) -> int:
        """Return the place of its values' shape in `SHAPES`."""
        return shape_of(self.column)

    @cached
    def odd_name(self) -> float:
        """Return the trust in its best label of unknown words."""
        return max([trust for phrase, trust in self.column.sources.labels if not phrase.concepts], default=0.0)

    @cached
    def is_counting(self) -> bool:
        """True if its values are consecutive numbers."""
        counts = list(map(_last_digits, self.column.texts[:TRIED]))
        return len(counts) > 2 and counts[0] >= 0 and counts == list(range(counts[0], counts[0] + len(counts)))

    @cached
    def is_for_any(self) -> bool:
        """True if it is neither a part of a span or moment nor one whose parts the schema has fields for."""
        return not (self.is_span or self.is_moment or is_part(self.column))

    @cached
    def is_textual(self) -> bool:
        """True if the page shows it as text, or its embedded data has it."""
        return self.column.kind in TEXTUAL

    @cached
    def is_tiny(self) -> bool:
        """True if most of its values have at most three characters."""
        sample = self.column.texts[:TRIED]
        return sum([len(text) <= _MARK_LENGTH for text in sample]) * 2 > len(sample)

    @cached
    def by_itself(self) -> Column:
        """Return the column, without the header of its cells if it is only a part of them: a unit beside a number."""
        return attrs.evolve(self.column, heads=[]) if self.is_piece else self.column

    @cached
    def is_headed(self) -> bool:
        """True if it is in headings."""
        return not self.column.tags.isdisjoint(HEADINGS)

    @cached
    def kind_features(self) -> KindFeatures:
        """Return its features by the source of its values."""
        kind = self.column.kind
        return KindFeatures(
            own=kind == "own",
            part=kind == "part",
            machine=kind in ("content", "datetime", "json"),
            alt=kind in ("alt", "title"),
            aria=kind == "aria",
            data=kind.startswith("data-"),
            value=kind in ("value", "checked"),
        )

    @cached
    def state_features(self) -> StateFeatures:
        """Return its features by its roles besides holding a value."""
        column = self.column
        return StateFeatures(
            crowded=column.is_crowded, composite=column.is_composite, label=column.is_label, section=column.is_over
        )

    @cached
    def is_caption(self) -> bool:
        """True if its texts are labels with a colon, or separators."""
        text = self.column.texts[0]
        is_mark = self.is_constant and len(text) < _MARK_LENGTH and not text.isdecimal() and not is_part(self.column)
        return is_mark or all(text.endswith((":", "：")) for text in self.column.texts[:TRIED])

    @cached
    def is_mark_of_truth(self) -> bool:
        """True if its texts say yes or no: "No", a cross, a dash."""
        return all(truth(text) is not None for text in self.column.texts[:TRIED])

    @cached
    def is_constant(self) -> bool:
        """True if every row has the same value."""
        return len(self.column.rows) > 2 and self.column.is_uniform

    @cached
    def short_values(self) -> list[Words]:
        """Return some of its short values, in words."""
        return [words(text) for text in dict.fromkeys(self.column.texts[:24]) if len(text) < _MAX_SHORT_TEXT][:TRIED]

    @cached
    def is_action(self) -> bool:
        """True if it is the text of buttons."""
        return "button" in self.column.tags or any(
            markup == Markup.CLASS and _ACTION_CLASS.search(text) for markup, text in self.column.hints
        )

    @cached
    def per(self) -> float:
        """Return the share of its values that are prices per unit."""
        sample = self.column.texts[:TRIED]
        return self.column.profile.share("money") * sum(bool(_PER_UNIT.search(text)) for text in sample) / len(sample)

    @cached
    def places(self) -> set[tuple[int, int]]:
        """Return some rows, each with the elements that have its value."""
        rows, found = self.column.rows[: _MAX_PLACES if self.column.is_many else TRIED], set[tuple[int, int]]()
        for spots in (self.column.spots, *self.column.twins):
            found.update(zip(rows, spots, strict=False))
        return {place for place in found if place[0] in self.first} if self.column.is_many else found

    @cached
    def first(self) -> dict[int, tuple[int, str]]:
        """Return the element and the text of some rows."""
        cells = zip(self.column.rows, zip(self.column.spots, self.column.texts, strict=True), strict=True)
        if not self.column.is_many:
            return dict(itertools.islice(cells, TRIED))
        found: dict[int, tuple[int, str]] = {}
        for row, cell in cells:
            if len(found) >= TRIED:
                break
            found.setdefault(row, cell)
        return found


def _best_known(names: Sequence[tuple[Words, float]]) -> float:
    """Return the greatest trust in a name of known words."""
    best = 0.0
    for phrase, trust in names:
        if trust > best and trust >= _MIN_NAME_TRUST and phrase.concepts:
            best = trust
    return best


@memoize
def _last_digits(text: str) -> int:
    """Return the number of the last digits of a text; -1 without digits."""
    return int("".join(filter(str.isdecimal, text))[-9:] or -1)


def candidates_of(group: Group, most: int, fields: Sequence[SchemaField]) -> list[CandidateColumn]:
    """Return the columns of a group that have values, and the ends of spans, with their positions."""
    columns = [
        column
        for column in group.columns
        if column.rows and (column.heads or any(map(_has_content, column.texts[:TRIED])))
    ]
    leaves = [
        column.order for column in columns if column.kind in TEXTUAL and not (column.is_composite or column.is_many)
    ]
    leaves = sorted(leaves or [column.order for column in columns])
    last = max(1, len(leaves) - 1)
    kept = _foremost(columns, most)
    are_ends, are_halves = have_both_ends(fields), have_date_and_time(fields)
    candidates = []
    for column in kept:
        rank = min(1.0, bisect.bisect_left(leaves, column.order) / last)
        span_ends = list(ends(column)) if are_ends else []
        date_and_time = list(halves(column)) if are_halves else []
        candidates.append(CandidateColumn(column, rank, is_span=bool(span_ends), is_moment=bool(date_and_time)))
        candidates += [CandidateColumn(part, rank) for part in (*span_ends, *date_and_time)]
    _set_pieces(candidates)
    _set_title_links(candidates)
    _set_narrow(candidates)
    _set_badged(candidates)
    return candidates


def _set_pieces(candidates: Sequence[CandidateColumn]) -> None:
    """Set which columns have parts of the cells of a table: most of their texts are not those of the whole cells."""
    wholes = {
        candidate.column.key: candidate.first for candidate in candidates if candidate.column.key.endswith(WHOLE_CELL)
    }
    for candidate in candidates if wholes else ():
        cells = wholes.get(candidate.column.key.partition(CHILD)[0] + WHOLE_CELL)
        if cells is not None and candidate.column.heads and CHILD in candidate.column.key and candidate.is_textual:
            texts = candidate.first
            differing = sum(row in cells and cells[row][1] != text for row, (_, text) in texts.items())
            candidate.is_piece = differing * 2 > len(texts)


def _foremost(columns: list[Column], most: int) -> list[Column]:
    """Return the most promising columns: parts and repeated places last, the fullest first."""
    if len(columns) <= most:
        return columns
    ranked = sorted(columns, key=lambda column: (column.is_nth or column.kind == "part", -column.filled))
    kept = set(map(id, ranked[:most]))
    return [column for column in columns if id(column) in kept]


def _set_narrow(candidates: Sequence[CandidateColumn]) -> None:
    """Set how many more rows another column with the same values has."""
    if len({len(candidate.column.rows) for candidate in candidates}) < 2:
        return
    alike: dict[tuple[str, int], list[CandidateColumn]] = {}
    for candidate in candidates:
        if not candidate.column.is_many:
            alike.setdefault((_source(candidate), candidate.shape), []).append(candidate)
    for beside in alike.values():
        if len({len(candidate.column.rows) for candidate in beside}) > 1:
            texts = [dict(zip(candidate.column.rows, candidate.column.texts, strict=True)) for candidate in beside]
            for (candidate, few), (_, more) in itertools.permutations(zip(beside, texts, strict=True), 2):
                if len(few) < len(more) and _is_part(few, more):
                    candidate.narrow = max(candidate.narrow, 1 - len(few) / len(more) / 2)


def _is_part(few: dict[int, str], more: dict[int, str]) -> bool:
    sample = list(itertools.islice(few.items(), 0, None, max(1, len(few) // _MAX_COMPARED)))
    return sum(more.get(row) == text for row, text in sample) >= _MIN_SAME_SHARE * len(sample)


def _source(candidate: CandidateColumn) -> str:
    """Return the source of the values: "text", or the attribute."""
    return "text" if candidate.column.kind in TEXTUAL else candidate.column.kind


def _set_badged(candidates: Sequence[CandidateColumn]) -> None:
    """Set how probably texts are those of another column with a mark on some: "New" after a title."""
    by_spot: dict[int, list[CandidateColumn]] = {}
    for candidate in candidates:
        if _source(candidate) in ("text", "aria") and not candidate.column.is_many:
            by_spot.setdefault(candidate.column.spots[0], []).append(candidate)
    for beside in by_spot.values():
        for long, short in itertools.permutations(beside, 2):
            long.badged = max(long.badged, _marked(long.column, short.column))


def _marked(long: Column, short: Column) -> float:
    """Return the probability that a column is another with marks; 1 if several values have the same mark."""
    if long.rows != short.rows:
        return 0.0
    if not all(map(operator.contains, long.texts, short.texts)):
        return 0.0
    places = list(itertools.compress(itertools.count(), map(operator.ne, long.texts, short.texts)))
    if not places or not all(map(short.texts.__getitem__, places)):
        return 0.0
    if long.kind == "aria" or all(short.texts[at] in _mark(long, short, at) for at in places):
        return 1.0
    if len(places) == 1:
        return _LONE_MARK_PROBABILITY
    marks: set[str] = set()
    for at in places:
        if (mark := _mark(long, short, at).strip()) in marks:
            return 1.0
        marks.add(mark)
    return 0.0


def _mark(long: Column, short: Column, at: int) -> str:
    """Return the rest of a long text without the short one."""
    return long.texts[at].replace(short.texts[at], "", 1)


def _set_title_links(candidates: Sequence[CandidateColumn]) -> None:
    """Set the similarity of links' texts to titles."""
    texts = [candidate for candidate in candidates if candidate.column.kind in TEXTUAL and not candidate.column.is_many]
    for candidate in candidates:
        if candidate.column.kind == "href":
            candidate.to_title = max(
                [text.column.title_look for text in texts if shared(candidate, text) > 0.5], default=0.0
            )


def shared(link: CandidateColumn, text: CandidateColumn) -> float:
    """Return the share of rows in which a text is inside a link, or inside another with its address."""
    if (known := link.link_shares.get(id(text))) is None:
        found = {row for row, _ in link.places & text.places}
        known = link.link_shares[id(text)] = len(found) / len(link.first.keys() & text.first.keys()) if found else 0.0
    return known


def is_of_another(field: SchemaField, candidate: CandidateColumn, name: float) -> bool:
    """Return True if the page names a column as another property. "Component" over the first column is its name."""
    is_name = candidate.rank == 0 and names_items(field)
    return not is_name and names_another(field, candidate.by_itself, name)


def _has_content(text: str) -> bool:
    """Return True if a text has more than punctuation: letters, digits, or signs such as stars and ticks."""
    return any(mark.isalnum() or mark >= _FIRST_SIGN for mark in text)


def overlap_with(candidate: CandidateColumn, other: CandidateColumn) -> tuple[float, float]:
    """Return the share of rows in which two columns have the same text, and in which they are in one element."""
    if (known := candidate.overlaps.get(id(other))) is None:
        known = candidate.overlaps[id(other)] = other.overlaps[id(candidate)] = _overlap_of(candidate, other)
    return known


def _overlap_of(candidate: CandidateColumn, other: CandidateColumn) -> tuple[float, float]:
    rows = candidate.first.keys() & other.first.keys()
    if not rows:
        return 0.0, 0.0
    same_text = same_element = 0
    for row in rows:
        (spot, text), (other_spot, other_text) = candidate.first[row], other.first[row]
        same_text += text in other_text or other_text in text
        same_element += spot == other_spot
    return same_text / len(rows), same_element / len(rows)
