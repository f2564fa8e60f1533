"""Named features of confidence, in frozen groups as in `agentbrowser.extraction.model.features`."""

from typing import NamedTuple

from agentbrowser.extraction.model.feature_signs import Negative, Positive, Signed


class ListConfidenceFeatures(NamedTuple):
    """Quality of an extracted list, from which its confidence is estimated."""

    mean_fit: Signed
    least_fit: Signed
    lead: Signed
    complete: Signed
    whole: Signed
    named: Signed
    best_named: Signed
    goes_together: Signed
    context: Signed
    unpaired: Signed
    items: Signed
    context_missed: Signed
    named_otherwise: Signed
    score: Signed
    few: Signed


class FactConfidenceFeatures(NamedTuple):
    """Quality of an extracted object, from which its confidence is estimated."""

    mean_fit: Signed
    least_fit: Signed
    least_found_fit: Signed
    found: Signed
    is_object: Signed


class FieldConfidenceFeatures(NamedTuple):
    """Evidence for the value of one field, from which its confidence is estimated."""

    likely: Positive
    lead: Positive
    name: Positive
    well_named: Positive
    unnamed: Negative
    unmatched: Negative
    surplus: Negative
    look: Positive
    look_unnamed: Positive
    odd: Negative
    otherwise: Negative
    classed_otherwise: Negative
    labelled_otherwise: Negative
    unnamed_among_named: Negative
    own_form: Positive
    foreign_form: Negative
    prose: Signed
    alone: Positive
    subject: Signed
    in_list: Signed
    name_in_list: Signed
    share: Positive
    plain_list: Signed
    lacking: Negative
    missing: Negative
    aside: Negative
    machine: Signed
    heading: Signed
    boolean: Signed
    number: Signed
    long: Negative
    required: Positive
    others: Positive


class AnswerConfidenceFeatures(NamedTuple):
    """Quality of an answer, from which the probability is estimated that it is right as a whole."""

    product: Positive
    least: Positive
    share: Positive
    missing: Negative
    is_list: Signed
    items: Negative
    fields: Signed
