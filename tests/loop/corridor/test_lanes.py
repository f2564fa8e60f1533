"""The order of requests on the same page."""

import trio
import trio.testing

from agentbrowser.server.corridor.lanes import Lanes, Turn


async def _run(turn: Turn, log: list[str], name: str, release: trio.Event) -> None:
    try:
        await turn.wait()
        log.append(f"{name} starts")
        await release.wait()
        log.append(f"{name} ends")
    finally:
        turn.leave()


def _take(lanes: Lanes, *pages: str) -> Turn:
    return lanes.take(frozenset(pages))


async def test_one_page_one_at_a_time_in_the_order_of_arrival() -> None:
    lanes, log, release = Lanes(), list[str](), trio.Event()
    async with trio.open_nursery() as nursery:
        for name in "abcdefgh":
            nursery.start_soon(_run, _take(lanes, "p"), log, name, release)
        await trio.testing.wait_all_tasks_blocked()
        assert log == ["a starts"]
        release.set()
    assert log == [f"{name} {what}" for name in "abcdefgh" for what in ("starts", "ends")]


async def test_pages_do_not_wait_for_each_other() -> None:
    lanes, log, release = Lanes(), list[str](), trio.Event()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_run, _take(lanes, "p"), log, "a", release)
        nursery.start_soon(_run, _take(lanes, "q"), log, "b", release)
        await trio.testing.wait_all_tasks_blocked()
        assert sorted(log) == ["a starts", "b starts"]
        release.set()


async def test_a_waiting_request_that_gives_up_lets_nobody_past_the_running_one() -> None:
    lanes = Lanes()
    first, second, third = (_take(lanes, "p") for _ in range(3))
    await first.wait()
    second.leave()
    with trio.move_on_after(0) as scope:
        await third.wait()
    assert scope.cancelled_caught
    first.leave()
    await third.wait()


async def test_a_sequence_over_two_pages_waits_for_both_and_holds_both() -> None:
    lanes = Lanes()
    on_p, on_q = _take(lanes, "p"), _take(lanes, "q")
    both = _take(lanes, "p", "q")
    after_p, after_q = _take(lanes, "p"), _take(lanes, "q")
    on_p.leave()
    assert not _is_called(both)
    on_q.leave()
    assert _is_called(both)
    assert not _is_called(after_p)
    assert not _is_called(after_q)
    both.leave()
    assert _is_called(after_p)
    assert _is_called(after_q)


async def test_empty_lanes_are_forgotten() -> None:
    lanes = Lanes()
    for number in range(100):
        _take(lanes, f"p{number}").leave()
    assert not lanes._queues


def _is_called(turn: Turn) -> bool:
    return turn._ready.is_set()


async def test_a_turn_waits_for_those_of_a_lane_that_it_does_not_enter() -> None:
    lanes = Lanes()
    earlier = [lanes.take(frozenset({"storage"})) for _ in range(2)]
    page = lanes.take(frozenset({"page"}), behind=frozenset({"storage"}))
    later, gone = lanes.take(frozenset({"storage"})), lanes.take(frozenset({"page"}), behind=frozenset({"storage"}))
    gone.leave()
    assert not is_called(page)
    for turn in earlier:
        assert not is_called(page)
        turn.leave()
    assert is_called(page)
    assert is_called(later)  # which the page's turn does not delay


def is_called(turn: Turn) -> bool:
    return turn._ready.is_set()
