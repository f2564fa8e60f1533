"""Extraction of a single object: its facts, its lists of plain values, and its lists of objects."""

from collections.abc import Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.columns.address_parts import address_value
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.columns.page_names import HEADINGS
from agentbrowser.extraction.columns.prose_values import counted_value, prose_of, prose_value
from agentbrowser.extraction.match import singles, value_lists
from agentbrowser.extraction.match.column_fit import name_similarity
from agentbrowser.extraction.match.evidence import (
    FieldEvidence,
    ValueContext,
    answer_features,
    evidence,
    mean_name_fit,
    name_fit,
)
from agentbrowser.extraction.match.form_evidence import is_certain
from agentbrowser.extraction.match.group_matches import match_groups
from agentbrowser.extraction.match.single_features import PageFacts
from agentbrowser.extraction.model.confidence_features import FactConfidenceFeatures
from agentbrowser.extraction.model.weights import share_right
from agentbrowser.extraction.output.doubts import list_evidence, without_doubtful
from agentbrowser.extraction.output.extraction import Extraction, no_match_reason, unmet_reason
from agentbrowser.extraction.output.fact_values import Origin, read_fact, read_facts
from agentbrowser.extraction.output.items import items_of, put_at
from agentbrowser.extraction.schema.schema_fields import ExtractionQuery, ListField, SchemaField

_MAX_LISTED: Final = 400
_RUN: Final = 0.6
_WELL: Final = 0.5
"""Least similarity of a fact's name that goes before a sentence."""
_LEAD: Final = 3.0
"""Lead of a value of a sentence over others."""
_OF_SEVERAL: Final = 0.65
_OF_ONE: Final = 0.45
"""Factors of a fact's probability, with several values and with one, for comparison with scores of lists."""


@attrs.frozen
class _FieldResult:
    """Value found for a field, with its origins and the evidence for it."""

    field: SchemaField | ListField
    value: Any
    origins: list[Origin]
    fit: float
    evidence: tuple[FieldEvidence, ...]


def extract_object(query: ExtractionQuery, page: PageData, max_items: int, least: float) -> Extraction:
    """Return a single object.

    Args:
      least: the least confidence of a value.
    """
    results = [*_scalars(query, page), *_lists(query, page, max_items, least)]
    fits = [result.fit if result.value is not None else 0.0 for result in results]
    if not any(result.value is not None for result in results):
        return Extraction(
            why_not=no_match_reason(query.fields), evidence=[item for result in results for item in result.evidence]
        )
    features = FactConfidenceFeatures(
        mean_fit=sum(fits) / len(fits),
        least_fit=min(fits),
        least_found_fit=min(fit for fit in fits if fit > 0),
        found=sum(fit > 0 for fit in fits) / len(fits),
        is_object=1.0,
    )
    return _answer(results, features, least)


def _answer(results: Sequence[_FieldResult], features: FactConfidenceFeatures, least: float) -> Extraction:
    data: dict[str, Any] = {}
    origins: list[Origin] = []
    shown: list[FieldEvidence] = []
    for result in results:
        # Evidence of a list of objects is that of its properties, which are withheld one by one.
        is_given = result.value is not None and (
            isinstance(result.field, ListField)
            or max((item.confidence for item in result.evidence), default=1.0) >= least
        )
        shown += [
            item if is_given else attrs.evolve(item, is_withheld=item.source is not None) for item in result.evidence
        ]
        if is_given:
            origins += result.origins
            if result.field.path:
                put_at(data, result.field.path, result.value)
            else:
                data[""] = result.value
    required = [
        result.field.path for result in results if result.field.is_required and not _has(data, result.field.path)
    ]
    if required or not data:
        return Extraction(
            why_not=unmet_reason(required, shown, least) if required or shown else no_match_reason(()), evidence=shown
        )
    share = share_right(features, is_list=False)
    return Extraction(
        data=data.get("", data),
        parts=origins,
        features=features,
        evidence=shown,
        answer_features=answer_features(shown, share, 1, is_list=False),
    )


def _scalars(query: ExtractionQuery, page: PageData) -> list[_FieldResult]:
    fields = [field for field in query.fields if not field.is_many]
    chosen = _with_prose(singles.choose(fields, page.facts, page.unfilled), page)
    read = [read_fact(field, fact) if fact else (None, []) for field, fact, _, _ in chosen]
    missing = sum(value is None for value, _ in read) / max(1, len(read))
    results = []
    page_facts = PageFacts(page.facts, fields)
    names = mean_name_fit([(field, fact) for field, fact, _, _ in chosen])
    for (field, fact, fit, lead), (value, origins) in zip(chosen, read, strict=True):
        is_alone = fact is not None and page_facts.is_alone(field, fact)
        is_state = fact is not None and page_facts.is_state(field, fact)
        context = ValueContext(
            is_list=False, lead=lead, share=0.5, missing=missing, named=names, is_alone=is_alone, is_state=is_state
        )
        readable = fact if value is not None else None
        conflict = singles.conflicting(field, readable, page.facts) if readable is not None else None
        results.append(_FieldResult(field, value, origins, fit, (evidence(field, readable, fit, context, conflict),)))
    return results


