"""Features of an element that ranking uses, and their words."""

from collections.abc import Iterable
from typing import Final

import attrs

from agentbrowser.browser.semantic.words import read_stems
from agentbrowser.long_work import give_way
from agentbrowser.protocol.types.selector import Selector

_PART_WEIGHT: Final = 0.8
_KIND_WEIGHT: Final = 0.95
_PLACEHOLDER_WEIGHT: Final = 0.9
_NEAR_WEIGHT: Final = 0.75
_VALUE_WEIGHT: Final = 0.6

_TYPED: Final = frozenset({"textbox", "searchbox", "spinbutton"})
"""Roles whose value somebody has typed."""
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
"""Words for the type of a control, or else for its role."""


@attrs.frozen(kw_only=True)
class ElementFeatures:
    """Features of an element that ranking uses."""

    role: str
    name: str | None = None
    """Accessible name, or the text."""
    derived: bool = False
    """True if the name is derived from what is near: the label of a neighbour may be that of another element."""
    selector: Selector
    """Selector that matches this element only."""
    ref: str | None = None
    """Ref of the element, if the client has observed it or its frame is not the selected one."""
    kind: str | None = None
    """Type of an input or a button; else ``textarea``, ``editable`` (edited in place) or ``cell`` (in a cell)."""
    placeholder: str | None = None
    key: str | None = None
    """Name that a field without a label has in its form: "search", where its placeholder is "Title, author"."""
    value: str | None = None
    near: str | None = None
    """Text around the element: of its row, card or fieldset."""
    holder: "ElementFeatures | None" = attrs.field(default=None, eq=False, repr=False)
    """Nearest element of the list that contains this one."""


@attrs.frozen
class ElementWords:
    """Stems of an element."""

    name: tuple[str, ...]
    weights: dict[str, float]
    """Each stem with its weight: 1 in the name, less elsewhere."""
    unvalued: dict[str, float]
    """The same without what was typed into a field, which says nothing of what the field is."""
    own: dict[str, float]
    """The same without the value and the text around the element."""
    around: frozenset[str]
    """Stems of the text around the element."""


def texts(element: ElementFeatures) -> Iterable[str]:
    return filter(None, (element.name, element.placeholder, element.near, element.value))


def read_element(element: ElementFeatures, described: frozenset[str]) -> ElementWords:
    """Split the texts of an element into words; a word that the description joins is joined here too."""
    give_way()
    name = read_stems(element.name or "", described)[0]
    kind = _KINDS.get(element.kind or "", "") or _KINDS.get(element.role, "")
    weights = dict.fromkeys(name, 1.0)
    _add(weights, element.name, _PART_WEIGHT, described)  # the parts of joined words
    _add(weights, kind, _KIND_WEIGHT, described)
    _add(weights, element.placeholder, _PLACEHOLDER_WEIGHT, described)
    _add(weights, element.key, _PART_WEIGHT, described)
    own = dict(weights) if element.near or element.value else weights
    _add(weights, element.near, _NEAR_WEIGHT, described)
    unvalued = dict(weights) if element.value and element.role in _TYPED else weights
    _add(weights, element.value, _VALUE_WEIGHT, described)
    around = read_stems(element.near, described)[1] if element.near else frozenset()
    return ElementWords(name, weights, unvalued, own, around)


def _add(weights: dict[str, float], text: str | None, weight: float, described: frozenset[str]) -> None:
    for word in read_stems(text, described)[1] if text else ():
        if weights.get(word, 0.0) < weight:
            weights[word] = weight
