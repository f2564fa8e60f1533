"""Deadline of an action."""

import asyncio
import time
from typing import Final

import attrs

from agentbrowser.browser.portal import remaining_s

_DEFAULT_S: Final = 5.0
# No event reports the awaited states; each poll costs a millisecond.
_POLL_S: Final = 0.03
# An action ends before its request's deadline, so that its error can name the awaited state.
_MARGIN_S: Final = 0.2


@attrs.define(eq=False)
class Deadline:
    """Deadline of one action: the client's timeout for the whole action, or 5 s for each of its two waits.

    Args:
      timeout_s: the client's timeout; None for the default.
    """

    timeout_s: float | None
    _start_s: float = attrs.field(factory=time.monotonic, init=False)

    @classmethod
    def of(cls, timeout_ms: int | None) -> "Deadline":
        """Return the deadline for a ``timeout`` on the wire."""
        return cls(None if timeout_ms is None else timeout_ms / 1000)

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

        When the request itself has no time left, its caller cancels the work and raises the error.
        """
        if self.left_s == 0:
            await asyncio.sleep(_MARGIN_S if remaining_s() == 0 else 0)
            return False
        await asyncio.sleep(_POLL_S)
        return True

    def restart(self) -> None:
        """Start the second wait of the action."""
        if self.timeout_s is None:
            self._start_s = time.monotonic()
