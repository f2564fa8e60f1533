"""What speaks for one value on a page being what a wish asks for, and against it: numbers for weights to be fitted to."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import attrs

from agentbrowser.browser.extraction.candidates import _SAID_BY_TAG, Series
from agentbrowser.browser.extraction.fit import MONEY, NEVER, looks, said_by_values
from agentbrowser.browser.extraction.typed import UNITS, Reader, wants_iso
from agentbrowser.browser.extraction.wishes import Wish
from agentbrowser.browser.extraction.words import Words, coverage, likeness, words

_LABELS: Final = {"k": 1.0, "q": 0.9, "h": 0.85, "a": 0.8, "b": 0.75, "w": 0.45}
_MARKUP: Final = {"p": 0.95, "d": 0.85, "n": 0.85, "c": 0.8, "a": 0.85, "i": 0.75, "e": 0.75, "u": 0.7, "r": 0.6}
_PLAIN: Final = frozenset("kq")
_OF_HINT: Final = 0.72
_OF_CORE: Final = 0.95
_OF_LAST: Final = 0.65
_NAMED: Final = 0.15
_WELL: Final = 0.85
_WORTH_A_LOOK: Final = 0.3
_LONG: Final = 60
_TIMELY: Final = ("date", "ago", "time", "duration", "period")
_TYPE_CONCEPTS: Final = {
    "count": ("integer", "number"),
    "price": ("money",),
    "amount": ("money",),
    "email": ("email",),
    "phone": ("phone",),
    "percent": ("percent",),
}
_DURATION: Final = re.compile(r"^P(?:\d+[YMWD])*(?:T(?:\d+[HMS])+)?$")
_GLUED: Final = re.compile(r"^[^\W\d]{3,}\d+$")
_TITLES: Final = frozenset(("name", "title", "thing", "job"))
_MAKERS: Final = frozenset(("author", "artist", "brand", "maker", "company", "seller", "publisher", "owner", "person"))
_HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_STRUCK: Final = frozenset(("s", "del", "strike"))
_ACTIONS: Final = frozenset(("button", "a"))
_HEADS: Final = frozenset(("th", "dt", "label", "legend"))
_PROSE: Final = frozenset(("description", "summary", "text"))
_NEAR: Final = 40
_PART: Final = 4
_FOLLOWING: Final = 14
_BESIDE: Final = 4
_FEW: Final = 60
_LINE: Final = 120
_SHOWN: Final = frozenset(("text", "part", "href"))
_SHAPES: Final = ("money", "email", "phone", "percent")

TRAITS: Final = (
    "+label", "+plain label", "+near", "+behind", "+markup", "+tag", "+data", "+unit", "+best", "+well", "-unnamed",
    "-unnamed but known", "-otherwise", "-otherwise known", "-rival", "+look", "-odd", "+look unnamed", "+look named",
    "-part", "-aria", "-attribute", "-data attribute", "~json", "~meta", "~class", "~value", "-aside",
    "-aside unnamed", "-repeated", "-repeated unnamed", "-label itself", "-composite", "-heading", "+title", "-section",
    "-title taken", "+subtitle", "-struck", "-action", "-late", "-far unnamed", "-long", "+beside title",
    "-address of contact", "-says the name", "+alone", "+outer", "-outer unmatched", "+said by hint", "-wordy number",
    "+number", "-foreign", "-link unnamed", "-head", "+iso asked", "-iso", "-name unnamed",
)  # fmt: skip
"""What is told of a wish with a value: for it (+), against it (-), or one or the other (~)."""


@attrs.frozen(slots=False)
class Naming:
    """The words that a wish may be called by."""

    wish: Wish
    is_subject: bool = False
    """Whether it is what the page is about, for want of a property that says so."""

    @cached_property
    def both(self) -> Words:
        """Its name with its description."""
        return _joined(self.wish.name, self.wish.hint)

    @cached_property
    def whole(self) -> Words | None:
        """Its name with that of the object it belongs to."""
        return _joined(self.wish.outer, self.wish.name) if self.wish.outer else None

    @cached_property
    def cores(self) -> list[tuple[Words, tuple[str, ...]]]:
        """Its name without words for what kind of value it is, each with the looks that make up for them."""
        found = []
        for at, word in enumerate(self.wish.name.all):
            rest = Words(self.wish.name.all[:at] + self.wish.name.all[at + 1 :])
            if not rest.all:
                continue
            if self.wish.type in ("number", "integer") and word.stem in UNITS:
                found.append((rest, ()))
            elif word.concepts & {"date", "time", "duration"}:
                found.append((rest, _TIMELY))
            elif "name" in word.concepts and self.wish.type == "string":
                found.append((rest, ("",)))
            elif shapes := next((_TYPE_CONCEPTS[one] for one in word.concepts if one in _TYPE_CONCEPTS), None):
                found.append((rest, shapes))
            elif word.concepts & {"link", "image"}:
                found.append((rest, ("@",)))
        return found

    def alike(self, said: Words, fact: Series) -> float:
        """Return how much what is said of a value is what is asked for, 0 to 1."""
        wish = self.wish
        alike = likeness(wish.name, said)
        if alike < _OF_CORE and (self._is_compound(said) or self._is_short_for(said)):
            alike = _OF_CORE
        for core, shapes in self.cores:
            if not shapes or _has_shape(fact, shapes):
                alike = max(alike, _OF_CORE * likeness(core, said))
        if self.whole is not None:
            alike = max(alike * 0.95, likeness(self.whole, said))
        if alike < _OF_CORE and wish.hint.all:
            alike = max(alike, _OF_HINT * coverage(said, wish.hint), 0.9 * likeness(self.both, said))
        return alike

    def _is_compound(self, said: Words) -> bool:
        """Tell whether two words are the parts of the one that is asked for: "Hoogte toren" of torenhoogte."""
        if len(said.all) != 2 or len(self.wish.name.all) > 2:
            return False
        whole = "".join(word.stem for word in self.wish.name.all)
        parts = [word.stem for word in said.all]
        return all(len(part) >= _PART and part in whole for part in parts) and sum(map(len, parts)) >= len(whole) - 2

    def _is_short_for(self, said: Words) -> bool:
        """Tell whether letters are those that the words which are asked for begin with: "C.F." of codiceFiscale."""
        initials = "".join(word.stem[0] for word in self.wish.name.all)
        return len(initials) > 1 and "".join(word.stem for word in said.all) == initials


def _has_shape(fact: Series, shapes: tuple[str, ...]) -> bool:
    if shapes == ("",):
        return fact.profile.wordy > 0 and fact.profile.numeric == 0
    if shapes == ("@",):
        return fact.kind in ("href", "src")
    return fact.profile.share(*shapes) > 0


def _joined(one: Words, two: Words) -> Words:
    key = (one, two)
    if key not in _JOINED:
        if len(_JOINED) > 2000:
            _JOINED.clear()
        _JOINED[key] = Words(tuple(dict.fromkeys((*one.all, *two.all))))
    return _JOINED[key]


_JOINED: dict[tuple[Words, Words], Words] = {}


@attrs.frozen(slots=False)
class Scene:
    """The facts of a page, and where its title is."""

    facts: Sequence[Series]
    wishes: Sequence[Wish]

    @cached_property
    def has_name(self) -> bool:
        """Whether a name is asked for, which the title then is."""
        return any(
            "name" in wish.name.concepts and wish.outer is None and len(wish.name.all) < 3 for wish in self.wishes
        )

    @cached_property
    def subtitle(self) -> int | None:
        """The place of the text that follows the title."""
        if self.title is None:
            return None
        behind = range(self.title + 1, min(len(self.facts), self.title + _FOLLOWING))
        said = self.facts[self.title].texts[0]
        at = next((at for at in behind if self._is_line(self.facts[at]) and self.facts[at].texts[0] not in said), None)
        return at if at is not None and not self.facts[at].tags & _HEADINGS else None

    def _is_line(self, fact: Series) -> bool:
        return fact.kind == "text" and not fact.is_composite and fact.profile.length < _LINE

    @cached_property
    def title(self) -> int | None:
        """The place of what the page is called by."""
        place = next((at for at, fact in enumerate(self.facts) if "h1" in fact.tags and fact.kind == "text"), None)
        if place is not None:
            return self._first_of(place)
        levels = [(min(fact.tags & _HEADINGS), at) for at, fact in enumerate(self.facts) if self._is_heading(fact)]
        return min(levels)[1] if levels else None

    def _first_of(self, place: int) -> int:
        """Return the first of the texts that a title holds, where it holds several."""
        title = self.facts[place]
        inner = range(place + 1, min(len(self.facts), place + _BESIDE))
        first = (at for at in inner if title.texts[0].startswith(self.facts[at].texts[0] + " "))
        return next((at for at in first if self.facts[at].kind == "text"), place) if title.is_composite else place

    def _is_heading(self, fact: Series) -> bool:
        return bool(fact.tags & _HEADINGS) and fact.kind == "text" and not fact.is_aside and not fact.is_repeated

    @cached_property
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


@attrs.frozen
class Called:
    """How much a value is called what is asked for, by where it is said; 0 to 1."""

    label: float = 0.0
    near: float = 0.0
    behind: float = 0.0
    markup: float = 0.0
    tag: float = 0.0
    data: float = 0.0
    unit: float = 0.0
    best: float = 0.0


def called(naming: Naming, fact: Series) -> Called:
    """Return how much a value is called what is asked for."""
    label = near = behind = 0.0
    for one in fact.labels:
        alike = naming.alike(words(one[1:]), fact)
        if one[0] in _PLAIN:
            label = max(label, alike * _LABELS[one[0]])
        elif one[0] == "w":
            behind = max(behind, alike)
        else:
            near = max(near, alike * _LABELS.get(one[0], 0.6))
    if fact.is_aside:
        near = behind = 0.0
    markup, tag = _by_markup(naming, fact)
    data = max((trust * naming.alike(words(name), fact) for name, trust in fact.names), default=0.0)
    unit = max((trust * naming.alike(said, fact) for said, trust in _units(fact)), default=0.0)
    best = max(label, near, behind * _LABELS["w"], markup, tag, data, unit)
    return Called(label, near, behind, markup, tag, data, unit, best)


def _by_markup(naming: Naming, fact: Series) -> tuple[float, float]:
    markup = tag = 0.0
    for hint in fact.hints:
        letter, name = hint[0], hint[1:]
        if letter == "t":
            if known := _SAID_BY_TAG.get(name):
                tag = max(tag, known[1] * naming.alike(words(known[0]), fact))
        elif letter in _MARKUP:
            said = words(name)
            alike = naming.alike(said, fact)
            if len(said.all) > 1 and letter in "cuind":
                last = Words(said.all[-1:])
                alike = max(alike, _OF_LAST * naming.alike(last, fact) * (said.all[-1].weight > 0.5))
            markup = max(markup, alike * _MARKUP[letter] * (0.75 if fact.kind == "part" else 1.0))
    return markup, tag


def _units(fact: Series) -> list[tuple[Words, float]]:
    return [(said, trust) for said, trust in fact.evidence if trust in (0.5, 0.65, 0.7, 0.8)] if _is_short(fact) else []


def _is_short(fact: Series) -> bool:
    return len(fact.texts[0]) < _FEW and fact.kind in ("text", "part", "aria")


def traits(
    naming: Naming, fact: Series, place: int, scene: Scene, names: Called, rival: float
) -> tuple[float, ...] | None:
    """Return the traits of a wish with a value; None where it can't be."""
    wish = naming.wish
    look = looks(wish, fact)
    if look <= NEVER or (fact.is_many and not wish.is_many) or fact.tag in ("label", "legend"):
        return None
    if wish.type == "boolean" and fact.tag == "button" and fact.kind == "text":
        return None
    best = names.best
    if wish.type == "boolean":
        best = max(best, said_by_values(wish, fact))
    is_unnamed = best < _NAMED
    is_title = scene.title == place
    beside = scene.title is not None and 0 < abs(place - scene.title) <= _BESIDE
    if is_unnamed and look < _WORTH_A_LOOK and not (is_title or beside):
        return None
    if Reader(wish, fact).read(fact.texts[0]) is None or _is_for_machines(wish, fact.texts[0]):
        return None
    return (
        *_of_names(wish, fact, names, best, rival, look),
        *_of_kind(wish, fact, best),
        *_of_place(naming, fact, place, scene, best),
        *_of_text(naming, fact, scene, best),
    )


