"""Single things: which of the facts on a page is which of the values that are asked for."""

from collections.abc import Sequence
from typing import Any, Final

import attrs

from agentbrowser.browser.extraction.assignment import pair
from agentbrowser.browser.extraction.candidates import Series
from agentbrowser.browser.extraction.fit import MONEY, looks, named, said_by_values, title_share, worth
from agentbrowser.browser.extraction.lists import Origin
from agentbrowser.browser.extraction.sequence import filled
from agentbrowser.browser.extraction.typed import Reader
from agentbrowser.browser.extraction.wishes import Wish
from agentbrowser.browser.extraction.words import likeness, words

LEAST: Final = 0.27
_FEW: Final = 14
_FAR: Final = 0.1
_SHORT: Final = 30
_NAMES: Final = 0.7
_PLAIN_LOOK: Final = 0.85
_TITLE_LIKE: Final = 0.9
_STRUCK: Final = frozenset(("s", "del", "strike"))
_ACTIONS: Final = frozenset(("button", "a"))
_PROSE: Final = frozenset(("description", "summary", "text"))
_PROSE_LOOK: Final = 0.7
_LINE: Final = 120
_SECTIONS: Final = frozenset(("h2", "h3", "h4", "h5", "h6"))
_HEADINGS: Final = _SECTIONS | {"h1"}
_TITLES: Final = frozenset(("name", "title", "thing", "job"))


@attrs.frozen(kw_only=True)
class _Page:
    """What the page is called, and whether that is asked for as a name."""

    title: Series | None
    subtitle: Series | None
    has_name: bool
    alone: frozenset[str]
    """What only one value of the page looks like: money, an address of mail."""

    @classmethod
    def of(cls, wishes: Sequence[Wish], facts: Sequence[Series]) -> "_Page":
        """Return what stands as the title, and the text that follows it."""
        place = next((at for at, fact in enumerate(facts) if "h1" in fact.tags and fact.kind == "text"), None)
        if place is None:
            place = next((at for at, fact in enumerate(facts) if fact.tags & _SECTIONS and not fact.is_aside), None)
        if place is None:
            return cls(title=None, subtitle=None, has_name=False, alone=_alone(facts))
        title = facts[place]
        behind = (fact for fact in facts[place + 1 : place + _FEW] if fact.kind == "text" and not fact.is_composite)
        following = next((fact for fact in behind if fact.texts[0] not in title.texts[0]), None)
        is_line = following is not None and not following.tags & _HEADINGS and following.profile.length < _LINE
        has_name = any(_is_name(wish) for wish in wishes)
        return cls(title=title, subtitle=following if is_line else None, has_name=has_name, alone=_alone(facts))

    def title_worth(self, wish: Wish, fact: Series) -> float:
        """Return what a fact gains or loses by being the title of the page, or of one of its sections."""
        if (shape := _shape(wish)) in self.alone and fact.kind in _SHOWN and fact.profile.share(shape) > 0.5:
            return 0.15
        if self.title is None or wish.type != "string" or not wish.concepts & _TITLES:
            return 0.0
        if (
            fact is not self.title
            and fact.tags & _SECTIONS
            and fact.kind == "text"
            and not any(label[0] in "kq" for label in fact.labels)
        ):
            return -0.2
        if not self.has_name or _is_name(wish):
            return 0.0
        return -0.3 if fact is self.title else 0.25 if fact is self.subtitle else 0.0


def _shape(wish: Wish) -> str:
    """Return the look that values of a wish have and few others."""
    if wish.concepts & MONEY:
        return "money"
    return next((shape for shape in ("email", "phone", "percent") if shape in wish.concepts), "")


def _alone(facts: Sequence[Series]) -> frozenset[str]:
    seen: dict[str, set[str]] = {}
    for fact in facts:
        if fact.kind in _SHOWN and not fact.is_composite and len(fact.texts[0]) < _LINE:
            for shape in _SHAPES:
                if fact.profile.share(shape) > 0.5:
                    seen.setdefault(shape, set()).add(_bare(shape, fact.texts[0]))
    return frozenset(shape for shape, values in seen.items() if len(values) == 1)


def _bare(shape: str, text: str) -> str:
    """Return a value without how it is written."""
    return text.removeprefix("mailto:").strip() if shape == "email" else "".join(filter(str.isdigit, text))


_SHAPES: Final = ("money", "email", "phone", "percent")
_SHOWN: Final = frozenset(("text", "part", "href"))


def _is_name(wish: Wish) -> bool:
    return "name" in wish.name.concepts and wish.outer is None and title_share(wish, "name") >= _TITLE_LIKE


