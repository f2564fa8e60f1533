"""What speaks for one value on a page being what a wish asks for, and against it: numbers to fit weights to."""

import re
from collections.abc import Sequence
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.columns.column import Column
from agentbrowser.extraction.columns.markup_names import HEADINGS
from agentbrowser.extraction.columns.value_reader import Reader
from agentbrowser.extraction.match.column_fit import NEVER, looks, said_by_values
from agentbrowser.extraction.match.field_names import PLAIN, FieldNames, NameMatch
from agentbrowser.extraction.schema.concepts import MONEY
from agentbrowser.extraction.schema.schema_fields import SchemaField
from agentbrowser.extraction.text.words import coverage, likeness, words

_NAMED: Final = 0.15
_WELL: Final = 0.85
_WORTH_A_LOOK: Final = 0.3
_LONG: Final = 60
_DURATION: Final = re.compile(r"^P(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?$")
_GLUED: Final = re.compile(r"^[^\W\d]{3,}\d+$")
_TITLES: Final = frozenset(("name", "title", "thing", "job"))
_THINGS: Final = frozenset((
    "company", "person", "city", "location", "team", "dish", "hotel", "album", "course", "artist", "seller", "category",
    "species", "station", "stadium", "genre", "customer", "department",
))  # fmt: skip
"""What a page may be about, and be called."""
_MAKERS: Final = frozenset(("author", "artist", "brand", "maker", "company", "seller", "publisher", "owner", "person"))
_STRUCK: Final = frozenset(("s", "del", "strike"))
_ACTIONS: Final = frozenset(("button", "a"))
_HEADS: Final = frozenset(("th", "dt", "label", "legend"))
_PROSE: Final = frozenset(("description", "summary", "text", "bio", "comment", "review", "answer", "definition"))
_NEAR: Final = 40
_FOLLOWING: Final = 14
_BESIDE: Final = 4
_FEW: Final = 60
_LINE: Final = 120
_SHOWN: Final = frozenset(("text", "part", "href"))
_BETWEEN: Final = re.compile(r"\s+[|·•–—»:-]\s+|\s+::\s+")
_HIDDEN: Final = re.compile(r"sr-?only|visually-?hidden|assistive|screen-?reader|off-?screen|a11y", re.IGNORECASE)
"""Classes of what is said to those who listen only."""
_DIGITS: Final = re.compile(r"\d[\d.,]*")
_OF_ALL: Final = re.compile(r"(?:\d+\s?[-–]\s?)?\d+\s*(?:/|of|von|de|sur|di|van|z|af|av|om)\s*\d[\d.,]*", re.IGNORECASE)
_FIRST: Final = 2.5
_FURTHER: Final = 0.5
_LEVEL: Final = 0.9
"""What it is worth that a heading is in the first part of the document's title, in another, and of a higher level."""
_SAID: Final = frozenset(("text", "part"))
_UNLIKE: Final = -0.8
"""How a text looks that is called what is asked for, and is not written as such values are."""
_SHAPES: Final = ("money", "email", "phone", "percent")

TRAITS: Final = (
    "+label", "+plain label", "+near", "+behind", "+markup", "+tag", "+data", "+unit", "+best", "+well", "-unnamed",
    "-unnamed but known", "-otherwise", "-otherwise known", "-rival", "+look", "-odd", "+look unnamed", "+look named",
    "-part", "-aria", "-attribute", "-data attribute", "~json", "~meta", "~class", "~value", "-aside",
    "-aside unnamed", "-repeated", "-repeated unnamed", "-label itself", "-composite", "-heading", "+title", "-section",
    "-title taken", "+subtitle", "-struck", "-action", "-late", "-far unnamed", "-long", "+beside title",
    "-address of contact", "-says the name", "+alone", "+outer", "-outer unmatched", "+said by hint", "-wordy number",
    "+number", "-foreign", "-link unnamed", "-head", "+iso asked", "-iso", "-name unnamed",
    "-hidden", "+address", "-of a span", "-outside", "-outside unnamed",
)  # fmt: skip
"""What is told of a wish with a value: for it (+), against it (-), or one or the other (~)."""