def _is_for_machines(wish: Wish, text: str) -> bool:
    """Tell whether a text is a duration as no page shows one, which nobody has asked for: PT20M."""
    return text[:1] == "P" and bool(_DURATION.match(text)) and wish.type == "string" and not wants_iso(wish)


def _of_names(wish: Wish, fact: Series, names: Called, best: float, rival: float, look: float) -> tuple[float, ...]:
    is_unnamed = best < _NAMED
    own = [words(label[1:]) for label in fact.labels if label[0] in _PLAIN]
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
        float(is_unnamed and bool(wish.concepts)),
        float(is_otherwise),
        float(is_known),
        max(0.0, rival - best),
        max(0.0, look),
        max(0.0, -look),
        max(0.0, look) * is_unnamed,
        max(0.0, look) * best,
    )


def _of_kind(wish: Wish, fact: Series, best: float) -> tuple[float, ...]:
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
        float(fact.is_label) * (0.3 if any(label[0] in _PLAIN for label in fact.labels) else 1.0),
        float(fact.is_composite),
    )


def _of_place(naming: Naming, fact: Series, place: int, scene: Scene, best: float) -> tuple[float, ...]:
    wish = naming.wish
    is_title = place == scene.title
    wants_title = wish.type == "string" and (bool(wish.name.concepts & _TITLES) or naming.is_subject)
    is_taken = wish.outer is not None or (scene.has_name and "name" not in wish.name.concepts)
    off = abs(place - scene.title) if scene.title is not None else _NEAR
    is_heading = bool(fact.tags & _HEADINGS) and fact.kind == "text"
    is_beside = 0 < off <= _BESIDE and not fact.profile.numeric and len(fact.texts[0]) < _FEW
    return (
        float(is_heading and not wants_title),
        float(is_title and wants_title and not is_taken),
        float(is_heading and wants_title and not is_title),
        float(is_title and (not wants_title or is_taken)),
        float(place == scene.subtitle and (bool(wish.concepts & _PROSE) or (wants_title and is_taken))),
        float(bool(fact.tags & _STRUCK) and bool(wish.concepts & MONEY) and "old" not in wish.concepts),
        float(wish.type == "boolean" and bool(fact.tags & _ACTIONS) and fact.kind == "text"),
        place / len(scene.facts),
        min(1.0, off / _NEAR) * (best < _NAMED),
        min(2.0, len(fact.texts[0]) / _LONG)
        if not wish.concepts & _PROSE and fact.kind not in ("href", "src")
        else 0.0,
        float(is_beside and bool(wish.concepts & _MAKERS) and wish.type == "string"),
    )


