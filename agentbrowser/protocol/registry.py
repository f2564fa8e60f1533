"""Registry of the protocol's methods and events, by wire name."""

import enum
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, Literal, ParamSpec, TypeVar

import attrs

P = ParamSpec("P")
ParamsT = TypeVar("ParamsT")
ResultT = TypeVar("ResultT")
ResultT_co = TypeVar("ResultT_co", covariant=True)


class Scope(enum.IntEnum):
    """Permissions of a connection; each scope includes the lower ones."""

    READONLY = 1
    STANDARD = 2
    FULL = 3
    PRIVILEGED = 4

    @property
    def word(self) -> str:
        """Return the name of the scope on the wire and the command line."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> "Scope":
        """Return the scope of that name.

        Raises:
          ValueError: there is none.
        """
        try:
            return cls[word.upper()]
        except KeyError:
            raise ValueError(f"scope must be one of {', '.join(scope.word for scope in cls)}, not {word!r}") from None


class TabState(enum.Enum):
    """State of a page's tab when the handler of a page method receives it."""

    UNBLOCKED = enum.auto()
    """Alive, with no dialog open: the server waits until a dialog is closed."""
    ALIVE = enum.auto()
    """Alive, with or without an open dialog."""
    REVIVED = enum.auto()
    """Unblocked, in a new process if the page had crashed."""


@attrs.frozen(kw_only=True, eq=False)
class Method(Generic[P, ResultT_co]):
    """One method of the protocol.

    ``handler`` takes its subject and the params. It runs in the browser thread: with the page's `Tab` if the method has
    a ``tab_state``, with the client's `Tabs` otherwise. The handler of a ``composite`` takes the `Call`, and runs in
    Trio. The class is generic in the constructor of the params, so that a typed client can take a method's params as
    keywords. It is covariant in the result, so that a call may stand where any object is accepted: ``print(await …)``.
    """

    name: str
    params: Callable[P, Any]
    result: type[ResultT_co]
    handler: Callable[[Any, Any], Awaitable[ResultT_co]]
    scope: Scope
    step: bool = False
    """True if ``agent/act`` accepts the method as a step."""
    free: bool = False
    """True if the method runs at once, instead of in its page's order of arrival."""
    focus: bool = False
    """True if its page becomes the active one as soon as the request arrives."""
    in_session: bool = False
    """True if the method changes the session itself, so that it runs in order of arrival among such methods."""
    composite: bool = False
    reads: bool = False
    """True for a method above ``readonly`` that has no side effects."""
    tab_state: TabState | None = None
    """State of the tab that the handler receives; None: it receives no tab."""

    @property
    def observes(self) -> bool:
        """Return True if the method has no side effects, so that it can be repeated."""
        return self.reads or (self.scope is Scope.READONLY and not self.in_session and not self.focus)

    @property
    def takes_page(self) -> bool:
        """Return True if the params may name a page."""
        return "page_id" in inspect.signature(self.params).parameters

    @property
    def summary(self) -> str:
        """Return the first line of the handler's docstring, without its flavour mark."""
        text = inspect.getdoc(self.handler) or ""
        return text.partition("\n")[0].removesuffix("[asyncio]").removesuffix("[trio]").strip()


@attrs.frozen(kw_only=True)
class Event:
    """A notification that the server sends."""

    name: str
    params: type[Any]


METHODS: Final[dict[str, Method[..., Any]]] = {}
EVENTS: Final[dict[str, Event]] = {}

Subject = Literal["tab", "tabs", "call"]
"""Name of a handler's first parameter, by what it receives there."""


def _declare(
    name: str, params: Callable[P, ParamsT], subject: Subject, **declared: Any
) -> Callable[[Callable[[Any, ParamsT], Awaitable[ResultT]]], Method[P, ResultT]]:
    def declare(handler: Callable[[Any, ParamsT], Awaitable[ResultT]]) -> Method[P, ResultT]:
        if name in METHODS:
            raise ValueError(f"{name} is declared twice")
        if (first := next(iter(inspect.signature(handler).parameters))) != subject:
            raise ValueError(f"the handler of {name} receives the {subject}, so its first parameter is not {first}")
        if subject == "tab" and "page_id" not in inspect.signature(params).parameters:
            raise ValueError(f"the params of {name} have no page_id")
        result = handler.__annotations__["return"]
        declared_method: Method[P, ResultT] = Method(
            name=name, params=params, result=result, handler=handler, **declared
        )
        METHODS[name] = declared_method
        return declared_method

    return declare


def method(
    name: str,
    params: Callable[P, ParamsT],
    *,
    scope: Scope,
    step: bool = False,
    free: bool = False,
    focus: bool = False,
    in_session: bool = False,
    reads: bool = False,
) -> Callable[[Callable[[Any, ParamsT], Awaitable[ResultT]]], Method[P, ResultT]]:
    """Declare a method that acts on a client's pages as a whole.

    Its handler ``(tabs, params)`` runs in the browser thread.
    """
    declared = {"step": step, "free": free, "focus": focus, "in_session": in_session, "reads": reads}
    return _declare(name, params, "tabs", scope=scope, **declared)


def page_method(
    name: str,
    params: Callable[P, ParamsT],
    *,
    scope: Scope,
    step: bool = False,
    focus: bool = False,
    tab: TabState = TabState.UNBLOCKED,
) -> Callable[[Callable[[Any, ParamsT], Awaitable[ResultT]]], Method[P, ResultT]]:
    """Declare a method that acts on one page, that of the params' ``page_id``.

    Its handler ``(tab, params)`` runs in the browser thread.

    Args:
      tab: the state that the tab must be in.
    """
    return _declare(name, params, "tab", scope=scope, step=step, focus=focus, tab_state=tab)


def composite(
    name: str,
    params: Callable[P, ParamsT],
    *,
    scope: Scope,
    free: bool = False,
    focus: bool = False,
    in_session: bool = False,
    reads: bool = False,
) -> Callable[[Callable[[Any, ParamsT], Awaitable[ResultT]]], Method[P, ResultT]]:
    """Declare a method whose handler ``(call, params)`` runs in Trio and may call the browser thread."""
    declared = {"free": free, "focus": focus, "in_session": in_session, "reads": reads}
    return _declare(name, params, "call", scope=scope, composite=True, **declared)


def event(name: str) -> Callable[[type[ParamsT]], type[ParamsT]]:
    """Declare the class as the params of the notification ``name``."""

    def declare(params: type[ParamsT]) -> type[ParamsT]:
        EVENTS[name] = Event(name=name, params=params)
        return params

    return declare
