"""Errors of the wire: one class for each code, with its name, retryability and hint.

Errors are named by their cause. *Closed*: this process. *Lost*: the outside world. *Denied*: policy or
scope. *Invalid*: the message.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Self

from agentbrowser.protocol.types.fields import camel

_BY_CODE: dict[int, type["AgentBrowserError"]] = {}

_OBSERVE_AGAIN = "Observe the page again and retry with an updated selector or ref."
SHOWN_DETAILS: Final = (
    "selector",
    "condition",
    "expected",
    "got",
    "seen",
    "before",
    "after",
    "coveredBy",
    "candidates",
    "url",
)
"""Details of what was requested, and of what was there instead, for tracebacks and the stacks of TypeScript."""
MAX_SHOWN_DETAIL: Final = 300


class AgentBrowserError(Exception):
    """An error with a code of the protocol: the base class of all errors that this package raises on purpose.

    Args:
      message: one plain sentence.
      retryable: true if the same request may succeed later; the class has the default.
      retry_after_ms: the wait before that.
      hint: the advice for the caller; the class has the default.
      details: the facts, by their Python names (``waited_ms=500``); None values are left out.
    """

    code: ClassVar[int] = -32603
    retryable: bool = False
    retry_after_ms: int | None = None
    recovery_hint: str | None = None
    recording: Mapping[str, Any] | None = None
    """``id`` of the recording that holds the error, and its ``time`` in ms; on the wire it is one of the details."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "code" in cls.__dict__:
            _BY_CODE[cls.code] = cls

    def __init__(
        self,
        message: str,
        *,
        retryable: bool | None = None,
        retry_after_ms: int | None = None,
        hint: str | None = None,
        **details: Any,
    ) -> None:
        super().__init__(message)
        self.message = message
        if retryable is not None:
            self.retryable = retryable
        if retry_after_ms is not None:
            self.retry_after_ms = retry_after_ms
        if hint is not None:
            self.recovery_hint = hint
        self.details = {camel(name): value for name, value in details.items() if value is not None}
        self._write_notes()

    @property
    def retry_after_s(self) -> float | None:
        """Return the wait before the same request may succeed, in seconds."""
        return None if self.retry_after_ms is None else self.retry_after_ms / 1000

    def to_wire(self) -> dict[str, Any]:
        """Return the ``error`` object of a reply: ``{code, message, data}``."""
        data: dict[str, Any] = {"retryable": self.retryable}
        if self.retryable and self.retry_after_ms is not None:
            data["retryAfterMs"] = self.retry_after_ms
        details = self.details if self.recording is None else {**self.details, "recording": self.recording}
        if details:
            data["details"] = details
        if self.recovery_hint:
            data["recoveryHint"] = self.recovery_hint
        return {"code": self.code, "message": self.message, "data": data}

    @classmethod
    def from_wire(cls, error: Mapping[str, Any]) -> "AgentBrowserError":
        """Return the exception of an ``error`` object; an unknown code yields the base class with that code."""
        code = error.get("code")
        kind = _BY_CODE.get(code) if isinstance(code, int) else None
        raised = (kind or AgentBrowserError)(str(error.get("message", "")))
        if kind is None and isinstance(code, int):
            raised.__dict__["code"] = code
        data = error.get("data")
        if isinstance(data, Mapping):
            raised.retryable = data.get("retryable") is True
            raised.retry_after_ms = data.get("retryAfterMs")
            raised.recovery_hint = data.get("recoveryHint")
            details = data.get("details")
            raised.details = dict(details) if isinstance(details, Mapping) else {}
            raised.recording = raised.details.pop("recording", None)
            raised._write_notes()
        return raised

    def _write_notes(self) -> None:
        """Have tracebacks show the hint, and what the message leaves out of the request and of the page."""
        details = {name: self.details[name] for name in SHOWN_DETAILS if name in self.details}
        shown = [
            f"{name} {repr(value)[:MAX_SHOWN_DETAIL]}"
            for name, value in details.items()
            if not (isinstance(value, str) and value in self.message)
        ]
        self.__notes__ = [f"Details: {', '.join(shown)}"] if shown else []
        if self.recovery_hint:
            self.__notes__.append(f"Hint: {self.recovery_hint}")

    def with_subject(self, subject: str) -> Self:
        """Have the message begin with what the error is about, which only the caller knows; return the error itself."""
        self.message = f"{subject}: {self.message}"
        self.args = (self.message,)
        return self

    def with_details(self, **details: Any) -> Self:
        """Add details that only the caller knows, and return the error itself."""
        self.details |= {camel(name): value for name, value in details.items() if value is not None}
        return self


class ParseError(AgentBrowserError):
    """The text is not JSON."""

    code = -32700


class InvalidRequest(AgentBrowserError):
    """The JSON is not a JSON-RPC 2.0 request."""

    code = -32600


class MethodNotFound(AgentBrowserError):
    """No method of this name exists."""

    code = -32601


class InvalidParams(AgentBrowserError):
    """The params do not fit the method. Details: path, expected, got; for a refused URL: reason, url."""

    code = -32602

    @classmethod
    def at(cls, path: str, expected: str, got: str, **more: Any) -> Self:
        """Return the error for the value at a path, which must be something else."""
        return cls(f"{path} must be {expected}, got {got}.", path=path, expected=expected, got=got, **more)


class InternalError(AgentBrowserError):
    """Our own fault. Details: incident, the id under which the log holds the cause."""

    code = -32603


