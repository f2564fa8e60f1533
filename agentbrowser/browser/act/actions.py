"""The thirteen actions on one tab."""

import asyncio
from collections.abc import Coroutine
from typing import Any

from agentbrowser.browser.act import fast_input, fast_pointer, injected_actions
from agentbrowser.browser.act.action_effects import ActionEffects
from agentbrowser.browser.act.attempt import ActionRunner, Sent
from agentbrowser.browser.act.form_controls import FormControls
from agentbrowser.browser.act.keyboard import Keyboard
from agentbrowser.browser.act.lookahead import Foresight
from agentbrowser.browser.act.pointer import Pointer
from agentbrowser.protocol.types.lookahead import Coming


class Hastening(ActionRunner):
    """What can be done of a step of a sequence as soon as it begins."""

    async def hasten(self, coming: Coming) -> None:
        """Send the input of the step that begins now, if the one before it has found all to be ready. [asyncio]

        Cancel: the input may have landed.
        """
        known = self._foresight
        if known is None or known.coming is not coming or not known.is_fresh or self._ear is None:
            return
        seen = ActionEffects(self._ear, self.tab.frame)  # raises if the frame is gone, so there must be no input yet
        if self.tab.dialog is not None or (work := self._input(known)) is None:
            return
        self._sent = Sent(coming, injected_actions.start(work), seen.begin())
        try:
            await asyncio.sleep(0)  # for its message to go
        except asyncio.CancelledError:
            self.relent()
            self._foresight = None
            injected_actions.start(injected_actions.release(self.tab, known.frame))
            raise

    def relent(self) -> None:
        """Let an input be that no step has taken up. [asyncio]"""
        if self._sent is not None:
            self._sent.give_up()
            self._sent = None

    def _input(self, known: Foresight) -> Coroutine[Any, Any, None] | None:
        send = fast_pointer.sent_for if known.coming.value is None else fast_input.sent_for
        return send(self.tab, known)


class Actions(Pointer, Keyboard, FormControls, Hastening):
    """All that can be done to the elements of a tab: ``Acts(tab).click(selector, options)``."""
