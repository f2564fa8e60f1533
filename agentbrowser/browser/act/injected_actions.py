"""Actions by the in-page scripts: find the element, act and verify, in as few calls as possible.

Anything unusual is left to Playwright, which waits and explains its errors.
"""

import asyncio
import time
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Final, TypeVar

import attrs
from playwright.async_api import Frame

from agentbrowser.browser.act.locate import ElementSearch, LocatedElement
from agentbrowser.browser.act.lookahead import GONE, TIMEOUT_S, frame_of, target_of
from agentbrowser.browser.semantic import resolve
from agentbrowser.protocol.errors import AgentBrowserError, TargetClosed
from agentbrowser.protocol.types.selector import Selector, Semantic, describe

if TYPE_CHECKING:
    from agentbrowser.browser.act.attempt import ActionAttempt
    from agentbrowser.browser.act.surface import ActSurface

# Report of a document that does not answer.
DOCUMENT_GONE: Final[dict[str, Any]] = {
    "landing": "gone",
    "changed": True,
    "under": None,
    "isDeaf": True,
    "isLeft": True,
    "navigations": [],
}

_LAST_INPUT_S: Final = 2.0
"""The longest wait for an input that was given up; a guard stops nothing after 3 s."""

T = TypeVar("T")
Plain = dict[str, Any]


@attrs.frozen(kw_only=True)
class PreparedElement:
    """Element that the scripts have found and guarded."""

    frame: Frame
    selector: Plain
    state: str
    answer: Plain
    made_s: float
    verification: asyncio.Future[Plain] | None = None
    """The verification that was sent right behind."""


async def prepare_element(
    act: "ActionAttempt", function: str, wanted: Plain, behind: str | None = None
) -> PreparedElement | None:
    """Call an in-page function that prepares the element; None if the scripts cannot handle it. [asyncio]

    Args:
      behind: the in-page function that verifies it, called right behind with the same arguments.
    """
    if act.options.force or act.selector is None or not act.tab.is_chromium:
        return None
    try:
        if (known := _from_lookahead(act, act.selector, function, wanted)) is not None:
            return known
        async with asyncio.timeout(TIMEOUT_S):
            return await act.perform(_prepare(act, act.selector, function, wanted, behind))
    except TargetClosed:
        raise
    except (AgentBrowserError, TimeoutError):
        return None


def _from_lookahead(act: "ActionAttempt", selector: Selector, function: str, wanted: Plain) -> PreparedElement | None:
    """Return the element that the previous step has prepared for this call; None if there is none."""
    known = act.prepared
    if known is None or (answer := known.answers(frame_of(act.tab, selector), function, wanted)) is None:
        return None
    act.healed = known.healed
    act.tab.note_target(selector, answer)
    act.use_frame(known.frame)
    shown = describe(selector)
    return PreparedElement(frame=known.frame, selector=shown, state=answer["state"], answer=answer, made_s=known.made_s)


async def _prepare(
    act: "ActionAttempt", selector: Selector, function: str, wanted: Plain, behind: str | None
) -> PreparedElement | None:
    if isinstance(selector, Semantic):
        best = await ElementSearch(act.tab, selector, act.action).best_match(selector)
        if best is None or isinstance(best, LocatedElement) or not resolve.has_words(selector.description, best):
            return None  # one that fits in its sense only is meant once the page rests
        prepared = await _prepare(act, best.selector, function, wanted, behind)
        act.meant = best
        return prepared
    frame, shown = frame_of(act.tab, selector), describe(selector)
    made_s, verification = time.monotonic(), None
    if behind is not None:  # a task of its own: it starts when this one awaits its answer
        verification = start_verification(act, frame, behind, {"selector": shown, **wanted, "isBehind": True})
    try:
        answer = await act.tab.isolated_worlds.of(frame).call(function, wanted | target_of(act.tab, selector))
    except BaseException:
        if verification is not None:
            verification.cancel()
        raise
    act.healed = bool(answer.get("healed")) or (act.prepared is not None and act.prepared.healed)
    act.tab.note_target(selector, answer)
    if answer["state"] not in ("unsure", "unready"):
        act.use_frame(frame)
    return PreparedElement(
        frame=frame, selector=shown, state=answer["state"], answer=answer, made_s=made_s, verification=verification
    )


