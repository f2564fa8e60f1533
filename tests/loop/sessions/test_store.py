"""What is written of sessions: in a directory for one user only, bounded, and no failure ends the server."""

import contextlib
import os
import sqlite3
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
import structlog
import trio.testing
from trio.testing import MockClock

from agentbrowser.browser.capacity import CapacityExceeded
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.types.context import ContextOptions
from agentbrowser.protocol.types.event import PageEvent
from agentbrowser.protocol.types.snapshot import ContextSnapshot, PageSnapshot, SessionSnapshot
from agentbrowser.protocol.types.storage import Cookie, OriginState, StorageItem, StorageState
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions import save_queue
from agentbrowser.server.sessions import sqlite_store as stores
from agentbrowser.server.sessions import store as rows
from agentbrowser.server.sessions.lease import Claim
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.sessions import Sessions
from agentbrowser.server.sessions.snapshots import SessionSnapshots, permitted
from agentbrowser.server.sessions.sqlite_store import BadStateDir, SqliteStore, StateDirInUse
from agentbrowser.server.sessions.store import KEPT_S, SavedSession, SessionStore, StoreUnavailable
from tests.loop.memory_client import FakeSnapshots
from tests.loop.scripted_server import ONE, OPEN, TWO, Guest, Inn, open_inn, tabs_of
from tests.loop.sessions.test_sessions import back, is_unknown

ME = Owner("one", b"one")
STORAGE = StorageState(
    cookies=[Cookie(name="user", value="ada", domain="good.example", path="/", expires=4e9, http_only=True)],
    origins=[OriginState(origin="https://good.example", local_storage=[StorageItem(name="a", value="b")])],
)
SNAPSHOT = SessionSnapshot(
    contexts=[
        ContextSnapshot(context_id="default", storage=STORAGE),
        ContextSnapshot(context_id="mine", options=ContextOptions(locale="de-DE")),
    ],
    pages=[
        PageSnapshot(page_id="page-1", url="https://good.example/a?b", context_id="default"),
        PageSnapshot(page_id="page-4", url="https://bad.example/", context_id="mine"),
    ],
    active="page-4",
)


async def found_in(store: SessionStore, owner: Owner, id_: str) -> list[SavedSession]:
    """Return all the sessions that are kept of an owner by that id."""
    passed: set[bytes] = set()
    found_rows: list[SavedSession] = []
    while (found := await store.claim(owner, id_, lambda proof, _: proof not in passed)) is not None:
        found_rows.append(found)
        passed.add(found.proof)
    return found_rows


def row(
    id_: str = "s", snapshot: SessionSnapshot = SNAPSHOT, owner: Owner = ME, proof: bytes = b"proof"
) -> SavedSession:
    return SavedSession(owner, id_, proof, False, snapshot)


@pytest.fixture
def directory(tmp_path: Path) -> str:
    return str(tmp_path / "deep" / "state")


async def test_what_was_written_is_read(directory: str) -> None:
    store = SqliteStore.open(directory)
    await store.save([row(), row("other"), row(proof=b"another")])
    await store.close()
    store = SqliteStore.open(directory)
    assert sorted(found.proof for found in await found_in(store, ME, "s")) == [b"another", b"proof"]
    assert (await found_in(store, ME, "other"))[0].snapshot == SNAPSHOT
    assert await found_in(store, Owner("two", b"one"), "s") == await found_in(store, Owner("one", b"two"), "s") == []
    await store.forget(ME, "s", b"proof")
    assert [found.proof for found in await found_in(store, ME, "s")] == [b"another"]
    await store.close()


@pytest.mark.parametrize("mode", [0o750, 0o701, 0o777])
def test_a_directory_that_others_can_look_into_is_refused(tmp_path: Path, mode: int) -> None:
    tmp_path.chmod(mode)
    with pytest.raises(BadStateDir, match="chmod 700"):
        SqliteStore.open(str(tmp_path))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["a file", "a link"])
