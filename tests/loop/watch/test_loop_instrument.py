"""The holds of Trio's loop."""

import trio

from agentbrowser.browser.loop_hold import LoopHold
from agentbrowser.server.watch.loop_instrument import measured


async def test_a_task_holds_the_loop_until_its_next_checkpoint() -> None:
    now_s = 0.0
    hold = LoopHold(clock=lambda: now_s)
    with measured(hold):
        await trio.lowlevel.checkpoint()
        now_s += 2.0
        await trio.lowlevel.checkpoint()
        await trio.lowlevel.checkpoint()
        assert hold.longest_s == 2.0
    now_s += 9.0
    await trio.lowlevel.checkpoint()
    assert hold.longest_s == 2.0
