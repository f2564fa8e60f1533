"""Pauses of the agent, in which the live view follows the changes of a page."""

import asyncio

from agentbrowser.browser.live.agent_pauses import AgentPauses, happens
from agentbrowser.browser.live.hold import PageHold

LONG_S = 1000.0


async def act(hold: PageHold) -> None:
    """Run an action of the agent, in a task of its own."""
    with hold.interrupts():
        await asyncio.sleep(0)


def test_actions_in_a_row_are_one_stretch_of_work() -> None:
    async def run() -> None:
        hold, ends = PageHold(), list[None]()
        pauses = AgentPauses(hold, rest_s=LONG_S, slow_s=LONG_S)
        pauses.on_work = lambda: ends.append(None)
        pauses.start()
        assert pauses.pause.is_set()
        assert not pauses.work.is_set()
        for _ in range(3):
            await asyncio.create_task(act(hold))
        assert len(ends) == 1
        assert pauses.work.is_set()
        assert not pauses.pause.is_set()
        pauses.stop()

    asyncio.run(run())


def test_a_pause_begins_after_the_last_action_and_ends_with_the_next() -> None:
    async def run() -> None:
        hold, ends = PageHold(), list[None]()
        pauses = AgentPauses(hold, rest_s=0, slow_s=LONG_S)
        pauses.on_work = lambda: ends.append(None)
        pauses.start()
        for number in (1, 2):
            await asyncio.create_task(act(hold))
            await pauses.pause.wait()
            assert not pauses.work.is_set()
            assert len(ends) == number
        pauses.stop()

    asyncio.run(run())


def test_a_slow_action_counts_as_a_pause() -> None:
    async def run() -> None:
        hold = PageHold()
        pauses = AgentPauses(hold, rest_s=LONG_S, slow_s=0)
        pauses.start()
        with hold.interrupts():
            assert not pauses.pause.is_set()
            await pauses.pause.wait()
            assert hold.is_acted_on
        pauses.stop()

    asyncio.run(run())


def test_nothing_is_followed_after_the_end() -> None:
    async def run() -> None:
        hold = PageHold()
        pauses = AgentPauses(hold)
        pauses.start()
        pauses.stop()
        await asyncio.create_task(act(hold))
        assert pauses.pause.is_set()
        assert not hold.listeners

    asyncio.run(run())


def test_an_event_that_does_not_happen_is_reported_at_the_time_limit() -> None:
    async def run() -> None:
        event = asyncio.Event()
        assert not await happens(event, 0)
        event.set()
        assert await happens(event, None)

    asyncio.run(run())
