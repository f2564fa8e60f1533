"""JavaScript dialogs of pages: reported to the client, kept open for its answer, and closed after a timeout."""

import asyncio
import contextlib
import json
import math
from collections.abc import MutableMapping
from typing import TYPE_CHECKING, Final, Literal
from weakref import WeakKeyDictionary

import attrs
from playwright.async_api import BrowserContext, Error, Frame
from playwright.async_api import Dialog as PlaywrightDialog

from agentbrowser.browser import faults
from agentbrowser.browser.events.flood_guard import FloodGuard
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.portal import remaining_s
from agentbrowser.browser.storage.session_storage import origin_of
from agentbrowser.policy.approvals import names_document
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError, ApprovalDenied, Timeout
from agentbrowser.protocol.types.action import ActionDialog
from agentbrowser.protocol.types.event import DialogEvent
from agentbrowser.protocol.types.page import Dialog

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs

_MAX_TEXT: Final = 10_240
"""Chromium's own limit on the text of a dialog."""
_MAX_CITED: Final = 200
_SAME_SCRIPT_S: Final = 0.1
"""Interval within which the next dialog counts as one of the same script."""
_SCRIPT_END_S: Final = 0.5
"""Time for which a request waits for the end of the script whose dialog has just got its default answer."""
_MARGIN_S: Final = 0.2
_PATIENCE_S: Final = 2.0
"""Time for which a request waits for a dialog that stays open until after its end: the client has to answer first."""
_ARMED_S: Final = 30.0
"""Time for which an armed answer waits for its dialog: that of one request."""
_LEAVING_S: Final = 5.0
"""Time for a page to go on after the answer to whether it may be left."""
_PERSON_TIMEOUT_S: Final = 300.0
"""Time for a person who has the page to answer."""
_INITIAL_URLS: Final = ("", ":", "about:blank")
"""URLs of a popup without a document of its own."""


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
    _popup: "Dialogs | None" = attrs.field(default=None, init=False)
    """Dialogs of a popup whose open dialog blocks this page too, since both share a thread."""
    _open: PlaywrightDialog | None = attrs.field(default=None, init=False)
    _answers: MutableMapping[PlaywrightDialog, DialogAnswer] = attrs.field(factory=WeakKeyDictionary, init=False)
    _armed: DialogAnswer | None = attrs.field(default=None, init=False)
    _armed_until_s: float = attrs.field(default=-math.inf, init=False)
    _armed_in: frozenset[str] | None = attrs.field(default=None, init=False)
    _missed: Dialog | None = attrs.field(default=None, init=False)
    """The last dialog, if it was closed before the client has answered: a late answer is meant for it."""
    _timer: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _opened: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _closed: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _answering: "asyncio.Task[None] | None" = attrs.field(default=None, init=False)
    """The last answer on its way to the page, which blocks it until then."""
    _last_default_s: float = attrs.field(default=-math.inf, init=False)
    """Time of the last default answer after a timeout."""
    _flood_guard: FloodGuard = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._flood_guard = FloodGuard(self.tab, "dialogs")

    @property
    def blocking_dialog(self) -> Dialog | None:
        """Return the dialog that blocks the page until it is answered: its own, or that of its popup."""
        if self.open_dialog is None and self._popup is not None:
            return self._popup.open_dialog
        return self.open_dialog

    @property
    def frames(self) -> list[Frame]:
        """Return the frames that may show the next dialog, or have opened the present one."""
        return [*self.tab.page.frames, *(self._popup.frames if self._popup is not None else ())]

    async def answer(
        self, *, accept: bool, text: str | None, may_arm: bool = True, judged: frozenset[str] | None = None
    ) -> Dialog | None:
        """Answer the dialog that blocks the page and return it; with none, arm the answer for the next. [asyncio]

        Args:
          judged: URLs of the documents for which the approval rules were applied; None: all.

        Raises:
          ApprovalDenied: the open dialog may be that of another document.
          ActionFailed: none is open, and the answer may not be armed, or was meant for one that is closed already.
        """
        wire_dialog, dialog, answer = self.open_dialog, self._open, DialogAnswer(accept, text)
        if dialog is None and self._popup is not None:
            return await self._popup.answer(accept=accept, text=text, may_arm=may_arm, judged=judged)
        if dialog is None:
            self._arm(answer, may_arm=may_arm)
            self._armed_in = judged
            return None
        if not self._may_be_of(judged):
            raise ApprovalDenied("The page has got another document.", reason="page changed", retryable=True)
        self._clear()
        with faults.mapped():
            await asyncio.shield(self._answer_later(dialog, answer))
        return wire_dialog

    def disarm(self) -> bool:
        """Forget the armed answer; return True if there was one that no dialog has got."""
        return self._take_armed() is not None

    def _arm(self, answer: DialogAnswer, *, may_arm: bool) -> None:
        missed, self._missed = self._missed, None
        if missed is not None or not may_arm:
            reason = "no dialog is open"
            if missed is not None:
                words = json.dumps(missed.message[:_MAX_CITED], ensure_ascii=False)
                reason = f"nobody answered the {missed.type} {words} in time, so it was closed"
            hint = "Answer within the time, or arm the answer before the action that opens the dialog."
            raise ActionFailed(f"The answer has no dialog: {reason}.", action="dialog/handle", reason=reason, hint=hint)
        self._armed, self._armed_until_s = answer, asyncio.get_running_loop().time() + _ARMED_S

    def _take_armed(self) -> DialogAnswer | None:
        """Return the armed answer, which is for one dialog, unless it has waited too long."""
        answer, self._armed = self._armed, None
        return answer if asyncio.get_running_loop().time() < self._armed_until_s else None

    def outcome(self, dialog: PlaywrightDialog) -> ActionDialog:
        """Return the description of a dialog, with its answer."""
        answer = self._answers.get(dialog)
        answered: Literal["accepted", "dismissed", "open"] = "open"
        if answer is not None:
            answered = "accepted" if answer.accept else "dismissed"
        return ActionDialog(**attrs.asdict(_describe(dialog)), answered=answered)

    async def wait_until_closed(self) -> None:
        """Wait until no dialog blocks the page. [asyncio]

        Raises:
          Timeout: the request ends first, or the dialog would stay open until after its end.
        """
        may_go_on = True
        while True:
            if self._answering is not None:
                await asyncio.wait({self._answering})
            if (wire_dialog := self.blocking_dialog) is None:
                if not (may_go_on and self._has_just_timed_out()):
                    return
                may_go_on = False
                await self._wait_for_end_of_script()
                continue
            left_s = remaining_s() - _MARGIN_S
            try:
                async with asyncio.timeout(min(left_s, _PATIENCE_S) if self._is_open_for(left_s) else left_s):
                    await self._closed.wait()
            except TimeoutError:
                message = f"The page stands still while its {wire_dialog.type} dialog is open."
                hint = "Answer the dialog with dialog/handle, then retry."
                shown = {"type": wire_dialog.type, "message": wire_dialog.message}
                raise Timeout(message, hint=hint, dialog=shown) from None

    def _has_just_timed_out(self) -> bool:
        return asyncio.get_running_loop().time() - self._last_default_s < _SAME_SCRIPT_S

    async def _wait_for_end_of_script(self) -> None:
        """Wait until the script of the last default answer is over: a dialog of the request is then for the client."""
        with contextlib.suppress(Error, AgentBrowserError, TimeoutError):  # as for a page that opens dialogs endlessly
            async with asyncio.timeout(_SCRIPT_END_S):
                await self._wait_for_the_page()
                self._last_default_s = -math.inf

    async def _wait_for_the_page(self) -> None:
        if self.tab.is_chromium:
            await (await self.tab.cdp()).send("Runtime.evaluate", {"expression": "0"})
        else:
            await self.tab.page.evaluate("0")

    async def wait_until_left_open(self) -> ActionDialog:
        """Return the dialog that blocks the page for longer than a request waits for its answer. [asyncio]"""
        while True:
            if self.blocking_dialog is None:
                self._opened.clear()
            await self._opened.wait()
            try:
                await self.wait_until_closed()
            except Timeout:
                if (wire_dialog := self.blocking_dialog) is not None:
                    return ActionDialog(**attrs.asdict(wire_dialog), answered="open")

    def _is_open_for(self, duration_s: float) -> bool:
        """Return True if the dialog that blocks the page gets its default answer after that time only."""
        timer = self._timer if self._popup is None else self._popup._timer
        return timer is not None and timer.when() > asyncio.get_running_loop().time() + duration_s

    def end_person_time(self) -> None:
        """Answer a dialog that is still open when a person hands the page back."""
        if self.tab.hold.holder is None and self._open is not None:
            self._timed_out()

    def discard(self) -> None:
        """Forget a dialog whose page is gone."""
        self._popup = None
        self._clear()

    def opened(self, dialog: PlaywrightDialog) -> None:
        """Report a dialog that has opened, and answer it or keep it open."""
        self._flood_guard.count()
        if self._flood_guard.is_tripped:
            return  # the page is being closed, and the dialog blocks it until then
        wire_dialog = _describe(dialog)
        self.tab.emit(DialogEvent(page_id=self.tab.id, **attrs.asdict(wire_dialog)))
        answer, self._missed = self._take_armed(), None
        if answer is not None and self._may_be_of(self._armed_in):
            self._answer_later(dialog, answer)
        elif self._may_be_answered():
            self._keep_open(dialog, wire_dialog)
            self._block_opener(dialog)
        else:
            self._answer_for_client(dialog, wire_dialog)

    def _may_be_of(self, judged: frozenset[str] | None) -> bool:
        return judged is None or all(names_document(judged, frame.url) for frame in self.frames)

    def _may_be_answered(self) -> bool:
        """Return True if the client may want to answer."""
        if self.tab.hold.holder is not None:
            return True
        if self._has_just_timed_out():
            self._last_default_s = asyncio.get_running_loop().time()
            return False
        return "dialog" in self.tab.tabs.event_kinds

    def _keep_open(self, dialog: PlaywrightDialog, wire_dialog: Dialog) -> None:
        if self._timer is not None:
            self._timer.cancel()  # of a dialog that the browser has closed itself
        self._open, self.open_dialog = dialog, wire_dialog
        self._closed.clear()
        self._opened.set()
        asked_ms = self.tab.tabs.subscriptions.dialog_timeout_ms
        asked_s = self.tab.tabs.config.dialog_timeout_s if asked_ms is None else asked_ms / 1000
        timeout_s = asked_s if self.tab.hold.holder is None else _PERSON_TIMEOUT_S
        self._timer = asyncio.get_running_loop().call_later(timeout_s, self._timed_out)

    def _block_opener(self, dialog: PlaywrightDialog) -> None:
        """Interrupt the actions of the page that has opened this one, if the dialog blocks it too."""
        opener = self.tab.tabs.find(self.tab.opener)
        if opener is not None and _share_thread(self.tab.page.url, opener.page.url):
            opener.dialogs._block(self)
            opener.actions.receive_dialog(dialog)

    def _block(self, popup: "Dialogs") -> None:
        self._popup = popup
        self._closed.clear()
        self._opened.set()
        self.tab.settler.wake()  # no event of this page has announced the dialog

    def _unblock(self, popup: "Dialogs") -> None:
        if self._popup is popup:
            self._popup = None
            self._wake()

    def _wake(self) -> None:
        if self.blocking_dialog is None:
            self._closed.set()

    def _timed_out(self) -> None:
        """Answer the open dialog for a client that has not answered in time."""
        dialog, wire_dialog = self._open, self.open_dialog
        self._clear()
        if dialog is not None and wire_dialog is not None:
            self._last_default_s = asyncio.get_running_loop().time()
            self._answer_for_client(dialog, wire_dialog)

    def _clear(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._open = self.open_dialog = self._timer = None
        self._wake()
        if (opener := self.tab.tabs.find(self.tab.opener)) is not None:
            opener.dialogs._unblock(self)

    def _answer_for_client(self, dialog: PlaywrightDialog, wire_dialog: Dialog) -> None:
        if "dialog" in self.tab.tabs.event_kinds:
            self._missed = wire_dialog
        self._answer_later(dialog, _default_answer(dialog))

    def _answer_later(self, dialog: PlaywrightDialog, answer: DialogAnswer) -> "asyncio.Task[None]":
        self._answers[dialog] = answer
        self._answering = self.tab.tabs.run_in_background(self._send_answer(dialog, answer))
        return self._answering

    async def _send_answer(self, dialog: PlaywrightDialog, answer: DialogAnswer) -> None:
        try:
            await _send_answer(dialog, answer)
        except Error:
            # Chromium refuses the answer where the next document waits behind the dialog. It hangs for good then.
            self.tab.tabs.run_in_background(self.tab.unblocker.start())
            raise
        if dialog.type == "beforeunload" and self.tab.is_chromium:
            await self._gone_on()
        await self.tab.actions.release_held()

    async def _gone_on(self) -> None:
        """Wait until the page has begun to leave, or has given that up.

        A navigation of ours that begins earlier is lost. A page that leaves is asked a second time, and both
        navigations hang; for a page that stays, Chromium aborts the new navigation instead of the old one.
        """
        with contextlib.suppress(Error, AgentBrowserError, TimeoutError):  # the page is closed, or has another document
            async with asyncio.timeout(_LEAVING_S):
                await self._wait_for_the_page()


@attrs.define(eq=False)
class ContextDialogs:
    """Dialogs of one context's pages, of which each goes to the page's tab.

    The context reports a dialog even of a popup that is so new that nobody listens to it. Without any listener,
    Playwright would dismiss it.
    """

    tabs: "Tabs"
    context: BrowserContext
    _early: list[PlaywrightDialog] = attrs.field(factory=list, init=False)
    """Dialogs of pages that have no tab yet."""
    _opener: "Tab | None" = attrs.field(default=None, init=False)
    """The tab that has opened a window last."""

    def attach(self) -> None:
        """Start listening to the context."""
        self.context.on("dialog", safe_listener(self._opened))

    def note_window(self, opener: "Tab") -> None:
        """Note that a page opens a window."""
        self._opener = opener

    def deliver_early(self) -> None:
        """Report the early dialogs of pages that have a tab by now."""
        early, self._early = self._early, []
        for dialog in early:
            if dialog.page is None or not dialog.page.is_closed():
                self._opened(dialog)

    def _opened(self, dialog: PlaywrightDialog) -> None:
        # Playwright names no page before the popup has a document: `javascript:` never leads to one. The dialog blocks
        # the opener then.
        tab = self._opener if dialog.page is None else self.tabs.tab_of(dialog.page)
        if dialog.page is None and (tab is None or not self.tabs.has(tab)):
            self.tabs.run_in_background(_send_answer(dialog, _default_answer(dialog)))
        elif tab is None:
            self._early = [*(one for one in self._early if one.page and not one.page.is_closed()), dialog]
        else:
            tab.dialogs.opened(dialog)
            if dialog.page is not tab.page:
                tab.actions.receive_dialog(dialog)


def _share_thread(popup_url: str, opener_url: str) -> bool:
    """Return True if a popup has no document of its own, or one of its opener's origin."""
    return popup_url in _INITIAL_URLS or (bool(origin := origin_of(popup_url)) and origin == origin_of(opener_url))


def _describe(dialog: PlaywrightDialog) -> Dialog:
    default_value = dialog.default_value[:_MAX_TEXT] or None
    return Dialog(type=dialog.type, message=dialog.message[:_MAX_TEXT], default_value=default_value)


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
