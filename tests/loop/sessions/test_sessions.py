"""Sessions that outlive their connections: parked, resumed, taken over, over. The browser is scripted."""

from collections.abc import Iterator
from typing import Any

import attrs
import pytest
import trio
import trio.testing
from trio.testing import MockClock

from agentbrowser.protocol.registry import METHODS, Scope, method
from agentbrowser.protocol.types.event import ConsoleEvent, PageEvent
from agentbrowser.protocol.types.fields import milliseconds
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.sessions import event_backlog, sessions
from agentbrowser.server.sessions.event_backlog import EventBacklog
from tests.loop.memory_client import HEARING_S, FakeTabs
from tests.loop.scripted_server import ONE, OPEN, TWO, Guest, Inn, open_inn, tabs_of

begun: list[str] = []
done: list[str] = []
GATES: dict[str, trio.Event] = {}


@attrs.frozen(kw_only=True)
class WorkParams:
    name: str = "work"
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class WorkResult:
    count: int
    page_id: str | None = None


async def work(tabs: Any, params: WorkParams) -> WorkResult:
    """Wait for the gate of that name."""
    begun.append(params.name)
    if params.name in GATES:
        await GATES[params.name].wait()
    done.append(params.name)
    return WorkResult(count=len(done), page_id=params.page_id)


@pytest.fixture(autouse=True)
def _methods() -> Iterator[None]:
    before = dict(METHODS)
    for script in (begun, done, GATES):
        script.clear()
    method("test/work", WorkParams, scope=Scope.STANDARD)(work)
    yield
    METHODS.clear()
    METHODS.update(before)


def log(inn: Inn, *texts: str, of: int = 0) -> None:
    """Have a page of a session write to the console."""
    inn.opened[of].receive_events(
        [ConsoleEvent(page_id="p", type="log", text=text, level="info") for text in texts], {}
    )


async def back(inn: Inn, secret: str | None, grant: Grant = OPEN, id_: str = "s", **params: Any) -> tuple[Guest, Any]:
    """Come back, with the secret if there is one, and return what was answered."""
    guest = await inn.guest(grant)
    proof = {} if secret is None else {"sessionSecret": secret}
    return guest, await guest.initialize(id_, **proof, **params)


async def lost(inn: Inn, grant: Grant = OPEN, id_: str = "s") -> str:
    """Begin a session, open a page, lose the connection, and return the secret."""
    guest = await inn.guest(grant)
    secret = (await guest.initialize(id_))["sessionSecret"]
    inn.opened[-1].receive_events([PageEvent(type="created", page_id="page-1")], {})
    assert (await guest.call("test/work"))["count"]
    await guest.hang_up()
    return str(secret)


def is_unknown(answer: Any) -> bool:
    return bool(answer.get("code") == -32602 and answer["data"]["details"].get("reason") == "session")


async def test_a_client_without_an_id_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        told = await guest.call("initialize")
        assert not {"sessionId", "sessionSecret", "restored", "missed"} & told.keys()
        await guest.hang_up()
        assert inn.open_pages == 0
        assert inn.opened[0].session_proxy.closed  # type: ignore[union-attr]


