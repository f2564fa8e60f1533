"""Single things: which of the facts on a page is which of the values that are asked for."""

import math
from collections.abc import Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.candidates import Series
from agentbrowser.extraction.match.assignment import pair
from agentbrowser.extraction.match.labels import PLAIN, Called, Naming, called
from agentbrowser.extraction.match.sequence import filled
from agentbrowser.extraction.model import single_weights
from agentbrowser.extraction.model.context_features import COMPANY, OF_ONE, Seat, company
from agentbrowser.extraction.model.single_features import TRAITS, Scene, traits
from agentbrowser.extraction.model.trees import fitted, reviewed
from agentbrowser.extraction.model.weights import weighed
from agentbrowser.extraction.output.lists import Origin
from agentbrowser.extraction.output.typed import Reader, parted
from agentbrowser.extraction.schema.schema_fields import Wish, known

_TITLE, _UNNAMED, _LOOK = (TRAITS.index(name) for name in ("+title", "-unnamed", "+look"))
_ABOUT: Final = COMPANY.index("+about the others")
TOGETHER: Final = (*TRAITS, *COMPANY, "-by its place alone")
"""What is told of a value once it is known where the others seem to be."""
_CALLED: Final = 40
_BY_LINK: Final = 0.9
_BY_KEY: Final = 0.75
_SHORTLIST: Final = 14
_NUMBER: Final = 6
"""How many digits at the end tell that two ways to write a telephone number mean the same."""


def told(facts: Sequence[Series]) -> list[Series]:
    """Return the facts with what is said of their element: addresses by the text of their link, texts by attributes."""
    texts = {fact.spots[0]: fact.texts[0] for fact in facts if fact.kind == "text"}
    keys = {fact.spots[0]: fact.kind[5:] for fact in facts if fact.kind.startswith("data-")}
    numbers = {_digits(fact.texts[0])[-_NUMBER:] for fact in facts if fact.texts[0].startswith("tel:")}
    for fact in facts:
        spot = fact.spots[0]
        if (
            fact.kind in ("text", "part")
            and len(digits := _digits(fact.texts[0])) >= _NUMBER
            and len(fact.texts[0]) < 2 * len(digits)
        ):
            fact.names = [*fact.names, ("phone", _BY_LINK)] if digits[-_NUMBER:] in numbers else fact.names
        if fact.kind == "href" and len(said := texts.get(spot, "")) in range(1, _CALLED):
            fact.names = [*fact.names, (said, _BY_LINK)]
        elif fact.kind == "text" and spot in keys:
            fact.names = [*fact.names, (keys[spot], _BY_KEY)]
    return list(facts)


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text))


@attrs.frozen
class Option:
    """A fact that can be what is asked for, its place on the page, and what is told of the two."""

    fact: Series
    place: int
    outer: tuple[str, ...]
    """What the object that is asked for is called, where the wish is for a property of one within the whole."""
    traits: tuple[float, ...]


def choose(wishes: Sequence[Wish], facts: Sequence[Series]) -> list[tuple[Wish, Series | None, float]]:
    """Return for each wish the fact that serves it best and how likely that is right, no fact serving two."""
    ranked = _ranked(wishes, facts)
    shortlist = list({id(fact): fact for best in ranked for _, fact in best}.values())
    places = {id(fact): place for place, fact in enumerate(shortlist)}
    table = [[0.0] * len(shortlist) for _ in wishes]
    for row, best in zip(table, ranked, strict=True):
        for value, fact in best:
            row[places[id(fact)]] = value
    chosen = pair(table) if shortlist else [-1] * len(wishes)
    picked = []
    for wish, column, row in zip(wishes, chosen, table, strict=True):
        is_fit = column >= 0 and row[column] > 0
        picked.append((wish, shortlist[column] if is_fit else None, _share(row[column]) if is_fit else 0.0))
    return filled(picked, facts)


