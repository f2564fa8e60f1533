"""Outlet of a watcher: few messages, in order, and the latest picture at once."""

import json
from typing import Any, cast

import attrs
import trio
import trio.testing

from agentbrowser.browser.live.screencast import Picture
from agentbrowser.live.outlet import MAX_LINES, Outlet, encoded


@attrs.define
class Wire:
    """Socket that notes what is sent, and when."""

    sent: list[tuple[float, Any]] = attrs.field(factory=list)

    async def send(self, message: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.sent.append((trio.current_time(), json.loads(message)))

    async def send_binary(self, message: bytes) -> None:
        await trio.lowlevel.checkpoint()
        self.sent.append((trio.current_time(), message))


def run(act: Any) -> list[tuple[float, Any]]:
    """Return what an outlet sends during an act, with seconds since its begin."""

    async def main() -> list[tuple[float, Any]]:
        wire, outlet, began_s = Wire(), Outlet(), trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(outlet.run, cast("Any", wire))
            await trio.testing.wait_all_tasks_blocked()
            await act(outlet)
            await trio.sleep(1)
            nursery.cancel_scope.cancel()
        return [(round(time_s - began_s, 3), message) for time_s, message in wire.sent]

    return trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0))


def line(number: int) -> str:
    return encoded({"number": number})


def test_lines_and_states_that_may_wait_go_together_and_five_times_a_second_at_most() -> None:
    async def act(outlet: Outlet) -> None:
        for number in range(20):
            outlet.put_line(line(number))
            outlet.put_state("outline", number, may_wait=True)
            await trio.sleep(0.03)

    sent = run(act)
    assert [time_s for time_s, _ in sent] == [0.0, 0.2, 0.4, 0.6]
    assert [one["number"] for _, message in sent for one in message["lines"]] == list(range(20))
    assert [message["states"] for _, message in sent] == [{"outline": n} for n in (0, 6, 13, 19)]


def test_a_state_that_may_not_wait_takes_all_others_with_it() -> None:
    async def act(outlet: Outlet) -> None:
        outlet.put_line(line(1))
        await trio.sleep(0.05)
        outlet.put_line(line(2))
        outlet.put_state("outline", 1, may_wait=True)
        await trio.sleep(0.05)
        outlet.put_state("holder", None)
        await trio.sleep(0.05)
        outlet.put_line(line(3))

    assert run(act)[1:] == [
        (0.1, {"states": {"outline": 1, "holder": None}, "lines": [{"number": 2}], "dropped": 0}),
        (0.3, {"states": {}, "lines": [{"number": 3}], "dropped": 0}),
    ]


def test_what_comes_after_a_rest_is_sent_at_once() -> None:
    async def act(outlet: Outlet) -> None:
        for number in range(3):
            outlet.put_line(line(number))
            await trio.sleep(0.5)

    assert [time_s for time_s, _ in run(act)] == [0.0, 0.5, 1.0]


def test_a_picture_does_not_wait_and_replaces_one_that_was_not_sent() -> None:
    async def act(outlet: Outlet) -> None:
        outlet.put_line(line(1))
        await trio.sleep(0.05)
        outlet.put_line(line(2))
        for size in (1, 2):
            outlet.put_picture(7, Picture(b"jpeg", size, size))
        assert not outlet.wants_picture
        await trio.sleep(0.01)
        assert outlet.wants_picture

    sent = run(act)
    assert [time_s for time_s, _ in sent] == [0.0, 0.05, 0.2]
    assert sent[1][1] == bytes([0, 0, 0, 7, 0, 0, 0, 2, 0, 0, 0, 2]) + b"jpeg"


def test_old_lines_are_dropped_and_counted() -> None:
    async def act(outlet: Outlet) -> None:
        for number in range(MAX_LINES + 5):
            outlet.put_line(line(number))

    ((_, message),) = run(act)
    assert (len(message["lines"]), message["lines"][0], message["dropped"]) == (MAX_LINES, {"number": 5}, 5)
