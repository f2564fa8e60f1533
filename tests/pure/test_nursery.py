"""The quiet nursery raises what its block has raised, and hides no error of a background task."""

import pytest
import trio

from agentbrowser.nursery import open_quiet_nursery


async def fail(error: BaseException) -> None:
    raise error


async def raise_own() -> None:
    async with open_quiet_nursery() as nursery:
        nursery.start_soon(trio.sleep_forever)
        raise KeyError


async def raise_own_group(mine: BaseException) -> None:
    async with open_quiet_nursery() as outer, open_quiet_nursery() as inner, trio.open_nursery() as own:
        outer.start_soon(trio.sleep_forever)
        inner.start_soon(trio.sleep_forever)
        own.start_soon(fail, mine)
        await trio.sleep_forever()


async def raise_both() -> None:
    async with open_quiet_nursery() as nursery:
        nursery.start_soon(fail, OSError())
        try:
            await trio.sleep_forever()
        finally:
            raise KeyError


async def test_an_error_of_the_block_comes_out_as_it_is() -> None:
    with pytest.raises(KeyError):
        await raise_own()


async def test_a_group_of_the_blocks_own_nursery_is_not_wrapped() -> None:
    mine = RuntimeError("mine")
    with pytest.raises(ExceptionGroup) as caught:
        await raise_own_group(mine)
    assert caught.value.exceptions == (mine,)


async def test_an_error_of_a_background_task_stays_in_a_group() -> None:
    with pytest.raises(ExceptionGroup) as caught:
        await raise_both()
    assert caught.group_contains(OSError)
    assert caught.group_contains(KeyError)
