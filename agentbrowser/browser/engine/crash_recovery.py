"""A new process for a page that has crashed: Playwright never speaks to it again, so another page takes its place."""

from typing import TYPE_CHECKING

from agentbrowser.browser import faults
from agentbrowser.browser.contexts import close_quietly

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
        generation = tabs.generation
        with faults.mapped():
            page = await context.browser_context.new_page()
        await tabs.check_generation(generation, context, page.close)
        if not tabs.has(wreck):  # which was closed meanwhile
            return await close_quietly(page.close())
        tab = tabs.adopt(wreck.id, page, context, wreck.opener)
        tabs.engine.capacity.count(pages=-1)  # the wreck
        tab.take_after(wreck)
        await tab.navigation_policy.enforce()
        await context.emulation.apply_to(tab)
    if wreck.options is not None:
        await tab.become(wreck.options)
    tabs.run_in_background(close_quietly(wreck.page.close()))
