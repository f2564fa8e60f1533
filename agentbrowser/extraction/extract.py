"""The whole of extraction but for the page: gathered candidates and a schema in, typed data out."""

from collections.abc import Sequence
from typing import Any, Final

import attrs

from agentbrowser.extraction.candidates import Group, Series
from agentbrowser.extraction.embedded_data import embedded_data
from agentbrowser.extraction.match import sequence, singles, value_lists
from agentbrowser.extraction.match.match_matrix import Plan
from agentbrowser.extraction.match.plans import TRAITS, context_fit, plans
from agentbrowser.extraction.model.confidence import confidence
from agentbrowser.extraction.output import lists
from agentbrowser.extraction.output.lists import Items, Origin
from agentbrowser.extraction.output.nested import Nest, filled, nested
from agentbrowser.extraction.page_data import facts_of, groups_of
from agentbrowser.extraction.schema.schema_fields import Asked, ListWish, Wish
from agentbrowser.extraction.schema.topics import Topic
from agentbrowser.extraction.text.prose import with_said
from agentbrowser.extraction.text.words import Words

_MAX_LISTED: Final = 400
_CLEAR: Final = 3.0
"""The lead of a plan over the next that leaves no doubt."""
_RUN: Final = 0.6
LIST_TRAITS: Final = (
    "mean fit", "least fit", "lead", "complete", "whole", "named", "best named", "goes together", "context", "unpaired",
    "items", "context missed", "named otherwise", "score", "few",
)  # fmt: skip
"""What tells how sure a list is."""
_USUAL_ITEMS: Final = 8
_USUAL_SCORE: Final = 10.0
_FEW: Final = 3
_LEAST_SURE: Final = 0.4
"""How sure a list must be to be given: what is hardly ever right is no answer."""
_OF_SEVERAL: Final = 0.65
_OF_ONE: Final = 0.45
"""What a fact is worth at most, by the measure of lists."""
_LISTS: Final = 5
_LINES: Final = 0.15
"""What a list must be worth to be given where nothing else is asked for."""


@attrs.frozen(kw_only=True)
class Outcome:
    """What came out: the data, or why there is none; and what the confidence is reckoned from."""

    data: Any = None
    items: Items | None = None
    parts: Sequence[Origin] = ()
    """Where the values of a single thing are from."""
    features: tuple[float, ...] = ()
    dropped: int = 0
    next_offset: int | None = None
    why_not: str | None = None

    @property
    def origins(self) -> Sequence[Origin]:
        """Where its values are from."""
        return self.parts if self.items is None else self.items.origins(())


@attrs.frozen(kw_only=True)
class Material:
    """What the page has given."""

    groups: list[Group]
    facts: list[Series]
    sets: list[Group]
    """Plain values that stand together."""

    @classmethod
    def of(cls, gathered: dict[str, Any]) -> "Material":
        """Return what the script in the page has answered."""
        groups, facts = embedded_data(gathered["embedded"])
        groups = groups_of(gathered["groups"]) + groups
        facts = singles.told(with_said(facts_of(gathered["facts"], gathered["meta"]))) + facts
        for series in (*facts, *(one for group in groups for one in group.series)):
            series.language = gathered["language"]
        return cls(groups=groups, facts=facts, sets=value_lists.sets_of(gathered["sets"], gathered["language"]))


def extract(asked: Asked, material: Material, *, max_items: int, offset: int = 0) -> Outcome:
    """Return what is asked for, as far as the page has it."""
    if asked.is_list:
        return _list(asked, material, max_items, offset)
    return _single(asked, material, max_items)


def _list(asked: Asked, material: Material, max_items: int, offset: int) -> Outcome:
    wishes = list(asked.wishes)
    if asked.item.type == "object":
        ranked = plans(wishes, material.groups, asked.topic)
    else:
        ranked = _lines(wishes[0], material, asked.topic.about)
    if not ranked:
        return Outcome(why_not=_nothing(wishes or [wish for listed in asked.lists for wish in listed.wishes]))
    nests: list[Nest] = []
    if asked.lists:
        ranked, nests = nested(asked.lists, ranked, material.groups)
    made = filled(lists.items(ranked[0]), asked.lists, nests)
    whole = made.whole
    if not whole:
        return Outcome(why_not=_incomplete(wishes, made), dropped=len(made))
    features = list_features(ranked, whole, made, asked.topic)
    # Things that have the lists in them that are asked for are meant, however little says so besides.
    if asked.item.type == "object" and not nests and confidence(features, is_list=True) < _LEAST_SURE:
        return Outcome(why_not=_nothing(wishes))
    shown = whole.page(offset, max_items)
    more = offset + max_items if len(whole) > offset + max_items else None
    return Outcome(
        data=shown.data,
        items=shown,
        features=features,
        dropped=len(made) - len(whole),
        next_offset=more,
    )


def _lines(wish: Wish, material: Material, about: Words) -> list[Plan]:
    """Return the lists of plain values, the one that is called as asked first."""
    called = value_lists.about(wish, about)
    options = value_lists.ranked(called, material.groups, material.sets, material.facts, least=_LINES)
    best = value_lists.widest(options)
    return [one.plan for one in (best, *options) if one is not None][:_LISTS]


