"""Actions on controls with a choice: check, uncheck, select, upload."""

import asyncio
import base64
import binascii
import mimetypes
import re
from collections.abc import Sequence
from typing import Any, Final

from playwright.async_api import ElementHandle, FileChooser, FilePayload, Locator

from agentbrowser.browser.act import element_probe, fast_input, fast_pointer, pointer
from agentbrowser.browser.act.attempt import ActionAttempt, ActionRunner
from agentbrowser.browser.background_tasks import in_thread
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.page.navigation_policy import check_judged
from agentbrowser.browser.semantic import resolve
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.action import ActionOptions, ActionResult, FileUpload
from agentbrowser.protocol.types.selector import Ref, Selector, Semantic

_CHOOSER_TIMEOUT_S: Final = 5.0
"""For a page that asks its server before it opens the file chooser: the time that the browser allows after a click."""
_OPAQUE: Final = "null"
"""Origin of documents that have none, such as sandboxed ones: it is that of no other."""


class FormControls(ActionRunner):
    """Actions on form controls."""

    async def check(self, selector: Selector, options: ActionOptions) -> ActionResult:
        """Check the control. [asyncio]"""
        return await self._set("check", selector, options, checked=True)

    async def uncheck(self, selector: Selector, options: ActionOptions) -> ActionResult:
        """Uncheck the control. [asyncio]"""
        return await self._set("uncheck", selector, options, checked=False)

    async def _set(self, action: str, selector: Selector, options: ActionOptions, *, checked: bool) -> ActionResult:
        async with self.attempt(action, selector, options) as act:
            if not await fast_pointer.check(act, checked=checked):
                await _set_slowly(act, checked=checked)
            return await act.result()

    async def select(self, selector: Selector, values: list[str], options: ActionOptions) -> ActionResult:
        """Select the options, each by its value or else its label, and no others. [asyncio]

        Of a field with a ``<datalist>``, the option is what that suggests.
        """
        async with self.attempt("select", selector, options) as act:
            selected = None if options.trial else await fast_input.choose(act, values)
            if selected is None:
                await _choose_slowly(act, values)
            elif selected != "nothing":
                _accept(act, selected)
            return await act.result()

    async def upload(self, selector: Selector, files: list[FileUpload], options: ActionOptions) -> ActionResult:
        """Set the files of the input, or of the one whose file chooser a click on the element opens. [asyncio]"""
        payloads = [_payload(index, file) for index, file in enumerate(files)]
        async with self.attempt("upload", await self._file_input(selector), options) as act:
            await act.find()
            kind = (await act.state()).kind
            if kind != "file" and not (kind == "other" and await _is_pressed(act)):
                await act.state("file")  # a click on another field, or on a text, opens no chooser
            if kind == "other":
                await _upload_by_chooser(act, payloads)
            else:
                await act.wait_until_enabled()  # Playwright gives files to a disabled field
                if not options.trial:
                    timeout_ms = act.deadline.left_ms
                    await act.perform_on_element(lambda field: field.set_input_files(payloads, timeout=timeout_ms))
                    await act.settle()
            return await act.result()

    async def _file_input(self, selector: Selector) -> Selector:
        """Return the selector of the file input that a description is about; if there is none, the selector. [asyncio]

        A button beside the input often has the same words, and opens the same chooser.

        Raises:
          SelectorAmbiguous: several file inputs fit about as well, or the words are the name of something else.
        """
        if not isinstance(selector, Semantic):
            return selector
        elements = await self.tab.interactive()
        inputs = [one for one in elements if one.kind == "file"]
        best = await in_thread(resolve.best_element, selector.description, inputs, selector) if inputs else None
        if best is None:
            return selector
        if namesakes := resolve.namesakes(selector.description, best, elements):
            raise resolve.ambiguity_error([best, *namesakes], selector)
        return best.selector


async def _is_pressed(act: ActionAttempt) -> bool:
    """Return True if an element looks like one to press; those that looks have listed do."""
    if isinstance(act.selector, Ref | Semantic):
        return True
    return bool(await act.perform(act.subject.is_pressed()))


async def _upload_by_chooser(act: ActionAttempt, payloads: Sequence[FilePayload]) -> None:
    """Click the element, and give the files to the file chooser that opens.

    Raises:
      ActionFailed: the click has opened none.
    """
    press = fast_pointer.MouseClick()
    if act.options.trial:
        await pointer.click_slowly(act, press)
        return
    opened: asyncio.Queue[FileChooser] = asyncio.Queue()
    listener = safe_listener(opened.put_nowait)
    act.tab.page.on("filechooser", listener)
    try:
        if not await fast_pointer.click(act, press):
            await pointer.click_slowly(act, press)
        chooser = await act.perform(_chooser_of(act, opened))
        if chooser is None:
            raise TimeoutError("a dialog is open")
    except TimeoutError:
        reason = "the element was clicked, but opened no file chooser"
        hint = "Observe the page: choose the file input, or the element that opens its file chooser."
        raise act.failed(reason, hint=hint) from None
    finally:
        act.tab.page.remove_listener("filechooser", listener)
    timeout_ms = act.deadline.left_ms
    await act.perform(chooser.set_files(payloads, timeout=timeout_ms))
    act.effects.file_chooser = act.no_effect = None
    await act.settle()


