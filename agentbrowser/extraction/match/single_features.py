"""Features of a schema field with a fact of the page."""

import re
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import CLASSES, HEADINGS, PLAIN_RELATIONS
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.column_fit import form_likelihood, value_similarity
from agentbrowser.extraction.match.field_names import FieldNames, NameMatch
from agentbrowser.extraction.match.form_evidence import contradicts, foreign_shape, form_evidence, is_badge
from agentbrowser.extraction.match.headers import names_another
from agentbrowser.extraction.match.text_fit import NEVER
from agentbrowser.extraction.model.features import (
    FactKindFeatures,
    FactLookFeatures,
    FactMarkupFeatures,
    FactNameFeatures,
    FactPositionFeatures,
    FactTextFeatures,
    vector_function,
)
from agentbrowser.extraction.schema.concepts import MONEY
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.truth import is_plain, truth
from agentbrowser.extraction.text.words import coverage, likeness, words

_MIN_NAME_SIMILARITY: Final = 0.15
"""Least similarity of a name that counts as a name for the field."""
_GOOD_NAME_SIMILARITY: Final = 0.85
_EXACT_NAME_SIMILARITY: Final = 0.95
"""Similarity of a plain label that is the field's name: "Stars: 1,672" is no rating, but the field's number."""
_LEAST_LOOK: Final = 0.3
_CLEAR_LOOK: Final = 0.7
"""Least look of a value that is right under the name of another property: an email address under "Contact"."""
_LONG_TEXT: Final = 60
_DURATION: Final = re.compile(r"^P(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?$")
_TITLE_CONCEPTS: Final = frozenset(("name", "title", "thing", "job"))
_THING_CONCEPTS: Final = frozenset((
    "company", "person", "city", "location", "team", "dish", "hotel", "album", "course", "artist", "seller", "category",
    "species", "station", "stadium", "genre", "customer", "department",
))  # fmt: skip
"""Concepts that a page's title may name."""
_MAKERS: Final = frozenset(("author", "artist", "brand", "maker", "company", "seller", "publisher", "owner", "person"))
STRUCK: Final = frozenset(("s", "del", "strike"))
_ACTION_TAGS: Final = frozenset(("button", "a"))
_LABEL_TAGS: Final = frozenset(("label", "legend"))
_HEAD_TAGS: Final = frozenset(("th", "dt", "label", "legend"))
_PROSE: Final = frozenset(("description", "summary", "text", "bio", "comment", "review", "answer", "definition"))
_FAR_DISTANCE: Final = 40
_FOLLOWING_COUNT: Final = 14
_BESIDE_DISTANCE: Final = 4
_BADGE_DISTANCE: Final = 8
"""Greatest distance of a badge with a state from the title."""
_MAX_SHORT_TEXT: Final = 60
"""Length up to which a text may be a state or a byline."""
_MAX_LINE: Final = 120
_SHOWN_KINDS: Final = frozenset(("text", "part", "href"))
_TITLE_SEPARATOR: Final = re.compile(r"\s+[|·•–—»:-]\s+|\s+::\s+")
_HIDDEN_CLASS: Final = re.compile(r"sr-?only|visually-?hidden|assistive|screen-?reader|off-?screen|a11y", re.IGNORECASE)
"""Classes of texts for screen readers only."""
_DIGITS: Final = re.compile(r"\d[\d.,]*")
_OF_ALL: Final = re.compile(r"(?:\d+\s?[-–]\s?)?\d+\s*(?:/|of|von|de|sur|di|van|z|af|av|om)\s*\d[\d.,]*", re.IGNORECASE)
_FIRST_PART_SCORE: Final = 2.5
_OTHER_PART_SCORE: Final = 0.5
_SCORE_PER_LEVEL: Final = 0.9
"""Score of a heading in the first part of the document's title, in another part, and per level."""
WRITTEN_KINDS: Final = frozenset(("text", "part"))
"""Kinds of facts that the page shows as text."""
_UNLIKE_LOOK: Final = -0.8
"""Look of a text that has the field's name but not its written form."""
_LONE_FORMS: Final = ("money", "email", "phone", "percent")

