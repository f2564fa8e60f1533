"""Results that come in pieces, and how the client puts them together."""

import hashlib
from typing import Any

import pytest
import trio
import trio.testing

from agentbrowser.client import Browser, ConnectionLost, Reconnect, StreamBroken
from agentbrowser.protocol.errors import AgentBrowserError
from tests.loop.scripted_peer import Call, Switchboard

TEXT = "Größe – " * 500
LOOK = "observe/content"


def reference(name: str = "s1", text: str = TEXT) -> dict[str, Any]:
    return {"streamId": name, "totalSize": len(text.encode()), "contentType": "text/plain;charset=utf-8"}


async def send(call: Call, name: str = "s1", text: str = TEXT, checksum: str = "", chunks: int = 3) -> None:
    """Send a text in three pieces, and its end."""
    cut = len(text) // 3
    parts = [text[:cut], text[cut : 2 * cut], text[2 * cut :]]
    offset = 0
    for index, part in enumerate(parts):
        size = len(part.encode())
        await call.tell("stream/chunk", streamId=name, index=index, data=part, offset=offset, size=size)
        offset += size
    checksum = checksum or hashlib.sha256(text.encode()).hexdigest()
    await call.tell("stream/end", streamId=name, totalChunks=chunks, totalSize=offset, checksum=checksum)


async def asked(browser: Browser, into: list[Any]) -> None:
    try:
        into.append(await browser.request(LOOK))
    except AgentBrowserError as error:
        into.append(error)


async def test_chunks_are_assembled_into_the_result() -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        got: list[Any] = []
        nursery.start_soon(asked, browser, got)
        request = await call.hear_call(LOOK)
        await call.answer(request, content=reference("s1"), more=[{"deep": reference("s2", "x" * 9)}], url="u")
        await send(call, "s1")
        await trio.testing.wait_all_tasks_blocked()
        assert got == []
        await send(call, "s2", "x" * 9)
        await trio.testing.wait_all_tasks_blocked()
        assert got == [{"content": TEXT, "more": [{"deep": "x" * 9}], "url": "u"}]


@pytest.mark.parametrize("wrong", [{"checksum": "0" * 64}, {"text": TEXT + "!"}, {"chunks": 4}])
async def test_damaged_chunks_are_an_error(wrong: dict[str, Any]) -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        got: list[Any] = []
        nursery.start_soon(asked, browser, got)
        await call.answer(await call.hear_call(LOOK), content=reference())
        await send(call, **wrong)
        await trio.testing.wait_all_tasks_blocked()
        assert [type(one) for one in got] == [StreamBroken]
        assert got[0].details["streamId"] == "s1"


async def test_a_chunk_out_of_order_is_an_error() -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        got: list[Any] = []
        nursery.start_soon(asked, browser, got)
        await call.answer(await call.hear_call(LOOK), content=reference())
        await call.tell("stream/chunk", streamId="s1", index=1, data="x", offset=0, size=1)
        await trio.testing.wait_all_tasks_blocked()
        assert isinstance(got[0], StreamBroken)


async def test_data_that_only_looks_like_a_stream_times_out(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        got: list[Any] = []
        nursery.start_soon(asked, browser, got)
        await call.answer(await call.hear_call(LOOK), content=reference())
        await trio.sleep(59)
        assert got == []
        await trio.sleep(2)
        assert isinstance(got[0], StreamBroken)


async def test_a_connection_that_is_lost_for_good_within_a_stream_is_reported() -> None:
    async with Switchboard().client(Reconnect(max_attempts=0)) as (browser, call), trio.open_nursery() as nursery:
        got: list[Any] = []
        nursery.start_soon(asked, browser, got)
        await call.answer(await call.hear_call(LOOK), content=reference())
        await call.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        assert [type(one) for one in got] == [ConnectionLost]


async def test_a_cancelled_call_cancels_the_stream() -> None:
    async with Switchboard().client() as (browser, call), trio.open_nursery() as nursery:
        with trio.CancelScope() as scope:
            nursery.start_soon(_cancel_when_answered, call, scope)
            await browser.request(LOOK)
        heard = [await call.hear(), await call.hear()]
        assert [one["method"] for one in heard] == ["$/cancelRequest", "stream/cancel"]
        assert heard[1]["params"] == {"streamId": "s1"}


async def _cancel_when_answered(call: Call, scope: trio.CancelScope) -> None:
    await call.answer(await call.hear_call(LOOK), content=reference())
    await call.tell("stream/chunk", streamId="s1", index=0, data="x", offset=0, size=1)
    await trio.testing.wait_all_tasks_blocked()
    scope.cancel()
