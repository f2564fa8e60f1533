"""Log of a session's latest requests, for the persons who watch it: no values, and no secrets."""

import itertools
from collections import deque
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

import attrs
import trio

from agentbrowser.policy.masking import SecretMasker
from agentbrowser.policy.redaction import redact_address
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.event import now_ms
from agentbrowser.protocol.types.selector import Selector, selectors_in
from agentbrowser.server.corridor.approval_requests import selector_text

if TYPE_CHECKING:
    from agentbrowser.browser.step_batch import BatchStep
    from agentbrowser.server.corridor.job import Job

_KEPT: Final = 100
_MAX_TARGET: Final = 200
_MAX_ERROR: Final = 300
_NUMBERS: Final = itertools.count(1)


@attrs.define(eq=False, kw_only=True)
class LoggedRequest:
    """A request, or a step of a sequence, with its outcome once it has one."""

    method: str
    page_id: str | None
    target: str
    """Selector or URL, without secrets."""
    is_step: bool = False
    number: int = attrs.field(factory=lambda: next(_NUMBERS), init=False)
    started_ms: int = attrs.field(factory=now_ms, init=False)
    started_s: float = attrs.field(factory=trio.current_time, init=False)
    outcome: str | None = attrs.field(default=None, init=False)
    """``ok`` or the class of the error; None while it runs."""
    error: str | None = attrs.field(default=None, init=False)
    duration_ms: float | None = attrs.field(default=None, init=False)


Listener = Callable[[LoggedRequest, Selector | None], object]
"""Receives a request when it begins, with its first selector, and when it is over."""


@attrs.define(eq=False)
class RequestLog:
    """Latest requests of one session, and the listeners to them."""

    masks: SecretMasker
    entries: deque[LoggedRequest] = attrs.field(factory=lambda: deque(maxlen=_KEPT), init=False)
    listeners: list[Listener] = attrs.field(factory=list, init=False)

    def begin(self, method: str, job: "Job | None", *, is_step: bool = False) -> LoggedRequest:
        """Add a request that begins; one that was refused on arrival has no job."""
        page_id, params = (None, None) if job is None else (job.page_id, job.params)
        return self._add(method[:100], page_id, params, is_step=is_step)

    def end(self, entry: LoggedRequest, error: AgentBrowserError | None) -> None:
        """Note the outcome of a request."""
        entry.duration_ms = (trio.current_time() - entry.started_s) * 1000
        self._finish(entry, error)

    def add_step(self, step: "BatchStep", error: AgentBrowserError | None) -> None:
        """Add a step of a batch, which is over."""
        entry = self._add(step.method.name, step.page_id, step.params, is_step=True)
        entry.duration_ms = ((step.ended_s or step.started_s) - step.started_s) * 1000
        self._finish(entry, error)

    def _add(self, method: str, page_id: str | None, params: Any, *, is_step: bool) -> LoggedRequest:
        selector = next(selectors_in(params), None)
        target = self.masks.text(_target(params, selector))
        entry = LoggedRequest(method=method, page_id=page_id, target=target, is_step=is_step)
        self.entries.append(entry)
        self._report(entry, selector)
        return entry

    def _finish(self, entry: LoggedRequest, error: AgentBrowserError | None) -> None:
        entry.outcome = "ok" if error is None else type(error).__name__
        entry.error = None if error is None else self.masks.text(error.message[:_MAX_ERROR])
        self._report(entry, None)

    def _report(self, entry: LoggedRequest, selector: Selector | None) -> None:
        for listener in tuple(self.listeners):
            listener(entry, selector)


def _target(params: Any, selector: Selector | None) -> str:
    """Return the subject of a request without its values."""
    if selector is not None:
        return selector_text(selector)[:_MAX_TARGET]
    return " ".join(_words(params))[:_MAX_TARGET]


def _words(params: Any) -> Iterator[str]:
    if isinstance(url := getattr(params, "url", None), str):
        yield redact_address(url)
    if steps := getattr(params, "steps", None):
        yield f"{len(steps)} steps"
