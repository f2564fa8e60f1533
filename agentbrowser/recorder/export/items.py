"""Items of an exported test: its actions, what is expected after each, and its settings. Pure.

A value that the recording does not hold becomes a `Withheld`, which the test reads from an environment variable. An
action that cannot be repeated becomes an `UnsupportedStep`, at which the test fails.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import attrs

from agentbrowser.recorder.export.seen import SeenElement


@attrs.frozen
class Withheld:
    """Value that the recording does not hold: the test reads it from an environment variable."""

    variable: str


@attrs.frozen
class SiteUrl:
    """URL on the site that is tested, as path, query and fragment."""

    path: str


@attrs.frozen
class ReadWords:
    """Words that the test has read from the page before, by the variable that holds them."""

    variable: str


Value = str | Withheld | SiteUrl | ReadWords


@attrs.frozen(kw_only=True)
class Target:
    """Element of an action: the selector of the request, and the element of a look that it stands for."""

    selector: Mapping[str, Any]
    element: SeenElement | None = None


@attrs.frozen(kw_only=True)
class Action:
    """Action of the test."""

    method: str
    page: str
    """Variable of its page."""
    target: Target | None = None
    drop_target: Target | None = None
    """Drop target of a drag, if it is an element."""
    value: Value | None = None
    values: tuple[Value, ...] = ()
    options: Mapping[str, Any] = attrs.field(factory=dict)
    """Params or options as recorded."""
    opens: str | None = None
    """Variable of the page that it opens."""
    dialog: Mapping[str, Any] | None = None
    """Dialog that it opens, with ``answered``, ``prompt`` as a `Value`, and ``sent``: before the action or after."""


@attrs.frozen(kw_only=True)
class Check:
    """Expectation: exactly one of them."""

    page: str
    url: Value | None = None
    part: Value | None = None
    """Part of the URL, or a glob with ``*``."""
    words: str | None = None
    look: int | None = None
    """Number of the look that showed the words or the element; None if none did.

    It may join the words of several elements, and the page may have more elements of that role and name.
    """
    is_anywhere: bool = False
    """True if the words may be those of a frame."""
    gone: str | None = None
    target: Target | None = None
    state: str = "visible"
    content: Any = None
    """Value of the element, in place of its state."""


@attrs.frozen
class UnsupportedStep:
    """Recorded action that the test cannot repeat."""

    reason: str


@attrs.frozen
class Remark:
    """Comment."""

    text: str


@attrs.frozen(kw_only=True)
class Reading:
    """Words that the page has made up in the run, such as a number, and that are typed later."""

    page: str
    variable: str
    before: str
    words: str
    """The words of the recorded run."""
    after: str


Item = Action | Check | UnsupportedStep | Remark | Reading


@attrs.frozen(kw_only=True)
class TestPlan:
    """Steps of a test, in order, and the settings that it needs."""

    __test__ = False  # for pytest

    recording: str
    site: str
    """Origin of the recorded site."""
    items: list[Item]
    context: Mapping[str, Any]
    """Viewport, locale, timezone and user agent of the first page."""

    @property
    def variables(self) -> list[str]:
        """Return the environment variables that hold what the recording does not."""
        found = [value.variable for item in self.items for value in _values_of(item) if isinstance(value, Withheld)]
        return list(dict.fromkeys(found))


def _values_of(item: Item) -> Iterator[Value | None]:
    if isinstance(item, Action):
        yield item.value
        yield from item.values
        yield (item.dialog or {}).get("prompt")