class ServerBusy(AgentBrowserError):
    """A rate, a queue or a shutdown stands in the way. Details: limit, current."""

    code = -32000
    retryable = True
    retry_after_ms = 1000

    @classmethod
    def at_shutdown(cls) -> Self:
        """Return the error of a request that a shutdown stands in the way of."""
        return cls("The server is shutting down.", hint="Connect again in a moment.")


class NotInitialized(AgentBrowserError):
    """The session was shut down and needs ``initialize``."""

    code = -32001
    recovery_hint = "Call initialize first."


class AlreadyInitialized(AgentBrowserError):
    """``initialize`` was called a second time."""

    code = -32002


class ScopeDenied(AgentBrowserError):
    """The connection's scope does not include the method. Details: method, required, granted."""

    code = -32003


class BrowserNotLaunched(AgentBrowserError):
    """The browser was lost and is not back yet, or could not be started."""

    code = -32010
    retryable = True
    retry_after_ms = 1000


class PageNotFound(AgentBrowserError):
    """No page of this client has that id. Details: pageId."""

    code = -32011
    recovery_hint = "Call page/list for the pages that are open, or page/create."


class ElementNotFound(AgentBrowserError):
    """Nothing matched the selector in time. Details: selector, waitedMs, and for words candidates (at most 5)."""

    code = -32012
    retryable = True
    retry_after_ms = 500
    recovery_hint = _OBSERVE_AGAIN
    is_unknown_ref: bool = False
    """True for a ref that was never observed, whose element can't have gone; not on the wire."""


class ElementNotVisible(AgentBrowserError):
    """The element is hidden or covered. Details: selector, coveredBy; coverHtml if what covered it has gone since."""

    code = -32013
    retryable = True
    retry_after_ms = 500
    recovery_hint = "Wait for the element to show, scroll to it, or close what covers it, then retry."


class ElementNotEnabled(AgentBrowserError):
    """The element is disabled or read-only. Details: selector."""

    code = -32014
    retryable = True
    retry_after_ms = 500
    recovery_hint = "Do what enables the element first (often filling a required field), then retry."


class NavigationFailed(AgentBrowserError):
    """The page could not be loaded. Details: url, reason (the net error's name)."""

    code = -32015
    retryable = True
    retry_after_ms = 1000
    recovery_hint = "Check the URL, then navigate again."


class Timeout(AgentBrowserError):
    """The request did not finish before its deadline. Details: timeout (ms), method; mayHaveActed, of an action."""

    code = -32016
    retryable = True
    recovery_hint = "Observe the page to see what has happened, then retry with a longer timeout."

    @classmethod
    def under_way(cls, action: str, **details: Any) -> "Timeout":
        """Return the error of an action whose input the page may have handled."""
        message = f"The time ended while {action} was under way; the page may have handled it."
        hint = "Observe the page to see what has happened, before you repeat it."
        return cls(message, retryable=False, hint=hint, may_have_acted=True, **details)


class TargetClosed(AgentBrowserError):
    """The page, context or browser went away while the request ran. Details: target."""

    code = -32017
    recovery_hint = "Call page/list for the pages that are open, or page/create."


class ExecutionContextDestroyed(AgentBrowserError):
    """The page navigated away while a script ran in it."""

    code = -32018
    retryable = True
    retry_after_ms = 100
    recovery_hint = "The page has navigated; retry."


class ElementChanged(AgentBrowserError):
    """The ref's element is no longer what was observed. Details: ref, before, after."""

    code = -32019
    recovery_hint = "Observe the page again and choose the element anew."


class SelectorAmbiguous(AgentBrowserError):
    """Several elements match. Details: selector, count, candidates (at most 5)."""

    code = -32020
    recovery_hint = "Use one of the candidates, a more specific selector, or a ref from agent/observe."


class ActionFailed(AgentBrowserError):
    """The action could not be carried out or had another effect. Details: action, selector, reason; mayHaveActed."""

    code = -32021


class ContextNotFound(AgentBrowserError):
    """No context of this client has that id. Details: contextId."""

    code = -32023
    recovery_hint = "Call context/list for the contexts that exist."


class ResourceLimitExceeded(AgentBrowserError):
    """A limit is reached. Details: resource, limit, current."""

    code = -32024


class ApprovalDenied(AgentBrowserError):
    """An approver refused the request. Details: requestId, rule, reason."""

    code = -32030


class ApprovalTimeout(AgentBrowserError):
    """No approver answered in time. Details: requestId, rule."""

    code = -32031


class ApprovalRequired(AgentBrowserError):
    """The request needs an approver and none can be asked. Details: requestId, rule."""

    code = -32032


class PageHeld(AgentBrowserError):
    """A person has taken the page over, and the agent may only look. Details: holder, since (ms since 1970), reason."""

    code = -32034
    retryable = True
    retry_after_ms = 2000
    recovery_hint = "Look at the page, or work on another one; act again when the person has handed it back."


class FrameNotFound(AgentBrowserError):
    """No frame fits the identifier, or it is gone. Details: identifier."""

    code = -32040
    recovery_hint = "Call frame/list for the frames that exist, or frame/main."


class DomainNotAllowed(AgentBrowserError):
    """The host is not in the operator's allowlist. Details: domain, url, allowed (entries of the list)."""

    code = -32041
    recovery_hint = "Stay on the allowed domains, or ask the operator to allow this one."


class StreamNotFound(AgentBrowserError):
    """No stream has that id. Details: streamId."""

    code = -32050


class Cancelled(AgentBrowserError):
    """The client cancelled the request."""

    code = -32051
