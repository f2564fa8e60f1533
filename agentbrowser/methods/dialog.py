"""dialog/handle: the answer to a page's dialog."""

from typing import TYPE_CHECKING, Literal

import attrs

from agentbrowser.protocol.registry import Scope, TabState, composite
from agentbrowser.protocol.types.fields import field
from agentbrowser.protocol.types.page import Dialog

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs
    from agentbrowser.server.corridor.dispatch import Call


@attrs.frozen(kw_only=True)
class HandleParams:
    """The button to press, and the text for a prompt: its own default when absent. ``disarm`` takes an answer back."""

    action: Literal["accept", "dismiss", "disarm"]
    prompt_text: str | None = field(default=None, maximum=10_000)
    arm: bool = True
    """False: fail if no dialog is open, instead of arming the answer for the next one."""
    page_id: str | None = None


@attrs.frozen(kw_only=True)
class HandleResult:
    """The dialog that was open; without one, the answer is armed for the page's next one of the next 30 s.

    Of ``disarm``, ``handled`` is true if an answer was armed that no dialog has got.
    """

    handled: bool
    dialog: Dialog | None = None


@composite("dialog/handle", HandleParams, scope=Scope.STANDARD, free=True)
async def handle(call: "Call", params: HandleParams) -> HandleResult:
    """Answer the page's open dialog, or arm the answer to its next one. [trio]

    A dialog that nobody answers in time is dismissed; one that asks whether to leave the page is accepted.

    Raises:
      ActionFailed: no dialog is open, and ``arm`` is false; or the last one was closed before this, the first answer
        since. Nothing is armed then.
    """
    return await call.browse(lambda tabs: _handle(tabs, params, call.judged))


async def _handle(tabs: "Tabs", params: HandleParams, judged: frozenset[str] | None) -> HandleResult:
    tab = await tabs.tab(params.page_id, TabState.ALIVE)
    tab.hold.check()
    if params.action == "disarm":
        return HandleResult(handled=tab.dialogs.disarm())
    accept = params.action == "accept"
    answering = tab.dialogs.answer(accept=accept, text=params.prompt_text, may_arm=params.arm, judged=judged)
    dialog = await answering
    return HandleResult(handled=dialog is not None, dialog=dialog)
