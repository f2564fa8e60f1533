"""One request on its way: what was sent, whether it may be sent again, and what came of it."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
import trio

from agentbrowser.client.connection.streams import Parcel
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.methods import METHODS
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, Cancelled
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.idempotency import KEY

_LOOK_FIRST: Final = "Observe the page to see what has happened, then decide whether to ask again."


@attrs.define(eq=False)
class Flight:
    """A request whose answer is awaited."""

    id: int
    method: str
    message: bytes
    """The request as it is sent."""
    only_looks: bool
    """Whether doing it twice changes nothing: the registry says that the scope readonly is enough for it."""
    is_keyed: bool
    """Whether the server knows a repeat when it gets one."""
    heard: Callable[[Any], None] | None = None
    """Gets the result before the next message is taken in."""
    is_sent: bool = False
    is_repeat: bool = False
    outcome: Any = None
    """The result, or the error, once it is over."""
    parcel: Parcel | None = None
    """The result while parts of it are still to come."""
    answered: trio.Event = attrs.field(factory=trio.Event)
    """The answer is here, or there will be none."""
    over: trio.Event = attrs.field(factory=trio.Event)
    """And all that belongs to it."""

    @classmethod
    def of(cls, id_: int, method: str, params: Mapping[str, Any] | None, *, keyed: bool) -> "Flight":
        """Prepare a request; ``keyed`` makes one that acts such that it can be repeated.

        Raises:
          TypeError: the params are no plain data.
        """
        declared = METHODS.get(method)
        only_looks = declared is not None and declared.scope == Scope.READONLY
        if keyed and not only_looks and (not params or params.get(KEY) is None):
            params = {**(params or {}), KEY: secrets.token_hex(12)}
        is_keyed = params is not None and params.get(KEY) is not None
        return cls(id_, method, wire.encode(wire.Request(id_, method, params)), only_looks, is_keyed)

    def end(self, outcome: Any) -> None:
        """Let the one who waits have the result, or the error."""
        if not self.over.is_set():
            self.outcome = outcome
            self.answered.set()
            self.over.set()

    def end_if_complete(self) -> None:
        """Let the one who waits have the result if nothing more is to come."""
        if self.parcel is not None and self.parcel.is_complete:
            self.end(self.parcel.opened())

    def take(self, message: wire.Reply | wire.ErrorReply, *, may_be_parcel: bool) -> None:
        """Take the answer in; a result with parts that are still to come is kept until they are there."""
        if isinstance(message, wire.ErrorReply):
            self.end(self._explained(message.error))
            return
        parcel = Parcel.of(message.result) if may_be_parcel else None
        if parcel is not None and parcel.streams:
            self.parcel = parcel
            self.answered.set()
        else:
            if self.heard is not None:
                self.heard(message.result)
            self.end(message.result)

    def result(self) -> Any:
        """Return the result.

        Raises:
          AgentBrowserError: what the server answered, or that the connection was lost.
        """
        if isinstance(self.outcome, AgentBrowserError):
            raise self.outcome
        return self.outcome

    def survives(self, restored: str | None) -> bool:
        """Tell whether it can be sent once more on a new connection, and note that it is a repeat.

        Args:
          restored: what the server has kept of the session.
        """
        if not self.is_sent or self.over.is_set():
            return True
        # After a cold start the server knows the pages, and not the keys of what it did before.
        known = restored == "warm" and self.is_keyed
        if self.is_repeat or restored is None or not (self.only_looks or known):
            return False
        self.is_sent, self.is_repeat, self.parcel = False, True, None
        return True

    def lost(self, why: ConnectionLost) -> ConnectionLost:
        """Return the error for a request that can't be repeated."""
        message = f"{self.method} was under way when the connection was lost. {why.message}"
        error = ConnectionLost(message, hint=None if self.only_looks or not self.is_sent else _LOOK_FIRST)
        error.details = dict(why.details)
        return error if self.only_looks or not self.is_sent else error.with_details(may_have_acted=True)

    def _explained(self, error: AgentBrowserError) -> AgentBrowserError:
        # The server has cut the first try short when its connection ended, and can't tell how far it had come.
        if self.is_repeat and isinstance(error, Cancelled):
            return self.lost(ConnectionLost(error.message))
        return error
