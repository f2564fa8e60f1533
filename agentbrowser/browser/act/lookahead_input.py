"""The input of a step that was foreseen, sent before anything else is done for the step.

It lands while we are about all the rest, instead of thereafter. Nothing comes between the two: what the step itself
would find is what was foreseen.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

from agentbrowser.browser.act import fast_input, fast_pointer, injected_actions
from agentbrowser.browser.act.action_effects import Watch
from agentbrowser.browser.act.attempt import Actor, Sent
from agentbrowser.browser.act.lookahead import Foresight
from agentbrowser.protocol.types.lookahead import Coming


class Hastening(Actor):
    """What can be done of a step of a sequence as soon as it begins."""

    async def hasten(self, coming: Coming) -> None:
        """Send the input of the step that begins now, if the one before it has found all to be ready. [asyncio]

        Cancel: the input may have landed.
        """
        known = self._foresight
        if known is None or known.coming is not coming or not known.is_fresh or self._ear is None:
            return
        seen = Watch(self._ear, self.tab.frame)  # raises if the frame is gone, so there must be no input yet
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
