"""How long an action waits."""

import asyncio
import time
from typing import Final

import attrs

from agentbrowser.browser.portal import remaining_s

_USUAL_S: Final = 5.0
# Pages give no event for what is waited for; each look costs a millisecond.
_POLL_S: Final = 0.03
# So that an error can say what was waited for before the request's own deadline ends it with a bare Timeout.
_MARGIN_S: Final = 0.2


@attrs.define(eq=False)
class Deadline:
    """The time of one action: the client's timeout for all of it, or else 5 s for each of its two waits.

    Args:
      timeout_s: the client's; None when it gave none.
    """

    timeout_s: float | None
    _start_s: float = attrs.field(factory=time.monotonic, init=False)

    @classmethod
    def of(cls, timeout_ms: int | None) -> "Deadline":
        """Return the patience that a ``timeout`` of the wire asks for."""
        return cls(None if timeout_ms is None else timeout_ms / 1000)

    @property
    def waited_ms(self) -> int:
        """The milliseconds that were waited so far."""
        return round((time.monotonic() - self._start_s) * 1000)

    @property
    def left_s(self) -> float:
        """The seconds that are left, at least 0."""
        allowed = _USUAL_S if self.timeout_s is None else self.timeout_s
        request = remaining_s()
        return max(0.0, min(self._start_s + allowed - time.monotonic(), max(request - _MARGIN_S, request / 2)))

    @property
    def left_ms(self) -> float:
        """The milliseconds that are left, for Playwright: at least 1, since it takes 0 for no limit."""
        return max(1.0, self.left_s * 1000)

    async def pause(self) -> bool:
        """Wait a moment before the next look at the page; False when no time is left. [asyncio]

        If it is the request's own time that is over, whoever has set that ends the work, and says so.
        """
        if self.left_s == 0:
            await asyncio.sleep(_MARGIN_S if remaining_s() == 0 else 0)
            return False
        await asyncio.sleep(_POLL_S)
        return True

    def renew(self) -> None:
        """Begin the second wait."""
        if self.timeout_s is None:
            self._start_s = time.monotonic()
