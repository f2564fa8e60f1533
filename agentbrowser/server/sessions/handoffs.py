"""Handoffs: requests of agents for a person, who takes a page over and hands it back."""

import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs
import structlog
import trio

from agentbrowser.protocol.errors import ActionFailed, InvalidParams, ServerBusy
from agentbrowser.protocol.types.event import now_ms

if TYPE_CHECKING:
    from agentbrowser.server.sessions.session import Session

log = structlog.get_logger("agentbrowser.handoffs")

Outcome = Literal["done", "declined", "timeout"]
MAX_OPEN: Final = 8
"""Open handoffs of a session."""
MAX_OVER: Final = 64
"""Handoffs of a session that are over, and whose results nobody has asked for; the oldest are forgotten."""


@attrs.define(eq=False, kw_only=True)
class Handoff:
    """One request for a person."""

    session: "Session" = attrs.field(repr=False)
    page_id: str
    reason: str
    instructions: str
    choices: tuple[str, ...] = ()
    """Answers of which the person can pick one."""
    expires_s: float
    """Time of Trio's clock at which it is over."""
    id: str = attrs.field(factory=lambda: f"handoff-{secrets.token_hex(8)}", init=False)
    link: str | None = attrs.field(default=None, init=False, repr=False)
    started_s: float = attrs.field(factory=trio.current_time, init=False)
    before: Any = attrs.field(default=None, repr=False)
    """State of the page before, to compare with."""
    outcome: Outcome | None = attrs.field(default=None, init=False)
    by: str = attrs.field(default="nobody", init=False)
    """Person or condition that has ended it."""
    answer: str | None = attrs.field(default=None, init=False)
    """The choice that the person has picked."""
    is_cut_off: bool = attrs.field(default=False, init=False)
    """True if the server's shutdown has ended it."""
    took_ms: int = attrs.field(default=0, init=False)
    over: trio.Event = attrs.field(factory=trio.Event, init=False)

    @property
    def expires_at_ms(self) -> int:
        """Return the time of its end, in ms since 1970."""
        return now_ms() + round((self.expires_s - trio.current_time()) * 1000)


@attrs.define(eq=False, kw_only=True)
class Handoffs:
    """Open handoffs of a server.

    Args:
      nursery: runs each handoff to its end; None on a server without a live view.
    """

    nursery: trio.Nursery | None = None
    link_to: Callable[[Handoff], str | None] = lambda handoff: None
    """Returns a link for the person, good for one use; None if nobody can reach the server's port."""
    on_change: Callable[[Handoff], object] = lambda handoff: None
    """Called when a handoff begins or ends."""
    create_link: Callable[["Session", str | None], str | None] = lambda session, only: None
    """Returns a link to the live view for the operator, of one session if its id is given; None without a live view."""
    _all: dict[str, Handoff] = attrs.field(factory=dict, init=False)

    def of(self, session: "Session") -> list[Handoff]:
        """Return the open handoffs of a session."""
        return [one for one in self._all.values() if one.session is session and one.outcome is None]

    def find(self, session: "Session", id_: str) -> Handoff:
        """Return the handoff of a session with that id, open or just over.

        Raises:
          InvalidParams: there is none.
        """
        found = self._all.get(id_)
        if found is None or found.session is not session:
            message = f"There is no handoff {id_}, or its result was returned."
            raise InvalidParams(message, path="handoffId", expected="the handoffId of a notifications/handoff", got=id_)
        return found

    def begin(self, condition: Callable[[], Awaitable[object]] | None, **facts: Any) -> Handoff:
        """Begin and return a handoff, which a person, its condition, its page or its time ends.

        Args:
          condition: returns once the condition holds.
          facts: its fields.

        Raises:
          ActionFailed: this server has no live view.
          ServerBusy: the session has too many.
        """
        if self.nursery is None:
            reason = "this server has no live view"
            raise ActionFailed(f"Nobody can be asked: {reason}.", action="handoff", reason=reason)
        handoff = Handoff(**facts)
        if (current := len(self.of(handoff.session))) >= MAX_OPEN:
            raise ServerBusy("The session has too many open handoffs.", limit=MAX_OPEN, current=current)
        over = [one for one in self._all.values() if one.session is handoff.session and one.outcome is not None]
        for oldest in over[: max(0, len(over) + 1 - MAX_OVER)]:
            self.forget(oldest)
        self._all[handoff.id] = handoff
        handoff.link = self.link_to(handoff)
        self.nursery.start_soon(self._run, handoff, condition)
        log.info("handoff_begun", handoff=handoff.id, page=handoff.page_id)
        self.on_change(handoff)
        return handoff

    def end(self, handoff: Handoff, outcome: Outcome, by: str, answer: str | None = None) -> None:
        """End a handoff, unless it is over."""
        if handoff.outcome is None:
            handoff.outcome, handoff.by, handoff.answer = outcome, by, answer
            handoff.took_ms = round((trio.current_time() - handoff.started_s) * 1000)
            handoff.over.set()
            log.info("handoff_over", handoff=handoff.id, outcome=outcome)
            self.on_change(handoff)

    def forget(self, handoff: Handoff) -> None:
        """Forget a handoff whose result is returned."""
        self._all.pop(handoff.id, None)

    def end_all(self, session: "Session") -> None:
        """End and forget the handoffs of a session that ends."""
        for handoff in [one for one in self._all.values() if one.session is session]:
            self.end(handoff, "declined", "the end of the session")
            self.forget(handoff)

    def stop(self) -> None:
        """End all handoffs: nobody can come in a shutdown."""
        for handoff in self._all.values():
            handoff.is_cut_off = handoff.outcome is None
            self.end(handoff, "declined", "the shutdown")

    def end_page(self, session: "Session", page_id: str) -> None:
        """End the handoffs of a page that is closed."""
        for handoff in self.of(session):
            if handoff.page_id == page_id:
                self.end(handoff, "declined", "the end of the page")

    async def _run(self, handoff: Handoff, condition: Callable[[], Awaitable[object]] | None) -> None:
        """Wait for the end of a handoff. [trio]"""

        async def until_condition() -> None:
            if condition is not None:
                try:
                    await condition()
                except Exception as error:  # noqa: BLE001 - the page may be gone; a person may still answer
                    log.info("handoff_condition_failed", handoff=handoff.id, error=type(error).__name__)
                else:
                    self.end(handoff, "done", "the condition")

        async with trio.open_nursery() as nursery:
            nursery.start_soon(until_condition)
            with trio.move_on_at(handoff.expires_s):
                await handoff.over.wait()
            self.end(handoff, "timeout", "nobody")
            nursery.cancel_scope.cancel()
