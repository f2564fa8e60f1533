"""The whole of extraction but for the page: gathered candidates and a schema in, typed data out."""

from collections.abc import Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.match import sequence, singles, value_lists
from agentbrowser.extraction.match.group_matches import TRAITS, context_fit, match_groups
from agentbrowser.extraction.match.match_matrix import GroupMatch
from agentbrowser.extraction.model.confidence import confidence
from agentbrowser.extraction.output import items as lists
from agentbrowser.extraction.output.fact_values import Origin, read_fact, read_facts
from agentbrowser.extraction.output.items import Items
from agentbrowser.extraction.output.nested import Nest, filled, nested
from agentbrowser.extraction.schema.schema_fields import ExtractionQuery, ListField, SchemaField
from agentbrowser.extraction.schema.topics import Topic
from agentbrowser.extraction.text.words import Words

_MAX_LISTED: Final = 400
_CLEAR: Final = 3.0
"""The lead of a plan over the next that leaves no doubt."""
_RUN: Final = 0.6
LIST_TRAITS: Final = (
    "mean fit", "least fit", "lead", "complete", "whole", "named", "best named", "goes together", "context", "unpaired",
    "items", "context missed", "named otherwise", "score", "few",
)  # fmt: skip
"""What tells how sure a list is."""
_USUAL_ITEMS: Final = 8
_USUAL_SCORE: Final = 10.0
_FEW: Final = 3
_LEAST_SURE: Final = 0.4
"""How sure a list must be to be given: what is hardly ever right is no answer."""
_OF_SEVERAL: Final = 0.65
_OF_ONE: Final = 0.45
"""What a fact is worth at most, by the measure of lists."""
_LISTS: Final = 5
_LINES: Final = 0.15
"""What a list must be worth to be given where nothing else is asked for."""


@attrs.frozen(kw_only=True)
class Extraction:
    """What came out: the data, or why there is none; and what the confidence is reckoned from."""

    data: Any = None
    items: Items | None = None
    parts: Sequence[Origin] = ()
    """Where the values of a single thing are from."""
    features: tuple[float, ...] = ()
    dropped: int = 0
    next_offset: int | None = None
    why_not: str | None = None

    @property
    def origins(self) -> Sequence[Origin]:
        """Where its values are from."""
        return self.parts if self.items is None else self.items.origins(())


def extract(asked: ExtractionQuery, material: PageData, *, max_items: int, offset: int = 0) -> Extraction:
    """Return what is asked for, as far as the page has it."""
    if asked.is_list:
        return _list(asked, material, max_items, offset)
    return _single(asked, material, max_items)


def _list(asked: ExtractionQuery, material: PageData, max_items: int, offset: int) -> Extraction:
    fields = list(asked.fields)
    if asked.item.type == "object":
        ranked = match_groups(fields, material.groups, asked.topic)
    else:
        ranked = _lines(fields[0], material, asked.topic.about)
    if not ranked:
        return Extraction(why_not=_nothing(fields or [field for listed in asked.lists for field in listed.fields]))
    nests: list[Nest] = []
    if asked.lists:
        ranked, nests = nested(asked.lists, ranked, material.groups)
    made = filled(lists.items(ranked[0]), asked.lists, nests)
    whole = made.whole
    if not whole:
        return Extraction(why_not=_incomplete(fields, made), dropped=len(made))
    features = list_features(ranked, whole, made, asked.topic)
    # Things that have the lists in them that are asked for are meant, however little says so besides.
    if asked.item.type == "object" and not nests and confidence(features, is_list=True) < _LEAST_SURE:
        return Extraction(why_not=_nothing(fields))
    shown = whole.page(offset, max_items)
    more = offset + max_items if len(whole) > offset + max_items else None
    return Extraction(
        data=shown.data,
        items=shown,
        features=features,
        dropped=len(made) - len(whole),
        next_offset=more,
    )


def _lines(field: SchemaField, material: PageData, about: Words) -> list[GroupMatch]:
    """Return the lists of plain values, the one that is called as asked first."""
    called = value_lists.about(field, about)
    options = value_lists.ranked(called, material.groups, material.sets, material.facts, least=_LINES)
    best = value_lists.widest(options)
    return [one.group_match for one in (best, *options) if one is not None][:_LISTS]


def list_features(ranked: Sequence[GroupMatch], whole: Items, made: Items, topic: Topic) -> tuple[float, ...]:
    """Return the `LIST_TRAITS` of the best plan and its items, each 0 to 1 or near."""
    best = ranked[0]
    context = context_fit(best.group, topic.about)
    fits = [fit for _, _, fit in best.pairs]
    lead = best.score - ranked[1].score if len(ranked) > 1 else _CLEAR
    complete = sum(whole.counts) / (len(whole) * len(best.pairs)) if whole else 0.0
    return (
        sum(fits) / len(fits),
        min(fits),
        min(1.0, max(0.0, lead / _CLEAR)),
        min(1.0, complete),
        len(whole) / max(1, len(made)),
        *best.called,
        context,
        best.features[TRAITS.index("unpaired")] if best.features else 0.0,
        min(1.0, len(whole) / _USUAL_ITEMS),
        1 - context if topic.about.all else 0.0,
        best.otherwise,
        best.score / _USUAL_SCORE if best.features else 1.0,
        float(len(made) < _FEW),
    )


