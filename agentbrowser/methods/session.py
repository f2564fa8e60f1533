"""session/*: copies of pages."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, composite
from agentbrowser.protocol.types.fields import milliseconds
from agentbrowser.protocol.types.fork import ForkResult

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs
    from agentbrowser.server.corridor.dispatch import Call


@attrs.frozen(kw_only=True)
class ForkParams:
    """The page to copy; the active one when absent."""

    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@composite("session/fork", ForkParams, scope=Scope.FULL)
async def fork(call: "Call", params: ForkParams) -> ForkResult:
    """Copy a page into a new context: cookies, storage with IndexedDB, URL, scroll position, form values. [trio]

    Raises:
      PageNotFound: there is no such page.
      ResourceLimitExceeded: the client has as many pages or contexts as it may have.
      NavigationFailed: the URL could not be loaded again; no copy is left.
    """
    page_id = call.session.name_page()

    async def work(tabs: "Tabs") -> ForkResult:
        return await tabs.page_recorder.fork(await tabs.tab(params.page_id), page_id)

    return await call.browse(work)
