"""Wait of a look until the effects of the client's actions on the page are over."""

import asyncio
import contextlib
import math
import time
import weakref
from collections import Counter
from collections.abc import AsyncIterator
from typing import Any, Final

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.act.conditions import frames_of
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.page.frame_tree import FRAME_UNAVAILABLE
from agentbrowser.browser.portal import remaining_s
from agentbrowser.browser.settle.requests import LOADED_TYPES, SENT_TYPES, RequestTracker, printable
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.spans import span

_MAX_AWAITED: Final = 10
_MARGIN_S: Final = 1.0
"""Time of the request that is left for the look itself."""
_SLACK_MS: Final = 20
"""Inaccuracy of the page's clock."""
_AFTER_MS: Final = 150
"""Time after an action in which timers still count as set by its handlers."""
_ANSWER_S: Final = 0.5
"""Time for a frame to answer after its own time limit."""
_RETRY_S: Final = 0.02
_KEPT_S: Final = 3.0
"""Time for which a page that has not settled is waited for by later looks, too."""


@attrs.frozen(kw_only=True)
class Unsettled:
    """Activity that a look has not waited for any longer."""

    pending: int
    awaited: list[str]


def with_pending(result: AgentObserveResult, unsettled: Unsettled) -> AgentObserveResult:
    """Return an observation that reports what is pending; in text behind the line of the page."""
    text = result.text
    if text is not None:
        page, newline, rest = text.partition("\n")
        counts = Counter(unsettled.awaited)
        awaited = (f"{label} ({count} times)" if count > 1 else label for label, count in counts.items())
        text = f"{page}\npending {unsettled.pending}: {', '.join(awaited)}{newline}{rest}"
    return attrs.evolve(result, pending=unsettled.pending, awaited=unsettled.awaited, text=text)


