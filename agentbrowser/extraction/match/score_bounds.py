"""What a pair of a wish and a field may be worth at most, by its name and its look: most need no further look."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import attrs

from agentbrowser.extraction.match.candidate_columns import CandidateColumn
from agentbrowser.extraction.schema.schema_fields import SchemaField

_HIGHEST: Final = 2.0
"""What no trait is above."""
_ROUNDING: Final = 1e-6
_OF_NAME: Final = ("+told", "+near", "+class", "+form", "+named")
_KINDS: Final = ("-own", "-part", "~machine", "-alt", "-aria", "-data", "~value")
_OF_FIELD: Final = (
    *_KINDS, "~cut", "~cleaned", "-crowded", "-composite", "~label", "-section", "~composite cell", "-narrow",
    "-marred", "+title link",
)  # fmt: skip
_OF_PAIR: Final = (
    "+goes together", "-better named", "-unnamed", "-unnamed but known", "-rival", "+looks", "-looks wrong",
    "+looks unnamed", "+filled", "+title first",
)  # fmt: skip
_OF_WISH: Final[dict[str, Callable[[SchemaField], bool]]] = {
    "+said": lambda field: bool(field.hint.all),
    "+to title": lambda field: "link" in field.concepts,
    "+many": lambda field: field.is_many,
    "~counting": lambda field: "rank" in field.concepts,
    "+machine date asked": lambda field: field.wants_iso or field.wants_markup,
    "+per asked": lambda field: field.is_per,
}
"""What speaks for the fields of some wishes only, and for which."""
_TOLD: Final = {*_OF_NAME, *_OF_FIELD, *_OF_PAIR, *_OF_WISH, "+well named", "+plainly named"}
"""What is reckoned with one by one, and two that only fields have that are called what is wished: these go unbound."""


@attrs.frozen(eq=False)
class ScoreBounds:
    """What each trait says for a pair at most and at least, whichever of two ways to weigh pairs is taken."""

    most: dict[str, float]
    least: dict[str, float]
    of_name: float
    """What a name that is hardly the one that is asked for may add, for all of it."""
    rest: float
    """What all that is not looked at may add: nothing where weights have the signs that they are fitted with."""
    of_kinds: dict[str, float] = attrs.field(factory=dict)
    """What is added at most by the kind of the values."""

    @classmethod
    def of(cls, names: Sequence[str], one: Sequence[float], other: Sequence[float]) -> "ScoreBounds":
        """Return the bounds of weights, the first of which are those of none of the traits."""
        pairs = list(zip(("", *names), one, other, strict=False))
        most = {name: max(two) for name, *two in pairs}
        return cls(
            most=most,
            least={name: min(two) for name, *two in pairs},
            of_name=sum(max(0.0, most[name]) for name in _OF_NAME),
            rest=_HIGHEST * sum(max(0.0, most[name]) for name in names if name not in _TOLD) + _ROUNDING,
        )

    @lru_cache(maxsize=1000)  # noqa: B019 - there are as many as there are weights
    def asked(self, field: SchemaField) -> float:
        """Return what a field that is not called what is wished is worth at most, beside what is told of it."""
        most = self.most
        may = [max(0.0, most[name]) for name, is_asked in _OF_WISH.items() if is_asked(field)]
        unnamed = most["-unnamed"] + most["-unnamed but known"] * bool(field.concepts)
        return most[""] + unnamed + max(0.0, most["+filled"]) + sum(may) + self.rest

    def candidate(self, candidate: CandidateColumn) -> float:
        """Return what is added at most by what a field is."""
        column, most = candidate.column, self.most
        score = self._of_kind(candidate)
        if column.key[-1:] == "^":
            score += most["~cut"]
        if column.key.endswith(" plain"):
            score += most["~cleaned"]
        if column.is_crowded:
            score += most["-crowded"]
        if column.is_composite:
            is_cell = bool(column.heads) and candidate.is_textual
            score += most["-composite"] + most["~composite cell"] * is_cell
        if column.is_label:
            score += most["~label"]
        if column.is_over:
            score += most["-section"]
        if candidate.narrow or candidate.marred:
            score += most["-narrow"] * candidate.narrow + most["-marred"] * candidate.marred
        return score

    def _of_kind(self, candidate: CandidateColumn) -> float:
        kind = "data-" if candidate.column.kind.startswith("data-") else candidate.column.kind
        if (known := self.of_kinds.get(kind)) is None:
            known = sum([self.most[name] for name, is_so in zip(_KINDS, candidate.by_kind, strict=True) if is_so])
            self.of_kinds[kind] = known = known + (max(0.0, self.most["+title link"]) if kind == "href" else 0.0)
        return known

    def pair(self, fits: float, name: float, rival: float, look: float) -> float:
        """Return what is added at most by how a field that is not called what is wished looks, and is called."""
        most = self.most
        score = fits * (most if fits > 0 else self.least)["+goes together"]
        if name:
            score += name * self.of_name
        if rival > name:
            score += most["-rival"] * (rival - name)
        return score + (look * (most["+looks"] + most["+looks unnamed"]) if look > 0 else -look * most["-looks wrong"])

    def title(self, titled: float) -> float:
        """Return what is added at most by how much a field looks like a title, where that is asked for."""
        return titled * (self.most if titled > 0 else self.least)["+title first"]


_KNOWN: Final[list[tuple[Sequence[float], Sequence[float], ScoreBounds]]] = []


def bounds_of(names: Sequence[str], one: Sequence[float], other: Sequence[float]) -> ScoreBounds:
    """Return the bounds of weights, once for those that were last asked for."""
    if not _KNOWN or _KNOWN[0][0] is not one or _KNOWN[0][1] is not other:
        _KNOWN[:] = [(one, other, ScoreBounds.of(names, one, other))]
    return _KNOWN[0][2]