def _with_prose(chosen: Sequence[singles.FactChoice], page: PageData) -> list[singles.FactChoice]:
    """Return the choices with values from sentences for the fields that no well named fact fits."""
    found: list[singles.FactChoice] = []
    texts = prose_of(page.facts)
    for field, fact, fit, lead in chosen:
        is_machine = fact is not None and fact.tag in singles.MACHINE_TAGS
        is_weak = fact is None or name_fit(field, fact) < _WELL
        if (is_weak or is_machine) and not (fact is not None and is_certain(field, fact)):
            # A visible count goes before one in the data for machines, which is often stale.
            stated = counted_value(field, page.facts)
            if stated is None and is_weak:
                stated = prose_value(field, texts) or address_value(field, page.facts)
            if stated is not None and read_fact(field, stated)[0] is not None:
                found.append((field, stated, stated.names[0][1], _LEAD))
                continue
        found.append((field, fact, fit, lead))
    return found


def _lists(query: ExtractionQuery, page: PageData, max_items: int, least: float) -> list[_FieldResult]:
    found = [_plain_list(field, page) for field in query.fields if field.is_many]
    return found + [_object_list(listed, page, max_items, least) for listed in query.lists]


def _plain_list(field: SchemaField, page: PageData) -> _FieldResult:
    values, origins, fit, column = _plain_values(field, page)
    context = ValueContext(is_list=False, lead=0.0, share=0.5, missing=0.0, is_plain=True)
    known = evidence(field, column if values else None, fit, context)
    return _FieldResult(field, values or None, origins, fit, (known,))


def _has(data: dict[str, Any], path: tuple[str, ...]) -> bool:
    value: Any = data
    for step in path or ("",):
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True


def _plain_values(field: SchemaField, page: PageData) -> tuple[list[Any], list[Origin], float, Column | None]:
    """Return a list of plain values: values that stand together on the page, or a fact with several."""
    best = value_lists.widest(value_lists.ranked(field, page.groups, page.sets, page.facts))
    (_, fact, fit, _), *_ = singles.choose([field], page.facts)
    # The parts of a heading are no list, and a single value is one only under the field's name.
    if fact is not None and (fact.tags & HEADINGS or not (_has_several(fact) or _is_named(field, fact))):
        fact = None
    if fact is not None and (best is None or _is_better(fact, fit, best)):
        values, where = read_fact(field, fact)
        return values or [], where, fit, fact
    if best is None:
        facts, sure = value_lists.values_under_heading(field, page.facts)
        return (*read_facts(field, facts), _RUN * sure, facts[0]) if facts else ([], [], 0.0, None)
    found = items_of(best.group_match)
    column = best.group_match.paired[0][1]
    return list(found.data), found.origins(field.path), best.group_match.score, column


def _is_named(field: SchemaField, fact: Column) -> bool:
    """Return True if a fact has a plain label, and it is the field's: "Languages: English"."""
    return fact.has_plain_label and name_similarity(field, fact, fact.sources.labels) >= _WELL


def _is_better(fact: Column, fit: float, best: value_lists.ListOption) -> bool:
    """Return True if a fact is more probable than a list: it has several values, or no list is as good."""
    score = fit * (_OF_SEVERAL if _has_several(fact) else _OF_ONE)
    return score > best.score and not value_lists.has_all(best, fact)


def _has_several(fact: Column) -> bool:
    text = fact.texts[0]
    is_listed = any(mark in text for mark in (",", ";", " · ", " | ")) and len(text) < _MAX_LISTED
    return fact.is_many or is_listed


def _object_list(listed: ListField, page: PageData, max_items: int, least: float) -> _FieldResult:
    """Return a list of objects that is a property of a single object."""
    ranked = match_groups(list(listed.fields), page.groups, listed.topic)
    if not ranked:
        none = [FieldEvidence(path=(*listed.path, *field.path)) for field in listed.fields]
        return _FieldResult(listed, None, [], 0.0, tuple(none))
    known = list_evidence(ranked, listed.path)
    fits = [fit for _, _, fit in ranked[0].pairs]
    whole = items_of(without_doubtful(ranked[0], known, least)).whole.page(0, max_items)
    shown = tuple(attrs.evolve(one, is_withheld=one.source is not None and one.confidence < least) for one in known)
    return _FieldResult(listed, list(whole.data) or None, whole.origins(listed.path), sum(fits) / len(fits), shown)
