"""What the page calls a value, and how much that is what a wish asks for."""

from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.markup_names import BY_LABEL, BY_MARKUP, OF_PART
from agentbrowser.extraction.columns.value_reader import UNITS
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.words import Words, coverage, joined, likeness

_OF_HINT: Final = 0.72
_OF_CORE: Final = 0.95
_OF_LAST: Final = 0.65
_TIMELY: Final = ("date", "ago", "time", "duration", "period")
_TYPE_CONCEPTS: Final = {
    "count": ("integer", "number"),
    "price": ("money",),
    "amount": ("money",),
    "email": ("email",),
    "phone": ("phone",),
    "percent": ("percent",),
}
_PART: Final = 4
PLAIN: Final = frozenset("kq")
"""The labels that name their value plainly."""
_MEANT: Final = 0.5
"""What a word must weigh to stand for all of a name."""


@attrs.frozen
class _Likeness:
    """How much what is said is what is asked for, by the several ways to ask for it."""

    name: float = 0.0
    cores: Sequence[tuple[float, tuple[str, ...]]] = ()
    own: float = 1.0
    """How much the name without that of its object is worth."""
    whole: float = 0.0
    hint: float = 0.0


_UNLIKE: Final = _Likeness()


@attrs.frozen(slots=False)
class FieldNames:
    """The words that a wish may be called by."""

    field: SchemaField
    is_subject: bool = False
    """Whether it is what the page is about, for want of a property that says so."""
    _known: dict[Words, _Likeness] = attrs.field(factory=dict, init=False, eq=False, repr=False)

    @cached
    def both(self) -> Words:
        """Its name with its description."""
        return joined(self.field.name, self.field.hint)

    @cached
    def whole(self) -> Words | None:
        """Its name with that of the object it belongs to."""
        return joined(self.field.outer, self.field.name) if self.field.outer else None

    @cached
    def cores(self) -> list[tuple[Words, tuple[str, ...]]]:
        """Its name without words for what kind of value it is, each with the looks that make up for them."""
        found: list[tuple[Words, tuple[str, ...]]] = []
        for at, word in enumerate(self.field.name.all):
            rest = Words(self.field.name.all[:at] + self.field.name.all[at + 1 :])
            if not rest.all:
                continue
            if self.field.type in ("number", "integer") and word.stem in UNITS:
                found.append((rest, ()))
            elif word.concepts & {"date", "time", "duration"}:
                found.append((rest, _TIMELY))
            elif "name" in word.concepts and self.field.type == "string":
                found.append((rest, ("",)))
            elif shapes := next((_TYPE_CONCEPTS[one] for one in word.concepts if one in _TYPE_CONCEPTS), None):
                found.append((rest, shapes))
            elif word.concepts & {"link", "image"}:
                found.append((rest, ("@",)))
        return found

    def alike(self, said: Words, fact: Column) -> float:
        """Return how much what is said of a value is what is asked for, 0 to 1."""
        if (known := self._known.get(said)) is None:
            known = self._known[said] = self._likeness(said)
        if known is _UNLIKE:
            return 0.0
        alike = known.name
        for core, shapes in known.cores:
            if core > alike and (not shapes or _has_shape(fact, shapes)):
                alike = core
        alike = max(alike * known.own, known.whole)
        return max(alike, known.hint) if alike < _OF_CORE else alike

    def _likeness(self, said: Words) -> "_Likeness":
        field = self.field
        name = likeness(field.name, said)
        if name < _OF_CORE and (self._is_compound(said) or self._is_short_for(said)):
            name = _OF_CORE
        cores = [(_OF_CORE * like, shapes) for core, shapes in self.cores if (like := likeness(core, said)) > 0]
        whole = likeness(self.whole, said) if self.whole is not None else 0.0
        hint = 0.0
        if field.hint.all:
            told = max(_OF_CORE * likeness(field.hint, said), 0.9 * likeness(self.both, said))
            hint = max(_OF_HINT * coverage(said, field.hint), told)
        if not (name or cores or whole or hint):
            return _UNLIKE
        return _Likeness(name, cores, 1.0 if self.whole is None else 0.95, whole, hint)

    def _is_compound(self, said: Words) -> bool:
        """Tell whether two words are the parts of the one that is asked for: "Hoogte toren" of torenhoogte."""
        if len(said.all) != 2 or len(self.field.name.all) > 2:
            return False
        whole = "".join(word.stem for word in self.field.name.all)
        parts = [word.stem for word in said.all]
        return all(len(part) >= _PART and part in whole for part in parts) and sum(map(len, parts)) >= len(whole) - 2

    def _is_short_for(self, said: Words) -> bool:
        """Tell whether letters are those that the words which are asked for begin with: "C.F." of codiceFiscale."""
        initials = "".join(word.stem[0] for word in self.field.name.all)
        return len(initials) > 1 and "".join(word.stem for word in said.all) == initials


def _has_shape(fact: Column, shapes: tuple[str, ...]) -> bool:
    if shapes == ("",):
        return fact.profile.wordy > 0 and fact.profile.numeric == 0
    if shapes == ("@",):
        return fact.kind in ("href", "src")
    return fact.profile.share(*shapes) > 0


@attrs.frozen
class NameMatch:
    """How much a value is called what is asked for, by where it is said; 0 to 1."""

    label: float = 0.0
    near: float = 0.0
    behind: float = 0.0
    markup: float = 0.0
    tag: float = 0.0
    data: float = 0.0
    unit: float = 0.0
    best: float = 0.0


def called(names_of_field: FieldNames, fact: Column) -> NameMatch:
    """Return how much a value is called what is asked for."""
    label = near = behind = 0.0
    for letter, said in fact.labelled:
        if not (alike := names_of_field.alike(said, fact)):
            continue
        if letter in PLAIN:
            label = max(label, alike * BY_LABEL[letter])
        elif letter == "w":
            behind = max(behind, alike)
        else:
            near = max(near, alike * BY_LABEL.get(letter, 0.6))
    if fact.is_aside:
        near = behind = 0.0
    markup, tag = _by_markup(names_of_field, fact)
    data = max([trust * names_of_field.alike(said, fact) for said, trust in fact.called], default=0.0)
    unit = max([trust * names_of_field.alike(said, fact) for said, trust in fact.units], default=0.0)
    best = max(label, near, behind * BY_LABEL["w"], markup, tag, data, unit)
    return NameMatch(label, near, behind, markup, tag, data, unit, best)


def _by_markup(names_of_field: FieldNames, fact: Column) -> tuple[float, float]:
    markup = tag = 0.0
    for letter, said, trust in fact.hinted:
        if letter == "t":
            tag = max(tag, trust * names_of_field.alike(said, fact))
        elif letter in BY_MARKUP:
            alike = names_of_field.alike(said, fact)
            if len(said.all) > 1 and letter in "cuind" and said.all[-1].weight > _MEANT:
                alike = max(alike, _OF_LAST * names_of_field.alike(said.last, fact))
            markup = max(markup, alike * BY_MARKUP[letter] * (OF_PART if fact.kind == "part" else 1.0))
    return markup, tag
