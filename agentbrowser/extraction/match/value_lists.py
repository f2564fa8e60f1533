"""Matching of lists of plain values: sets of values that stand together, columns of groups, headings."""

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.columns.page_names import HEADINGS, Hint, Markup, Relation
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.column_fit import form_likelihood, name_similarity
from agentbrowser.extraction.match.group_matches import context_fit
from agentbrowser.extraction.match.match_matrix import GroupMatch
from agentbrowser.extraction.match.text_fit import NEVER
from agentbrowser.extraction.schema.concepts import PROSE
from agentbrowser.extraction.schema.schema_fields import SchemaField, interned
from agentbrowser.extraction.text.commands import reads_as_command
from agentbrowser.extraction.text.words import Words, likeness, words

LEAST: Final = 0.36
"""Least score of a list in an answer."""
_BY_NAME: Final = 0.75
_BY_LOOK: Final = 0.25
_LAYOUT_SCORES: Final = {
    "list": 0.06,
    "terms": 0.08,
    "inline": 0.04,
    "choices": 0.0,
    "alike": 0.0,
    "lines": -0.03,
    "heads": 0.03,
}
_TITLE_CONCEPTS: Final = frozenset(("name", "title", "thing", "question", "heading", "term"))
_MAX_TEXTS: Final = 24
_MIN_READABLE_SHARE: Final = 0.7
_GROUPED_SCORE: Final = -0.08
"""Score of a column of a group, compared with values that stand alone."""
_MIN_FILLED_SHARE: Final = 0.6
_HEADING_TAGS: Final = ("h2", "h3", "h4")
_SUBTITLE_CONCEPTS: Final = frozenset(("subtitle",))
_HEADING_STEMS: Final = frozenset(("heading", "chapter", "section"))
_LEAST_SIMILARITY: Final = 0.7
_NO_VALUES: Final = HEADINGS | {"button", "label", "legend", "nav", "th", "dt"}
_NAMING_TAGS: Final = frozenset(("dt", "label", "legend"))
"""Tags of names beside values, which are values themselves only where titles are requested."""
_TOPICLESS_STEMS: Final = frozenset(
    word.stem
    for word in words(
        "all any each every the a of on in from this page list lists listed item items entry entries element elements "
        "bullet bullets point points text texts string strings value values get return extract"
    ).all
)
"""Words of requests that fit every list: "all the items"."""


@attrs.frozen(eq=False)
class ListOption:
    """A list that may be the requested one, with its score."""

    score: float
    group_match: GroupMatch


def ranked(
    field: SchemaField, groups: Sequence[Group], sets: Sequence[Group], facts: Sequence[Column], *, least: float = LEAST
) -> list[ListOption]:
    """Return the lists that may be the requested one, the best first."""
    item = interned(attrs.evolve(field, path=(), is_many=False, is_required=False, is_subject=False))
    options = [
        *(option for group in sets for column in group.columns if (option := _as_set(item, group, column))),
        *(option for group in groups for column in group.columns if (option := _as_column(item, group, column))),
        *(option for group in _headings(item, facts) if (option := _as_set(item, group, group.columns[0]))),
    ]
    return sorted((option for option in options if option.score > least), key=lambda option: -option.score)


def _as_set(field: SchemaField, group: Group, column: Column) -> ListOption | None:
    column = column if field.takes_commands else _without_command(column)
    name = name_similarity(field, column, column.best_names)
    score = _score(field, column, name)
    if score is None:
        return None
    score += _LAYOUT_SCORES.get(column.tag, 0.0)
    if column.is_aside:
        score -= 0.05 + 0.2 * (1 - name)
    if column.is_repeated:
        score -= 0.15
    if len(column.rows) < 2:
        score -= 0.1
    return _list_option(field, group, column, score)


def _without_command(column: Column) -> Column:
    """Return a column without a command behind its values: "Join another club"."""
    *others, last = column.texts
    if not others or not reads_as_command(last) or any(map(reads_as_command, others)):
        return column
    return attrs.evolve(column, texts=others, rows=column.rows[:-1], spots=column.spots[:-1])


def _as_column(field: SchemaField, group: Group, column: Column) -> ListOption | None:
    if column.kind not in ("text", "own", "json", "href", "src") or column.is_many or column.is_composite:
        return None
    if column.filled < _MIN_FILLED_SHARE or (column.is_nth and not column.heads) or group.total < 2:
        return None
    if column.tag in _NAMING_TAGS and field.concepts.isdisjoint(_TITLE_CONCEPTS):
        return None
    if _are_named_apart(column) and field.concepts.isdisjoint(PROSE):
        return None
    own = name_similarity(field, column, column.best_names)
    around = max(context_fit(group, field.name), 0.8 * context_fit(group, field.hint))
    is_main = column is _naming_column(group)
    score = _score(field, column, max(own, 0.9 * around if is_main else 0.0))
    if score is None:
        return None
    score += _GROUPED_SCORE - (0.1 if group.is_aside else 0.0)
    return _list_option(field, group, column, score)


def _are_named_apart(column: Column) -> bool:
    """Return True if each value has a name of its own: a table of properties, and no list of one."""
    names = sum(relation == Relation.NAME for relation, _ in column.labels)
    return column.tag == "dd" and names == len(column.rows)


