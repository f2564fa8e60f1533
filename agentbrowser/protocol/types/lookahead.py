"""The step of a sequence behind the one that runs, as far as the browser side is told of it."""

from contextvars import ContextVar
from typing import Any, Final

import attrs

from agentbrowser.protocol.types.action import ActionOptions
from agentbrowser.protocol.types.selector import Selector, Semantic

_AIMED: Final = frozenset({"click", "dblclick", "hover", "check", "uncheck"})
_WRITING: Final = frozenset({"fill", "clear"})


@attrs.frozen
class Coming:
    """A step that follows on the same page, if the step that runs goes well."""

    action: str
    selector: Selector
    options: ActionOptions
    value: str | None = None
    """What a field is to hold then, if it is a step that writes."""

    @classmethod
    def of(cls, method: str, params: Any) -> "Coming | None":
        """Return the step that a request is, if it is one to look ahead for."""
        action = method.removeprefix("action/")
        if (
            action not in _AIMED | _WRITING
            or isinstance(params.selector, Semantic)
            or params.options.force
            or params.options.trial
        ):
            return None
        value = getattr(params, "value", "") if action in _WRITING else None
        return cls(action, params.selector, params.options, value)

    def is_of(self, action: str, selector: Selector | None, options: ActionOptions) -> bool:
        """Tell whether an action is this step."""
        return (self.action, self.selector, self.options) == (action, selector, options)


COMING: Final = ContextVar[Coming | None]("agentbrowser_coming", default=None)
"""The step behind the one that a request is; it crosses into the browser thread with the call."""
