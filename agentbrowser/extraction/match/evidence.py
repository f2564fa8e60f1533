"""Evidence for the value of one field: its source, and the features of its confidence."""

import math
from collections.abc import Sequence
from typing import Final, Literal, TypeAlias

import attrs

from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import HEADINGS, Markup
from agentbrowser.extraction.columns.prose_values import PROSE
from agentbrowser.extraction.match.column_fit import (
    form_likelihood,
    name_similarity,
    surplus_share,
    unmatched_share,
    value_similarity,
)
from agentbrowser.extraction.match.form_evidence import form_evidence, is_certain, is_paragraph, proof
from agentbrowser.extraction.match.headers import is_headed
from agentbrowser.extraction.model.confidence_features import AnswerConfidenceFeatures, FieldConfidenceFeatures
from agentbrowser.extraction.model.trees import TREES
from agentbrowser.extraction.model.weights import WEIGHTS, probability, weighed
from agentbrowser.extraction.schema.schema_fields import SchemaField

EvidenceSource: TypeAlias = Literal["header", "label", "nearby", "markup", "data", "title", "form"]
_MIN_NAME_SIMILARITY: Final = 0.3
"""Least similarity of a name that counts as a name for the field."""
_GOOD_NAME_SIMILARITY: Final = 0.85
_LIKELY_FIT: Final = 0.8
_PROVEN_CONFIDENCE: Final = 0.6
"""Least confidence of a likely value in a class that is the field's name, or in paragraphs of items for prose.

In `bench/corpus/calibration`, 78 % and 85 % of these were right, and none invented. It is also the least of columns of
lists that their form proves, of which 346 of 369 were right for left-out authors and 4 invented, and of likely values
that differ from the page's data for machines, of which 38 of 45 were right and none invented.
"""
_CLASS_SIMILARITY: Final = 0.75
"""Similarity of a class that is exactly the field's name."""
_MAX_ODDS: Final = 2.0
_LOG_SCALE: Final = 3.0
CLEAR_LEAD: Final = 3.0
"""Lead of a choice over the next one that leaves no doubt."""
TITLED: Final = 0.5
"""Least similarity of values to titles that names the item."""
_MACHINE_TAGS: Final = frozenset(("json", "meta"))
_MIN_LABEL_TRUST: Final = 0.7
"""Least trust in a label that may name another property."""
_MOST_ITEMS: Final = 64
_MOST_OTHERS: Final = 15


@attrs.frozen(kw_only=True)
class FieldEvidence:
    """Evidence for the value of a field, or for none."""

    path: tuple[str, ...]
    confidence: float = 0.0
    source: EvidenceSource | None = None
    """None without a value."""
    is_withheld: bool = False
    """True for a value below the least confidence of the request."""
    conflict: str | None = None
    """A different value in the page's data for machines."""
    features: tuple[float, ...] = ()


@attrs.frozen(kw_only=True)
class ValueContext:
    """Properties of the answer that a value belongs to."""

    is_list: bool
    lead: float
    """Lead of the choice over the next one."""
    share: float
    """Share of the values of its list that is probably right; 0.5 outside of lists."""
    missing: float
    """Share of the fields without a value."""
    others: int = 0
    """Number of the other fields of its list that have a value."""
    named: float = 0.0
    """Mean similarity of the names of all values of the answer to their fields."""
    is_alone: bool = False
    """True if no other value of the page has its form: the only price."""
    is_state: bool = False
    """True for the badge beside the title with the state of what the page is about."""
    is_plain: bool = False
    """True for a list of plain values."""


def evidence(
    field: SchemaField, column: Column | None, fit: float, context: ValueContext, conflict: str | None = None
) -> FieldEvidence:
    """Return the evidence for a column or fact as the value of a field.

    Args:
      fit: the probability of the choice by itself.
    """
    if column is None:
        return FieldEvidence(path=field.path)
    features = _features(field, column, fit, context)
    score = weighed(WEIGHTS.field_confidence, features) + TREES.field_confidence.score(features)
    confidence = round(probability(score), 3)
    if is_certain(field, column) or context.is_state:
        confidence = max(confidence, _PROVEN_CONFIDENCE)
    if fit >= _LIKELY_FIT and (_is_classed(field, column) or (context.is_list and is_paragraph(field, column))):
        confidence = max(confidence, _PROVEN_CONFIDENCE)
    # Data for machines has the field's name, so the page is about it, and what the page shows goes before the data.
    if (conflict is not None and fit >= _LIKELY_FIT) or (context.is_list and _is_proven(field, column)):
        confidence = max(confidence, _PROVEN_CONFIDENCE)
    source = _source(field, column)
    return FieldEvidence(
        path=field.path, confidence=confidence, source=source, conflict=conflict, features=tuple(features)
    )


def _is_classed(field: SchemaField, column: Column) -> bool:
    """Return True if a class or an id of the values is exactly the field's name."""
    return any(text.lower() == field.plain_name for markup, text in column.hints if markup in (Markup.CLASS, Markup.ID))


def _is_proven(field: SchemaField, column: Column) -> bool:
    """Return True if the form of a column proves it to be the field's; a badge may be missing for other reasons."""
    return field.type != "boolean" and proof(field, column, name_fit(field, column), form_likelihood(field, column)) > 0


