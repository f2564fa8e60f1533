"""Pointer actions: click, double click, hover, drag, scroll."""

import asyncio
import contextlib
import functools
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final, Literal

import attrs
from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeout

from agentbrowser.browser import faults
from agentbrowser.browser.act import element_probe, fast_pointer, injected_actions, locate
from agentbrowser.browser.act.attempt import ActionAttempt, ActionRunner
from agentbrowser.browser.act.fast_pointer import MouseClick
from agentbrowser.browser.act.locate import LocatedElement
from agentbrowser.browser.act.lookahead import GONE
from agentbrowser.browser.act.press_watch import PressWatch, end_all, release_again
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.page.approved_element import element_changed
from agentbrowser.browser.page.navigation_policy import approved_identity
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    ElementNotFound,
    ElementNotVisible,
    InvalidParams,
    Timeout,
)
from agentbrowser.protocol.types.action import (
    ActionOptions,
    ActionResult,
    ClickOptions,
    Direction,
    Offset,
    Point,
    ScrollOptions,
)
from agentbrowser.protocol.types.selector import Ref, Selector, Semantic

# A page that puts another element under the pointer more often than this is not in a state to be clicked.
_PRESSES: Final = 3
# Enough moves for a page to see a drag start, approach and hover over the drop target.
_DRAG_STEPS: Final = 10
# Sortable lists ignore the pointer for 30 ms after each exchange, and others measure in the next frame.
_HOLD_S: Final = 0.1
_SCROLL_PX: Final = 300.0
_BOX_MS: Final = 500
_AREA: Final = "area"
_LOCKED: Final = "the page has locked the pointer to another element, which gets every press"
_UNLOCK: Final = "page/reload ends the lock; so may the page, by a key such as Escape or a setting."
_FRAMED: Final = "a frame in the element would get the press"
_IN_FRAME: Final = "Act on an element in the frame, or on the frame itself."
_NO_CONTROL: Final = (
    "Words describe interactive elements, or are the whole title of a part of the page: name another target by a CSS "
    "selector."
)


