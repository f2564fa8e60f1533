"""Guard against pages that open dialogs or windows in a loop: they are closed."""

import asyncio
import contextlib
from collections import deque
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs
from playwright.async_api import Error

from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol.errors import AgentBrowserError

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

MAX_COUNT: Final = 20
_SECONDS: Final = {"dialogs": 1, "windows": 3}
"""Seconds within which `MAX_COUNT` are too many. A window in a loop takes 15 ms, and 90 ms on a busy machine."""


@attrs.define(eq=False)
class FloodGuard:
    """Counter of a tab's dialogs or windows; it closes the page when there are too many in a short time."""

    tab: "Tab"
    what: Literal["dialogs", "windows"]
    is_tripped: bool = attrs.field(default=False, init=False)
    """True once there were too many; the page is being closed, or is gone."""
    _recent_s: deque[float] = attrs.field(factory=lambda: deque(maxlen=MAX_COUNT + 1), init=False)

    def count(self) -> None:
        """Count one dialog or window."""
        now_s, period_s = asyncio.get_running_loop().time(), _SECONDS[self.what]
        self._recent_s.append(now_s)
        if len(self._recent_s) > MAX_COUNT and now_s - self._recent_s[0] < period_s and not self.is_tripped:
            self.is_tripped = True
            self.tab.tabs.evict(self.tab, f"it opened more than {MAX_COUNT} {self.what} in {period_s} s")


async def watch_windows(tab: "Tab") -> None:
    """Count the windows that the page opens. [asyncio]

    Playwright reports a window only when the renderer is idle. By then, a page that opens windows in a loop has opened
    them all. Only closing the page stops the loop; terminating its script does not.
    """
    guard = FloodGuard(tab, "windows")
    with contextlib.suppress(Error, AgentBrowserError):  # the page is gone already
        session = await tab.cdp()

        def note(event: dict[str, Any]) -> None:
            guard.count()
            tab.context.dialogs.note_window(tab)
            tab.context.hidden_popups.note_window(tab, event["url"])

        session.on("Page.windowOpen", safe_listener(note))
        await session.send("Page.enable")
