"""Pages that open dialogs or windows without end: told from busy ones by how fast it goes, and closed."""

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, Final, Literal

import attrs
from playwright.async_api import Error

from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol.errors import AgentBrowserError

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

MAX_COUNT: Final = 20
_SECONDS: Final = {"dialogs": 1, "windows": 3}
"""In how many seconds a page may open that many; a window in a loop takes 15 ms, and 90 ms on a busy machine."""


@attrs.define(eq=False)
class FloodGuard:
    """A count of what a tab opens; once it is too much for the time, the page is closed."""

    tab: "Tab"
    what: Literal["dialogs", "windows"]
    is_tripped: bool = attrs.field(default=False, init=False)
    """Whether it was too much; the page is being closed, or is gone."""
    _recent_s: deque[float] = attrs.field(factory=lambda: deque(maxlen=MAX_COUNT + 1), init=False)

    def count(self) -> None:
        """Count one more."""
        now_s, period_s = asyncio.get_running_loop().time(), _SECONDS[self.what]
        self._recent_s.append(now_s)
        if len(self._recent_s) > MAX_COUNT and now_s - self._recent_s[0] < period_s and not self.is_tripped:
            self.is_tripped = True
            self.tab.tabs.evict(self.tab, f"it opened more than {MAX_COUNT} {self.what} in {period_s} s")


async def watch_windows(tab: "Tab") -> None:
    """Have the windows counted that the page opens. [asyncio]

    Playwright tells of a window only when the renderer has a moment. A page that opens them in a loop has opened all by
    then, and nothing but closing it stops the loop (terminating its script does not).
    """
    guard = FloodGuard(tab, "windows")
    with contextlib.suppress(Error, AgentBrowserError):  # the page is gone already
        session = await tab.cdp()
        session.on("Page.windowOpen", safe_listener(lambda _: guard.count()))
        await session.send("Page.enable")
