"""The client against servers that misbehave, and what its blocks let out."""

import pytest
import trio

import agentbrowser
from agentbrowser import errors
from agentbrowser.client import ConnectionLost
from tests.loop import wires


async def test_nobody_answers() -> None:
    with pytest.raises(ConnectionLost, match="No agentbrowser server answers") as caught:
        async with agentbrowser.connect("ws://127.0.0.1:1/?token=canary"):
            pytest.fail("connected to nothing")
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "nonsense", "ws://"])
async def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ConnectionLost):
        async with agentbrowser.connect(url):
            pytest.fail("connected to nothing")


async def test_a_refused_token_says_so() -> None:
    async with wires.open_gate(token="right") as gate:
        with pytest.raises(ConnectionLost) as caught:
            async with agentbrowser.connect(f"ws://127.0.0.1:{gate.port}", token="wrong"):
                pytest.fail("got in")
    assert caught.value.details["status"] == 401


async def test_the_blocks_own_exception_comes_out_as_it_is() -> None:
    async with wires.open_gate() as gate:
        with pytest.raises(errors.ElementNotFound):
            await _fail_within(f"ws://127.0.0.1:{gate.port}")


async def _fail_within(url: str) -> None:
    async with agentbrowser.connect(url):
        await trio.lowlevel.checkpoint()
        raise errors.ElementNotFound("Nothing matches.")
