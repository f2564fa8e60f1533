"""Two nodes of a fleet with scripted browsers: one owner of each session, whatever happens to nodes and store."""

import contextlib
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.protocol.errors import InternalError
from agentbrowser.server.gate.auth import Grant, Owner
from agentbrowser.server.sessions import save_queue, shared_store, snapshots
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.sessions.shared_store import SharedStore, open_shared_store
from agentbrowser.server.sessions.snapshots import SessionSnapshots
from agentbrowser.server.sessions.store import SavedSession
from tests.loop.fleet.test_shared_store import OTHER, PICTURE, until_listening
from tests.loop.memory_client import FakeSnapshots
from tests.loop.scripted_server import ONE, OPEN, Guest, Inn, Peer, open_inn, tabs_of
from tests.loop.sessions.test_sessions import back, is_unknown
from tests.valkey import Valkey, open_valkey

LIMIT_S = 60
Node = tuple[Inn, SharedStore]


@contextlib.asynccontextmanager
async def open_node(monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str) -> AsyncIterator[Node]:
    """Run a node: its browser is scripted, its store is real."""
    settings: Any = {"state_url": valkey.url, "state_key_file": key_file, "drain_timeout_s": 0.1}
    async with (
        open_shared_store(Config(**settings)) as store,
        open_inn(monkeypatch, snapshots=SessionSnapshots(store), **settings) as inn,
    ):
        inn.nursery.start_soon(inn.server.snapshots.run)
        inn.nursery.start_soon(store.listen, lambda proof: inn.server.sessions.start(inn.server.sessions.give, proof))
        await until_listening(valkey, store)
        yield inn, store


@contextlib.asynccontextmanager
async def two_nodes(monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str) -> AsyncIterator[tuple[Node, Node]]:
    with trio.fail_after(LIMIT_S):
        async with (
            open_node(monkeypatch, valkey, key_file) as one,
            open_node(monkeypatch, valkey, key_file) as two,
        ):
            yield one, two


async def begin(inn: Inn, id_: str, grant: Grant = OPEN) -> tuple[Guest, str, Session]:
    """Begin a session whose pages look like that, and wait until it is saved."""
    guest = await inn.guest(grant)
    secret = str((await guest.initialize(id_))["sessionSecret"])
    (session,) = [one for one in inn.server.sessions.all() if one.lease is not None and one.lease.id == id_]
    show(session, PICTURE)
    assert await inn.server.snapshots.saves.write_all()
    return guest, secret, session


def show(session: Session, snapshot: Any) -> None:
    """Have the browser of a session take a snapshot."""
    fake = tabs_of(session).contexts.snapshots
    fake.snapshot = snapshot
    assert fake.show is not None
    fake.show(snapshot)


def reopened_in(inn: Inn) -> list[Any]:
    return [one.pages for session in inn.server.sessions.all() for one in tabs_of(session).contexts.snapshots.reopened]


async def test_a_client_that_returns_to_another_node_brings_its_session(
    monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str
) -> None:
    async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
        guest, secret, session = await begin(one, "moved")
        tabs_of(session).contexts.snapshots.snapshot = OTHER  # not saved before it is requested
        _, told = await back(two, secret, id_="moved")
        assert (told["restored"], told["sessionSecret"]) == ("cold", secret)
        assert reopened_in(two) == [OTHER.pages]
        await guest.gone.wait()
        assert guest.code == 4001
        assert one.server.sessions.all() == []
        assert tabs_of(session).closed


async def test_a_suspended_node_loses_its_sessions_to_the_one_that_claimed_them(
    monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str
) -> None:
    monkeypatch.setattr(shared_store, "HAND_OVER_TIMEOUT_S", 0.2)
    monkeypatch.setattr(snapshots, "_REFRESH_PAUSE_S", 1.0)
    async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
        guest, secret, session = await begin(one, "stopped")
        with suspended(monkeypatch, one):
            assert (await back(two, secret, id_="stopped"))[1]["restored"] == "cold"
        await guest.gone.wait()
        assert (guest.code, one.server.snapshots.fenced) == (4001, 1)
        assert one.server.sessions.all() == []
        with trio.fail_after(LIMIT_S):
            while not tabs_of(session).closed:  # noqa: ASYNC110 - the fake has no event
                await trio.sleep(0.01)
        assert len(two.server.sessions.all()) == 1


async def ignored(proof: bytes) -> None:
    """Answer no request of another node."""


@contextlib.contextmanager
def suspended(monkeypatch: pytest.MonkeyPatch, inn: Inn) -> Any:
    with monkeypatch.context() as patched:
        patched.setattr(type(inn.server.sessions), "give", lambda self, proof: ignored(proof))
        yield


