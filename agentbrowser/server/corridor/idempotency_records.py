"""What requests with an idempotency key have come to, so that a repeat of one gets the same without acting again."""

import hashlib
import json
from typing import Any, Final, Self

import attrs
import trio

from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams, ResourceLimitExceeded, ServerBusy
from agentbrowser.protocol.types.idempotency import KEY

MAX_REMEMBERED: Final = 256
MAX_UNDER_WAY: Final = 256
"""More than one connection has in flight: those of connections that were lost go on."""
MAX_BYTES: Final = 8 * 1024 * 1024
MAX_ANSWER_BYTES: Final = 1024 * 1024
"""Of a larger answer only that there was one is remembered."""


@attrs.frozen
class RecordedAnswer:
    """A result or an error, as JSON; None where it was too large to be kept."""

    text: bytes | None
    size: int
    is_fault: bool = False

    @classmethod
    def of(cls, answer: Any) -> Self:
        """Return what is kept of a result, or of an error."""
        is_fault = isinstance(answer, AgentBrowserError)
        text = wire.dump(answer.to_wire() if is_fault else answer)
        return cls(text if len(text) <= MAX_ANSWER_BYTES else None, len(text), is_fault)

    @property
    def kept_bytes(self) -> int:
        """The memory that it takes."""
        return len(self.text or b"")

    def again(self) -> Any:
        """Return the result once more, or raise the error.

        Raises:
          ResourceLimitExceeded: it was not kept.
        """
        if self.text is None:
            raise _not_kept(self.size)
        plain = wire.load(self.text)
        if self.is_fault:
            raise AgentBrowserError.from_wire(plain)
        return plain


@attrs.define(eq=False)
class RequestRecord:
    """What was asked under a key."""

    key: str
    digest: bytes
    answer: RecordedAnswer | None = None
    """None: it is under way, or it was given up and has done nothing."""
    over: trio.Event = attrs.field(factory=trio.Event)


@attrs.define(eq=False)
class IdempotencyRecords:
    """The requests of a session that had a key: those under way, and the latest of those that are over."""

    _under_way: dict[str, RequestRecord] = attrs.field(factory=dict, init=False)
    _over: dict[str, RequestRecord] = attrs.field(factory=dict, init=False)
    _kept_bytes: int = attrs.field(default=0, init=False)

    def find(self, key: str, digest: bytes) -> RequestRecord | None:
        """Return what was asked under the key before, if anything was.

        Raises:
          InvalidParams: that was something else.
        """
        entry = self._under_way.get(key) or self._over.get(key)
        if entry is not None and entry.digest != digest:
            raise _used_otherwise()
        return entry

    def check_room(self) -> None:
        """Refuse another request while too many are under way.

        Raises:
          ServerBusy: they are.
        """
        if len(self._under_way) >= MAX_UNDER_WAY:
            raise ServerBusy(f"{MAX_UNDER_WAY} requests with an {KEY} are under way in this session.")

    def begin(self, key: str, digest: bytes) -> RequestRecord:
        """Note that the first request under a key is under way."""
        entry = self._under_way[key] = RequestRecord(key, digest)
        return entry

    def end(self, entry: RequestRecord, answer: RecordedAnswer | None) -> None:
        """Remember what a request has come to, or, for None, forget it; and tell those who wait for it."""
        entry.answer = answer
        if self._under_way.get(entry.key) is entry:
            del self._under_way[entry.key]
            if answer is not None:
                self._over[entry.key] = entry
                self._kept_bytes += answer.kept_bytes
                self._forget_oldest()
        entry.over.set()

    def clear(self) -> None:
        """Forget everything; what is under way is not remembered either."""
        self._under_way.clear()
        self._over.clear()
        self._kept_bytes = 0

    def _forget_oldest(self) -> None:
        while len(self._over) > MAX_REMEMBERED or self._kept_bytes > MAX_BYTES:
            oldest = self._over.pop(next(iter(self._over)))
            self._kept_bytes -= oldest.answer.kept_bytes if oldest.answer else 0


def digest_of(method: str, params: Any) -> bytes:
    """Return what tells one request from another, without keeping what it holds."""
    return hashlib.sha256(json.dumps([method, params], sort_keys=True).encode()).digest()


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
        f"The request under this {KEY} is done; its answer of {size} bytes was too large to be kept.",
        resource="remembered answer",
        limit=MAX_ANSWER_BYTES,
        current=size,
        hint="What it did is done. To see what there is now, ask under a new key, or without one.",
    )
