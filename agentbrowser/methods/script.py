"""script/evaluate: evaluation of the client's scripts in a page."""

from typing import TYPE_CHECKING, Any, Literal

import attrs

from agentbrowser.protocol import wire
from agentbrowser.protocol.registry import Scope, page_method
from agentbrowser.protocol.types.fields import constraints, milliseconds

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.frozen(kw_only=True)
class EvaluateParams:
    """A script: an expression, a function that takes ``arg``, or statements, whose last one has the value."""

    expression: str = attrs.field(metadata=constraints(minimum=1, maximum=100_000))
    arg: Any = None
    await_promise: bool = True
    world: Literal["isolated", "main"] = "isolated"
    """Isolated world, which shares only the document with the page's scripts, or the main world of these."""
    as_text: bool = False
    """Return the value's JSON as a text, for those who read only a part of it."""
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class EvaluateResult:
    """Return value of the script, or its JSON; null for ``undefined``, and for numbers outside of JSON."""

    value: Any


@page_method("script/evaluate", EvaluateParams, scope=Scope.PRIVILEGED)
async def evaluate(tab: "Tab", params: EvaluateParams) -> EvaluateResult:
    """Run a script in the page and return its value. [asyncio]

    A script reads whatever the page holds. Secrets of the operator's are taken out of what it returns or throws where
    they stand in a usual spelling; that is no boundary against one that spells them otherwise, or sends them elsewhere.
    Documents of the browser's own, such as its PDF viewer, run none.

    Raises:
      ActionFailed: it threw, or its value has no JSON; the reason says what.
      ResourceLimitExceeded: the value is larger than 8 MB.
      Timeout: it did not end in time; it is stopped, and the page can be used.
    """
    value = await tab.scripts.evaluate(params.expression, params.arg, awaits=params.await_promise, world=params.world)
    return EvaluateResult(value=wire.dump(value).decode() if params.as_text else value)