_fact_name_features = vector_function(FactNameFeatures)
_fact_look_features = vector_function(FactLookFeatures)
_fact_kind_features = vector_function(FactKindFeatures)
_fact_position_features = vector_function(FactPositionFeatures)
_fact_text_features = vector_function(FactTextFeatures)
_fact_markup_features = vector_function(FactMarkupFeatures)


@attrs.frozen(slots=False)
class PageFacts:
    """Facts of a page, with the places of its title and of other landmarks."""

    facts: Sequence[Column]
    fields: Sequence[SchemaField]

    @cached
    def has_name(self) -> bool:
        """True if the schema has a field for the name, which the title then is."""
        return any(
            "name" in field.name.concepts and field.outer is None and len(field.name.all) < 3 for field in self.fields
        )

    @cached
    def subtitle(self) -> int | None:
        """Return the place of the text that follows the title."""
        if self.title is None:
            return None
        after = range(self.title + 1, min(len(self.facts), self.title + _FOLLOWING_COUNT))
        title = self.facts[self.title].texts[0]
        at = next((at for at in after if self._is_line(self.facts[at]) and self.facts[at].texts[0] not in title), None)
        return at if at is not None and not self.facts[at].tags & HEADINGS else None

    def _is_line(self, fact: Column) -> bool:
        return fact.kind == "text" and not fact.is_composite and fact.profile.length < _MAX_LINE

    @cached
    def title(self) -> int | None:
        """Return the place of the page's title."""
        scores = [(self._score(fact), -at) for at, fact in enumerate(self.facts) if self._is_heading(fact)]
        return self._first_of(-max(scores)[1]) if scores else None

    def _score(self, heading: Column) -> float:
        """Return the score of a heading as the page's title: by its level, and by the document's title."""
        text = heading.texts[0]
        part = next((at for at, part in enumerate(self.document) if text in part), None) if len(text) > 2 else None
        score = 0.0 if part is None else _FIRST_PART_SCORE if part == 0 else _OTHER_PART_SCORE
        level = int(min(heading.tags & HEADINGS, default="h5")[1])  # h5: a text that only the document's title has
        return score - _SCORE_PER_LEVEL * level - heading.is_aside - heading.is_repeated

    @cached
    def document(self) -> Sequence[str]:
        """Return the parts of the document's title, the last of which is often the site."""
        title = next((fact.texts[0] for fact in self.facts if fact.key == "title"), "")
        return _TITLE_SEPARATOR.split(title)

    def _first_of(self, place: int) -> int:
        """Return the place of the first text in a title that contains several; of the title if it contains one."""
        title = self.facts[place]
        inner = range(place + 1, min(len(self.facts), place + _BESIDE_DISTANCE))
        first = (at for at in inner if title.texts[0].startswith(self.facts[at].texts[0] + " "))
        return next((at for at in first if self.facts[at].kind == "text"), place) if title.is_composite else place

    def _is_heading(self, fact: Column) -> bool:
        """Return True for a heading, and for the first of several parts of the document's title."""
        is_first = len(self.document) > 1 and fact.texts[0] == self.document[0]
        is_over = "h1" in fact.tags or not (fact.is_aside or fact.is_repeated)
        return fact.kind == "text" and is_over and (is_first or bool(fact.tags & HEADINGS))

    @cached
    def spans(self) -> frozenset[int]:
        """Return the places of the numbers in "1-9 of 47", except the last."""
        found: set[int] = set()
        for at, fact in enumerate(self.facts):
            count = (
                _OF_ALL.search(fact.texts[0]) if fact.kind in _SHOWN_KINDS and len(fact.texts[0]) < _MAX_LINE else None
            )
            pieces = _DIGITS.findall(count[0])[:-1] if count else ()
            after = range(at + 1, min(len(self.facts), at + _FOLLOWING_COUNT)) if count else ()
            found.update(place for place in after if self.facts[place].texts[0] in pieces)
        return frozenset(found)

    @cached
    def is_denied(self) -> bool:
        """True if a state or a disabled button says no, which comes before the names of other buttons."""
        if any(fact.kind == "disabled" for fact in self.facts):
            return True
        states = [
            fact for fact in self.facts if fact.kind in WRITTEN_KINDS and fact.tag != "button" and not fact.is_aside
        ]
        texts = [fact.texts[0] for fact in states if len(fact.texts[0]) < _MAX_SHORT_TEXT]
        return any(truth(text) is False and not is_plain(text) for text in texts)

    @cached
    def alone(self) -> frozenset[str]:
        """Return the shapes that only one value of the page has: money, an email address."""
        seen: dict[str, set[str]] = {}
        for fact in self.facts:
            if fact.kind in _SHOWN_KINDS and not fact.is_composite and len(fact.texts[0]) < _MAX_LINE:
                for shape in _LONE_FORMS:
                    if fact.profile.share(shape) > 0.5:
                        seen.setdefault(shape, set()).add(_bare(shape, fact.texts[0]))
        return frozenset(shape for shape, values in seen.items() if len(values) == 1)

    @cached
    def badge(self) -> Column | None:
        """Return the only state in a badge beside the title: "Open"."""
        if self.title is None:
            return None
        beside = range(max(0, self.title - _BADGE_DISTANCE), min(len(self.facts), self.title + _BADGE_DISTANCE + 1))
        states = [fact for fact in map(self.facts.__getitem__, beside) if is_badge(fact)]
        return states[0] if len({fact.texts[0] for fact in states}) == 1 else None

    def is_state(self, field: SchemaField, fact: Column) -> bool:
        """Return True if a field is for the state of what the page is about, and a fact is the badge with it."""
        return field.outer is None and field.plain_name == "status" and fact is self.badge

    def is_alone(self, field: SchemaField, fact: Column) -> bool:
        """Return True if a fact is the only one of the shape that is typical of a field."""
        shape = _shape(field)
        return shape in self.alone and fact.kind in _SHOWN_KINDS and fact.profile.share(shape) > 0.5


