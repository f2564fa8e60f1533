"""One action in progress: find the element, have Playwright act, report the actual outcome."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

import attrs
from playwright.async_api import CDPSession, Dialog, Error, Frame
from playwright.async_api import TimeoutError as PlaywrightTimeout

from agentbrowser.browser import faults
from agentbrowser.browser.act import element_probe, locate, press_watch
from agentbrowser.browser.act.locate import ElementSearch, LocatedElement
from agentbrowser.browser.act.lookahead import Lookahead, Preparation
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.events.action_effects import ActionEffects
from agentbrowser.browser.events.page_listeners import PageListeners
from agentbrowser.browser.page import approved_element
from agentbrowser.browser.page.navigation_policy import check_judged, is_judged
from agentbrowser.browser.semantic import resolve
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ElementNotEnabled,
    ElementNotFound,
    ElementNotVisible,
    Timeout,
)
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, Button, NamedElement
from agentbrowser.protocol.types.selector import Ref, Selector, Semantic, describe

T = TypeVar("T")

_STOP_TIMEOUT_S: Final = 1.0
_MAX_NAME: Final = 80
_LEAVE_MS: Final = 500
"""Time for a button to be enabled by what has been typed, before the field is left."""
_READ_ONLY: Final = "A click may open what sets it, such as a calendar or a list; else do first what makes it writable."


@attrs.define(eq=False)
class ActionAttempt:
    """One action in progress."""

    tab: ActSurface
    action: str
    selector: Selector | None
    options: ActionOptions
    effects: ActionEffects
    deadline: Deadline
    lookahead: Lookahead
    found: LocatedElement | None = None
    value: str | list[str] | bool | None = None
    normalized: bool | None = None
    no_effect: bool | None = None
    healed: bool = False
    meant: ElementFeatures | None = None
    """The element that a description in words was resolved to."""
    prepared: Preparation | None = None
    """Its preparation by the previous step."""
    is_given_up: bool = False
    """True once the client has given it up while its input was under way."""
    press: tuple[Frame, Button, int] | None = None
    """The frame of a press that was sent, its button, and its count of clicks."""

    @property
    def element(self) -> LocatedElement:
        """Return the element that was found."""
        if self.found is None:
            raise RuntimeError(f"{self.action} has not looked for its element")
        return self.found

    async def find(self) -> LocatedElement:
        """Find the element. [asyncio]"""
        if self.selector is None:
            raise RuntimeError(f"{self.action} has no selector")
        self.found = await ElementSearch(self.tab, self.selector, self.action).locate_pinned(self.deadline)
        self.meant = self.found.meant
        if is_judged() and self.found.pinned is None:  # Playwright would also act in a later document
            handle = await self.perform(self.found.locator.element_handle(timeout=self.deadline.left_ms))
            self.found = attrs.evolve(self.found, pinned=handle)
        self.use_frame(self.found.frame)
        self.deadline.restart()
        await self.perform(approved_element.check_approved(self.tab, self.found, self.deadline))
        return self.found

    async def wait_until_ready(self, kind: element_probe.ControlKind | None = None) -> element_probe.ControlState:
        """Wait until the element is visible and enabled, and a text field also writable. [asyncio]

        Raises:
          ActionFailed: it is not of the kind that the action is for.
          ElementNotVisible, ElementNotEnabled: it did not get ready in time.
        """
        while True:
            state = await self.state(kind)
            trouble = self._not_ready(state)
            if trouble is None or self.options.force:
                await self.perform(approved_element.check_approved(self.tab, self.element, self.deadline))
                return state
            if not await self.deadline.pause():
                raise trouble

    async def wait_until_enabled(self) -> element_probe.ControlState:
        """Wait until the control that a click on the element is for is enabled; return its state. [asyncio]

        Playwright does not wait for the button around the element, nor for the control of its label.

        Raises:
          ElementNotEnabled: it was not enabled in time.
        """
        has_left = False
        while not ((state := await self.state()).enabled or self.options.force):
            if not has_left and state.kind == "other" and self.deadline.waited_ms >= _LEAVE_MS:
                # A person's press on a disabled button takes the focus, and some fields are checked when they are left.
                await self.perform(self.tab.isolated_worlds.of(self.element.frame).call("leaveField"))
                has_left = True
            if not await self.deadline.pause():
                raise ElementNotEnabled("The element is disabled.", **self._details())
        await self.perform(approved_element.check_approved(self.tab, self.element, self.deadline))
        return state

    async def state(self, kind: element_probe.ControlKind | None = None) -> element_probe.ControlState:
        """Return the state of the element, after a check of its kind. [asyncio]"""
        try:
            state = await self.perform(self.subject.state(self.deadline.left_ms))
        except ElementNotFound:
            if self.element.pinned is None or self.deadline.left_s == 0:
                raise
            await self.find()  # it was replaced: report what became of it, or follow it
            return await self.state(kind)
        if state is None:
            raise self.failed("the page stands still while a dialog is open", retryable=True)
        if kind is not None and state.kind != kind:
            hint = element_probe.hint_for(self.action, state.kind)
            control, named, meant = state.drawn_list, self._named_otherwise(), self.meant
            known: Any = {"ref": meant and meant.ref, "element": named and attrs.asdict(named)} if control else {}
            raise self.failed(f"{self.action} is not for {state.shown_tag}", hint=hint, control=control, **known)
        return state

    async def perform(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Await part of the action; None if a dialog has interrupted it. [asyncio]"""
        try:
            return await self._unless_dialog(work)
        except Error as error:
            await self._raise_unless_done(error)
            return None

    async def perform_on_element(self, work: Callable[[Any], Coroutine[Any, Any, T]]) -> T | None:
        """Perform on the element that was found; one by its handle is looked for again if it has left. [asyncio]

        Args:
          work: gets Playwright's locator, or its handle on the element, as of a ref.

        Raises:
          As for `find` and `perform`.
        """
        while True:
            try:
                return await self._unless_dialog(work(self.element.target))
            except Error as error:
                if self.element.pinned is None or not faults.has_left(error):
                    await self._raise_unless_done(error)
                    return None
            await self.find()

    async def _raise_unless_done(self, error: Error) -> None:
        """Raise the error for what failed, unless the action is done despite Playwright's error. [asyncio]"""
        if faults.has_acted(error):
            return  # the document that the click requests is late; `settle` has more time for it
        if faults.is_closed(error) and faults.has_begun_click(error) and await self.effects.is_closed():
            return  # the page has closed itself
        raise await self._explain(error) from None

    @property
    def subject(self) -> element_probe.ElementProbe:
        """Return a probe of the element that was found."""
        return element_probe.ElementProbe(self.tab.isolated_worlds.of(self.element.frame), self.element.target)

    async def read_back(self, question: Callable[[element_probe.ElementProbe], Awaitable[T]]) -> T | None:
        """Read the element's state after the action; None if it is gone or a dialog blocks the page. [asyncio]"""
        if self.tab.dialog is not None or self.effects.is_leaving or await self.element.locator.count() != 1:
            return None
        try:
            return await question(self.subject)
        except ElementNotFound:
            if self.selector is None or self.element.pinned is None:
                raise
        with contextlib.suppress(AgentBrowserError):  # what has replaced it on the input, if that is surely the same
            if found := await ElementSearch(self.tab, self.selector, self.action).find_all():
                world = self.tab.isolated_worlds.of(found.frame)
                return await question(element_probe.ElementProbe(world, found.locator))
        return None

    async def settle(self) -> None:
        """Wait until the navigations that the action has started are committed. [asyncio]"""
        if self.tab.dialog is None and not self.options.no_wait_after:
            await self._unless_dialog(self.effects.settle())

    async def wait_for_started(self, *, is_started: bool, is_download: bool = False) -> None:
        """Wait for the effects that are known to have started. [asyncio]"""
        is_waited_for = is_started or is_download or self.effects.is_pending
        if is_waited_for and self.tab.dialog is None and not self.options.no_wait_after:
            await self._unless_dialog(self.effects.wait_for_started(is_started=is_started, is_download=is_download))

    def use_frame(self, frame: Frame) -> None:
        """Set the frame in which the action happens.

        Raises:
          ApprovalDenied: the approval rules were not applied for its document.
        """
        check_judged(frame)
        self.effects.frame = frame

    async def result(self) -> ActionResult:
        """Return the result of the action. [asyncio]"""
        new_pages = [opened for page in self.effects.popups if (opened := await self.tab.opened_page(page))]
        dialog, download = self.effects.dialog, await self.effects.own_download()
        return ActionResult(
            url=self.tab.page.url,
            navigated=self.effects.navigated,
            status=await self.effects.status(),
            new_pages=new_pages or None,
            pending_pages=(download is None and self.effects.windows) or None,
            dialog=None if dialog is None else self.tab.dialog_outcome(dialog),
            download=None if download is None else self.tab.download_outcome(download),
            file_chooser=self.effects.file_chooser,
            value=self.value,
            normalized=self.normalized or None,
            no_effect=self.no_effect or None,
            healed=self.healed or None,
            element=self._named_otherwise(),
        )

    def _named_otherwise(self) -> NamedElement | None:
        """Return the element that a description in words was resolved to, if its name is not these words."""
        if self.meant is None or not isinstance(self.selector, Semantic):
            return None
        if resolve.is_whole_name(self.selector.description, self.meant):
            return None
        return NamedElement(role=self.meant.role, name=(self.meant.name or "")[:_MAX_NAME] or None, ref=self.meant.ref)

    def failed(self, reason: str, *, retryable: bool = False, hint: str | None = None, **details: Any) -> ActionFailed:
        """Return the error for an action that could not be done, or did something else."""
        message = f"The {self.action} failed: {reason}."
        return ActionFailed(
            message, retryable=retryable, hint=hint, action=self.action, reason=reason, **details, **self._details()
        )

    async def call_page(self, work: Awaitable[T]) -> T | None:
        """Await an answer of the page; None if a dialog or a navigation prevents it. [asyncio]

        A document that another one is to follow gets no messages of CDP any more.
        """
        return await self._await_unless(lambda: self.tab.dialog is not None or self.effects.is_leaving, work)

    async def disarm(self, frame: Frame) -> None:
        """Disarm the guard in a frame, if that answers soon. [asyncio]"""
        with contextlib.suppress(AgentBrowserError, TimeoutError):
            async with asyncio.timeout(_STOP_TIMEOUT_S):
                await self.call_page(self.tab.isolated_worlds.of(frame).call("disarm"))

    async def _unless_dialog(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Await the work; give it up when a dialog opens, since it cannot end before the dialog is answered."""
        return await self._await_unless(lambda: self.tab.dialog is not None, work)

    async def _await_unless(self, is_blocked: Callable[[], bool], work: Awaitable[T]) -> T | None:
        task = asyncio.ensure_future(work)
        was_blocked = False

        def cancel_if_blocked() -> None:
            nonlocal was_blocked
            if is_blocked() and not task.done():
                was_blocked = task.cancel()

        self.effects.on_change = cancel_if_blocked
        if self.effects.is_leaving:
            cancel_if_blocked()
        try:
            return await task
        except asyncio.CancelledError:
            this_task = asyncio.current_task()
            if not was_blocked or (this_task is not None and this_task.cancelling()):
                raise
            return None

    async def _explain(self, error: Error) -> AgentBrowserError:
        """Return the error for the element's current state, or else a translation of Playwright's error."""
        fault = faults.translate(error, action=self.action, **self._details())
        if self.found is None or self.selector is None or faults.is_final(fault):
            return fault
        count = await self.found.locator.count()
        if count == 0:
            return locate.not_found(self.selector, self.deadline)
        if count > 1:
            return await locate.ambiguous(self.found.frame, self.selector, self.found.locator, count)
        if isinstance(error, PlaywrightTimeout):
            known = self._not_ready(await self.subject.state()) or await self.obstacle()
            return known or (self._too_late() if isinstance(fault, ElementNotFound) else fault)
        return fault

    def _too_late(self) -> Timeout:
        """Return the error for an element that was found with no time left to act on it."""
        message = f"The element was found, but the {self.action} had no time left."
        return Timeout(message, timeout=self.deadline.waited_ms, **self._details())

    def _not_ready(self, state: element_probe.ControlState) -> AgentBrowserError | None:
        if not state.visible:
            return ElementNotVisible("The element is not visible.", **self._details())
        if not (state.enabled or self.options.force or self.action in ("hover", "drag", "scroll")):
            return ElementNotEnabled("The element is disabled.", **self._details())
        if not state.editable and state.kind == "text" and self.action in ("fill", "type", "clear"):
            return ElementNotEnabled("The field is read-only.", hint=_READ_ONLY, **self._details())
        return None

    async def obstacle(self) -> AgentBrowserError | None:
        """Return the error for what keeps the pointer from the element; None if nothing does. [asyncio]"""
        obstacle = await self.subject.obstacle(self.element.position)
        frame = self.element.frame
        while obstacle.point is not None and (parent := frame.parent_frame) is not None:
            owner = element_probe.ElementProbe(self.tab.isolated_worlds.of(parent), await frame.frame_element())
            obstacle, frame = await owner.obstacle(obstacle.point), parent
        if obstacle.covered_by is not None:
            by = {"type": "css", **obstacle.covered_by}
            return ElementNotVisible("The element is covered by another one.", **self._details(), covered_by=by)
        if obstacle.outside:
            return ElementNotVisible("The element can't be scrolled into the viewport.", **self._details())
        return self.failed("the element does not stand still", retryable=True) if obstacle.moving else None

    def _details(self) -> dict[str, Any]:
        return {} if self.selector is None else {"selector": describe(self.selector)}


@attrs.define(eq=False)
class ActionRunner:
    """Runner of the actions on one tab."""

    tab: ActSurface
    _session: CDPSession | None = attrs.field(default=None, init=False)
    _listeners: PageListeners | None = attrs.field(default=None, init=False)
    lookahead: Lookahead = attrs.field(factory=Lookahead, init=False)
    _held: ActionAttempt | None = attrs.field(default=None, init=False)
    """The action whose press has opened the dialog that is open."""

    @contextlib.asynccontextmanager
    async def attempt(
        self, action: str, selector: Selector | None, options: ActionOptions
    ) -> AsyncIterator[ActionAttempt]:
        """Record the page's events while the block acts on it, and translate Playwright's errors. [asyncio]

        Cancel: a navigation that the action has started is stopped, so that the page can be used at once.
        """
        with faults.mapped(action=action, selector=describe(selector) if selector else None):
            options = approved_element.unforced(options)
            is_seen = isinstance(selector, Ref | Semantic)  # by a model, which an answer helps more than a wait
            deadline = Deadline.of(options.timeout_ms, self.tab.settler.is_at_rest if is_seen else None)
            session = await self._events()
            self._listeners = self._listeners or PageListeners(self.tab.page, session)
            with ActionEffects(self._listeners, self.tab.frame) as effects:
                act = ActionAttempt(self.tab, action, selector, options, effects, deadline, self.lookahead)
                try:
                    async with approved_element.input_barrier(self.tab, deadline):
                        act.prepared = await self.lookahead.take(act)
                        yield act
                        self._held = act if effects.dialog is not None and self.tab.dialog is not None else None
                except asyncio.CancelledError:
                    if effects.is_loading and session is not None:
                        await _stop_loading(session)
                    raise

    async def release_held(self) -> None:
        """Complete the press that has opened the dialog which was just closed. [asyncio]"""
        act, self._held = self._held, None
        if act is not None:
            await press_watch.complete(act)
            self._held = act if self.tab.dialog is not None else None

    def receive_dialog(self, dialog: Dialog) -> None:
        """Report a popup's dialog, which blocks the page, to the actions that are under way."""
        if self._listeners is not None:
            self._listeners.dispatch("dialog", dialog)

    async def _events(self) -> CDPSession | None:
        """Return the page's CDP session with page events enabled; None without CDP."""
        if self._session is None and self.tab.is_chromium:
            session = await self.tab.cdp()
            # A headless browser cancels a chooser that is not intercepted at once, without an event.
            intercepting = session.send("Page.setInterceptFileChooserDialog", {"enabled": True})
            await asyncio.gather(session.send("Page.enable"), intercepting)
            self._session = session
        return self._session


async def _stop_loading(session: CDPSession) -> None:
    """Stop the navigation of a cancelled action: a page that keeps loading blocks every later call."""
    with contextlib.suppress(Error, TimeoutError):
        async with asyncio.timeout(_STOP_TIMEOUT_S):
            await session.send("Page.stopLoading")