async def test_a_return_to_a_node_that_has_lost_the_session_claims_it_back(
    monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str
) -> None:
    async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (_, store)):
        guest, secret, session = await begin(one, "stale")
        await guest.hang_up()  # parked
        assert session.lease is not None
        claimed = await store.claim(session.lease.owner, "stale", lambda *_: True)
        assert claimed is not None
        await store.release([claimed])
        _, told = await back(one, secret, id_="stale")
        assert told["restored"] == "cold"
        assert tabs_of(session).closed or session not in one.server.sessions.all()
        assert len(one.server.sessions.all()) == 1


async def test_a_session_is_saved_before_its_connection_is_closed_with_1001(
    monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str
) -> None:
    happened: list[str] = []
    release, close = SharedStore.release, Peer.close

    async def noted_release(store: SharedStore, rows: Sequence[SavedSession]) -> None:
        await release(store, rows)
        happened.append("released")

    async def noted_close(peer: Peer, code: int, reason: str = "") -> None:
        happened.append(str(code))
        await close(peer, code, reason)

    monkeypatch.setattr(SharedStore, "release", noted_release)
    monkeypatch.setattr(Peer, "close", noted_close)
    async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
        _, secret, session = await begin(one, "drained")
        tabs_of(session).contexts.snapshots.snapshot = OTHER
        await one.server.drain()
        assert happened[:2] == ["released", "1001"]
        assert (await back(two, secret, id_="drained"))[1]["restored"] == "cold"
        assert reopened_in(two) == [OTHER.pages]


async def test_a_store_that_fails_stops_no_session_and_loses_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key_file: str
) -> None:
    monkeypatch.setattr(save_queue, "_RETRY_PAUSE_S", 0.05)
    monkeypatch.setattr(snapshots, "_REFRESH_PAUSE_S", 0.2)
    with open_valkey(tmp_path) as valkey:
        async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
            guest, secret, session = await begin(one, "live")
            valkey.kill()
            show(session, OTHER)
            assert "code" not in await guest.call("events/subscribe", events=["page"])
            stranger = await one.guest()
            begun = await stranger.initialize("new")
            show(next(found for found in one.server.sessions.all() if found is not session), PICTURE)
            await guest.hang_up()
            assert (await back(one, secret, id_="live"))[1]["restored"] == "warm"
            _, refused = await back(two, secret, id_="live")
            assert (refused["code"], refused["data"]["retryable"]) == (-32000, True)
            assert not is_unknown(refused)
            while one.server.snapshots.is_store_up:  # noqa: ASYNC110 - it is a counter of the metrics
                await trio.sleep(0.02)
            valkey.start()  # and it has forgotten everything
            await until_saved(valkey, 2)
            assert one.server.snapshots.is_store_up
            for id_, key in (("live", secret), ("new", begun["sessionSecret"])):
                assert (await back(two, key, id_=id_))[1]["restored"] == "cold"


async def test_nobody_waits_for_a_store_that_is_known_to_be_stuck(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key_file: str
) -> None:
    monkeypatch.setattr(save_queue, "_RETRY_PAUSE_S", 0.05)
    monkeypatch.setattr(snapshots, "_REFRESH_PAUSE_S", 0.2)
    asked: list[str] = []

    async def claim(store: SharedStore, owner: Owner, id_: str, fits: Any) -> Any:
        asked.append(id_)
        return await claim_plainly(store, owner, id_, fits)

    claim_plainly = SharedStore.claim
    monkeypatch.setattr(SharedStore, "claim", claim)
    with open_valkey(tmp_path) as valkey:
        async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
            _, secret, _ = await begin(one, "live")
            asked.clear()
            with valkey.stopped():
                while not two.server.snapshots.is_store_stuck:  # noqa: ASYNC110 - the check in between sets it
                    await trio.sleep(0.02)
                newcomer = await two.guest(ONE)
                assert "code" not in await newcomer.initialize("new")
                _, refused = await back(two, secret, id_="live")
                assert (refused["code"], refused["data"]["retryable"], is_unknown(refused)) == (-32000, True, False)
                assert asked == []
            while two.server.snapshots.is_store_stuck:  # noqa: ASYNC110
                await trio.sleep(0.02)
            assert (await back(two, secret, id_="live"))[1]["restored"] == "cold"
            assert asked == ["live"]