def options(wishes: Sequence[Wish], facts: Sequence[Series]) -> list[list[Option]]:
    """Return for each wish the facts that can be it."""
    namings = [Naming(known(attrs.evolve(wish, is_subject=False)), is_subject=wish.is_subject) for wish in wishes]
    scene = Scene(facts, wishes)
    names = [[called(naming, fact) for fact in facts] for naming in namings]
    found = []
    firsts, seconds = _leads(names)
    for at, naming in enumerate(namings):
        row = []
        for place, fact in enumerate(facts):
            own = names[at][place]
            rival = firsts[place] if own.best < firsts[place] else seconds[place]
            these = traits(naming, fact, place, scene, own, rival)
            if these is not None:
                row.append(Option(fact, place, naming.wish.path[:-1], these))
        found.append(row)
    return found


def in_company(rows: Sequence[Sequence[Option]], weights: Sequence[float]) -> list[list[Option]]:
    """Return the options with what is told of them by where the best for the other wishes are."""
    seats = [seat for asked, row in enumerate(rows) if (seat := _seat(asked, row, weights)) is not None]
    return [[_in_company(one, asked, seats) for one in row] for asked, row in enumerate(rows)]


def _in_company(one: Option, asked: int, seats: Sequence[Seat]) -> Option:
    """Return an option with its company; what the page is called by stands above all, wherever the others are."""
    told = company(asked, one.outer, one.place, one.fact, seats)
    if one.traits[_TITLE]:
        told = tuple(
            min(here, usual) if name[0] == "-" else max(here, usual)
            for name, here, usual in zip(COMPANY, told, OF_ONE, strict=True)
        )
    by_place_alone = told[_ABOUT] * one.traits[_UNNAMED] * (one.traits[_LOOK] <= 0)
    return attrs.evolve(one, traits=(*one.traits, *told, by_place_alone))


def _seat(asked: int, row: Sequence[Option], weights: Sequence[float]) -> Seat | None:
    worth, at = max(((weighed(weights, one.traits), -at) for at, one in enumerate(row)), default=(0.0, 0))
    return Seat(asked, row[-at].place, row[-at].fact, _share(worth), row[-at].outer) if worth > 0 else None


def _leads(names: Sequence[Sequence[Called]]) -> tuple[list[float], list[float]]:
    """Return how far each fact is called what the wish asks for that it is called most, and the one after that."""
    columns = [sorted([one.best for one in column]) for column in zip(*names, strict=True)]
    return [column[-1] for column in columns], [column[-2] if len(column) > 1 else 0.0 for column in columns]


def _ranked(wishes: Sequence[Wish], facts: Sequence[Series]) -> list[list[tuple[float, Series]]]:
    """Return for each wish the facts that speak for themselves and with the others, the best first."""
    rows = in_company(options(wishes, facts), single_weights.ALONE)
    return [sorted(_worthy(row), key=lambda one: -one[0])[:_SHORTLIST] for row in rows]


def _worthy(row: Sequence[Option]) -> list[tuple[float, Series]]:
    weights = [weighed(single_weights.CHOSEN, one.traits) for one in row]
    worths = reviewed(weights, fitted().single, lambda at: row[at].traits)
    return [(value, one.fact) for value, one in zip(worths, row, strict=True) if value > 0]


def _share(value: float) -> float:
    return 1 / (1 + math.exp(-min(30.0, value)))


def has_own_name(fact: Series) -> bool:
    """Tell whether the page names it plainly."""
    return any(label[0] in PLAIN for label in fact.labels)


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
        parts = parted if len(values) < 2 else _whole
        found = [(part, spot, text) for value, spot, text in values for part in parts(value)]
        return [part for part, _, _ in found], [
            Origin((*wish.path, at), spot, text) for at, (_, spot, text) in enumerate(found)
        ]
    value, spot, text = values[0]
    return value, [Origin(wish.path, spot, text)]


def _whole(value: Any) -> list[Any]:
    return [value]


def read_all(wish: Wish, facts: Sequence[Series]) -> tuple[list[Any], list[Origin]]:
    """Return the values of several facts as one list."""
    found = [(value, fact) for fact in facts if (value := Reader(wish, fact).read(fact.texts[0])) is not None]
    origins = [Origin((*wish.path, at), fact.spots[0], fact.texts[0]) for at, (_, fact) in enumerate(found)]
    return [value for value, _ in found], origins
