"""JavaScript dialogs of a page: reported to the client, kept open for its answer, and closed after a timeout."""

import asyncio
import math
from typing import TYPE_CHECKING, Final

import attrs
from playwright.async_api import Dialog as PlaywrightDialog

from agentbrowser.browser import faults
from agentbrowser.browser.events.flood_guard import FloodGuard
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.portal import remaining_s
from agentbrowser.protocol.errors import Timeout
from agentbrowser.protocol.types.event import DialogEvent
from agentbrowser.protocol.types.page import Dialog

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

_MAX_TEXT: Final = 10_240
"""Chromium's own limit on the text of a dialog."""
_SAME_SCRIPT_S: Final = 0.1
"""Interval within which the next dialog counts as one of the same script."""
_MARGIN_S: Final = 0.2


@attrs.frozen
class DialogAnswer:
    """Answer to a dialog: accept or dismiss, and the text for a prompt (the prompt's default if None)."""

    accept: bool
    text: str | None = None


@attrs.define(eq=False)
class Dialogs:
    """Dialogs of one tab; at most one is open.

    A dialog is answered at once if an answer is armed, or if the client does not subscribe to dialogs. Otherwise it
    stays open for the client until the timeout. Then it is dismissed, and so are the next dialogs of the same script:
    a page that opens dialogs endlessly blocks its client only once.
    """

    tab: "Tab"
    open_dialog: Dialog | None = attrs.field(default=None, init=False)
    """The dialog that is open for the client; it blocks the page until it is answered."""
    _open: PlaywrightDialog | None = attrs.field(default=None, init=False)
    _armed: DialogAnswer | None = attrs.field(default=None, init=False)
    _timer: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _closed: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _last_default_s: float = attrs.field(default=-math.inf, init=False)
    """Time of the last default answer after a timeout."""
    _flood_guard: FloodGuard = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._flood_guard = FloodGuard(self.tab, "dialogs")

    def attach(self) -> None:
        """Start listening to the page."""
        self.tab.page.on("dialog", safe_listener(self._opened))

    async def answer(self, *, accept: bool, text: str | None) -> Dialog | None:
        """Answer the open dialog and return it; with none open, arm the answer for the next one. [asyncio]"""
        wire_dialog, dialog, answer = self.open_dialog, self._open, DialogAnswer(accept, text)
        if dialog is None:
            self._armed = answer
            return None
        self._clear()
        with faults.mapped():
            await _send_answer(dialog, answer)
        return wire_dialog

    async def wait_until_closed(self) -> None:
        """Wait until no dialog blocks the page. [asyncio]

        Raises:
          Timeout: the request ends first.
        """
        while (wire_dialog := self.open_dialog) is not None:
            try:
                async with asyncio.timeout(remaining_s() - _MARGIN_S):
                    await self._closed.wait()
            except TimeoutError:
                message = f"The page stands still while its {wire_dialog.type} dialog is open."
                hint = "Answer the dialog with dialog/handle, then retry."
                raise Timeout(
                    message, hint=hint, dialog={"type": wire_dialog.type, "message": wire_dialog.message}
                ) from None

    def discard(self) -> None:
        """Forget a dialog whose page is gone."""
        self._clear()

    def _opened(self, dialog: PlaywrightDialog) -> None:
        self._flood_guard.count()
        if self._flood_guard.is_tripped:
            return  # the page is being closed, and the dialog blocks it until then
        wire_dialog = Dialog(
            type=dialog.type, message=dialog.message[:_MAX_TEXT], default_value=dialog.default_value[:_MAX_TEXT] or None
        )
        self.tab.emit(DialogEvent(page_id=self.tab.id, **attrs.asdict(wire_dialog)))
        answer, self._armed = self._armed, None
        if answer is None and self._may_be_answered():
            self._keep_open(dialog, wire_dialog)
        else:
            self._answer_later(dialog, answer or _default_answer(dialog))

    def _may_be_answered(self) -> bool:
        """Return True if the client may want to answer."""
        now = asyncio.get_running_loop().time()
        if now - self._last_default_s < _SAME_SCRIPT_S:
            self._last_default_s = now
            return False
        return "dialog" in self.tab.tabs.event_kinds

    def _keep_open(self, dialog: PlaywrightDialog, wire_dialog: Dialog) -> None:
        self._open, self.open_dialog = dialog, wire_dialog
        self._closed.clear()
        timeout_s = self.tab.tabs.config.dialog_timeout_s
        self._timer = asyncio.get_running_loop().call_later(timeout_s, self._timed_out)

    def _timed_out(self) -> None:
        """Answer the open dialog for a client that has not answered in time."""
        dialog = self._open
        self._clear()
        if dialog is not None:
            self._last_default_s = asyncio.get_running_loop().time()
            self._answer_later(dialog, _default_answer(dialog))

    def _clear(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._open = self.open_dialog = self._timer = None
        self._closed.set()

    def _answer_later(self, dialog: PlaywrightDialog, answer: DialogAnswer) -> None:
        self.tab.tabs.run_in_background(_send_answer(dialog, answer))


def _default_answer(dialog: PlaywrightDialog) -> DialogAnswer:
    """Return the answer with which a task can go on: dismiss, but agree to leave the page."""
    return DialogAnswer(accept=dialog.type == "beforeunload")


async def _send_answer(dialog: PlaywrightDialog, answer: DialogAnswer) -> None:
    if not answer.accept:
        await dialog.dismiss()
    elif dialog.type == "prompt":
        await dialog.accept(dialog.default_value if answer.text is None else answer.text)
    else:
        await dialog.accept()
