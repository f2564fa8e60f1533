"""Rate limit of the clients of one token."""

import math
from collections import deque
from typing import Final

import attrs
import trio

from agentbrowser.protocol.errors import ServerBusy

_WINDOW_S: Final = 60.0


@attrs.define(eq=False)
class RateLimit:
    """Limit of requests per minute over all connections that share it. Refused requests do not count."""

    requests_per_minute: int
    _taken: deque[float] = attrs.field(factory=deque, init=False)

    def take(self) -> None:
        """Count a request.

        Raises:
          ServerBusy: the limit is reached; the error holds the time to wait.
        """
        now_s = trio.current_time()
        while self._taken and self._taken[0] <= now_s - _WINDOW_S:
            self._taken.popleft()
        if len(self._taken) >= self.requests_per_minute:
            self._refuse(self._taken[0] + _WINDOW_S - now_s)
        self._taken.append(now_s)

    def _refuse(self, wait_s: float) -> None:
        limit = self.requests_per_minute
        raise ServerBusy(
            f"This token may make {limit} requests a minute.",
            retry_after_ms=math.ceil(wait_s * 1000),
            limit=limit,
            current=len(self._taken),
            hint="Ask less often, or do several things in one agent/act.",
        )
