"""Upper bounds of the score of a field with a column: most pairs need no exact score."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import attrs

from agentbrowser.extraction.match.candidate_columns import CandidateColumn
from agentbrowser.extraction.model.features import KindFeatures, SourceFeatures
from agentbrowser.extraction.schema.schema_fields import SchemaField

_HIGHEST: Final = 2.0
"""Upper bound of every feature."""
_ROUNDING: Final = 1e-6
_OF_NAME: Final = (*SourceFeatures._fields, "named")
_KINDS: Final = KindFeatures._fields
_OF_COLUMN: Final = (
    *_KINDS, "cut", "cleaned", "crowded", "composite", "label", "section", "composite_cell", "narrow", "badged",
    "title_link",
)  # fmt: skip
_OF_PAIR: Final = (
    "goes_together", "better_named", "unnamed", "unnamed_but_known", "rival", "looks", "looks_wrong", "looks_unnamed",
    "filled", "title_first", "own_form",
)  # fmt: skip
_OF_FIELD: Final[dict[str, Callable[[SchemaField], bool]]] = {
    "described": lambda field: bool(field.hint.all),
    "to_title": lambda field: "link" in field.concepts,
    "many": lambda field: field.is_many,
    "counting": lambda field: "rank" in field.concepts,
    "machine_date_asked": lambda field: field.wants_iso or field.wants_markup,
    "per_asked": lambda field: field.is_per,
    "required": lambda field: field.is_required,
}
"""Features that can only support columns of some fields, and the condition of those fields."""
_BOUNDED_SINGLY: Final = {*_OF_NAME, *_OF_COLUMN, *_OF_PAIR, *_OF_FIELD, "well_named", "plainly_named"}
"""Features with a bound of their own, and two that unnamed columns never have. "section" only lowers scores, and not
those of fields for divisions: its bound is 0.
"""


@attrs.frozen(eq=False)
class ScoreBounds:
    """Greatest and least weight of each feature, over the weights with and without context."""

    most: dict[str, float]
    least: dict[str, float]
    of_name: float
    """Upper bound of what a weak name adds, per unit of similarity."""
    rest: float
    """Upper bound of all other features: 0 where the weights have the signs that they are fitted with."""
    of_kinds: dict[str, float] = attrs.field(factory=dict)
    """Upper bound by the kind of the values."""

    @classmethod
    def of(cls, names: Sequence[str], one: Sequence[float], other: Sequence[float]) -> "ScoreBounds":
        """Return the bounds of two tables of weights, each with the bias first."""
        pairs = list(zip(("", *names), one, other, strict=False))
        most = {name: max(two) for name, *two in pairs}
        return cls(
            most=most,
            least={name: min(two) for name, *two in pairs},
            of_name=sum(max(0.0, most[name]) for name in _OF_NAME),
            rest=_HIGHEST * sum(max(0.0, most[name]) for name in names if name not in _BOUNDED_SINGLY) + _ROUNDING,
        )

    @lru_cache(maxsize=1000)  # noqa: B019 - there are as many as there are weights
    def field(self, field: SchemaField) -> float:
        """Return the upper bound of a field's part in the score of an unnamed column."""
        most = self.most
        may = [max(0.0, most[name]) for name, applies in _OF_FIELD.items() if applies(field)]
        unnamed = most["unnamed"] + most["unnamed_but_known"] * bool(field.concepts)
        return most[""] + unnamed + max(0.0, most["filled"]) + max(0.0, most["own_form"]) + sum(may) + self.rest

    def candidate(self, candidate: CandidateColumn) -> float:
        """Return the upper bound of a column's part in the score."""
        column, most = candidate.column, self.most
        bound = self._of_kind(candidate)
        if column.is_without_prefix:
            bound += most["cut"]
        if column.is_cleaned:
            bound += most["cleaned"]
        if column.is_crowded:
            bound += most["crowded"]
        if column.is_composite:
            is_cell = bool(column.heads) and candidate.is_textual
            bound += most["composite"] + most["composite_cell"] * is_cell
        if column.is_label:
            bound += most["label"]
        if candidate.narrow or candidate.badged:
            bound += most["narrow"] * candidate.narrow + most["badged"] * candidate.badged
        return bound

    def _of_kind(self, candidate: CandidateColumn) -> float:
        kind = "data-" if candidate.column.kind.startswith("data-") else candidate.column.kind
        if (known := self.of_kinds.get(kind)) is None:
            known = sum([self.most[name] for name, is_so in zip(_KINDS, candidate.kind_features, strict=True) if is_so])
            self.of_kinds[kind] = known = known + (max(0.0, self.most["title_link"]) if kind == "href" else 0.0)
        return known

    def pair(self, shape_fit: float, name: float, rival: float, look: float) -> float:
        """Return the upper bound of the part of an unnamed column's names and look."""
        most = self.most
        bound = shape_fit * (most if shape_fit > 0 else self.least)["goes_together"]
        if name:
            bound += name * self.of_name
        if rival > name:
            bound += most["rival"] * (rival - name)
        return bound + (look * (most["looks"] + most["looks_unnamed"]) if look > 0 else -look * most["looks_wrong"])

    def title(self, title_look: float) -> float:
        """Return the upper bound of the part of a column's similarity to titles, for the first field."""
        return title_look * (self.most if title_look > 0 else self.least)["title_first"]


_LATEST: Final[list[tuple[Sequence[float], Sequence[float], ScoreBounds]]] = []


def bounds_of(names: Sequence[str], one: Sequence[float], other: Sequence[float]) -> ScoreBounds:
    """Return the bounds of two tables of weights, computed once for the latest tables."""
    if not _LATEST or _LATEST[0][0] is not one or _LATEST[0][1] is not other:
        _LATEST[:] = [(one, other, ScoreBounds.of(names, one, other))]
    return _LATEST[0][2]
