"""Measurement of the holds of Trio's loop."""

import contextlib
from collections.abc import Iterator

import attrs
import trio

from agentbrowser.browser.loop_hold import LoopHold


@attrs.frozen(eq=False)
class _HoldInstrument(trio.abc.Instrument):
    """Instrument that is called twice in each pass of the loop, whatever the number of its tasks."""

    hold: LoopHold

    def after_io_wait(self, timeout: float) -> None:
        self.hold.begin()

    def before_io_wait(self, timeout: float) -> None:
        self.hold.end()


@contextlib.contextmanager
def measured(hold: LoopHold) -> Iterator[None]:
    """Measure the holds of the present Trio loop in the block."""
    instrument = _HoldInstrument(hold)
    trio.lowlevel.add_instrument(instrument)
    try:
        yield
    finally:
        trio.lowlevel.remove_instrument(instrument)
        hold.end()
