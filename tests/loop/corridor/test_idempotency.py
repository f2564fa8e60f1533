"""Requests with an idempotency key, asked once and again. The browser is scripted."""

import contextlib
from collections.abc import AsyncIterator, Iterator
from typing import Any

import attrs
import pytest
import trio
import trio.testing

from agentbrowser.config import Config
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    ElementNotFound,
    ExecutionContextDestroyed,
    ResourceLimitExceeded,
    TargetClosed,
)
from agentbrowser.protocol.registry import METHODS, Scope, method
from agentbrowser.protocol.types.fields import milliseconds
from agentbrowser.server.corridor.connection import Connection
from agentbrowser.server.gate.memory_transport import memory_pair
from agentbrowser.server.sessions import idempotency_records
from agentbrowser.server.sessions.idempotency_records import (
    MAX_ANSWER_BYTES,
    MAX_BYTES,
    IdempotencyRecords,
    OwnerAnswers,
    RecordedAnswer,
    digest_of,
)
from tests.loop.memory_client import Client, dialogue

done: list[str] = []
GATES: dict[str, trio.Event] = {}
TROUBLES: dict[str, AgentBrowserError] = {}


@attrs.frozen(kw_only=True)
class WorkParams:
    name: str = "work"
    size: int = 0
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class WorkResult:
    count: int
    page_id: str | None = None
    filling: str = ""


@attrs.frozen(kw_only=True)
class OpenParams:
    name: str = "open"


async def work(tabs: Any, params: WorkParams) -> WorkResult:
    """Wait for the gate of that name, then fail or succeed as the script says."""
    done.append(params.name)
    if params.name in GATES:
        await GATES[params.name].wait()
    if params.name in TROUBLES:
        raise TROUBLES[params.name]
    return WorkResult(count=len(done), page_id=params.page_id, filling="x" * params.size)


async def opens(tabs: Any, params: OpenParams) -> WorkResult:
    """Do as `work` does, as the method that opens a page."""
    return await work(tabs, WorkParams(name=params.name))


@pytest.fixture(autouse=True)
def _methods() -> Iterator[None]:
    before = dict(METHODS)
    for script in (done, GATES, TROUBLES):
        script.clear()
    method("test/work", WorkParams, scope=Scope.STANDARD, step=True)(work)
    method("test/free", WorkParams, scope=Scope.STANDARD, free=True)(work)
    method("test/look", WorkParams, scope=Scope.READONLY)(work)
    method("test/full", WorkParams, scope=Scope.FULL)(work)
    method("test/open", OpenParams, scope=Scope.STANDARD, focus=True)(opens)
    yield
    METHODS.clear()
    METHODS.update(before)


async def ask(client: Client, method: str = "test/work", *, key: Any = "k", **params: Any) -> Any:
    """Ask, and return the result or the error."""
    reply = await answer(client, method, idempotencyKey=key, **params)
    return reply["result"] if "result" in reply else reply["error"]


async def answer(client: Client, method: str, **params: Any) -> dict[str, Any]:
    await client.ask(1, method, **params)
    return await client.hear()


@contextlib.asynccontextmanager
async def reconnected(client: Client) -> AsyncIterator[Client]:
    """Give the session of a client that has left another connection."""
    peer, transport = memory_pair()
    connection = Connection(peer=peer, session=client.session, config=client.session.config)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.serve)
        yield Client(transport, client.session, client.tabs, connection)
        nursery.cancel_scope.cancel()


async def test_a_repeat_gets_the_result_and_does_not_act() -> None:
    async with dialogue() as client:
        assert await ask(client) == await ask(client) == {"count": 1, "pageId": "page-1", "filling": ""}
        assert done == ["work"]
        assert (await ask(client, key="other"))["count"] == 2
        assert (await ask(client, key=None))["count"] == 3
        assert (await ask(client, key=None))["count"] == 4


async def test_the_order_of_the_params_does_not_matter() -> None:
    async with dialogue() as client:
        assert await ask(client, name="a", size=1) == await ask(client, size=1, name="a")
        assert done == ["a"]


@pytest.mark.parametrize(
    ("method", "params"), [("test/free", {}), ("test/work", {"name": "b"}), ("test/work", {"size": 1})]
)
async def test_a_key_is_for_one_request_only(method: str, params: dict[str, Any]) -> None:
    async with dialogue() as client:
        await ask(client, name="a")
        error = await ask(client, method, **{"name": "a", **params} if method == "test/free" else params)
        assert (error["code"], error["data"]["details"]["path"]) == (-32602, "idempotencyKey")
        assert done == ["a"]
        assert (await ask(client, name="a"))["count"] == 1


