"""The parts of a sequence: steps, what they wait for before and after, and what became of them."""

from typing import Any, ClassVar, Literal

import attrs

from agentbrowser.protocol.types.fields import InvalidField, constraints, field
from agentbrowser.protocol.types.selector import Selector

ConditionState = Literal["visible", "enabled", "exists", "hidden", "disabled"]


@attrs.frozen(kw_only=True)
class Condition:
    """A state of an element that is waited for before a step runs."""

    selector: Selector
    state: ConditionState
    timeout_ms: int = field(default=5000, wire="timeout", minimum=1, maximum=300_000)


@attrs.frozen(kw_only=True)
class Expectation:
    """What must hold at one moment within ``timeout`` after a step, else the step has failed; any of it, and all of it.

    An unknown member is refused, since a misspelt one would expect nothing.
    """

    refuses_unknown: ClassVar[bool] = True

    selector: Selector | None = None
    """The element that is to be in ``state``, or to hold ``value``; for ``value`` it may be absent."""
    state: ConditionState | None = None
    url: str | None = field(default=None, minimum=1, maximum=1000)
    """The page's URL: with a ``*`` in it a glob for all of the URL, else a part of it."""
    text: str | None = field(default=None, minimum=1, maximum=1000)
    """Shown somewhere in the frame that is acted on; neither case nor the width of blanks matters."""
    value: str | bool | list[str] | None = None
    """What the element holds, else that of the step: a text, whether it is checked, or the values of the options."""
    timeout_ms: int = field(default=5000, wire="timeout", minimum=1, maximum=300_000)

    def invalid_field(self, *, has_element: bool) -> InvalidField | None:
        """Return what does not fit together, for a step that has an element of its own or not."""
        if self.selector is not None and self.state is None and self.value is None:
            return "state", "a state, or a value, for the selector", "nothing"
        if self.selector is None and (self.state is not None or (self.value is not None and not has_element)):
            return "selector", "a selector", "nothing"
        if self.state is None and self.url is None and self.text is None and self.value is None:
            return "", "at least one of url, text, value, or selector with state", "none of them"
        return None


@attrs.frozen(kw_only=True)
class ExecutionStep:
    """One method call of a sequence."""

    action: str = attrs.field(metadata=constraints(minimum=1, maximum=100))
    params: dict[str, Any] = attrs.field(factory=dict)
    label: str | None = field(default=None, maximum=1000)
    condition: Condition | None = None
    expect: Expectation | None = None
    on_error: Literal["stop", "skip", "retry"] | None = None
    """What a failure does: ``skip`` goes on, ``retry`` does all of it again, also what did not lead to what was
    expected; without it ``stopOnFirstError`` decides."""
    max_retries: int = field(default=1, minimum=1, maximum=5)
    retry_delay_ms: int = field(default=500, wire="retryDelay", minimum=100, maximum=5000)


@attrs.frozen(kw_only=True)
class StepResult:
    """What became of one step; ``error`` is the object that a direct request would have got.

    A step that was done, but did not lead to what was expected, has both ``result`` and ``error``.
    """

    step: int
    success: bool
    duration_ms: int = attrs.field(metadata=constraints(wire="duration"))
    label: str | None = None
    result: Any = None
    error: dict[str, Any] | None = None
    retries: int | None = None
