"""The series of a group as they are looked at: how each is written, named and stands to the others of its group."""

import bisect
import itertools
import operator
import re
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached, memoize
from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.columns.markup_names import HEADINGS
from agentbrowser.extraction.columns.spans import are_ends_asked, are_halves_asked, ends, halves, is_part
from agentbrowser.extraction.columns.value_shapes import shape_of
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.profiles import WRITTEN
from agentbrowser.extraction.text.words import Words, words

TRIED: Final = 8
"""How many values are looked at where a few tell enough."""
TEXTUAL: Final = WRITTEN | {"json"}
_SHORT: Final = 40
_TINY: Final = 3
_PERHAPS: Final = 0.5
_COMPARED: Final = 24
_PLACES: Final = 64
_NEARLY: Final = 0.9
_SIGNS: Final = "\u2190"
_BY_TAG: Final = 0.7
"""What is called something by less is so by its tag alone."""
_PER: Final = re.compile(
    r"(?:/|\b(?:per|pro|par|por|al|je|à|za|a)\b)\s?"
    r"(?:m²|m2|km|sq|ft|kg|g|l|100|h|hr|hour|std|stunde|heure|hora|ora|n[iu]ght|nacht|nuit|noche|notte|noite|"
    r"day|tag|jour|mo|month|monat|mois|mes|year|yr|jahr|an|año|st|stk|stück|pc|pce|unit|item|person|pers|kom|u)\b",
    re.IGNORECASE,
)
_ACTION: Final = re.compile(r"(?:^|[-_])(?:btn|button|cta)(?:$|[-_])", re.IGNORECASE)


