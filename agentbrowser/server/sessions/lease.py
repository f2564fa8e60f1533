"""Session leases, which let a session outlive its connection."""

import hashlib
import hmac
import secrets
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

import attrs
import outcome
import trio

from agentbrowser.protocol.errors import Cancelled, InternalError, InvalidParams
from agentbrowser.protocol.types.snapshot import SessionSnapshot
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions.event_backlog import EventBacklog

T = TypeVar("T")

_SECRET_BYTES: Final = 16


def new_secret() -> str:
    """Return a secret that nobody guesses."""
    return secrets.token_urlsafe(_SECRET_BYTES)


def proof_of(secret: str) -> bytes:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def save_failed() -> InternalError:
    """Return the error for a session that could not be written down."""
    return InternalError("The state could not be kept; the server's log says why. The session goes on.")


def cannot_save() -> InvalidParams:
    """Return the error for a session of which nothing can be kept beyond its end."""
    return InvalidParams(
        "This session can't be saved.",
        path="saveState",
        expected="false, or a sessionId in initialize and a server with --state-dir",
        got=True,
    )


@attrs.frozen
class Claim:
    """What a client says of the session that it wants."""

    id: str
    secret: str | None = attrs.field(default=None, repr=False)
    last_event: int | None = None

    def is_met_by(self, owner: Owner, proof: bytes, has_shown_secret: bool) -> bool:
        """Tell whether a client of that owner may have the session of that proof."""
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
    """Where that runs which goes on without the client."""
    backlog: EventBacklog = attrs.field(factory=EventBacklog, init=False)
    heard: int | None = attrs.field(default=None, init=False)
    """The latest event that was sent; None: each is sent at once."""
    has_shown_secret: bool = False
    """Whether its client ever has; then it has to."""
    is_cold: bool = attrs.field(default=False, init=False)
    """Whether its client has yet to hear that the pages are not those which it left."""
    picture: SessionSnapshot | None = attrs.field(default=None, init=False)
    """How its browser looked last."""
    reopened_s: deque[float] = attrs.field(factory=deque, init=False)
    """When its pages were opened again, the browser having been lost."""
    _works: set[trio.CancelScope] = attrs.field(factory=set, init=False)

    @property
    def cursor(self) -> int:
        """The latest event that was sent."""
        return self.backlog.seq if self.heard is None else self.heard

    def admits(self, claim: Claim) -> bool:
        """Tell whether a client of the same owner may have the session."""
        return claim.is_met_by(self.owner, self.proof, self.has_shown_secret)

    async def carry(self, work: Callable[[], Awaitable[T]], is_recalled: Callable[[], bool]) -> T:
        """Run work to its end, whether or not the caller is still there. [trio]

        Raises:
          Cancelled: the session ended first.

        Cancel: the work goes on, unless ``is_recalled`` says that the client wanted it to stop.
        """
        results: list[outcome.Outcome[T]] = []
        over, scope = trio.Event(), trio.CancelScope()
        self._works.add(scope)
        self.nursery.start_soon(self._work, work, results, over, scope)
        try:
            await over.wait()
        except trio.Cancelled:
            if is_recalled():
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
                except Exception as error:  # noqa: BLE001 - the caller gets it, if there still is one
                    results.append(outcome.Error(error))
        finally:
            self._works.discard(scope)
            over.set()

    def stop(self) -> None:
        """Stop what goes on without the client."""
        for scope in tuple(self._works):
            scope.cancel()
