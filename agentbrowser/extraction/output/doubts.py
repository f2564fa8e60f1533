"""Evidence for the columns of a list, and the list without doubtful ones."""

from collections.abc import Sequence

import attrs

from agentbrowser.extraction.match.evidence import CLEAR_LEAD, FieldEvidence, ValueContext, evidence, mean_name_fit
from agentbrowser.extraction.match.match_matrix import GroupMatch


def lead_of(ranked: Sequence[GroupMatch]) -> float:
    """Return the lead of the best match over the next one."""
    return ranked[0].score - ranked[1].score if len(ranked) > 1 else CLEAR_LEAD


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
