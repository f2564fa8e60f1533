"""Scenarios: a page, one act in Playwright's words and in ours, and the reading that both must agree on."""

import itertools
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import Page

if TYPE_CHECKING:
    from tests.parity.ours import OurPage

BRIEF_MS: Final = 250
"""Timeout of an act that is expected to fail."""
Request = tuple[str, Mapping[str, Any]]
Playwright = Callable[[Page], Awaitable[object]]
Ours = Request | Sequence[Request] | Callable[["OurPage"], Awaitable[object]]
File = str | tuple[bytes, Mapping[str, str]]


@attrs.frozen(kw_only=True)
class Context:
    """Options of a context of the scenario's own: Playwright's, and those of `context/create`."""

    playwright: Mapping[str, Any] = attrs.field(factory=dict)
    ours: Mapping[str, Any] = attrs.field(factory=dict)


FRESH: Final = Context()
"""A new context with the defaults, for scenarios about storage, permissions and popups."""


@attrs.frozen
class Scenario:
    """One row of a table. Both sides must agree on the event log, the focus, ``read``, and on ``wire`` if asked.

    Args:
      title: unique in the suite; begins with the area.
      html: body of the page. Relative URLs lead to ``files``; ``{other}`` is the same folder at another origin.
      playwright: the act on Playwright's page; a value that it returns must be equal to ours.
      ours: the same as requests, or as a function of our page, whose value is compared.
      read: JavaScript expression, evaluated in the page after the act.
      until: JavaScript condition that the page meets after the act, for effects that arrive later.
      hears: types of events to log besides the usual ones.
      ignores: pattern of the log's entries to leave out, because their order is a matter of chance.
      error: name of our error; Playwright must fail too.
      context: None for a page that scenarios share.
      files: further documents by path below the page's folder.
      wire: True to compare the requests that reach the site.
    """

    title: str
    html: str
    playwright: Playwright
    ours: Ours
    read: str = "null"
    until: str | None = attrs.field(default=None, kw_only=True)
    hears: str = attrs.field(default="", kw_only=True)
    ignores: str | None = attrs.field(default=None, kw_only=True)
    error: str | None = attrs.field(default=None, kw_only=True)
    context: Context | None = attrs.field(default=None, kw_only=True)
    files: Mapping[str, File] = attrs.field(factory=dict, kw_only=True)
    wire: bool = attrs.field(default=False, kw_only=True)
    number: int = attrs.field(factory=itertools.count(1).__next__, init=False)

    @property
    def is_static(self) -> bool:
        """Return True if others can share the window: the page has no globals, and no URL and no policy of its own."""
        is_alone = self.context is None and not self.files and not self.wire
        words = ("<script", "<base", "<meta", "location", "src=")
        return is_alone and not any(word in self.html + self.read for word in words)


@attrs.frozen
class Outcome:
    """Everything that is compared between the two sides."""

    failed: bool
    answer: object
    page: object
    wire: tuple[str, ...]
    message: str | None = attrs.field(eq=False)
    """The words of the error, which may differ."""


async def in_turn(*acts: Awaitable[object]) -> object:
    """Await several calls one after the other; return the value of the last one. [asyncio]"""
    value: object = None
    rest = list(acts)
    try:
        while rest:
            value = await rest.pop(0)
    finally:
        for act in rest:
            if isinstance(act, Coroutine):
                act.close()
    return value


# Our requests


def act(action: str, selector: Any = None, /, *, options: Mapping[str, Any] | None = None, **params: Any) -> Request:
    """Return the request of an action."""
    if selector is not None:
        params["selector"] = selector
    if options:
        params["options"] = options
    return f"action/{action}", params


def click(selector: Any, **options: Any) -> Request:
    return act("click", selector, options=options)


def dblclick(selector: Any, **options: Any) -> Request:
    return act("dblclick", selector, options=options)


def hover(selector: Any, **options: Any) -> Request:
    return act("hover", selector, options=options)


def check(selector: Any, **options: Any) -> Request:
    return act("check", selector, options=options)


def uncheck(selector: Any, **options: Any) -> Request:
    return act("uncheck", selector, options=options)


def clear(selector: Any, **options: Any) -> Request:
    return act("clear", selector, options=options)


def fill(selector: Any, value: str, **options: Any) -> Request:
    return act("fill", selector, value=value, options=options)


def type_(selector: Any, text: str, **options: Any) -> Request:
    return act("type", selector, text=text, options=options)


def press(key: str, selector: Any = None, **options: Any) -> Request:
    return act("press", selector, key=key, options=options)


def select(selector: Any, values: str | Sequence[str], **options: Any) -> Request:
    return act("select", selector, values=values, options=options)


def scroll(selector: Any = None, **options: Any) -> Request:
    return act("scroll", selector, options=options)


def drag(source: Any, target: Any, **options: Any) -> Request:
    return act("drag", source=source, target=target, options=options)


def goto(url: str, **params: Any) -> Request:
    """Return the request that loads a URL; a relative one is below the page's folder."""
    return "page/navigate", {"url": url, **params}


def wait_for(**params: Any) -> Request:
    return "page/waitFor", params
