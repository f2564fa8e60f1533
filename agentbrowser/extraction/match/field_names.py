"""Names of a schema field, and their similarity to the names that the page gives a fact."""

from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.page_names import (
    CLASSES,
    OF_PART,
    PLAIN_RELATIONS,
    TRUST_BY_MARKUP,
    TRUST_BY_RELATION,
    Markup,
    Relation,
)
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.units import UNITS
from agentbrowser.extraction.text.words import Words, coverage, likeness, union
from agentbrowser.long_work import give_way

_OF_HINT: Final = 0.72
_OF_CORE: Final = 0.95
_OF_LAST: Final = 0.65
_TIME_FORMS: Final = ("date", "ago", "time", "duration", "period")
_TYPE_CONCEPTS: Final = {
    "count": ("integer", "number"),
    "price": ("money",),
    "amount": ("money",),
    "email": ("email",),
    "phone": ("phone",),
    "percent": ("percent",),
}
"""Shapes of the values that a concept stands for; of a word with several, as "rate", the first counts."""
_MIN_PART: Final = 4
_IDENTIFIERS: Final = CLASSES | {Markup.ID, Markup.NAME, Markup.DATA_ATTRIBUTE}
"""Markup whose last word names the value, after words for its surroundings: ``product-card-price``."""
_OWN_HEADING: Final = 0.8
"""Least similarity of a heading in a sidebar to the field whose value is below it."""
_LEAST_WEIGHT: Final = 0.5
"""Least weight of a word that can replace a whole name."""


@attrs.frozen
class _Similarity:
    """Similarity of a phrase to the names of a field."""

    name: float = 0.0
    cores: Sequence[tuple[float, tuple[str, ...]]] = ()
    """Similarity to each core, with the shapes of values that it holds for."""
    without_owner: float = 1.0
    """Factor of the name without the name of its object."""
    with_owner: float = 0.0
    """Similarity to the name with the name of its object."""
    hint: float = 0.0


_NO_SIMILARITY: Final = _Similarity()


@attrs.frozen(slots=False)
class FieldNames:
    """Words that may name a field, with the similarities that are already known."""

    field: SchemaField
    is_subject: bool = False
    """True if it names the object, for want of a field called so."""
    _known: dict[Words, _Similarity] = attrs.field(factory=dict, init=False, eq=False, repr=False)

    @cached
    def both(self) -> Words:
        """Return its name with its description."""
        return union((self.field.name, self.field.hint))

    @cached
    def with_owner(self) -> Words | None:
        """Return its name with the name of the object that it belongs to; None at the top level."""
        return union((self.field.outer, self.field.name)) if self.field.outer else None

    @cached
    def cores(self) -> list[tuple[Words, tuple[str, ...]]]:
        """Return its name without a word for the type of value, each with the shapes that replace that word."""
        found: list[tuple[Words, tuple[str, ...]]] = []
        for at, word in enumerate(self.field.name.all):
            rest = Words(self.field.name.all[:at] + self.field.name.all[at + 1 :])
            if not rest.all:
                continue
            if self.field.is_number and word.stem in UNITS:
                found.append((rest, ()))
            elif word.concepts & {"date", "time", "duration", "preptime", "cooktime"}:
                found.append((rest, _TIME_FORMS))
            elif "name" in word.concepts and self.field.type == "string":
                found.append((rest, ("",)))
            elif shapes := next((known for one, known in _TYPE_CONCEPTS.items() if one in word.concepts), None):
                found.append((rest, shapes))
            elif word.concepts & {"link", "image"}:
                found.append((rest, ("@",)))
        return found

    def similarity(self, phrase: Words, fact: Column) -> float:
        """Return the similarity of a name of a fact, 0 to 1."""
        if (known := self._known.get(phrase)) is None:
            known = self._known[phrase] = self._similarity(phrase)
        if known is _NO_SIMILARITY:
            return 0.0
        similar = known.name
        for core, shapes in known.cores:
            if core > similar and (not shapes or _has_shape(fact, shapes)):
                similar = core
        similar = max(similar * known.without_owner, known.with_owner)
        return max(similar, known.hint) if similar < _OF_CORE else similar

    def _similarity(self, phrase: Words) -> "_Similarity":
        field = self.field
        name = likeness(field.name, phrase)
        if name < _OF_CORE and (self._is_compound(phrase) or self._is_short_for(phrase)):
            name = _OF_CORE
        cores = [(_OF_CORE * like, shapes) for core, shapes in self.cores if (like := likeness(core, phrase)) > 0]
        with_owner = likeness(self.with_owner, phrase) if self.with_owner is not None else 0.0
        hint = 0.0
        if field.hint.all:
            whole_hint = max(_OF_CORE * likeness(field.hint, phrase), 0.9 * likeness(self.both, phrase))
            hint = max(_OF_HINT * coverage(phrase, field.hint), whole_hint)
        if not (name or cores or with_owner or hint):
            return _NO_SIMILARITY
        return _Similarity(name, cores, 1.0 if self.with_owner is None else 0.95, with_owner, hint)

    def _is_compound(self, phrase: Words) -> bool:
        """Return True if two words are the parts of a compound name: "Hoogte toren" of torenhoogte."""
        if len(phrase.all) != 2 or len(self.field.name.all) > 2:
            return False
        whole = "".join(word.stem for word in self.field.name.all)
        parts = [word.stem for word in phrase.all]
        return (
            all(len(part) >= _MIN_PART and part in whole for part in parts) and sum(map(len, parts)) >= len(whole) - 2
        )

    def _is_short_for(self, phrase: Words) -> bool:
        """Return True if a phrase is the initials of the name: "C.F." of codiceFiscale."""
        initials = "".join(word.stem[0] for word in self.field.name.all)
        return len(initials) > 1 and "".join(word.stem for word in phrase.all) == initials


