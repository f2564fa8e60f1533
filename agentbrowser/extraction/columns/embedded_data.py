"""Data that a page carries for machines: JSON-LD and embedded application state, as groups and facts."""

import json
from collections.abc import Iterator
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.columns.page_names import ContextName, ContextSource
from agentbrowser.extraction.text.words import words

_MAX_NODES: Final = 60_000
_MAX_FACTS: Final = 4000
"""Greatest number of facts: each costs 0.1 ms or more per field."""
_MAX_DEPTH: Final = 24
_LONGEST: Final = 4000
_SKIPPED: Final = ("@context", "@id")
_UNWRAPPED: Final = ("item", "node", "@graph")
_SITES: Final = frozenset(("BreadcrumbList", "WebSite", "WebPage", "ListItem", "SearchAction"))
_OF_SITE: Final = 0.6
_ONE_OF_MANY: Final = 0.7
_CALLED: Final = frozenset(("name", "url", "@value", "title", "label"))
_OWN: Final = frozenset((*_CALLED, "@type", "id", "image", "description", "text", "href", "slug"))
"""Keys of properties of the object itself, and not of the objects around it."""
_SCHEMA: Final = ("http://schema.org/", "https://schema.org/")


@attrs.frozen(kw_only=True)
class _Within:
    """Position in the data: the objects around a value."""

    depth: int = 0
    owners: int = 0
    """Number of surrounding objects with values of their own."""
    type: str = ""
    trust: float = 1.0

    def of(self, record: dict[str, Any]) -> "_Within":
        """Return the position inside an object."""
        has_own = any(not key.startswith("@") and not isinstance(value, dict | list) for key, value in record.items())
        kind = record.get("@type")
        kind = kind if isinstance(kind, str) else ""
        trust = self.trust * (_OF_SITE if kind in _SITES else 1.0)
        return attrs.evolve(self, owners=self.owners + has_own, type=kind, trust=trust)

    def deeper(self) -> "_Within":
        """Return the position one level below."""
        return attrs.evolve(self, depth=self.depth + 1)

    def one_of_many(self) -> "_Within":
        """Return the position inside one of several objects of one type: none of them is the page's own."""
        return attrs.evolve(self, depth=self.depth + 1, trust=self.trust * _ONE_OF_MANY)

    def names(self, path: list[str], key: str) -> list[tuple[str, float]]:
        """Return the names of a value, by its key and by the object that it belongs to."""
        parent = path[-1] if path and not path[-1].startswith("@") else ""
        whole = f"{parent} {key}"
        if self.owners < 2:
            return [(key, 0.9), (whole, 0.8), *([(self.type, 0.85)] if key == "name" else [])]
        if key not in _OWN:
            return [(key, 0.86), (whole, 0.9)]
        return [(whole, 0.9), (key, 0.4), *([(parent, 0.88)] if key in _CALLED else [])]