@attrs.define(eq=False, slots=False)
class CandidateColumn:
    """One series with what the pairs with it share."""

    column: Column
    rank: float
    """Where it stands among those of its group, 0 to 1."""

    is_span: bool = False
    """Whether both its ends are asked for, and fields of their own."""
    is_moment: bool = False
    """The same of its date and its time."""
    called: dict[int, float] = attrs.field(factory=dict)
    """How far it is called what each of the wishes is."""
    overlaps: dict[int, tuple[float, float]] = attrs.field(factory=dict)
    """How far the other fields of its group say the same in the same rows, by their id."""
    meeting: dict[int, float] = attrs.field(factory=dict)
    """In how many rows, as a share, a link is what the texts of its group stand in, by their id."""
    to_title: float = 0.0
    """How much the text of its links looks like a title."""
    narrow: float = 0.0
    """How much less there is of it than of another series that has all of its values and more like them."""
    marred: float = 0.0
    """How far it is what another series has, with a badge or a mark on some."""

    @cached
    def known(self) -> float:
        """How far it is named in words that are known."""
        return self._named_in_known_words("told", "near", "form")

    @cached
    def known_class(self) -> float:
        """How far its classes are words that are known."""
        return self._named_in_known_words("class")

    def _named_in_known_words(self, *sources: str) -> float:
        best = 0.0
        for source in sources:
            for phrase, trust in self.column.sources[source]:
                if trust > best and trust >= _BY_TAG and phrase.concepts:
                    best = trust
        return best

    @cached
    def distinct(self) -> float:
        """How many of its values differ, as a share."""
        return len(set(self.column.texts)) / len(self.column.texts)

    @cached
    def shape(self) -> int:
        """The shape of its values, of `SHAPES`."""
        return shape_of(self.column)

    @cached
    def odd(self) -> float:
        """How far the page names it in words that nobody knows."""
        return max([trust for said, trust in self.column.sources["told"] if not said.concepts], default=0.0)

    @cached
    def is_counting(self) -> bool:
        """Whether its values are 1, 2, 3 and so on."""
        counts = list(map(_last_digits, self.column.texts[:TRIED]))
        return len(counts) > 2 and counts[0] >= 0 and counts == list(range(counts[0], counts[0] + len(counts)))

    @cached
    def is_for_any(self) -> bool:
        """Whether it is neither a part of what has parts that are asked for nor all of that."""
        return not (self.is_span or self.is_moment or is_part(self.column))

    @cached
    def is_textual(self) -> bool:
        """Whether the page shows it as text, or the page's data has it."""
        return self.column.kind in TEXTUAL

    @cached
    def is_tiny(self) -> bool:
        """Whether most of its values have hardly a letter."""
        sample = self.column.texts[:TRIED]
        return sum([len(text) <= _TINY for text in sample]) * 2 > len(sample)

    @cached
    def is_headed(self) -> bool:
        """Whether it stands in headings."""
        return not self.column.tags.isdisjoint(HEADINGS)

    @cached
    def by_kind(self) -> Sequence[float]:
        """For each kind of values whether it is of that."""
        kind = self.column.kind
        return [
            kind == "own",
            kind == "part",
            kind in ("content", "datetime", "json"),
            kind in ("alt", "title"),
            kind == "aria",
            kind.startswith("data-"),
            kind in ("value", "checked"),
        ]

    @cached
    def by_state(self) -> Sequence[float]:
        """What it is beside a value: one of several, one of several in one, a label, what stands over the rows."""
        one = self.column
        return [one.is_crowded, one.is_composite, one.is_label, one.is_over]

    @cached
    def is_caption(self) -> bool:
        """Whether its texts announce what follows them, or stand between others."""
        is_mark = self.is_constant and len(self.column.texts[0]) < _TINY and not self.column.texts[0].isdecimal()
        return is_mark or all(text.endswith((":", "：")) for text in self.column.texts[:TRIED])

    @cached
    def is_constant(self) -> bool:
        """Whether every row says the same."""
        return len(self.column.rows) > 2 and self.column.is_uniform

    @cached
    def spoken(self) -> list[Words]:
        """Its values, as far as they are short."""
        return [words(text) for text in dict.fromkeys(self.column.texts[:24]) if len(text) < _SHORT][:TRIED]

    @cached
    def is_action(self) -> bool:
        """Whether it is what buttons say."""
        return "button" in self.column.tags or any(
            hint[0] == "c" and _ACTION.search(hint[1:]) for hint in self.column.hints
        )

    @cached
    def per(self) -> float:
        """The share of its values that are money for so much of something."""
        sample = self.column.texts[:TRIED]
        return self.column.profile.share("money") * sum(bool(_PER.search(text)) for text in sample) / len(sample)

    @cached
    def places(self) -> set[tuple[int, int]]:
        """Some rows, each with every spot where they say it."""
        rows, found = self.column.rows[: _PLACES if self.column.is_many else TRIED], set[tuple[int, int]]()
        for spots in (self.column.spots, *self.column.twins):
            found.update(zip(rows, spots, strict=False))
        return {place for place in found if place[0] in self.first} if self.column.is_many else found

    @cached
    def first(self) -> dict[int, tuple[int, str]]:
        """The spot and the text of some rows."""
        cells = zip(self.column.rows, zip(self.column.spots, self.column.texts, strict=True), strict=True)
        if not self.column.is_many:
            return dict(itertools.islice(cells, TRIED))
        found: dict[int, tuple[int, str]] = {}
        for row, cell in cells:
            if len(found) >= TRIED:
                break
            found.setdefault(row, cell)
        return found


@memoize
def _last_digits(text: str) -> int:
    """Return the number that the last digits of a text make up; -1 where there are none."""
    return int("".join(filter(str.isdecimal, text))[-9:] or -1)


def candidates_of(group: Group, most: int, fields: Sequence[SchemaField]) -> list[CandidateColumn]:
    """Return the series of a group that hold something, and the ends of spans, with where they stand."""
    columns = [one for one in group.columns if one.rows and any(map(_says_something, one.texts[:TRIED]))]
    leaves = [one.order for one in columns if one.kind in TEXTUAL and not (one.is_composite or one.is_many)]
    leaves = sorted(leaves or [one.order for one in columns])
    last = max(1, len(leaves) - 1)
    kept = _foremost(columns, most)
    are_ends, are_halves = are_ends_asked(fields), are_halves_asked(fields)
    candidates = []
    for one in kept:
        rank = min(1.0, bisect.bisect_left(leaves, one.order) / last)
        both, two = list(ends(one)) if are_ends else [], list(halves(one)) if are_halves else []
        candidates.append(CandidateColumn(one, rank, is_span=bool(both), is_moment=bool(two)))
        candidates += [CandidateColumn(part, rank) for part in (*both, *two)]
    _tell_links(candidates)
    _tell_narrow(candidates)
    _tell_marred(candidates)
    return candidates


