"""A page's dialogs: told to the client, kept open for its answer, and never for so long that anything is wedged."""

import asyncio
import math
from typing import TYPE_CHECKING, Final

import attrs
from playwright.async_api import Dialog as PlaywrightDialog

from agentbrowser.browser import faults
from agentbrowser.browser.events.flood_guard import Storm
from agentbrowser.browser.events.page_events import wrapped
from agentbrowser.browser.portal import remaining_s
from agentbrowser.protocol.errors import Timeout
from agentbrowser.protocol.types.event import DialogEvent
from agentbrowser.protocol.types.page import Dialog

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

_MAX_TEXT: Final = 10_240
"""As long as Chromium lets a dialog's text be."""
_FOLLOWS_S: Final = 0.1
"""A dialog that comes sooner after another was answered is of the same script."""
_MARGIN_S: Final = 0.2


@attrs.frozen
class Answer:
    """What is pressed in a dialog, and what is typed into a prompt first: its default when None."""

    accept: bool
    text: str | None = None


@attrs.define(eq=False)
class Dialogs:
    """The dialogs of one tab, of which one at most is open.

    A dialog is answered at once if an answer is armed, or if the client does not listen to dialogs. Otherwise it stays
    open for the client until the time is over. Then it is dismissed, and so is at once what the same script asks next:
    a page that asks without end holds its client up only once.
    """

    tab: "Tab"
    shown: Dialog | None = attrs.field(default=None, init=False)
    """The dialog that is kept open for the client; the page stands still until it is answered."""
    _open: PlaywrightDialog | None = attrs.field(default=None, init=False)
    _armed: Answer | None = attrs.field(default=None, init=False)
    _clock: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _answered: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _ignored_s: float = attrs.field(default=-math.inf, init=False)
    """When a dialog was last answered for the client since it would not."""
    _storm: Storm = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._storm = Storm(self.tab, "dialogs")

    def attach(self) -> None:
        """Start listening to the page."""
        self.tab.page.on("dialog", wrapped(self._opened))

    async def answer(self, *, accept: bool, text: str | None) -> Dialog | None:
        """Answer the open dialog and return it; with none open, arm the answer for the next one. [asyncio]"""
        shown, asking, answer = self.shown, self._open, Answer(accept, text)
        if asking is None:
            self._armed = answer
            return None
        self._forget()
        with faults.mapped():
            await _press(asking, answer)
        return shown

    async def over(self) -> None:
        """Wait until no dialog holds the page up. [asyncio]

        Raises:
          Timeout: the request ends sooner.
        """
        while (shown := self.shown) is not None:
            try:
                async with asyncio.timeout(remaining_s() - _MARGIN_S):
                    await self._answered.wait()
            except TimeoutError:
                message = f"The page stands still while its {shown.type} dialog is open."
                hint = "Answer the dialog with dialog/handle, then retry."
                raise Timeout(message, hint=hint, dialog={"type": shown.type, "message": shown.message}) from None

    def closed(self) -> None:
        """Let go of a dialog that went with its page."""
        self._forget()

    def _opened(self, asking: PlaywrightDialog) -> None:
        self._storm.count()
        if self._storm.is_on:
            return  # the page is being closed, and stands still for that time
        shown = Dialog(
            type=asking.type, message=asking.message[:_MAX_TEXT], default_value=asking.default_value[:_MAX_TEXT] or None
        )
        self.tab.emit(DialogEvent(page_id=self.tab.id, **attrs.asdict(shown)))
        answer, self._armed = self._armed, None
        if answer is None and self._is_awaited():
            self._keep(asking, shown)
        else:
            self._press_later(asking, answer or _usual(asking))

    def _is_awaited(self) -> bool:
        """Tell whether the client may want to answer."""
        now = asyncio.get_running_loop().time()
        if now - self._ignored_s < _FOLLOWS_S:
            self._ignored_s = now
            return False
        return "dialog" in self.tab.tabs.wanted

    def _keep(self, asking: PlaywrightDialog, shown: Dialog) -> None:
        self._open, self.shown = asking, shown
        self._answered.clear()
        timeout_s = self.tab.tabs.config.dialog_timeout_s
        self._clock = asyncio.get_running_loop().call_later(timeout_s, self._ignored)

    def _ignored(self) -> None:
        """Answer the open dialog for the client, which has let its time pass."""
        asking = self._open
        self._forget()
        if asking is not None:
            self._ignored_s = asyncio.get_running_loop().time()
            self._press_later(asking, _usual(asking))

    def _forget(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
        self._open = self.shown = self._clock = None
        self._answered.set()

    def _press_later(self, asking: PlaywrightDialog, answer: Answer) -> None:
        self.tab.tabs.chore(_press(asking, answer))


def _usual(asking: PlaywrightDialog) -> Answer:
    """Return the answer that lets an agent go on: No to every question but whether to leave the page."""
    return Answer(accept=asking.type == "beforeunload")


async def _press(asking: PlaywrightDialog, answer: Answer) -> None:
    if not answer.accept:
        await asking.dismiss()
    elif asking.type == "prompt":
        await asking.accept(asking.default_value if answer.text is None else answer.text)
    else:
        await asking.accept()
