"""The shared store: rows that one node holds at a time, sealed, and a store that fails now and then."""

import contextlib
import itertools
import secrets
import socket
from collections.abc import AsyncIterator, Iterable
from pathlib import Path

import attrs
import pytest
import structlog
import trio

from agentbrowser.cli import doctor
from agentbrowser.config import Config
from agentbrowser.protocol.types.snapshot import ContextSnapshot, PageSnapshot, SessionSnapshot
from agentbrowser.protocol.types.storage import Cookie, StorageState
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions import fencing, shared_store
from agentbrowser.server.sessions.sealing import SealingKeys
from agentbrowser.server.sessions.shared_store import (
    HAND_OVER_TIMEOUT_S,
    SharedStore,
    keys_of,
    open_shared_store,
    poll_pauses_s,
)
from agentbrowser.server.sessions.store import BadStore, SavedSession, StoreUnavailable
from tests.loop.fleet.conftest import new_key, write_keys
from tests.valkey import Valkey, free_port, open_valkey

COOKIE = Cookie(name="user", value="ada-lovelace", domain="good.example", path="/", expires=4e9)
PICTURE = SessionSnapshot(
    contexts=[ContextSnapshot(context_id="default", storage=StorageState(cookies=[COOKIE]))],
    pages=[PageSnapshot(page_id="page-1", url="https://good.example/private", context_id="default")],
)
OTHER = attrs.evolve(
    PICTURE, pages=[PageSnapshot(page_id="page-2", url="https://good.example/next", context_id="default")]
)


@pytest.fixture
def owner() -> Owner:
    """Return an owner that no other test has."""
    return Owner("token-name", secrets.token_bytes(32))


def row(
    owner: Owner, snapshot: SessionSnapshot = PICTURE, proof: bytes = b"proof", generation: int = 1
) -> SavedSession:
    return SavedSession(owner, "session-id", proof, False, snapshot, generation)


@contextlib.asynccontextmanager
async def node(valkey: Valkey, key_file: str) -> AsyncIterator[SharedStore]:
    async with open_shared_store(Config(state_url=valkey.url, state_key_file=key_file)) as store:
        yield store


def anyone(proof: bytes, shown: bool) -> bool:
    return True


async def test_a_released_session_goes_to_the_next_node_that_claims_it(
    valkey: Valkey, key_file: str, owner: Owner
) -> None:
    async with node(valkey, key_file) as first, node(valkey, key_file) as second:
        assert not await first.save([row(owner)])
        await first.release([row(owner, OTHER)])
        assert await second.claim(Owner("token-name", b"another"), "session-id", anyone) is None
        assert await second.claim(owner, "session", anyone) is None
        assert await second.claim(owner, "session-id", lambda *_: False) is None
        claimed = await second.claim(owner, "session-id", anyone)
        assert claimed == row(owner, OTHER, generation=2)


async def test_a_save_of_an_earlier_claim_is_refused(valkey: Valkey, key_file: str, owner: Owner) -> None:
    async with node(valkey, key_file) as first, node(valkey, key_file) as second:
        await first.save([row(owner)])
        claimed = await second.claim(owner, "session-id", anyone)  # the first does not listen, so it counts as dead
        assert claimed is not None
        assert await first.save([row(owner, OTHER)]) == {b"proof"}
        await first.release([row(owner, OTHER)])
        await first.give_back(row(owner))
        assert await first.refresh([row(owner), row(owner, proof=b"unknown")]) == ({b"proof"}, {b"unknown"})
        assert await second.refresh([claimed]) == (set(), set())
        await second.give_back(claimed)
        again = await second.claim(owner, "session-id", anyone)
        assert again is not None
        assert (again.snapshot, again.generation) == (PICTURE, 3)


async def test_a_deleted_session_is_not_brought_back_by_a_stale_save(
    valkey: Valkey, key_file: str, owner: Owner
) -> None:
    async with node(valkey, key_file) as first, node(valkey, key_file) as second:
        await first.save([row(owner)])
        assert await second.claim(owner, "session-id", anyone)
        await second.forget(owner, "session-id", b"proof")
        assert await first.save([row(owner)]) == {b"proof"}
        assert await second.claim(owner, "session-id", anyone) is None


async def test_two_nodes_with_one_generation_after_a_failover_are_not_both_holders(
    valkey: Valkey, key_file: str, owner: Owner
) -> None:
    async with node(valkey, key_file) as first, node(valkey, key_file) as second:
        await first.save([row(owner)])
        assert await second.save([row(owner)]) == {b"proof"}
        await first.release([row(owner)])
        assert not await second.save([row(owner)])