class Pointer(ActionRunner):
    """Actions of the pointer."""

    async def click(self, selector: Selector, options: ClickOptions) -> ActionResult:
        """Click the element. [asyncio]"""
        return await self._click("click", selector, options, MouseClick.of(options))

    async def dblclick(self, selector: Selector, options: ClickOptions) -> ActionResult:
        """Double-click the element. [asyncio]"""
        return await self._click("dblclick", selector, options, MouseClick.of(options, 2))

    async def _click(self, action: str, selector: Selector, options: ClickOptions, press: MouseClick) -> ActionResult:
        async with self.attempt(action, selector, options) as act:
            if not await fast_pointer.click(act, press):
                await click_slowly(act, press)
            return await act.result()

    async def hover(self, selector: Selector, options: ActionOptions, position: Point | None = None) -> ActionResult:
        """Move the pointer over the element. [asyncio]"""
        async with self.attempt("hover", selector, options) as act:
            if not await fast_pointer.hover(act, position):
                await act.find()
                if (await act.state()).tag == _AREA:
                    await _repeat_on_area(act, functools.partial(fast_pointer.hover, act, position))
                else:
                    where = _pointer_options(act, position)
                    await act.perform_on_element(lambda element: element.hover(**where))
                    await act.settle()
            return await act.result()

    async def drag(self, source: Selector, target: Selector | Point | Offset, options: ActionOptions) -> ActionResult:
        """Drag the source to the target, or by the offset, and drop it there. [asyncio]

        Cancel: the button is let go where the pointer is.

        Raises:
          ElementNotFound, SelectorAmbiguous, ElementNotVisible: the message names the end, source or target.
        """
        async with self.attempt("drag", source, options) as act:
            with _named_end("source"):
                await act.find()
            goal = target if isinstance(target, Point | Offset) else await self._drop_target(target, act)
            await act.perform(self.tab.frame_sessions.buffer())
            if isinstance(goal, LocatedElement) and not options.trial:
                await act.perform(self._leave_edges(goal))
            with _named_end("source"):
                await act.perform_on_element(lambda element: element.hover(**_pointer_options(act)))
                grip = None if options.trial or act.element.position else await act.perform(_grip(act))
                if grip is not None:
                    await act.perform_on_element(lambda element: element.hover(**_pointer_options(act, grip)))
            if not options.trial:
                drop = await act.perform(self._moved_by(act, goal, grip)) if isinstance(goal, Offset) else goal
                if drop is not None:  # no dialog has opened
                    with _named_end("target"):
                        await act.perform(self._carry(act, drop))
                await act.settle()
            return await act.result()

    async def _moved_by(self, act: ActionAttempt, offset: Offset, grip: Point | None) -> Point:
        """Put the pointer on the source, and return the point at the offset from there. [asyncio]"""
        start = attrs.evolve(act.element, position=act.element.position or grip)
        here = await _center(self.tab, start, act.deadline.left_ms)
        await self.tab.page.mouse.move(here.x, here.y)
        return Point(x=here.x + offset.dx, y=here.y + offset.dy)

    async def _drop_target(self, target: Selector, act: ActionAttempt) -> LocatedElement:
        """Return the element to drop on. [asyncio]"""
        with _named_end("target"):
            try:
                return await locate.locate_drop_target(self.tab, target, act.deadline)
            except ElementNotFound as error:
                if isinstance(target, Semantic):
                    error.recovery_hint = _NO_CONTROL
                raise

    async def _leave_edges(self, goal: LocatedElement) -> None:
        with contextlib.suppress(Error, ElementNotFound):  # the drag itself reports a target that is gone or hidden
            await element_probe.ElementProbe(self.tab.isolated_worlds.of(goal.frame), goal.target).leave_edges()

    async def _carry(self, act: ActionAttempt, goal: LocatedElement | Point) -> None:
        mouse = self.tab.page.mouse
        behind = await _way_behind(act, goal) if isinstance(goal, LocatedElement) else None
        await self.tab.isolated_worlds.of(act.element.frame).call("watchRelease")
        watch = None if approved_identity() is None else await PressWatch.start(act)
        act.press = act.element.frame, "left", 1
        await mouse.down()
        try:
            point = goal if isinstance(goal, Point) else await _center(self.tab, goal, act.deadline.left_ms)
            await mouse.move(point.x, point.y, steps=_DRAG_STEPS)
            await asyncio.sleep(_HOLD_S)
            if isinstance(goal, LocatedElement) and (moved := await self._moved_point(act, goal, point)):
                point = moved
                await mouse.move(point.x, point.y)
            await mouse.move(point.x, point.y)
            if behind is not None:
                await mouse.move(point.x + behind.dx, point.y + behind.dy)
        finally:
            await mouse.up()
        if watch is not None and act.tab.dialog is None and not await watch.has_landed():
            raise element_changed()

    async def _moved_point(self, act: ActionAttempt, goal: LocatedElement, point: Point) -> Point | None:
        """Return the middle of a target that has left the point since the page took the source away; else None.

        Where the source is still there, a list may have exchanged the two, and the drag has arrived.
        """
        with contextlib.suppress(Error, AgentBrowserError):  # the target is gone or hidden, or its page is
            if await self._has_left(act):
                now = await _center(self.tab, goal, act.deadline.left_ms)
                probe = element_probe.ElementProbe(self.tab.isolated_worlds.of(goal.frame), goal.target)
                return None if await probe.is_at(Point(x=point.x - now.x, y=point.y - now.y)) else now
        return None

    async def _has_left(self, act: ActionAttempt) -> bool:
        """Return True if the page has taken the source away, and has put no other in its place."""
        if not isinstance(act.selector, Ref):
            return await act.element.locator.count() == 0
        try:
            await self.tab.resolve_ref(act.selector.value)
        except ElementNotFound:
            return True
        return False

    async def scroll(self, selector: Selector | None, options: ScrollOptions) -> ActionResult:
        """Scroll the element or its container; else the page or the container in its middle. [asyncio]"""
        amount = _scroll_amount(selector, options)
        if selector is None and amount == "toElement":
            raise InvalidParams(
                "selector must be there to scroll to an element.",
                path="selector",
                expected="a selector object",
                got="nothing",
            )
        async with self.attempt("scroll", selector, options) as act:
            if selector is not None:
                await act.find()
            if not options.trial:
                moved = await act.perform(self._scroll(act, options.direction, amount))
                act.no_effect = moved is False
                await act.settle()
            return await act.result()

    async def _scroll(self, act: ActionAttempt, direction: Direction | None, amount: float | str) -> bool:
        if amount == "toElement":
            moves = not await act.subject.is_in_view()
            await locate.scroll_into_view(self.tab, act.element, act.deadline.left_ms)
            return moves
        axis = "x" if direction in ("left", "right") else "y"
        sign = -1 if direction in ("up", "left") else 1
        if act.found is not None:
            return await act.subject.scroll(axis=axis, sign=sign, amount=amount)
        return await element_probe.scroll_page(
            self.tab.isolated_worlds.of(self.tab.frame), axis=axis, sign=sign, amount=amount
        )


@contextlib.contextmanager
def _named_end(end: Literal["source", "target"]) -> Iterator[None]:
    """Have errors of the block name the end of a drag that they are about."""
    try:
        yield
    except AgentBrowserError as error:
        error.with_subject(f"The {end} of the drag")
        raise


def _scroll_amount(selector: Selector | None, options: ScrollOptions) -> float | str:
    if options.amount is not None:
        return options.amount
    return _SCROLL_PX if selector is None or options.direction is not None else "toElement"


