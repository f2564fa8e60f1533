"""Rows that a request names by a state: "the overdue invoices" are the rows with "Overdue" among their cells."""

from collections import Counter
from typing import Final

from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.output.items import Items
from agentbrowser.extraction.schema.topics import QueryTopic
from agentbrowser.extraction.text.words import coverage, plain, words

_LONGEST: Final = 24
"""Length of the longest state."""
_KINDS: Final = frozenset(("text", "title", "aria", "alt"))
_LEAST_ROWS: Final = 2
_MOST_WORDS: Final = 3
_MOST_STATES: Final = 8
"""Greatest number of states of one column."""
_SAME: Final = 0.9
_OF_LISTS: Final = frozenset((
    "new", "latest", "recent", "top", "best", "popular", "featured", "all", "main", "first", "last", "next", "total",
    "more", "details", "item", "name",
))  # fmt: skip
"""Words that say which list is meant, and not which of its rows."""
_TICKED: Final = frozenset(word.stem for word in words(
    "ticked checked selected chosen enabled activated ausgewählt ausgewählten angekreuzt aktiviert cochés sélectionnés "
    "activés marcados seleccionados elegidos selezionati scelti aangevinkt geselecteerd zaznaczone wybrane"
).all)  # fmt: skip
"""Words for the rows whose box is checked."""


def asked_rows(found: Items, group: Group, topic: QueryTopic) -> Items:
    """Return the items in the rows with a state that the topic names; all items if it names none or all of them."""
    if not topic.about.all or topic.is_of_every:
        return found
    is_ticked = not _TICKED.isdisjoint(word.stem for word in topic.about.all)
    for column in group.columns:
        states = {"true"} if is_ticked and column.kind == "checked" else _named_states(column, topic)
        if states:
            rows = {row for row, text in zip(column.rows, column.texts, strict=True) if text in states}
            keeps = [row in rows for row in found.rows]
            if any(keeps) and not all(keeps):
                return found.kept(keeps)
    return found


def _named_states(column: Column, topic: QueryTopic) -> set[str]:
    """Return the values of a column that are states, and are named by the topic."""
    if column.kind not in _KINDS or column.is_clickable or len(column.rows) < _LEAST_ROWS:
        return set()
    counts = Counter(column.texts)
    is_mark = len(counts) == 1 and len(column.rows) < column.total
    if not is_mark and (len(counts) > _MOST_STATES or len(counts) * 2 > len(column.texts) + 1):
        return set()
    return {text for text in counts if len(text) <= _LONGEST and _is_named(text, topic)}


def _is_named(text: str, topic: QueryTopic) -> bool:
    phrase = words(text)
    if not 0 < len(phrase.all) <= _MOST_WORDS or plain(text) in _OF_LISTS:
        return False
    return coverage(phrase, topic.about) >= _SAME