def choose(wishes: Sequence[Wish], facts: Sequence[Series]) -> list[tuple[Wish, Series | None, float]]:
    """Return for each wish the fact that serves it best, no fact serving two."""
    page = _Page.of(wishes, facts)
    ranked = [_best(wish, facts, page) for wish in wishes]
    shortlist = list({id(fact): fact for best in ranked for _, fact in best}.values())
    places = {id(fact): place for place, fact in enumerate(shortlist)}
    table = [[0.0] * len(shortlist) for _ in wishes]
    for row, best in zip(table, ranked, strict=True):
        for fit, fact in best:
            row[places[id(fact)]] = max(0.0, fit)
    chosen = pair(table) if shortlist else [-1] * len(wishes)
    picked = []
    for wish, column, row in zip(wishes, chosen, table, strict=True):
        is_fit = column >= 0 and row[column] >= LEAST
        picked.append((wish, shortlist[column] if is_fit else None, row[column] if is_fit else 0.0))
    return filled(picked, facts)


def _best(wish: Wish, facts: Sequence[Series], page: "_Page") -> list[tuple[float, Series]]:
    length = len(facts) or 1
    fits = [
        (fact_worth(wish, fact) + page.title_worth(wish, fact) - _FAR * place / length, fact)
        for place, fact in enumerate(facts)
    ]
    return sorted((fit for fit in fits if fit[0] > LEAST), key=lambda fit: -fit[0])[:_FEW]


def _is_title(wish: Wish) -> bool:
    return any(title_share(wish, concept) >= _TITLE_LIKE for concept in wish.concepts & _TITLES)


def has_own_name(fact: Series) -> bool:
    """Tell whether the page names it plainly."""
    return any(label[0] in "kq" for label in fact.labels)


def fact_worth(wish: Wish, fact: Series) -> float:
    """Return how well a fact fits a wish."""
    fit = worth(wish, fact)
    if fit <= 0:
        return fit
    if wish.concepts & _TITLES and wish.type == "string" and not wish.outer:
        fit += 0.3 if "h1" in fact.tags and _is_title(wish) else 0.0
    if fact.is_repeated:
        fit -= 0.03 + 0.2 * (1 - named(wish, fact)) + (0.0 if has_own_name(fact) else 0.12)
    if fact.tags & _STRUCK and wish.concepts & MONEY and "old" not in wish.concepts:
        fit -= 0.2
    if fact.is_aside:
        fit -= 0.05 + 0.2 * (1 - named(wish, fact))
    if wish.type == "string" and len(fact.texts[0]) < _SHORT and likeness(wish.name, words(fact.texts[0])) > _NAMES:
        fit -= 0.4
    if fact.kind == "part" and not words(fact.texts[0]).all:
        fit -= 0.4
    if wish.type == "boolean" and fact.tags & _ACTIONS and fact.kind == "text":
        fit -= 0.3
    said = named(wish, fact) or (said_by_values(wish, fact) if wish.type == "boolean" else 0.0)
    if said == 0 and "h1" not in fact.tags:
        look = looks(wish, fact)
        is_prose = bool(wish.concepts & _PROSE) and look > _PROSE_LOOK and fact.kind == "text"
        fit -= 0.0 if is_prose else 0.05 if look >= _PLAIN_LOOK else 0.15
    if fact.tags & _HEADINGS and wish.concepts & _TITLES and not _is_title(wish):
        fit -= 0.2
    return fit


def read(wish: Wish, fact: Series) -> tuple[Any, list[Origin]]:
    """Return the value of a fact and where it is from; None for a text that holds none."""
    reader = Reader(wish, fact)
    values = [
        (value, spot, text)
        for text, spot in zip(fact.texts, fact.spots, strict=True)
        if (value := reader.read(text)) is not None
    ]
    if not values:
        return None, []
    if wish.is_many:
        found = [(part, spot, text) for value, spot, text in values for part in _parts(value, len(values))]
        return [part for part, _, _ in found], [
            Origin((*wish.path, at), spot, text) for at, (_, spot, text) in enumerate(found)
        ]
    value, spot, text = values[0]
    return value, [Origin(wish.path, spot, text)]


def read_all(wish: Wish, facts: Sequence[Series]) -> tuple[list[Any], list[Origin]]:
    """Return the values of several facts as one list."""
    found = [(value, fact) for fact in facts if (value := Reader(wish, fact).read(fact.texts[0])) is not None]
    origins = [Origin((*wish.path, at), fact.spots[0], fact.texts[0]) for at, (_, fact) in enumerate(found)]
    return [value for value, _ in found], origins


def _parts(value: Any, count: int) -> list[Any]:
    if not isinstance(value, str) or count > 1:
        return [value]
    for mark in (" · ", " | ", ";", ","):
        if mark in value:
            return [part.strip() for part in value.split(mark) if part.strip()]
    return [value]
