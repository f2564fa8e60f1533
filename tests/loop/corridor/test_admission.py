"""A full server: who waits, in which order they are let in, and who is sent away."""

from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from agentbrowser.browser.capacity import Capacity, CapacityExceeded
from agentbrowser.browser.tabs import Tabs
from agentbrowser.config import Config
from agentbrowser.protocol.registry import METHODS, TabState
from agentbrowser.server.corridor.admission import Admission
from agentbrowser.server.watch import log_context
from tests.loop.memory_client import Client, dialogue

MIB = 1024 * 1024


@attrs.define
class House:
    """A server with room for so many pages, and those who want one."""

    capacity: Capacity
    admission: Admission
    events: list[Any] = attrs.field(factory=list)

    async def come(self, name: str, owner: str = "") -> None:
        """Open a page when there is room, and note what happens."""

        async def attempt() -> None:
            await trio.lowlevel.checkpoint()
            self.capacity.check()
            self.capacity.count(pages=+1)

        try:
            await self.admission.admit(attempt, owner, lambda position: self.events.append((name, position)))
        except CapacityExceeded as crowded:
            self.events.append((name, crowded.details))
        else:
            self.events.append((name, "in"))

    def leave(self) -> None:
        """Close a page."""
        self.capacity.count(pages=-1)

    def said(self, name: str) -> list[Any]:
        return [what for who, what in self.events if who == name]


def build(pages: int, *, max_queued: int = 10, timeout_s: float = 5.0, max_memory_bytes: int | None = None) -> House:
    capacity = Capacity(max_pages=pages, max_contexts=pages, max_memory_bytes=max_memory_bytes)
    admission = Admission(capacity=capacity, max_queued=max_queued, timeout_s=timeout_s)
    capacity.on_room_freed = admission.wake_first
    return House(capacity, admission)


async def test_those_who_wait_are_let_in_in_their_order(autojump_clock: MockClock) -> None:
    house = build(1)
    async with trio.open_nursery() as nursery:
        for name in ("first", "second", "third", "fourth"):
            nursery.start_soon(house.come, name)
            await wait_all_tasks_blocked()
        assert house.said("fourth") == [3]
        for _ in range(3):
            house.leave()
            await wait_all_tasks_blocked()
    assert [name for name, what in house.events if what == "in"] == ["first", "second", "third", "fourth"]
    assert house.said("fourth") == [3, 2, 1, "in"]
    assert (house.admission.queued, house.capacity.waiting, house.capacity.pages) == (0, 0, 1)


async def test_a_newcomer_does_not_overtake_those_who_wait(autojump_clock: MockClock) -> None:
    house = build(1)
    async with trio.open_nursery() as nursery:
        await house.come("first")
        nursery.start_soon(house.come, "waiting")
        await wait_all_tasks_blocked()
        house.leave()  # there is room now, and whose turn it is has not run yet
        nursery.start_soon(house.come, "newcomer")
        await wait_all_tasks_blocked()
        assert house.said("waiting") == [1, "in"]
        assert house.said("newcomer")[0] in (1, 2)
        assert "in" not in house.said("newcomer")
        house.leave()
    assert house.said("newcomer")[-1] == "in"


async def test_who_is_let_in_does_not_hold_up_the_next_with_what_it_does_then(autojump_clock: MockClock) -> None:
    house = build(0, timeout_s=5.0)
    let_in: list[str] = []

    async def come(name: str) -> None:
        async def attempt() -> None:
            house.capacity.check()
            house.capacity.count(pages=+1)
            let_in.append(name)
            await trio.sleep(100)  # the page that it opens takes its time

        await house.admission.admit(attempt, "", lambda _: None)

    async with trio.open_nursery() as nursery:
        for name in ("first", "second", "third"):
            nursery.start_soon(come, name)
            await wait_all_tasks_blocked()
        house.capacity.max_pages = 3
        house.admission.wake_first()
        await wait_all_tasks_blocked()
        assert (let_in, house.admission.queued) == (["first", "second", "third"], 0)
    assert house.admission.refused == 0


