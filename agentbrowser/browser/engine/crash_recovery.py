"""A new process for a page that has crashed: Playwright never speaks to it again, so another page takes its place."""

from typing import TYPE_CHECKING

from agentbrowser.browser import faults
from agentbrowser.browser.contexts import quietly

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


async def revive(wreck: "Tab") -> None:
    """Put an empty page in the place of a wreck, under its id. [asyncio]

    Raises:
      TargetClosed: the session was closed meanwhile.
    """
    tabs, context = wreck.tabs, wreck.context
    async with tabs.opening:
        if not tabs.has(wreck):  # another request was quicker
            return
        era = tabs.era
        with faults.mapped():
            page = await context.made.new_page()
        await tabs.still_wanted(era, context, page.close)
        if not tabs.has(wreck):  # which was closed meanwhile
            return await quietly(page.close())
        tab = tabs.adopt(wreck.id, page, context, wreck.opener)
        tabs.engine.census.count(pages=-1)  # the wreck
        tab.take_after(wreck)
        await tab.navigation_policy.enforce()
        await context.emulation.apply_to(tab)
    if wreck.options is not None:
        await tab.become(wreck.options)
    tabs.chore(quietly(wreck.page.close()))
