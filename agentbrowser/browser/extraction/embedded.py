"""Data that a page carries for machines: JSON-LD and embedded application state, as groups and facts."""

import json
from collections.abc import Iterator
from typing import Any, Final

from agentbrowser.browser.extraction.candidates import Group, Series

_MAX_NODES: Final = 60_000
_MAX_DEPTH: Final = 24
_SKIPPED: Final = ("@context", "@id")
_UNWRAPPED: Final = ("item", "node", "@graph")
_SCHEMA_STATES: Final = ("schema.org/",)


class _Reader:
    """Walks through one piece of embedded data."""

    def __init__(self, spot: int) -> None:
        self.spot = spot
        self.left = _MAX_NODES
        self.groups: list[Group] = []
        self.facts: list[Series] = []

    def read(self, value: Any, path: list[str], depth: int = 0) -> None:
        """Take everything that is below."""
        if depth > _MAX_DEPTH or self.left <= 0:
            return
        if isinstance(value, dict):
            for key, inner in value.items():
                self.left -= 1
                self._take(key, inner, path, depth)
        elif isinstance(value, list):
            self._list(value, path, depth)

    def _take(self, key: str, inner: Any, path: list[str], depth: int) -> None:
        if key in _SKIPPED:
            return
        if isinstance(inner, dict | list):
            self.read(inner, [*path, key], depth + 1)
        elif (text := _said(inner)) is not None:
            self.facts.append(self._series([*path, key][-2:], key, 1, [0], [text]))

    def _list(self, values: list[Any], path: list[str], depth: int) -> None:
        records = [record for value in values if isinstance(record := _unwrapped(value), dict)]
        if len(records) > 1 and len(records) == len(values):
            self._group(records, path)
        scalars = [
            text for value in values if not isinstance(value, dict | list) and (text := _said(value)) is not None
        ]
        if scalars and len(scalars) == len(values) and path:
            series = self._series(path[-2:], path[-1], 1, [0] * len(scalars), scalars)
            series.is_many = True
            self.groups.append(
                Group(kind="json", total=len(scalars), series=[self._line(path, scalars)], context=[f"j{path[-1]}"])
            )
            self.facts.append(series)
        for value in values[:1] if len(records) > 1 else values:
            self.read(value, path, depth + 1)
        for value in values[1:] if len(records) > 1 else []:
            self._only_groups(value, path, depth + 1)

    def _only_groups(self, value: Any, path: list[str], depth: int) -> None:
        facts = list(self.facts)
        self.read(value, path, depth)
        self.facts = facts

    def _line(self, path: list[str], texts: list[str]) -> Series:
        return self._series(path[-1:], path[-1], len(texts), list(range(len(texts))), texts)

    def _group(self, records: list[dict[str, Any]], path: list[str]) -> None:
        columns: dict[str, Series] = {}
        for row, record in enumerate(records):
            for names, text in _leaves(record):
                self.left -= 1
                key = ".".join(names)
                if key not in columns:
                    columns[key] = self._series(names[-2:], key, len(records), [], [])
                column = columns[key]
                column.is_many = column.is_many or (bool(column.rows) and column.rows[-1] == row)
                column.rows.append(row)
                column.texts.append(text)
                column.spots.append(self.spot)
        for order, column in enumerate(columns.values()):
            column.order = order
        if columns:
            context = [f"j{name}" for name in path[-2:] if not name.startswith("@")]
            self.groups.append(Group(kind="json", total=len(records), series=list(columns.values()), context=context))

    def _series(self, names: list[str], key: str, total: int, rows: list[int], texts: list[str]) -> Series:
        kind = "src" if key.lower().endswith(("image", "logo", "thumbnailurl")) else "json"
        if key.lower().rsplit(".", 1)[-1] in ("url", "href", "link", "sameas"):
            kind = "href"
        said = [names[-1], " ".join(names)] if len(names) > 1 else names
        if kind == "src" or names[-1] in ("url", "contentUrl"):
            said = [*said, "url"]
        if names[-1] == "name" and len(names) > 1:
            said.append(names[0])
        spots = [self.spot] * len(texts)
        return Series(key=key, kind=kind, tag="json", total=total, rows=rows, texts=texts, spots=spots, names=said)


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
                elif (text := _said(inner)) is not None:
                    yield [*path, key], text
        elif (text := _said(value)) is not None:
            yield [*path, key], text


def _said(value: Any) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if not isinstance(value, str) or not value.strip():
        return None
    text = " ".join(value.split())
    for prefix in _SCHEMA_STATES:
        if text.startswith(("http://" + prefix, "https://" + prefix)):
            return text.rsplit("/", 1)[-1]
    return text


def embedded_data(scripts: list[dict[str, Any]]) -> tuple[list[Group], list[Series]]:
    """Return the groups and the facts in the page's embedded data; what is no JSON holds none."""
    groups: list[Group] = []
    facts: list[Series] = []
    for script in scripts:
        try:
            value = json.loads(script["text"])
        except (ValueError, RecursionError):
            continue
        reader = _Reader(script["spot"])
        reader.read(value, [])
        groups += reader.groups
        facts += reader.facts
    return groups, facts