async def test_a_client_that_is_back_has_what_it_had(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        first = await guest.initialize()
        assert (first["sessionId"], first.get("restored")) == ("s", None)
        assert len(first["sessionSecret"]) >= 22
        await guest.call("events/subscribe", events=["page"])
        named = (await guest.call("test/work"))["pageId"]
        inn.opened[0].private_open = True
        await guest.hang_up()
        assert (inn.open_pages, inn.server.sessions.parked) == (1, 1)

        guest, again = await back(inn, first["sessionSecret"])
        assert (again["restored"], again["sessionSecret"]) == ("warm", first["sessionSecret"])
        assert (await guest.call("test/work"))["pageId"] == named
        assert "page" in (await guest.call("events/subscribe", events=["console"]))["subscribed"]
        assert inn.opened[0].private_open
        await trio.testing.wait_all_tasks_blocked()
        assert [tabs_of(session).closed for session in inn.opened] == [False, True]
        assert (await guest.call("initialize"))["code"] == -32002
        assert inn.server.sessions.parked == 0


async def test_a_session_waits_so_long_and_no_longer(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch, session_ttl_s=300) as inn:
        secret = await lost(inn)
        await trio.sleep(299)
        guest, told = await back(inn, secret)
        assert told["restored"] == "warm"
        await trio.sleep(1000)  # with a client it does not end
        await guest.hang_up()
        await trio.sleep(301)
        await trio.testing.wait_all_tasks_blocked()
        assert (inn.open_pages, inn.server.sessions.parked) == (0, 0)
        assert inn.opened[0].session_proxy.closed  # type: ignore[union-attr]
        _, told = await back(inn, secret)
        assert is_unknown(told)


@pytest.mark.parametrize("setting", [{"session_ttl_s": 0}, {"max_parked": 0}], ids=str)
async def test_nothing_is_parked_where_the_operator_says_so(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, setting: Any
) -> None:
    async with open_inn(monkeypatch, **setting) as inn:
        guest = await inn.guest()
        assert (await guest.initialize())["capabilities"]["features"]["sessions"] is False
        await guest.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        assert inn.open_pages == 0


@pytest.mark.parametrize(
    ("owner", "other", "id_", "secret"),
    [
        (OPEN, OPEN, "s", "wrong"),
        (ONE, ONE, "s", "wrong"),
        (OPEN, OPEN, "other", "right"),
        (OPEN, OPEN, "other", "wrong"),
        (ONE, TWO, "s", "right"),
        (ONE, OPEN, "s", "right"),
        (OPEN, ONE, "s", "right"),
    ],
)
async def test_a_session_is_given_to_nobody_else(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, owner: Grant, other: Grant, id_: str, secret: str
) -> None:
    async with open_inn(monkeypatch) as inn:
        right = await lost(inn, owner)
        guest, told = await back(inn, right if secret == "right" else "A" * 22, other, id_)
        assert is_unknown(told)
        assert set(told["data"]["details"]) == {"path", "reason", "expected"}
        assert (await guest.initialize("mine"))["sessionId"] == "mine"
        assert (await back(inn, right, owner))[1]["restored"] == "warm"


@pytest.mark.parametrize(("grant", "other"), [(OPEN, OPEN), (ONE, TWO), (ONE, OPEN)])
async def test_without_the_secret_or_the_token_the_id_names_another_session(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, grant: Grant, other: Grant
) -> None:
    async with open_inn(monkeypatch) as inn:
        right = await lost(inn, grant)
        _, told = await back(inn, None, other)
        assert told.get("restored") is None
        assert told["sessionSecret"] != right
        assert (await back(inn, right, grant))[1]["restored"] == "warm"


async def test_a_client_that_knows_no_secrets_comes_back_by_its_token(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        secret = await lost(inn, ONE)
        guest, told = await back(inn, None, ONE)
        assert told["restored"] == "warm"
        assert "sessionSecret" not in told
        await guest.hang_up()
        guest, told = await back(inn, secret, ONE)
        assert told["restored"] == "warm"
        await guest.hang_up()
        _, told = await back(inn, None, ONE)  # one that has shown its secret has to
        assert told.get("restored") is None


@pytest.mark.parametrize(
    ("params", "path"),
    [
        ({"sessionId": ""}, "sessionId"),
        ({"sessionId": "a" * 129}, "sessionId"),
        ({"sessionId": "a b"}, "sessionId"),
        ({"sessionId": "ä"}, "sessionId"),
        ({"sessionId": "a\n"}, "sessionId"),
        ({"sessionId": 7}, "sessionId"),
        ({"sessionId": "s", "sessionSecret": ""}, "sessionSecret"),
        ({"sessionId": "s", "lastEvent": -1}, "lastEvent"),
        ({"sessionSecret": "x"}, "sessionId"),
        ({"lastEvent": 1}, "sessionId"),
    ],
)
async def test_what_no_session_is_called(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, params: Any, path: str
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        refused = await guest.call("initialize", **params)
        assert (refused["code"], refused["data"]["details"]["path"]) == (-32602, path)
        assert (await guest.initialize("A.b_c-9" + "x" * 121))["sessionSecret"]


async def test_a_second_connection_takes_over(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with open_inn(monkeypatch) as inn:
        first = await inn.guest()
        secret = (await first.initialize())["sessionSecret"]
        await first.send("test/work", name="slow")
        await trio.testing.wait_all_tasks_blocked()
        second, told = await back(inn, secret)
        assert told["restored"] == "warm"
        with trio.fail_after(HEARING_S):
            await first.gone.wait()
        assert first.code == 4001
        assert (await second.call("test/work"))["count"] == 1  # the slow one was stopped, and left its place
        assert (begun, done) == (["slow", "work"], ["work"])
        assert inn.open_pages == 1


async def test_of_two_that_come_back_at_once_one_has_the_session(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        secret = await lost(inn)
        guests = [await inn.guest() for _ in range(5)]
        for guest in guests:
            await guest.send("initialize", sessionId="s", sessionSecret=secret)
        await trio.testing.wait_all_tasks_blocked()
        winners = [guest for guest in guests if guest.code is None]
        assert [guest.code for guest in guests].count(4001) == 4
        (winner,) = winners
        assert (await winner.answer(1))["result"]["restored"] == "warm"
        assert (await winner.call("test/work"))["pageId"] == "page-1"
        assert inn.open_pages == 1


async def test_one_that_is_back_before_its_loss_is_noticed(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    GATES["slow"] = trio.Event()
    async with open_inn(monkeypatch) as inn:
        first = await inn.guest()
        secret = (await first.initialize())["sessionSecret"]
        await first.send("test/work", name="slow")
        await trio.testing.wait_all_tasks_blocked()
        async with trio.open_nursery() as nursery:  # the end of the one and the request of the other, in one turn
            nursery.start_soon(first.hang_up)
            _, told = await back(inn, secret)
        assert told["restored"] == "warm"
        assert inn.server.sessions.parked == 0
        assert inn.open_pages == 1


async def test_what_is_in_flight_stops_when_its_connection_is_lost(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    GATES["slow"] = trio.Event()
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        await guest.send("test/work", name="slow")
        await trio.testing.wait_all_tasks_blocked()
        await guest.hang_up()
        GATES["slow"].set()
        guest, _ = await back(inn, secret)
        assert (await guest.call("test/work"))["count"] == 1
        assert done == ["work"]


@pytest.mark.parametrize("is_taken_over", [False, True])
async def test_what_has_a_key_goes_on_and_is_answered_later(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, is_taken_over: bool
) -> None:
    GATES["slow"] = trio.Event()
    asking = {"name": "slow", "idempotencyKey": "k"}
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        await guest.send("test/work", **asking)
        await trio.testing.wait_all_tasks_blocked()
        if not is_taken_over:
            await guest.hang_up()
        guest, _ = await back(inn, secret)
        early = await guest.send("test/work", **asking)
        other = await guest.send("test/work", name="other")  # on the same page: it waits for the first
        await trio.testing.wait_all_tasks_blocked()
        assert begun == ["slow"]
        GATES["slow"].set()
        answers = {answer["id"]: answer["result"]["count"] for answer in [await guest.hear(), await guest.hear()]}
        assert answers == {early: 1, other: 2}
        assert (await guest.call("test/work", **asking))["count"] == 1
        assert done == ["slow", "other"]


async def test_what_has_a_key_keeps_to_its_deadline(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    GATES["slow"] = trio.Event()
    asking = {"name": "slow", "idempotencyKey": "k", "timeout": 5000}
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        await guest.send("test/work", **asking)
        await trio.testing.wait_all_tasks_blocked()
        await guest.hang_up()
        await trio.sleep(6)
        guest, _ = await back(inn, secret)
        answer = await guest.call("test/work", **asking)
        assert (answer["code"], answer["data"]["retryable"]) == (-32016, False)
        assert (begun, done) == (["slow"], [])


async def test_what_has_a_key_can_be_cancelled(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        await guest.initialize()
        id_ = await guest.send("test/work", name="slow", idempotencyKey="k")
        await trio.testing.wait_all_tasks_blocked()
        cancel = f'{{"jsonrpc":"2.0","method":"$/cancelRequest","params":{{"id":{id_}}}}}'
        await guest.transport.send(cancel.encode())
        assert (await guest.answer(id_))["error"]["code"] == -32051
        assert (await guest.call("test/work"))["count"] == 1


async def test_what_has_a_key_ends_with_its_session(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    GATES["slow"] = trio.Event()
    async with open_inn(monkeypatch, session_ttl_s=1) as inn:
        guest = await inn.guest()
        await guest.initialize()
        await guest.send("test/work", name="slow", idempotencyKey="k")
        await trio.testing.wait_all_tasks_blocked()
        await guest.hang_up()
        await trio.sleep(2)
        GATES["slow"].set()
        await trio.testing.wait_all_tasks_blocked()
        assert (begun, done) == (["slow"], [])


async def test_events_have_numbers_and_come_again(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        log(inn, "a", "b")
        first = [await guest.note() for _ in range(2)]
        assert [(note["params"]["text"], note["params"]["seq"]) for note in first] == [("a", 1), ("b", 2)]
        await guest.hang_up()
        log(inn, "c", "d")
        guest, told = await back(inn, secret, lastEvent=1)  # b was sent, and not heard
        assert "missed" not in told
        log(inn, "e")
        heard = [(await guest.note())["params"] for _ in range(4)]
        assert [(note["text"], note["seq"]) for note in heard] == [("b", 2), ("c", 3), ("d", 4), ("e", 5)]
        log(inn, "f")
        assert (await guest.note())["params"]["seq"] == 6


async def test_who_names_no_event_is_sent_what_came_while_it_was_away(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        log(inn, "a")
        assert (await guest.note())["params"]["seq"] == 1
        await guest.hang_up()
        log(inn, "b")
        guest, _ = await back(inn, secret)
        assert (await guest.note())["params"]["text"] == "b"
        second, _ = await back(inn, secret)  # and who takes over hears none twice
        log(inn, "c")
        assert (await second.note())["params"]["text"] == "c"


async def test_a_family_of_clients_hears_the_backlog_in_its_dialect(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest(ONE)
        await guest.initialize(clientInfo={"name": "bap-client"})
        await guest.hang_up()
        log(inn, "a")
        guest, _ = await back(inn, None, ONE)
        log(inn, "b")
        names = [(await guest.note())["method"] for _ in range(2)]
        assert names == ["event/console"] * 2


async def test_more_events_than_are_kept_are_said_to_be_missed(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    monkeypatch.setattr(event_backlog, "MAX_KEPT", 30)
    async with open_inn(monkeypatch) as inn:
        secret = await lost(inn)
        log(inn, *map(str, range(40)))
        guest, told = await back(inn, secret)
        assert told["missed"] == 10
        await trio.testing.wait_all_tasks_blocked()
        log(inn, *map(str, range(40, 60)))  # while the client takes its time
        heard: list[Any] = []
        while not heard or heard[-1].get("text") != "59":
            heard.append((await guest.note())["params"])
        numbers = [note["seq"] for note in heard if "seq" in note]
        (dropped,) = [note for note in heard if "seq" not in note]
        assert numbers == sorted(set(numbers))
        assert (numbers[0], dropped["kind"]) == (11, "event")
        assert len(numbers) + dropped["count"] == 50
        assert dropped["count"] > 0


async def test_an_event_that_was_not_sent_yet_is_no_cursor(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        secret = await lost(inn)
        guest, told = await back(inn, secret, lastEvent=8)
        assert (told["code"], told["data"]["details"]["path"]) == (-32602, "lastEvent")
        assert (await guest.initialize(sessionSecret=secret, lastEvent=0))["restored"] == "warm"


async def test_without_an_id_events_have_no_numbers(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        await guest.call("initialize")
        log(inn, "a")
        assert "seq" not in (await guest.note())["params"]


async def test_the_backlog_is_bounded_in_bytes(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    monkeypatch.setattr(event_backlog, "MAX_BYTES", 1000)
    kept = EventBacklog()
    for _ in range(10):
        kept.add("console", {"text": "x" * 180})
    first = kept.next(0)
    assert first is not None
    assert first.seq == kept.missed(0) + 1 == 6  # five of about 200 bytes
    kept.add("console", {"text": "x" * 2000})
    assert (kept.missed(0), kept.next(0)) == (11, None)


async def test_what_came_before_initialize_belongs_to_the_new_session(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        named = (await guest.call("test/work"))["pageId"]
        secret = (await guest.initialize())["sessionSecret"]
        await guest.hang_up()
        guest, _ = await back(inn, secret)
        assert (await guest.call("test/work"))["pageId"] == named


async def test_what_comes_after_initialize_means_the_old_session(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        secret = await lost(inn)
        guest = await inn.guest()
        assert (await guest.call("test/work"))["pageId"] == "page-1"  # of its own, which is closed when it is back
        resumed = await guest.send("initialize", sessionId="s", sessionSecret=secret)
        worked = await guest.send("test/work")
        assert (await guest.answer(resumed))["result"]["restored"] == "warm"
        assert (await guest.answer(worked))["result"]["pageId"] == "page-1"
        await trio.testing.wait_all_tasks_blocked()
        assert [tabs_of(session).closed for session in inn.opened] == [False, True]


async def test_shutdown_ends_the_session_for_good(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        assert await guest.call("shutdown") == {}
        again = await guest.initialize(sessionSecret=secret)
        assert is_unknown(again)
        await guest.hang_up()
        assert (inn.open_pages, inn.server.sessions.parked) == (0, 0)


async def test_shutdown_may_leave_the_pages_open(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        refused = await guest.call("shutdown", closePages=False)
        assert (refused["code"], refused["data"]["details"]["path"]) == (-32602, "closePages")
        secret = (await guest.initialize())["sessionSecret"]
        assert await guest.call("shutdown", closePages=False) == {}
        assert inn.server.sessions.parked == 1
        assert (await guest.call("test/work"))["code"] == -32001
        assert (await guest.initialize(sessionSecret=secret))["restored"] == "warm"
        assert inn.server.sessions.parked == 0


async def test_too_many_are_not_parked(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    monkeypatch.setattr(sessions, "LEAST_PARKED_OF_OWNER", 2)
    async with open_inn(monkeypatch, max_parked=3) as inn:
        secrets = [await lost(inn, ONE, f"s{n}") for n in range(3)]
        await trio.testing.wait_all_tasks_blocked()
        assert inn.open_pages == inn.server.sessions.parked == 2
        assert is_unknown((await back(inn, secrets[0], ONE, "s0"))[1])
        others = [await lost(inn, TWO, f"t{n}") for n in range(2)]
        await trio.testing.wait_all_tasks_blocked()
        assert inn.server.sessions.parked == 3
        assert is_unknown((await back(inn, secrets[1], ONE, "s1"))[1])
        assert (await back(inn, secrets[2], ONE, "s2"))[1]["restored"] == "warm"
        assert (await back(inn, others[0], TWO, "t0"))[1]["restored"] == "warm"


async def test_one_owner_may_park_half_of_what_fits(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    monkeypatch.setattr(sessions, "LEAST_PARKED_OF_OWNER", 2)
    async with open_inn(monkeypatch, max_parked=8) as inn:
        for number in range(5):
            await lost(inn, ONE, f"s{number}")
        await trio.testing.wait_all_tasks_blocked()
        assert inn.server.sessions.parked == 4


async def test_a_server_that_ends_closes_what_is_parked(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch, drain_timeout_s=0) as inn:
        await lost(inn)
        guest = await inn.guest()
        await guest.initialize("other")
        await inn.server.drain()
        await trio.testing.wait_all_tasks_blocked()
        assert (inn.open_pages, inn.server.sessions.parked) == (0, 0)
        assert guest.code == 1001


async def test_the_session_of_a_token_that_has_expired_is_not_parked(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest(Grant(Scope.STANDARD, "short", digest=b"short", expires_s=1.0))
        with trio.move_on_after(5):
            await guest.gone.wait()
        assert guest.code == 1008
        assert (inn.open_pages, inn.server.sessions.parked) == (0, 0)


async def test_an_approver_is_asked_once_while_it_is_replaced(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        second, _ = await back(inn, secret)
        assert len(list(inn.server.approvals.sessions())) == 1
        assert (await second.call("test/work"))["count"] == 1


async def test_what_the_end_of_a_session_reports_takes_no_memory_of_its_owner(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        await guest.call("initialize")
        await guest.call("events/subscribe", events=["page"])
        [connection], session = inn.server.connections, inn.opened[0]

        async def close(_: FakeTabs) -> None:
            session.receive_events([PageEvent(type="close", page_id="page-1")], {})

        monkeypatch.setattr(FakeTabs, "close", close)
        await guest.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        assert (len(connection.outbox), connection.outbox.share.waiting_bytes) == (0, 0)


async def test_at_the_end_a_session_that_can_not_be_closed_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        for id_ in ("one", "two"):
            await lost(inn, id_=id_)
        await (await inn.guest()).initialize("three")
        broken = tabs_of(inn.opened[0])

        async def close(tabs: FakeTabs) -> None:
            if tabs is broken:
                raise RuntimeError("a bug")
            await trio.sleep(0.1)
            tabs.closed = True

        monkeypatch.setattr(FakeTabs, "close", close)
        await inn.server.drain()
        assert [tabs_of(session).closed for session in inn.opened] == [False, True, True]
