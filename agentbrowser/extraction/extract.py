"""Extraction of typed data from what a page holds: the entry of this package, without access to the page."""

from collections.abc import Sequence
from itertools import chain
from typing import Final

import attrs

from agentbrowser.extraction.columns.page_data import PageData
from agentbrowser.extraction.match import value_lists
from agentbrowser.extraction.match.evidence import CLEAR_LEAD, TITLED, FieldEvidence, answer_features
from agentbrowser.extraction.match.group_matches import context_fit, match_groups
from agentbrowser.extraction.match.headers import is_headed
from agentbrowser.extraction.match.match_matrix import GroupMatch
from agentbrowser.extraction.model.confidence_features import ListConfidenceFeatures
from agentbrowser.extraction.model.weights import share_right
from agentbrowser.extraction.output.asked_rows import asked_rows
from agentbrowser.extraction.output.doubts import lead_of, list_evidence, without_doubtful
from agentbrowser.extraction.output.extraction import Extraction, no_match_reason, unmet_reason
from agentbrowser.extraction.output.items import Items, items_of
from agentbrowser.extraction.output.nested import NestedList, nested, with_nested, without_inner
from agentbrowser.extraction.output.objects import extract_object
from agentbrowser.extraction.schema.schema_fields import ExtractionQuery, SchemaField
from agentbrowser.extraction.schema.topics import QueryTopic
from agentbrowser.extraction.text.words import Words

_USUAL_ITEMS: Final = 8
_USUAL_SCORE: Final = 10.0
_FEW: Final = 3
_LEAST_SURE: Final = 0.4
"""Least share of right values of a list in an answer."""
_LISTS: Final = 5
_NAMES: Final = frozenset(("name", "title"))
_LEAST_PLAIN: Final = 0.15
"""Least score of a list that is the whole answer."""


def extract(
    query: ExtractionQuery, page: PageData, *, max_items: int, offset: int = 0, min_confidence: float = 0.0
) -> Extraction:
    """Return the requested data, as far as the page has it.

    Args:
      min_confidence: the least confidence of a value; others are withheld.
    """
    if query.is_list:
        return _extract_list(query, page, max_items, offset, min_confidence)
    return extract_object(query, page, max_items, min_confidence)


def _extract_list(query: ExtractionQuery, page: PageData, max_items: int, offset: int, least: float) -> Extraction:
    fields = list(query.fields)
    groups = without_inner(page.groups) if query.lists else page.groups
    groups = [group for group in groups if group.is_only] or groups
    is_plain = query.item.type != "object"
    ranked = _plain_lists(fields[0], page, query.topic.about) if is_plain else match_groups(fields, groups, query.topic)
    if not ranked:
        return Extraction(
            why_not=no_match_reason(fields or [field for listed in query.lists for field in listed.fields])
        )
    nests: list[NestedList] = []
    if query.lists:
        ranked, nests = nested(query.lists, ranked, page.groups)
    found = with_nested(items_of(ranked[0]), query.lists, nests)
    features = list_features(ranked, found.whole, found, query.topic)
    share = share_right(features, is_list=True)
    own = list_evidence(ranked, share=share, is_plain=is_plain)
    inner = [list_evidence([nest.group_match], nest.listed.path, share) for nest in nests]
    shown = [
        attrs.evolve(evidence, is_withheld=evidence.source is not None and evidence.confidence < least)
        for evidence in chain(own, *inner)
    ]
    if any(evidence.is_withheld for evidence in shown):
        kept = without_doubtful(ranked[0], own, least)
        if not kept.paired:
            required = [field.path for field in fields if field.is_required]
            return Extraction(why_not=unmet_reason(required, shown, least), evidence=shown)
        nests = [_without_doubtful_columns(nest, share, least) for nest in nests]
        found = with_nested(items_of(kept), query.lists, nests)
    requested = asked_rows(found.whole, ranked[0].group, query.topic)
    if not requested:
        return Extraction(why_not=_incomplete(fields, found, shown, least), dropped=len(found), evidence=shown)
    # Items that contain the requested lists are the requested ones, at any confidence.
    present = _without_absent(ranked, found, query.topic)
    best_share = share if present is None else share_right(present, is_list=True)
    if not is_plain and not nests and best_share < _LEAST_SURE and not _is_headed(ranked[0], own, least):
        return Extraction(why_not=no_match_reason(fields), evidence=shown)
    page_of_items = requested.page(offset, max_items)
    return Extraction(
        data=page_of_items.data,
        items=page_of_items,
        features=features,
        answer_features=answer_features(shown, share, len(requested), is_list=True),
        evidence=shown,
        dropped=len(found) - len(requested),
        next_offset=offset + max_items if len(requested) > offset + max_items else None,
    )