async def test_a_live_holder_is_asked_for_its_fresh_snapshot(valkey: Valkey, key_file: str, owner: Owner) -> None:
    asked: list[bytes] = []
    async with node(valkey, key_file) as first, node(valkey, key_file) as second, trio.open_nursery() as nursery:

        def give(proof: bytes) -> None:
            asked.append(proof)
            nursery.start_soon(first.release, [row(owner, OTHER)])

        nursery.start_soon(first.listen, give)
        await until_listening(valkey, first)
        await first.save([row(owner)])
        claimed = await second.claim(owner, "session-id", anyone)
        assert claimed is not None
        assert (claimed.snapshot, asked) == (OTHER, [b"proof"])
        nursery.cancel_scope.cancel()


async def test_a_holder_that_does_not_answer_loses_the_session(
    valkey: Valkey, key_file: str, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_store, "HAND_OVER_TIMEOUT_S", 0.3)
    async with node(valkey, key_file) as first, node(valkey, key_file) as second, trio.open_nursery() as nursery:
        nursery.start_soon(first.listen, lambda proof: None)
        await until_listening(valkey, first)
        await first.save([row(owner)])
        claimed = await second.claim(owner, "session-id", anyone)
        assert claimed is not None
        assert await first.save([row(owner, OTHER)]) == {b"proof"}
        nursery.cancel_scope.cancel()


def test_a_silent_holder_is_looked_for_a_few_times_only() -> None:
    ends_s = list(itertools.takewhile(lambda end_s: end_s < HAND_OVER_TIMEOUT_S, itertools.accumulate(poll_pauses_s())))
    assert ends_s[0] <= 0.1
    assert len(ends_s) <= 15


async def until_listening(valkey: Valkey, store: SharedStore) -> None:
    with trio.fail_after(30):
        while f":{store.node}" not in valkey.text("PUBSUB CHANNELS"):  # noqa: ASYNC110 - the store's event
            await trio.sleep(0.02)


async def test_a_claim_without_the_key_changes_nothing(
    valkey: Valkey, key_file: str, owner: Owner, tmp_path: Path
) -> None:
    other = write_keys(tmp_path / "other", new_key())
    async with node(valkey, key_file) as first, node(valkey, other) as second:
        await first.save([row(owner)])
        with pytest.raises(StoreUnavailable) as refused:
            await second.claim(owner, "session-id", anyone)
        assert refused.value.retryable
        assert not await first.save([row(owner, OTHER)])  # it still holds the session


async def test_two_keys_rotate_without_loss(valkey: Valkey, tmp_path: Path, owner: Owner) -> None:
    old, new = new_key(), new_key()
    files = [
        write_keys(tmp_path / str(number), *keys)
        for number, keys in enumerate([(old,), (old, new), (new, old), (new,)])
    ]
    generation = 1
    async with node(valkey, files[0]) as store:
        await store.release([row(owner)])
    for file in files[1:]:  # what each one saves, the one before and the one after can read
        async with node(valkey, file) as store:
            claimed = await store.claim(owner, "session-id", anyone)
            generation += 1
            assert claimed == row(owner, generation=generation)
            await store.release([claimed])


async def test_the_store_holds_no_plaintext(valkey: Valkey, key_file: str, owner: Owner) -> None:
    async with node(valkey, key_file) as store:
        await store.save([row(owner)])
    held = valkey.dump()
    assert b"picture" in held
    for plain in (b"ada-lovelace", b"good.example", b"private", b"user", b"session-id", b"token-name", owner.digest):
        assert plain not in held
        assert plain.hex().encode() not in held


async def test_a_snapshot_is_bound_to_its_row(valkey: Valkey, key_file: str, owner: Owner) -> None:
    victim = attrs.evolve(row(owner), id="victim")
    async with node(valkey, key_file) as store:
        keys = []
        for saved in (victim, row(owner)):
            before = set(valkey.names())
            await store.save([saved])
            keys += [key for key in set(valkey.names()) - before if key.count(":") == 3]
        other, own = keys
        copy = "EVAL \"return redis.call('HSET', KEYS[2], 'picture', redis.call('HGET', KEYS[1], 'picture'))\" 2"
        assert valkey.text(f"{copy} {other} {own}").startswith(":0")
        with pytest.raises(StoreUnavailable):
            await store.claim(owner, "session-id", anyone)


