"""What the script in the page has gathered, as groups of series and as facts."""

import operator
from typing import Any, Final

from agentbrowser.extraction.candidates import Group, Series
from agentbrowser.extraction.match.distinct import Distinct
from agentbrowser.extraction.match.profiles import WRITTEN, has_number
from agentbrowser.extraction.match.unions import name_links, united
from agentbrowser.extraction.text.composites import is_made_of, mark_composites
from agentbrowser.extraction.text.prefixes import shortened

_TRIED: Final = 8
_CONTROLS: Final = frozenset(("input", "select", "textarea"))


def groups_of(plain_groups: list[dict[str, Any]]) -> list[Group]:
    """Return the groups that the script in the page has found."""
    return [_group(one, order) for order, one in enumerate(plain_groups)]


def _group(said: dict[str, Any], order: int) -> Group:
    total = said["rows"]
    found = Distinct()
    for place, column in enumerate(said["columns"]):
        found.add(_series(column, total, place))
    for one in list(found.series):
        for shorter in shortened(one):
            found.add(shorter)
    for union in list(united(found.series)):
        found.add(union)
    mark_composites(found.series)
    _mark_names(found.series)
    name_links(found.series)
    return Group(
        kind=said["kind"],
        total=total,
        series=sorted(found.series, key=operator.attrgetter("order")),
        context=said["context"],
        order=order,
        is_aside=said["isAside"],
    )


def _series(column: dict[str, Any], total: int, order: int) -> Series:
    key = column["key"]
    is_crowded = "?" in key
    # To give so many by their names takes three times as long.
    return Series(
        key,
        column["kind"],
        column["tag"],
        total,
        column["rows"],
        column["texts"],
        column["spots"],
        column["hints"],
        dict(column["labels"]),
        column["heads"],
        order,
        column["isMany"],
        is_crowded,
        is_crowded or "~" in key or "#" in key,
    )


def _mark_names(series: list[Series]) -> None:
    """Mark what names another series."""
    names = {label[1:] for one in series for label in one.labels if label[0] == "k"}
    for one in series if names else ():
        sample = one.texts[:_TRIED]
        named = sum(text.rstrip(" :：") in names for text in sample)
        one.is_label = one.kind in WRITTEN and named > len(sample) * 0.6


def facts_of(plain_facts: list[dict[str, Any]], plain_meta: list[dict[str, Any]]) -> list[Series]:
    """Return the single values that the script in the page has found."""
    facts = [_fact(fact, order) for order, fact in enumerate(plain_facts)]
    _mark_labels(facts)
    return facts + [_meta_fact(fact, len(facts) + at) for at, fact in enumerate(plain_meta) if fact["text"]]


def _fact(fact: dict[str, Any], order: int) -> Series:
    value = [0], [fact["text"]], [fact["spot"]]
    names = fact["hints"], dict.fromkeys(fact["labels"], 1)
    one = Series(f"fact{order}", fact["kind"], fact["tag"], 1, *value, *names, order=order)
    one.section = fact["section"]
    one.is_repeated = fact["isRepeated"]
    one.is_aside = fact["isAside"]
    one.is_outside = fact["isOutside"]
    return one


def _mark_labels(facts: list[Series]) -> None:
    names = {label[1:] for fact in facts for label in fact.labels if label[0] == "k"}
    for fact in facts:
        fact.is_label = fact.kind == "text" and (
            (fact.texts[0].rstrip(" :：") in names and not has_number(fact.texts[0]))
            or (fact.tag not in _CONTROLS and bool(fact.tags & {"label", "dt", "legend"}))
        )
    for place, fact in enumerate(facts):
        following = {other.texts[0] for other in facts[place + 1 : place + 8] if other.kind == "text"}
        fact.is_composite = fact.kind == "text" and is_made_of(fact.texts[0], following)


def _meta_fact(fact: dict[str, Any], order: int) -> Series:
    called = fact["name"].lower().replace(".", ":").replace("citation_", "citation:")
    space, _, path = called.replace("_", " ").rpartition(":")
    name = path or space
    kind = "meta"
    if name in ("canonical", "url"):
        name, kind = "url", "href"
    elif name in ("image", "image src", "secure url"):
        kind = "src"
    whole = " ".join([*space.split(":")[1:], name])
    text, spot = fact["text"], fact["spot"]
    return Series(
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