def _is_headed(best: GroupMatch, own: Sequence[FieldEvidence], least: float) -> bool:
    """Return True if a column under exactly a field's name is certain enough to be an answer by itself."""
    pairs = zip(best.pairs, own, strict=True)
    return any(
        column is not None and is_headed(field, column) and evidence.confidence >= least
        for (field, column, _), evidence in pairs
    )


def _without_doubtful_columns(nest: NestedList, share: float, least: float) -> NestedList:
    """Return a nested list without doubtful columns."""
    known = list_evidence([nest.group_match], nest.listed.path, share)
    return attrs.evolve(nest, group_match=without_doubtful(nest.group_match, known, least))


def _plain_lists(field: SchemaField, page: PageData, about: Words) -> list[GroupMatch]:
    """Return the lists of plain values, the most similar to the topic first."""
    if field.is_text and value_lists.fits_any_list(about):
        every = value_lists.all_entries(field, page.sets)
        if every is not None:
            return [every]
    topic_field = value_lists.field_of_topic(field, about)
    options = value_lists.ranked(topic_field, page.groups, page.sets, page.facts, least=_LEAST_PLAIN)
    best = value_lists.widest(options)
    return [option.group_match for option in (best, *options) if option is not None][:_LISTS]


def list_features(
    ranked: Sequence[GroupMatch], complete: Items, found: Items, topic: QueryTopic
) -> ListConfidenceFeatures:
    """Return the features of the best match and its items from which the confidence is estimated.

    Args:
      complete: the items with all required values.
      found: all items.
    """
    best = ranked[0]
    context = context_fit(best.group, topic.about)
    fits = [fit for _, _, fit in best.pairs]
    filled = sum(complete.counts) / (len(complete) * len(best.pairs)) if complete else 0.0
    named, best_named, goes_together = best.naming
    return ListConfidenceFeatures(
        mean_fit=sum(fits) / len(fits),
        least_fit=min(fits),
        lead=min(1.0, max(0.0, lead_of(ranked) / CLEAR_LEAD)),
        complete=min(1.0, filled),
        whole=len(complete) / max(1, len(found)),
        named=named,
        best_named=best_named,
        goes_together=goes_together,
        context=context,
        unpaired=best.features.unpaired if best.features else 0.0,
        items=min(1.0, len(complete) / _USUAL_ITEMS),
        context_missed=1 - context if topic.about.all else 0.0,
        named_otherwise=best.otherwise,
        score=best.score / _USUAL_SCORE if best.features else 1.0,
        few=float(len(found) < _FEW),
    )


def _without_absent(ranked: Sequence[GroupMatch], found: Items, topic: QueryTopic) -> ListConfidenceFeatures | None:
    """Return the features of a list with titled items as if only its present fields were requested; None for others.

    The titles are evidence for the items, so fields that the page lacks are none against them.
    """
    best = ranked[0]
    present, absent = len(best.paired), len(best.pairs) - len(best.paired)
    if not absent or best.features is None or not _is_titled(best):
        return None
    named, best_named, goes_together = best.naming
    scale = len(best.pairs) / present
    kept = attrs.evolve(
        best,
        pairs=tuple(pair for pair in best.pairs if pair[1] is not None),
        features=best.features._replace(unpaired=0.0),
        naming=(named * scale, best_named, goes_together * scale + absent / present),
    )
    return list_features([kept, *ranked[1:]], found.whole, found, topic)


def _is_titled(best: GroupMatch) -> bool:
    """Return True if the field for a name or title, of whatever the items are, has the items' titles.

    Titles are no evidence for a ``jobTitle``: the items may be anything else.
    """
    subject, column, _ = best.subject
    is_name = len(subject.name.all) == 1 and not subject.name.last.concepts.isdisjoint(_NAMES)
    return is_name and column is not None and not column.is_over and column.title_look > TITLED


def _incomplete(fields: Sequence[SchemaField], found: Items, shown: Sequence[FieldEvidence], least: float) -> str:
    withheld = {evidence.path for evidence in shown if evidence.is_withheld}
    doubtful = [field.path for field in fields if field.is_required and field.path in withheld]
    if doubtful:
        return unmet_reason(doubtful, shown, least)
    required = ", ".join(".".join(field.path) or "value" for field in fields if field.is_required)
    if not found:
        return no_match_reason(fields)
    return f"{len(found)} items were found, none with all that is required: {required}."