async def test_each_is_told_of_its_own_request_whoever_makes_way(autojump_clock: MockClock) -> None:
    house = build(0)
    told: list[Any] = []

    async def come(number: int) -> None:
        log_context.bind_request(number, "page/create", session=number)
        await house.admission.admit(
            attempt, "", lambda position: told.append((log_context.present()["request"], position))
        )

    async def attempt() -> None:
        await trio.lowlevel.checkpoint()
        house.capacity.check()
        house.capacity.count(pages=+1)

    async with trio.open_nursery() as nursery:
        for number in (1, 2):
            nursery.start_soon(come, number)
            await wait_all_tasks_blocked()
        house.capacity.max_pages = 2
        house.admission.wake_first()
    assert told == [(1, 1), (2, 2), (2, 1)]


async def test_who_wants_more_once_it_is_in_waits_no_second_time(autojump_clock: MockClock) -> None:
    house = build(0)

    async def attempt() -> None:
        for _ in range(2):
            house.capacity.check()
            house.capacity.count(pages=+1)
            await wait_all_tasks_blocked()

    async def come() -> None:
        with pytest.raises(CapacityExceeded):
            await house.admission.admit(attempt, "", lambda _: None)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(come)
        await wait_all_tasks_blocked()
        house.capacity.max_pages = 1
        house.admission.wake_first()
    assert (house.admission.queued, house.capacity.waiting) == (0, 0)


def test_room_that_is_being_used_is_nobody_elses() -> None:
    capacity = Capacity(max_pages=1, max_contexts=1)
    with capacity.reserved(), capacity.reserved(context=True):
        for context in (False, True):
            with pytest.raises(CapacityExceeded) as crowded:
                capacity.check(context=context)
            assert crowded.value.details["current"] == 1
    capacity.check()
    capacity.check(context=True)


def test_room_that_was_not_used_after_all_is_told_of() -> None:
    told: list[bool] = []
    capacity = Capacity(max_pages=1, max_contexts=1, on_room_freed=lambda: told.append(capacity.is_full))
    with capacity.reserved():
        capacity.waiting = 1
    assert told == [False]


async def test_the_wait_is_bounded(autojump_clock: MockClock) -> None:
    house = build(1, timeout_s=5.0)
    await house.come("first")
    began_s = trio.current_time()
    await house.come("second")
    assert trio.current_time() - began_s == pytest.approx(5.0)
    assert house.said("second") == [1, {"resource": "pages", "limit": 1, "current": 1}]
    assert house.admission.refused == 1


async def test_the_queue_is_bounded(autojump_clock: MockClock) -> None:
    house = build(1, max_queued=1)
    async with trio.open_nursery() as nursery:
        await house.come("first")
        nursery.start_soon(house.come, "second")
        await wait_all_tasks_blocked()
        await house.come("third")
        assert house.said("third") == [{"resource": "queue", "limit": 1, "current": 1}]
        house.leave()
    assert house.said("second") == [1, "in"]


async def test_owners_are_let_in_in_turn(autojump_clock: MockClock) -> None:
    house = build(1)
    async with trio.open_nursery() as nursery:
        for name in ("first", "a1", "a2", "a3", "b1", "b2", "a4", "c1"):
            nursery.start_soon(house.come, name, name[0])
            await wait_all_tasks_blocked()
        house.leave()  # a1 is in: the round of b1 and c1 begins
        await wait_all_tasks_blocked()
        nursery.start_soon(house.come, "d1", "d")
        await wait_all_tasks_blocked()
        for _ in range(7):
            house.leave()
            await wait_all_tasks_blocked()
    let_in = [name for name, what in house.events if what == "in"]
    assert let_in == ["first", "a1", "b1", "c1", "d1", "a2", "b2", "a3", "a4"]


async def test_an_owner_that_fills_the_queue_makes_way_for_another(autojump_clock: MockClock) -> None:
    house = build(1, max_queued=4)
    async with trio.open_nursery() as nursery:
        for name in ("first", "a1", "a2", "a3", "a4"):
            nursery.start_soon(house.come, name, name[0])
            await wait_all_tasks_blocked()
        await house.come("a5", "a")
        full = {"resource": "queue", "limit": 4, "current": 4}
        assert house.said("a5") == [full]
        for name in ("b1", "b2", "c1"):
            nursery.start_soon(house.come, name, name[0])
            await wait_all_tasks_blocked()
        await house.come("b3", "b")
        assert [house.said(name)[-1] for name in ("a4", "a3", "a2", "b3")] == [full] * 4
        assert house.admission.queued == 4
        for _ in range(4):
            house.leave()
            await wait_all_tasks_blocked()
    assert [name for name, what in house.events if what == "in"] == ["first", "a1", "b1", "c1", "b2"]


