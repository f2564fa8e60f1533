"""The portal with a real thread and no browser: what crosses, what a cancellation waits for, what a death does."""

import asyncio
import contextvars
import gc
import math
import os
import threading
import traceback
from collections.abc import AsyncIterator

import pytest
import trio

from agentbrowser.browser.portal import Portal, PortalClosed, remaining_s

GRACE_S = 0.05
colour = contextvars.ContextVar("colour", default="none")


@pytest.fixture
async def portal() -> AsyncIterator[Portal]:
    with trio.fail_after(40):
        async with Portal.open() as portal:
            yield portal


@pytest.fixture
async def hasty() -> AsyncIterator[Portal]:
    """A portal that waits for nothing to unwind for long."""
    with trio.fail_after(40):
        async with Portal.open(grace_s=GRACE_S) as portal:
            yield portal


class Work:
    """Work in the browser thread that says when it has begun, and writes down what became of it."""

    def __init__(self) -> None:
        self.begun = trio.Event()
        self.story: list[str] = []
        self._token = trio.lowlevel.current_trio_token()

    async def wait(self) -> None:
        self._token.run_sync_soon(self.begun.set)
        await asyncio.sleep(60)

    async def unwind_slowly(self) -> None:
        try:
            await self.wait()
        finally:
            self.story.append("cancelled")
            await asyncio.sleep(0.02)
            self.story.append("unwound")

    async def finish_all_the_same(self) -> str:
        try:
            await self.wait()
        except asyncio.CancelledError:
            return "finished"
        return "slept"

    async def fail_while_unwinding(self) -> None:
        try:
            await self.wait()
        finally:
            raise LookupError("while unwinding")

    async def block(self, until: threading.Event) -> None:
        """Hold the whole thread up."""
        self._token.run_sync_soon(self.begun.set)
        until.wait(20)

    async def swallow(self) -> None:
        while "released" not in self.story:
            try:
                await self.wait()
            except asyncio.CancelledError:
                self.story.append("swallowed")

    async def release(self) -> None:
        self.story.append("released")


async def cancel_when_begun(work: Work, scope: trio.CancelScope) -> None:
    await work.begun.wait()
    scope.cancel()


async def lose(portal: Portal, work: Work) -> None:
    """Make a call that the end of the thread is to fail."""
    with pytest.raises(PortalClosed):
        await portal.run(work.unwind_slowly)


def portal_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "agentbrowser-portal"}


async def stop_loop_and_wait() -> None:
    asyncio.get_running_loop().stop()
    await asyncio.sleep(60)


async def answer(value: int) -> int:
    return value


async def test_a_call_runs_in_the_one_browser_thread_and_returns_its_result(portal: Portal) -> None:
    async def where() -> int:
        return threading.get_ident()

    assert await portal.run(answer, 7) == 7
    idents = {await portal.run(where) for _ in range(3)}
    assert len(idents) == 1
    assert threading.get_ident() not in idents


async def test_an_exception_keeps_its_identity_and_the_traceback_of_the_other_side(portal: Portal) -> None:
    error = KeyError("there")

    async def fail_there() -> None:
        raise error

    with pytest.raises(KeyError) as caught:
        await portal.run(fail_there)
    assert caught.value is error
    assert "fail_there" in [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]


async def test_a_system_exit_reaches_the_caller_and_spares_the_thread(portal: Portal) -> None:
    async def leave() -> None:
        raise SystemExit(3)

    with pytest.raises(SystemExit):
        await portal.run(leave)
    assert await portal.run(answer, 1) == 1


async def test_context_variables_cross_and_do_not_leak_back(portal: Portal) -> None:
    async def repaint() -> str:
        seen = colour.get()
        colour.set("blue")
        return seen

    colour.set("red")
    assert await portal.run(repaint) == "red"
    assert colour.get() == "red"


async def test_calls_begin_in_the_order_in_which_they_were_made(portal: Portal) -> None:
    made: list[int] = []
    begun: list[int] = []

    async def begin(number: int) -> None:
        begun.append(number)

    async def call(number: int) -> None:
        made.append(number)
        await portal.run(begin, number)

    async with trio.open_nursery() as nursery:
        for number in range(100):
            nursery.start_soon(call, number)
    assert begun == made
    assert sorted(made) == list(range(100))


async def test_cancellation_waits_until_the_work_has_unwound(portal: Portal) -> None:
    work = Work()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(cancel_when_begun, work, nursery.cancel_scope)
        await portal.run(work.unwind_slowly)
    assert nursery.cancel_scope.cancelled_caught
    assert work.story == ["cancelled", "unwound"]
    assert portal.abandoned == 0


async def test_a_result_beats_the_cancellation(portal: Portal) -> None:
    work = Work()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(cancel_when_begun, work, nursery.cancel_scope)
        result = await portal.run(work.finish_all_the_same)
    assert result == "finished"


async def test_an_exception_while_unwinding_beats_the_cancellation(portal: Portal) -> None:
    work = Work()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(cancel_when_begun, work, nursery.cancel_scope)
        with pytest.raises(LookupError, match="while unwinding"):
            await portal.run(work.fail_while_unwinding)


async def test_a_call_in_a_cancelled_scope_never_begins(portal: Portal) -> None:
    work = Work()
    with trio.CancelScope() as scope:
        scope.cancel()
        await portal.run(work.release)
    assert scope.cancelled_caught
    assert await portal.run(answer, 1) == 1
    assert work.story == []


