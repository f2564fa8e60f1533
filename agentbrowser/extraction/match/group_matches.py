"""Which of the repeated things on a page are meant, and which of their values are which."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.match.match_matrix import GroupMatch, MatchMatrix
from agentbrowser.extraction.model.trees import fitted
from agentbrowser.extraction.model.weights import FITTED, weighed
from agentbrowser.extraction.schema.schema_fields import SchemaField, subject_of
from agentbrowser.extraction.schema.topics import Topic
from agentbrowser.extraction.text.words import Words, coverage, likeness

_LOOKED_AT: Final = 10
"""How many groups are looked at again, with regard to how the wishes stand to one another."""
_MOST_ROWS: Final = 64

_WIDER: Final = 2.0
_MUCH_WIDER: Final = 6.0
_CALLED: Final = 0.5
_KEPT: Final = 0.8
_LABEL: Final = 40
"""What is longer is more than a badge."""

TRAITS: Final = (
    "fit", "least fit", "required fit", "unpaired", "filled", "rows", "few", "context", "context elsewhere",
    "context names", "table asked", "json", "rows without heads", "run", "sideways", "order", "fewer things", "aside",
    "crowded", "constant", "named", "best named", "goes together", "context not meant", "aside asked", "cards asked",
    "table named", "named otherwise", "shared subject",
)  # fmt: skip
"""What is told of a plan."""


def match_groups(fields: Sequence[SchemaField], groups: Sequence[Group], topic: Topic) -> list[GroupMatch]:
    """Return how the groups would serve the wishes, the best first."""
    return ranked(
        [MatchMatrix.of(fields, group) for group in meant(groups, topic) if fields and group.total > 0], topic
    )


def ranked(matrices: Sequence[MatchMatrix], topic: Topic) -> list[GroupMatch]:
    """Return how groups would serve the wishes, the best first."""
    made = considered(matrices, topic)
    for one in made:
        one.score = weighed(FITTED.group, one.features) + fitted().group.score(one.features)
    return _widened(sorted(made, key=lambda one: -one.score), topic.about)


def meant(groups: Sequence[Group], topic: Topic) -> Sequence[Group]:
    """Return the groups without the things that say of themselves to be of those that are not meant."""
    return [_without(group, topic) for group in groups] if topic.without.all else groups


def _without(group: Group, topic: Topic) -> Group:
    cells = [
        (row, text)
        for column in group.columns
        for row, text in zip(column.rows, column.texts, strict=True)
        if len(text) < _LABEL
    ]
    said = {text for text in {text for _, text in cells} if topic.excludes(text)}
    rows = {row for row, text in cells if text in said}
    if not rows or len(rows) * 2 > group.total:
        return group
    left = {row: place for place, row in enumerate(row for row in range(group.total) if row not in rows)}
    return attrs.evolve(group, total=len(left), columns=[_of_rows(column, left) for column in group.columns])


def _of_rows(column: Column, places: dict[int, int]) -> Column:
    kept = [at for at, row in enumerate(column.rows) if row in places]
    return attrs.evolve(
        column,
        total=len(places),
        rows=[places[column.rows[at]] for at in kept],
        texts=[column.texts[at] for at in kept],
        spots=[column.spots[at] for at in kept],
        twins=[[spots[at] for at in kept] for spots in column.twins],
    )


def considered(matrices: Sequence[MatchMatrix], topic: Topic) -> list[GroupMatch]:
    """Return the plans of the groups that promise most, with their traits."""
    firsts = sorted(((matrix, matrix.first()) for matrix in matrices), key=lambda one: -_promise(one[0], one[1]))
    made = [matrix.group_match(matrix.second(chosen)) for matrix, chosen in firsts[:_LOOKED_AT]]
    made = [one for one in made if one.paired]
    rows = list(map(things, made))
    most = max(rows, default=0)
    context = max([context_fit(one.group, topic.about) for one in made], default=0.0)
    for one, count in zip(made, rows, strict=True):
        one.features = tuple(_told(one, count, most, context, topic))
    return made


def _widened(found: list[GroupMatch], about: Words) -> list[GroupMatch]:
    """Put a plan first that has all that the best one has and more, unless the best is what is called as asked."""
    if not found:
        return found
    best = found[0]
    for other in found[1:]:
        if things(other) > things(best) and _covers(other, best) and _is_near(other, best, found, about):
            best = other
    return [best, *(one for one in found if one is not best)]


def _is_near(wide: GroupMatch, best: GroupMatch, found: Sequence[GroupMatch], about: Words) -> bool:
    """Tell whether a plan is hardly worse than one that has a part of it, by how far that part is meant alone."""
    context = context_fit(best.group, about)
    lead = best.score - wide.score
    if context < _CALLED and lead < _WIDER:
        return True
    return lead < _MUCH_WIDER and any(
        context_fit(other.group, about) >= context and _is_beside(other, best, wide) for other in found
    )


def _is_beside(other: GroupMatch, best: GroupMatch, wide: GroupMatch) -> bool:
    """Tell whether a plan has another part of a wider one."""
    places = rows_by_spot(column for _, column, _ in wide.paired)
    rows, those = (
        {places[spot] for _, column, _ in group_match.paired for spot in column.spots if spot in places}
        for group_match in (other, best)
    )
    return len(rows) > _KEPT * other.group.total and not rows & those


def _covers(wide: GroupMatch, narrow: GroupMatch) -> bool:
    """Tell whether every value of one plan is in the other, for the same wish, and its rows too."""
    return _are_rows_kept(wide, narrow) and all(
        other is None or (one is not None and _reaches(one, other))
        for (_, one, _), (_, other, _) in zip(wide.pairs, narrow.pairs, strict=True)
    )


def _are_rows_kept(wide: GroupMatch, narrow: GroupMatch) -> bool:
    places = rows_by_spot(column for _, column, _ in wide.paired)
    rows: dict[int, set[int]] = {}
    for spot, row in rows_by_spot(column for _, column, _ in narrow.paired).items():
        rows.setdefault(row, set()).update([places[spot]] if spot in places else [])
    found = [there for there in rows.values() if there]
    single = [next(iter(there)) for there in found if len(there) == 1]
    return len(single) > _KEPT * len(found) and len(set(single)) > _KEPT * len(single)


def rows_by_spot(several: Iterable[Column]) -> dict[int, int]:
    """Return the row that each element is in, without those that stand over several."""
    rows: dict[int, int] = {}
    shared: set[int] = set()
    for column in several:
        for row, spot in zip(column.rows, column.spots, strict=True):
            if rows.setdefault(spot, row) != row:
                shared.add(spot)
    return {spot: row for spot, row in rows.items() if spot not in shared}


def _reaches(wide: Column, narrow: Column) -> bool:
    is_alike = wide.kind == narrow.kind and wide.is_many == narrow.is_many and wide.filled > narrow.filled / 2
    return is_alike and set(narrow.spots) <= set(wide.spots)


def _promise(matrix: MatchMatrix, chosen: "Sequence[tuple[int, float] | None]") -> float:
    fits = sum(choice[1] * (0.5 + matrix.candidates[choice[0]].column.filled / 2) for choice in chosen if choice)
    return fits / len(chosen) + 0.05 * math.log2(min(_MOST_ROWS, matrix.group.total))


def _told(group_match: GroupMatch, rows: int, most: int, best_context: float, topic: Topic) -> list[float]:
    fits = [fit * (0.5 + column.filled / 2) if column else 0.0 for _, column, fit in group_match.pairs]
    required = [fit for (field, _, _), fit in zip(group_match.pairs, fits, strict=True) if field.is_required]
    about = topic.about
    context = context_fit(group_match.group, about)
    kind = group_match.group.kind
    of_aside, of_cards, of_table = topic.places
    return [
        sum(fits) / len(fits),
        min(fits),
        min(required, default=sum(fits) / len(fits)),
        sum(column is None for _, column, _ in group_match.pairs) / len(fits),
        sum(column.filled for _, column, _ in group_match.paired) / len(group_match.paired),
        math.log2(min(_MOST_ROWS, max(1, rows))) / math.log2(_MOST_ROWS),
        float(rows < 2),
        context,
        max(0.0, best_context - context),
        sum(
            max((trust * coverage(field.name, said) for said, trust in group_match.group.about), default=0.0)
            for field, _, _ in group_match.pairs
        )
        / len(fits),
        float(topic.is_table and kind in ("table", "sideways")),
        float(kind == "json"),
        float(kind == "rows"),
        float(kind == "run"),
        float(kind == "sideways"),
        min(1.0, group_match.group.order / 20),
        math.log2(max(1, most) / max(1, rows)) / math.log2(_MOST_ROWS),
        float(group_match.group.is_aside),
        sum(column.is_nth for _, column, _ in group_match.paired) / len(group_match.paired),
        sum(len(column.rows) > 1 and column.is_uniform for _, column, _ in group_match.paired)
        / len(group_match.paired),
        *group_match.called,
        context_fit(group_match.group, topic.without),
        float(of_aside and group_match.group.is_aside),
        float(of_cards and kind in ("repeat", "run")),
        float(of_table and kind in ("table", "sideways")),
        group_match.otherwise,
        _sharing(group_match),
    ]


def _sharing(group_match: GroupMatch) -> float:
    """Return how far what the things are called by stands over several of them."""
    subject = group_match.pairs[subject_of([field for field, _, _ in group_match.pairs])][1]
    if subject is None or subject.is_many:
        return 0.0
    if len(set(subject.spots)) == len(subject.spots):
        return 0.0
    spots = [spot for spot in subject.spots if spot >= 0]
    return 1 - len(set(spots)) / len(spots) if spots else 0.0


def things(group_match: GroupMatch) -> int:
    """Return how many rows have most of the values."""
    columns = [column.rows for _, column, _ in group_match.paired]
    if columns and all(rows is columns[0] for rows in columns):
        return len(set(columns[0]))
    counts: Counter[int] = Counter()
    for rows in columns:
        counts.update(set(rows))
    return sum([count * 2 > len(columns) for count in counts.values()])


def context_fit(group: Group, about: Words) -> float:
    """Return how well what stands over a group is what is asked for, 0 to 1."""
    return max((trust * likeness(about, said) for said, trust in group.about), default=0.0)