async def click_slowly(act: ActionAttempt, press: MouseClick) -> None:
    """Click by Playwright, which waits until the element is ready.

    Raises:
      ActionFailed: the page has locked the pointer; or each press would have reached another element, and was stopped.
    """
    stopped = 0
    while stopped < _PRESSES:
        await act.find()
        state = await act.wait_until_enabled()
        if state.locked:  # in a headless browser, the lock also holds up every input
            raise act.failed(_LOCKED, hint=_UNLOCK)
        if state.framed and not (press.position or act.element.position or act.options.force):
            raise act.failed(_FRAMED, hint=_IN_FRAME)
        if state.tag == _AREA:
            await _repeat_on_area(act, functools.partial(fast_pointer.click, act, press))
            return
        if act.options.trial:
            await act.perform(_playwright_click(act, press))
            return
        try:
            outcome = await _press_watched(act, press)
        except (ElementNotFound, Timeout):
            if stopped and act.deadline.left_s == 0:
                break
            raise
        if outcome == "landed":
            await act.settle()
            return
        stopped += outcome == "stopped"
    raise act.failed("another element came between the pointer and the element", retryable=True)


async def _repeat_on_area(act: ActionAttempt, attempt: Callable[[], Awaitable[bool]]) -> None:
    """Repeat the fast path until it acts: Playwright takes areas of images for invisible.

    Raises:
      ElementNotVisible, ElementNotEnabled, ActionFailed: the area was not ready in time.
    """
    await act.wait_until_ready()
    while not await attempt():
        if not await act.deadline.pause():
            raise await act.obstacle() or act.failed("the pointer can't reach the area", retryable=True)
        await act.wait_until_ready()


async def _press_watched(act: ActionAttempt, press: MouseClick) -> Literal["landed", "stopped", "gone"]:
    """Click by Playwright; ``gone`` if the element was replaced before the press."""
    try:
        watch = await act.perform(PressWatch.start(act))
    except GONE:
        return "gone"
    act.press = act.element.frame, press.button, press.count
    try:
        is_sent = await act.perform(_playwright_click(act, press))
    except BaseException:
        injected_actions.start_task(end_all(act, act.element.frame))  # a busy page does not answer: wait for nothing
        raise
    if watch is None or act.tab.dialog is not None:
        return "landed"
    if is_sent is False:
        return "gone"
    if act.effects.dialog is not None:
        await release_again(act)
    return "landed" if await watch.has_landed() else "stopped"


async def _playwright_click(act: ActionAttempt, press: MouseClick) -> bool:
    """Click; return False if the element of a ref was replaced before."""
    try:
        await act.element.target.click(
            **_pointer_options(act, press.position),
            button=press.button,
            click_count=press.count,
            modifiers=list(press.modifiers),
            no_wait_after=act.options.no_wait_after,
        )
    except Error as error:
        if isinstance(act.selector, Ref) and faults.has_left(error):
            return False
        raise
    return True


async def _grip(act: ActionAttempt) -> Point | None:
    """Return the place to drag the element by, beside a control in its middle: boards let no card go by its buttons."""
    with contextlib.suppress(Error, ElementNotFound):  # the press itself reports an element that is gone
        grip = await act.subject.grip()
        return Point(**grip) if grip else None
    return None


def _pointer_options(act: ActionAttempt, position: Point | None = None) -> dict[str, Any]:
    """Return the options of Playwright's pointer actions; the point of coordinates takes precedence."""
    point = act.element.position or position
    return {
        "position": {"x": point.x, "y": point.y} if point else None,
        "force": act.options.force,
        "trial": act.options.trial,
        "timeout": act.deadline.left_ms,
    }


async def _way_behind(act: ActionAttempt, goal: LocatedElement) -> Offset | None:
    """Return the way from the middle of a target to a point behind it, as seen from an item of its size; else None.

    Items of a list take each other's place; where the pointer is in the middle of one, lists differ on which is first.
    """
    if goal.position is not None:
        return None
    with contextlib.suppress(Error, ElementNotFound):  # the drag itself reports an element that is gone
        source = await act.element.locator.bounding_box(timeout=_BOX_MS)
        target = await goal.locator.bounding_box(timeout=_BOX_MS)
        if source and target:
            width, height = target["width"], target["height"]
            is_alike = _is_alike(source["width"], width) and _is_alike(source["height"], height)
            if is_alike and await act.subject.is_item():
                return Offset(
                    dx=_behind(target["x"] - source["x"], width), dy=_behind(target["y"] - source["y"], height)
                )
    return None


def _is_alike(one: float, other: float) -> bool:
    """Return True for lengths that differ by a fifth at most."""
    return abs(one - other) <= max(one, other) / 5


def _behind(way: float, length: float) -> float:
    """Return a quarter of the length of the target, in the direction of a way of at least half of it; else 0."""
    return 0.0 if abs(way) < length / 2 else length / 4 * (1 if way > 0 else -1)


async def _center(tab: ActSurface, goal: LocatedElement, timeout_ms: float) -> Point:
    try:
        await locate.scroll_into_view(tab, goal, timeout_ms)
        box = await goal.locator.bounding_box(timeout=timeout_ms)
    except PlaywrightTimeout:
        if await goal.locator.is_visible():
            raise
        box = None
    if box is None:
        raise ElementNotVisible("The element is not visible.")
    inside = goal.position or Point(x=box["width"] / 2, y=box["height"] / 2)
    return Point(x=box["x"] + inside.x, y=box["y"] + inside.y)
