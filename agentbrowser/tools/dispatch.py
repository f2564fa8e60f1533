"""Dispatch of tool calls to their handlers."""

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Final, TypeVar, cast
from weakref import WeakKeyDictionary, WeakSet

import attrs

from agentbrowser.client.outcomes import Image
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams
from agentbrowser.tools import acts, human, looks, optional, tabs
from agentbrowser.tools.arguments import checked
from agentbrowser.tools.calls import Answer, Ask, Pause, Question, Show, ToolBrowser, ToolCall
from agentbrowser.tools.journal import Journal
from agentbrowser.tools.results import ToolResult, failed
from agentbrowser.tools.table import BY_NAME

T = TypeVar("T")

HANDLERS: Final[Mapping[str, Callable[[ToolCall], Awaitable[ToolResult]]]] = {
    "browser_navigate": tabs.navigate,
    "browser_look": looks.look,
    "browser_act": acts.act,
    "browser_extract": looks.extract,
    "browser_screenshot": looks.screenshot,
    "browser_tabs": tabs.tabs,
    "browser_ask_human": human.ask_human,
    "browser_evaluate": optional.evaluate,
    "browser_state": optional.state,
    "browser_emulate": optional.emulate,
}
_journals: WeakKeyDictionary[Any, Journal] = WeakKeyDictionary()


async def dispatch(
    browser: ToolBrowser, name: str, arguments: Mapping[str, Any] | str | None = None, *, ask: Ask | None = None
) -> str | Image:
    """Run a tool, and return what to give the model: text, or an image. [trio] [asyncio]

    A failure is text too, with the error's class, message, candidates and hint: the model can mend it.

    Args:
      browser: a client for Trio or for asyncio.
      arguments: those that the model chose, as an object or as JSON text.
      ask: asks the user, for browser_ask_human.
    """
    result = await run(browser, name, arguments, ask=ask)
    return result.image or result.text


async def run(
    browser: ToolBrowser,
    name: str,
    arguments: Mapping[str, Any] | str | None = None,
    *,
    ask: Ask | None = None,
    show: Show | None = None,
    pauses: Pause | None = None,
    of_owner: WeakSet[Journal] | None = None,
) -> ToolResult:
    """Run a tool, and return its result with all its parts, as the MCP server needs them. [trio] [asyncio]

    Args:
      show: shows the user a message while the call goes on, if no answer can be asked for.
      pauses: awaited in the middle of work that grows with the page, on a loop that does other work, too.
      of_owner: the journals of all clients of the same owner, to which that of this one is added.
    """
    try:
        if name not in HANDLERS:
            raise InvalidParams(f"No tool is called {name}.", hint=f"There are {', '.join(HANDLERS)}.")
        given = checked(BY_NAME[name], arguments)
        journal = _journals.setdefault(browser, Journal())
        if of_owner is not None:
            of_owner.add(journal)
            journal.of_owner = of_owner
        await journal.start(browser)
        call = ToolCall(browser=browser, arguments=given, journal=journal, ask_user=ask, show=show, pauses=pauses)
        return await HANDLERS[name](call)
    except AgentBrowserError as error:
        return failed(error)


def forget(browser: ToolBrowser) -> None:
    """Drop what a client has kept that has ended: the garbage collector may take long to find it."""
    if (journal := _journals.pop(browser, None)) is not None:
        journal.states.clear()


def dispatch_blocking(
    browser: Any,
    name: str,
    arguments: Mapping[str, Any] | str | None = None,
    *,
    ask: Callable[[Question], Answer] | None = None,
) -> str | Image:
    """Run a tool as `dispatch` does, with a browser of `agentbrowser.client.blocking`."""
    adapter = _adapters.get(browser)
    if adapter is None:
        adapter = _adapters[browser] = _Adapter(browser.connection)
    return _run_to_end(dispatch(adapter, name, arguments, ask=None if ask is None else _awaitable(ask)))


def _run_to_end(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never waits: all that it awaits has blocked."""
    try:
        work.send(None)
    except StopIteration as end:
        return cast("T", end.value)
    work.close()
    raise RuntimeError("A tool has waited for an event loop.")


@attrs.frozen(eq=False)
class _BlockingConnection:
    """Blocking connection with the methods of an asynchronous one."""

    _connection: Any

    async def subscribe(self, names: frozenset[str]) -> "_BlockingSubscription":
        return _BlockingSubscription(self._connection.subscribe(names))


@attrs.frozen(eq=False)
class _BlockingSubscription:
    _subscription: Any

    async def unread(self) -> list[Any]:
        return cast("list[Any]", self._subscription.unread())


@attrs.frozen(eq=False)
class _Adapter:
    """Blocking browser with the methods of an asynchronous one."""

    _connection: Any

    @property
    def connection(self) -> _BlockingConnection:
        return _BlockingConnection(self._connection)

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        return self._connection.request(method, params)


_adapters: WeakKeyDictionary[Any, _Adapter] = WeakKeyDictionary()


def _awaitable(ask: Callable[[Question], Answer]) -> Ask:
    async def ask_at_once(question: Question) -> Answer:
        return ask(question)

    return ask_at_once
