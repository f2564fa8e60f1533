"""What ties requests to the page they are about: when it crashes they end, for the browser never answers them."""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Final

import attrs

from agentbrowser.protocol.errors import TargetClosed

_HINT: Final = "Call page/navigate or page/reload to have the page in a new process, or page/close."


@attrs.define(eq=False)
class CrashSignal:
    """Whether a page is alive, and what is being done to it."""

    cut: bool = attrs.field(default=False, init=False)
    """Whether the page has crashed."""
    _busy: set[asyncio.Task[object]] = attrs.field(factory=set, init=False)
    _ended: frozenset[asyncio.Task[object]] = attrs.field(default=frozenset(), init=False)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Have the block, which is the whole of a request's task, end when the page crashes.

        Raises:
          TargetClosed: it has.
        """
        task = asyncio.current_task()
        assert task is not None
        self._busy.add(task)
        try:
            yield
        except asyncio.CancelledError:
            if task not in self._ended or task.uncancel() > 0:  # the request itself was given up
                raise
            raise crashed() from None
        finally:
            self._busy.discard(task)

    def break_off(self) -> None:
        """End all that is being done to the page."""
        if not self.cut:
            self.cut, self._ended = True, frozenset(self._busy)
            for task in self._ended:
                task.cancel()


def crashed() -> TargetClosed:
    """Return the error for what is asked of a page that has crashed."""
    return TargetClosed("The page has crashed.", target="page", hint=_HINT)


def lost() -> TargetClosed:
    """Return the error for what was being done in a browser that is gone."""
    return TargetClosed(
        "The browser was lost, with all its pages, and is started again.",
        target="browser",
        retryable=True,
        retry_after_ms=1000,
        hint="Open a page anew, with page/create or by a request that names none.",
    )
