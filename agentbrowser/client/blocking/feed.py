# Generated from agentbrowser/client/feed.py: python -m agentbrowser.protocol.generate --write
"""News as they come: events, questions for approvers, changes of the line."""

from collections.abc import Iterator, Callable
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

import attrs

from agentbrowser.client.blocking.interfaces import Ears, Lines
from agentbrowser.methods import approval
from agentbrowser.protocol.types.approval import ApprovalContext, ApprovalRequest, Decision
from agentbrowser.protocol.types.event import EventFilter

NewsT = TypeVar("NewsT")


@attrs.define(eq=False)
class Feed(Iterator[NewsT], Generic[NewsT]):
    """News of some kinds, to be iterated over until the client is closed; what comes too fast is lost, and counted.

    Where the connection is lost for good the iteration ends in `ConnectionLost`, but for what tells of the connection.
    As a block (``async with``) it hears from the beginning of the block to its end. Without one it hears from the first
    step of the iteration for as long as the object lives.
    """

    _line: Lines = attrs.field(repr=False)
    _names: frozenset[str]
    _shown: Callable[[Any], NewsT] = lambda news: news
    _filter: EventFilter | None = attrs.field(default=None, alias="filter")
    _ears: Ears | None = attrs.field(default=None, init=False)

    def __enter__(self) -> Self:
        if self._ears is None:
            self._ears = self._line.hear(self._names, self._filter)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        ears, self._ears = self._ears, None
        if ears is not None:
            self._line.unhear(ears)

    def __next__(self) -> NewsT:
        self.__enter__()
        assert self._ears is not None
        news = self._ears.receive()
        if news is None:
            raise StopIteration
        return self._shown(news)


@attrs.frozen(eq=False)
class Question:
    """A request that waits for an approver."""

    _line: Lines = attrs.field(repr=False)
    asked: ApprovalRequest

    @property
    def method(self) -> str:
        """The method that was called."""
        return self.asked.original_request.method

    @property
    def params(self) -> dict[str, Any]:
        """Its params; what it would type or send reads ``[REDACTED]`` unless the rule shows it."""
        return self.asked.original_request.params

    @property
    def rule(self) -> str:
        """The rule that asks."""
        return self.asked.rule

    @property
    def context(self) -> ApprovalContext:
        """Where the request would act."""
        return self.asked.context

    def respond(self, decision: Decision, *, reason: str | None = None) -> bool:
        """Decide, and return whether the request was still waiting.

        Raises:
          ScopeDenied: it is for others to decide.
        """
        params = {"requestId": self.asked.request_id, "decision": decision, "reason": reason}
        said = {name: value for name, value in params.items() if value is not None}
        return bool((self._line.request(approval.respond.name, said))["acknowledged"])