async def test_without_a_queue_nobody_waits(autojump_clock: MockClock) -> None:
    house = build(1, max_queued=0)
    await house.come("first")
    await house.come("second")
    assert house.said("second") == [{"resource": "pages", "limit": 1, "current": 1}]


async def test_who_gives_up_makes_way(autojump_clock: MockClock) -> None:
    house = build(1)
    async with trio.open_nursery() as nursery:
        await house.come("first")
        with trio.move_on_after(0.5):
            nursery.start_soon(house.come, "third")
            await house.come("second")
        house.leave()
    assert "in" not in house.said("second")
    assert house.said("third")[-1] == "in"
    assert (house.admission.queued, house.capacity.waiting) == (0, 0)


async def test_memory_that_becomes_free_lets_in_who_waits(autojump_clock: MockClock) -> None:
    house = build(9, max_memory_bytes=100 * MIB)
    house.capacity.memory_bytes = 101 * MIB
    assert house.capacity.is_full
    async with trio.open_nursery() as nursery:
        nursery.start_soon(house.come, "one")
        await wait_all_tasks_blocked()
        assert house.said("one") == [1]
        house.capacity.memory_bytes = 99 * MIB
        house.admission.wake_first()
    assert house.said("one") == [1, "in"]


async def test_what_is_no_lack_of_room_is_not_waited_for(autojump_clock: MockClock) -> None:
    house = build(1)

    async def attempt() -> None:
        await trio.lowlevel.checkpoint()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await house.admission.admit(attempt, "", house.events.append)
    assert (house.events, house.admission.queued) == ([], 0)


# On the wire


def opening(house: House, client: Client) -> Callable[..., Awaitable[Any]]:
    """Have the scripted browser open pages only while there is room."""
    client.session.admission = house.admission

    async def serve(
        tabs: Any, handler: Callable[..., Awaitable[Any]], params: Any, fresh: str | None, state: TabState | None
    ) -> Any:
        if fresh is not None:
            house.capacity.check()
            house.capacity.count(pages=+1)
            client.session.fresh = None
        return await handler(tabs, params)

    return serve


async def answer(tabs: Tabs, params: Any) -> dict[str, Any]:
    return {}


async def test_a_client_hears_that_it_waits_and_then_its_answer(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(METHODS, "page/reload", attrs.evolve(METHODS["page/reload"], handler=answer, tab_state=None))
    house = build(0)
    async with dialogue() as client:
        monkeypatch.setattr(type(client.tabs), "serve", opening(house, client))
        await client.ask(7, "page/reload")
        heard = await client.hear()
        assert heard["method"] == "notifications/queued"
        assert heard["params"] == {"position": 1, "id": 7}
        house.capacity.max_pages = 1
        house.admission.wake_first()
        assert await client.hear() == {"jsonrpc": "2.0", "id": 7, "result": {}}


async def test_a_client_that_has_waited_long_enough_is_told_to_come_again(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = build(0, timeout_s=2.0)
    async with dialogue() as client:
        monkeypatch.setattr(type(client.tabs), "serve", opening(house, client))
        await client.ask(1, "page/reload")
        await client.hear()
        error = (await client.hear())["error"]
    assert error["code"] == -32000
    assert error["data"]["retryable"] is True
    assert error["data"]["retryAfterMs"] > 0
    assert error["data"]["details"] == {"resource": "pages", "limit": 0, "current": 0}


async def test_a_wait_ends_with_the_requests_own_deadline(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = build(0, timeout_s=60.0)
    async with dialogue(Config(request_timeout_s=3.0)) as client:
        monkeypatch.setattr(type(client.tabs), "serve", opening(house, client))
        await client.ask(1, "page/reload")
        await client.hear()
        assert (await client.hear())["error"]["code"] == -32016
    assert house.admission.queued == 0