def _single(asked: ExtractionQuery, material: PageData, max_items: int) -> Extraction:
    data: dict[str, Any] = {}
    origins: list[Origin] = []
    fits: list[float] = []
    scalars = [field for field in asked.fields if not field.is_many]
    taken = singles.choose(scalars, material.facts)
    for field, fact, fit in taken:
        value, where = read_fact(field, fact) if fact else (None, [])
        fits.append(fit if value is not None else 0.0)
        _keep(data, origins, field.path, value, where)
    for field in asked.fields:
        if field.is_many:
            value, where, fit = _many(field, material)
            fits.append(fit)
            _keep(data, origins, field.path, value or None, where)
    for listed in asked.lists:
        value, where, fit = _inner(listed, asked, material, max_items)
        fits.append(fit)
        _keep(data, origins, listed.path, value or None, where)
    return _single_outcome(asked, data, origins, fits)


def _keep(data: dict[str, Any], origins: list[Origin], path: tuple[str, ...], value: Any, where: list[Origin]) -> None:
    if value is None:
        return
    if not path:
        data[""] = value
    else:
        lists.put(data, path, value)
    origins += where


def _single_outcome(
    asked: ExtractionQuery, data: dict[str, Any], origins: list[Origin], fits: list[float]
) -> Extraction:
    required = [field.path for field in asked.fields if field.is_required]
    required += [listed.path for listed in asked.lists if listed.is_required]
    missing = [".".join(path) for path in required if not _has(data, path)]
    if not data:
        return Extraction(why_not=_nothing(asked.fields))
    if missing:
        return Extraction(why_not=f"Nothing on the page fits the required {', '.join(missing)}.")
    found = [fit for fit in fits if fit > 0]
    features = (sum(fits) / len(fits), min(fits), min(found), len(found) / len(fits), 1.0)
    return Extraction(data=data.get("", data), parts=origins, features=features)


def _has(data: dict[str, Any], path: tuple[str, ...]) -> bool:
    value: Any = data
    for step in path or ("",):
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True


def _many(field: SchemaField, material: PageData) -> tuple[list[Any], list[Origin], float]:
    """Return a list of plain values: such as stand together on the page, or a fact that holds several."""
    best = value_lists.widest(value_lists.ranked(field, material.groups, material.sets, material.facts))
    (_, fact, fit), *_ = singles.choose([field], material.facts)
    if fact is not None and not (_is_several(fact) or singles.has_own_name(fact)):
        fact = None
    if fact is not None and (best is None or _is_better(fact, fit, best)):
        values, where = read_fact(field, fact)
        return values or [], where, fit
    if best is None:
        these, sure = sequence.run(field, material.facts)
        return (*read_facts(field, these), _RUN * sure) if these else ([], [], 0.0)
    made = lists.items(best.group_match)
    return list(made.data), made.origins(field.path), best.group_match.score


def _is_better(fact: Column, fit: float, best: value_lists.ListOption) -> bool:
    """Tell whether a fact is likelier than a list: one that holds several values, or that nothing else comes near."""
    score = fit * (_OF_SEVERAL if _is_several(fact) else _OF_ONE)
    return score > best.score and not value_lists.has_all(best, fact)


def _is_several(fact: Column) -> bool:
    text = fact.texts[0]
    is_listed = any(mark in text for mark in (",", ";", " · ", " | ")) and len(text) < _MAX_LISTED
    return fact.is_many or is_listed


def _inner(
    listed: ListField, asked: ExtractionQuery, material: PageData, max_items: int
) -> tuple[list[Any], list[Origin], float]:
    """Return a list of objects that is a property of a single one."""
    ranked = match_groups(list(listed.fields), material.groups, listed.topic)
    if not ranked:
        return [], [], 0.0
    whole = lists.items(ranked[0]).whole.page(0, max_items)
    fits = [fit for _, _, fit in ranked[0].pairs]
    return list(whole.data), whole.origins(listed.path), sum(fits) / len(fits)


def _nothing(fields: Sequence[SchemaField]) -> str:
    names = ", ".join(".".join(field.path) for field in fields[:6] if field.path) or "the schema"
    return f"Nothing on the page fits {names}."


def _incomplete(fields: Sequence[SchemaField], made: Items) -> str:
    required = ", ".join(".".join(field.path) or "value" for field in fields if field.is_required)
    if not made:
        return _nothing(fields)
    return f"{len(made)} items were found, none with all that is required: {required}."