def _bare(shape: str, text: str) -> str:
    """Return a value without its formatting."""
    return text.removeprefix("mailto:").strip() if shape == "email" else "".join(filter(str.isdigit, text))


def fact_features(
    names_of_field: FieldNames, fact: Column, place: int, page: PageFacts, names: NameMatch, rival: float
) -> tuple[float, ...] | None:
    """Return the features of a fact for a field, in the order of `FACT_GROUPS`; None if the field cannot have it.

    Args:
      place: the place of the fact on the page.
      names: the similarity of the fact's names to the field.
      rival: the best similarity of the fact's names to another field.
    """
    field = names_of_field.field
    best = names.best
    look = form_likelihood(field, fact)
    is_named = names.label >= _EXACT_NAME_SIMILARITY or (field.type == "string" and best > _MIN_NAME_SIMILARITY)
    if look <= NEVER and is_named and fact.kind in WRITTEN_KINDS:
        look = _UNLIKE_LOOK
    if field.wants_iso and field.type == "string" and _DURATION.match(fact.texts[0]):
        look = 1.0
    is_label = fact.tag in _LABEL_TAGS or (fact.is_label and not fact.tags.isdisjoint(_LABEL_TAGS))
    if look <= NEVER or (fact.is_many and not field.is_many) or is_label:
        return None
    if field.type == "boolean":
        if fact.tag == "button" and fact.kind == "text" and (page.is_denied or truth(fact.texts[0]) is None):
            return None
        best = max(best, value_similarity(field, fact))
    is_unnamed = best < _MIN_NAME_SIMILARITY
    is_title = page.title == place
    beside = page.title is not None and 0 < abs(place - page.title) <= _BESIDE_DISTANCE
    if is_unnamed and look < _LEAST_LOOK and not (is_title or beside):
        return None
    if is_unnamed and look < _CLEAR_LOOK and not is_title and _is_named_otherwise(fact):
        return None
    if contradicts(field, fact) or (is_unnamed and form_evidence(field, fact) <= NEVER):
        return None
    if not (is_title or field.type == "boolean") and names_another(field, fact, best):
        return None
    if Reader(field, fact).read(fact.texts[0]) is None or _is_for_machines(field, fact.texts[0]):
        return None
    return (
        *_name_features(names, best),
        *_look_features(field, fact, names, best, rival, look),
        *_kind_features(fact, best),
        *_position_features(names_of_field, fact, place, page, best),
        *_text_features(field, fact, page, best),
        *_markup_features(field, fact, place, page, best),
    )


