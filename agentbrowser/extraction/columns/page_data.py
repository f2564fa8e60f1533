"""Data gathered by the in-page script, as groups of columns and as facts."""

import operator
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.column import Column, Group
from agentbrowser.extraction.columns.column_keys import OF_SEVERAL, VARYING_NUMBER
from agentbrowser.extraction.columns.composites import is_made_of, mark_composites, without_fragments
from agentbrowser.extraction.columns.embedded_data import embedded_data
from agentbrowser.extraction.columns.merging import Distinct, name_links, united
from agentbrowser.extraction.columns.page_names import (
    ContextName,
    ContextSource,
    Relation,
    context_name_of,
    hint_of,
    label_of,
)
from agentbrowser.extraction.columns.prefixes import shortened
from agentbrowser.extraction.columns.sentence_values import with_sentence_values
from agentbrowser.extraction.text.profiles import WRITTEN, has_number
from agentbrowser.extraction.text.words import words

_TRIED: Final = 8
"""Number of texts by which a column is known to hold labels."""
_PARTS_WITHIN: Final = 8
"""Distance within which the parts of a composite fact follow it."""
_BESIDE: Final = frozenset((Relation.BEFORE, Relation.AFTER, Relation.BETWEEN))
"""Relations of labels that may be values themselves."""
_CONTROLS: Final = frozenset(("input", "select", "textarea"))

_LONGEST_LINK_TEXT: Final = 40
"""Length below which the text of a link is its name."""
_BY_LINK: Final = 0.9
_BY_ATTRIBUTE: Final = 0.75
"""Trust in names by links and by ``data-`` attributes."""
_NUMBER: Final = 6
"""Number of final digits by which two telephone numbers are the same."""
_SET_LABEL_TRUST: Final = {
    Relation.NAME: 1.0,
    Relation.FIRST_OF_TWO: 0.9,
    Relation.HEADING: 0.85,
    Relation.BEFORE: 0.75,
    Relation.AFTER: 0.5,
    Relation.BETWEEN: 0.3,
}
"""Trust in the labels around a set of plain values. Words behind it name it less often than words behind one value."""
_SET_CONTEXT_TRUST: Final = {
    ContextSource.NAME: 1.0,
    ContextSource.ARIA_LABEL: 0.95,
    ContextSource.PROPERTY: 0.95,
    ContextSource.HEADING: 0.85,
    ContextSource.ID: 0.7,
    ContextSource.CLASS: 0.7,
}
"""Trust in the names of the part of the page that a set is in."""
_OF_SECTION: Final = 0.55
_BY_CLASS: Final = 0.75
_BY_PROP: Final = 0.95
"""Trust in the names of a set by the heading above it, and by the classes and properties of its members."""
_LAID_OUT: Final = frozenset((
    "list", "lists", "items", "item", "container", "wrapper", "inner", "outer", "row", "col", "column", "grid", "box",
    "content", "text", "value", "values", "ul", "ol", "li", "group", "inline", "block", "flex", "table", "media",
    "card", "link", "links", "label", "wrap", "panel", "entry",
))  # fmt: skip
"""Words of class names for layout only."""


@attrs.frozen(kw_only=True)
class PageData:
    """Groups, facts and sets of plain values of a page."""

    groups: list[Group]
    facts: list[Column]
    sets: list[Group]
    """Plain values that stand together, one column per group."""
    unfilled: list[str] = attrs.field(factory=list)
    """Names whose value is empty: "Fax" without a number."""

    @classmethod
    def of(cls, gathered: dict[str, Any]) -> "PageData":
        """Return the data in an answer of the in-page script."""
        groups, facts = embedded_data(gathered["embedded"])
        groups = groups_of(gathered["groups"]) + groups
        shown = with_sentence_values(facts_of(gathered["facts"], gathered["meta"]))
        _add_phone_names(shown)
        _add_element_names(shown)
        facts = shown + facts
        for column in (*facts, *(column for group in groups for column in group.columns)):
            column.language = gathered["language"]
        return cls(
            groups=groups,
            facts=facts,
            sets=sets_of(gathered["sets"], gathered["language"]),
            unfilled=gathered.get("unfilled", []),
        )


def unpacked(gathered: dict[str, Any]) -> dict[str, Any]:
    """Return an answer of the in-page script with its shared lists in place of their numbers."""
    lists = [_unpacked_list(packed) for packed in gathered["series"]]
    for group in gathered["groups"]:
        every = list(range(group["rows"]))
        for column in group["columns"]:
            column["texts"], column["spots"] = lists[column["texts"]], lists[column["spots"]]
            column.setdefault("rows", every)
    return gathered


