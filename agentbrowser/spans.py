"""Spans of a request, for tracing: of a step, of a crossing to the browser thread, of the wait until a page settled.

Here is no vendor: where the server has a tracer, the task of a request has it in its context, which crosses to the
browser thread with each call. Without one, a span is a look-up.
"""

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any, Final, Protocol


class Tracer(Protocol):
    """Tracer of a server. Spans hold names, numbers and ids, never params or results."""

    def request(self, method: str, parent: str | None, **facts: Any) -> contextlib.AbstractContextManager[object]:
        """Open the span of a request, under the parent of a ``traceparent``."""
        ...

    def part(self, name: str, **facts: Any) -> contextlib.AbstractContextManager[object]:
        """Open a span below the present one."""
        ...

    def past(self, name: str, started_at_s: float, took_s: float, error: str | None, **facts: Any) -> None:
        """Add a span that is over, below the present one; its start is Unix time."""
        ...

    def answered(self, method: str, outcome: str, duration_s: float, code: int | None) -> None:
        """Measure an answered request, and mark its span as failed if there is a code of an error."""
        ...


_TRACER: Final[ContextVar[Tracer | None]] = ContextVar("tracer", default=None)
_NO_SPAN: Final = contextlib.nullcontext(None)


def span(name: str, **facts: Any) -> contextlib.AbstractContextManager[object]:
    """Open a span below that of the present request, if it is traced."""
    tracer = _TRACER.get()
    return _NO_SPAN if tracer is None else tracer.part(name, **facts)


def past_span(name: str, started_at_s: float, took_s: float, error: str | None, **facts: Any) -> None:
    """Add a span that is over below that of the present request, if it is traced."""
    tracer = _TRACER.get()
    if tracer is not None:
        tracer.past(name, started_at_s, took_s, error, **facts)


@contextlib.contextmanager
def traced(tracer: Tracer | None, method: str, parent: str | None, **facts: Any) -> Iterator[None]:
    """Trace a request in the block, and whatever its task does there; without a tracer, do nothing."""
    if tracer is None:
        yield
        return
    before = _TRACER.set(tracer)
    try:
        with tracer.request(method, parent, **facts):
            yield
    finally:
        _TRACER.reset(before)
