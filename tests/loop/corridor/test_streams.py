"""Results above the client's frame limit: what is streamed, how it is cut, and what is refused."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

import attrs
import pytest
import trio
import trio.testing
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import SelectorAmbiguous
from agentbrowser.protocol.registry import METHODS, Scope, method
from agentbrowser.protocol.types.page import Nothing
from agentbrowser.protocol.types.stream import MIN_FRAME_BYTES
from agentbrowser.server.corridor.outbox import MAX_MESSAGES
from agentbrowser.server.corridor.streams import pieces
from agentbrowser.server.watch.metrics import Metrics
from tests.loop.memory_client import Client, dialogue

LIMIT = MIN_FRAME_BYTES
RESULT: dict[str, Any] = {}


@attrs.frozen(kw_only=True)
class GiveParams:
    small: bool = False


async def give(tabs: Any, params: GiveParams) -> dict[str, Any]:
    """Return what the test has laid out."""
    return {"small": True} if params.small else RESULT


async def fail(tabs: Any, params: GiveParams) -> Nothing:
    """Fail with what the test has laid out."""
    raise SelectorAmbiguous("Several match.", **RESULT)


@pytest.fixture(autouse=True)
def _methods() -> Iterator[None]:
    before = dict(METHODS)
    RESULT.clear()
    method("test/give", GiveParams, scope=Scope.READONLY, free=True)(give)
    method("test/fail", GiveParams, scope=Scope.READONLY, free=True)(fail)
    yield
    METHODS.clear()
    METHODS.update(before)


async def introduce(client: Client, **capabilities: Any) -> None:
    """Say what the client takes."""
    await client.ask(0, "initialize", capabilities=capabilities)
    assert "result" in await client.hear()


@pytest.fixture
async def client(autojump_clock: trio.testing.MockClock) -> AsyncIterator[Client]:
    async with dialogue() as client:
        await introduce(client, streaming=True, maxMessageSize=LIMIT)
        yield client


async def hear_frame(client: Client) -> dict[str, Any]:
    """Return the next message, which is not above the limit."""
    with trio.fail_after(100):
        text = await client.transport.receive()
    assert len(text.encode()) <= LIMIT
    message: dict[str, Any] = json.loads(text)
    return message


async def collect(client: Client, stream_id: str, heard: Sequence[dict[str, Any]] = ()) -> str:
    """Return the text of a stream, of which some may be heard already, and check that every number in it is right."""
    text = ""
    for index in range(100_000):
        message = heard[index] if index < len(heard) else await hear_frame(client)
        params = message["params"]
        assert params.pop("streamId") == stream_id
        sent = text.encode()
        if message["method"] == "stream/end":
            checksum = hashlib.sha256(sent).hexdigest()
            assert params == {"totalChunks": index, "totalSize": len(sent), "checksum": checksum}
            return text
        data = params.pop("data")
        assert message["method"] == "stream/chunk"
        assert params == {"index": index, "offset": len(sent), "size": len(data.encode())}
        text += data
    raise AssertionError("there is no end")


@pytest.mark.parametrize(
    "text",
    [
        "plain " * 20_000,
        '\x00\n"\\' * 20_000,
        "äöü€𝄞" * 20_000,
        "a" * 10_000 + "\x01" * 10_000 + "𝄞" * 10_000,
    ],
    ids=["ascii", "escapes", "characters of many bytes", "all of them"],
)
async def test_a_large_text_follows_in_pieces_that_are_the_text(client: Client, text: str) -> None:
    RESULT.update(title="T", inner=[{"text": text}])
    await client.ask(1, "test/give")
    reply = await hear_frame(client)
    reference = reply["result"]["inner"][0]["text"]
    assert reply == {
        "jsonrpc": "2.0",
        "id": 1,
        "result": {"title": "T", "inner": [{"text": reference}]},
    }
    assert reference["totalSize"] == len(text.encode())
    assert reference["contentType"] == "text/plain;charset=utf-8"
    assert await collect(client, reference["streamId"]) == text


async def test_bytes_are_called_so_and_each_piece_of_them_can_be_decoded(client: Client) -> None:
    content = bytes(range(256)) * 500
    RESULT.update(data=base64.b64encode(content).decode(), format="png")
    await client.ask(1, "test/give")
    reference = (await hear_frame(client))["result"]["data"]
    assert reference["contentType"] == "application/octet-stream;base64"
    decoded = b""
    while (message := await hear_frame(client))["method"] == "stream/chunk":
        decoded += base64.b64decode(message["params"]["data"], validate=True)
    assert decoded == content


async def test_as_many_texts_are_streamed_as_must_be_the_largest_first(client: Client) -> None:
    RESULT.update(small="s" * 6000, large="l" * 60_000, larger="m" * 90_000)
    await client.ask(1, "test/give")
    result = (await hear_frame(client))["result"]
    assert result["small"] == RESULT["small"]
    assert await collect(client, result["larger"]["streamId"]) == RESULT["larger"]
    assert await collect(client, result["large"]["streamId"]) == RESULT["large"]


async def test_texts_in_a_value_that_is_json_already_are_streamed_too(client: Client) -> None:
    html = "h" * 60_000
    RESULT.update(value=wire.as_encoded(json.dumps({"html": html, "n": [1]})))
    await client.ask(1, "test/give")
    value = (await hear_frame(client))["result"]["value"]
    assert value["n"] == [1]
    assert await collect(client, value["html"]["streamId"]) == html


async def test_a_lone_surrogate_is_replaced_as_in_any_reply(client: Client) -> None:
    RESULT.update(text="\ud800" + "x" * 20_000)
    await client.ask(1, "test/give")
    reference = (await hear_frame(client))["result"]["text"]
    assert await collect(client, reference["streamId"]) == "\ufffd" + "x" * 20_000


async def test_what_fits_is_not_streamed(client: Client) -> None:
    room = LIMIT - len(json.dumps({"jsonrpc": "2.0", "id": 1, "result": {"text": ""}}, separators=(",", ":")))
    for extra in (0, 1):
        RESULT.update(text="x" * (room + extra))
        await client.ask(1, "test/give")
        result = (await hear_frame(client))["result"]
        assert isinstance(result["text"], dict) is bool(extra)


async def test_a_result_of_many_small_parts_is_refused(client: Client) -> None:
    RESULT.update(parts=["part"] * 5000)
    await client.ask(1, "test/give")
    error = (await hear_frame(client))["error"]
    assert error["code"] == -32024
    details = error["data"]["details"]
    assert details == {"resource": "message", "limit": LIMIT, "current": details["current"]}
    assert details["current"] > LIMIT


async def test_a_client_that_knows_no_streams_is_told_the_size_and_the_limit(
    autojump_clock: trio.testing.MockClock,
) -> None:
    RESULT.update(text="x" * 50_000)
    async with dialogue() as client:
        await introduce(client, maxMessageSize=LIMIT)
        await client.ask(1, "test/give")
        error = (await hear_frame(client))["error"]
        assert error["code"] == -32024
        assert error["data"]["details"]["limit"] == LIMIT
        assert error["data"]["details"]["current"] > 50_000
        assert "streaming" in error["data"]["recoveryHint"]


@pytest.mark.parametrize(("name", "size", "passes"), [("bap-client-python", 4, False), ("another", 9, True)])
async def test_the_published_clients_are_held_to_take_4_mib(
    autojump_clock: trio.testing.MockClock, name: str, size: int, passes: bool
) -> None:
    RESULT.update(text="x" * size * 1024 * 1024)
    async with dialogue() as client:
        await client.ask(0, "initialize", clientInfo={"name": name})
        assert "result" in await client.hear()
        await client.ask(1, "test/give")
        assert ("result" in await client.hear()) is passes


async def test_an_error_too_large_for_the_client_comes_without_its_details(client: Client) -> None:
    RESULT.update(candidates="x" * LIMIT)
    await client.ask("\x01" * 128, "test/fail")
    error = (await hear_frame(client))["error"]
    assert (error["code"], error["message"]) == (-32020, "Several match.")
    assert error["data"] == {"retryable": False, "recoveryHint": SelectorAmbiguous.recovery_hint}


async def test_shutdown_ends_the_agreement(client: Client) -> None:
    RESULT.update(text="x" * 50_000)
    await client.ask(1, "shutdown")
    await client.hear()
    await client.ask(2, "initialize")
    await client.hear()
    await client.ask(3, "test/give")
    assert (await client.hear())["result"] == RESULT


async def test_other_replies_and_events_come_in_between_and_none_is_dropped(client: Client) -> None:
    RESULT.update(text="x" * 100 * LIMIT)
    await client.ask(1, "test/give")
    reference = (await hear_frame(client))["result"]["text"]
    chunks_between = []
    chunks = 0
    await client.ask(2, "test/give", small=True)
    for number in range(MAX_MESSAGES // 2):
        client.session.notify("page", {"number": number})
    while (message := await hear_frame(client)).get("method") != "stream/end":
        if message.get("method") == "stream/chunk":
            chunks += 1
        else:
            assert message.get("id") == 2 or message["method"] == "notifications/page"
            chunks_between.append(chunks)
    assert message["params"]["streamId"] == reference["streamId"]
    assert len(chunks_between) == 1 + MAX_MESSAGES // 2
    assert max(chunks_between) < 50 < chunks


async def test_streamed_replies_come_one_after_another(client: Client) -> None:
    RESULT.update(text="x" * 3 * LIMIT)
    for number in (1, 2):
        await client.ask(number, "test/give")
    for _ in (1, 2):
        reference = (await hear_frame(client))["result"]["text"]
        assert await collect(client, reference["streamId"]) == RESULT["text"]


async def test_a_cancelled_stream_ends_at_once_and_the_next_one_goes_on(client: Client) -> None:
    RESULT.update(long="x" * 100 * LIMIT, short="y" * 2 * LIMIT)
    await client.ask(1, "test/give")
    result = (await hear_frame(client))["result"]
    await client.ask(2, "stream/cancel", streamId=result["long"]["streamId"])
    heard = []
    while (message := await hear_frame(client)).get("id") != 2:
        heard.append(message)
    assert message["result"] == {"cancelled": True}
    of_short = [one for one in heard if one["params"]["streamId"] == result["short"]["streamId"]]  # may begin at once
    assert await collect(client, result["short"]["streamId"], of_short) == RESULT["short"]


async def test_a_stream_may_be_cancelled_before_its_turn(client: Client) -> None:
    RESULT.update(long="x" * 20 * LIMIT, short="y" * 2 * LIMIT)
    await client.ask(1, "test/give")
    result = (await hear_frame(client))["result"]
    await client.ask(2, "stream/cancel", streamId=result["short"]["streamId"])
    heard = []
    while (message := await hear_frame(client)).get("method") != "stream/end":
        heard.append(message.get("params", {}).get("streamId"))
    await client.ask(3, "test/give", small=True)
    assert (await hear_frame(client))["id"] == 3
    assert set(heard) == {result["long"]["streamId"], None}


async def test_a_stream_that_is_not_there_is_not_found(client: Client) -> None:
    RESULT.update(text="x" * 2 * LIMIT)
    await client.ask(1, "test/give")
    name = (await hear_frame(client))["result"]["text"]["streamId"]
    await collect(client, name)
    for stream_id in (name, "nonsense"):
        await client.ask(2, "stream/cancel", streamId=stream_id)
        error = (await hear_frame(client))["error"]
        assert (error["code"], error["data"]["details"]) == (-32050, {"streamId": stream_id})


async def test_streams_end_with_the_connection(client: Client) -> None:
    RESULT.update(text="x" * 100 * LIMIT)
    await client.ask(1, "test/give")
    name = (await hear_frame(client))["result"]["text"]["streamId"]
    await client.hang_up()
    await trio.testing.wait_all_tasks_blocked()
    with pytest.raises(Exception, match="no stream"):
        client.session.streams.cancel(name)


async def test_draining_lets_a_stream_end(client: Client) -> None:
    RESULT.update(text="x" * 100 * LIMIT)
    await client.ask(1, "test/give")
    reference = (await hear_frame(client))["result"]["text"]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.connection.drain, 10)
        assert await collect(client, reference["streamId"]) == RESULT["text"]


async def test_an_event_that_the_client_can_not_take_is_counted_as_dropped(client: Client) -> None:
    client.session.notify("console", {"text": "x" * LIMIT})
    await client.ask(1, "test/give", small=True)
    assert {(await hear_frame(client)).get("id") for _ in range(2)} == {1, None}
    assert not client.connection.outbox.dropped


@given(text=st.text(st.characters(exclude_categories=["Cs"]), max_size=300), room=st.integers(32, 300))
def test_pieces_are_the_text_and_have_room(text: str, room: int) -> None:
    cut = list(pieces(text, room))
    assert "".join(cut) == text
    assert all(cut)
    assert all(len(wire.dump(piece)) <= room for piece in cut)


@given(content=st.binary(max_size=600), room=st.integers(32, 300))
def test_each_piece_of_base64_is_whole(content: bytes, room: int) -> None:
    cut = pieces(base64.b64encode(content).decode(), room)
    assert b"".join(base64.b64decode(piece, validate=True) for piece in cut) == content


async def test_a_result_that_is_refused_counts_once(client: Client) -> None:
    metrics = client.connection.metrics = Metrics()
    RESULT.update(parts=["part"] * 5000)
    await client.ask(1, "test/give")
    assert (await hear_frame(client))["error"]["code"] == -32024
    labels = 'agentbrowser_requests_total{method="test/give",outcome="%s"} 1.0'
    text = metrics.text()
    assert labels % "ResourceLimitExceeded" in text
    assert labels % "ok" not in text
