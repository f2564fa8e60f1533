"""Extraction of typed data from what a page holds: the entry of this package, without access to the page."""

from collections.abc import Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.match import singles, value_lists
from agentbrowser.extraction.match.group_matches import context_fit, match_groups
from agentbrowser.extraction.match.match_matrix import GroupMatch
from agentbrowser.extraction.model.features import FactConfidenceFeatures, ListConfidenceFeatures
from agentbrowser.extraction.model.weights import confidence
from agentbrowser.extraction.output.fact_values import Origin, read_fact, read_facts
from agentbrowser.extraction.output.items import Items, items_of, put
from agentbrowser.extraction.output.nested import NestedList, nested, with_nested
from agentbrowser.extraction.schema.schema_fields import ExtractionQuery, ListField, SchemaField
from agentbrowser.extraction.schema.topics import QueryTopic
from agentbrowser.extraction.text.words import Words

_MAX_LISTED: Final = 400
_CLEAR: Final = 3.0
"""Lead of a match over the next one that leaves no doubt."""
_RUN: Final = 0.6
_USUAL_ITEMS: Final = 8
_USUAL_SCORE: Final = 10.0
_FEW: Final = 3
_LEAST_SURE: Final = 0.4
"""Least confidence of a list in an answer."""
_OF_SEVERAL: Final = 0.65
_OF_ONE: Final = 0.45
"""Factors of a fact's probability, with several values and with one, for comparison with scores of lists."""
_LISTS: Final = 5
_LINES: Final = 0.15
"""Least score of a list that is the whole answer."""


@attrs.frozen(kw_only=True)
class Extraction:
    """Result of an extraction: the data, or the reason for none, and the features of its confidence."""

    data: Any = None
    items: Items | None = None
    parts: Sequence[Origin] = ()
    """Origins of the values of a single object."""
    features: tuple[float, ...] = ()
    dropped: int = 0
    """Number of items that lack a required value."""
    next_offset: int | None = None
    why_not: str | None = None

    @property
    def origins(self) -> Sequence[Origin]:
        """Return the origins of the values."""
        return self.parts if self.items is None else self.items.origins(())


def extract(query: ExtractionQuery, page: PageData, *, max_items: int, offset: int = 0) -> Extraction:
    """Return the requested data, as far as the page has it."""
    if query.is_list:
        return _list(query, page, max_items, offset)
    return _single(query, page, max_items)


def _list(query: ExtractionQuery, page: PageData, max_items: int, offset: int) -> Extraction:
    fields = list(query.fields)
    if query.item.type == "object":
        ranked = match_groups(fields, page.groups, query.topic)
    else:
        ranked = _lines(fields[0], page, query.topic.about)
    if not ranked:
        return Extraction(why_not=_nothing(fields or [field for one in query.lists for field in one.fields]))
    nests: list[NestedList] = []
    if query.lists:
        ranked, nests = nested(query.lists, ranked, page.groups)
    found = with_nested(items_of(ranked[0]), query.lists, nests)
    whole = found.whole
    if not whole:
        return Extraction(why_not=_incomplete(fields, found), dropped=len(found))
    features = list_features(ranked, whole, found, query.topic)
    # Items that contain the requested lists are the requested ones, at any confidence.
    if query.item.type == "object" and not nests and confidence(features, is_list=True) < _LEAST_SURE:
        return Extraction(why_not=_nothing(fields))
    shown = whole.page(offset, max_items)
    return Extraction(
        data=shown.data,
        items=shown,
        features=features,
        dropped=len(found) - len(whole),
        next_offset=offset + max_items if len(whole) > offset + max_items else None,
    )


def _lines(field: SchemaField, page: PageData, about: Words) -> list[GroupMatch]:
    """Return the lists of plain values, the most similar to the topic first."""
    if field.is_text and value_lists.names_no_list(about):
        every = value_lists.all_entries(field, page.sets)
        if every is not None:
            return [every]
    topic_field = value_lists.about(field, about)
    options = value_lists.ranked(topic_field, page.groups, page.sets, page.facts, least=_LINES)
    best = value_lists.widest(options)
    return [one.group_match for one in (best, *options) if one is not None][:_LISTS]


def list_features(
    ranked: Sequence[GroupMatch], whole: Items, found: Items, topic: QueryTopic
) -> ListConfidenceFeatures:
    """Return the features of the best match and its items from which the confidence is estimated.

    Args:
      whole: the items with all required values.
      found: all items.
    """
    best = ranked[0]
    context = context_fit(best.group, topic.about)
    fits = [fit for _, _, fit in best.pairs]
    lead = best.score - ranked[1].score if len(ranked) > 1 else _CLEAR
    complete = sum(whole.counts) / (len(whole) * len(best.pairs)) if whole else 0.0
    named, best_named, goes_together = best.naming
    return ListConfidenceFeatures(
        mean_fit=sum(fits) / len(fits),
        least_fit=min(fits),
        lead=min(1.0, max(0.0, lead / _CLEAR)),
        complete=min(1.0, complete),
        whole=len(whole) / max(1, len(found)),
        named=named,
        best_named=best_named,
        goes_together=goes_together,
        context=context,
        unpaired=best.features.unpaired if best.features else 0.0,
        items=min(1.0, len(whole) / _USUAL_ITEMS),
        context_missed=1 - context if topic.about.all else 0.0,
        named_otherwise=best.otherwise,
        score=best.score / _USUAL_SCORE if best.features else 1.0,
        few=float(len(found) < _FEW),
    )