def _is_named_otherwise(fact: Column) -> bool:
    """Return True if the page plainly names a value, by words of known meaning: it is another property's."""
    return any(relation in PLAIN_RELATIONS and phrase.concepts for relation, phrase in fact.label_words)


def _is_for_machines(field: SchemaField, text: str) -> bool:
    """Return True if a text is an ISO duration that the field does not request: PT20M."""
    return text[:1] == "P" and bool(_DURATION.match(text)) and field.type == "string" and not field.wants_iso


def _name_features(names: NameMatch, best: float) -> tuple[float, ...]:
    return _fact_name_features(
        label=names.label,
        plain_label=float(names.label > _GOOD_NAME_SIMILARITY),
        near=names.near,
        after=names.after,
        markup=names.markup,
        tag=names.tag,
        data=names.data,
        unit=names.unit,
        best=best,
        well=float(best > _GOOD_NAME_SIMILARITY),
    )


def _look_features(
    field: SchemaField, fact: Column, names: NameMatch, best: float, rival: float, look: float
) -> tuple[float, ...]:
    is_unnamed = best < _MIN_NAME_SIMILARITY
    own = [phrase for relation, phrase in fact.label_words if relation in PLAIN_RELATIONS]
    is_otherwise = bool(own) and names.label < _MIN_NAME_SIMILARITY
    is_known = is_otherwise and any(word.concepts for label in own for word in label.all)
    return _fact_look_features(
        unnamed=float(is_unnamed),
        unnamed_but_known=float(is_unnamed and bool(field.concepts)),
        otherwise=float(is_otherwise),
        otherwise_known=float(is_known),
        rival=max(0.0, rival - best),
        look=max(0.0, look),
        odd=max(0.0, -look),
        look_unnamed=max(0.0, look) * is_unnamed,
        look_named=max(0.0, look) * best,
        required=float(field.is_required),
    )


def _kind_features(fact: Column, best: float) -> tuple[float, ...]:
    kind = fact.kind
    return _fact_kind_features(
        part=float(kind == "part"),
        aria=float(kind == "aria"),
        attribute=float(kind in ("alt", "title")),
        data_attribute=float(kind.startswith("data-")),
        json=float(fact.tag == "json"),
        meta=float(fact.tag == "meta"),
        classes=float(kind == "class"),
        value=float(kind in ("value", "datetime", "content")),
        aside=float(fact.is_aside),
        aside_unnamed=(1 - best) * fact.is_aside,
        repeated=float(fact.is_repeated),
        repeated_unnamed=(1 - best) * fact.is_repeated,
        label_itself=float(fact.is_label) * (0.3 if fact.has_plain_label else 1.0),
        composite=float(fact.is_composite),
    )


