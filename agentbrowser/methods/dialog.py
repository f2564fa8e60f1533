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
    """The button to press, and the text for a prompt: its own default when absent."""

    action: Literal["accept", "dismiss"]
    prompt_text: str | None = field(default=None, maximum=10_000)
    page_id: str | None = None


@attrs.frozen(kw_only=True)
class HandleResult:
    """The dialog that was open; without one, the answer is armed for the page's next one."""

    handled: bool
    dialog: Dialog | None = None


@composite("dialog/handle", HandleParams, scope=Scope.STANDARD, free=True)
async def handle(call: "Call", params: HandleParams) -> HandleResult:
    """Answer the page's open dialog, or arm the answer to its next one. [trio]

    A dialog that nobody answers in time is dismissed; one that asks whether to leave the page is accepted.
    """
    return await call.browse(lambda tabs: _handle(tabs, params))


async def _handle(tabs: "Tabs", params: HandleParams) -> HandleResult:
    tab = await tabs.tab(params.page_id, TabState.ALIVE)
    tab.hold.check()
    dialog = await tab.dialogs.answer(accept=params.action == "accept", text=params.prompt_text)
    return HandleResult(handled=dialog is not None, dialog=dialog)
