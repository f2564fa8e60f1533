"""Lists of plain values: which of the things that stand together on a page are what is asked for."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.candidates import Group, Series
from agentbrowser.extraction.match.fit import NEVER, looks, named
from agentbrowser.extraction.match.match_matrix import Plan
from agentbrowser.extraction.match.plans import context_fit
from agentbrowser.extraction.output.typed import Reader
from agentbrowser.extraction.schema.schema_fields import Wish, known
from agentbrowser.extraction.text.words import Words, words

LEAST: Final = 0.36
"""What a list must be worth to be given."""
_BY_NAME: Final = 0.75
_BY_LOOK: Final = 0.25
_TRUST: Final = {"k": 1.0, "q": 0.9, "b": 0.75, "h": 0.85, "n": 0.95, "p": 0.95, "i": 0.7, "c": 0.7, "a": 0.5, "w": 0.3}
_OF_SECTION: Final = 0.55
_BY_CLASS: Final = 0.75
_BY_PROP: Final = 0.95
_HOW: Final = {"list": 0.06, "terms": 0.08, "inline": 0.04, "choices": 0.0, "alike": 0.0, "lines": -0.03, "heads": 0.03}
_LAID_OUT: Final = frozenset((
    "list", "lists", "items", "item", "container", "wrapper", "inner", "outer", "row", "col", "column", "grid", "box",
    "content", "text", "value", "values", "ul", "ol", "li", "group", "inline", "block", "flex", "table", "media",
    "card", "link", "links", "label", "wrap", "panel", "entry",
))  # fmt: skip
"""What of the names of classes says how things are laid out."""
_TITLED: Final = frozenset(("name", "title", "thing", "question", "heading", "term"))
_TRIED: Final = 24
_READABLE: Final = 0.7
_GROUPED: Final = -0.08
"""What a column of repeated things is worth less than values that stand alone."""
_FILLED: Final = 0.6
_HEADS: Final = ("h2", "h3", "h4")
_HEADED: Final = frozenset(("subtitle",))
_HEADINGS: Final = frozenset(("heading", "chapter", "section"))


@attrs.frozen(eq=False)
class Option:
    """A list that may be meant: the values, and how well it fits."""

    worth: float
    plan: Plan


def sets_of(plain_sets: Sequence[dict[str, Any]], language: str) -> list[Group]:
    """Return the values that stand together on the page, as groups of one thing a row."""
    return [_set(one, language) for one in plain_sets]


def _set(said: dict[str, Any], language: str) -> Group:
    names = [(label[1:], _TRUST.get(label[0], 0.5)) for label in said["labels"]]
    names += [name for label in said["context"] for name in _context_names(label)]
    names.append((said["section"], _OF_SECTION))
    names += [(name, trust * _BY_CLASS) for one in said["classes"] for name, trust in _class_names(one)]
    names += [(one, _BY_PROP) for one in said["props"]]
    series = [
        Series(
            key=f"{said['how']} {column['kind']}",
            kind=column["kind"],
            tag=said["how"],
            total=said["size"],
            rows=column["rows"],
            texts=column["texts"],
            spots=column["spots"],
            names=names,
            is_repeated=said["isRepeated"],
            is_aside=said["isAside"],
            language=language,
        )
        for column in said["columns"]
    ]
    return Group(kind="set", total=said["size"], series=series, context=said["context"], is_aside=said["isAside"])


def _context_names(label: str) -> Iterator[tuple[str, float]]:
    trust = _TRUST.get(label[0], 0.5)
    if label[0] in "ci":
        for name, share in _class_names(label[1:]):
            yield name, trust * share
    else:
        yield label[1:], trust


def _class_names(name: str) -> Iterator[tuple[str, float]]:
    """Yield what a class may mean: all of it, and its last words without those that only lay out."""
    yield name, 1.0
    left = [word.stem for word in words(name).all if word.stem not in _LAID_OUT]
    if left:
        yield left[-1], 0.9
    if len(left) > 1:
        yield " ".join(left[-2:]), 1.0


def ranked(
    wish: Wish, groups: Sequence[Group], sets: Sequence[Group], facts: Sequence[Series], *, least: float = LEAST
) -> list[Option]:
    """Return the lists that may be meant, the best first."""
    item = known(attrs.evolve(wish, path=(), is_many=False, is_required=False, is_subject=False))
    found = [
        *(option for group in sets for series in group.series if (option := _as_set(item, group, series))),
        *(option for group in groups for series in group.series if (option := _as_column(item, group, series))),
        *(option for group in _headings(item, facts) if (option := _as_set(item, group, group.series[0]))),
    ]
    return sorted((one for one in found if one.worth > least), key=lambda one: -one.worth)


def _as_set(wish: Wish, group: Group, series: Series) -> Option | None:
    name = named(wish, series, series.evidence)
    worth = _worth(wish, series, name)
    if worth is None:
        return None
    worth += _HOW.get(series.tag, 0.0)
    if series.is_aside:
        worth -= 0.05 + 0.2 * (1 - name)
    if series.is_repeated:
        worth -= 0.15
    if len(series.rows) < 2:
        worth -= 0.1
    return _option(wish, group, series, worth)


def _as_column(wish: Wish, group: Group, series: Series) -> Option | None:
    if series.kind not in ("text", "own", "json", "href", "src") or series.is_many or series.is_composite:
        return None
    if series.filled < _FILLED or (series.is_nth and not series.heads) or group.total < 2:
        return None
    own = named(wish, series, series.evidence)
    around = max(context_fit(group, wish.name), 0.8 * context_fit(group, wish.hint))
    is_main = series is _main(group)
    worth = _worth(wish, series, max(own, 0.9 * around if is_main else 0.0))
    if worth is None:
        return None
    worth += _GROUPED - (0.1 if group.is_aside else 0.0)
    return _option(wish, group, series, worth)


def _main(group: Group) -> Series | None:
    """Return what the things of a group are called."""
    texts = [one for one in group.series if one.kind in ("text", "own", "json") and one.filled > _FILLED]
    wordy = [one for one in texts if not (one.is_many or one.is_composite) and one.profile.wordy > _READABLE]
    return next(
        (one for one in wordy if one.tags & {"a", "b", "strong", "h2", "h3", "h4"}), wordy[0] if wordy else None
    )


def _worth(wish: Wish, series: Series, name: float) -> float | None:
    look = looks(wish, series)
    values = list(map(Reader(wish, series).read, series.texts[:_TRIED]))
    if look <= NEVER or len(values) - values.count(None) < _READABLE * len(values):
        return None
    worth = _BY_NAME * name + _BY_LOOK * max(-0.5, look)
    wants_titles = bool(wish.concepts & _TITLED)
    if series.kind == "title":
        worth += 0.08 if wants_titles else -0.12
    return worth


def _option(wish: Wish, group: Group, series: Series, worth: float) -> Option:
    return Option(worth, Plan(group, ((wish, series, max(0.0, min(1.0, worth))),), worth))


def _headings(wish: Wish, facts: Sequence[Series]) -> Iterator[Group]:
    """Yield the headings of each level as lists, where headings are asked for: titles are mostly of other things."""
    said = [*wish.name.all, *wish.hint.all]
    if not any(_HEADED & word.concepts or word.stem in _HEADINGS for word in said):
        return
    for tag in _HEADS:
        these = [fact for fact in facts if fact.tag == tag and fact.kind == "text" and not fact.is_aside]
        if len(these) < 2:
            continue
        series = Series(
            key=f"heads {tag}",
            kind="text",
            tag="heads",
            total=len(these),
            rows=list(range(len(these))),
            texts=[fact.texts[0] for fact in these],
            spots=[fact.spots[0] for fact in these],
            names=[("heading", 0.8), ("section", 0.8), ("subheading", 0.8)],
            language=these[0].language,
        )
        yield Group(kind="set", total=series.total, series=[series])


def about(wish: Wish, said: Words) -> Wish:
    """Return a wish for what an instruction speaks of."""
    return known(attrs.evolve(wish, name=said, hint=said)) if said.all else wish


def widest(options: Sequence[Option]) -> Option | None:
    """Return the best list, or one nearly as good that has all of it and more."""
    best = options[0] if options else None
    for other in options[1:]:
        if best is not None and other.worth > best.worth - 0.12 and _holds(other, best):
            best = other
    return best


def has_all(option: Option, fact: Series) -> bool:
    """Tell whether a list has every value of a fact and more: all pictures, not only the first."""
    return set(fact.texts) < set(option.plan.paired[0][1].texts)


def _holds(wide: Option, narrow: Option) -> bool:
    one, other = (set(option.plan.paired[0][1].texts) for option in (wide, narrow))
    return other < one and len(one) <= 4 * len(other) + 4
