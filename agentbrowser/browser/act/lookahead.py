"""The coming step of a sequence, looked for in the very call that says what came of the step before it.

All that is done ahead of a step of the pointer is to look, and to arm the guard: a page can notice neither. What it
could notice, such as a scroll, is left to the step itself. Where one field is written after another, the focus goes on
to the next when the page has had its turn over the first, and that holds what was written.
"""

import math
import time
from typing import Any, Final

import attrs
from playwright.async_api import Frame

from agentbrowser.protocol.types.action import Point
from agentbrowser.protocol.types.lookahead import Coming

Plain = dict[str, Any]

# Much longer than there is between two steps that nothing comes between.
_FRESH_S: Final = 0.5


@attrs.frozen
class Foresight:
    """What was seen of a coming step in the frame, while the guard of that step may be armed there."""

    coming: Coming
    frame: Frame
    answer: Plain | None = None
    """What our scripts have said; None when they have not answered."""
    made_s: float = attrs.field(factory=time.monotonic)

    @property
    def is_fresh(self) -> bool:
        """Whether it can be acted on."""
        is_ready = self.answer is not None and self.answer["state"] == "ready"
        return is_ready and time.monotonic() - self.made_s < _FRESH_S

    def is_of(self, frame: Frame, function: str, wanted: Plain) -> bool:
        """Tell whether it is what that function of ours would answer now in the frame."""
        return self.is_fresh and self.frame is frame and plan_of(self.coming) == (function, wanted)

    @property
    def healed(self) -> bool:
        """Whether a ref was found again, which it needs not be a second time."""
        return self.answer is not None and bool(self.answer.get("healed"))

    def heard(self, answer: Plain | None) -> "Foresight | None":
        """Return it with what our scripts have said; None if there is nothing in it."""
        known = attrs.evolve(self, answer=answer)
        return known if known.is_fresh or known.healed else None

    def doubted(self) -> "Foresight":
        """Return it as something not to be acted on."""
        return attrs.evolve(self, made_s=-math.inf)


def plan(action: str, position: Point | None, *, is_sent: bool = True) -> Plain:
    """Return what our scripts are told to prepare for an action of the pointer."""
    return {
        "action": "hover" if action == "hover" else "click",
        "position": {"x": position.x, "y": position.y} if position else None,
        "checked": {"check": True, "uncheck": False}.get(action),
        "isSent": is_sent,
    }


def writing(value: str) -> Plain:
    """Return what our scripts are told to make ready for a value to be written."""
    return {"action": "fill", "value": value}


def plan_of(coming: Coming) -> tuple[str, Plain]:
    """Return the function of ours that a coming step begins with, and what it is told."""
    if coming.value is not None:
        return "startWriting", writing(coming.value)
    return "prepare", plan(coming.action, getattr(coming.options, "position", None))
