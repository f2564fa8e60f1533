"""Sessions among hostile clients and bad luck: attempts that fail half-way, failures that nobody waits for, floods."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
import trio.testing
from trio.testing import MockClock

from agentbrowser.browser.capacity import CapacityExceeded
from agentbrowser.browser.portal import PortalClosed
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.policy.urls import REDACTED
from agentbrowser.protocol.errors import AgentBrowserError, InternalError
from agentbrowser.protocol.registry import METHODS, Scope, method
from agentbrowser.protocol.types.snapshot import PageSnapshot, SessionSnapshot
from agentbrowser.server.corridor.connection import Connection
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.sessions import idempotency_records
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.snapshots import SessionSnapshots
from agentbrowser.server.sessions.sqlite_store import SqliteStore
from agentbrowser.server.sessions.store import SessionStore
from tests.loop.memory_client import HEARING_S, FakeSnapshots
from tests.loop.scripted_server import ONE, OPEN, Guest, Inn, SessionProxy, open_inn, tabs_of
from tests.loop.sessions.test_sessions import back, is_unknown, log, lost

PAGES = [PageSnapshot(page_id="page-1", url="https://good.example/", context_id="default")]
SNAPSHOT = SessionSnapshot(pages=PAGES, active="page-1")
GATE = "gate"


@attrs.frozen(kw_only=True)
class WorkParams:
    name: str = ""
    page_id: str | None = None


@attrs.frozen(kw_only=True)
class WorkResult:
    name: str
    count: int = 1


gate = trio.Event()


@pytest.fixture(autouse=True)
def _methods() -> Iterator[None]:
    global gate
    gate = trio.Event()

    async def work(tabs: Any, params: WorkParams) -> WorkResult:
        if params.name == GATE:
            await gate.wait()
        return WorkResult(name=params.name)

    before = dict(METHODS)
    method("test/work", WorkParams, scope=Scope.STANDARD)(work)
    yield
    METHODS.clear()
    METHODS.update(before)


@pytest.fixture
def directory(tmp_path: Path) -> str:
    return str(tmp_path / "state")


def fail_once(monkeypatch: pytest.MonkeyPatch, kind: type, name: str, error: Exception) -> list[Exception]:
    """Have a method raise the error at its next call, and return what is left to raise."""
    left, whole = [error], getattr(kind, name)

    def instead(*args: Any, **params: Any) -> Any:
        if left:
            raise left.pop()
        return whole(*args, **params)

    monkeypatch.setattr(kind, name, instead)
    return left


async def written(monkeypatch: pytest.MonkeyPatch, store: SessionStore, grant: Grant = OPEN) -> str:
    """Have a server write down a session with a page, and end it; return the secret."""
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        guest = await inn.guest(grant)
        secret = str((await guest.initialize())["sessionSecret"])
        tabs_of(inn.opened[0]).contexts.snapshots.snapshot = SNAPSHOT
        inn.opened[0].active = SNAPSHOT.active
        await inn.server.drain()
    return secret


# Attempts that fail half-way


@pytest.mark.parametrize("grant", [OPEN, ONE], ids=["open", "token"])
@pytest.mark.parametrize(("kind", "name"), [(FakeSnapshots, "begin"), (Session, "set_subscriptions")])
async def test_a_failed_initialize_can_be_repeated(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, grant: Grant, kind: type, name: str
) -> None:
    asking: Any = {"capabilities": {"events": ["console"]}}
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest(grant)
        left = fail_once(monkeypatch, kind, name, PortalClosed())
        assert (await guest.initialize(**asking))["code"] == -32010
        assert not left
        told = await guest.initialize(**asking)
        assert told["sessionId"] == "s"
        assert (await guest.call("test/work", name="it"))["name"] == "it"
        assert guest.code is None
        assert sum(map(len, inn.server.sessions._known.values())) == 1
        await guest.hang_up()
        guest, told = await back(inn, told.get("sessionSecret"), grant)
        assert told["restored"] == "warm"
        await trio.testing.wait_all_tasks_blocked()
        assert inn.open_pages == 1


async def test_a_failed_return_can_be_repeated(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    asking: Any = {"capabilities": {"events": ["console"]}}
    async with open_inn(monkeypatch) as inn:
        secret = await lost(inn)
        log(inn, "a", "b")
        fail_once(monkeypatch, Session, "set_subscriptions", PortalClosed())
        guest, refused = await back(inn, secret, lastEvent=0, **asking)
        assert refused["code"] == -32010
        assert (await guest.initialize(sessionSecret=secret, lastEvent=0, **asking))["restored"] == "warm"
        log(inn, "c")
        assert [(await guest.note())["params"]["seq"] for _ in range(3)] == [1, 2, 3]
        await trio.testing.wait_all_tasks_blocked()
        assert (guest.code, inn.open_pages) == (None, 1)


async def test_a_client_that_cancels_its_return_gets_the_pages_when_it_asks_again(
    monkeypatch: pytest.MonkeyPatch, directory: str
) -> None:
    store = SqliteStore.open(directory)
    secret = await written(monkeypatch, store)
    asked = trio.Event()

    async def reopen(snapshots: FakeSnapshots, snapshot: SessionSnapshot) -> list[str]:
        asked.set()
        await gate.wait()
        snapshots.reopened.append(snapshot)
        return []

    monkeypatch.setattr(FakeSnapshots, "reopen", reopen)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        guest = await inn.guest()
        id_ = await guest.send("initialize", sessionId="s", sessionSecret=secret)
        await asked.wait()
        cancel = f'{{"jsonrpc":"2.0","method":"$/cancelRequest","params":{{"id":{id_}}}}}'
        await guest.transport.send(cancel.encode())
        assert (await guest.answer(id_))["error"]["code"] == -32051
        told = await guest.initialize(sessionSecret=secret)
        assert told["restored"] == "cold"
        worked = await guest.send("test/work", name="after", pageId="page-1")
        gate.set()  # and what means the pages waits for them
        assert (await guest.answer(worked))["result"]["name"] == "after"
        assert guest.code is None
        assert [len(tabs_of(session).contexts.snapshots.reopened) for session in inn.opened] == [0, 1]
        assert inn.open_pages == 1
    await store.close()


@pytest.mark.parametrize(
    "error", [InternalError("no luck"), CapacityExceeded("The server is full.")], ids=["fault", "full"]
)
@pytest.mark.parametrize("stays", [True, False])
async def test_pages_that_could_not_be_opened_are_tried_again(
    monkeypatch: pytest.MonkeyPatch, directory: str, stays: bool, error: AgentBrowserError
) -> None:
    store = SqliteStore.open(directory)
    secret = await written(monkeypatch, store)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        fail_once(monkeypatch, FakeSnapshots, "reopen", error)
        guest, refused = await back(inn, secret)
        assert refused["code"] == error.code
        if not stays:
            await guest.hang_up()
            guest = await inn.guest()
        assert (await guest.initialize(sessionSecret=secret))["restored"] == "cold"
        await trio.testing.wait_all_tasks_blocked()
        assert [one.pages for one in tabs_of(inn.opened[-1]).contexts.snapshots.reopened] == [PAGES]
        assert inn.open_pages == 1
    await store.close()


@pytest.mark.parametrize("turns", range(8))
async def test_who_comes_back_in_the_moment_of_the_end_has_all_or_nothing(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, turns: int
) -> None:
    async with open_inn(monkeypatch, session_ttl_s=300) as inn:
        secret = await lost(inn)
        end_s = trio.current_time() + 300
        guest = await inn.guest()
        await trio.sleep_until(end_s - 1e-9 * (turns % 2))
        for _ in range(turns // 2):
            await trio.lowlevel.checkpoint()
        told = await guest.initialize(sessionSecret=secret)
        await trio.sleep(1)
        assert (told.get("restored") == "warm") is not is_unknown(told)
        assert [tabs_of(session).closed for session in inn.opened] == [is_unknown(told), not is_unknown(told)]
        assert inn.server.sessions.parked == 0
        assert (await guest.call("test/work", name="it"))["name"] == "it"


async def test_who_comes_back_while_its_session_is_closed_does_not_get_that(
    monkeypatch: pytest.MonkeyPatch, directory: str
) -> None:
    store = SqliteStore.open(directory)
    taking, closed = trio.Event(), trio.Event()

    async def close(door: SessionProxy) -> None:
        closed.set()

    async def take(snapshots: FakeSnapshots) -> SessionSnapshot:
        taking.set()
        await gate.wait()
        return SNAPSHOT

    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store), session_ttl_s=0) as inn:
        first = await inn.guest()
        secret = (await first.initialize())["sessionSecret"]
        monkeypatch.setattr(FakeSnapshots, "take", take)
        monkeypatch.setattr(SessionProxy, "close", close)
        await first.transport.close()
        await taking.wait()
        second, told = await back(inn, secret)
        assert is_unknown(told)  # it is not yet written down
        gate.set()
        with trio.fail_after(HEARING_S):
            await closed.wait()
        assert [tabs_of(session).closed for session in inn.opened] == [True, False]
        assert (await second.initialize("t"))["sessionId"] == "t"
    await store.close()


# Browsers and connections that are lost


async def test_a_snapshot_is_not_replaced_by_one_of_nothing(monkeypatch: pytest.MonkeyPatch, directory: str) -> None:
    store = SqliteStore.open(directory)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        snapshots = tabs_of(inn.opened[0]).contexts.snapshots
        assert snapshots.show is not None
        snapshots.show(SNAPSHOT)
        snapshots.snapshot = None  # the browser is lost
        await guest.hang_up()
        await inn.server.drain()
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        assert (await back(inn, secret))[1]["restored"] == "cold"
        assert [one.pages for one in tabs_of(inn.opened[-1]).contexts.snapshots.reopened] == [PAGES]
    await store.close()


async def test_who_was_away_when_its_browser_died_is_told(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        secret = await lost(inn)
        snapshots = tabs_of(inn.opened[0]).contexts.snapshots
        assert snapshots.lose is not None
        snapshots.lose()
        guest, told = await back(inn, secret)
        assert told["restored"] == "cold"
        snapshots.lose()  # while it is there, events tell it
        await guest.hang_up()
        assert (await back(inn, secret))[1]["restored"] == "warm"


@pytest.mark.parametrize("name", ["take", "reopen"])
async def test_a_failure_that_nobody_waits_for_does_not_end_the_server(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, name: str
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        snapshots = tabs_of(inn.opened[0]).contexts.snapshots
        assert snapshots.show is not None
        assert snapshots.lose is not None
        snapshots.show(SNAPSHOT)
        left = fail_once(monkeypatch, FakeSnapshots, name, RuntimeError("a fault of ours"))
        snapshots.lose()
        await guest.hang_up()
        await trio.testing.wait_all_tasks_blocked()
        assert not left
        assert (await back(inn, secret))[1]["sessionId"] == "s"


async def test_a_door_is_closed_though_its_pages_are_not(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch, session_ttl_s=5) as inn:
        await lost(inn)
        fail_once(monkeypatch, Session, "end", RuntimeError("a fault of ours"))
        await trio.sleep(6)
        await trio.testing.wait_all_tasks_blocked()
        door: Any = inn.opened[0].session_proxy
        assert door.closed
        assert (await (await inn.guest()).initialize())["sessionSecret"]


async def test_a_fault_in_a_connection_parks_its_session(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    failed = trio.Event()

    async def serve(inn: Inn, guest: Guest, grant: Grant) -> None:
        try:
            await inn.server.serve(guest.peer, grant)
        except* RuntimeError:  # the gate closes it with 1011
            failed.set()

    monkeypatch.setattr(Inn, "_serve", serve)
    async with open_inn(monkeypatch) as inn:
        first, second = await inn.guest(), await inn.guest()
        secret = (await first.initialize())["sessionSecret"]
        assert (await second.initialize("t"))["sessionSecret"]
        left = fail_once(monkeypatch, Connection, "_cancel", RuntimeError("a fault of ours"))
        await first.transport.send(b'{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}')
        with trio.fail_after(HEARING_S):
            await failed.wait()
        assert not left
        assert inn.server.sessions.parked == 1
        assert (await second.call("test/work", name="it"))["name"] == "it"
        assert (await back(inn, secret))[1]["restored"] == "warm"


# What is bounded


async def test_requests_of_lost_connections_do_not_add_up(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    monkeypatch.setattr(idempotency_records, "MAX_UNDER_WAY", 2)
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        for key in ("a", "b"):
            await guest.send("test/work", name=GATE, idempotencyKey=key)
        await trio.testing.wait_all_tasks_blocked()
        await guest.hang_up()
        guest, _ = await back(inn, secret)
        refused = await guest.call("test/work", name="more", idempotencyKey="c")
        assert (refused["code"], refused["data"]["retryable"]) == (-32000, True)
        again = await guest.send("test/work", name=GATE, idempotencyKey="a")
        gate.set()
        assert (await guest.answer(again))["result"]["name"] == GATE
        assert (await guest.call("test/work", idempotencyKey="b", name=GATE))["name"] == GATE
        assert (await guest.call("test/work", name="more", idempotencyKey="c"))["name"] == "more"


async def test_a_session_waits_no_longer_than_its_token_holds(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    grant = Grant(Scope.STANDARD, "short", digest=b"short", expires_s=time.time() + 50)
    async with open_inn(monkeypatch, session_ttl_s=300) as inn:
        await lost(inn, grant)
        assert inn.server.sessions.parked == 1
        await trio.sleep(51)
        await trio.testing.wait_all_tasks_blocked()
        assert (inn.server.sessions.parked, inn.open_pages) == (0, 0)


async def test_a_session_that_is_shut_down_while_it_catches_up_leaves_nothing_to_the_next(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        secret = await lost(inn)
        log(inn, *map(str, range(100)))
        guest, _ = await back(inn, secret)
        ended = await guest.send("shutdown")
        assert (await guest.answer(ended))["result"] == {}
        assert (await guest.initialize("t"))["sessionSecret"]
        heard = len(guest.notes)
        assert heard < 100
        log(inn, "new")
        texts = [(await guest.note())["params"]["text"] for _ in range(heard + 1)]
        assert texts == [*map(str, range(heard)), "new"]


# What the operator entrusts


async def test_a_secret_is_not_told_after_a_cold_start_either(monkeypatch: pytest.MonkeyPatch, directory: str) -> None:
    vault = SecretStore(
        (Secret(name="pw", value="kanari-bird", origins=(OriginPattern.parse("https://good.example"),)),)
    )
    store = SqliteStore.open(directory)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store), secrets=vault) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        snapshots = tabs_of(inn.opened[0]).contexts.snapshots
        assert snapshots.show is not None
        snapshots.show(SNAPSHOT)
        snapshots.snapshot = None
        inn.opened[0].add_secrets(vault.secrets)
        await inn.server.drain()
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store), secrets=vault) as inn:
        guest, told = await back(inn, secret)
        assert told["restored"] == "cold"
        assert (await guest.call("test/work", name="it is kanari-bird"))["name"] == f"it is {REDACTED}"
    await store.close()
    assert b"kanari-bird" not in (Path(directory) / "sessions.db").read_bytes()


@pytest.mark.parametrize("cause", ["store", "snapshot"])
async def test_state_that_is_not_kept_is_not_said_to_be(
    monkeypatch: pytest.MonkeyPatch, directory: str, cause: str
) -> None:
    store = SqliteStore.open(directory)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        guest = await inn.guest()
        secret = (await guest.initialize())["sessionSecret"]
        snapshots = tabs_of(inn.opened[0]).contexts.snapshots
        if cause == "store":
            store._db.execute("ALTER TABLE sessions RENAME TO others")
        else:
            snapshots.snapshot = None
        refused = await guest.call("shutdown", saveState=True)
        assert (refused["code"], refused["message"][:9]) == (-32000, "The state")
        assert (await guest.call("test/work", name="on"))["name"] == "on"
        if cause == "store":
            store._db.execute("ALTER TABLE others RENAME TO sessions")
        snapshots.snapshot = SNAPSHOT
        assert await guest.call("shutdown", saveState=True) == {}
        assert (await guest.initialize(sessionSecret=secret))["restored"] == "cold"
    await store.close()