async def test_rows_and_their_list_live_for_a_day(valkey: Valkey, key_file: str, owner: Owner) -> None:
    before = set(valkey.names())
    async with node(valkey, key_file) as store:
        await store.save([row(owner)])
        for key in set(valkey.names()) - before:
            assert 86000 < int(valkey.text(f"TTL {key}").splitlines()[0][1:]) <= 86400


async def test_many_sessions_of_one_id_are_bounded(
    valkey: Valkey, key_file: str, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fencing, "MAX_ROWS_OF_ID", 2)
    async with node(valkey, key_file) as store:
        for proof in (b"a", b"b", b"c"):
            await store.release([row(owner, proof=proof)])
        found: list[bytes] = []

        def refuse(proof: bytes, shown: bool) -> bool:
            found.append(proof)
            return False

        assert await store.claim(owner, "session-id", refuse) is None
        assert found == [b"c", b"b"]


HUGE = attrs.evolve(COOKIE, value="".join(secrets.token_hex(32) for _ in range(1600)))
"""Cookie of 100 KiB that compression makes half as large, not less."""


def large(owner: Owner, id_: str) -> SavedSession:
    storage = StorageState(cookies=[HUGE])
    snapshot = attrs.evolve(PICTURE, contexts=[ContextSnapshot(context_id="default", storage=storage)])
    return attrs.evolve(row(owner, snapshot), id=id_)


async def ids_of(store: SharedStore, owner: Owner, ids: Iterable[str]) -> list[str]:
    """Return the ids under which the owner has a row; nothing is claimed."""
    found: list[str] = []

    def refuse(proof: bytes, shown: bool) -> bool:
        found.append(id_)
        return False

    for id_ in ids:
        await store.claim(owner, id_, refuse)
    return found


async def test_an_owner_that_fills_the_store_loses_its_own_oldest_sessions_only(
    tmp_path: Path, key_file: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fencing, "HELD_S", -10)
    greedy, other = Owner("greedy", secrets.token_bytes(32)), Owner("other", secrets.token_bytes(32))
    ids = [f"s{number}" for number in range(120)]
    with open_valkey(tmp_path) as valkey:
        valkey.text(f"CONFIG SET maxmemory {valkey.used_memory() + 4_000_000}")
        async with node(valkey, key_file) as store:
            await store.release([row(other)])
            for id_ in ids:  # 6 MB
                await store.release([large(greedy, id_)])
            kept = await ids_of(store, greedy, ids)
            assert 10 < len(kept) < 60
            assert kept == ids[-len(kept) :]
            assert await store.claim(other, "session-id", anyone)
            for id_ in ids[:5]:
                await store.release([large(other, id_)])
            assert await ids_of(store, other, ids) == ids[:5]
            assert not store.refused
            valkey.text("CONFIG SET maxmemory 1")
            for generation in (2, 3):  # sessions move while the store is full
                claimed = await store.claim(other, "s0", anyone)
                assert claimed is not None
                assert claimed.generation >= generation
                assert await store.refresh([claimed]) == (set(), set())
                await store.give_back(claimed)


@pytest.mark.slow
async def test_an_owner_of_running_sessions_that_have_its_share_is_refused_more(tmp_path: Path, key_file: str) -> None:
    greedy, other = Owner("greedy", secrets.token_bytes(32)), Owner("other", secrets.token_bytes(32))
    with open_valkey(tmp_path) as valkey:
        valkey.text(f"CONFIG SET maxmemory {valkey.used_memory() + 4_000_000}")
        async with node(valkey, key_file) as store:
            with structlog.testing.capture_logs() as logs:
                for number in range(120):
                    proof = bytes([number])
                    assert not await store.save([attrs.evolve(large(greedy, "session-id"), proof=proof)])
            refused = store.refused[b"\x77"]
            assert 1_000_000 < int(str(refused.details["limit"])) < int(str(refused.details["current"])) < 3_000_000
            assert [entry["event"] for entry in logs] == ["store_share_used_up"] * len(store.refused)
            assert b"\x00" not in store.refused
            assert await store.claim(greedy, "session-id", lambda proof, _: proof == b"\x00")
            assert not await store.save([row(other)])
            assert await store.claim(other, "session-id", anyone)


