"""Evidence for the columns of a list, and the list without doubtful ones."""

from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.match.evidence import CLEAR_LEAD, FieldEvidence, ValueContext, evidence, mean_name_fit
from agentbrowser.extraction.match.match_matrix import GroupMatch

_PART_SHARE: Final = 0.5
"""Share of the values of a match that another one has, above which it is a part of that."""


def lead_of(ranked: Sequence[GroupMatch]) -> float:
    """Return the lead of the best match over the next one with other values."""
    best, *others = ranked
    values = {spot for _, column, _ in best.paired for spot in column.spots}
    rivals = (one for one in others if one.group.total >= best.group.total or not _is_part(one, values))
    rival = next(rivals, None)
    return best.score - rival.score if rival is not None else CLEAR_LEAD


def _is_part(match: GroupMatch, values: set[int]) -> bool:
    """Return True if most values of a match are among others: those of its first items, or of one section."""
    spots = [spot for _, column, _ in match.paired for spot in column.spots]
    return sum(spot in values for spot in spots) > _PART_SHARE * len(spots)


def list_evidence(
    ranked: Sequence[GroupMatch], path: tuple[str, ...] = (), share: float = 0.5, *, is_plain: bool = False
) -> list[FieldEvidence]:
    """Return the evidence for each field of the best match.

    Args:
      path: the path of the list.
      share: the share of its values that is probably right.
    """
    best = ranked[0]
    given = sum(column is not None for _, column, _ in best.pairs)
    names = mean_name_fit([(field, column) for field, column, _ in best.pairs])
    context = ValueContext(
        is_list=True,
        lead=lead_of(ranked),
        share=share,
        missing=1 - given / len(best.pairs),
        others=max(0, given - 1),
        named=names,
        is_plain=is_plain,
    )
    found = [evidence(field, column, fit, context) for field, column, fit in best.pairs]
    return [attrs.evolve(one, path=(*path, *one.path)) for one in found]


def without_doubtful(match: GroupMatch, found: Sequence[FieldEvidence], least: float) -> GroupMatch:
    """Return a match without the columns whose confidence is below a limit."""
    pairs = tuple(
        (field, column, fit) if one.confidence >= least else (field, None, 0.0)
        for (field, column, fit), one in zip(match.pairs, found, strict=True)
    )
    if all(here[1] is there[1] for here, there in zip(pairs, match.pairs, strict=True)):
        return match
    return attrs.evolve(match, pairs=pairs)