class _Reader:
    """Collector of the groups and facts in one piece of embedded data."""

    def __init__(self, spot: int) -> None:
        self.spot = spot
        self.left = _MAX_NODES
        self.groups: list[Group] = []
        self.facts: list[Column] = []

    def read(self, value: Any, path: list[str], within: _Within) -> None:
        """Collect everything below a value."""
        if within.depth > _MAX_DEPTH or self.left <= 0:
            return
        if isinstance(value, dict):
            within = within.of(value)
            for key, inner in value.items():
                self.left -= 1
                self._take(key, inner, path, within)
        elif isinstance(value, list):
            self._list(value, path, within)

    def _take(self, key: str, inner: Any, path: list[str], within: _Within) -> None:
        if key in _SKIPPED:
            return
        if isinstance(inner, dict | list):
            self.read(inner, [*path, key], within.deeper())
        elif (text := _text(inner)) is not None:
            fact = self._column([*path, key][-2:], key, 1, [0], [text])
            fact.names = [(name, trust * within.trust) for name, trust in within.names(path, key)]
            self.facts.append(fact)

    def _list(self, values: list[Any], path: list[str], within: _Within) -> None:
        records = [record for value in values if isinstance(record := _unwrapped(value), dict)]
        if len(records) > 1 and len(records) == len(values):
            self._group(records, path)
        self._scalars(values, path)
        if len(records) < 2 or _are_different(records):
            for value in values:
                self.read(value, path, within)
            return
        self.read(values[0], path, within.one_of_many())
        for value in values[1:]:
            self._only_groups(value, path, within)

    def _scalars(self, values: list[Any], path: list[str]) -> None:
        texts = [text for value in values if not isinstance(value, dict | list) and (text := _text(value)) is not None]
        if not texts or len(texts) < len(values) or not path:
            return
        column = self._column(path[-2:], path[-1], 1, [0] * len(texts), texts)
        column.is_many = True
        line = self._column(path[-1:], path[-1], len(texts), list(range(len(texts))), texts)
        self.groups.append(
            Group(
                kind="json", total=len(texts), columns=[line], context=[ContextName(ContextSource.DATA_KEY, path[-1])]
            )
        )
        self.facts.append(column)
        if len(texts) == 1 or column.kind in ("src", "href"):
            first = self._column(path[-2:], path[-1], 1, [0], texts[:1])
            self.facts.append(first)

    def _only_groups(self, value: Any, path: list[str], within: _Within) -> None:
        facts = list(self.facts)
        self.read(value, path, within)
        self.facts = facts

    def _group(self, records: list[dict[str, Any]], path: list[str]) -> None:
        columns: dict[str, Column] = {}
        for row, record in enumerate(records):
            for names, text in _leaves(record):
                self.left -= 1
                key = ".".join(names)
                if key not in columns:
                    columns[key] = self._column(names[-2:], key, len(records), [], [])
                column = columns[key]
                column.is_many = column.is_many or (bool(column.rows) and column.rows[-1] == row)
                column.rows.append(row)
                column.texts.append(text)
        for order, column in enumerate(columns.values()):
            column.order = order
            column.spots = [self.spot] * len(column.texts)
        if columns:
            context = [ContextName(ContextSource.DATA_KEY, name) for name in path[-2:] if not name.startswith("@")]
            self.groups.append(Group(kind="json", total=len(records), columns=list(columns.values()), context=context))

    def _column(self, names: list[str], key: str, total: int, rows: list[int], texts: list[str]) -> Column:
        kind = "src" if key.lower().endswith(("image", "logo", "thumbnailurl")) else "json"
        if key.lower().rsplit(".", 1)[-1] in ("url", "href", "link", "sameas"):
            kind = "href"
        labels = [names[-1], " ".join(names)] if len(names) > 1 else names
        if kind == "src" or names[-1] in ("url", "contentUrl"):
            labels = [*labels, "url"]
        if names[-1] == "name" and len(names) > 1:
            labels.append(names[0])
        if kind == "href" and len(names) > 1 and "image" in words(names[-2]).concepts:
            kind = "src"
        spots = [self.spot] * len(texts)
        trusted = [(name, 0.9) for name in labels]
        return Column(key=key, kind=kind, tag="json", total=total, rows=rows, texts=texts, spots=spots, names=trusted)


def _are_different(records: list[dict[str, Any]]) -> bool:
    """Return True if records are objects of several types, and not a list of one type."""
    return len({str(record.get("@type")) for record in records}) * 2 > len(records)


def _unwrapped(value: Any) -> Any:
    if isinstance(value, dict):
        for key in _UNWRAPPED:
            if isinstance(value.get(key), dict):
                return value[key]
    return value


def _leaves(record: dict[str, Any], path: tuple[str, ...] = (), depth: int = 0) -> Iterator[tuple[list[str], str]]:
    for key, value in record.items():
        if key.startswith("@"):
            continue
        if isinstance(value, dict) and depth < 3:
            yield from _leaves(value, (*path, key), depth + 1)
        elif isinstance(value, list):
            for inner in value[:50]:
                if isinstance(inner, dict) and depth < 3:
                    yield from _leaves(inner, (*path, key), depth + 1)
                elif (text := _text(inner)) is not None:
                    yield [*path, key], text
        elif (text := _text(value)) is not None:
            yield [*path, key], text


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if not isinstance(value, str) or not value.strip():
        return None
    text = " ".join(value.split())[:_LONGEST]
    return text.rsplit("/", 1)[-1] if text.startswith(_SCHEMA) else text  # a state, such as that of a stock


def embedded_data(scripts: list[dict[str, Any]]) -> tuple[list[Group], list[Column]]:
    """Return the groups and the facts in the page's embedded data, without scripts that are not JSON."""
    groups: list[Group] = []
    facts: list[Column] = []
    for script in scripts:
        try:
            value = json.loads(script["text"])
        except (ValueError, RecursionError):
            continue
        reader = _Reader(script["spot"])
        reader.read(value, [], _Within())
        groups += reader.groups
        facts += reader.facts
    return groups, facts[:_MAX_FACTS]
