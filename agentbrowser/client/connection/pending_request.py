"""A pending request: its message, its repetition after a reconnect, and its outcome."""

import secrets
from collections.abc import Callable, Mapping
from types import NoneType
from typing import Any, Final

import attrs
import trio

from agentbrowser import methods
from agentbrowser.client.connection.streams import PartialResult
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.client.typed import require
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, Cancelled, InvalidParams, Timeout
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.idempotency import KEY

_LOOK_FIRST: Final = "Observe the page to see what has happened, then decide whether to ask again."
_MAX_SHOWN: Final = 60
_MAX_REPEATS: Final = 5
"""Repetitions of a request with a key. It acts once, but one that ends its connection must not do so for ever."""
FAULTY_MESSAGE_CODES: Final = frozenset({1003, 1007, 1009})
"""Close codes for a faulty message, which is not sent again."""


def check_timeout(timeout_ms: Any) -> None:
    """Require a timeout of the client's own that can be kept; None for none.

    Raises:
      InvalidParams: it is no number, or below 0.
    """
    is_number = isinstance(timeout_ms, int | float) and not isinstance(timeout_ms, bool)
    if timeout_ms is not None and not (is_number and timeout_ms >= 0):
        raise InvalidParams.at("timeout_ms", "a number of milliseconds, 0 or more", repr(timeout_ms)[:_MAX_SHOWN])


def _check_call(method: Any, params: Any) -> None:
    """Require the name of a method, and params by their names.

    Raises:
      InvalidParams: they are something else.
    """
    require("method", "a name such as page/navigate", method, str)
    require("params", "a mapping of names to values", params, Mapping, NoneType)


def _encoded(message: wire.Request | wire.Notification) -> bytes:
    """Return a message of the caller as UTF-8 JSON.

    Raises:
      InvalidParams: its params are not plain data.
    """
    try:
        return wire.encode(message)
    except TypeError:
        path, value = _first_unplain(message.params, "")
        expected = "plain data: None, a bool, a number, text, a list, or a dict by text"
        raise InvalidParams.at(path or "params", expected, type(value).__name__) from None


def _first_unplain(value: Any, path: str) -> tuple[str, Any]:
    """Return the path of the first value in others that is not plain data, and the value."""
    within = (
        value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list | tuple) else ()
    )
    for key, item in within:
        try:
            wire.dump(item)
        except TypeError:
            step = f"[{key}]" if isinstance(key, int) else f".{key}"
            return _first_unplain(item, f"{path}{step}".removeprefix("."))
    return path, value