@pytest.mark.parametrize("key", ["", "x" * 129, 7, True, ["k"], {}])
async def test_a_key_is_a_short_string(key: Any) -> None:
    async with dialogue() as client:
        error = await ask(client, key=key)
        assert (error["code"], error["data"]["details"]["path"]) == (-32602, "idempotencyKey")
        assert done == []
        assert (await ask(client, key="x" * 128))["count"] == 1


async def test_a_method_that_refuses_unknown_params_takes_a_key() -> None:
    async with dialogue() as client:
        error = await ask(client, "browser/launch", extra=1)
        assert error["data"]["details"]["path"] == "extra"
        error = await ask(client, "browser/launch", env={})
        assert error["data"]["details"]["path"] == "env"


async def test_the_key_is_announced() -> None:
    async with dialogue() as client:
        document = (await answer(client, "rpc.discover"))["result"]
        (param,) = document["x-params"]
        assert (param["name"], param["required"]) == ("idempotencyKey", False)
        schema = document["components"]["schemas"]["Repeatable"]["properties"]["idempotencyKey"]
        assert schema == {"type": "string", "minLength": 1, "maxLength": 128}


async def test_a_repeat_waits_for_the_one_that_is_under_way(autojump_clock: trio.testing.MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        for id_ in range(5):
            await client.ask(id_, "test/free", name="slow", idempotencyKey="k")
        await client.ask(9, "test/free", name="other", idempotencyKey="k")
        assert (await client.hear())["error"]["code"] == -32602
        await trio.testing.wait_all_tasks_blocked()
        GATES["slow"].set()
        replies = await client.hear_all(5)
        assert {reply["result"]["count"] for reply in replies.values()} == {1}
        assert done == ["slow"]


async def test_the_page_that_a_repeat_did_not_open_is_not_meant() -> None:
    async with dialogue() as client:
        client.session._pages["page-1"] = None  # as the browser reports it
        assert client.session.name_page() == "page-1"
        await client.ask(1, "test/open", idempotencyKey="k")
        await client.ask(2, "test/open", idempotencyKey="k")
        await client.hear_all(2)
        assert client.session.active == "page-1"
        assert done == ["open"]
        await client.ask(3, "test/open", idempotencyKey="k")
        await client.ask(4, "test/work")
        assert (await client.hear_all(2))[4]["result"]["pageId"] == "page-1"


async def test_a_repeat_does_not_wait_in_line(autojump_clock: trio.testing.MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        await ask(client)
        await client.ask(2, "test/work", name="slow")
        await client.ask(3, "test/work", idempotencyKey="k")
        assert (await client.hear())["id"] == 3
        GATES["slow"].set()
        assert (await client.hear())["id"] == 2


async def test_an_error_that_lasts_is_remembered_with_all_it_says() -> None:
    TROUBLES["work"] = TargetClosed("The page was closed.", target="page", hint="Open another.")
    async with dialogue() as client:
        first = await ask(client)
        TROUBLES.clear()
        assert await ask(client) == first
        assert first["data"]["details"] == {"target": "page"}
        assert done == ["work"]


async def test_after_an_error_that_may_pass_the_repeat_runs() -> None:
    TROUBLES["work"] = ElementNotFound("Nothing matches.")
    async with dialogue() as client:
        assert (await ask(client))["code"] == -32012
        TROUBLES.clear()
        assert (await ask(client))["count"] == 2
        assert (await ask(client))["count"] == 2


async def test_what_was_refused_before_it_began_may_be_mended() -> None:
    async with dialogue() as client:
        assert (await ask(client, size="large"))["code"] == -32602
        assert (await ask(client, "no/such"))["code"] == -32601
        assert (await ask(client, "test/full"))["code"] == -32003
        assert (await ask(client))["count"] == 1


async def test_what_may_have_acted_is_not_done_again_when_its_time_was_over(
    autojump_clock: trio.testing.MockClock,
) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        first = await ask(client, name="slow", timeout=1000)
        assert (first["code"], first["data"]["retryable"]) == (-32016, True)
        again = await ask(client, name="slow", timeout=1000)
        assert (again["code"], again["data"]["retryable"]) == (-32016, False)
        assert "new idempotencyKey" in again["data"]["recoveryHint"]
        assert again["data"]["details"] == first["data"]["details"]
        assert done == ["slow"]
        TROUBLES["torn"] = ExecutionContextDestroyed("The page went on.")
        codes = [(await ask(client, name="torn", key="other"))["code"] for _ in range(2)]
        assert (codes, done) == ([-32018] * 2, ["slow", "torn"])


async def test_what_only_looks_or_never_began_is_done_again(autojump_clock: trio.testing.MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        for _ in range(2):
            assert (await ask(client, "test/look", name="slow", timeout=1000))["code"] == -32016
        assert done == ["slow", "slow"]
        await client.ask(2, "test/work", name="slow")
        assert (await ask(client, name="late", key="late", timeout=1000))["code"] == -32016
        GATES["slow"].set()
        await client.hear()
        assert (await ask(client, name="late", key="late", timeout=1000))["count"] == 4


async def test_what_the_client_has_cancelled_it_may_ask_for_again(autojump_clock: trio.testing.MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        await client.ask("a", "test/work", name="slow", idempotencyKey="k")
        await client.ask("b", "test/work", name="slow", idempotencyKey="k")
        await trio.testing.wait_all_tasks_blocked()
        assert done == ["slow"]
        await client.say({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "a"}})
        reply = await client.hear()
        assert (reply["id"], reply["error"]["code"]) == ("a", -32051)
        await trio.testing.wait_all_tasks_blocked()
        assert done == ["slow", "slow"]
        GATES["slow"].set()
        assert (await client.hear())["result"]["count"] == 2


async def test_a_repeat_that_runs_has_its_own_time(autojump_clock: trio.testing.MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        for id_ in ("a", "b"):
            await client.ask(id_, "test/work", name="slow", timeout=1000, idempotencyKey="k")
        await trio.sleep(0.9)
        await client.say({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "a"}})
        assert (await client.hear())["id"] == "a"
        await trio.sleep(0.9)
        GATES["slow"].set()
        assert (await client.hear())["result"]["count"] == 2


async def test_a_page_whose_opening_was_cancelled_is_not_meant_from_then_on(
    autojump_clock: trio.testing.MockClock,
) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        await client.ask("a", "test/open", name="slow", idempotencyKey="k")
        await trio.testing.wait_all_tasks_blocked()
        assert client.session.active == "page-1"
        await client.connection._cancel("a")
        assert client.session.active is None


async def test_a_repeat_that_is_cancelled_leaves_the_first_alone(autojump_clock: trio.testing.MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        await client.ask("a", "test/work", name="slow", idempotencyKey="k")
        await client.ask("b", "test/work", name="slow", idempotencyKey="k")
        await client.say({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "b"}})
        reply = await client.hear()
        assert (reply["id"], reply["error"]["code"]) == ("b", -32051)
        GATES["slow"].set()
        assert (await client.hear())["result"]["count"] == 1
        assert done == ["slow"]


async def test_the_session_remembers_beyond_the_connection(autojump_clock: trio.testing.MockClock) -> None:
    async with dialogue() as client:
        first = await ask(client)
        await client.hang_up()
        async with reconnected(client) as again:
            assert await ask(again) == first
            assert done == ["work"]


async def test_what_was_cut_short_by_the_end_of_its_connection_is_not_done_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    GATES["slow"] = trio.Event()
    async with dialogue() as client:
        await client.ask(1, "test/work", name="slow", idempotencyKey="k")
        await client.ask(2, "test/look", name="slow", idempotencyKey="look", pageId="p2")
        await client.ask(3, "test/work", name="queued", idempotencyKey="queued")
        await trio.testing.wait_all_tasks_blocked()
        await client.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        done.clear()
        GATES.clear()
        async with reconnected(client) as again:
            cut = await ask(again, name="slow")
            assert (cut["code"], cut["data"]["retryable"], done) == (-32051, False, [])
            assert "new idempotencyKey" in cut["data"]["recoveryHint"]
            assert (await ask(again, "test/look", name="slow", key="look", pageId="p2"))["count"] == 1
            assert (await ask(again, name="queued", key="queued"))["count"] == 2


async def test_a_sequence_is_repeated_as_a_whole() -> None:
    steps = [{"action": "test/work", "params": {"idempotencyKey": "inner"}}] * 2
    async with dialogue() as client:
        first = await ask(client, "agent/act", steps=steps)
        assert await ask(client, "agent/act", steps=steps) == first
        assert [step["result"]["count"] for step in first["results"]] == [1, 2]
        assert (await ask(client, key="inner"))["count"] == 3


async def test_a_result_that_is_too_large_is_not_kept_but_not_made_again() -> None:
    async with dialogue() as client:
        assert (await ask(client, size=MAX_ANSWER_BYTES))["count"] == 1
        error = await ask(client, size=MAX_ANSWER_BYTES)
        assert (error["code"], error["data"]["retryable"], done) == (-32024, False, ["work"])
        assert error["data"]["details"]["limit"] == MAX_ANSWER_BYTES


async def test_the_oldest_are_forgotten_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency_records, "MAX_REMEMBERED", 3)
    async with dialogue() as client:
        for key in "abcd":
            await ask(client, key=key)
        assert [(await ask(client, key=key))["count"] for key in "bcd"] == [2, 3, 4]
        assert (await ask(client, key="a"))["count"] == 5


async def test_large_results_push_others_out() -> None:
    size = MAX_ANSWER_BYTES - 100
    fit = MAX_BYTES // size
    async with dialogue() as client:
        for number in range(fit + 1):
            await ask(client, key=str(number), size=size)
        store = client.session.idempotency
        assert store.kept_bytes <= MAX_BYTES
        assert store.kept_bytes == sum(entry.answer.kept_bytes for entry in store._over.values() if entry.answer)
        acted = list(done)
        assert (await ask(client, key="0", size=size))["code"] == -32024  # what it did is not done again
        assert ((await ask(client, key="1", size=size))["count"], done) == (2, acted)


async def test_the_answers_of_all_sessions_of_an_owner_have_one_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(idempotency_records, "MAX_OWNER_BYTES", 250)
    owner = OwnerAnswers()
    one, two, other = IdempotencyRecords(owner), IdempotencyRecords(owner), IdempotencyRecords(OwnerAnswers())
    answer = RecordedAnswer(b"x" * 100, 100)
    for records, key in ((one, "a"), (other, "z"), (two, "b"), (one, "c")):
        records.end(records.begin(key, b""), answer)
    assert [one.kept_bytes, two.kept_bytes, other.kept_bytes] == [100, 100, 100]
    kept = [entry.answer for entry in (one.find("a", b""), one.find("b", b""), one.find("c", b"")) if entry]
    assert kept == [RecordedAnswer(None, 100), answer]
    with pytest.raises(ResourceLimitExceeded):
        RecordedAnswer(None, 100).replay()
    one.clear()
    two.end(two.begin("d", b""), answer)
    assert two.kept_bytes == 200


async def test_a_session_that_is_shut_down_forgets() -> None:
    async with dialogue() as client:
        await ask(client)
        await ask(client, "shutdown", key="end")
        refused = await ask(client)
        assert refused["code"] == -32001
        agreed = await ask(client, "initialize", key="begin", protocolVersion="1.0")
        assert agreed["capabilities"]["features"]["idempotencyKeys"] is True
        assert (await ask(client))["count"] == 2
        await ask(client, "shutdown", key="end")
        assert client.session.ended


async def test_a_server_that_goes_away_answers_no_repeats() -> None:
    async with dialogue(Config(drain_timeout_s=1)) as client:
        await ask(client)
        client.session.draining = True
        assert (await ask(client))["code"] == -32000


@pytest.mark.parametrize("junk", [["x"] * 30_001, {str(number): 1 for number in range(30_001)}, [[1] * 200] * 200])
async def test_params_of_too_many_values_have_no_digest(junk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    digested: list[bytes] = []
    dump_sorted = wire.dump_sorted

    def note(value: Any) -> bytes:
        digested.append(dump_sorted(value))
        return digested[-1]

    monkeypatch.setattr(wire, "dump_sorted", note)
    async with dialogue() as client:
        error = await ask(client, junk=junk)
        assert (error["code"], error["data"]["details"]["path"], digested) == (-32602, "idempotencyKey", [])
        assert (await ask(client, junk=["x"] * 29_000))["data"]["details"]["path"] == "junk"
        assert len(digested) == 1


def test_a_storage_state_of_the_largest_size_has_a_digest() -> None:
    cookie = dict.fromkeys(("name", "value", "domain", "path", "expires", "httpOnly", "secure", "sameSite", "k"), "x")
    items = [{"name": "a", "value": "b"}] * 50
    origins = [{"origin": "https://a.example", "localStorage": items, "sessionStorage": []}] * 100
    assert digest_of("storage/setState", {"state": {"cookies": [cookie] * 1000, "origins": origins}})
