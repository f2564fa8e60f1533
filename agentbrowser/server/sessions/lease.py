"""Session leases, which let a session outlive its connection."""

import hashlib
import hmac
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import attrs
import outcome
import structlog
import trio

from agentbrowser.browser.capacity import Capacity, CapacityExceeded
from agentbrowser.protocol.errors import Cancelled, InvalidParams, ServerBusy
from agentbrowser.protocol.types.snapshot import SessionSnapshot
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions.event_backlog import EventBacklog

T = TypeVar("T")

log = structlog.get_logger("agentbrowser.sessions")

_SECRET_BYTES: Final = 16


def new_secret() -> str:
    """Return a random session secret."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def proof_of(secret: str) -> bytes:
    """Return the digest of a secret, the only form in which the server keeps it."""
    return hashlib.sha256(secret.encode()).digest()


def save_failed() -> ServerBusy:
    """Return the error for a session that could not be saved."""
    message = "The state could not be saved now; the server's log says why. The session goes on."
    return ServerBusy(message, hint="Call shutdown again in a moment.")


def cannot_save() -> InvalidParams:
    """Return the error for a session that can't be saved beyond its end."""
    return InvalidParams(
        "This session can't be saved.",
        path="saveState",
        expected="false, or a sessionId in initialize and a server with --state-dir or --state-url",
        got=True,
    )


@attrs.frozen
class Claim:
    """Claim of a client to a session: its id, its secret, the last event received."""

    id: str
    secret: str | None = attrs.field(default=None, repr=False)
    last_event: int | None = None

    def is_met_by(self, owner: Owner, proof: bytes, has_shown_secret: bool) -> bool:
        """Return True if a client of that owner may resume the session of that proof."""
        if self.secret is None:
            return owner.is_proven and not has_shown_secret
        return hmac.compare_digest(proof_of(self.secret), proof)


@attrs.define(eq=False, kw_only=True)
class SessionLease:
    """Lease of a session, from ``initialize`` with a ``sessionId`` to its end: its id, its owner, its secret."""

    id: str
    owner: Owner
    proof: bytes = attrs.field(repr=False)
    nursery: trio.Nursery = attrs.field(repr=False)
    """Nursery of the work that continues without the client."""
    backlog: EventBacklog = attrs.field(factory=EventBacklog, init=False)
    last_sent: int | None = attrs.field(default=None, init=False)
    """Number of the last event sent; None: each event is sent at once."""
    has_shown_secret: bool = False
    """True once the client has presented the secret; then it must always do so."""
    is_cold: bool = attrs.field(default=False, init=False)
    """True until the client learns that its pages were opened anew."""
    is_unopened: bool = attrs.field(default=False, init=False)
    """True from the claim of a saved session until its pages begin to open: its snapshot is the saved one."""
    generation: int = 1
    """Number of the claim by which this node holds the session."""
    snapshot: SessionSnapshot | None = attrs.field(default=None, init=False)
    """Last snapshot of the session."""
    reopened_s: deque[float] = attrs.field(factory=deque, init=False)
    """Times of the restorations after a loss of the browser."""
    _works: set[trio.CancelScope] = attrs.field(factory=set, init=False)

    @property
    def cursor(self) -> int:
        """Return the number of the last event sent."""
        return self.backlog.seq if self.last_sent is None else self.last_sent

    def admits(self, claim: Claim) -> bool:
        """Return True if a client of the same owner may resume the session."""
        return claim.is_met_by(self.owner, self.proof, self.has_shown_secret)

    async def run_detached(self, work: Callable[[], Awaitable[T]], is_cancelled: Callable[[], bool]) -> T:
        """Run work to its end, even if the caller is cancelled. [trio]

        Raises:
          Cancelled: the session ended first.

        Cancel: the work continues, unless ``is_cancelled`` reports that the client has cancelled it.
        """
        results: list[outcome.Outcome[T]] = []
        over, scope = trio.Event(), trio.CancelScope()
        self._works.add(scope)
        self.nursery.start_soon(self._work, work, results, over, scope)
        try:
            await over.wait()
        except trio.Cancelled:
            if is_cancelled():
                scope.cancel()
                with trio.CancelScope(shield=True):
                    await over.wait()
            raise
        if not results:
            raise Cancelled("The session ended while the request ran.")
        return results[0].unwrap()

    async def _work(
        self,
        work: Callable[[], Awaitable[T]],
        results: list[outcome.Outcome[T]],
        over: trio.Event,
        scope: trio.CancelScope,
    ) -> None:
        try:
            with scope:
                try:
                    results.append(outcome.Value(await work()))
                except Exception as error:  # noqa: BLE001 - raised in the caller, if it still waits
                    results.append(outcome.Error(error))
        finally:
            self._works.discard(scope)
            over.set()

    def stop(self) -> None:
        """Cancel the work that continues without the client."""
        for scope in tuple(self._works):
            scope.cancel()


def check_size(lease: SessionLease, capacity: Capacity) -> None:
    """Check that a saved session fits into an empty server.

    Raises:
      CapacityExceeded: it never will, unless the operator raises a limit.
    """
    saved = lease.snapshot or SessionSnapshot()
    sizes = {"pages": (len(saved.pages), capacity.max_pages), "contexts": (len(saved.contexts), capacity.max_contexts)}
    for resource, (current, limit) in sizes.items():
        if current > limit:
            log.warning("session_too_large", session=lease.id, resource=resource, limit=limit, current=current)
            raise CapacityExceeded(
                f"The session has {current} {resource}, and this server has room for {limit} at most.",
                hint=f"Ask the operator to raise --max-total-{resource}, or begin a session under another id.",
                resource=resource,
                limit=limit,
                current=current,
            )
