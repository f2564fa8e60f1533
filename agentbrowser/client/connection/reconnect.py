"""Reconnection: its schedule, and the states of a connection."""

import itertools
import math
import random
from collections.abc import Iterator
from typing import Any, Literal

import attrs

from agentbrowser.client.connection.transport import ConnectionLost

ConnectionState = Literal["connecting", "connected", "reconnecting", "closed"]


def _check_finite(_: object, attribute: "attrs.Attribute[Any]", value: Any) -> None:
    if not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"{attribute.name} must be a number, 0 or more, got {value}")


@attrs.frozen(kw_only=True)
class Reconnect:
    """Schedule of the attempts to reconnect, with exponential backoff.

    The waits are base, 2 · base, 4 · base and so on. A successful connection resets the count.
    """

    max_attempts: int = attrs.field(default=5, validator=_check_finite)
    """0 for no reconnection."""
    base_ms: float = attrs.field(default=1000.0, validator=_check_finite)
    jitter: float = attrs.field(default=0.0, validator=_check_finite)
    """Largest random extension of each wait, as a share of it: 0.5 for up to half."""

    def waits_s(self) -> Iterator[float]:
        """Yield the wait before each attempt, in seconds."""
        for attempt in range(int(self.max_attempts)):
            # A larger power is too large for a float; those who never want to give up ask for millions of attempts.
            yield self.base_ms / 1000 * 2.0 ** min(attempt, 900) * (1 + random.random() * self.jitter)


NEVER = Reconnect(max_attempts=0)


def first_waits_s() -> Iterator[float]:
    """Yield the waits between attempts to reach a server that is starting: short at first, then 1 s each."""
    return itertools.chain((0.05, 0.1, 0.2, 0.4), itertools.repeat(1.0))


@attrs.frozen(kw_only=True)
class ConnectionChange:
    """A change in the state of a connection."""

    state: ConnectionState
    attempt: int = 0
    """For ``reconnecting``: number of the next attempt, from 1."""
    wait_s: float = 0.0
    """For ``reconnecting``: wait before that attempt."""
    restored: str | None = None
    """For ``connected``: ``warm`` or ``cold`` if the server restored the session. ``none`` after a reconnection into a
    new session, which has none of the pages, refs and events from before; None for the first session."""
    error: ConnectionLost | None = None
    """Error of the lost connection."""