def _unpacked_list(packed: list[Any]) -> Sequence[Any]:
    """Return a list, which may be packed as a first number, a step and a count, or as a text and a count."""
    match packed:
        case [[first, step, count]]:
            return range(first, first + step * count, step)
        case [[text, count]]:
            return [text] * count
    return packed


def groups_of(plain_groups: list[dict[str, Any]]) -> list[Group]:
    """Return the groups of an answer of the in-page script."""
    return [_group(plain, order) for order, plain in enumerate(plain_groups)]


def _group(plain: dict[str, Any], order: int) -> Group:
    total = plain["rows"]
    found = Distinct()
    for place, plain_column in enumerate(plain["columns"]):
        found.add(_column(plain_column, total, place))
    for column in list(found.columns):
        for shorter in shortened(column):
            found.add(shorter)
    for union in list(united(found.columns)):
        found.add(union)
    mark_composites(found.columns)
    found.columns = without_fragments(found.columns)
    _mark_names(found.columns)
    _drop_values(found.columns)
    name_links(found.columns)
    return Group(
        kind=plain["kind"],
        total=total,
        columns=sorted(found.columns, key=operator.attrgetter("order")),
        context=list(map(context_name_of, plain["context"])),
        order=order,
        is_aside=plain["isAside"],
        is_only=plain.get("isOnly", False),
        unfilled=plain.get("unfilled", []),
    )


def _column(column: dict[str, Any], total: int, order: int) -> Column:
    key = column["key"]
    is_crowded = VARYING_NUMBER in key
    # Positional: so many keywords take three times as long.
    return Column(
        key,
        column["kind"],
        column["tag"],
        total,
        column["rows"],
        column["texts"],
        column["spots"],
        list(map(hint_of, column["hints"])),
        {label_of(sent): count for sent, count in column["labels"]},
        column["heads"],
        order,
        column["isMany"],
        is_crowded,
        is_crowded or any(mark in key for mark in OF_SEVERAL),
    )


def _mark_names(columns: list[Column]) -> None:
    """Mark columns that name another column."""
    names = _plain_names(columns)
    for column in columns if names else ():
        sample = column.texts[:_TRIED]
        named = sum(text.rstrip(" :：") in names for text in sample)
        column.is_label = column.kind in WRITTEN and named > len(sample) * 0.6


def _drop_values(columns: Sequence[Column]) -> None:
    """Remove labels that are values of some items: "Free delivery", where another has "$4.99 delivery"."""
    beside = [
        (column, label)
        for column in columns
        for label, count in column.labels.items()
        if label.relation in _BESIDE and count < column.total and not has_number(label.text)
    ]
    numbered = [
        column
        for column in (columns if beside else ())
        if column.kind in WRITTEN and not column.is_many and any(map(has_number, column.texts))
    ]
    values = {text for column in numbered for text in column.texts}
    for column, label in beside:
        if label.text in values:
            del column.labels[label]


def _plain_names(columns: Sequence[Column]) -> set[str]:
    return {text for column in columns for relation, text in column.labels if relation == Relation.NAME}


def facts_of(plain_facts: list[dict[str, Any]], plain_meta: list[dict[str, Any]]) -> list[Column]:
    """Return the facts of an answer of the in-page script."""
    facts = [_fact(fact, order) for order, fact in enumerate(plain_facts)]
    _mark_labels(facts)
    _mark_composite_facts(facts)
    return facts + [_meta_fact(fact, len(facts) + at) for at, fact in enumerate(plain_meta) if fact["text"]]


def _fact(fact: dict[str, Any], order: int) -> Column:
    value = [0], [fact["text"]], [fact["spot"]]
    names = list(map(hint_of, fact["hints"])), dict.fromkeys(map(label_of, fact["labels"]), 1)
    column = Column(f"fact{order}", fact["kind"], fact["tag"], 1, *value, *names, order=order)
    column.section = fact["section"]
    column.is_repeated = fact["isRepeated"]
    column.is_aside = fact["isAside"]
    column.is_outside = fact["isOutside"]
    return column


def _mark_labels(facts: list[Column]) -> None:
    """Mark facts that name another fact."""
    names = _plain_names(facts)
    for fact in facts:
        # The chosen option is a value, though its text is also the name of its radio button.
        fact.is_label = (
            fact.kind == "text"
            and fact.tag not in _CONTROLS
            and (
                (fact.texts[0].rstrip(" :：") in names and not has_number(fact.texts[0]))
                or bool(fact.tags & {"label", "dt", "legend"})
            )
        )


def _mark_composite_facts(facts: list[Column]) -> None:
    """Mark facts whose text consists of the texts of the next ones."""
    for place, fact in enumerate(facts):
        following = {other.texts[0] for other in facts[place + 1 : place + _PARTS_WITHIN] if other.kind == "text"}
        fact.is_composite = fact.kind == "text" and is_made_of(fact.texts[0], following)


