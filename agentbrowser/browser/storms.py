"""Pages that open dialogs or windows without end: told from busy ones by how fast it goes, and closed."""

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, Final

import attrs
from playwright.async_api import Error

from agentbrowser.browser.events import wrapped
from agentbrowser.errors import AgentBrowserError

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

MAX_PER_SECOND: Final = 20


@attrs.define(eq=False)
class Storm:
    """A count of what a tab opens; once it is too much for one second, the page is closed.

    Args:
      what: what is counted, in the plural.
    """

    tab: "Tab"
    what: str
    is_on: bool = attrs.field(default=False, init=False)
    """Whether it was too much; the page is being closed, or is gone."""
    _recent_s: deque[float] = attrs.field(factory=lambda: deque(maxlen=MAX_PER_SECOND + 1), init=False)

    def count(self) -> None:
        """Count one more."""
        now_s = asyncio.get_running_loop().time()
        self._recent_s.append(now_s)
        if len(self._recent_s) > MAX_PER_SECOND and now_s - self._recent_s[0] < 1 and not self.is_on:
            self.is_on = True
            self.tab.tabs.expel(self.tab, f"it opened more than {MAX_PER_SECOND} {self.what} in a second")


async def watch_windows(tab: "Tab") -> None:
    """Have the windows counted that the page opens. [asyncio]

    Playwright tells of a window only when the renderer has a moment. A page that opens them in a loop has opened all by
    then, 15 ms each, and nothing but closing it stops the loop (terminating its script does not).
    """
    storm = Storm(tab, "windows")
    with contextlib.suppress(Error, AgentBrowserError):  # the page is gone already
        session = await tab.cdp()
        session.on("Page.windowOpen", wrapped(lambda _: storm.count()))
        await session.send("Page.enable")
