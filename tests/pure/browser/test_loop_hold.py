"""The longest hold of a loop."""

import asyncio

from agentbrowser.browser.loop_hold import LoopHold, TimedSelector


def test_the_longest_time_between_two_looks_for_input_counts() -> None:
    now_s = 0.0
    hold = LoopHold(clock=lambda: now_s)
    hold.end()  # before the first look, nothing is known
    for duration_s in (0.5, 2.0, 1.0):
        hold.begin()
        now_s += duration_s
        hold.end()
        now_s += 100  # a wait for input is no hold
    assert hold.longest_s == 2.0
    hold.reset()
    hold.end()
    assert hold.longest_s == 0.0


def test_a_callback_holds_the_loop_and_a_wait_does_not() -> None:
    now_s = 0.0
    hold = LoopHold(clock=lambda: now_s)

    def work(duration_s: float) -> None:
        nonlocal now_s
        now_s += duration_s

    async def scene() -> None:
        work(3.0)
        await asyncio.sleep(0)
        work(5.0)
        await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(TimedSelector(hold))) as runner:
        runner.run(scene())
    assert hold.longest_s == 5.0


def test_a_reset_in_another_thread_does_not_disturb_the_loop() -> None:
    def clock() -> float:
        if is_ending:
            hold.reset()
        return 1.0

    is_ending = False
    hold = LoopHold(clock=clock)
    hold.begin()
    is_ending = True
    hold.end()
