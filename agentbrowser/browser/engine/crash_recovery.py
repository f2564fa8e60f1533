"""Page crashes: cancellation of the requests under way, and a replacement for the page.

The browser answers no request of a crashed page. Playwright never uses such a page again, so another page takes its
place.
"""

import asyncio
import contextlib
import functools
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

import attrs

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import close_quietly
from agentbrowser.browser.engine.processes import is_dead
from agentbrowser.protocol.errors import TargetClosed

if TYPE_CHECKING:
    from agentbrowser.browser.engine.engine import Engine
    from agentbrowser.browser.tab import Tab

_HINT: Final = "Call page/navigate or page/reload to have the page in a new process, or page/close."


@attrs.define(eq=False)
class CrashSignal:
    """Crash state of a page, and the requests that a crash cancels."""

    is_set: bool = attrs.field(default=False, init=False)
    """True once the page has crashed."""
    _running: set[asyncio.Task[object]] = attrs.field(factory=set, init=False)
    _cancelled: frozenset[asyncio.Task[object]] = attrs.field(default=frozenset(), init=False)

    @contextlib.contextmanager
    def cancels(self) -> Iterator[None]:
        """Cancel the block when the page crashes. The block is all that the current task does.

        Raises:
          TargetClosed: the page has crashed.
        """
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if task not in self._cancelled or task.uncancel() > 0:  # the client cancelled the request
                raise
            raise page_crashed() from None
        finally:
            self._running.discard(task)

    def trigger(self) -> None:
        """Cancel all requests under way."""
        if not self.is_set:
            self.is_set, self._cancelled = True, frozenset(self._running)
            for task in self._cancelled:
                task.cancel()


def page_crashed() -> TargetClosed:
    """Return the error for a request to a crashed page."""
    return TargetClosed("The page has crashed.", target="page", hint=_HINT)


def browser_lost() -> TargetClosed:
    """Return the error for a request that was under way when its browser was lost."""
    return TargetClosed(
        "The browser was lost, with all its pages, and is started again.",
        target="browser",
        retryable=True,
        retry_after_ms=1000,
        hint="Open a page anew, with page/create or by a request that names none.",
    )


class _OfClient(Protocol):
    """Pages or contexts of one client."""

    @property
    def engine(self) -> "Engine":
        """Return the client's engine."""
        ...


OwnerT = TypeVar("OwnerT", bound=_OfClient)
ParamsT = ParamSpec("ParamsT")
ResultT = TypeVar("ResultT")


def reports_loss(
    method: Callable[Concatenate[OwnerT, ParamsT], Coroutine[Any, Any, ResultT]],
) -> Callable[Concatenate[OwnerT, ParamsT], Coroutine[Any, Any, ResultT]]:
    """Decorate a method: what Playwright reports as closed while the browser is lost permits a retry."""

    @functools.wraps(method)
    async def reporting(owner: OwnerT, /, *args: ParamsT.args, **options: ParamsT.kwargs) -> ResultT:
        losses: list[str] = []
        unlisten = owner.engine.on_lost(losses.append)
        try:
            return await method(owner, *args, **options)
        except TargetClosed as closed:
            raise (browser_lost() if losses or any(map(is_dead, owner.engine.pids)) else closed) from None
        finally:
            unlisten()

    return reporting


async def replace_crashed(crashed: "Tab") -> None:
    """Put an empty page in the place of a crashed one, under its id. [asyncio]

    Raises:
      TargetClosed: the session was closed meanwhile.
    """
    tabs, context = crashed.tabs, crashed.context
    async with tabs.opening:
        if not tabs.has(crashed):  # another request has replaced it
            return
        generation = tabs.generation
        with faults.mapped():
            page = await context.browser_context.new_page()
        await tabs.check_generation(generation, context, page.close)
        if not tabs.has(crashed):  # the client has closed it
            return await close_quietly(page.close())
        tab = tabs.add(crashed.id, page, context, crashed.opener)
        tabs.count_pages(-1)  # the crashed page
        tab.inherit(crashed)
        await tab.navigation_policy.enforce()
        await context.emulation.apply_to(tab)
    await tab.apply_options(crashed.options, crashed)
    tabs.run_in_background(close_quietly(crashed.page.close()))