def _foremost(columns: list[Column], most: int) -> list[Column]:
    """Return as many as are looked at: first those that are no parts and no choices of others, then the fullest."""
    if len(columns) <= most:
        return columns
    ranked = sorted(columns, key=lambda one: (one.is_nth or one.kind == "part", -one.filled))
    kept = set(map(id, ranked[:most]))
    return [one for one in columns if id(one) in kept]


def _tell_narrow(candidates: Sequence[CandidateColumn]) -> None:
    """Say of series how much more there is of the same."""
    if len({len(candidate.column.rows) for candidate in candidates}) < 2:
        return
    alike: dict[tuple[str, int], list[CandidateColumn]] = {}
    for candidate in candidates:
        if not candidate.column.is_many:
            alike.setdefault((_way(candidate), candidate.shape), []).append(candidate)
    for beside in alike.values():
        if len({len(candidate.column.rows) for candidate in beside}) > 1:
            said = [dict(zip(candidate.column.rows, candidate.column.texts, strict=True)) for candidate in beside]
            for (candidate, few), (_, more) in itertools.permutations(zip(beside, said, strict=True), 2):
                if len(few) < len(more) and _is_part(few, more):
                    candidate.narrow = max(candidate.narrow, 1 - len(few) / len(more) / 2)


def _is_part(few: dict[int, str], more: dict[int, str]) -> bool:
    sample = list(itertools.islice(few.items(), 0, None, max(1, len(few) // _COMPARED)))
    return sum(more.get(row) == text for row, text in sample) >= _NEARLY * len(sample)


def _way(candidate: CandidateColumn) -> str:
    """Return how the page tells the values: as a text, or by which attribute."""
    return "text" if candidate.column.kind in TEXTUAL else candidate.column.kind


def _tell_marred(candidates: Sequence[CandidateColumn]) -> None:
    """Say of texts how much they are others with a mark on some: "New" behind a title."""
    by_spot: dict[int, list[CandidateColumn]] = {}
    for candidate in candidates:
        if _way(candidate) in ("text", "aria") and not candidate.column.is_many:
            by_spot.setdefault(candidate.column.spots[0], []).append(candidate)
    for beside in by_spot.values():
        for long, short in itertools.permutations(beside, 2):
            long.marred = max(long.marred, _marked(long.column, short.column))


def _marked(long: Column, short: Column) -> float:
    """Return how far one series is the other with marks: such as several values have, or else one alone."""
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
        return _PERHAPS
    marks: set[str] = set()
    for at in places:
        if (mark := _mark(long, short, at).strip()) in marks:
            return 1.0
        marks.add(mark)
    return 0.0


def _mark(long: Column, short: Column, at: int) -> str:
    """Return what is left of a text without the other."""
    return long.texts[at].replace(short.texts[at], "", 1)


def _tell_links(candidates: Sequence[CandidateColumn]) -> None:
    """Say of links how much their text looks like a title."""
    texts = [candidate for candidate in candidates if candidate.column.kind in TEXTUAL and not candidate.column.is_many]
    for candidate in candidates:
        if candidate.column.kind == "href":
            candidate.to_title = max(
                [text.column.titled for text in texts if shared(candidate, text) > 0.5], default=0.0
            )


def shared(link: CandidateColumn, text: CandidateColumn) -> float:
    """Return in how many rows a link is what a text stands in, or leads where that does."""
    if (known := link.meeting.get(id(text))) is None:
        found = {row for row, _ in link.places & text.places}
        known = link.meeting[id(text)] = len(found) / len(link.first.keys() & text.first.keys()) if found else 0.0
    return known


def _says_something(text: str) -> bool:
    """Tell whether there is more than points and dashes: letters, digits, or signs such as stars and ticks."""
    return any(mark.isalnum() or mark >= _SIGNS for mark in text)
