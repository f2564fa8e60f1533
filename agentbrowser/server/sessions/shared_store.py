"""Store that the nodes of a fleet share: Redis or Valkey, with sealed snapshots and fenced saves.

A row is one hash: generation, node, shown, saved, picture. Its key holds the digest of owner and id, and the proof. The
rows of an id are listed in a sorted set, since clients without tokens may choose the same id. Each claim raises the
generation; a save of an earlier one is refused. A deleted row keeps its generation, so that a node that was suspended
can't bring the session back. The rows of an owner share what they and the free memory of the store are together: see
`fencing`.
"""

import contextlib
import hashlib
import itertools
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, ClassVar, Final, TypeVar

import attrs
import coredis
import structlog
import trio
from coredis.exceptions import RedisError
from coredis.retry import NoRetryPolicy

from agentbrowser.config import Config
from agentbrowser.protocol.errors import ResourceLimitExceeded
from agentbrowser.protocol.types.snapshot import SessionSnapshot
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions import fencing
from agentbrowser.server.sessions.sealing import CannotUnseal, SealingKeys
from agentbrowser.server.sessions.store import (
    KEPT_S,
    BadStore,
    Fits,
    OnGive,
    SavedSession,
    SessionStore,
    StoreUnavailable,
    dump_snapshot,
    load_snapshot,
)

T = TypeVar("T")

log = structlog.get_logger("agentbrowser.store")

HAND_OVER_TIMEOUT_S: Final = 6.0
"""Longest wait for the snapshot of the node that holds a claimed session."""
_POLL_S: Final = 0.05
_MAX_POLL_S: Final = 1.0
_POLL_GROWTH: Final = 1.5
"""A node that answers does so at once; hundreds of sessions may wait for one that does not."""
_ANSWER_TIMEOUT_S: Final = 2.0
_RECONNECT_PAUSE_S: Final = 0.2
_KEEPALIVE_S: Final = 5.0
_MAX_CONNECTIONS: Final = 8
_PREFIX: Final = "agentbrowser:session:"
_OWNER_PREFIX: Final = "agentbrowser:owner:"


