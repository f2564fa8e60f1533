"""Wait for one condition of a page: words, URL, state of an element, rest, or time."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import Frame

from agentbrowser.browser import faults
from agentbrowser.browser.act import conditions
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.page.frame_tree import FRAME_UNAVAILABLE
from agentbrowser.browser.semantic.query_guard import is_refusal
from agentbrowser.browser.settle.settler import PageSettler
from agentbrowser.policy.redaction import redact_address
from agentbrowser.protocol.errors import ElementNotFound, Timeout
from agentbrowser.protocol.types.observe import WaitState
from agentbrowser.protocol.types.selector import Selector, describe

if TYPE_CHECKING:
    from agentbrowser.methods.page import WaitForParams

_SLICE_S: Final = 0.5
"""Time of one wait in the frames; frames that are new then take part in the next."""
_ANSWER_S: Final = 0.5
_PAUSES_S: Final = (0.02, 0.03, 0.05, 0.08, 0.12, 0.2)
"""Pauses between checks that no event of the page can replace; the last one repeats."""


@attrs.define(eq=False)
class ConditionWait:
    """Wait for the condition of a request on one page."""

    tab: ActSurface
    settler: PageSettler
    seen: Any = attrs.field(default=None, init=False)
    """Observed value at the last check, for the error."""

    async def wait(self, params: "WaitForParams") -> int:
        """Wait until the condition is met; return the elapsed time in ms. [asyncio]

        Raises:
          Timeout: it was not met in time; the error names the condition and what was there instead.
          ElementNotFound: the ref of the condition was never observed.
        """
        start_s = time.monotonic()
        end_s = start_s + params.timeout_ms / 1000
        if params.duration_ms is not None:
            await asyncio.sleep(params.duration_ms / 1000)
            is_met = True
        elif params.idle:
            awaited = await self.settler.rest(params.timeout_ms)
            self.seen = awaited
            is_met = not awaited
        else:
            is_met = await self._until(params, end_s)
        if not is_met:
            raise self._timeout(params)
        return round((time.monotonic() - start_s) * 1000)

    async def _until(self, params: "WaitForParams", end_s: float) -> bool:
        for pause_s in _pauses():
            left_s = end_s - time.monotonic()
            try:
                async with asyncio.timeout(max(left_s, 0) + _ANSWER_S):
                    if await self._is_met(params, max(0.0, min(left_s, _SLICE_S))):
                        return True
            except FRAME_UNAVAILABLE as error:  # the page is busy, or goes on to another document
                if is_refusal(error) or (isinstance(error, ElementNotFound) and error.is_unknown_ref):
                    raise
                if self.tab.page.is_closed():
                    raise faults.translate(error) if isinstance(error, faults.VENDOR_ERRORS) else error from None
                self.seen = "the page does not answer"
            if (left_s := end_s - time.monotonic()) <= 0:
                return False
            await asyncio.sleep(min(pause_s, left_s))
        return False

    async def _is_met(self, params: "WaitForParams", slice_s: float) -> bool:
        if self.tab.dialog is not None and params.url is None:
            self.seen = f"a {self.tab.dialog.type} dialog"
            return False
        if params.url is not None:
            self.seen = redact_address(self.tab.page.url)
            return self.tab.secrets.fits_url(params.url, self.tab.page.url)
        if params.selector is not None:
            return await self._has_state(params.selector, params.state or "visible")
        self.seen = redact_address(self.tab.page.url)
        if params.text is not None:
            return await self._any_frame_shows(params.text, slice_s)
        gone = params.text_gone or ""
        await self._gone_by_frame(gone, slice_s)
        return all(await self._gone_by_frame(gone, 0))  # in all frames at the same time

    async def _has_state(self, selector: Selector, state: WaitState) -> bool:
        wanted: conditions.ConditionState
        wanted = "exists" if state in ("attached", "detached") else state  # type: ignore[assignment]
        actual = await conditions.mismatch(self.tab, selector, wanted)
        self.seen = actual or ("attached" if wanted == "exists" else state)
        if state not in ("attached", "detached"):
            return actual is None
        return bool(self.seen == ("absent" if state == "detached" else "attached"))

    async def _any_frame_shows(self, text: str, timeout_s: float) -> bool:
        """Return True as soon as one frame shows the words."""
        asking = [
            asyncio.ensure_future(self._ask(frame, text, False, timeout_s)) for frame in conditions.frames_of(self.tab)
        ]
        try:
            for answer in asyncio.as_completed(asking):
                if await answer:
                    return True
        finally:
            for task in asking:
                task.cancel()
            await asyncio.gather(*asking, return_exceptions=True)
        return False

    async def _gone_by_frame(self, text: str, timeout_s: float) -> list[bool]:
        return await asyncio.gather(
            *(self._ask(frame, text, True, timeout_s) for frame in conditions.frames_of(self.tab))
        )

    async def _ask(self, frame: Frame, text: str, is_gone: bool, timeout_s: float) -> bool:
        try:
            return await conditions.words_shown_in(self.tab, frame, text, is_gone=is_gone, timeout_s=timeout_s)
        except FRAME_UNAVAILABLE:
            if frame.parent_frame is None:
                raise
            return is_gone and frame.is_detached()

    def _timeout(self, params: "WaitForParams") -> Timeout:
        name, value = params.condition
        shown = describe(value) if name == "selector" else value
        state: dict[str, str] = {"state": params.state or "visible"} if name == "selector" else {}
        return Timeout(
            f"{_described(name, state)} was not met within {params.timeout_ms} ms.",
            method="page/waitFor",
            timeout=params.timeout_ms,
            condition={name: shown, **state},
            seen=self.seen,
        )


def _described(name: str, state: Mapping[str, str]) -> str:
    return f"The condition {name}{' with state ' + state['state'] if state else ''}"


def _pauses() -> Iterator[float]:
    yield from _PAUSES_S
    while True:
        yield _PAUSES_S[-1]
