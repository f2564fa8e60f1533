"""Limits of an action to which approval rules were applied: the element that was approved, and the judged frames."""

import asyncio
import contextlib
import contextvars
import time
from collections.abc import AsyncIterator, Callable
from typing import Final, TypeVar

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.act.locate import LocatedElement
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.page import element_handles
from agentbrowser.browser.page.navigation_policy import approved_identity, check_judged, is_judged
from agentbrowser.browser.portal import remaining_s
from agentbrowser.protocol.errors import AgentBrowserError, ApprovalDenied
from agentbrowser.protocol.types.action import ActionOptions

OptionsT = TypeVar("OptionsT", bound=ActionOptions)

_MAX_S: Final = 300.0
"""Time after which a frame takes input again by itself: that of the longest request."""
_LEAST_S: Final = 0.5
_END_TIMEOUT_S: Final = 1.0


def unforced(options: OptionsT) -> OptionsT:
    """Return the options without ``force`` if an approver has agreed to an element: another may lie over it."""
    return options if approved_identity() is None else attrs.evolve(options, force=False)


async def check_approved(tab: ActSurface, found: LocatedElement, deadline: Deadline) -> None:
    """Check that an element has the role and the name that the approver of the present request was shown. [asyncio]

    Raises:
      ApprovalDenied: it has another one now.
      ElementNotFound: it is gone.
    """
    approved = approved_identity()
    if approved is None:
        return
    handle = await element_handles.handle_of(tab, found, deadline)
    answer = element_handles.checked_answer(await handle.call("identityOf"), None, {})
    state = answer["state"]
    if {"role": state["role"] or "generic", "name": state["shownName"] or ""} != approved:
        raise element_changed()


def element_changed() -> ApprovalDenied:
    """Return the error for an element that is another one than the approver was shown."""
    message = "The element has another role or name than the approver was shown."
    return ApprovalDenied(message, reason="element changed", retryable=True, hint="Observe the page, then ask again.")


def another_control() -> ApprovalDenied:
    """Return the error for a press that was for a control in the element, which the approver was not shown."""
    message = "The press was for another control, inside the element that the approver was shown, and was stopped."
    return ApprovalDenied(message, reason="another control", hint="Ask for that control itself.")


@contextlib.asynccontextmanager
async def input_barrier(tab: ActSurface, deadline: Deadline) -> AsyncIterator[None]:
    """During the block, stop input in frames that no approval rule was applied to. [asyncio]

    A page can put such a frame under the pointer in the milliseconds of a press, or give it the focus between two keys.

    Raises:
      ApprovalDenied: input came to such a frame and was stopped, or one does not answer, so that nothing was sent.
    """
    if not is_judged():
        yield
        return
    barrier = _InputBarrier(tab)
    try:
        await barrier.close(max(deadline.left_s, _LEAST_S))
        yield
    except AgentBrowserError as error:
        raise (await barrier.open()) or error from None
    except BaseException:
        barrier.open_later()
        raise
    if refused := await barrier.open():
        raise refused


@attrs.define(eq=False)
class _InputBarrier:
    """Barrier around the frames of a page for which the approval rules were not applied."""

    tab: ActSurface
    _closed: dict[Frame, asyncio.Future[bool]] = attrs.field(factory=dict, init=False)
    """The answers of the frames that are to take no input, by frame."""
    _until_ms: float = attrs.field(init=False)
    _listener: Callable[[Frame], None] = attrs.field(
        default=attrs.Factory(lambda barrier: safe_listener(barrier._close_later), takes_self=True), init=False
    )
    _request: contextvars.Context = attrs.field(factory=contextvars.copy_context, init=False)
    """The judged documents are those of the request, also for a frame that Playwright reports in a task of its own."""

    async def close(self, timeout_s: float) -> None:
        """Have these frames take no input, those that come meanwhile too. [asyncio]

        Raises:
          ApprovalDenied: one of them does not answer.
        """
        self._until_ms = (time.time() + min(remaining_s(), _MAX_S)) * 1000
        self.tab.page.on("framenavigated", self._listener)
        for frame in self.tab.page.frames:
            self._close_later(frame)
        if not self._closed:
            return
        _, late = await asyncio.wait(self._closed.values(), timeout=timeout_s)
        if late:
            message = "A frame of the page, for which the approval rules were not applied, does not answer."
            raise ApprovalDenied(message, reason="page busy", retryable=True)

    async def open(self) -> ApprovalDenied | None:
        """Have the frames take input again; return the error if input came to one of them. [asyncio]"""
        answers = self.open_later()
        if not answers or self.tab.dialog is not None:  # it blocks the page, which answers behind it
            return None
        done, _ = await asyncio.wait(answers, timeout=_END_TIMEOUT_S)
        if not any(answer.result() for answer in done):
            return None
        message = (
            "The input came to a frame for which the approval rules were not applied, or that is not the one of the "
            "element that was approved, and was stopped."
        )
        return ApprovalDenied(message, reason="page changed", retryable=True)

    def open_later(self) -> list[asyncio.Future[bool]]:
        """Ask the frames to take input again, and return their answers: whether any came."""
        self.tab.page.remove_listener("framenavigated", self._listener)
        return [asyncio.ensure_future(self._call(frame, 0.0)) for frame in self._closed]

    def _close_later(self, frame: Frame) -> None:
        try:
            self._request.run(check_judged, frame)
        except ApprovalDenied:
            self._closed[frame] = asyncio.ensure_future(self._call(frame, self._until_ms))

    async def _call(self, frame: Frame, until_ms: float) -> bool:
        try:
            return bool(
                (await self.tab.isolated_worlds.of(frame).call("refuseInput", {"until": until_ms}))["hasRefused"]
            )
        except AgentBrowserError:  # the frame is gone
            return False
