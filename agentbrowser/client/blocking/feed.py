# Generated from agentbrowser/client/feed.py: python -m agentbrowser.protocol.generate --write
"""Async iterators over events, approval requests and connection changes."""

from collections.abc import Iterator, Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import attrs

from agentbrowser import methods
from agentbrowser.client.blocking.interfaces import ConnectionInterface, SubscriptionInterface

if TYPE_CHECKING:
    from agentbrowser.protocol.types.approval import ApprovalContext, ApprovalRequest, Decision
    from agentbrowser.protocol.types.event import EventFilter

EventT_co = TypeVar("EventT_co", covariant=True)


@attrs.define(eq=False)
class Feed(Iterator[EventT_co], Generic[EventT_co]):
    """An iterator over events of some kinds, until the client is closed.

    Events that arrive faster than they are read are dropped and counted. When the connection is lost for good, the
    iteration raises `ConnectionLost`; one over connection changes just ends. As a block, ``with feed:``, it is
    subscribed from the beginning of the block to its end. Otherwise it is subscribed from the first step of the
    iteration, for as long as the object lives.
    """

    _connection: ConnectionInterface = attrs.field(repr=False)
    _names: frozenset[str]
    _convert: Callable[[Any], EventT_co] = lambda event: event
    _filter: "EventFilter | None" = attrs.field(default=None, alias="filter")
    _subscription: SubscriptionInterface | None = attrs.field(default=None, init=False)

    def __enter__(self) -> Self:
        if self._subscription is None:
            self._subscription = self._connection.subscribe(self._names, self._filter)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        subscription, self._subscription = self._subscription, None
        if subscription is not None:
            self._connection.unsubscribe(subscription)

    def __next__(self) -> EventT_co:
        self.__enter__()
        assert self._subscription is not None
        event = self._subscription.receive()
        if event is None:
            raise StopIteration
        return self._convert(event)


@attrs.frozen(eq=False)
class PendingApproval:
    """A request that waits for the decision of an approver."""

    _connection: ConnectionInterface = attrs.field(repr=False)
    request: "ApprovalRequest"

    @property
    def method(self) -> str:
        """Return the name of the called method."""
        return self.request.original_request.method

    @property
    def params(self) -> dict[str, Any]:
        """Return the params; text that it would type or send is ``[REDACTED]`` unless the rule shows it."""
        return self.request.original_request.params

    @property
    def rule(self) -> str:
        """Return the name of the rule that requires the approval."""
        return self.request.rule

    @property
    def context(self) -> "ApprovalContext":
        """Return the page and element that the request would act on."""
        return self.request.context

    def respond(self, decision: "Decision", *, reason: str | None = None) -> bool:
        """Send a decision, and return True if the request was still waiting.

        Raises:
          ScopeDenied: this client may not decide.
        """
        params = {"requestId": self.request.request_id, "decision": decision, "reason": reason}
        given = {name: value for name, value in params.items() if value is not None}
        return bool((self._connection.request(methods.approval.respond.name, given))["acknowledged"])