@pytest.mark.parametrize("ended", ["forgotten", "expired", "dropped"])
async def test_a_session_that_has_gone_leaves_its_part_of_the_share(
    valkey: Valkey, key_file: str, owner: Owner, monkeypatch: pytest.MonkeyPatch, ended: str
) -> None:
    keys = keys_of(owner, "session-id", b"proof")
    sizes = f"{keys.owner_rows}.sizes"
    async with node(valkey, key_file) as store:
        await store.save([large(owner, "session-id")])
        before = valkey.number(f"HGET {sizes} sum")
        assert before > 50_000
        if ended == "forgotten":
            await store.forget(owner, "session-id", b"proof")
            assert valkey.number(f"HGET {sizes} sum") == fencing.ROW_BYTES
            return
        if ended == "expired":
            valkey.text(f"ZADD {keys.owner_rows} 1 {keys.row}")
        else:
            monkeypatch.setattr(fencing, "MAX_ROWS_OF_ID", 1)
        await store.save([row(owner, proof=b"next")])
        assert valkey.number(f"HGET {sizes} sum") < before / 2
        assert valkey.number(f"ZCARD {keys.owner_rows}") == 1


async def test_a_store_that_keeps_its_memory_to_itself_has_a_fixed_share(
    tmp_path: Path, key_file: str, owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fencing, "SHARE_BYTES", 150_000)
    with open_valkey(tmp_path) as valkey:
        valkey.text("ACL SETUSER default -info")
        async with node(valkey, key_file) as store:
            for id_ in ("a", "b", "c"):
                await store.save([large(owner, id_)])
            assert await ids_of(store, owner, ("a", "b", "c")) == ["a", "b"]
            assert store.refused[b"proof"].details["limit"] == 150_000


async def test_a_store_that_does_not_answer_is_reported_once_and_comes_back(
    tmp_path: Path, key_file: str, owner: Owner, caplog: pytest.LogCaptureFixture
) -> None:
    valkey = Valkey(tmp_path)
    asked: list[bytes] = []
    heard = trio.Event()

    def hear(proof: bytes) -> None:
        asked.append(proof)
        heard.set()

    try:
        async with node(valkey, key_file) as store, trio.open_nursery() as nursery:  # it begins before the store does
            nursery.start_soon(store.listen, hear)
            with socket.create_server(("127.0.0.1", valkey.port)), pytest.raises(StoreUnavailable):  # it is stuck
                await store.save([row(owner)])
            assert [one for one in caplog.records if one.name == "coredis"] == []
            valkey.start()
            assert not await store.save([row(owner)])
            valkey.kill()
            with pytest.raises(StoreUnavailable) as failed:
                await store.claim(owner, "session-id", anyone)
            assert failed.value.retryable
            with pytest.raises(StoreUnavailable):
                await store.refresh([])
            valkey.start()
            await until_listening(valkey, store)
            assert await store.refresh([row(owner)]) == (set(), {b"proof"})
            valkey.text(f"PUBLISH agentbrowser:give:{store.node} {b'proof'.hex()}")
            with trio.fail_after(30):
                await heard.wait()
            assert asked == [b"proof"]
            nursery.cancel_scope.cancel()
    finally:
        valkey.kill()


@pytest.mark.parametrize("text", ["", "# none", "short", "é", "A" * 44])
async def test_a_file_of_bad_keys_is_refused(tmp_path: Path, text: str) -> None:
    path = write_keys(tmp_path / "keys", text)
    with pytest.raises(BadStore, match=r"state_key_file .*base64"):
        async with open_shared_store(Config(state_url="redis://127.0.0.1:1", state_key_file=path)):
            pass


def test_keys_that_others_can_read_are_refused(tmp_path: Path, key_file: str) -> None:
    Path(key_file).chmod(0o440)
    SealingKeys.read(key_file)  # as Kubernetes mounts a secret
    for mode in (0o644, 0o660):
        Path(key_file).chmod(mode)
        with pytest.raises(BadStore, match="chmod 600"):
            SealingKeys.read(key_file)
    with pytest.raises(BadStore, match="No such file"):
        SealingKeys.read(str(tmp_path / "missing"))


async def test_doctor_asks_the_store(valkey: Valkey, key_file: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_CHECKS", ())
    monkeypatch.setattr(doctor, "_check_launch", lambda config: succeed())

    async def succeed() -> doctor.Finding:
        return doctor.Finding("launch", "ok", "")

    async def state_of_store(url: str) -> str:
        found = await doctor.examine(Config(port=0, state_url=url, state_key_file=key_file), {})
        return next(one.state for one in found if one.name == "store")

    assert await state_of_store(valkey.url) == "ok"
    assert await state_of_store(f"redis://127.0.0.1:{free_port()}") == "fail"