async def disarm(tab: "ActSurface", frame: Frame, notice: str | None) -> None:
    """Disarm the guard of an input in the frame. [asyncio]"""
    await tab.isolated_worlds.of(frame).call("disarm", notice)


async def give_up(act: "ActionAttempt", frame: Frame, notice: str | None, sending: asyncio.Future[None]) -> None:
    """Have the guard stop the rest of an input, until the browser has sent all of it. [asyncio]"""
    await act.tab.isolated_worlds.of(frame).call("giveUp", notice)
    await asyncio.wait({sending}, timeout=_LAST_INPUT_S)
    await disarm(act.tab, frame, notice)


async def verify(act: "ActionAttempt", frame: Frame, function: str, asked: Plain | None = None) -> Plain:
    """Return the report of an action, as far as its document still answers; prepare the next step. [asyncio]"""
    return await await_answer(act, start_verification(act, frame, function, asked))


async def verify_behind(
    act: "ActionAttempt", frame: Frame, sending: asyncio.Future[None], function: str, asked: Plain | None
) -> Plain | None:
    """Send the verification right behind an input, whose task was just started; None for a dialog. [asyncio]

    That saves two turns of the browser, since an input that the page has confirmed needs no wait. A verification that
    overtakes its input waits for it in the page; if the input does not come soon, it is repeated.
    """
    # This task starts once the input's message is sent.
    verification = start_verification(act, frame, function, {**(asked or {}), "isBehind": True})
    try:
        await act.perform(_sent_or_confirmed(sending, verification))
        return None if act.tab.dialog is not None else await await_or_repeat(act, frame, verification, function, asked)
    finally:
        verification.cancel()


async def _sent_or_confirmed(sending: asyncio.Future[None], verification: asyncio.Future[Plain]) -> None:
    """Wait until the input is sent or the page confirms it. [asyncio]"""
    await asyncio.wait((sending, verification), return_when=asyncio.FIRST_COMPLETED)
    if sending.done() or verification.exception() is not None or verification.result()["landing"] != "landed":
        await sent(sending)


async def sent(sending: asyncio.Future[None]) -> None:
    """Wait until an input is sent. [asyncio]

    Cancel: the input goes on, since its message cannot be taken back.
    """
    await asyncio.shield(sending)


async def await_or_repeat(
    act: "ActionAttempt", frame: Frame, verification: asyncio.Future[Plain], function: str, asked: Plain | None
) -> Plain:
    """Return the report; repeat the verification if it has overtaken its input. [asyncio]"""
    report = await await_answer(act, verification)
    return await verify(act, frame, function, asked) if report["landing"] == "early" else report


def start_verification(act: "ActionAttempt", frame: Frame, function: str, asked: Plain | None) -> asyncio.Future[Plain]:
    """Start the verification of an action; `await_answer` returns its report."""
    return start_task(act.lookahead.verify(act, frame, function, asked or {}))


def start_task(work: Coroutine[Any, Any, T]) -> asyncio.Future[T]:
    """Start a task whose outcome may never be retrieved."""
    task = asyncio.ensure_future(work)
    task.add_done_callback(_mark_retrieved)
    return task


def _mark_retrieved(done: asyncio.Future[Any]) -> None:
    """Mark the outcome of a task as retrieved, since asyncio logs an exception that nobody reads."""
    if not done.cancelled():
        done.exception()


async def await_answer(act: "ActionAttempt", verification: asyncio.Future[Plain]) -> Plain:
    """Return the report of a verification. [asyncio]"""
    try:
        answer = await act.call_page(verification)
    except GONE:
        return DOCUMENT_GONE
    return answer or DOCUMENT_GONE


async def wait_for_navigations(act: "ActionAttempt", frame: Frame, report: Plain) -> None:
    """Wait for the navigations in the report. [asyncio]"""
    navigations = [navigation for navigation in report["navigations"] if not navigation["isPrevented"]]
    is_started = bool(navigations) or report["landing"] == "gone"
    is_download = any(navigation["isDownload"] for navigation in navigations)
    if report["landing"] != "gone" and (report["isDeaf"] or frame.parent_frame is not None):
        await act.settle()  # other frames, and documents without a history, report no navigations
    await act.wait_for_started(is_started=is_started, is_download=is_download)