def list_features(ranked: Sequence[Plan], whole: Items, made: Items, topic: Topic) -> tuple[float, ...]:
    """Return the `LIST_TRAITS` of the best plan and its items, each 0 to 1 or near."""
    best = ranked[0]
    context = context_fit(best.group, topic.about)
    fits = [fit for _, _, fit in best.pairs]
    lead = best.score - ranked[1].score if len(ranked) > 1 else _CLEAR
    complete = sum(whole.counts) / (len(whole) * len(best.pairs)) if whole else 0.0
    return (
        sum(fits) / len(fits),
        min(fits),
        min(1.0, max(0.0, lead / _CLEAR)),
        min(1.0, complete),
        len(whole) / max(1, len(made)),
        *best.called,
        context,
        best.traits[TRAITS.index("unpaired")] if best.traits else 0.0,
        min(1.0, len(whole) / _USUAL_ITEMS),
        1 - context if topic.about.all else 0.0,
        best.otherwise,
        best.score / _USUAL_SCORE if best.traits else 1.0,
        float(len(made) < _FEW),
    )


def _single(asked: Asked, material: Material, max_items: int) -> Outcome:
    data: dict[str, Any] = {}
    origins: list[Origin] = []
    fits: list[float] = []
    scalars = [wish for wish in asked.wishes if not wish.is_many]
    taken = singles.choose(scalars, material.facts)
    for wish, fact, fit in taken:
        value, where = singles.read(wish, fact) if fact else (None, [])
        fits.append(fit if value is not None else 0.0)
        _keep(data, origins, wish.path, value, where)
    for wish in asked.wishes:
        if wish.is_many:
            value, where, fit = _many(wish, material)
            fits.append(fit)
            _keep(data, origins, wish.path, value or None, where)
    for listed in asked.lists:
        value, where, fit = _inner(listed, asked, material, max_items)
        fits.append(fit)
        _keep(data, origins, listed.path, value or None, where)
    return _single_outcome(asked, data, origins, fits)


def _keep(data: dict[str, Any], origins: list[Origin], path: tuple[str, ...], value: Any, where: list[Origin]) -> None:
    if value is None:
        return
    if not path:
        data[""] = value
    else:
        lists.put(data, path, value)
    origins += where


def _single_outcome(asked: Asked, data: dict[str, Any], origins: list[Origin], fits: list[float]) -> Outcome:
    required = [wish.path for wish in asked.wishes if wish.is_required]
    required += [listed.path for listed in asked.lists if listed.is_required]
    missing = [".".join(path) for path in required if not _has(data, path)]
    if not data:
        return Outcome(why_not=_nothing(asked.wishes))
    if missing:
        return Outcome(why_not=f"Nothing on the page fits the required {', '.join(missing)}.")
    found = [fit for fit in fits if fit > 0]
    features = (sum(fits) / len(fits), min(fits), min(found), len(found) / len(fits), 1.0)
    return Outcome(data=data.get("", data), parts=origins, features=features)


def _has(data: dict[str, Any], path: tuple[str, ...]) -> bool:
    value: Any = data
    for step in path or ("",):
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True


def _many(wish: Wish, material: Material) -> tuple[list[Any], list[Origin], float]:
    """Return a list of plain values: such as stand together on the page, or a fact that holds several."""
    best = value_lists.widest(value_lists.ranked(wish, material.groups, material.sets, material.facts))
    (_, fact, fit), *_ = singles.choose([wish], material.facts)
    if fact is not None and not (_is_several(fact) or singles.has_own_name(fact)):
        fact = None
    if fact is not None and (best is None or _is_better(fact, fit, best)):
        values, where = singles.read(wish, fact)
        return values or [], where, fit
    if best is None:
        these, sure = sequence.run(wish, material.facts)
        return (*singles.read_all(wish, these), _RUN * sure) if these else ([], [], 0.0)
    made = lists.items(best.plan)
    return list(made.data), made.origins(wish.path), best.plan.score


def _is_better(fact: Series, fit: float, best: value_lists.Option) -> bool:
    """Tell whether a fact is likelier than a list: one that holds several values, or that nothing else comes near."""
    worth = fit * (_OF_SEVERAL if _is_several(fact) else _OF_ONE)
    return worth > best.worth and not value_lists.has_all(best, fact)


def _is_several(fact: Series) -> bool:
    text = fact.texts[0]
    is_listed = any(mark in text for mark in (",", ";", " · ", " | ")) and len(text) < _MAX_LISTED
    return fact.is_many or is_listed


def _inner(listed: ListWish, asked: Asked, material: Material, max_items: int) -> tuple[list[Any], list[Origin], float]:
    """Return a list of objects that is a property of a single one."""
    ranked = plans(list(listed.wishes), material.groups, listed.topic)
    if not ranked:
        return [], [], 0.0
    whole = lists.items(ranked[0]).whole.page(0, max_items)
    fits = [fit for _, _, fit in ranked[0].pairs]
    return list(whole.data), whole.origins(listed.path), sum(fits) / len(fits)


def _nothing(wishes: Sequence[Wish]) -> str:
    names = ", ".join(".".join(wish.path) for wish in wishes[:6] if wish.path) or "the schema"
    return f"Nothing on the page fits {names}."


def _incomplete(wishes: Sequence[Wish], made: Items) -> str:
    required = ", ".join(".".join(wish.path) or "value" for wish in wishes if wish.is_required)
    if not made:
        return _nothing(wishes)
    return f"{len(made)} items were found, none with all that is required: {required}."