@attrs.frozen(slots=False)
class PageFacts:
    """The facts of a page, and where its title is."""

    facts: Sequence[Column]
    fields: Sequence[SchemaField]

    @cached
    def has_name(self) -> bool:
        """Whether a name is asked for, which the title then is."""
        return any(
            "name" in field.name.concepts and field.outer is None and len(field.name.all) < 3 for field in self.fields
        )

    @cached
    def subtitle(self) -> int | None:
        """The place of the text that follows the title."""
        if self.title is None:
            return None
        behind = range(self.title + 1, min(len(self.facts), self.title + _FOLLOWING))
        said = self.facts[self.title].texts[0]
        at = next((at for at in behind if self._is_line(self.facts[at]) and self.facts[at].texts[0] not in said), None)
        return at if at is not None and not self.facts[at].tags & HEADINGS else None

    def _is_line(self, fact: Column) -> bool:
        return fact.kind == "text" and not fact.is_composite and fact.profile.length < _LINE

    @cached
    def title(self) -> int | None:
        """The place of what the page is called by."""
        scores = [(self._score(fact), -at) for at, fact in enumerate(self.facts) if self._is_heading(fact)]
        return self._first_of(-max(scores)[1]) if scores else None

    def _score(self, heading: Column) -> float:
        """Return how much a heading is what the page is called by: by its level, and by the title of the document."""
        text = heading.texts[0]
        told = next((part for part, said in enumerate(self.document) if text in said), None) if len(text) > 2 else None
        called = 0.0 if told is None else _FIRST if told == 0 else _FURTHER
        return called - _LEVEL * int(min(heading.tags & HEADINGS)[1]) - heading.is_aside - heading.is_repeated

    @cached
    def document(self) -> Sequence[str]:
        """The parts of the title of the document, the last of which is often the site."""
        said = next((fact.texts[0] for fact in self.facts if fact.key == "title"), "")
        return _BETWEEN.split(said)

    def _first_of(self, place: int) -> int:
        """Return the first of the texts that a title holds, where it holds several."""
        title = self.facts[place]
        inner = range(place + 1, min(len(self.facts), place + _BESIDE))
        first = (at for at in inner if title.texts[0].startswith(self.facts[at].texts[0] + " "))
        return next((at for at in first if self.facts[at].kind == "text"), place) if title.is_composite else place

    def _is_heading(self, fact: Column) -> bool:
        return (
            bool(fact.tags & HEADINGS)
            and fact.kind == "text"
            and ("h1" in fact.tags or not (fact.is_aside or fact.is_repeated))
        )

    @cached
    def spans(self) -> frozenset[int]:
        """The places of the numbers that are pieces of "1-9 of 47", but for the last."""
        found: set[int] = set()
        for at, fact in enumerate(self.facts):
            said = _OF_ALL.search(fact.texts[0]) if fact.kind in _SHOWN and len(fact.texts[0]) < _LINE else None
            pieces = _DIGITS.findall(said[0])[:-1] if said else ()
            behind = range(at + 1, min(len(self.facts), at + _FOLLOWING)) if said else ()
            found.update(place for place in behind if self.facts[place].texts[0] in pieces)
        return frozenset(found)

    @cached
    def alone(self) -> frozenset[str]:
        """What only one value of the page looks like: money, an address of mail."""
        seen: dict[str, set[str]] = {}
        for fact in self.facts:
            if fact.kind in _SHOWN and not fact.is_composite and len(fact.texts[0]) < _LINE:
                for shape in _SHAPES:
                    if fact.profile.share(shape) > 0.5:
                        seen.setdefault(shape, set()).add(_bare(shape, fact.texts[0]))
        return frozenset(shape for shape, values in seen.items() if len(values) == 1)


def _bare(shape: str, text: str) -> str:
    """Return a value without how it is written."""
    return text.removeprefix("mailto:").strip() if shape == "email" else "".join(filter(str.isdigit, text))


