"""When to connect again, and what a line says of itself meanwhile."""

import random
from collections.abc import Iterator
from typing import Literal

import attrs

from agentbrowser.client.connection.transport import ConnectionLost

LineState = Literal["connecting", "connected", "reconnecting", "closed"]


@attrs.frozen(kw_only=True)
class Reconnect:
    """How often to connect again after a connection was lost, and how long to wait before each attempt.

    The waits are base, 2 · base, 4 · base and so on. The count begins anew once a connection stands.
    """

    max_attempts: int = attrs.field(default=5, validator=attrs.validators.ge(0))
    """0: never."""
    base_ms: float = attrs.field(default=1000.0, validator=attrs.validators.ge(0))
    jitter: float = attrs.field(default=0.0, validator=attrs.validators.ge(0))
    """The share of each wait by which it may be longer at random: 0.5 for up to half of it."""

    def waits_s(self) -> Iterator[float]:
        """Yield the seconds to wait before each attempt."""
        for attempt in range(self.max_attempts):
            yield self.base_ms / 1000 * 2**attempt * (1 + random.random() * self.jitter)


NEVER = Reconnect(max_attempts=0)


@attrs.frozen(kw_only=True)
class LineChange:
    """What has become of the connection."""

    state: LineState
    attempt: int = 0
    """Of ``reconnecting``: which attempt comes next, counted from 1."""
    wait_s: float = 0.0
    """Of ``reconnecting``: how long it waits before that."""
    restored: str | None = None
    """Of ``connected``: what the server has kept of the session; None where it began anew, without its pages."""
    error: ConnectionLost | None = None
    """What was lost."""