def _position_features(
    names_of_field: FieldNames, fact: Column, place: int, page: PageFacts, best: float
) -> tuple[float, ...]:
    field = names_of_field.field
    is_title = place == page.title
    wants_title = field.type == "string" and (
        bool(field.name.concepts & _TITLE_CONCEPTS)
        or (names_of_field.is_subject and bool(field.concepts & _THING_CONCEPTS))
    )
    is_taken = field.outer is not None or (page.has_name and "name" not in field.name.concepts)
    distance = abs(place - page.title) if page.title is not None else _FAR_DISTANCE
    is_heading = bool(fact.tags & HEADINGS) and fact.kind == "text"
    is_beside = (
        0 < distance <= _BESIDE_DISTANCE
        and not (fact.profile.numeric or is_heading)
        and len(fact.texts[0]) < _MAX_SHORT_TEXT
    )
    is_prose = bool(field.concepts & _PROSE)
    return _fact_position_features(
        heading=float(is_heading and not wants_title and not is_title),
        title=float(is_title and wants_title and not is_taken),
        section=float(is_heading and wants_title and not is_title),
        title_taken=float(is_title and (not wants_title or is_taken)),
        subtitle=float(place == page.subtitle and (is_prose or (wants_title and is_taken))),
        struck=float(bool(fact.tags & STRUCK) and bool(field.concepts & MONEY) and "old" not in field.concepts),
        action=float(field.type == "boolean" and bool(fact.tags & _ACTION_TAGS) and fact.kind == "text"),
        late=place / len(page.facts),
        far_unnamed=min(1.0, distance / _FAR_DISTANCE) * (best < _MIN_NAME_SIMILARITY),
        long=min(2.0, len(fact.texts[0]) / _LONG_TEXT) if not is_prose and fact.kind not in ("href", "src") else 0.0,
        beside_title=float(is_beside and bool(field.concepts & _MAKERS) and field.type == "string"),
    )


def _text_features(field: SchemaField, fact: Column, page: PageFacts, best: float) -> tuple[float, ...]:
    text = fact.texts[0]
    is_alone = page.is_alone(field, fact)
    outer = 0.0
    if field.outer is not None:
        phrases = [
            words(fact.section),
            *(phrase for _, phrase in fact.label_words),
            *(words(name) for name, _ in fact.names),
        ]
        outer = max(likeness(field.outer, phrase) if phrase.all else 0.0 for phrase in phrases)
    is_short_text = field.type == "string" and len(text) < 30
    return _fact_text_features(
        address_of_contact=float(fact.kind == "href" and text.startswith(("tel:", "mailto:"))),
        repeats_the_name=float((likeness(field.name, words(text)) if is_short_text else 0.0) > 0.7),
        alone=float(is_alone),
        outer=outer,
        outer_unmatched=float(field.outer is not None and outer < _MIN_NAME_SIMILARITY),
        described=coverage(words(text), field.hint) if field.hint.all and is_short_text else 0.0,
        wordy_number=float(field.is_number and fact.profile.wordy > 0 and fact.profile.share("money") <= 0.5),
        number=float(field.is_number and fact.profile.share("number", "integer", "money") > 0.5),
        foreign=foreign_shape(field, fact),
        link_unnamed=float(fact.tag in ("a", "button") and fact.kind == "text" and best < _MIN_NAME_SIMILARITY),
    )


def _markup_features(field: SchemaField, fact: Column, place: int, page: PageFacts, best: float) -> tuple[float, ...]:
    text = fact.texts[0]
    is_iso = fact.kind not in WRITTEN_KINDS and (
        (text[:4].isdigit() and text[4:5] == "-") or _DURATION.match(text) is not None
    )
    return _fact_markup_features(
        head=float(bool(fact.tags & _HEAD_TAGS) and fact.kind == "text"),
        iso_asked=float(is_iso and field.wants_iso),
        iso=float(is_iso != field.wants_iso and fact.profile.share("date", "time", "duration") > 0.5),
        name_unnamed=float("name" in field.name.concepts and best < _MIN_NAME_SIMILARITY),
        hidden=float(any(_HIDDEN_CLASS.search(text) for markup, text in fact.hints if markup in CLASSES)),
        address=float(fact.kind in ("href", "src") and not text.startswith(("tel:", "mailto:"))),
        of_a_span=float(place in page.spans and field.is_number),
        outside=float(fact.is_outside),
        outside_unnamed=(1 - best) * fact.is_outside,
    )


def _shape(field: SchemaField) -> str:
    """Return the shape that is typical of a field's values; "" if none is."""
    if field.concepts & MONEY:
        return "money"
    return next((shape for shape in _LONE_FORMS if shape in field.concepts), "")
