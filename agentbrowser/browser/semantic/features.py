"""What ranking knows of an element, and the words of it."""

from collections.abc import Iterable
from typing import Final

import attrs

from agentbrowser.browser.semantic.words import read_stems
from agentbrowser.protocol.types.selector import Selector

_PART: Final = 0.8
_KIND: Final = 0.95
_PLACEHOLDER: Final = 0.9
_NEAR: Final = 0.75
_VALUE: Final = 0.6

_KINDS: Final = {
    "email": "email",
    "tel": "phone",
    "password": "password",
    "search": "search",
    "searchbox": "search",
    "date": "date",
    "file": "file upload",
    "submit": "submit",
    "textarea": "textarea",
    "spinbutton": "number",
    "url": "url web address",
    "color": "color",
    "slider": "range",
}
"""What the type of a control, or else its role, says of it."""


@attrs.frozen(kw_only=True)
class ElementFeatures:
    """What ranking knows of an element."""

    role: str
    name: str | None = None
    """Its accessible name, or its text."""
    selector: Selector
    """What hits it alone."""
    kind: str | None = None
    """The type of an input or a button; ``textarea`` for that."""
    placeholder: str | None = None
    value: str | None = None
    near: str | None = None
    """Text that belongs to it and is not its own: of its row, its card, its fieldset."""


@attrs.frozen
class ElementWords:
    """The stems of an element."""

    name: tuple[str, ...]
    weights: dict[str, float]
    """Each stem that it has, with what it counts: 1 in the name, less elsewhere."""


def texts(element: ElementFeatures) -> Iterable[str]:
    return filter(None, (element.name, element.placeholder, element.near, element.value))


def read_element(element: ElementFeatures, said: frozenset[str]) -> ElementWords:
    """Take the texts of an element apart; what the description writes in one word is one word here too."""
    name = read_stems(element.name or "", said)[0]
    kind = _KINDS.get(element.kind or "", "") or _KINDS.get(element.role, "")
    weights = dict.fromkeys(name, 1.0)
    for text, weight in (
        (element.name, _PART),  # the parts of what was joined
        (kind, _KIND),
        (element.placeholder, _PLACEHOLDER),
        (element.near, _NEAR),
        (element.value, _VALUE),
    ):
        for word in read_stems(text, said)[1] if text else ():
            if weights.get(word, 0.0) < weight:
                weights[word] = weight
    return ElementWords(name, weights)
