"""View of one page for the persons who watch it, and for the one of them who takes it over."""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
import structlog

from agentbrowser.browser.live.agent_pauses import AgentPauses, happens
from agentbrowser.browser.live.hold import Holder
from agentbrowser.browser.live.person_input import FilesWanted, PersonInput
from agentbrowser.browser.live.screencast import Picture, Screencast
from agentbrowser.browser.tab import Tab
from agentbrowser.browser.tabs import Tabs
from agentbrowser.protocol.errors import ActionFailed, AgentBrowserError
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.approval import ElementInfo
from agentbrowser.protocol.types.event import Report
from agentbrowser.protocol.types.page import Dialog
from agentbrowser.protocol.types.selector import Selector

log = structlog.get_logger("agentbrowser.live")

_KINDS = ("console", "network")
_ACTION_START_S: Final = 0.03
"""Time after which the action of a request has begun."""
_OUTLINE_DELAY_S: Final = 1.0
"""Longest delay of a look-up: one beside an action takes a fifth of its time."""


_SHOW_DELAY_S: Final = 0.05
"""Delay of an outline, in which its action goes on undisturbed; only the latest is shown of those that come in it."""


@attrs.frozen
class Outlined:
    """Element of a request that is to be outlined."""

    number: int
    """Number of the request."""
    method: str
    selector: Selector