def _naming_column(group: Group) -> Column | None:
    """Return the column that names the items of a group."""
    texts = [
        column
        for column in group.columns
        if column.kind in ("text", "own", "json") and column.filled > _MIN_FILLED_SHARE
    ]
    wordy = [
        column
        for column in texts
        if not (column.is_many or column.is_composite) and column.profile.wordy > _MIN_READABLE_SHARE
    ]
    first = wordy[0] if wordy else None
    return next((column for column in wordy if column.tags & {"a", "b", "strong", "h2", "h3", "h4"}), first)


def _score(field: SchemaField, column: Column, name: float) -> float | None:
    look = form_likelihood(field, column)
    values = list(map(Reader(field, column).read, column.texts[:_MAX_TEXTS]))
    if look <= NEVER or len(values) - values.count(None) < _MIN_READABLE_SHARE * len(values):
        return None
    score = _BY_NAME * name + _BY_LOOK * max(-0.5, look)
    wants_titles = bool(field.concepts & _TITLE_CONCEPTS)
    if column.kind == "title":
        score += 0.08 if wants_titles else -0.12
    return score


def _list_option(field: SchemaField, group: Group, column: Column, score: float) -> ListOption:
    return ListOption(score, GroupMatch(group, ((field, column, max(0.0, min(1.0, score))),), score))


def _headings(field: SchemaField, facts: Sequence[Column]) -> Iterator[Group]:
    """Yield the headings of each level as lists, if the field is for headings: titles mostly name other things."""
    requested = [*field.name.all, *field.hint.all]
    if not any(_SUBTITLE_CONCEPTS & word.concepts or word.stem in _HEADING_STEMS for word in requested):
        return
    for tag in _HEADING_TAGS:
        headings = [fact for fact in facts if fact.tag == tag and fact.kind == "text" and not fact.is_aside]
        if len(headings) < 2:
            continue
        column = Column(
            key=f"heads {tag}",
            kind="text",
            tag="heads",
            total=len(headings),
            rows=list(range(len(headings))),
            texts=[fact.texts[0] for fact in headings],
            spots=[fact.spots[0] for fact in headings],
            names=[("heading", 0.8), ("section", 0.8), ("subheading", 0.8)],
            language=headings[0].language,
        )
        yield Group(kind="set", total=column.total, columns=[column])


def field_of_topic(field: SchemaField, topic: Words) -> SchemaField:
    """Return a field with the name and description that an instruction gives."""
    return interned(attrs.evolve(field, name=topic, hint=topic)) if topic.all else field


def fits_any_list(topic: Words) -> bool:
    """Return True if the words of a request would fit every list of a page."""
    return all(word.stem in _TOPICLESS_STEMS for word in topic.all)


def all_entries(field: SchemaField, sets: Sequence[Group]) -> GroupMatch | None:
    """Return the entries of all lists in the content of the page as one list, in their order; None without lists."""
    columns = [column for group in sets for column in group.columns if column.tag == "list"]
    columns = [column for column in columns if not column.is_aside] or columns
    entries = dict(sorted(entry for column in columns for entry in zip(column.spots, column.texts, strict=True)))
    if not entries:
        return None
    column = Column(
        key="all entries",
        kind="text",
        tag="list",
        total=len(entries),
        rows=list(range(len(entries))),
        texts=list(entries.values()),
        spots=list(entries),
        language=columns[0].language,
    )
    group = Group(kind="set", total=column.total, columns=[column])
    return GroupMatch(group, ((field, column, LEAST),), LEAST)


def widest(options: Sequence[ListOption]) -> ListOption | None:
    """Return the best list, or one that contains it and is nearly as good."""
    best = options[0] if options else None
    for other in options[1:]:
        if best is not None and other.score > best.score - 0.12 and _contains(other, best):
            best = other
    return best


def has_all(option: ListOption, fact: Column) -> bool:
    """Return True if a list has every value of a fact and more: all pictures, not only the first."""
    return set(fact.texts) < set(option.group_match.paired[0][1].texts)


def _contains(wide: ListOption, narrow: ListOption) -> bool:
    one, other = (set(option.group_match.paired[0][1].texts) for option in (wide, narrow))
    return other < one and len(one) <= 4 * len(other) + 4


def values_under_heading(field: SchemaField, facts: Sequence[Column]) -> tuple[list[Column], float]:
    """Return the values in the same markup under a heading, and the heading's similarity to the field's name."""
    runs: dict[tuple[str, str, tuple[Hint, ...]], list[Column]] = {}
    for fact in facts:
        is_value = fact.kind == "text" and not fact.is_composite and not fact.tags & _NO_VALUES
        if is_value and fact.section and not _are_named_apart(fact):
            markup = sorted(hint for hint in fact.hints if hint.markup in (Markup.CLASS, Markup.TAG))
            runs.setdefault((fact.section, fact.tag, tuple(markup)), []).append(fact)
    fits = [(likeness(field.name, words(heading)), values) for (heading, *_), values in runs.items() if len(values) > 1]
    fit, values = max(fits, key=lambda fit: fit[0], default=(0.0, []))
    return (values, fit) if fit > _LEAST_SIMILARITY else ([], 0.0)