@attrs.define(eq=False, kw_only=True)
class SharedStore(SessionStore):
    """Sessions of all nodes in one Redis or Valkey."""

    is_shared: ClassVar[bool] = True
    _redis: "coredis.Redis[bytes]" = attrs.field(alias="redis")
    _keys: SealingKeys = attrs.field(alias="keys")
    refused: dict[bytes, ResourceLimitExceeded] = attrs.field(factory=dict, init=False)
    node: str = attrs.field(factory=lambda: secrets.token_hex(8))
    """Name of this process: a restarted server is another node."""
    _sealing: trio.CapacityLimiter = attrs.field(factory=lambda: trio.CapacityLimiter(1), init=False)
    """One thread at a time compresses and seals."""
    _scripts: fencing.FencingScripts = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._scripts = fencing.FencingScripts(self._redis, round(KEPT_S))

    async def claim(self, owner: Owner, id_: str, fits: Fits) -> SavedSession | None:
        """Hold the owner's latest session of that id whose proof fits, with the fresh snapshot of its holder. [trio]

        Raises:
          StoreUnavailable: the store does not answer, or no key opens the snapshot; the session stays unclaimed.
        """
        rows = await self._ask(self._scripts.rows(_index(owner, id_)))
        # Every proof is compared, so that the duration reveals nothing about the secrets.
        fitting = [(proof, shown) for proof, shown in rows if fits(proof, shown)]
        if not fitting:
            return None
        proof, shown = fitting[0]
        keys = keys_of(owner, id_, proof)
        row = keys.row
        await self._check_key(row, id_)
        if await self._wait_for_holder(row, proof):
            await self._check_key(row, id_)
        claimed = await self._ask(self._scripts.claim(keys, self.node))
        if claimed is None:  # deleted meanwhile
            return None
        generation, sealed = claimed
        snapshot = await self._open(row, sealed, id_)
        if snapshot is None:
            return None
        return SavedSession(owner, id_, proof, shown, snapshot, generation=generation)

    async def save(self, rows: Sequence[SavedSession]) -> Collection[bytes]:
        """Save held sessions, and return the proofs of those that another node has claimed. [trio]"""
        return await self._save(rows, self.node)

    async def release(self, rows: Sequence[SavedSession]) -> None:
        """Save sessions for the last time, and let other nodes claim them. [trio]"""
        await self._save(rows, "")

    async def give_back(self, row: SavedSession) -> None:
        """Release a claimed session whose saved snapshot stays as it is. [trio]"""
        await self._ask(self._scripts.give_back(keys_of(row.owner, row.id, row.proof).row, row.generation, self.node))

    async def refresh(self, rows: Sequence[SavedSession]) -> tuple[Collection[bytes], Collection[bytes]]:
        """Extend the life of held sessions; return the proofs that others have claimed, and the missing ones. [trio]"""
        claimed, missing = set[bytes](), set[bytes]()
        if not rows:
            await self._ask(self._redis.ping())
        for row in rows:
            keys = keys_of(row.owner, row.id, row.proof)
            state = await self._ask(self._scripts.refresh(keys, row.generation, self.node))
            if state == fencing.CLAIMED:
                claimed.add(row.proof)
            elif state == fencing.MISSING:
                missing.add(row.proof)
        return claimed, missing

    async def forget(self, owner: Owner, id_: str, proof: bytes) -> None:
        """Delete a session, but for its generation. [trio]"""
        await self._ask(self._scripts.forget(keys_of(owner, id_, proof), proof))

    async def listen(self, on_give: OnGive) -> None:
        """Call ``on_give`` for each session that another node requests, until cancelled. [trio]"""
        while True:
            # coredis' own reconnection ends the iterator without an error, so that each connection has its own.
            with contextlib.suppress(StoreUnavailable):
                await self._ask(self._listen_once(on_give))
            await trio.sleep(_RECONNECT_PAUSE_S)

    async def close(self) -> None:
        """Close nothing: the connections end with the block of `open_shared_store`."""

    async def _listen_once(self, on_give: OnGive) -> None:
        async with self._redis.pubsub(
            channels=[_channel(self.node)], retry_policy=NoRetryPolicy(), max_idle_seconds=_KEEPALIVE_S
        ) as subscription:
            async for message in subscription:
                if message["type"] == "message" and isinstance(message["data"], bytes):
                    on_give(bytes.fromhex(message["data"].decode("ascii")))

    async def _check_key(self, row: str, id_: str) -> None:
        """Check that a key opens the present snapshot, before the claim takes the session from its holder."""
        sealed = await self._ask(self._redis.hget(row, "picture"))
        if sealed is not None:
            await self._open(row, sealed, id_)

    async def _wait_for_holder(self, row: str, proof: bytes) -> bool:
        """Request a session from the node that holds it, and wait for its snapshot; return True if it has come."""
        holder = await self._ask(self._redis.hget(row, "node"))
        if not holder:
            return False
        node = holder.decode()
        if node != self.node and not await self._ask(self._redis.publish(_channel(node), proof.hex())):
            log.info("holder_dead", node=node)
            return False
        with trio.move_on_after(HAND_OVER_TIMEOUT_S) as waiting:
            for pause_s in poll_pauses_s():
                if await self._ask(self._redis.hget(row, "node")) != holder:
                    break
                await trio.sleep(pause_s)
        log.info("holder_asked", node=node, released=not waiting.cancelled_caught)
        return not waiting.cancelled_caught

    async def _save(self, rows: Sequence[SavedSession], node: str) -> Collection[bytes]:
        claimed = set[bytes]()
        for saved in rows:
            keys = keys_of(saved.owner, saved.id, saved.proof)
            sealed = await self._in_thread(partial(_seal, self._keys, saved, keys.row))
            call = self._scripts.save(
                keys, saved.proof, saved.generation, (self.node, node), saved.has_shown_secret, sealed
            )
            state, *sizes = await self._ask(call)
            if state == fencing.CLAIMED:
                claimed.add(saved.proof)
            self._note_refusal(saved, sizes)
        return claimed

    def _note_refusal(self, saved: SavedSession, sizes: list[int]) -> None:
        """Remember, and log once, that a session is not saved, since its owner has its share of the store."""
        if not sizes:
            self.refused.pop(saved.proof, None)
            return
        current, limit = sizes
        if saved.proof not in self.refused:
            log.warning("store_share_used_up", session=saved.id, size=current, limit=limit)
        self.refused[saved.proof] = ResourceLimitExceeded(
            "The saved sessions of this token have their share of the store.",
            resource="saved sessions",
            limit=limit,
            current=current,
            hint="End sessions that are not needed, without saveState, or keep less in cookies and storage.",
        )

    async def _open(self, row: str, sealed: bytes, id_: str) -> SessionSnapshot | None:
        def unseal() -> SessionSnapshot | None:
            return load_snapshot(self._keys.unseal(sealed, row.encode()))

        try:
            return await self._in_thread(unseal)
        except CannotUnseal as error:
            log.error("session_not_unsealed", session=id_, error=str(error))
            raise StoreUnavailable("The saved session can't be opened by this node now.") from error

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await trio.to_thread.run_sync(work, limiter=self._sealing)

    async def _ask(self, call: Awaitable[T]) -> T:
        try:
            return await call
        except Exception as error:
            raise StoreUnavailable("The store of sessions does not answer.", cause=_reasons(error)) from error