def features(
    names_of_field: FieldNames, fact: Column, place: int, page: PageFacts, names: NameMatch, rival: float
) -> tuple[float, ...] | None:
    """Return the traits of a wish with a value; None where it can't be."""
    field = names_of_field.field
    best = names.best
    look = looks(field, fact)
    if look <= NEVER and field.type == "string" and best > _NAMED and fact.kind in _SAID:
        look = _UNLIKE
    if look <= NEVER or (fact.is_many and not field.is_many) or fact.tag in ("label", "legend"):
        return None
    if field.type == "boolean" and fact.tag == "button" and fact.kind == "text":
        return None
    if field.type == "boolean":
        best = max(best, said_by_values(field, fact))
    is_unnamed = best < _NAMED
    is_title = page.title == place
    beside = page.title is not None and 0 < abs(place - page.title) <= _BESIDE
    if is_unnamed and look < _WORTH_A_LOOK and not (is_title or beside or _is_labelled(fact)):
        return None
    if Reader(field, fact).read(fact.texts[0]) is None or _is_for_machines(field, fact.texts[0]):
        return None
    return (
        *_of_names(field, fact, names, best, rival, look),
        *_of_kind(field, fact, best),
        *_of_place(names_of_field, fact, place, page, best),
        *_of_text(names_of_field, fact, place, page, best),
    )


def _is_labelled(fact: Column) -> bool:
    """Tell whether the page names a value plainly, be it in words that nothing is known of; its place may then tell."""
    return any(label[0] in PLAIN for label in fact.labels) and not (fact.is_label or fact.is_aside)


def _is_for_machines(field: SchemaField, text: str) -> bool:
    """Tell whether a text is a duration as no page shows one, which nobody has asked for: PT20M."""
    return text[:1] == "P" and bool(_DURATION.match(text)) and field.type == "string" and not field.wants_iso


def _of_names(
    field: SchemaField, fact: Column, names: NameMatch, best: float, rival: float, look: float
) -> tuple[float, ...]:
    is_unnamed = best < _NAMED
    own = [words(label[1:]) for label in fact.labels if label[0] in PLAIN]
    is_otherwise = bool(own) and names.label < _NAMED
    is_known = is_otherwise and any(word.concepts for said in own for word in said.all)
    return (
        names.label,
        float(names.label > _WELL),
        names.near,
        names.behind,
        names.markup,
        names.tag,
        names.data,
        names.unit,
        best,
        float(best > _WELL),
        float(is_unnamed),
        float(is_unnamed and bool(field.concepts)),
        float(is_otherwise),
        float(is_known),
        max(0.0, rival - best),
        max(0.0, look),
        max(0.0, -look),
        max(0.0, look) * is_unnamed,
        max(0.0, look) * best,
    )


def _of_kind(field: SchemaField, fact: Column, best: float) -> tuple[float, ...]:
    kind = fact.kind
    return (
        float(kind == "part"),
        float(kind == "aria"),
        float(kind in ("alt", "title")),
        float(kind.startswith("data-")),
        float(fact.tag == "json"),
        float(fact.tag == "meta"),
        float(kind == "class"),
        float(kind in ("value", "datetime", "content")),
        float(fact.is_aside),
        (1 - best) * fact.is_aside,
        float(fact.is_repeated),
        (1 - best) * fact.is_repeated,
        float(fact.is_label) * (0.3 if any(label[0] in PLAIN for label in fact.labels) else 1.0),
        float(fact.is_composite),
    )