def _has_shape(fact: Column, shapes: tuple[str, ...]) -> bool:
    if shapes == ("",):
        return fact.profile.wordy > 0 and fact.profile.numeric == 0
    if shapes == ("@",):
        return fact.kind in ("href", "src")
    return fact.profile.share(*shapes) > 0


@attrs.frozen
class NameMatch:
    """Similarity of a fact's names to a field by the source of each, 0 to 1."""

    label: float = 0.0
    near: float = 0.0
    after: float = 0.0
    markup: float = 0.0
    tag: float = 0.0
    data: float = 0.0
    unit: float = 0.0
    best: float = 0.0


_NO_NAME: Final = NameMatch()
"""Most pairs have no name in common: half a million of them need no object each."""


def name_match(names_of_field: FieldNames, fact: Column) -> NameMatch:
    """Return the similarity of a fact's names to a field."""
    give_way()
    label = near = after = 0.0
    for relation, phrase in fact.label_words:
        if not (similar := names_of_field.similarity(phrase, fact)):
            continue
        if relation in PLAIN_RELATIONS:
            label = max(label, similar * TRUST_BY_RELATION[relation])
        elif relation == Relation.BETWEEN:
            after = max(after, similar)
        else:
            near = max(near, similar * TRUST_BY_RELATION[relation])
    if fact.is_aside:  # where most texts are links beside each other; a heading of the field's own name counts
        near = near if near >= _OWN_HEADING else 0.0
        after = 0.0
    markup, tag = _by_markup(names_of_field, fact)
    data = max([trust * names_of_field.similarity(phrase, fact) for phrase, trust in fact.data_names], default=0.0)
    unit = max([trust * names_of_field.similarity(phrase, fact) for phrase, trust in fact.unit_names], default=0.0)
    best = max(label, near, after * TRUST_BY_RELATION[Relation.BETWEEN], markup, tag, data, unit)
    if not best:
        return _NO_NAME
    return NameMatch(label, near, after, markup, tag, data, unit, best)


def _by_markup(names_of_field: FieldNames, fact: Column) -> tuple[float, float]:
    markup = tag = 0.0
    for source, phrase, trust in fact.hint_words:
        if source == Markup.TAG:
            tag = max(tag, trust * names_of_field.similarity(phrase, fact))
            continue
        similar = names_of_field.similarity(phrase, fact)
        if len(phrase.all) > 1 and source in _IDENTIFIERS and phrase.all[-1].weight > _LEAST_WEIGHT:
            similar = max(similar, _OF_LAST * names_of_field.similarity(phrase.last, fact))
        markup = max(markup, similar * TRUST_BY_MARKUP[source] * (OF_PART if fact.kind == "part" else 1.0))
    return markup, tag
