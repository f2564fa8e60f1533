"""The ten kinds of selectors. On the wire, each is an object with a ``type`` and the fields of its kind.

A request may give a selector as text: a ref such as ``@submit``, or CSS.
"""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

import attrs

from agentbrowser.protocol.types.fields import constraints, field

MAX_SELECTOR_LENGTH: Final = 10_000
MAX_DESCRIPTION_LENGTH: Final = 500
"""Descriptions are compared with each element of a page."""


_TEXT: Final = constraints(minimum=1, maximum=MAX_SELECTOR_LENGTH)


@attrs.frozen
class Css:
    """A CSS selector; it enters open shadow roots, and has no engine prefix or ``>>``."""

    type: ClassVar[str] = "css"
    value: str = attrs.field(metadata=_TEXT)


@attrs.frozen
class XPath:
    """An XPath 1.0 expression over the document."""

    type: ClassVar[str] = "xpath"
    value: str = attrs.field(metadata=_TEXT)


@attrs.frozen
class Role:
    """An ARIA role and, if given, the accessible name."""

    type: ClassVar[str] = "role"
    role: str = attrs.field(metadata=_TEXT)
    name: str | None = field(default=None, maximum=MAX_SELECTOR_LENGTH)
    exact: bool = False


@attrs.frozen
class Text:
    """The smallest element with the text."""

    type: ClassVar[str] = "text"
    value: str = attrs.field(metadata=_TEXT)
    exact: bool = False


@attrs.frozen
class Label:
    """A form control by the text of its label."""

    type: ClassVar[str] = "label"
    value: str = attrs.field(metadata=_TEXT)
    exact: bool = False


@attrs.frozen
class Placeholder:
    """A form control by its placeholder."""

    type: ClassVar[str] = "placeholder"
    value: str = attrs.field(metadata=_TEXT)
    exact: bool = False


@attrs.frozen
class TestId:
    """An element by its ``data-testid``."""

    __test__ = False  # for pytest

    type: ClassVar[str] = "testId"
    value: str = attrs.field(metadata=_TEXT)


@attrs.frozen
class Semantic:
    """An interactive element by a description, ranked deterministically."""

    type: ClassVar[str] = "semantic"
    description: str = attrs.field(metadata=constraints(minimum=1, maximum=MAX_DESCRIPTION_LENGTH))


@attrs.frozen
class Coordinates:
    """The element under a point of the viewport, in CSS pixels."""

    type: ClassVar[str] = "coordinates"
    x: float = attrs.field(metadata=constraints(minimum=-100_000, maximum=100_000))
    y: float = attrs.field(metadata=constraints(minimum=-100_000, maximum=100_000))


@attrs.frozen
class Ref:
    """An element by the ref that agent/observe gave it, ``@submit``."""

    type: ClassVar[str] = "ref"
    value: str = attrs.field(metadata=constraints(minimum=1, maximum=MAX_SELECTOR_LENGTH, also="ref"))


Selector = Css | XPath | Role | Text | Label | Placeholder | TestId | Semantic | Coordinates | Ref
SELECTORS: Final = (Css, XPath, Role, Text, Label, Placeholder, TestId, Semantic, Coordinates, Ref)
REF_MARK: Final = "@"


def parse_selector(given: Selector | str) -> Selector:
    """Return a selector that may be given as text: ``@submit`` is a ref, any other text is CSS."""
    if not isinstance(given, str):
        return given
    return Ref(given) if given.startswith(REF_MARK) else Css(given)


def parse_optional_selector(given: Selector | str | None) -> Selector | None:
    """Return a selector that may be given as text, or None."""
    return None if given is None else parse_selector(given)


def parse_selectors(given: Iterable[Selector | str]) -> list[Selector]:
    """Return selectors that may be given as text; what holds no selectors is left for the server to refuse."""
    plain: Any = given  # programs without a type checker give anything
    return [parse_selector(one) for one in given] if isinstance(plain, list | tuple | set) else plain


def describe(selector: Selector) -> dict[str, object]:
    """Return the selector as the wire shows it, for the ``details`` of an error."""
    fields = ((one.name, getattr(selector, one.name)) for one in attrs.fields(type(selector)))
    shown = {name: value for name, value in fields if value is not None and value is not False}
    return {"type": selector.type, **shown}


_PLAIN: Final = (str, int, float, dict)
"""Types of what a client may send by the ten thousand, in which there is no selector."""


def selectors_in(params: Any) -> Iterator[Selector]:
    """Yield the selectors in params, in order."""
    if isinstance(params, SELECTORS):
        yield params
    elif isinstance(params, list):
        for item in params:
            if not isinstance(item, _PLAIN):
                yield from selectors_in(item)
    elif attrs.has(type(params)):
        for attribute in attrs.fields(type(params)):
            yield from selectors_in(getattr(params, attribute.name))
