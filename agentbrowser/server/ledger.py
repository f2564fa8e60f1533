"""What did not get through the wall, and why: for the log, for the operator, and for the client whose page it was."""

import time
from collections import Counter, deque
from functools import partial
from typing import Final, cast

import attrs
import structlog

from agentbrowser.errors import DomainNotAllowed, InvalidParams, NavigationFailed
from agentbrowser.policy import host_of, redact_url
from agentbrowser.server.socks import Destination

log = structlog.get_logger("agentbrowser.egress")

_REMEMBERED: Final = 1000
_LOGGED: Final = 100
"""Denials of one client that get a line of their own in the log; the others are counted."""
_LONGEST_HOST: Final = 253
_SAID_BY_BROWSER: Final = "ERR_SOCKS_CONNECTION_FAILED"

Refusal = InvalidParams | DomainNotAllowed


@attrs.frozen
class Denial:
    """A connection that was not made, or was cut off: by whose pages, to where, and why. No path, no query."""

    time_s: float
    session: str
    host: str
    port: int
    reason: str
    error: Refusal | None = attrs.field(default=None, repr=False)


@attrs.frozen
class Failure:
    """A connection that the rules allow and the network does not; ``reason`` is what the browser would call it."""

    time_s: float
    host: str
    port: int
    reason: str


@attrs.define(eq=False)
class Ledger:
    """The last denials and failures of one client; and of all clients, if it is the ``whole`` of theirs."""

    session: str = ""
    whole: "Ledger | None" = None
    denials: deque[Denial] = attrs.field(factory=partial(deque, maxlen=_REMEMBERED), init=False)
    failures: deque[Failure] = attrs.field(factory=partial(deque, maxlen=_REMEMBERED), init=False)
    denied: Counter[str] = attrs.field(factory=Counter, init=False)
    """How many denials there were, by reason."""
    _logged: set[tuple[str, int, str]] = attrs.field(factory=set, init=False)

    def deny(self, destination: Destination, reason: str, error: Refusal | None = None) -> None:
        """Write down a denial, and tell the log of it if it is a new one."""
        host, port = destination.host[:_LONGEST_HOST], destination.port
        self.keep(Denial(time.time(), self.session, host, port, reason, error and error.with_traceback(None)))
        if (host, port, reason) not in self._logged and len(self._logged) < _LOGGED:
            self._logged.add((host, port, reason))
            log.warning("egress_denied", session=self.session, host=host, port=port, reason=reason)

    def keep(self, denial: Denial) -> None:
        """Remember and count a denial, here and in the whole."""
        self.denials.append(denial)
        self.denied[denial.reason] += 1
        if self.whole is not None:
            self.whole.keep(denial)

    def fail(self, destination: Destination, reason: str) -> None:
        """Write down a failure."""
        self.failures.append(Failure(time.time(), destination.host[:_LONGEST_HOST], destination.port, reason))

    def explain(self, failed: NavigationFailed, since_s: float) -> NavigationFailed | Refusal:
        """Return why a page was not loaded, of which the browser only knows that its proxy did not connect."""
        if failed.details.get("reason") != _SAID_BY_BROWSER:
            return failed
        url = str(failed.details.get("url", ""))
        match self._cause(host_of(url).strip("[]"), since_s):
            case Denial(error=InvalidParams() | DomainNotAllowed() as error):
                return cast("Refusal", type(error).from_wire(error.to_wire()).with_details(url=redact_url(url)))
            case Failure(reason=reason):
                return NavigationFailed(f"The page could not be loaded: {reason}.", url=url, reason=reason)
            case _:
                return failed

    def _cause(self, host: str, since_s: float) -> Denial | Failure | None:
        """Return the latest entry about the host, or else, since the URL may have redirected, about any host."""
        entries: list[Denial | Failure] = [*self.denials, *self.failures]
        entries = sorted((one for one in entries if one.time_s >= since_s), key=lambda one: one.time_s)
        about = [one for one in entries if one.host.rstrip(".").lower() == host]
        return next(iter([*about[-1:], *entries[-1:]]), None)