def _of_text(naming: Naming, fact: Series, scene: Scene, best: float) -> tuple[float, ...]:
    wish, text = naming.wish, fact.texts[0]
    shape = _shape(wish)
    is_alone = shape in scene.alone and fact.kind in _SHOWN and fact.profile.share(shape) > 0.5
    is_iso = text[:4].isdigit() and text[4:5] == "-" and fact.kind not in ("text", "part")
    is_number = wish.type in ("number", "integer")
    outer = 0.0
    if wish.outer is not None:
        said = [words(fact.section), *(words(label[1:]) for label in fact.labels), *(words(n) for n, _ in fact.names)]
        outer = max(likeness(wish.outer, one) if one.all else 0.0 for one in said)
    says = likeness(wish.name, words(text)) if wish.type == "string" and len(text) < 30 else 0.0
    is_link = fact.tag in ("a", "button") and fact.kind == "text"
    return (
        float(fact.kind == "href" and text.startswith(("tel:", "mailto:"))),
        float(says > 0.7),
        float(is_alone),
        outer,
        float(wish.outer is not None and outer < _NAMED),
        coverage(words(text), wish.hint) if wish.hint.all and len(text) < 30 and wish.type == "string" else 0.0,
        float(is_number and fact.profile.wordy > 0 and fact.profile.share("money") <= 0.5),
        float(is_number and fact.profile.share("number", "integer", "money") > 0.5),
        _foreign(wish, fact),
        float(is_link and best < _NAMED),
        float(bool(fact.tags & _HEADS) and fact.kind == "text"),
        float(is_iso and wants_iso(wish)),
        float(is_iso and not wants_iso(wish)),
        float("name" in wish.name.concepts and best < _NAMED),
    )


def _foreign(wish: Wish, fact: Series) -> float:
    """Return how far a value looks like something else than what is asked for: money where a weight is."""
    share = fact.profile.share
    concepts = wish.concepts | wish.hint.concepts
    if wish.type not in ("number", "integer", "string") or not concepts:
        return 0.0
    is_money = share("money") > 0.5 and not concepts & (MONEY | {"currency", "discount", "old", "revenue", "rent"})
    is_share = share("percent") > 0.5 and wish.type != "string" and "percent" not in concepts and "%" not in wish.said
    is_timely = wish.type != "string" and share("date", "time", "phone", "email") > 0.5 and "year" not in concepts
    is_glued = wish.type in ("number", "integer") and bool(_GLUED.search(fact.texts[0]))
    return float(is_money or is_timely or is_glued) + 0.5 * is_share


def _shape(wish: Wish) -> str:
    """Return the look that values of a wish have and few others."""
    if wish.concepts & MONEY:
        return "money"
    return next((shape for shape in ("email", "phone", "percent") if shape in wish.concepts), "")
