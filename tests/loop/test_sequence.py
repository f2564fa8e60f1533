"""The times of a sequence, to the millisecond: retries, and its own timeout. The browser is scripted."""

import itertools
from collections.abc import Iterator
from typing import Any

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.errors import ElementNotFound
from agentbrowser.registry import METHODS, Scope, method
from agentbrowser.types.page import Nothing
from tests.loop.peer import dialogue

ACTIONS = "click dblclick hover check uncheck clear fill type press scroll select upload drag"
MOVES = "navigate reload goBack goForward"

tries: list[float] = []


@attrs.frozen(kw_only=True)
class TryParams:
    fails: int = 0
    lasts: float = 0
    page_id: str | None = None


async def attempt(tabs: Any, params: TryParams) -> Nothing:
    """Fail so many times, after a while."""
    tries.append(trio.current_time())
    await trio.sleep(params.lasts)
    if len(tries) <= params.fails:
        raise ElementNotFound("Nothing matches.")
    return Nothing()


@pytest.fixture(autouse=True)
def _methods() -> Iterator[None]:
    before = dict(METHODS)
    tries.clear()
    method("test/try", TryParams, scope=Scope.STANDARD, step=True)(attempt)
    yield
    METHODS.clear()
    METHODS.update(before)


async def act(*steps: dict[str, Any], **params: Any) -> Any:
    async with dialogue() as client:
        await client.ask(1, "agent/act", steps=[{"action": "test/try", **step} for step in steps], **params)
        return (await client.hear())["result"]


def waits_ms() -> list[int]:
    return [round((after - before) * 1000) for before, after in itertools.pairwise(tries)]


def test_the_steps_are_the_seeds_seventeen() -> None:
    steps = [f"action/{name}" for name in ACTIONS.split()] + [f"page/{name}" for name in MOVES.split()]
    assert len(steps) == 17
    assert {name for name, one in METHODS.items() if one.step} == {*steps, "test/try"}


@pytest.mark.parametrize(
    ("step", "expected_ms"),
    [
        ({"maxRetries": 3}, [500, 1000, 2000]),
        ({"maxRetries": 2, "retryDelay": 100}, [100, 200]),
        ({}, [500]),
    ],
)
async def test_each_retry_waits_twice_as_long(
    step: dict[str, Any], expected_ms: list[int], autojump_clock: trio.testing.MockClock
) -> None:
    result = await act({"params": {"fails": 9}, "onError": "retry", **step})
    assert waits_ms() == expected_ms
    assert result["results"][0]["retries"] == len(expected_ms)
    assert result["results"][0]["duration"] == sum(expected_ms)
    assert result["failedAt"] == 0


async def test_a_retry_that_succeeds_is_the_last(autojump_clock: trio.testing.MockClock) -> None:
    result = await act({"params": {"fails": 2}, "onError": "retry", "maxRetries": 5}, {})
    assert waits_ms() == [500, 1000, 0]
    assert (result["success"], result["completed"]) == (True, 2)
    assert [step.get("retries") for step in result["results"]] == [2, None]
    assert "error" not in result["results"][0]


@pytest.mark.parametrize("on_error", ["stop", "skip", None])
async def test_only_retry_tries_again(on_error: str | None, autojump_clock: trio.testing.MockClock) -> None:
    await act({"params": {"fails": 1}, "onError": on_error, "maxRetries": 5})
    assert len(tries) == 1


@pytest.mark.parametrize(
    "step",
    [{"params": {"lasts": 60}}, {"params": {"fails": 9}, "onError": "retry", "retryDelay": 5000}],
    ids=["in a step", "between two tries"],
)
async def test_the_timeout_is_the_whole_sequences(step: dict[str, Any], autojump_clock: trio.testing.MockClock) -> None:
    result = await act({"params": {"lasts": 1}}, step, {}, timeout=3000)
    assert result["duration"] == 3000
    assert [one["duration"] for one in result["results"]] == [1000, 2000]
    assert result["results"][1]["error"]["code"] == -32016
    assert (result["completed"], result["failedAt"]) == (1, 1)


async def test_steps_have_their_own_deadlines_within_it(autojump_clock: trio.testing.MockClock) -> None:
    """Each step gets a request's 30 s, so that a sequence may last longer than a request."""
    result = await act(*[{"params": {"lasts": 20}}] * 3, timeout=100_000)
    assert (result["success"], result["duration"]) == (True, 60_000)