def test_what_is_no_directory_of_ours_is_refused(tmp_path: Path, name: str) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "there").write_text("")
    if name == "a link":
        os.symlink(tmp_path / "there", tmp_path / "sessions.db")
    with pytest.raises(BadStateDir):
        SqliteStore.open(str(tmp_path / "there" if name == "a file" else tmp_path))


async def test_the_old_and_the_many_are_let_go(directory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now_s = 1000.0
    monkeypatch.setattr(time, "time", lambda: now_s)
    monkeypatch.setattr(stores, "MAX_KEPT", 2)
    store = SqliteStore.open(directory)
    for name in ("a", "b", "c"):
        now_s += 1
        await store.save([row(name)])
    assert [bool(await found_in(store, ME, name)) for name in ("a", "b", "c")] == [False, True, True]
    now_s += KEPT_S
    assert [bool(await found_in(store, ME, name)) for name in ("b", "c")] == [False, True]
    await store.save([])
    assert store._db.execute("SELECT id FROM sessions").fetchall() == [("c",)]
    await store.close()


async def test_of_a_snapshot_that_is_too_large_the_sites_with_the_most_are_left_out(
    directory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "MAX_SNAPSHOT_BYTES", 1000)
    hosts = ("a.evil.example", "b.evil.example", "10.0.0.9")
    filled = [
        OriginState(origin=f"https://{host}:8443", local_storage=[StorageItem(name="a", value="b" * 600)])
        for host in hosts
    ]
    crumbs = [Cookie(name=str(i), value="c" * 50, domain=".evil.example", path="/") for i in range(5)]
    storage = StorageState(cookies=[*crumbs, *STORAGE.cookies], origins=[*filled, *STORAGE.origins])
    contexts = [attrs.evolve(context, storage=storage) for context in SNAPSHOT.contexts[:1]]
    long = PageSnapshot(page_id="page-5", url="https://evil.example/" + "x" * 200_000, context_id="default")
    snapshot = attrs.evolve(SNAPSHOT, contexts=contexts, pages=[*SNAPSHOT.pages, long])
    store = SqliteStore.open(directory)
    with structlog.testing.capture_logs() as logged:
        await store.save([attrs.evolve(row(), snapshot=snapshot)])
    (found,) = await found_in(store, ME, "s")
    assert found.snapshot.pages == [*SNAPSHOT.pages, attrs.evolve(long, url="about:blank")]
    assert found.snapshot.contexts[0].storage == STORAGE
    assert [line["left_out"] for line in logged] == [["10.0.0.9", "evil.example"]]
    await store.close()


@pytest.mark.parametrize("text", [b"", b"no json", b'{"pages": 7}', b'{"pages": [{}]}'])
async def test_a_snapshot_that_can_t_be_read_is_none(directory: str, text: bytes) -> None:
    store = SqliteStore.open(directory)
    await store.save([row()])
    store._db.execute("UPDATE sessions SET picture = ?", (text,))
    assert await found_in(store, ME, "s") == []
    await store.close()


async def test_a_database_that_fails_ends_nothing(directory: str) -> None:
    store = SqliteStore.open(directory)
    store._db.execute("DROP TABLE sessions")
    for call in (
        partial(store.save, [row()]),
        partial(store.forget, ME, "s", b"proof"),
        partial(found_in, store, ME, "s"),
    ):
        with pytest.raises(StoreUnavailable) as failed:
            await call()
        assert failed.value.retryable
    await store.close()
    with pytest.raises(sqlite3.ProgrammingError):
        store._db.execute("SELECT 1")


def test_what_the_rules_refuse_is_left_out() -> None:
    rules = UrlRules.compile(allowed_domains=["bad.example"], private_network="ask-first", own_ports=[])
    snapshot, refused = permitted(SNAPSHOT, rules)
    assert [page.url for page in snapshot.pages] == ["about:blank", "https://bad.example/"]
    assert [context.storage for context in snapshot.contexts] == [StorageState(), StorageState()]
    assert [context.options for context in snapshot.contexts] == [context.options for context in SNAPSHOT.contexts]
    (event,) = refused
    assert isinstance(event, PageEvent)
    assert (event.type, event.page_id) == ("error", "page-1")
    wide = UrlRules.compile(allowed_domains=None, private_network="ask-first", own_ports=[])
    assert permitted(SNAPSHOT, wide) == (SNAPSHOT, [])


def test_what_was_private_stays_closed_where_the_operator_closes_it() -> None:
    private = SessionSnapshot(
        pages=[PageSnapshot(page_id="page-1", url="http://10.0.0.1/", context_id="default")], private_open=True
    )
    for setting, url in (("ask-first", "http://10.0.0.1/"), ("deny", "about:blank")):
        rules = UrlRules.compile(allowed_domains=None, private_network=setting, own_ports=[])  # type: ignore[arg-type]
        assert permitted(private, rules)[0].pages[0].url == url


async def seen(inn: Inn, guest: Guest, snapshot: SessionSnapshot = SNAPSHOT) -> str:
    """Begin a session whose browser looks like that, and return its secret."""
    secret = str((await guest.initialize())["sessionSecret"])
    snapshots = tabs_of(inn.opened[-1]).contexts.snapshots
    snapshots.snapshot = snapshot
    assert snapshots.show is not None
    inn.opened[-1].active = snapshot.active
    snapshots.show(snapshot)
    return secret


async def test_a_lost_browser_s_pages_are_opened_again_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        await seen(inn, guest)
        snapshots = tabs_of(inn.opened[0]).contexts.snapshots
        assert snapshots.lose is not None
        for _ in range(5):
            snapshots.lose()
            await trio.testing.wait_all_tasks_blocked()
        assert [one.pages for one in snapshots.reopened] == [SNAPSHOT.pages] * 3
        await trio.sleep(61)
        snapshots.lose()
        await trio.testing.wait_all_tasks_blocked()
        assert len(snapshots.reopened) == 4
        assert inn.opened[0].active == "page-4"


async def test_a_lost_page_that_finds_no_room_is_not_the_active_one(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async def reopen(*_: object) -> list[str]:
        raise CapacityExceeded("The server is full.")

    monkeypatch.setattr(FakeSnapshots, "reopen", reopen)
    async with open_inn(monkeypatch) as inn:
        await seen(inn, await inn.guest())
        snapshots = tabs_of(inn.opened[0]).contexts.snapshots
        assert snapshots.lose is not None
        snapshots.lose()
        await trio.sleep(60)
        assert inn.opened[0].active is None
        assert inn.server.snapshots.unopened == 1


async def test_a_session_is_found_again_in_the_store(monkeypatch: pytest.MonkeyPatch, directory: str) -> None:
    store = SqliteStore.open(directory)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        guest = await inn.guest(ONE)
        secret = await seen(inn, guest)
        await inn.server.drain()
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        assert is_unknown((await back(inn, "A" * 22, ONE))[1])
        assert is_unknown((await back(inn, secret, TWO))[1])
        assert is_unknown((await back(inn, secret, OPEN))[1])
        guest, told = await back(inn, secret, ONE, lastEvent=70)
        assert (told["restored"], told["sessionSecret"]) == ("cold", secret)
        snapshots = tabs_of(inn.opened[-1]).contexts.snapshots
        assert [one.pages for one in snapshots.reopened] == [SNAPSHOT.pages]
        inn.opened[-1].receive_events([PageEvent(type="load", page_id="page-4")], {})
        await guest.call("events/subscribe", events=["page"])
        inn.opened[-1].receive_events([PageEvent(type="load", page_id="page-4")], {})
        assert (await guest.note())["params"]["seq"] == 71
        await guest.hang_up()
        assert (await back(inn, None, ONE))[1].get("restored") is None  # its secret was shown
        assert (await back(inn, secret, ONE))[1]["restored"] == "warm"
    await store.close()


async def until_gone(guests: list[Guest], count: int) -> None:
    """Wait until so many of them have been closed."""
    send, receive = trio.open_memory_channel[None](count)

    async def report(guest: Guest) -> None:
        await guest.gone.wait()
        await send.send(None)

    async with trio.open_nursery() as nursery:
        for guest in guests:
            nursery.start_soon(report, guest)
        for _ in range(count):
            await receive.receive()
        nursery.cancel_scope.cancel()


async def test_of_two_that_come_back_at_once_the_store_gives_the_session_to_one(
    monkeypatch: pytest.MonkeyPatch, directory: str
) -> None:
    store = SqliteStore.open(directory)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        secret = await seen(inn, await inn.guest())
        await inn.server.drain()
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        guests = [await inn.guest() for _ in range(4)]
        for guest in guests:
            await guest.send("initialize", sessionId="s", sessionSecret=secret)
        with trio.fail_after(10):
            await until_gone(guests, 3)
        (winner,) = [guest for guest in guests if guest.code is None]
        assert (await winner.answer(1))["result"]["restored"] in ("warm", "cold")
        reopened = [tabs_of(session).contexts.snapshots.reopened for session in inn.opened]
        assert sum(map(len, reopened)) == 1
    await store.close()


@pytest.mark.parametrize(("params", "restored"), [({}, None), ({"saveState": True}, "cold")])
async def test_shutdown_keeps_what_the_client_wants_kept(
    monkeypatch: pytest.MonkeyPatch,
    directory: str,
    params: Any,
    restored: str | None,
) -> None:
    store = SqliteStore.open(directory)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        guest = await inn.guest()
        refused = await guest.call("shutdown", saveState=True)
        assert (refused["code"], refused["data"]["details"]["path"]) == (-32602, "saveState")
        secret = await seen(inn, guest)
        assert await inn.server.snapshots.saves.write_all()
        assert await guest.call("shutdown", **params) == {}
        told = await guest.initialize(sessionSecret=secret)
        assert told.get("restored") == restored
        assert is_unknown(told) is (restored is None)
    await store.close()


async def test_without_a_store_nothing_can_be_saved(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    async with open_inn(monkeypatch) as inn:
        guest = await inn.guest()
        await seen(inn, guest)
        refused = await guest.call("shutdown", saveState=True)
        assert (refused["code"], refused["data"]["details"]["path"]) == (-32602, "saveState")
        assert (await guest.call("page/list"))["code"] != -32001  # the session goes on


async def test_only_the_snapshot_of_the_session_that_fits_is_read(
    directory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore.open(directory)
    await store.save([row(proof=bytes([n])) for n in range(50)])
    read: list[bytes] = []

    def snapshot(text: bytes) -> SessionSnapshot:
        read.append(text)
        return SNAPSHOT

    monkeypatch.setattr(stores, "load_snapshot", snapshot)
    found = await store.claim(ME, "s", lambda proof, _: proof == b"\x07")
    assert (found is not None and found.proof, len(read)) == (b"\x07", 1)
    assert await store.claim(ME, "s", lambda *_: False) is None
    assert len(read) == 1
    await store.close()


@pytest.mark.parametrize(("name", "value"), [("MAX_KEPT_OF_OWNER", 2), ("MAX_BYTES_OF_OWNER", 2000)])
async def test_one_owner_does_not_use_up_what_there_is_for_all(
    directory: str, monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    now_s = 1000.0
    monkeypatch.setattr(time, "time", lambda: now_s)
    monkeypatch.setattr(stores, name, value)
    other = Owner("two", b"two")
    store = SqliteStore.open(directory)
    await store.save([row(owner=other)])
    for id_ in ("a", "b", "c", "d", "e"):
        now_s += 1
        await store.save([row(id_)])
    kept = [id_ for id_ in ("a", "b", "c", "d", "e") if await found_in(store, ME, id_)]
    assert 0 < len(kept) < 5
    assert kept == ["a", "b", "c", "d", "e"][-len(kept) :]
    assert await found_in(store, other, "s")
    await store.close()


async def test_a_full_disk_costs_what_is_new_and_nothing_else(directory: str) -> None:
    store = SqliteStore.open(directory)
    await store.save([row()])
    (pages,) = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages + 4}")
    huge = [StorageItem(name="a", value="b" * 1_000_000)]
    state = StorageState(origins=[OriginState(origin="https://good.example", local_storage=huge)])
    large = attrs.evolve(SNAPSHOT, contexts=[ContextSnapshot(context_id="default", storage=state)])
    with pytest.raises(StoreUnavailable) as failed:
        await store.save([row("large", large)])
    assert failed.value.details["cause"] == "database or disk is full"
    assert await found_in(store, ME, "s")
    await store.save([row("small")])
    assert await found_in(store, ME, "small")
    await store.close()


async def _fail(*_: object) -> None:
    raise StoreUnavailable("The store of sessions does not answer.", cause="gone")


async def _succeed(*_: object) -> None:
    await trio.lowlevel.checkpoint()


async def test_a_failed_save_is_reported_until_one_succeeds(
    directory: str, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore.open(directory)
    snapshots = SessionSnapshots(store)
    monkeypatch.setattr(SqliteStore, "is_shared", True)  # `refresh` succeeds meanwhile
    monkeypatch.setattr(SqliteStore, "release", _fail)
    with structlog.testing.capture_logs() as logs:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(snapshots.run)
            snapshots.saves.put_ended(row())
            await trio.sleep(60)
            assert (snapshots.is_store_up, snapshots.failures > 1, snapshots.unsaved) == (False, True, 1)
            monkeypatch.setattr(SqliteStore, "release", _succeed)
            await trio.sleep(60)
            assert (snapshots.is_store_up, snapshots.unsaved) == (True, 0)
            nursery.cancel_scope.cancel()
    assert [entry["event"] for entry in logs] == ["store_failed", "store_recovered"]
    await store.close()


@pytest.mark.parametrize(("is_shared", "waits"), [(False, False), (True, True)])
async def test_a_shutdown_does_not_wait_for_a_full_disk_as_for_a_shared_store(
    directory: str, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, is_shared: bool, waits: bool
) -> None:
    store = SqliteStore.open(directory)
    monkeypatch.setattr(SqliteStore, "is_shared", is_shared)
    monkeypatch.setattr(SqliteStore, "release", _fail)
    saves = SessionSnapshots(store).saves
    saves.put_ended(row())
    with trio.move_on_after(10) as scope:
        await saves.flush()
    assert (scope.cancelled_caught, len(saves)) == (waits, 1)
    await store.close()


async def test_a_client_may_leave_while_its_session_is_saved_at_shutdown(
    directory: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The drain of its connection ended with an error, before the connection was closed."""
    store = SqliteStore.open(directory)
    async with open_inn(monkeypatch, snapshots=SessionSnapshots(store)) as inn:
        guest = await inn.guest()
        await guest.initialize()
        save, release, closed = SessionSnapshots.save_at_end, Sessions.release, trio.Event()

        async def leave(snapshots: SessionSnapshots, session: Session) -> Any:
            monkeypatch.setattr(SessionSnapshots, "save_at_end", save)
            await guest.hang_up()
            await closed.wait()
            return await save(snapshots, session)

        def note(sessions: Sessions, session: Session) -> None:
            release(sessions, session)
            closed.set()

        monkeypatch.setattr(SessionSnapshots, "save_at_end", leave)
        monkeypatch.setattr(Sessions, "release", note)
        with structlog.testing.capture_logs() as logs:
            await inn.server.drain()
        assert "session_work_failed" not in {entry["event"] for entry in logs}
    await store.close()


async def test_a_bug_in_one_save_is_logged_and_costs_no_other_session(
    directory: str, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore.open(directory)
    saves = SessionSnapshots(store).saves
    released: list[str] = []

    async def release(_: SqliteStore, rows: Sequence[SavedSession]) -> None:
        await trio.lowlevel.checkpoint()
        if rows[0].id == "bad":
            raise RuntimeError("a bug")
        released.append(rows[0].id)

    monkeypatch.setattr(SqliteStore, "release", release)
    with structlog.testing.capture_logs() as logs:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(saves.run)
            for id_ in ("bad", "good"):
                saves.put_ended(row(id_, proof=id_.encode()))
            await trio.sleep(10)
            nursery.cancel_scope.cancel()
    assert (released, len(saves)) == (["good"], 0)
    assert [(entry["event"], entry["session"]) for entry in logs] == [("session_save_failed", "bad")]
    await store.close()


async def test_sessions_are_saved_one_by_one_and_owner_by_owner(
    directory: str, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore.open(directory)
    saves = SessionSnapshots(store).saves
    released: list[list[str]] = []

    async def release(_: SqliteStore, rows: Sequence[SavedSession]) -> None:
        released.append([one.id for one in rows])
        if len(released) == 1:  # the others come while the first of many is being saved, one of them anew
            saves.put_ended(row("theirs", owner=Owner("two", b"two")))
            saves.put_ended(row("mine-0", proof=b"0"))
        await trio.sleep(1)

    monkeypatch.setattr(SqliteStore, "release", release)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(saves.run)
        for number in range(4):
            saves.put_ended(row(f"mine-{number}", proof=str(number).encode()))
        await trio.sleep(60)
        assert released == [["mine-0"], ["theirs"], ["mine-1"], ["mine-2"], ["mine-3"], ["mine-0"]]
        assert (len(saves), saves._queues) == (0, {})
        nursery.cancel_scope.cancel()
    await store.close()


def test_who_has_the_most_ended_sessions_loses_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(save_queue, "MAX_ENDED", 3)
    saves = SessionSnapshots().saves
    saves.put_ended(row("theirs", owner=Owner("two", b"two")))
    for number in range(4):
        saves.put_ended(row(f"mine-{number}", proof=str(number).encode()))
    kept = [one.id for queue in saves._queues.values() for one in queue.ended.values()]
    assert kept == ["theirs", "mine-2", "mine-3"]


async def test_a_node_without_sessions_reports_a_store_that_does_not_answer(
    directory: str, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = SqliteStore.open(directory)
    monkeypatch.setattr(SqliteStore, "is_shared", True)
    monkeypatch.setattr(SqliteStore, "claim", _fail)
    snapshots = SessionSnapshots(store)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(snapshots.run)
        with monkeypatch.context() as down:
            down.setattr(SqliteStore, "refresh", _fail)
            await trio.sleep(60)
            assert (snapshots.is_store_up, snapshots.failures > 1) == (False, True)
        await trio.sleep(60)
        assert snapshots.is_store_up
        with pytest.raises(StoreUnavailable):
            await snapshots.claim(ME, Claim("s", "secret"), ())
        assert not snapshots.is_store_up
        nursery.cancel_scope.cancel()
    await store.close()


async def test_a_directory_is_of_one_server_at_a_time(directory: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stores, "BUSY_S", 0.05)
    first = SqliteStore.open(directory)
    with pytest.raises(StateDirInUse, match="another server"):
        SqliteStore.open(directory)
    await first.save([row()])
    await first.close()
    second = SqliteStore.open(directory)
    assert await found_in(second, ME, "s")
    await second.close()


def test_a_directory_of_another_user_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(BadStateDir, match="another user"):
        SqliteStore.open(str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    (tmp_path / "sessions.db").write_bytes(b"no database" * 1000)
    with pytest.raises(BadStateDir, match=r"not a database.*move the file away"):
        SqliteStore.open(str(tmp_path))
    assert (tmp_path / "sessions.db").read_bytes() == b"no database" * 1000


def test_a_database_with_other_columns_is_refused_at_the_start(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with contextlib.closing(sqlite3.connect(tmp_path / "sessions.db")) as db:
        db.execute("CREATE TABLE sessions (id TEXT)")
    with pytest.raises(BadStateDir, match=r"no such column.*move the file away"):
        SqliteStore.open(str(tmp_path))


async def test_what_is_forgotten_is_in_no_file(directory: str) -> None:
    def files() -> bytes:
        return b"".join(path.read_bytes() for path in Path(directory).iterdir())

    store = SqliteStore.open(directory)
    await store.save([row()])
    assert b"ada" in files()
    await store.forget(ME, "s", b"proof")
    assert b"ada" not in files()
    assert b"good.example" not in files()
    await store.close()