@attrs.define(eq=False, kw_only=True)
class PageView:
    """View of one page. All methods run in the browser thread, and so do the callbacks."""

    tabs: Tabs
    page_id: str
    on_picture: Callable[[Picture], object]
    on_event: Callable[[Report], object]
    on_files_wanted: Callable[[FilesWanted | None], object]
    on_outline: Callable[[dict[str, Any]], object]
    is_wanted: Callable[[], bool]
    _screencast: Screencast | None = attrs.field(default=None, init=False)
    _pauses: AgentPauses | None = attrs.field(default=None, init=False)
    _tab: Tab | None = attrs.field(default=None, init=False)
    _input: PersonInput | None = attrs.field(default=None, init=False)
    _remove_tap: Callable[[], None] | None = attrs.field(default=None, init=False)
    _to_outline: Outlined | None = attrs.field(default=None, init=False)
    _outlined_url: str = attrs.field(default="", init=False)
    """URL of the page as the request began."""
    _outlining: asyncio.Task[None] | None = attrs.field(default=None, init=False)
    _shown: dict[str, Any] | None = attrs.field(default=None, init=False)
    """Outline that is to be shown."""
    _showing: asyncio.TimerHandle | None = attrs.field(default=None, init=False)

    async def open(self) -> None:
        """Start the screencast, and listen to the events of the page. [asyncio]

        Raises:
          PageNotFound, TargetClosed: there is no such page.
          ActionFailed: the browser has no screencast.
        """
        tab = await self._alive()
        if not tab.is_chromium:
            raise ActionFailed("Only Chromium has a live picture.", action="watch", reason="browser")
        self._remove_tap = self.tabs.contexts.taps.add(_KINDS, self._on_report)
        self._pauses = AgentPauses(tab.hold)
        self._pauses.start()
        tab.hold.on_target = self._on_target
        self._screencast = Screencast(tab, self._pauses, self.on_picture, self.is_wanted)
        try:
            await self._screencast.start()
        except BaseException:
            await self.close()
            raise
        self._tab = tab

    async def close(self) -> None:
        """Stop everything; a person who has the page gives it back. [asyncio]"""
        self.release()
        if self._remove_tap is not None:
            self._remove_tap()
        if self._outlining is not None:
            self._outlining.cancel()
            self._outlining = None
        if self._showing is not None:
            self._showing.cancel()
            self._showing = None
        if self._pauses is not None:
            self._pauses.stop()
            self._pauses.hold.on_target = None
        if self._screencast is not None:
            await self._screencast.stop()

    async def refresh(self) -> None:
        """Begin again if another page has taken the place of a crashed one. [asyncio]"""
        tab = self.tabs.find(self.page_id)
        if tab is not None and self._tab is not None and tab is not self._tab and not tab.crash_signal.is_set:
            await self.close()
            await self.open()

    async def _alive(self) -> Tab:
        return await self.tabs.tab(self.page_id, TabState.ALIVE)

    def _on_report(self, event: Report) -> None:
        if getattr(event, "page_id", self.page_id) == self.page_id:
            self.on_event(event)

    async def take(self, holder: Holder) -> bool:
        """Give the page to a person; the agent's actions on it are interrupted and refused. [asyncio]

        Returns:
          True if the page takes touch.

        Raises:
          PageHeld: another person has it.
          ActionFailed: a trace is being recorded, which would hold what the person types.
        """
        tab = await self._alive()
        if tab.context.tracing.is_recording:
            reason = "a trace is being recorded, and would hold what you type"
            raise ActionFailed(f"The page can't be taken over: {reason}.", action="take", reason=reason)
        tab.hold.take(holder)
        self.tabs.page_recorder.note_person(tab, "took the page over")
        assert self._screencast is not None
        assert self._screencast.session is not None
        self._input = PersonInput(tab, self._screencast.session, self.on_files_wanted)
        self._input.start()
        screen = tab.screenshots.screenshotter.screen
        return bool(tab.context.options.has_touch if screen is None else screen.has_touch)

    def release(self) -> None:
        """Give the page back to the agent, if a person has it by this view."""
        held, self._input = self._input, None
        if held is not None:
            held.stop()
            held.tab.hold.release()
            held.tab.dialogs.end_person_time()
            self.tabs.page_recorder.note_person(held.tab, "handed the page back")

    def send(self, given: Mapping[str, Any]) -> None:
        """Send input of the person who has the page.

        Raises:
          InvalidParams: there is no such input.
        """
        if self._input is not None:
            self._input.send(given)

    async def choose_files(self, number: int, files: list[Any]) -> None:
        """Give the page the files that it has asked for by the request of that number. [asyncio]"""
        if self._input is not None:
            await self._input.choose_files(number, files)

    async def answer_dialog(self, shown: Dialog | None, *, accept: bool, text: str | None) -> None:
        """Answer the open dialog for the person who has the page. [asyncio]

        Args:
          shown: the dialog that the person has seen: the page may have opened another one since, of the same text.

        Raises:
          ActionFailed: it is another one.
        """
        dialog = None if self._input is None else self._input.tab.dialog
        if self._input is None or dialog is None:
            return
        if dialog is not shown:
            reason = "the page has opened another one since"
            raise ActionFailed(f"The dialog is not answered: {reason}.", action="dialog", reason=reason)
        await self._input.tab.dialogs.answer(accept=accept, text=text)

    def outline(self, wanted: Outlined) -> None:
        """Look up the element of a request soon, for its outline; of several at the same time, the latest."""
        self._to_outline = wanted
        self._outlined_url = self._tab.page.url if self._tab is not None else ""
        if self._outlining is None or self._outlining.done():
            self._outlining = self.tabs.run_in_background(self._outline())

    def _on_target(self, selector: Selector, shown: dict[str, Any]) -> None:
        """Outline an element that an action has found: by then it need not be there for a look-up any more."""
        wanted = self._to_outline
        if wanted is not None and wanted.selector == selector:
            self._to_outline = None
            self._show_outline(wanted, shown["role"], shown["name"], shown["bounds"])

    def _show_outline(self, wanted: Outlined, role: str | None, name: str, bounds: Mapping[str, float]) -> None:
        self._shown = {"role": role or "", "name": name, **bounds, "method": wanted.method, "number": wanted.number}
        if self._showing is None:
            self._showing = asyncio.get_running_loop().call_later(_SHOW_DELAY_S, self._show)

    def _show(self) -> None:
        self._showing = None
        assert self._shown is not None
        self.on_outline(self._shown)

    async def _outline(self) -> None:
        """Look up elements that no action has found by the in-page scripts. [asyncio]"""
        while self._to_outline is not None:
            await asyncio.sleep(_ACTION_START_S)
            if self._pauses is not None:
                await happens(self._pauses.pause, _OUTLINE_DELAY_S)
            wanted = self._to_outline
            if wanted is None:
                return
            element = await self._looked_up(wanted)
            if self._to_outline is wanted:
                if element is None:
                    return  # its action may still find it
                self._to_outline = None
                self._show_outline(wanted, element.role, element.name, attrs.asdict(element.bounds))

    async def _looked_up(self, wanted: Outlined) -> ElementInfo | None:
        try:
            tab = await self._alive()
            if tab.page.url != self._outlined_url:
                return None  # on another page, it would be another element
            return await tab.approval_context.element(wanted.selector)
        except AgentBrowserError:
            log.debug("no_outline", page=self.page_id)
            return None