@contextlib.asynccontextmanager
async def open_shared_store(config: Config) -> AsyncIterator[SharedStore]:
    """Open the store of a fleet, which may be down now. [trio]

    Raises:
      BadStore: the URL or the file of keys can't be used.
    """
    assert config.state_url is not None
    assert config.state_key_file is not None
    keys = await trio.to_thread.run_sync(SealingKeys.read, config.state_key_file)
    async with _client(config.state_url) as redis:
        yield SharedStore(redis=redis, keys=keys)


def _reasons(error: BaseException) -> str:
    """Return an error's text and that of its first cause: coredis names no reason, such as a wrong certificate."""
    first = error
    while first.__cause__ is not None:
        first = first.__cause__
    texts = [f"{type(one).__name__}: {one}".removesuffix(": ") for one in (error, first)]
    return " - ".join(dict.fromkeys(texts))


def poll_pauses_s() -> Iterator[float]:
    """Yield the pauses between looks for a holder's answer, each longer than the one before, at most 1 s."""
    return itertools.accumulate(
        itertools.repeat(_POLL_GROWTH), lambda pause_s, growth: min(pause_s * growth, _MAX_POLL_S), initial=_POLL_S
    )


def _client(url: str) -> "coredis.Redis[bytes]":
    # It logs a hundred lines for each attempt to reach a store that is stuck, several a second; `store_failed` says it.
    logging.getLogger("coredis").setLevel(logging.CRITICAL)
    scheme, _, rest = url.partition("://")
    options: dict[str, Any] = {
        "connect_timeout": _ANSWER_TIMEOUT_S,
        "stream_timeout": _ANSWER_TIMEOUT_S,
        "pool_timeout": _ANSWER_TIMEOUT_S,
        "max_connections": _MAX_CONNECTIONS,
        "verify_version": False,
        "retry_policy": NoRetryPolicy(),
    }
    try:
        return coredis.Redis.from_url(f"{scheme.replace('valkey', 'redis')}://{rest}", **options)
    except (ValueError, TypeError, OSError, RedisError) as error:
        raise BadStore(f"state_url can't be used: {error}") from None


def _index(owner: Owner, id_: str) -> str:
    """Return the key of the list of an id's rows, which reveals neither owner nor id."""
    parts = (owner.name.encode(), owner.digest, id_.encode())
    digest = hashlib.sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts))
    return f"{_PREFIX}{{{digest.hexdigest()}}}"


def keys_of(owner: Owner, id_: str, proof: bytes) -> fencing.RowKeys:
    """Return the keys of a session's row, which reveal neither owner nor id."""
    index = _index(owner, id_)
    rows = _index(owner, "").replace(_PREFIX, _OWNER_PREFIX)
    return fencing.RowKeys(index, f"{index}:{proof.hex()}", rows)


def _channel(node: str) -> str:
    return f"agentbrowser:give:{node}"


def _seal(keys: SealingKeys, saved: SavedSession, row: str) -> bytes:
    return keys.seal(dump_snapshot(saved), row.encode())