async def _chooser_of(act: ActionAttempt, opened: asyncio.Queue[FileChooser]) -> FileChooser:
    """Wait for a file chooser of the element's own frame, or of one of its origin: any frame may open one meanwhile."""
    own, worlds, origin = act.element.frame, act.tab.isolated_worlds, None
    async with asyncio.timeout(_CHOOSER_TIMEOUT_S):
        while True:
            chooser = await opened.get()
            frame = await chooser.element.owner_frame()
            if frame is not own:
                origin = origin or await worlds.of(own).origin()
                if frame is None or origin == _OPAQUE or await worlds.of(frame).origin() != origin:
                    continue
                check_judged(frame)
            return chooser


async def _set_slowly(act: ActionAttempt, *, checked: bool) -> None:
    options = act.options
    await act.find()
    state = await act.state("check")
    before = await act.subject.content()
    how: dict[str, Any] = {"force": options.force, "trial": options.trial, "timeout": act.deadline.left_ms}

    async def set_checked(control: Any) -> None:
        target = await _press_target(control, state)
        if "-" not in state.tag and state.tag != "button":
            await target.set_checked(checked, **how)
        elif before.value is not checked:  # Playwright knows the attributes `role` and `aria-checked` only
            await target.click(**how)

    await act.perform_on_element(set_checked)
    await act.settle()
    after = await act.read_back(lambda control: control.content()) if not options.trial else None
    if after is not None:
        act.value = after.value
        act.no_effect = before.value is checked
        if after.value is not checked:
            raise act.failed(f"the control is still {'unchecked' if checked else 'checked'}")


async def _choose_slowly(act: ActionAttempt, values: list[str]) -> None:
    await act.find()
    if (await act.state()).suggests:
        await _choose_suggestion(act, values)
        return
    await act.wait_until_ready("select")
    choice = await _wait_for_options(act, values)
    act.no_effect = choice.chosen == sorted(set(choice.indexes))
    if act.options.trial:
        return
    if not act.no_effect:
        how: dict[str, Any] = {"force": act.options.force, "timeout": act.deadline.left_ms}
        await act.perform_on_element(lambda select: select.select_option(index=choice.indexes, **how))
        await act.settle()
    selected = await act.read_back(lambda select: select.options(values))
    if selected is not None:
        _accept(act, selected)


async def _choose_suggestion(act: ActionAttempt, values: list[str]) -> None:
    """Fill a field with one of its suggestions, as a click in the browser's own list does."""
    await act.wait_until_ready("text")
    if len(values) != 1:
        raise act.failed("the field takes one of its suggestions")
    (text,) = (await _wait_for_options(act, values)).found
    if act.options.trial:
        return
    timeout_ms = act.deadline.left_ms
    await act.perform_on_element(lambda field: field.fill(text, timeout=timeout_ms))
    await act.perform_on_element(lambda field: field.dispatch_event("change"))
    await act.settle()
    if (content := await act.read_back(lambda field: field.content())) is not None:
        act.value = content.value
        if content.value not in (None, text):
            raise act.failed(f"the choice did not land; the field holds {content.value!r}")


async def _press_target(control: Locator | ElementHandle, state: element_probe.ControlState) -> Locator | ElementHandle:
    """Return the element to press: the visible label of a control that is hidden behind it."""
    if state.visible or state.label < 0:
        return control
    label = (await control.evaluate_handle("(control, index) => control.labels[index]", state.label)).as_element()
    return label or control


async def _wait_for_options(act: ActionAttempt, values: list[str]) -> element_probe.SelectedOptions:
    """Return the requested options, once they exist and are enabled."""
    while True:
        choice = await act.subject.options(values)
        if len(values) > 1 and not choice.multiple:
            raise act.failed("the <select> takes one option only")
        if not choice.missing and not choice.disabled:
            return choice
        if not await act.deadline.pause():
            raise act.failed(_unavailable(choice), hint="Choose one of the options that exist.")


def _unavailable(choice: element_probe.SelectedOptions) -> str:
    if not choice.missing:
        return f"the option {choice.disabled[0]!r} is disabled"
    known = ", ".join(repr(label) for label in choice.known)
    more = f" and {choice.count - len(choice.known)} more" if choice.count > len(choice.known) else ""
    return f"there is no option {choice.missing[0]!r}; there are: {known or 'none'}{more}"


def _accept(act: ActionAttempt, selected: element_probe.SelectedOptions) -> None:
    """Set the result to the selected options."""
    if selected.chosen != sorted(set(selected.indexes)):
        raise act.failed(f"the choice did not land; the <select> holds {selected.values!r}")
    act.value = selected.values if selected.multiple else "".join(selected.values)


def _payload(index: int, file: FileUpload) -> FilePayload:
    name = re.split(r"[/\\]", file.name or "")[-1]
    if name in ("", ".", ".."):
        raise InvalidParams.at(f"files[{index}].name", "the name of a file", (file.name or "nothing")[:60])
    try:
        buffer = base64.b64decode(file.buffer or "", validate=True)
    except (binascii.Error, ValueError):
        raise InvalidParams.at(f"files[{index}].buffer", "base64", "something else") from None
    kind = file.mime_type or mimetypes.guess_type(f"/{name}")[0] or "application/octet-stream"
    return {"name": name, "mimeType": kind, "buffer": buffer}