def name_fit(field: SchemaField, column: Column) -> float:
    """Return the similarity of the best name of a column or fact to a field, 0 to 1."""
    name = 1.0 if is_headed(field, column) else name_similarity(field, column, column.best_names)
    if name < _CLASS_SIMILARITY and _is_classed(field, column):
        name = _CLASS_SIMILARITY  # also of a class for layout elsewhere, such as "text"
    return max(name, value_similarity(field, column)) if field.type == "boolean" else name


def mean_name_fit(pairs: Sequence[tuple[SchemaField, Column | None]]) -> float:
    """Return the mean similarity of names of the fields that have a value; 0 without any."""
    found = [name_fit(field, column) for field, column in pairs if column is not None]
    return sum(found) / max(1, len(found))


def _features(field: SchemaField, column: Column, fit: float, context: ValueContext) -> FieldConfidenceFeatures:
    name = name_fit(field, column)
    look = form_likelihood(field, column)
    is_unnamed = name < _MIN_NAME_SIMILARITY
    labels = [phrase for phrase, trust in column.sources.labels if trust >= _MIN_LABEL_TRUST]
    is_otherwise = is_unnamed and any(phrase.concepts for phrase in labels)
    form = form_evidence(field, column)
    is_title = field.is_subject and column.title_look > TITLED
    return FieldConfidenceFeatures(
        likely=odds(fit),
        lead=min(1.0, max(0.0, context.lead / CLEAR_LEAD)),
        name=name,
        well_named=float(name >= _GOOD_NAME_SIMILARITY),
        unnamed=float(is_unnamed),
        unmatched=unmatched_share(field, column),
        surplus=surplus_share(field, column.plain_names),
        look=max(0.0, look),
        look_unnamed=max(0.0, look) * is_unnamed,
        odd=max(0.0, -look),
        otherwise=float(is_otherwise),
        classed_otherwise=_classed_otherwise(field, column) if is_unnamed else 0.0,
        labelled_otherwise=float(is_unnamed and bool(column.heads or labels)),
        unnamed_among_named=context.named * is_unnamed,
        own_form=max(0.0, form, float(is_paragraph(field, column))),
        foreign_form=max(0.0, -form) * is_unnamed,
        prose=float(column.key == PROSE),
        alone=float(context.is_alone),
        subject=float(is_title),
        in_list=float(context.is_list),
        name_in_list=name * context.is_list,
        share=odds(context.share),
        plain_list=float(context.is_plain),
        lacking=1 - column.filled,
        missing=context.missing * (1 - name),
        aside=float(column.is_aside),
        machine=float(column.tag in _MACHINE_TAGS),
        heading=float(not column.tags.isdisjoint(HEADINGS)),
        boolean=float(field.type == "boolean"),
        number=float(field.is_number),
        long=min(2.0, column.profile.length / 100),
        required=float(field.is_required),
        others=math.log2(1 + min(_MOST_OTHERS, context.others)) / 4,
    )


def _classed_otherwise(field: SchemaField, column: Column) -> float:
    """Return the trust in the best name in the markup, or near the values, that means another property."""
    names = [*column.sources.near, *column.sources.classes, *column.sources.form]
    others = (trust for phrase, trust in names if phrase.concepts and phrase.reach.isdisjoint(field.concepts))
    return max(others, default=0.0)


def odds(probability: float) -> float:
    """Return the log odds of a probability, scaled to -2 to 2."""
    inner = min(0.999, max(0.001, probability))
    return max(-_MAX_ODDS, min(_MAX_ODDS, math.log(inner / (1 - inner)) / _LOG_SCALE))


def _source(field: SchemaField, column: Column) -> EvidenceSource:
    """Return the kind of the strongest evidence that a value is the field's."""
    if is_headed(field, column):
        return "header"
    if column.key == PROSE:
        return "nearby"
    if column.tag in _MACHINE_TAGS or column.kind == "json":
        return "data"
    labels, near, classes, _ = (name_similarity(field, column, names) if names else 0.0 for names in column.sources)
    best = max(labels, near, classes)
    if best >= _MIN_NAME_SIMILARITY:
        by_label: EvidenceSource = "header" if column.heads else "label"
        return by_label if best == labels else "nearby" if best == near else "markup"
    return "title" if not column.tags.isdisjoint(HEADINGS) else "form"


def answer_features(found: Sequence[FieldEvidence], share: float, items: int, *, is_list: bool) -> tuple[float, ...]:
    """Return the features of the confidence that an answer is right as a whole.

    Args:
      share: the share of its values that is probably right.
      items: the number of its items.
    """
    given = [one.confidence for one in found if one.source is not None]
    logs = [math.log(max(0.01, one)) for one in given]
    return AnswerConfidenceFeatures(
        product=sum(logs) / _LOG_SCALE,
        least=min(given, default=0.0),
        share=odds(share),
        missing=1 - len(given) / max(1, len(found)),
        is_list=float(is_list),
        items=math.log2(1 + min(items, _MOST_ITEMS)) / math.log2(_MOST_ITEMS) if is_list else 0.0,
        fields=math.log2(1 + len(given)) / _LOG_SCALE,
    )