async def test_work_that_swallows_its_cancellation_is_left_behind_and_counted(hasty: Portal) -> None:
    work = Work()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(cancel_when_begun, work, nursery.cancel_scope)
        await hasty.run(work.swallow)
    assert nursery.cancel_scope.cancelled_caught
    assert hasty.abandoned == 1
    await hasty.run(work.release)
    assert work.story == ["swallowed", "released"]


async def test_a_blocked_thread_holds_no_caller_beyond_the_grace(hasty: Portal) -> None:
    work, released = Work(), threading.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(cancel_when_begun, work, nursery.cancel_scope)
        await hasty.run(work.block, released)
    assert nursery.cancel_scope.cancelled_caught
    assert not released.is_set()
    assert hasty.abandoned == 1
    released.set()
    assert await hasty.run(answer, 2) == 2


async def test_a_cancellation_that_nobody_asked_for_is_an_error(portal: Portal) -> None:
    async def cancel_itself() -> None:
        task = asyncio.current_task()
        if task is not None:
            task.cancel()
        await asyncio.sleep(60)

    with pytest.raises(PortalClosed, match="by itself"):
        await portal.run(cancel_itself)
    assert portal.alive


async def test_the_death_of_the_thread_fails_parked_and_later_calls_at_once(portal: Portal) -> None:
    work = Work()

    with trio.fail_after(20):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lose, portal, work)
            nursery.start_soon(portal.wait_dead)
            await work.begun.wait()
            with pytest.raises(PortalClosed):
                await portal.run(stop_loop_and_wait)
    assert not portal.alive
    with pytest.raises(PortalClosed):
        await portal.run(answer, 1)


async def test_closing_a_dead_portal_lets_its_work_unwind() -> None:
    work = Work()

    with trio.fail_after(40):
        async with trio.open_nursery() as nursery, Portal.open() as portal:
            nursery.start_soon(lose, portal, work)
            await work.begun.wait()
            with pytest.raises(PortalClosed):
                await portal.run(stop_loop_and_wait)
    assert work.story == ["cancelled", "unwound"]


async def test_a_closed_portal_takes_no_calls_and_is_not_dead() -> None:
    with trio.fail_after(40):
        async with Portal.open() as portal:
            assert portal.alive
        assert not portal.alive
        with pytest.raises(PortalClosed):
            await portal.run(answer, 1)
    with trio.move_on_after(0.01) as scope:
        await portal.wait_dead()
    assert scope.cancelled_caught


async def test_closing_fails_a_call_that_is_still_on_its_way_and_unwinds_it() -> None:
    work = Work()

    with trio.fail_after(40):
        async with trio.open_nursery() as nursery, Portal.open() as portal:
            nursery.start_soon(lose, portal, work)
            await work.begun.wait()
    assert work.story == ["cancelled", "unwound"]


async def test_closing_is_bounded_even_when_work_swallows_its_cancellation() -> None:
    work = Work()
    others = portal_threads()
    with trio.fail_after(20):
        async with Portal.open(grace_s=GRACE_S) as portal:
            with trio.CancelScope() as scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(cancel_when_begun, work, scope)
                    await portal.run(work.swallow)
    assert "released" not in work.story
    assert portal_threads() <= others
    gc.collect()  # asyncio logs the destruction of the task: here, not in another test


async def test_closing_is_bounded_even_when_the_thread_is_blocked() -> None:
    work, released = Work(), threading.Event()
    others = portal_threads()
    with trio.fail_after(15):
        async with Portal.open(grace_s=GRACE_S) as portal, trio.open_nursery() as nursery:
            nursery.start_soon(cancel_when_begun, work, nursery.cancel_scope)
            await portal.run(work.block, released)
    (stuck,) = portal_threads() - others
    released.set()
    stuck.join(20)
    assert not stuck.is_alive()


async def test_a_thread_that_cannot_make_a_loop_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise OSError("too many open files")

    monkeypatch.setattr(asyncio, "Runner", refuse)
    with trio.fail_after(40), pytest.raises(PortalClosed, match="did not start"):
        async with Portal.open():
            raise AssertionError("the portal opened")


async def test_no_descriptor_and_no_thread_is_left_after_many_portals() -> None:
    async def cycle() -> None:
        work = Work()
        async with Portal.open() as portal, trio.open_nursery() as nursery:
            nursery.start_soon(cancel_when_begun, work, nursery.cancel_scope)
            await portal.run(work.wait)

    def held() -> tuple[int, int]:
        return len(os.listdir("/proc/self/fd")), len(portal_threads())

    with trio.fail_after(40):
        await cycle()
        gc.collect()  # what other tests have left
        before = held()
        for _ in range(20):
            await cycle()
    assert all(now <= then for now, then in zip(held(), before, strict=True))


async def test_the_deadline_crosses_with_the_call(portal: Portal) -> None:
    async def look() -> float:
        return remaining_s()

    assert remaining_s() == math.inf
    assert await portal.run(look) == math.inf
    with trio.move_on_after(40):
        here = remaining_s()
        there = await portal.run(look)
    assert 10 < there <= here <= 40


async def test_a_task_left_behind_has_no_deadline_once_its_call_has_ended(portal: Portal) -> None:
    seen: list[float] = []

    async def look_again() -> None:
        seen.append(remaining_s())
        await asyncio.sleep(0.01)
        seen.append(remaining_s())

    async def leave_behind() -> asyncio.Task[None]:
        task = asyncio.create_task(look_again())
        await asyncio.sleep(0)
        return task

    with trio.move_on_after(40):
        task = await portal.run(leave_behind)
    await portal.run(asyncio.wait_for, task, 20)
    assert seen[0] <= 40
    assert seen[1] == math.inf