def _of_place(names_of_field: FieldNames, fact: Column, place: int, page: PageFacts, best: float) -> tuple[float, ...]:
    field = names_of_field.field
    is_title = place == page.title
    wants_title = field.type == "string" and (
        bool(field.name.concepts & _TITLES) or (names_of_field.is_subject and bool(field.concepts & _THINGS))
    )
    is_taken = field.outer is not None or (page.has_name and "name" not in field.name.concepts)
    off = abs(place - page.title) if page.title is not None else _NEAR
    is_heading = bool(fact.tags & HEADINGS) and fact.kind == "text"
    is_beside = 0 < off <= _BESIDE and not (fact.profile.numeric or is_heading) and len(fact.texts[0]) < _FEW
    return (
        float(is_heading and not wants_title and not is_title),
        float(is_title and wants_title and not is_taken),
        float(is_heading and wants_title and not is_title),
        float(is_title and (not wants_title or is_taken)),
        float(place == page.subtitle and (bool(field.concepts & _PROSE) or (wants_title and is_taken))),
        float(bool(fact.tags & _STRUCK) and bool(field.concepts & MONEY) and "old" not in field.concepts),
        float(field.type == "boolean" and bool(fact.tags & _ACTIONS) and fact.kind == "text"),
        place / len(page.facts),
        min(1.0, off / _NEAR) * (best < _NAMED),
        min(2.0, len(fact.texts[0]) / _LONG)
        if not field.concepts & _PROSE and fact.kind not in ("href", "src")
        else 0.0,
        float(is_beside and bool(field.concepts & _MAKERS) and field.type == "string"),
    )


def _of_text(names_of_field: FieldNames, fact: Column, place: int, page: PageFacts, best: float) -> tuple[float, ...]:
    field, text = names_of_field.field, fact.texts[0]
    shape = _shape(field)
    is_alone = shape in page.alone and fact.kind in _SHOWN and fact.profile.share(shape) > 0.5
    is_iso = text[:4].isdigit() and text[4:5] == "-" and fact.kind not in ("text", "part")
    is_number = field.type in ("number", "integer")
    outer = 0.0
    if field.outer is not None:
        said = [words(fact.section), *(words(label[1:]) for label in fact.labels), *(words(n) for n, _ in fact.names)]
        outer = max(likeness(field.outer, one) if one.all else 0.0 for one in said)
    says = likeness(field.name, words(text)) if field.type == "string" and len(text) < 30 else 0.0
    is_link = fact.tag in ("a", "button") and fact.kind == "text"
    return (
        float(fact.kind == "href" and text.startswith(("tel:", "mailto:"))),
        float(says > 0.7),
        float(is_alone),
        outer,
        float(field.outer is not None and outer < _NAMED),
        coverage(words(text), field.hint) if field.hint.all and len(text) < 30 and field.type == "string" else 0.0,
        float(is_number and fact.profile.wordy > 0 and fact.profile.share("money") <= 0.5),
        float(is_number and fact.profile.share("number", "integer", "money") > 0.5),
        _foreign(field, fact),
        float(is_link and best < _NAMED),
        float(bool(fact.tags & _HEADS) and fact.kind == "text"),
        float(is_iso and field.wants_iso),
        float(is_iso != field.wants_iso and fact.profile.share("date", "time") > 0.5),
        float("name" in field.name.concepts and best < _NAMED),
        float(any(_HIDDEN.search(hint) for hint in fact.hints if hint[0] in "cu")),
        float(fact.kind in ("href", "src") and not text.startswith(("tel:", "mailto:"))),
        float(place in page.spans and field.type in ("number", "integer")),
        float(fact.is_outside),
        (1 - best) * fact.is_outside,
    )


def _foreign(field: SchemaField, fact: Column) -> float:
    """Return how far a value looks like something else than what is asked for: money where a weight is."""
    share = fact.profile.share
    concepts = field.concepts | field.hint.concepts
    if field.type not in ("number", "integer", "string") or not concepts:
        return 0.0
    is_money = share("money") > 0.5 and not concepts & (MONEY | {"currency", "discount", "old", "revenue", "rent"})
    is_share = share("percent") > 0.5 and field.type != "string" and "percent" not in concepts and "%" not in field.said
    is_timely = field.type != "string" and share("date", "time", "phone", "email") > 0.5 and "year" not in concepts
    is_glued = field.type in ("number", "integer") and bool(_GLUED.search(fact.texts[0]))
    return float(is_money or is_timely or is_glued) + 0.5 * is_share


def _shape(field: SchemaField) -> str:
    """Return the look that values of a wish have and few others."""
    if field.concepts & MONEY:
        return "money"
    return next((shape for shape in ("email", "phone", "percent") if shape in field.concepts), "")
