"""Denied and failed connections: for the log, for the operator, and for the client whose page it was."""

import time
from collections import Counter, deque
from functools import partial
from typing import Final, cast

import attrs
import structlog

from agentbrowser.policy.urls import host_of, place_of, redact_url
from agentbrowser.protocol.errors import DomainNotAllowed, InvalidParams, NavigationFailed
from agentbrowser.server.egress.socks import Destination

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
    page_id: str | None = None
    """The page that wanted to go there, and was kept where it was."""


@attrs.frozen
class ConnectionFailure:
    """A connection that the rules allow and the network does not; ``reason`` is what the browser would call it."""

    time_s: float
    host: str
    port: int
    reason: str


@attrs.define(eq=False)
class DenialLog:
    """The last denials and failures of one client; and of all clients, if it is the ``whole`` of theirs."""

    session: str = ""
    whole: "DenialLog | None" = None
    denials: deque[Denial] = attrs.field(factory=partial(deque, maxlen=_REMEMBERED), init=False)
    failures: deque[ConnectionFailure] = attrs.field(factory=partial(deque, maxlen=_REMEMBERED), init=False)
    denied: Counter[str] = attrs.field(factory=Counter, init=False)
    """How many denials there were, by reason."""
    _logged: set[tuple[str, int, str]] = attrs.field(factory=set, init=False)

    def deny(
        self, destination: Destination, reason: str, error: Refusal | None = None, page_id: str | None = None
    ) -> None:
        """Write down a denial, and tell the log of it if it is a new one."""
        host, port = destination.host[:_LONGEST_HOST], destination.port
        error = error and error.with_traceback(None)
        self.keep(Denial(time.time(), self.session, host, port, reason, error, page_id))
        if (host, port, reason) not in self._logged and len(self._logged) < _LOGGED:
            self._logged.add((host, port, reason))
            log.warning("egress_denied", remote=self.session, host=host, port=port, reason=reason)

    def refuse_document(self, page_id: str, url: str, error: Refusal) -> None:
        """Write down that a page was kept from going to a URL."""
        self.deny(Destination(*place_of(url)), reason_of(error), error, page_id)

    def refused_document(self, page_id: str | None, since_s: float) -> Refusal | None:
        """Return why the page was kept from going where it last wanted to go, if it wanted to go anywhere."""
        for denial in reversed(self.denials):
            if denial.time_s < since_s:
                break
            if denial.page_id is not None and denial.page_id == page_id and denial.error is not None:
                return _anew(denial.error)
        return None

    def check_arrival(self, page_id: str | None, since_s: float) -> None:
        """Say that an action has led nowhere.

        Raises:
          DomainNotAllowed: the page was kept from going where it wanted to go.
        """
        if (refused := self.refused_document(page_id, since_s)) is not None:
            raise refused

    def keep(self, denial: Denial) -> None:
        """Remember and count a denial, here and in the whole."""
        self.denials.append(denial)
        self.denied[denial.reason] += 1
        if self.whole is not None:
            self.whole.keep(denial)

    def fail(self, destination: Destination, reason: str) -> None:
        """Write down a failure."""
        self.failures.append(ConnectionFailure(time.time(), destination.host[:_LONGEST_HOST], destination.port, reason))

    def explain(self, failed: NavigationFailed, page_id: str | None, since_s: float) -> NavigationFailed | Refusal:
        """Return why a page was not loaded, of which the browser only knows that its proxy did not connect."""
        if (refused := self.refused_document(page_id, since_s)) is not None:
            return refused
        if failed.details.get("reason") != _SAID_BY_BROWSER:
            return failed
        url = str(failed.details.get("url", ""))
        match self._cause(host_of(url).strip("[]"), since_s):
            case Denial(error=InvalidParams() | DomainNotAllowed() as error):
                return _anew(error).with_details(url=redact_url(url))
            case ConnectionFailure(reason=reason):
                return NavigationFailed(f"The page could not be loaded: {reason}.", url=url, reason=reason)
            case _:
                return failed

    def _cause(self, host: str, since_s: float) -> Denial | ConnectionFailure | None:
        """Return the latest entry about the host, or else, since the URL may have redirected, about any host."""
        entries: list[Denial | ConnectionFailure] = [*self.denials, *self.failures]
        entries = sorted((one for one in entries if one.time_s >= since_s), key=lambda one: one.time_s)
        about = [one for one in entries if one.host.rstrip(".").lower() == host]
        return next(iter([*about[-1:], *entries[-1:]]), None)


def _anew(error: Refusal) -> Refusal:
    """Return the same error, without the tracebacks of those who have raised it before."""
    return cast("Refusal", type(error).from_wire(error.to_wire()))


def reason_of(error: Refusal) -> str:
    """Return one word for a refusal."""
    return str(error.details.get("reason", "allowlist"))