@attrs.define(eq=False)
class PendingRequest:
    """A request without a result yet."""

    id: int
    method: str
    message: bytes
    """Encoded request."""
    is_repeatable: bool
    """True if a repetition has no side effect."""
    has_key: bool
    """True if the request has an idempotency key."""
    on_result: Callable[[Any], None] | None = None
    """Receives the result before the next message is dispatched."""
    is_sent: bool = False
    repeats: int = 0
    outcome: Any = None
    """The result or the error, once `done` is set."""
    partial_result: PartialResult | None = None
    """The result while its streams are incomplete."""
    answered: trio.Event = attrs.field(factory=trio.Event)
    """Set once the reply has arrived, or the request has failed."""
    done: trio.Event = attrs.field(factory=trio.Event)
    """Set once the streams of the reply are complete, too."""

    @classmethod
    def of(cls, id_: int, method: str, params: Mapping[str, Any] | None, *, keyed: bool) -> "PendingRequest":
        """Build a request; with ``keyed``, one with side effects gets an idempotency key.

        Raises:
          InvalidParams: the method is no name, or the params are no mapping of plain data.
        """
        _check_call(method, params)
        declared = methods.find_method(method)
        is_repeatable = declared is not None and (declared.observes or declared.scope == Scope.READONLY)
        if keyed and not is_repeatable and (not params or params.get(KEY) is None):
            params = {**(params or {}), KEY: secrets.token_hex(12)}
        has_key = params is not None and params.get(KEY) is not None
        return cls(id_, method, _encoded(wire.Request(id_, method, params)), is_repeatable, has_key)

    @staticmethod
    def notice(method: str, params: Mapping[str, Any] | None) -> bytes:
        """Return an encoded notification, which nobody answers.

        Raises:
          InvalidParams: the params are no mapping of plain data.
        """
        _check_call(method, params)
        return _encoded(wire.Notification(method, params))

    def end(self, outcome: Any) -> None:
        """Set the result or the error."""
        if not self.done.is_set():
            self.outcome = outcome
            self.answered.set()
            self.done.set()

    def finish_if_complete(self) -> None:
        """Set the result if its streams are complete."""
        if self.partial_result is not None and self.partial_result.is_complete:
            self.end(self.partial_result.assembled())

    def take(self, message: wire.Reply | wire.ErrorReply, *, may_stream: bool) -> None:
        """Accept the reply; a result with streams is held until they are complete."""
        if isinstance(message, wire.ErrorReply):
            self.end(self._explain(message.error))
            return
        partial_result = PartialResult.of(message.result) if may_stream else None
        if partial_result is not None and partial_result.streams:
            self.partial_result = partial_result
            self.answered.set()
        else:
            if self.on_result is not None:
                self.on_result(message.result)
            self.end(message.result)

    def result(self) -> Any:
        """Return the result.

        Raises:
          AgentBrowserError: the error of the server, or the loss of the connection.
        """
        if isinstance(self.outcome, AgentBrowserError):
            raise self.outcome
        return self.outcome

    def prepare_repeat(self, restored: str | None) -> bool:
        """Return True if the request can be sent on a new transport, and mark it as a repetition.

        Args:
          restored: ``warm`` or ``cold`` if the server restored the session; None for a new session.
        """
        if not self.is_sent or self.done.is_set():
            return True
        # A cold start restores the pages, but not the idempotency keys of earlier requests.
        is_known = restored == "warm" and self.has_key
        if self.repeats >= (_MAX_REPEATS if is_known else int(self.is_repeatable and restored is not None)):
            return False
        self.is_sent, self.repeats, self.partial_result = False, self.repeats + 1, None
        return True

    def unrepeatable_error(self, restored: str | None) -> ConnectionLost:
        """Return the error of a request that can't be repeated on the new transport."""
        if restored is None:
            return self.lost_error(ConnectionLost("The server does not know the session any more: its pages are gone."))
        if self.repeats:
            return self.lost_error(ConnectionLost("It was lost when it was repeated, too."))
        return self.lost_error(ConnectionLost("It was not repeated, since it may have acted."))

    def lost_error(self, reason: ConnectionLost) -> ConnectionLost:
        """Return the error of a request that can't be repeated."""
        message = f"{self.method} was under way when the connection was lost. {reason.message}"
        may_have_acted = self._may_have_acted()
        error = ConnectionLost(message, retryable=reason.retryable, hint=_LOOK_FIRST if may_have_acted else None)
        error.details = {**reason.details, "method": self.method}
        return error.with_details(may_have_acted=True) if may_have_acted else error

    def _explain(self, error: AgentBrowserError) -> AgentBrowserError:
        # The server cancelled the first attempt when its connection ended, perhaps after it had acted.
        if self.repeats and isinstance(error, Cancelled):
            return self.lost_error(ConnectionLost(error.message))
        return error

    def timeout_error(self, timeout_ms: float) -> Timeout:
        """Return the error of a request whose result the client waits for no longer."""
        facts: dict[str, Any] = {"timeout": timeout_ms, "method": self.method}
        message = f"No answer came in {timeout_ms} ms"
        if self._may_have_acted():
            message = f"{message}, and {self.method} may have acted."
            return Timeout(message, retryable=False, hint=_LOOK_FIRST, may_have_acted=True, **facts)
        return Timeout(f"{message}." if self.is_sent else f"{message}: there is no connection now.", **facts)

    def _may_have_acted(self) -> bool:
        return not self.is_repeatable and (self.is_sent or self.repeats > 0)