def _meta_fact(fact: dict[str, Any], order: int) -> Column:
    full_name = fact["name"].lower().replace(".", ":").replace("citation_", "citation:")
    space, _, path = full_name.replace("_", " ").rpartition(":")
    name = path or space
    kind = "meta"
    if name in ("canonical", "url"):
        name, kind = "url", "href"
    elif name in ("image", "image src", "secure url"):
        kind = "src"
    whole = " ".join([*space.split(":")[1:], name])
    text, spot = fact["text"], fact["spot"]
    return Column(
        key=fact["name"],
        kind=kind,
        tag="meta",
        total=1,
        rows=[0],
        texts=[text],
        spots=[spot],
        names=[(name, 0.9 if whole == name else 0.6), (whole, 0.9)],
        order=order,
    )


def _add_phone_names(facts: Sequence[Column]) -> None:
    """Name the texts of telephone numbers to which a link leads."""
    linked = {_digits(fact.texts[0])[-_NUMBER:] for fact in facts if fact.texts[0].startswith("tel:")}
    for fact in facts if linked else ():
        text, digits = fact.texts[0], _digits(fact.texts[0])
        is_number = len(digits) >= _NUMBER and len(text) < 2 * len(digits)
        if fact.kind in ("text", "part") and is_number and digits[-_NUMBER:] in linked:
            fact.names = [*fact.names, ("phone", _BY_LINK)]


def _add_element_names(facts: Sequence[Column]) -> None:
    """Name addresses by the text of their link, and texts by the ``data-`` attribute of their element."""
    texts = {fact.spots[0]: fact.texts[0] for fact in facts if fact.kind == "text"}
    attributes = {fact.spots[0]: fact.kind.removeprefix("data-") for fact in facts if fact.kind.startswith("data-")}
    for fact in facts:
        spot = fact.spots[0]
        if fact.kind == "href" and 0 < len(text := texts.get(spot, "")) < _LONGEST_LINK_TEXT:
            fact.names = [*fact.names, (text, _BY_LINK)]
        elif fact.kind == "text" and spot in attributes:
            fact.names = [*fact.names, (attributes[spot], _BY_ATTRIBUTE)]


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


def sets_of(plain_sets: Sequence[dict[str, Any]], language: str) -> list[Group]:
    """Return the sets of plain values, each as a group, without those whose values are whole lists."""
    found = [_set(plain, language) for plain in plain_sets]
    joined = {" ".join(column.texts) for group in found for column in group.columns if column.tag == "list"}
    return [group for group in found if not any(_is_joined(column, joined) for column in group.columns)]


def _is_joined(column: Column, joined: set[str]) -> bool:
    """Return True if values of a set are whole lists: those under two headings are no two values."""
    return column.tag == "alike" and not joined.isdisjoint(column.texts)


def _set(plain: dict[str, Any], language: str) -> Group:
    context = list(map(context_name_of, plain["context"]))
    names = [(text, _SET_LABEL_TRUST[relation]) for relation, text in map(label_of, plain["labels"])]
    names += chain.from_iterable(map(_context_names, context))
    names.append((plain["section"], _OF_SECTION))
    names += [(name, trust * _BY_CLASS) for css_class in plain["classes"] for name, trust in _class_names(css_class)]
    names += [(prop, _BY_PROP) for prop in plain["props"]]
    columns = [
        Column(
            key=f"{plain['how']} {column['kind']}",
            kind=column["kind"],
            tag=plain["how"],
            total=plain["size"],
            rows=column["rows"],
            texts=column["texts"],
            spots=column["spots"],
            names=names,
            is_repeated=plain["isRepeated"],
            is_aside=plain["isAside"],
            language=language,
        )
        for column in plain["columns"]
    ]
    return Group(kind="set", total=plain["size"], columns=columns, context=context, is_aside=plain["isAside"])


def _context_names(name: ContextName) -> Iterator[tuple[str, float]]:
    trust = _SET_CONTEXT_TRUST[name.source]
    if name.source in (ContextSource.CLASS, ContextSource.ID):
        for part, share in _class_names(name.text):
            yield part, trust * share
    else:
        yield name.text, trust


def _class_names(name: str) -> Iterator[tuple[str, float]]:
    """Yield the names in a class, each with its trust: all of it, and its last words without those for layout."""
    yield name, 1.0
    left = [word.stem for word in words(name).all if word.stem not in _LAID_OUT]
    if left:
        yield left[-1], 0.9
    if len(left) > 1:
        yield " ".join(left[-2:]), 1.0