@attrs.define(eq=False)
class PageSettler:
    """Waits of one page. An action opens a span of activity, which ends when a look has seen the page settled."""

    tab: ActSurface
    _begin_s: float = attrs.field(factory=time.time, init=False)
    """Begin of the first action since the page has settled; infinite if there was none. A new page counts as one."""
    _end_s: float = attrs.field(factory=time.time, init=False)
    """End of the last action; infinite while one runs."""
    _acting: int = attrs.field(default=0, init=False)
    _timer: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _tracker: RequestTracker = attrs.field(init=False)
    _silent: "weakref.WeakSet[Frame]" = attrs.field(factory=weakref.WeakSet, init=False)
    """Frames that have not answered once since the page settled."""

    def __attrs_post_init__(self) -> None:
        self._tracker = RequestTracker(self.tab.page)

    @contextlib.asynccontextmanager
    async def acting(self, *, is_replacing: bool) -> AsyncIterator[None]:
        """Record an action of the client, whose effects the next look waits for. [asyncio]

        Args:
          is_replacing: the action loads another document, whose own requests need no listener.
        """
        if self._timer is not None:  # the client knows what is pending of earlier actions
            self.discard()
        if self._begin_s == math.inf:
            self._begin_s = time.time()
        self._acting += 1
        self._end_s = math.inf
        try:
            if not is_replacing:
                self._tracker.start()
            yield
            if is_replacing:
                self._tracker.start()
        finally:
            self._acting -= 1
            if self._acting == 0:
                self._end_s = time.time()

    async def settle(self, timeout_ms: int) -> Unsettled | None:
        """Wait until the page has settled; return what is still pending when the time is over. [asyncio]

        Returns at once if there was no action since the page has settled, or a dialog blocks the page.
        """
        if timeout_ms == 0 or self._begin_s == math.inf or self.tab.dialog is not None:
            return None
        self._cancel_timer()
        timeout_s = min(timeout_ms / 1000, max(0.0, remaining_s() - _MARGIN_S))
        with span("settle"):
            awaited = await self._wait(asyncio.get_running_loop().time() + timeout_s)
        if awaited is None or self._acting > 1:
            return None
        if not awaited:
            self._close()
            return None
        self._timer = asyncio.get_running_loop().call_later(_KEPT_S, self._close)
        return Unsettled(pending=len(awaited), awaited=awaited[:_MAX_AWAITED])

    async def rest(self, timeout_ms: int) -> list[str]:
        """Wait until nothing is pending, and then for two frames without changes; return what is pending. [asyncio]"""
        self._begin_s = min(self._begin_s, time.time())
        self._tracker.start()
        with span("settle"):
            awaited = await self._wait(asyncio.get_running_loop().time() + timeout_ms / 1000, is_rest_wanted=True)
        if not awaited:
            self._close()
        return ["dialog"] if awaited is None else awaited

    async def is_at_rest(self) -> bool:
        """Return True if nothing is known to be under way on the page, and nothing has changed since the last call.

        [asyncio]
        """
        if self.tab.dialog is not None or self._tracker.pending(LOADED_TYPES | SENT_TYPES):
            return False
        self._tracker.start()
        try:
            async with asyncio.timeout(_ANSWER_S):
                worlds = [self.tab.isolated_worlds.of(frame) for frame in frames_of(self.tab)]
                answers = await asyncio.gather(*(world.call("isAtRest") for world in worlds))
        except FRAME_UNAVAILABLE:
            return False
        return all(answer["isAtRest"] for answer in answers)

    def wake(self) -> None:
        """End a wait at once, if a dialog now blocks the page."""
        self._tracker.changed.set()

    def discard(self) -> None:
        """Forget all activity of a page that is gone."""
        self._cancel_timer()
        self._close()

    async def _wait(self, end_s: float, *, is_rest_wanted: bool = False) -> list[str] | None:
        """Wait until nothing is pending; return what is, when the time is over. None: a dialog blocks the page."""
        clock = asyncio.get_running_loop().time
        while True:
            left_s = end_s - clock()
            reports = await self._ask_frames(max(0.0, left_s), is_rest_wanted=is_rest_wanted)
            if self.tab.dialog is not None or self.tab.page.is_closed():
                return None
            self._tracker.changed.clear()
            awaited = self._pending(reports)
            if not self._tracker.is_started:  # another document was loaded
                self._tracker.start()
            if left_s <= 0 or not (awaited or self._is_stale(reports)):
                return awaited
            if not awaited:  # one frame has waited, and may have set off something in another one meanwhile
                self._end_s = max(self._end_s, time.time())
                continue
            is_rest_wanted = True
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.0, min(end_s - clock(), _RETRY_S if None in reports else 1.0))):
                    await self._tracker.changed.wait()

    def _pending(self, reports: "list[dict[str, Any] | None]") -> list[str]:
        """Return what is pending, by the frames and by the requests."""
        is_known = all(report is not None and report["isKnown"] and not report.get("isWorking") for report in reports)
        types = LOADED_TYPES if is_known else LOADED_TYPES | SENT_TYPES
        awaited = self._tracker.pending(types)
        if reports[0] is None:
            awaited.append("document")
        for report in reports:
            awaited += map(printable, report["items"] if report else ())
        origin = "/".join(self.tab.page.url.split("/", 3)[:3])
        return [label.replace(f" {origin}/", " /", 1) for label in awaited]

    @staticmethod
    def _is_stale(reports: "list[dict[str, Any] | None]") -> bool:
        """Return True if frames have answered at different times: one has waited, another one perhaps not."""
        return len(reports) > 1 and any(report is not None and report.get("hasWaited") for report in reports)

    async def _ask_frames(self, timeout_s: float, *, is_rest_wanted: bool) -> "list[dict[str, Any] | None]":
        """Return the report of each frame once it has settled; None for one that does not answer."""
        end_s = min(self._end_s, time.time())
        begin_s = min(self._begin_s, end_s)  # another look may have found the page settled meanwhile
        actions = {
            "begin": round(begin_s * 1000) - _SLACK_MS,
            "end": round(end_s * 1000) + _AFTER_MS,
            "timeout": round(timeout_s * 1000),
            "isRestWanted": is_rest_wanted,
        }
        asking = asyncio.gather(*(self._ask(frame, actions) for frame in frames_of(self.tab)))
        try:
            return await self._unless_blocked(asking, timeout_s + _ANSWER_S)
        finally:
            asking.cancel()
            # Retrieve the cancellation: asyncio logs it when it collects the future, whatever runs then.
            asking.add_done_callback(lambda answers: answers.cancelled() or answers.exception())

    async def _ask(self, frame: Frame, actions: dict[str, Any]) -> dict[str, Any] | None:
        try:
            answer: dict[str, Any] = await self.tab.isolated_worlds.of(frame).call("settle", actions)
        except FRAME_UNAVAILABLE:
            if frame is self.tab.page.main_frame or frame in self._silent:
                return None if not frame.is_detached() else {"isKnown": True, "items": []}
            self._silent.add(frame)  # it may have gone while it was waited for, and handed its work to another frame
            return {"isKnown": False, "items": [], "hasWaited": True}
        return answer

    async def _unless_blocked(
        self, asking: "asyncio.Future[list[dict[str, Any] | None]]", timeout_s: float
    ) -> "list[dict[str, Any] | None]":
        """Await the answers; give up when a dialog opens, when the page goes away, or when it does not answer."""
        end_s = asyncio.get_running_loop().time() + timeout_s
        asking.add_done_callback(lambda _: self._tracker.changed.set())
        while not asking.done():
            self._tracker.changed.clear()
            try:
                async with asyncio.timeout_at(end_s):
                    await self._tracker.changed.wait()
            except TimeoutError:
                break
            if self.tab.dialog is not None or self.tab.page.is_closed():
                break
        return asking.result() if asking.done() else [None]

    def _close(self) -> None:
        if self._acting == 0:
            self._begin_s = math.inf
            self._tracker.stop()
            self._silent.clear()

    def _cancel_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
