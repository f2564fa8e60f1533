"""Keyboard actions: fill, clear, type, press."""

from typing import Any, Final

from agentbrowser.browser.act import fast_input, slider
from agentbrowser.browser.act.attempt import ActionAttempt, ActionRunner
from agentbrowser.browser.act.fast_input import ReadBack
from agentbrowser.browser.page import secrets
from agentbrowser.browser.page.approved_element import check_approved
from agentbrowser.browser.page.navigation_policy import check_judged
from agentbrowser.policy.secrets import names_in
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, TypeOptions
from agentbrowser.protocol.types.selector import Selector

# Characters at which a field may consume the typed text: it submits a form, or makes a chip or a tag.
_COMMIT_CHARACTERS: Final = frozenset("\n\t,;")
_MAX_SHOWN: Final = 200


class Keyboard(ActionRunner):
    """Actions of the keyboard."""

    async def fill(self, selector: Selector, value: str, options: ActionOptions) -> ActionResult:
        """Replace the field's content. [asyncio]"""
        return await self._fill("fill", selector, value, options)

    async def clear(self, selector: Selector, options: ActionOptions) -> ActionResult:
        """Empty the field. [asyncio]"""
        return await self._fill("clear", selector, "", options)

    async def _fill(self, action: str, selector: Selector, value: str, options: ActionOptions) -> ActionResult:
        async with self.attempt(action, selector, options) as act:
            if names_in(value):
                await secrets.fill(act, value)
            else:
                await _replace(act, value, reads=True)
            return await act.result()

    async def type(self, selector: Selector, text: str, options: TypeOptions) -> ActionResult:
        """Type the text, character by character, after the element's content. [asyncio]"""
        async with self.attempt("type", selector, options) as act:
            if names_in(text):
                await secrets.type_(act, text, options)
                return await act.result()
            if options.clear:
                await _replace(act, "", reads=False)
            is_kept = not _COMMIT_CHARACTERS & set(text)
            content = None if options.trial else await fast_input.type_(act, text, options.delay_ms, compare=is_kept)
            if content is not None:
                _accept(act, content)
            else:
                await _type_slowly(act, text, options, written=text if is_kept else None)
            return await act.result()

    async def press(self, key: str, selector: Selector | None, options: ActionOptions) -> ActionResult:
        """Press the key in the element, or in the focused one. [asyncio]"""
        async with self.attempt("press", selector, options) as act:
            if selector is None or options.trial or not await fast_input.press(act, key):
                await _press_slowly(act, key)
            return await act.result()


async def _replace(act: ActionAttempt, value: str, *, reads: bool) -> None:
    """Replace the field's content with the value."""
    content = None if act.options.trial else await fast_input.fill(act, value)
    if content is not None:
        _accept(act, content)
        return
    await act.find()
    if value and (moved := await slider.move(act, value)) is not None:
        act.value = moved
        return
    await act.wait_until_ready("text")
    if takes := await act.perform(act.subject.misfit(value)):
        raise act.failed(f"{takes.field} takes {takes.format}", format=takes.format)
    if not act.options.trial and not await slider.step_to(act, value):
        how: dict[str, Any] = {"force": act.options.force, "timeout": act.deadline.left_ms}
        await act.perform_on_element(lambda field: field.fill(value, **how))
        await act.settle()
    if not act.options.trial and reads:
        await _read_back(act, value, whole=True)


async def _type_slowly(act: ActionAttempt, text: str, options: TypeOptions, *, written: str | None) -> None:
    await act.find()
    await act.wait_until_ready("text" if options.clear else None)
    if not options.trial:
        await _focus(act)
        await act.perform(act.tab.page.keyboard.type(text, delay=options.delay_ms))
        await act.settle()
        await _read_back(act, written, whole=False)


async def _press_slowly(act: ActionAttempt, key: str) -> None:
    if act.selector is not None:
        await act.find()
        await act.wait_until_ready()
    if not act.options.trial:
        if act.selector is not None:
            await _focus(act)
            await act.perform(check_approved(act.tab, act.element, act.deadline))
        else:  # any frame may have the focus
            for frame in act.tab.page.frames:
                check_judged(frame)
            worlds = act.tab.isolated_worlds
            listening = (worlds.of(frame).call("listenAgain") for frame in act.tab.page.frames)
            await worlds.notices.clipboard.listen(listening, key)
        await fast_input.press_key(act, key, act.tab.frame if act.selector is None else act.element.frame)
        await act.settle()


async def _focus(act: ActionAttempt) -> None:
    """Focus the element; raise if it does not accept the focus."""
    accepted = await act.perform(act.subject.focus())
    if accepted is False:
        raise act.failed("the element does not take the keyboard focus", hint="Choose a field, or a focusable element.")
    fast_input.check_uninterrupted(act)
    check_judged(act.element.frame)
    if accepted == "editor":
        await act.perform(act.tab.page.keyboard.press("ControlOrMeta+End"))


async def _read_back(act: ActionAttempt, written: str | None, *, whole: bool) -> None:
    """Read the field's content back."""
    content = await act.read_back(lambda field: field.content(written, whole=whole))
    _accept(act, content or "nothing")


def _accept(act: ActionAttempt, content: ReadBack) -> None:
    """Set the result to the field's content; raise if the text did not land."""
    if content == "nothing":
        return
    if not content.landed:
        holds = "" if content.secret else f"; the field holds {str(content.value)[:_MAX_SHOWN]!r}"
        reason, hint = f"the value did not land{holds}", "Check the format that the field takes, or use type."
        if content.takes is None:
            raise act.failed(reason, hint=hint)
        reason = f"{reason}; {content.takes.field} takes {content.takes.format}"
        raise act.failed(reason, hint=hint, format=content.takes.format)
    act.value, act.normalized = content.value, content.normalized
