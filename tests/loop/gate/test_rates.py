"""How many requests a minute a token may make, and how the one too many is refused."""

import pytest
import trio

from agentbrowser.protocol.errors import ServerBusy
from agentbrowser.server.gate.rate_limit import RateLimit
from tests.loop.memory_client import dialogue


def ms_to_wait(rate: RateLimit) -> int:
    """Take one; return after how long there is room, if there is none."""
    try:
        rate.take()
    except ServerBusy as busy:
        return busy.retry_after_ms or 0
    return 0


async def test_so_many_in_any_minute(autojump_clock: trio.abc.Clock) -> None:
    rate = RateLimit(3)
    waits = []
    for _ in range(5):
        waits.append(ms_to_wait(rate))
        await trio.sleep(10)
    assert waits == [0, 0, 0, 30_000, 20_000]
    await trio.sleep(10)
    assert [ms_to_wait(rate), ms_to_wait(rate)] == [0, 10_000]


@pytest.mark.parametrize("limit", [1, 7, 60])
async def test_who_waits_as_told_is_let_in(limit: int, autojump_clock: trio.abc.Clock) -> None:
    rate, began_s = RateLimit(limit), trio.current_time()
    for _ in range(3 * limit):
        if (wait_ms := ms_to_wait(rate)) > 0:
            await trio.sleep(wait_ms / 1000)
            assert ms_to_wait(rate) == 0
    assert trio.current_time() - began_s == pytest.approx(120, abs=0.1)


async def test_a_client_is_told_and_goes_on_later(autojump_clock: trio.abc.Clock) -> None:
    async with dialogue() as client:
        client.session.rate_limit = RateLimit(2)
        for id_ in range(3):
            await client.ask(id_, "nothing/at/all")
        heard = await client.hear_all(3)
        assert [heard[id_]["error"]["code"] for id_ in range(3)] == [-32601, -32601, -32000]
        data = heard[2]["error"]["data"]
        assert (data["retryable"], data["retryAfterMs"], data["details"]) == (True, 60_000, {"limit": 2, "current": 2})
        assert data["recoveryHint"]
        await trio.sleep(60)
        await client.ask(3, "initialize")
        assert "result" in await client.hear()


async def test_two_clients_of_a_token_share_it(autojump_clock: trio.abc.Clock) -> None:
    rate = RateLimit(2)
    async with dialogue() as one, dialogue() as other:
        one.session.rate_limit = other.session.rate_limit = rate
        for client in (one, other, one):
            await client.ask(1, "initialize")
            heard = await client.hear()
        assert heard["error"]["code"] == -32000
