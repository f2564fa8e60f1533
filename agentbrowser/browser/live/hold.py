"""Takeover of a page by a person: the agent's actions on it are refused meanwhile, and its looks continue."""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from agentbrowser.protocol.errors import PageHeld
from agentbrowser.protocol.types.event import now_ms
from agentbrowser.protocol.types.selector import Selector


@attrs.frozen
class Holder:
    """Person who has taken a page over."""

    name: str
    reason: str
    since_ms: int = attrs.field(factory=now_ms)


@attrs.define(eq=False)
class PageHold:
    """Holder of one page, and the agent's actions that a takeover interrupts."""

    holder: Holder | None = attrs.field(default=None, init=False)
    """None while the page is the agent's."""
    listeners: list[Callable[[], object]] = attrs.field(factory=list, init=False)
    """Called when an action of the agent begins, and when it has ended."""
    on_target: Callable[[Selector, dict[str, Any]], object] | None = attrs.field(default=None, init=False)
    """Receives role, name and bounds of elements that an action has found; None while nobody watches."""
    _running: set[asyncio.Task[object]] = attrs.field(factory=set, init=False)
    _interrupted: dict[asyncio.Task[object], Holder] = attrs.field(factory=dict, init=False)

    @property
    def is_acted_on(self) -> bool:
        """Return True while an action of the agent runs."""
        return bool(self._running)

    def check(self) -> None:
        """Reject an action of the agent while a person has the page.

        Raises:
          PageHeld: a person has it.
        """
        if self.holder is not None:
            raise _page_held(self.holder)

    @contextlib.contextmanager
    def interrupts(self) -> Iterator[None]:
        """Run an action of the agent, which a takeover interrupts. The block is all that the current task does.

        Raises:
          PageHeld: a person has the page, or takes it over before the action is done.
        """
        self.check()
        task = asyncio.current_task()
        assert task is not None
        self._running.add(task)
        self._notify()
        try:
            yield
        except asyncio.CancelledError:
            holder = self._interrupted.get(task)
            if holder is None or task.uncancel() > 0:  # the client cancelled it
                raise
            raise _page_held(holder, is_interrupted=True) from None
        finally:
            self._running.discard(task)
            self._interrupted.pop(task, None)
            self._notify()

    def _notify(self) -> None:
        for listener in tuple(self.listeners):
            listener()

    def take(self, holder: Holder) -> None:
        """Give the page to a person, and interrupt the agent's actions on it.

        Raises:
          PageHeld: another person has it.
        """
        self.check()
        self.holder = holder
        for task in self._running:
            self._interrupted[task] = holder
            task.cancel()

    def release(self) -> None:
        """Give the page back to the agent."""
        self.holder = None


def _page_held(holder: Holder, *, is_interrupted: bool = False) -> PageHeld:
    what = "has taken the page over before the action was done" if is_interrupted else "has taken the page over"
    message = f"A person ({holder.name}) {what}."
    return PageHeld(message, holder=holder.name, since=holder.since_ms, reason=holder.reason)
