"""Ranking elements by a description in words: "the search box", "submit button". Deterministic, without any model."""

import re
from collections.abc import Sequence
from typing import Final, Protocol

from agentbrowser.errors import SelectorAmbiguous
from agentbrowser.types.selector import Selector, Semantic, describe

_LEAST: Final = 0.3
"""Below this score an element has next to nothing of the description."""
_CLEAR: Final = 0.1
"""How far the best must be ahead of the second."""
_SHOWN: Final = 5

_FIELDS: Final = frozenset({"textbox", "searchbox", "combobox", "spinbutton"})
_ROLES: Final[dict[str, frozenset[str]]] = {
    "button": frozenset({"button"}),
    "link": frozenset({"link"}),
    "box": _FIELDS,
    "field": _FIELDS,
    "input": _FIELDS,
    "textbox": frozenset({"textbox", "searchbox"}),
    "textarea": frozenset({"textbox"}),
    "searchbox": frozenset({"searchbox", "textbox", "combobox"}),
    "dropdown": frozenset({"combobox", "listbox"}),
    "combobox": frozenset({"combobox"}),
    "select": frozenset({"combobox", "listbox"}),
    "checkbox": frozenset({"checkbox", "switch"}),
    "tickbox": frozenset({"checkbox"}),
    "toggle": frozenset({"switch", "checkbox", "button"}),
    "switch": frozenset({"switch", "checkbox"}),
    "radio": frozenset({"radio"}),
    "tab": frozenset({"tab"}),
    "menu": frozenset({"menu", "button", "combobox"}),
    "slider": frozenset({"slider"}),
    "option": frozenset({"option", "menuitem", "radio"}),
}
_SYNONYMS: Final[dict[str, str]] = {
    "signin": "login",
    "logon": "login",
    "email": "mail",
    "e": "",
    "telephone": "phone",
    "pwd": "password",
    "picture": "image",
    "photo": "image",
    "remove": "delete",
}
_NOISE: Final = frozenset(
    {"a", "an", "and", "at", "by", "for", "from", "in", "into", "is", "it", "my", "of", "on", "or"}
) | {
    "page",
    "that",
    "the",
    "this",
    "to",
    "with",
    "your",
}
_PAIRS: Final = re.compile(r"\b(log|sign)[\s-]+(in|on)\b|\b(check|text|tick|combo)[\s-]+(box)\b")
_SUFFIXES: Final = ("ings", "ing", "ies", "es", "ed", "s")


class Described(Protocol):
    """What ranking needs of an element."""

    @property
    def role(self) -> str:
        """Its ARIA role."""
        ...

    @property
    def name(self) -> str | None:
        """Its accessible name: label, placeholder or text."""
        ...

    @property
    def selector(self) -> Selector:
        """What hits it alone."""
        ...


def best(description: str, elements: Sequence[Described], asked: Semantic) -> Selector | None:
    """Return the selector of the element that is clearly meant; None when nothing fits.

    Raises:
      SelectorAmbiguous: several fit about as well.
    """
    ranked = [(score, element) for score, element in rank(description, elements) if score >= _LEAST]
    if not ranked:
        return None
    near = [(score, element) for score, element in ranked if score > ranked[0][0] - _CLEAR]
    if len(near) == 1:
        return near[0][1].selector
    raise SelectorAmbiguous(
        f"{len(near)} elements fit the description about as well.",
        selector=describe(asked),
        count=len(near),
        candidates=[
            {**describe(element.selector), "text": element.name or element.role, "score": score}
            for score, element in near[:_SHOWN]
        ],
    )


def rank(description: str, elements: Sequence[Described]) -> list[tuple[float, Described]]:
    """Return each element with its score between 0 and 1, the best first; equals stay in the order of the page."""
    words = _words(description)
    scored = [(_score(words, element), element) for element in elements]
    return sorted(scored, key=lambda pair: -pair[0])


def _score(words: list[str], element: Described) -> float:
    """Weigh how much of the description the name has, how much of the name the description has, and the role."""
    name = set(_words(element.name or ""))
    roles = [word for word in words if word in _ROLES]
    # A word that names a role may be part of the name too: the "Select" button, the "Menu" link.
    wanted = {word for word in words if word not in _ROLES or word in name}
    if not wanted:
        return 0.5 if roles and element.role in _ROLES[roles[-1]] else 0.0
    common = len(wanted & name)
    fit = 0.7 * common / len(wanted) + 0.3 * common / max(1, len(name))
    if not roles:
        return round(0.9 * fit, 3)
    return round(fit if any(element.role in _ROLES[role] for role in roles) else 0.5 * fit, 3)


def _words(text: str) -> list[str]:
    joined = _PAIRS.sub(lambda pair: "".join(part for part in pair.groups() if part), text.lower())
    words = (_SYNONYMS.get(word, word) for word in re.findall(r"\w+", joined))
    return [_stem(word) for word in words if word and word not in _NOISE]


def _stem(word: str) -> str:
    for suffix in _SUFFIXES:
        if len(word) - len(suffix) >= 3 and word.endswith(suffix):
            return word.removesuffix(suffix) + ("y" if suffix == "ies" else "")
    return word
