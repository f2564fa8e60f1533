"""Deadline of an action."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable
from typing import Final

import attrs

from agentbrowser.browser.portal import remaining_s

_DEFAULT_S: Final = 5.0
# No event reports the awaited states; each poll costs a millisecond.
_POLL_S: Final = 0.03
_REST_S: Final = 1.5
"""Time without any change, and with nothing under way, after which a page is not expected to change by itself."""
_PROBE_S: Final = 0.25
# An action ends before its request's deadline, so that its error can name the awaited state.
_MARGIN_S: Final = 0.2


@attrs.define(eq=False)
class Deadline:
    """Deadline of one action: the client's timeout for the whole action, or 5 s for each of its two waits.

    Args:
      timeout_s: the client's timeout; None for the default.
      is_at_rest: asks if the page still changes by itself; without it, the page always may.
    """

    timeout_s: float | None
    _is_at_rest: Callable[[], Awaitable[bool]] | None = None
    has_rested: bool = attrs.field(default=False, init=False)
    """True once the wait has ended because the page is at rest."""
    _start_s: float = attrs.field(factory=time.monotonic, init=False)
    _probe_s: float = attrs.field(default=0.0, init=False)
    """Time of the next question if the page is at rest."""
    _rest_s: float = attrs.field(default=math.inf, init=False)
    """Time since which the page has been at rest."""

    @classmethod
    def of(cls, timeout_ms: int | None, is_at_rest: Callable[[], Awaitable[bool]] | None = None) -> "Deadline":
        """Return the deadline for a ``timeout`` on the wire."""
        return cls(None if timeout_ms is None else timeout_ms / 1000, is_at_rest)

    @classmethod
    def of_request(cls, timeout_ms: int | None) -> "Deadline":
        """Return a deadline shortly before that of the whole request, which this ``timeout`` on the wire has set.

        A missing element is then reported as such, and not as a timeout.
        """
        request_s = remaining_s()
        end_s = max(request_s - _MARGIN_S, request_s / 2)
        if timeout_ms is None:
            return cls(None if end_s > _DEFAULT_S else end_s)
        return cls(min(timeout_ms / 1000, end_s))

    @property
    def waited_ms(self) -> int:
        """Milliseconds since the start of the wait."""
        return round((time.monotonic() - self._start_s) * 1000)

    @property
    def left_s(self) -> float:
        """Seconds left, at least 0."""
        allowed = _DEFAULT_S if self.timeout_s is None else self.timeout_s
        request = remaining_s()
        return max(0.0, min(self._start_s + allowed - time.monotonic(), max(request - _MARGIN_S, request / 2)))

    @property
    def left_ms(self) -> float:
        """Milliseconds left for Playwright: at least 1, since 0 means no limit there."""
        return max(1.0, self.left_s * 1000)

    async def pause(self) -> bool:
        """Wait before the next poll, and return True; return False when no time is left. [asyncio]

        Without a timeout of the client's, a page that has been at rest for a while is not waited for. When the request
        itself has no time left, its caller cancels the work and raises the error.
        """
        if self.timeout_s is None and self._is_at_rest is not None:
            self.has_rested = await self._is_rest_over(self._is_at_rest)
            if self.has_rested:
                return False
        if self.left_s == 0:
            await asyncio.sleep(_MARGIN_S if remaining_s() == 0 else 0)
            return False
        await asyncio.sleep(_POLL_S)
        return True

    async def _is_rest_over(self, is_at_rest: Callable[[], Awaitable[bool]]) -> bool:
        if (now := time.monotonic()) < self._probe_s:
            return False
        self._probe_s = now + _PROBE_S
        if not await is_at_rest():
            self._rest_s = math.inf
            return False
        self._rest_s = min(self._rest_s, now)
        return now - self._rest_s >= _REST_S

    def restart(self) -> None:
        """Start the second wait of the action."""
        if self.timeout_s is None:
            self._start_s = time.monotonic()
            self._rest_s = math.inf