async def until_saved(valkey: Valkey, count: int) -> None:
    """Wait until the store holds so many sessions."""
    while sum(key.count(":") == 3 for key in valkey.names()) < count:  # noqa: ASYNC110 - the store's event
        await trio.sleep(0.02)


async def test_a_session_that_ended_while_the_store_was_down_is_saved_later(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, key_file: str
) -> None:
    monkeypatch.setattr(save_queue, "_RETRY_PAUSE_S", 0.05)
    with open_valkey(tmp_path) as valkey:
        async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
            _, secret, session = await begin(one, "ended")
            valkey.kill()
            tabs_of(session).contexts.snapshots.snapshot = OTHER
            await one.server.sessions.give(session.lease.proof if session.lease else b"")
            assert one.server.snapshots.unsaved == 1
            valkey.start()
            await until_saved(valkey, 1)
            _, told = await back(two, secret, id_="ended")
            assert told["restored"] == "cold"
            assert reopened_in(two) == [OTHER.pages]


async def test_a_failed_restore_leaves_the_session_to_the_next_node(
    monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str
) -> None:
    async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
        _, secret, session = await begin(one, "unlucky")
        assert session.lease is not None
        with monkeypatch.context() as patched:
            patched.setattr(FakeSnapshots, "reopen", failing(InternalError("no luck")))
            guest, refused = await back(two, secret, id_="unlucky")
            assert refused["code"] == -32603
            await guest.hang_up()
        assert two.server.sessions.restores["failed"] == 1
        assert (await back(one, secret, id_="unlucky"))[1]["restored"] == "cold"
        assert reopened_in(one) == [PICTURE.pages]


def failing(error: Exception) -> Callable[..., Awaitable[None]]:
    async def fail(*_: object) -> None:
        raise error

    return fail


async def test_three_sessions_are_restored_at_once_and_a_queued_one_keeps_its_snapshot(
    monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str
) -> None:
    running, most, go = 0, 0, trio.Event()

    async def reopen(fake: FakeSnapshots, snapshot: Any) -> list[str]:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await go.wait()
        running -= 1
        fake.snapshot = snapshot
        fake.reopened.append(snapshot)
        return []

    async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
        begun = {f"many-{number}": (await begin(one, f"many-{number}"))[1] for number in range(5)}
        monkeypatch.setattr(FakeSnapshots, "reopen", reopen)
        two.server.snapshots.restores.longest_hold_s = math.inf
        guests = []
        for id_, secret in begun.items():
            guest = await two.guest()
            await guest.send("initialize", sessionId=id_, sessionSecret=secret)
            guests.append(guest)
        while running < 3 or len(two.server.sessions.all()) < 5:  # noqa: ASYNC110 - the fake has no event
            await trio.sleep(0.01)
        for session in two.server.sessions.all():  # as when each client loses its connection
            await two.server.snapshots.take(session)
            assert session.lease is not None
            assert session.lease.snapshot is not None
            if session.lease.is_unopened:
                assert session.lease.snapshot.pages == PICTURE.pages
        go.set()
        for guest in guests:
            assert (await guest.answer(1))["result"]["restored"] == "cold"
        assert most == snapshots.MAX_RESTORES == 3


async def test_a_session_is_restored_while_those_of_another_owner_wait_for_their_sites(
    monkeypatch: pytest.MonkeyPatch, valkey: Valkey, key_file: str
) -> None:
    alice, bob = attrs.evolve(OPEN, name="alice"), attrs.evolve(OPEN, name="bob")
    waiting, go = 0, trio.Event()

    async def reopen(fake: FakeSnapshots, snapshot: Any) -> list[str]:
        nonlocal waiting
        if waiting < snapshots.MAX_RESTORES:
            waiting += 1
            await go.wait()
        fake.snapshot = snapshot
        fake.reopened.append(snapshot)
        return []

    async with two_nodes(monkeypatch, valkey, key_file) as ((one, _), (two, _)):
        begun = {f"a-{number}": (await begin(one, f"a-{number}", alice))[1] for number in range(3)}
        secret = (await begin(one, "b", bob))[1]
        monkeypatch.setattr(FakeSnapshots, "reopen", reopen)
        two.server.snapshots.restores.longest_hold_s = 0.05
        for id_, alices in begun.items():
            await (await two.guest(alice)).send("initialize", sessionId=id_, sessionSecret=alices)
        while waiting < snapshots.MAX_RESTORES:  # noqa: ASYNC110 - the fake has no event
            await trio.sleep(0.01)
        guest = await two.guest(bob)
        await guest.send("initialize", sessionId="b", sessionSecret=secret)
        assert (await guest.answer(1))["result"]["restored"] == "cold"
        go.set()
