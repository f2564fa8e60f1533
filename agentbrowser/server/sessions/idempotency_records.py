"""Records of requests with an idempotency key, from which repeats are answered."""

import hashlib
from typing import Any, Final, Self
from weakref import WeakSet

import attrs
import trio

from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams, ResourceLimitExceeded, ServerBusy
from agentbrowser.protocol.types.idempotency import KEY

MAX_REMEMBERED: Final = 256
MAX_UNDER_WAY: Final = 256
"""More than one connection's requests in flight: those of lost connections continue."""
MAX_BYTES: Final = 8 * 1024 * 1024
MAX_OWNER_BYTES: Final = 64 * 1024 * 1024
"""Size of the answers that all sessions of an owner keep; 750 connections with 8 MiB each had 6 GiB."""
MAX_VALUES: Final = 30_000
"""Values in the params of a request with a key: their digest is made on the loop, in the order of their names. The
largest storage state has 25,000."""
MAX_ANSWER_BYTES: Final = 1024 * 1024
"""Size up to which an answer is kept; of a larger one only its size."""


@attrs.frozen
class RecordedAnswer:
    """Result or error as JSON; ``text`` is None if it was too large."""

    text: bytes | None
    size: int
    is_fault: bool = False

    @classmethod
    def of(cls, answer: Any) -> Self:
        """Return the recorded form of a result or an error."""
        size = wire.size_with_long_texts(answer, MAX_ANSWER_BYTES)
        if size is not None:
            return cls(None, size)
        is_fault = isinstance(answer, AgentBrowserError)
        text = wire.dump(answer.to_wire() if is_fault else answer)
        return cls(text if len(text) <= MAX_ANSWER_BYTES else None, len(text), is_fault)

    @property
    def kept_bytes(self) -> int:
        """Return the size of the kept text."""
        return len(self.text or b"")

    def replay(self) -> Any:
        """Return the recorded result, or raise the recorded error.

        Raises:
          ResourceLimitExceeded: the answer is not kept: it was too large, or its owner's took too much memory.
        """
        if self.text is None:
            raise _not_kept(self.size)
        plain = wire.load(self.text)
        if self.is_fault:
            raise AgentBrowserError.from_wire(plain)
        return plain


@attrs.define(eq=False)
class RequestRecord:
    """First request under a key, and its answer."""

    key: str
    digest: bytes
    answer: RecordedAnswer | None = None
    """Answer; None while the request runs, or if it ended without effect."""
    over: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class OwnerAnswers:
    """Memory of the answers that all sessions of an owner keep."""

    _sessions: WeakSet["IdempotencyRecords"] = attrs.field(factory=WeakSet, init=False)

    def add(self, session: "IdempotencyRecords") -> None:
        """Count the answers of a session, for as long as it exists."""
        self._sessions.add(session)

    def trim(self) -> None:
        """Drop the oldest answers of those with the most, down to the limit; what was done is still known."""
        excess = sum(session.kept_bytes for session in self._sessions) - MAX_OWNER_BYTES
        while excess > 0 and (crowd := max(self._sessions, key=lambda session: session.kept_bytes)).kept_bytes:
            excess -= crowd.drop_oldest_answer()


@attrs.define(eq=False)
class IdempotencyRecords:
    """Requests of a session with a key: the running ones, and the latest finished ones."""

    owner_answers: OwnerAnswers = attrs.field(factory=OwnerAnswers)
    kept_bytes: int = attrs.field(default=0, init=False)
    """Size of the kept answers."""
    _under_way: dict[str, RequestRecord] = attrs.field(factory=dict, init=False)
    _over: dict[str, RequestRecord] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.owner_answers.add(self)

    def find(self, key: str, digest: bytes) -> RequestRecord | None:
        """Return the record of a key; None if the key is new.

        Raises:
          InvalidParams: the key belongs to a different request.
        """
        entry = self._under_way.get(key) or self._over.get(key)
        if entry is not None and entry.digest != digest:
            raise _used_otherwise()
        return entry

    def check_room(self) -> None:
        """Reject another request while too many run.

        Raises:
          ServerBusy: too many run.
        """
        if len(self._under_way) >= MAX_UNDER_WAY:
            raise ServerBusy(f"{MAX_UNDER_WAY} requests with an {KEY} are under way in this session.")

    def begin(self, key: str, digest: bytes) -> RequestRecord:
        """Record the start of the first request under a key."""
        entry = self._under_way[key] = RequestRecord(key, digest)
        return entry

    def end(self, entry: RequestRecord, answer: RecordedAnswer | None) -> None:
        """Record the answer of a request, or forget the request for None, and wake its repeats."""
        entry.answer = answer
        if self._under_way.get(entry.key) is entry:
            del self._under_way[entry.key]
            if answer is not None:
                self._over[entry.key] = entry
                self.kept_bytes += answer.kept_bytes
                self._forget_oldest()
                self.owner_answers.trim()
        entry.over.set()

    def clear(self) -> None:
        """Remove all records; the answers of running requests are not recorded either."""
        self._under_way.clear()
        self._over.clear()
        self.kept_bytes = 0

    def drop_oldest_answer(self) -> int:
        """Keep only the size of the oldest kept answer; return how much memory that frees."""
        for entry in self._over.values():
            if entry.answer is not None and (freed := entry.answer.kept_bytes):
                entry.answer = RecordedAnswer(None, entry.answer.size)
                self.kept_bytes -= freed
                return freed
        raise AssertionError("the kept answers have no bytes")

    def _forget_oldest(self) -> None:
        while len(self._over) > MAX_REMEMBERED:
            oldest = self._over.pop(next(iter(self._over)))
            self.kept_bytes -= oldest.answer.kept_bytes if oldest.answer else 0
        while self.kept_bytes > MAX_BYTES:
            self.drop_oldest_answer()


def digest_of(method: str, params: Any) -> bytes:
    """Return the digest of a request, which identifies it without keeping its params.

    Raises:
      InvalidParams: the params hold more than `MAX_VALUES` values.
    """
    if _counts_beyond(MAX_VALUES, params):
        expected = f"at most {MAX_VALUES} values in the params of a request with an {KEY}"
        raise InvalidParams(f"The request has too many values for an {KEY}.", path=KEY, expected=expected)
    return hashlib.sha256(wire.dump_sorted([method, params])).digest()


def _counts_beyond(limit: int, value: Any) -> bool:
    """Return True if plain data holds more values than the limit; no more of them are looked at."""
    count, rest = 0, [value]
    while rest:
        one = rest.pop()
        members = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        count += len(members)
        if count > limit:
            return True
        rest += [member for member in members if isinstance(member, dict | list)]
    return False


def _used_otherwise() -> InvalidParams:
    return InvalidParams(
        f"{KEY} was used for another request.",
        path=KEY,
        expected="a key of its own for each request, or the same method and params",
        got="the key of a request with another method or other params",
        hint="Use a new key; a request is repeated with exactly the same params.",
    )


def _not_kept(size: int) -> ResourceLimitExceeded:
    return ResourceLimitExceeded(
        f"The request under this {KEY} is done; its answer of {size} bytes was too large to be kept any longer.",
        resource="remembered answer",
        limit=MAX_ANSWER_BYTES,
        current=size,
        hint="What it did is done. To see what there is now, ask under a new key, or without one.",
    )