def _single(query: ExtractionQuery, page: PageData, max_items: int) -> Extraction:
    data: dict[str, Any] = {}
    origins: list[Origin] = []
    fits: list[float] = []
    scalars = [field for field in query.fields if not field.is_many]
    for field, fact, fit in singles.choose(scalars, page.facts):
        value, where = read_fact(field, fact) if fact else (None, [])
        fits.append(fit if value is not None else 0.0)
        _keep(data, origins, field.path, value, where)
    for field in query.fields:
        if field.is_many:
            value, where, fit = _many(field, page)
            fits.append(fit)
            _keep(data, origins, field.path, value or None, where)
    for listed in query.lists:
        value, where, fit = _inner(listed, page, max_items)
        fits.append(fit)
        _keep(data, origins, listed.path, value or None, where)
    return _object(query, data, origins, fits)


def _keep(data: dict[str, Any], origins: list[Origin], path: tuple[str, ...], value: Any, where: list[Origin]) -> None:
    if value is None:
        return
    if not path:
        data[""] = value
    else:
        put(data, path, value)
    origins += where


def _object(query: ExtractionQuery, data: dict[str, Any], origins: list[Origin], fits: list[float]) -> Extraction:
    required = [field.path for field in query.fields if field.is_required]
    required += [listed.path for listed in query.lists if listed.is_required]
    missing = [".".join(path) for path in required if not _has(data, path)]
    if not data:
        return Extraction(why_not=_nothing(query.fields))
    if missing:
        return Extraction(why_not=f"Nothing on the page fits the required {', '.join(missing)}.")
    found = [fit for fit in fits if fit > 0]
    features = FactConfidenceFeatures(
        mean_fit=sum(fits) / len(fits),
        least_fit=min(fits),
        least_found_fit=min(found),
        found=len(found) / len(fits),
        is_object=1.0,
    )
    return Extraction(data=data.get("", data), parts=origins, features=features)


def _has(data: dict[str, Any], path: tuple[str, ...]) -> bool:
    value: Any = data
    for step in path or ("",):
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True


def _many(field: SchemaField, page: PageData) -> tuple[list[Any], list[Origin], float]:
    """Return a list of plain values: values that stand together on the page, or a fact with several."""
    best = value_lists.widest(value_lists.ranked(field, page.groups, page.sets, page.facts))
    (_, fact, fit), *_ = singles.choose([field], page.facts)
    if fact is not None and not (_has_several(fact) or singles.has_own_name(fact)):
        fact = None
    if fact is not None and (best is None or _is_better(fact, fit, best)):
        values, where = read_fact(field, fact)
        return values or [], where, fit
    if best is None:
        facts, sure = value_lists.run(field, page.facts)
        return (*read_facts(field, facts), _RUN * sure) if facts else ([], [], 0.0)
    found = items_of(best.group_match)
    return list(found.data), found.origins(field.path), best.group_match.score


def _is_better(fact: Column, fit: float, best: value_lists.ListOption) -> bool:
    """Return True if a fact is more probable than a list: it has several values, or no list is as good."""
    score = fit * (_OF_SEVERAL if _has_several(fact) else _OF_ONE)
    return score > best.score and not value_lists.has_all(best, fact)


def _has_several(fact: Column) -> bool:
    text = fact.texts[0]
    is_listed = any(mark in text for mark in (",", ";", " · ", " | ")) and len(text) < _MAX_LISTED
    return fact.is_many or is_listed


def _inner(listed: ListField, page: PageData, max_items: int) -> tuple[list[Any], list[Origin], float]:
    """Return a list of objects that is a property of a single object."""
    ranked = match_groups(list(listed.fields), page.groups, listed.topic)
    if not ranked:
        return [], [], 0.0
    whole = items_of(ranked[0]).whole.page(0, max_items)
    fits = [fit for _, _, fit in ranked[0].pairs]
    return list(whole.data), whole.origins(listed.path), sum(fits) / len(fits)


def _nothing(fields: Sequence[SchemaField]) -> str:
    names = ", ".join(".".join(field.path) for field in fields[:6] if field.path) or "the schema"
    return f"Nothing on the page fits {names}."


def _incomplete(fields: Sequence[SchemaField], found: Items) -> str:
    required = ", ".join(".".join(field.path) or "value" for field in fields if field.is_required)
    if not found:
        return _nothing(fields)
    return f"{len(found)} items were found, none with all that is required: {required}."
