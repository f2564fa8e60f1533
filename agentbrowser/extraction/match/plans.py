"""Which of the repeated things on a page are meant, and which of their values are which."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.candidates import Group, Series
from agentbrowser.extraction.match.match_matrix import Board, Plan
from agentbrowser.extraction.model.trees import fitted
from agentbrowser.extraction.model.weights import FITTED, weighed
from agentbrowser.extraction.schema.schema_fields import Wish, subject_of
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


def plans(wishes: Sequence[Wish], groups: Sequence[Group], topic: Topic) -> list[Plan]:
    """Return how the groups would serve the wishes, the best first."""
    return ranked([Board.of(wishes, group) for group in meant(groups, topic) if wishes and group.total > 0], topic)


def ranked(boards: Sequence[Board], topic: Topic) -> list[Plan]:
    """Return how groups would serve the wishes, the best first."""
    made = considered(boards, topic)
    for one in made:
        one.score = weighed(FITTED.group, one.traits) + fitted().group.worth(one.traits)
    return _widened(sorted(made, key=lambda one: -one.score), topic.about)


def meant(groups: Sequence[Group], topic: Topic) -> Sequence[Group]:
    """Return the groups without the things that say of themselves to be of those that are not meant."""
    return [_without(group, topic) for group in groups] if topic.without.all else groups


def _without(group: Group, topic: Topic) -> Group:
    cells = [
        (row, text)
        for series in group.series
        for row, text in zip(series.rows, series.texts, strict=True)
        if len(text) < _LABEL
    ]
    said = {text for text in {text for _, text in cells} if topic.excludes(text)}
    rows = {row for row, text in cells if text in said}
    if not rows or len(rows) * 2 > group.total:
        return group
    left = {row: place for place, row in enumerate(row for row in range(group.total) if row not in rows)}
    return attrs.evolve(group, total=len(left), series=[_of_rows(series, left) for series in group.series])


def _of_rows(series: Series, places: dict[int, int]) -> Series:
    kept = [at for at, row in enumerate(series.rows) if row in places]
    return attrs.evolve(
        series,
        total=len(places),
        rows=[places[series.rows[at]] for at in kept],
        texts=[series.texts[at] for at in kept],
        spots=[series.spots[at] for at in kept],
        twins=[[spots[at] for at in kept] for spots in series.twins],
    )


def considered(boards: Sequence[Board], topic: Topic) -> list[Plan]:
    """Return the plans of the groups that promise most, with their traits."""
    firsts = sorted(((board, board.first()) for board in boards), key=lambda one: -_promise(one[0], one[1]))
    made = [board.plan(board.second(chosen)) for board, chosen in firsts[:_LOOKED_AT]]
    made = [one for one in made if one.paired]
    rows = list(map(things, made))
    most = max(rows, default=0)
    context = max([context_fit(one.group, topic.about) for one in made], default=0.0)
    for one, count in zip(made, rows, strict=True):
        one.traits = tuple(_told(one, count, most, context, topic))
    return made


def _widened(found: list[Plan], about: Words) -> list[Plan]:
    """Put a plan first that has all that the best one has and more, unless the best is what is called as asked."""
    if not found:
        return found
    best = found[0]
    for other in found[1:]:
        if things(other) > things(best) and _covers(other, best) and _is_near(other, best, found, about):
            best = other
    return [best, *(one for one in found if one is not best)]


def _is_near(wide: Plan, best: Plan, found: Sequence[Plan], about: Words) -> bool:
    """Tell whether a plan is hardly worse than one that has a part of it, by how far that part is meant alone."""
    context = context_fit(best.group, about)
    lead = best.score - wide.score
    if context < _CALLED and lead < _WIDER:
        return True
    return lead < _MUCH_WIDER and any(
        context_fit(other.group, about) >= context and _is_beside(other, best, wide) for other in found
    )


def _is_beside(other: Plan, best: Plan, wide: Plan) -> bool:
    """Tell whether a plan has another part of a wider one."""
    places = rows_by_spot(series for _, series, _ in wide.paired)
    rows, those = (
        {places[spot] for _, series, _ in plan.paired for spot in series.spots if spot in places}
        for plan in (other, best)
    )
    return len(rows) > _KEPT * other.group.total and not rows & those


def _covers(wide: Plan, narrow: Plan) -> bool:
    """Tell whether every value of one plan is in the other, for the same wish, and its rows too."""
    return _are_rows_kept(wide, narrow) and all(
        other is None or (one is not None and _reaches(one, other))
        for (_, one, _), (_, other, _) in zip(wide.pairs, narrow.pairs, strict=True)
    )


def _are_rows_kept(wide: Plan, narrow: Plan) -> bool:
    places = rows_by_spot(series for _, series, _ in wide.paired)
    rows: dict[int, set[int]] = {}
    for spot, row in rows_by_spot(series for _, series, _ in narrow.paired).items():
        rows.setdefault(row, set()).update([places[spot]] if spot in places else [])
    found = [there for there in rows.values() if there]
    single = [next(iter(there)) for there in found if len(there) == 1]
    return len(single) > _KEPT * len(found) and len(set(single)) > _KEPT * len(single)


def rows_by_spot(several: Iterable[Series]) -> dict[int, int]:
    """Return the row that each element is in, without those that stand over several."""
    rows: dict[int, int] = {}
    shared: set[int] = set()
    for series in several:
        for row, spot in zip(series.rows, series.spots, strict=True):
            if rows.setdefault(spot, row) != row:
                shared.add(spot)
    return {spot: row for spot, row in rows.items() if spot not in shared}


def _reaches(wide: Series, narrow: Series) -> bool:
    is_alike = wide.kind == narrow.kind and wide.is_many == narrow.is_many and wide.filled > narrow.filled / 2
    return is_alike and set(narrow.spots) <= set(wide.spots)


def _promise(board: Board, chosen: "Sequence[tuple[int, float] | None]") -> float:
    fits = sum(choice[1] * (0.5 + board.fields[choice[0]].series.filled / 2) for choice in chosen if choice)
    return fits / len(chosen) + 0.05 * math.log2(min(_MOST_ROWS, board.group.total))


def _told(plan: Plan, rows: int, most: int, best_context: float, topic: Topic) -> list[float]:
    fits = [fit * (0.5 + series.filled / 2) if series else 0.0 for _, series, fit in plan.pairs]
    required = [fit for (wish, _, _), fit in zip(plan.pairs, fits, strict=True) if wish.is_required]
    about = topic.about
    context = context_fit(plan.group, about)
    kind = plan.group.kind
    of_aside, of_cards, of_table = topic.places
    return [
        sum(fits) / len(fits),
        min(fits),
        min(required, default=sum(fits) / len(fits)),
        sum(series is None for _, series, _ in plan.pairs) / len(fits),
        sum(series.filled for _, series, _ in plan.paired) / len(plan.paired),
        math.log2(min(_MOST_ROWS, max(1, rows))) / math.log2(_MOST_ROWS),
        float(rows < 2),
        context,
        max(0.0, best_context - context),
        sum(
            max((trust * coverage(wish.name, said) for said, trust in plan.group.about), default=0.0)
            for wish, _, _ in plan.pairs
        )
        / len(fits),
        float(topic.is_table and kind in ("table", "sideways")),
        float(kind == "json"),
        float(kind == "rows"),
        float(kind == "run"),
        float(kind == "sideways"),
        min(1.0, plan.group.order / 20),
        math.log2(max(1, most) / max(1, rows)) / math.log2(_MOST_ROWS),
        float(plan.group.is_aside),
        sum(series.is_nth for _, series, _ in plan.paired) / len(plan.paired),
        sum(len(series.rows) > 1 and series.is_uniform for _, series, _ in plan.paired) / len(plan.paired),
        *plan.called,
        context_fit(plan.group, topic.without),
        float(of_aside and plan.group.is_aside),
        float(of_cards and kind in ("repeat", "run")),
        float(of_table and kind in ("table", "sideways")),
        plan.otherwise,
        _sharing(plan),
    ]


def _sharing(plan: Plan) -> float:
    """Return how far what the things are called by stands over several of them."""
    subject = plan.pairs[subject_of([wish for wish, _, _ in plan.pairs])][1]
    if subject is None or subject.is_many:
        return 0.0
    if len(set(subject.spots)) == len(subject.spots):
        return 0.0
    spots = [spot for spot in subject.spots if spot >= 0]
    return 1 - len(set(spots)) / len(spots) if spots else 0.0


def things(plan: Plan) -> int:
    """Return how many rows have most of the values."""
    columns = [series.rows for _, series, _ in plan.paired]
    if columns and all(rows is columns[0] for rows in columns):
        return len(set(columns[0]))
    counts: Counter[int] = Counter()
    for rows in columns:
        counts.update(set(rows))
    return sum([count * 2 > len(columns) for count in counts.values()])


def context_fit(group: Group, about: Words) -> float:
    """Return how well what stands over a group is what is asked for, 0 to 1."""
    return max((trust * likeness(about, said) for said, trust in group.about), default=0.0)
