"""The actions of the keyboard: fill, clear, type, press."""

from typing import Final

from agentbrowser.browser import probe
from agentbrowser.browser.attempt import Actor, Attempt
from agentbrowser.types.action import ActionOptions, ActionResult, TypeOptions
from agentbrowser.types.selector import Selector

# Characters at which a field may take what was typed so far for itself: a form is sent, a chip or a tag is made.
_TAKING: Final = frozenset("\n\t,;")
_SHOWN: Final = 200


class Writing(Actor):
    """What can be done with a keyboard."""

    async def fill(self, selector: Selector, value: str, options: ActionOptions) -> ActionResult:
        """Replace what the field holds. [asyncio]"""
        return await self._fill("fill", selector, value, options)

    async def clear(self, selector: Selector, options: ActionOptions) -> ActionResult:
        """Empty the field. [asyncio]"""
        return await self._fill("clear", selector, "", options)

    async def _fill(self, action: str, selector: Selector, value: str, options: ActionOptions) -> ActionResult:
        async with self.attempt(action, selector, options) as act:
            found = await act.find()
            await act.ready("text")
            if not options.trial:
                await act.perform(found.locator.fill(value, force=options.force, timeout=act.patience.left_ms))
                await act.settle()
                await _read_back(act, value, whole=True)
            return await act.result()

    async def type(self, selector: Selector, text: str, options: TypeOptions) -> ActionResult:
        """Type the text, character by character, behind what the element holds. [asyncio]"""
        async with self.attempt("type", selector, options) as act:
            found = await act.find()
            await act.ready("text" if options.clear else None)
            if not options.trial:
                if options.clear:
                    await act.perform(found.locator.fill("", force=options.force, timeout=act.patience.left_ms))
                await _focus(act)
                await act.perform(self.tab.page.keyboard.type(text, delay=options.delay_ms))
                await act.settle()
                await _read_back(act, None if _TAKING & set(text) else text, whole=False)
            return await act.result()

    async def press(self, key: str, selector: Selector | None, options: ActionOptions) -> ActionResult:
        """Press the key in the element, or in the one that has the focus. [asyncio]"""
        async with self.attempt("press", selector, options) as act:
            if selector is not None:
                await act.find()
                await act.ready()
            if not options.trial:
                if selector is not None:
                    await _focus(act)
                await act.perform(self.tab.page.keyboard.press(key))
                await act.settle()
            return await act.result()


async def _focus(act: Attempt) -> None:
    """Make sure that the keyboard goes to the element, and not to whatever had the focus before."""
    if await act.perform(probe.focus(act.element.locator)) is False:
        raise act.failed("the element does not take the keyboard focus", hint="Choose a field, or a focusable element.")


async def _read_back(act: Attempt, written: str | None, *, whole: bool) -> None:
    """Ask the field what it holds, and fail if that is not what was written."""
    content = await act.read(lambda field: probe.content(field, written, whole=whole))
    if content is None:
        return
    if not content.landed:
        holds = "" if content.secret else f"; the field holds {str(content.value)[:_SHOWN]!r}"
        raise act.failed(f"the value did not land{holds}", hint="Check the format that the field takes, or use type.")
    act.value = content.value
