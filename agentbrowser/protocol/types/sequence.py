"""Sequences: steps, their conditions and expectations, and their results."""

from typing import Any, ClassVar, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import InvalidField, constraints, field
from agentbrowser.protocol.types.selector import Selector, parse_optional_selector, parse_selector

CONDITION_NOT_MET: Final = "The step's condition was not met"
"""Beginning of the error message of a step that was not run."""

ConditionState = Literal["visible", "enabled", "exists", "hidden", "disabled"]


@attrs.frozen(kw_only=True)
class Condition:
    """State of an element that must hold before a step runs."""

    selector: Selector = attrs.field(converter=parse_selector)
    state: ConditionState
    timeout_ms: int = field(default=5000, wire="timeout", minimum=1, maximum=300_000)


@attrs.frozen(kw_only=True)
class Expectation:
    """Expected outcome of a step: all given fields must hold at one moment within ``timeout`` after it.

    Unknown fields are rejected, since a misspelt field would expect nothing.
    """

    refuses_unknown: ClassVar[bool] = True

    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    """Element with the expected ``state`` or ``value``; the step's own element when absent, for ``value`` only."""
    state: ConditionState | None = None
    url: str | None = field(default=None, minimum=1, maximum=1000)
    """URL of the page: a glob if it has a ``*``, otherwise a part of the URL. Only a part with ``?``, ``#``, ``&`` or
    ``=`` may be one of the query or the fragment."""
    text: str | None = field(default=None, minimum=1, maximum=1000)
    """Visible text in any frame of the page, regardless of case and spacing."""
    value: str | bool | list[str] | None = None
    """Value of the element: its text, its checked state, or the values of its selected options."""
    timeout_ms: int = field(default=5000, wire="timeout", minimum=1, maximum=300_000)

    def invalid_field(self, *, has_element: bool) -> InvalidField | None:
        """Return a missing or contradictory field, for a step with or without its own element."""
        if self.selector is not None and self.state is None and self.value is None:
            return "state", "a state, or a value, for the selector", "nothing"
        if self.selector is None and (self.state is not None or (self.value is not None and not has_element)):
            return "selector", "a selector", "nothing"
        if self.state is None and self.url is None and self.text is None and self.value is None:
            return "", "at least one of url, text, value, or selector with state", "none of them"
        return None


@attrs.frozen(kw_only=True)
class ExecutionStep:
    """A step of a sequence: one method call."""

    action: str = attrs.field(metadata=constraints(minimum=1, maximum=100))
    params: dict[str, Any] = attrs.field(factory=dict)
    label: str | None = field(default=None, maximum=1000)
    condition: Condition | None = None
    expect: Expectation | None = None
    on_error: Literal["stop", "skip", "retry"] | None = None
    """Reaction to a failure: ``skip`` continues, ``retry`` repeats the step, also after an unmet expectation;
    ``stopOnFirstError`` decides when absent."""
    max_retries: int = field(default=1, minimum=1, maximum=5)
    retry_delay_ms: int = field(default=500, wire="retryDelay", minimum=100, maximum=5000)


@attrs.frozen(kw_only=True)
class StepResult:
    """Result of one step; ``error`` is the error object of a direct request.

    A step that ran without its expected outcome has both ``result`` and ``error``.
    """

    step: int
    success: bool
    duration_ms: int = attrs.field(metadata=constraints(wire="duration"))
    label: str | None = None
    result: Any = None
    error: dict[str, Any] | None = None
    retries: int | None = None
