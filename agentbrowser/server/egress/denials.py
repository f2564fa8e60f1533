"""Denied and failed connections, kept for the log, the operator and the client whose page made them."""

import time
from collections import Counter, deque
from functools import partial
from typing import Final, cast

import attrs
import structlog

from agentbrowser.policy.urls import host_of, place_of, redact_url
from agentbrowser.protocol.errors import DomainNotAllowed, InvalidParams, NavigationFailed
from agentbrowser.protocol.types.event import NetworkEvent
from agentbrowser.server.egress.socks import Destination

log = structlog.get_logger("agentbrowser.egress")

TRIAL: Final = "trial"
"""Name of the session proxy that tries each new browser: its denials are what the trial expects."""
_REMEMBERED: Final = 1000
_LOGGED: Final = 100
"""Maximum number of denials of one client that are logged; further ones are counted."""
_LONGEST_HOST: Final = 253
_PROXY_NET_ERROR: Final = "ERR_SOCKS_CONNECTION_FAILED"
_UNKNOWN_NET_ERROR: Final = "ERR_CONNECTION_FAILED"
_CLOCKS_S: Final = 1.0
"""Largest difference between the clocks of the browser and of this process."""

Refusal = InvalidParams | DomainNotAllowed


@attrs.frozen
class Denial:
    """Connection that was denied or cut off: client, destination and reason, without path and query."""

    time_s: float
    """Time on the monotonic clock: a system clock that is set back would make old denials new."""
    session: str
    host: str
    port: int
    reason: str
    error: Refusal | None = attrs.field(default=None, repr=False)
    page_id: str | None = None
    """Page whose navigation was refused."""


@attrs.frozen
class ConnectionFailure:
    """Connection that the rules allow and the network refused; ``reason`` is the browser's name for the error."""

    time_s: float
    host: str
    port: int
    reason: str


@attrs.define(eq=False)
class DenialLog:
    """Last denials and failures of one client, or of all clients as the ``parent`` of their logs."""

    session: str = ""
    parent: "DenialLog | None" = None
    denials: deque[Denial] = attrs.field(factory=partial(deque, maxlen=_REMEMBERED), init=False)
    latest: dict[str, Denial | ConnectionFailure] = attrs.field(factory=dict, init=False)
    """Latest denial or failure of each host, in their order."""
    denied: Counter[str] = attrs.field(factory=Counter, init=False)
    """Number of denials by reason."""
    _logged: set[tuple[str, int, str]] = attrs.field(factory=set, init=False)

    def deny(
        self, destination: Destination, reason: str, error: Refusal | None = None, page_id: str | None = None
    ) -> None:
        """Record a denial, and log it if it is new."""
        host, port = destination.host[:_LONGEST_HOST], destination.port
        error = error and error.with_traceback(None)
        self.keep(Denial(time.monotonic(), self.session, host, port, reason, error, page_id))
        if (host, port, reason) not in self._logged and len(self._logged) < _LOGGED:
            self._logged.add((host, port, reason))
            if self.session == TRIAL:
                log.debug("trial_denied", host=host, port=port, reason=reason)
            else:
                log.warning("egress_denied", remote=self.session, host=host, port=port, reason=reason)

    def refuse_document(self, page_id: str, url: str, error: Refusal) -> None:
        """Record that a page's navigation to a URL was refused."""
        self.deny(Destination(*place_of(url)), reason_of(error), error, page_id)

    def refused_document(self, page_id: str | None, since_s: float) -> Refusal | None:
        """Return the error of the page's last refused navigation; None if there was none."""
        for denial in reversed(self.denials):
            if denial.time_s < since_s:
                break
            if denial.page_id is not None and denial.page_id == page_id and denial.error is not None:
                return _fresh_copy(denial.error)
        return None

    def check_arrival(self, page_id: str | None, since_s: float) -> None:
        """Raise if the navigation that an action started was refused.

        Raises:
          InvalidParams, DomainNotAllowed: the rules forbid its URL.
        """
        if (refused := self.refused_document(page_id, since_s)) is not None:
            raise refused

    def keep(self, denial: Denial) -> None:
        """Store and count a denial, here and in the parent."""
        self.denials.append(denial)
        self._note(denial)
        self.denied[denial.reason] += 1
        if self.parent is not None:
            self.parent.keep(denial)

    def fail(self, destination: Destination, reason: str) -> None:
        """Record a failed connection."""
        self._note(ConnectionFailure(time.monotonic(), destination.host[:_LONGEST_HOST], destination.port, reason))

    def _note(self, entry: Denial | ConnectionFailure) -> None:
        host = entry.host.rstrip(".").lower()
        self.latest.pop(host, None)  # so that it comes last
        self.latest[host] = entry
        if len(self.latest) > _REMEMBERED:
            del self.latest[next(iter(self.latest))]

    def explain(self, failed: NavigationFailed, page_id: str | None, since_s: float) -> NavigationFailed | Refusal:
        """Return the true cause of a failed load: the browser only reports that its proxy did not connect."""
        if (refused := self.refused_document(page_id, since_s)) is not None:
            return refused
        if failed.details.get("reason") != _PROXY_NET_ERROR:
            return failed
        url = str(failed.details.get("url", ""))
        match self._cause(host_of(url).strip("[]"), since_s):
            case Denial(error=InvalidParams() | DomainNotAllowed() as error):
                return _fresh_copy(error).with_details(url=redact_url(url))
            case ConnectionFailure(reason=reason):
                return NavigationFailed(f"The page could not be loaded: {reason}.", url=url, reason=reason)
            case _:
                return failed

    def named(self, event: NetworkEvent) -> NetworkEvent:
        """Return the event of a failed request with the true cause: the browser only knows its proxy."""
        if event.error != _PROXY_NET_ERROR:
            return event
        age_s = time.time() - (event.timing or {}).get("startTime", 0) / 1000
        since_s = time.monotonic() - age_s - _CLOCKS_S
        host = host_of(event.url).strip("[]")
        match self._latest(host, since_s):
            case Denial(reason=reason):
                return attrs.evolve(event, error=f"refused: {reason}")
            case ConnectionFailure(reason=reason):
                return attrs.evolve(event, error=reason)
            case _:
                return attrs.evolve(event, error=_UNKNOWN_NET_ERROR)

    def _cause(self, host: str, since_s: float) -> Denial | ConnectionFailure | None:
        """Return the latest entry about the host, else about any host, since the URL may have redirected."""
        return self._latest(host, since_s) or self._latest(None, since_s)

    def _latest(self, host: str | None, since_s: float) -> Denial | ConnectionFailure | None:
        """Return the latest entry about a host, or about any, since a time."""
        found = next(reversed(self.latest.values()), None) if host is None else self.latest.get(host)
        return found if found is not None and found.time_s >= since_s else None


def _fresh_copy(error: Refusal) -> Refusal:
    """Return a copy of an error without the traceback of earlier raises."""
    return cast("Refusal", type(error).from_wire(error.to_wire()))


def reason_of(error: Refusal) -> str:
    """Return the reason of a refusal as one word."""
    return str(error.details.get("reason", "allowlist"))
