"""Ranking of a page's groups by their match with a schema."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.match.headers import lists_properties, with_headers, without_rows
from agentbrowser.extraction.match.match_matrix import Assignment, GroupMatch, MatchMatrix
from agentbrowser.extraction.model.features import GroupFeatures
from agentbrowser.extraction.model.trees import TREES
from agentbrowser.extraction.model.weights import WEIGHTS, weighed
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.schema.topics import QueryTopic
from agentbrowser.extraction.text.words import Words, coverage, likeness

_MAX_REASSIGNED: Final = 10
"""Number of groups whose fields are assigned a second time, in context."""
_MOST_ROWS: Final = 64

_MAX_NEAR_LEAD: Final = 2.0
"""Greatest lead of a match over one that is hardly worse."""
_MAX_PART_LEAD: Final = 7.0
"""Greatest lead of a match over a wide one of which others have other parts."""
_MIN_CONTEXT_FIT: Final = 0.5
"""Least fit of a topic that names a group."""
_MIN_KEPT_SHARE: Final = 0.8
"""Least share of the rows of one match that are rows of another that has them all."""
_TABULAR_KINDS: Final = frozenset(("table", "rows", "sideways"))
_MAX_BADGE_LENGTH: Final = 40
"""Length of the longest badge."""


def match_groups(fields: Sequence[SchemaField], groups: Sequence[Group], topic: QueryTopic) -> list[GroupMatch]:
    """Return the matches of groups with fields, the best first."""
    if topic.table is not None:
        groups = _counted_table(groups, topic.table)
    of_items = [group for group in without_excluded(groups, topic) if not lists_properties(fields, group)]
    groups = [with_headers(group, fields) for group in of_items]
    return ranked([MatchMatrix.of(fields, group) for group in groups if fields and group.total > 0], topic)


def ranked(matrices: Sequence[MatchMatrix], topic: QueryTopic) -> list[GroupMatch]:
    """Return the matches of matrices, the best first."""
    matches = considered(matrices, topic)
    for match in matches:
        features: Sequence[float] = match.features or ()
        match.score = weighed(WEIGHTS.group, features) + TREES.group.score(features)
    return _of_sections(_with_content(_widened(sorted(matches, key=lambda match: -match.score), topic.about)))


def _counted_table(groups: Sequence[Group], place: int) -> Sequence[Group]:
    """Return the table at a place among the tables of the page, without unions of several; all groups without it."""
    spans = []
    for group in groups:
        spots = [spot for column in group.columns for spot in column.spots if spot >= 0]
        if group.kind in _TABULAR_KINDS and spots:
            spans.append((min(spots), max(spots), group))
    single = [one for one in spans if not any(_is_within(other, one) for other in spans)]
    single.sort(key=lambda one: one[0])
    return [single[place][2]] if -len(single) <= place < len(single) else groups


def _is_within(inner: tuple[int, int, Group], outer: tuple[int, int, Group]) -> bool:
    return inner[:2] != outer[:2] and outer[0] <= inner[0] and inner[1] <= outer[1]


def without_excluded(groups: Sequence[Group], topic: QueryTopic) -> Sequence[Group]:
    """Return the groups without the rows that name what the topic excludes."""
    return [_without(group, topic) for group in groups] if topic.without.all else groups


def _without(group: Group, topic: QueryTopic) -> Group:
    cells = [
        (row, text)
        for column in group.columns
        for row, text in zip(column.rows, column.texts, strict=True)
        if len(text) < _MAX_BADGE_LENGTH
    ]
    excluded = {text for text in {text for _, text in cells} if topic.excludes(text)}
    rows = {row for row, text in cells if text in excluded}
    if not rows or len(rows) * 2 > group.total:
        return group
    left = {row: place for place, row in enumerate(row for row in range(group.total) if row not in rows)}
    return attrs.evolve(group, total=len(left), columns=[without_rows(column, left) for column in group.columns])


def considered(matrices: Sequence[MatchMatrix], topic: QueryTopic) -> list[GroupMatch]:
    """Return the matches of the most promising groups, with their features."""
    firsts = sorted(((matrix, matrix.first()) for matrix in matrices), key=lambda one: -_first_score(one[0], one[1]))
    matches = [matrix.group_match(matrix.second(chosen)) for matrix, chosen in firsts[:_MAX_REASSIGNED]]
    matches = [match for match in matches if match.paired]
    rows = list(map(item_count, matches))
    most = max(rows, default=0)
    context = max([context_fit(match.group, topic.about) for match in matches], default=0.0)
    for match, count in zip(matches, rows, strict=True):
        match.features = _features(match, count, most, context, topic)
    return matches


def _widened(found: list[GroupMatch], about: Words) -> list[GroupMatch]:
    """Put a match first that contains the best one, unless the topic names the best one alone."""
    if not found:
        return found
    best = found[0]
    for other in found[1:]:
        if item_count(other) > item_count(best) and _covers(other, best) and _is_near(other, best, found, about):
            best = other
    return [best, *(one for one in found if one is not best)]


def _with_content(found: list[GroupMatch]) -> list[GroupMatch]:
    """Put a match of headings with their content first, if the best one has the content of the heading before.

    What stands above each item and differs for each is no heading of a section, but the end of the item before. Where
    all values stand above, the items are the sections.
    """
    if not found or not (over := [column for _, column, _ in found[0].paired if column.is_over]):
        return found
    best, spots = found[0], set(_subject_spots(found[0]))
    are_sections = len(over) == len(best.paired)
    if not spots or (not are_sections and any(len(set(column.texts)) < len(column.texts) for column in over)):
        return found
    for other in found[1:]:
        pairs = zip(best.pairs, other.pairs, strict=True)
        is_whole = all(column is not None or known is None for (_, known, _), (_, column, _) in pairs)
        is_same = spots == set(_subject_spots(other)) and not any(column.is_over for _, column, _ in other.paired)
        if is_whole and is_same and best.score - other.score < _MAX_NEAR_LEAD:
            return [other, *(one for one in found if one is not other)]
    return found


def _of_sections(found: list[GroupMatch]) -> list[GroupMatch]:
    """Put a match of sections first, if most values of the best one are those of the sections over its items.

    The items are then a detail of the sections: the opening hours of branches.
    """
    over = [(field.path, set(column.spots)) for field, column, _ in found[0].paired if column.is_over] if found else []
    if not over or len(over) * 2 <= len(found[0].paired):
        return found
    for other in found[1:]:
        own = {field.path: set(column.spots) for field, column, _ in other.paired if not column.is_over}
        if all(own.get(path) == spots for path, spots in over):
            return [other, *(one for one in found if one is not other)]
    return found


def _subject_spots(match: GroupMatch) -> Sequence[int]:
    """Return the elements of the column that names the items."""
    column = match.subject[1]
    return column.spots if column is not None else ()


def _is_near(wide: GroupMatch, best: GroupMatch, found: Sequence[GroupMatch], about: Words) -> bool:
    """Return True if a wide match is hardly worse than one with a part of it, and the topic does not name that part."""
    context = context_fit(best.group, about)
    lead = best.score - wide.score
    if context < _MIN_CONTEXT_FIT and lead < _MAX_NEAR_LEAD:
        return True
    return lead < _MAX_PART_LEAD and any(
        context_fit(other.group, about) >= context and _is_beside(other, best, wide) for other in found
    )


def _is_beside(other: GroupMatch, best: GroupMatch, wide: GroupMatch) -> bool:
    """Return True if a match has another part of a wide one."""
    places = rows_by_spot(column for _, column, _ in wide.paired)
    rows, those = (
        {places[spot] for _, column, _ in group_match.paired for spot in column.spots if spot in places}
        for group_match in (other, best)
    )
    return len(rows) > _MIN_KEPT_SHARE * other.group.total and not rows & those


def _covers(wide: GroupMatch, narrow: GroupMatch) -> bool:
    """Return True if a wide match contains every value of a narrow one, for the same field, and its rows."""
    return _are_rows_kept(wide, narrow) and all(
        other is None or (one is not None and _contains(one, other))
        for (_, one, _), (_, other, _) in zip(wide.pairs, narrow.pairs, strict=True)
    )


def _are_rows_kept(wide: GroupMatch, narrow: GroupMatch) -> bool:
    places = rows_by_spot(column for _, column, _ in wide.paired)
    rows: dict[int, set[int]] = {}
    for spot, row in rows_by_spot(column for _, column, _ in narrow.paired).items():
        rows.setdefault(row, set()).update([places[spot]] if spot in places else [])
    found = [there for there in rows.values() if there]
    single = [next(iter(there)) for there in found if len(there) == 1]
    return len(single) > _MIN_KEPT_SHARE * len(found) and len(set(single)) > _MIN_KEPT_SHARE * len(single)


def rows_by_spot(columns: Iterable[Column]) -> dict[int, int]:
    """Return the row of each element, without elements that several rows share."""
    rows: dict[int, int] = {}
    shared: set[int] = set()
    for column in columns:
        for row, spot in zip(column.rows, column.spots, strict=True):
            if rows.setdefault(spot, row) != row:
                shared.add(spot)
    return {spot: row for spot, row in rows.items() if spot not in shared}


def _contains(wide: Column, narrow: Column) -> bool:
    is_alike = wide.kind == narrow.kind and wide.is_many == narrow.is_many and wide.filled > narrow.filled / 2
    return is_alike and set(narrow.spots) <= set(wide.spots)


def _first_score(matrix: MatchMatrix, chosen: Assignment) -> float:
    fits = sum(choice[1] * (0.5 + matrix.candidates[choice[0]].column.filled / 2) for choice in chosen if choice)
    return fits / len(chosen) + 0.05 * math.log2(min(_MOST_ROWS, matrix.group.total))


def _features(match: GroupMatch, rows: int, most: int, best_context: float, topic: QueryTopic) -> GroupFeatures:
    fits = [fit * (0.5 + column.filled / 2) if column else 0.0 for _, column, fit in match.pairs]
    required = [fit for (field, _, _), fit in zip(match.pairs, fits, strict=True) if field.is_required]
    columns = [column for _, column, _ in match.paired]
    group, kind = match.group, match.group.kind
    context = context_fit(group, topic.about)
    in_context_names = [
        max((trust * coverage(field.name, name) for name, trust in group.names), default=0.0)
        for field, _, _ in match.pairs
    ]
    of_aside, of_cards, of_table = topic.places
    named, best_named, goes_together = match.naming
    return GroupFeatures(
        fit=sum(fits) / len(fits),
        least_fit=min(fits),
        required_fit=min(required, default=sum(fits) / len(fits)),
        unpaired=sum(column is None for _, column, _ in match.pairs) / len(fits),
        filled=sum(column.filled for column in columns) / len(columns),
        rows=math.log2(min(_MOST_ROWS, max(1, rows))) / math.log2(_MOST_ROWS),
        few=float(rows < 2),
        context=context,
        context_elsewhere=max(0.0, best_context - context),
        context_names=sum(in_context_names) / len(fits),
        table_asked=float(topic.is_table and kind in ("table", "sideways")),
        json=float(kind == "json"),
        rows_without_heads=float(kind == "rows"),
        run=float(kind == "run"),
        sideways=float(kind == "sideways"),
        order=min(1.0, group.order / 20),
        fewer_things=math.log2(max(1, most) / max(1, rows)) / math.log2(_MOST_ROWS),
        aside=float(group.is_aside),
        crowded=sum(column.is_nth for column in columns) / len(columns),
        constant=sum(len(column.rows) > 1 and column.is_uniform for column in columns) / len(columns),
        named=named,
        best_named=best_named,
        goes_together=goes_together,
        context_not_meant=context_fit(group, topic.without),
        aside_asked=float(of_aside and group.is_aside),
        cards_asked=float(of_cards and kind in ("repeat", "run")),
        table_named=float(of_table and kind in ("table", "sideways")),
        named_otherwise=match.otherwise,
        shared_subject=_sharing(match),
    )


def _sharing(group_match: GroupMatch) -> float:
    """Return the share of the items that share the element of their name with others."""
    column = group_match.subject[1]
    if column is None or column.is_many:
        return 0.0
    if len(set(column.spots)) == len(column.spots):
        return 0.0
    spots = [spot for spot in column.spots if spot >= 0]
    return 1 - len(set(spots)) / len(spots) if spots else 0.0


def item_count(group_match: GroupMatch) -> int:
    """Return the number of rows with most of the values."""
    columns = [column.rows for _, column, _ in group_match.paired]
    if columns and all(rows is columns[0] for rows in columns):
        return len(set(columns[0]))
    counts: Counter[int] = Counter()
    for rows in columns:
        counts.update(set(rows))
    return sum([count * 2 > len(columns) for count in counts.values()])


def context_fit(group: Group, about: Words) -> float:
    """Return the similarity of a group's names to what the query is about, 0 to 1."""
    return max((trust * likeness(about, name) for name, trust in group.names), default=0.0)
