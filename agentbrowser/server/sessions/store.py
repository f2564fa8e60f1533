"""Protocol of the stores that keep saved sessions, their rows and their errors."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import ClassVar, Final, Protocol
from urllib.parse import urlsplit

import attrs
import structlog

from agentbrowser.policy.urls import MAX_URL_LENGTH
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import InvalidParams, ResourceLimitExceeded, ServerBusy
from agentbrowser.protocol.types.snapshot import SessionSnapshot
from agentbrowser.protocol.types.storage import Cookie, OriginState, StorageState
from agentbrowser.server.gate.auth import Owner

log = structlog.get_logger("agentbrowser.store")

KEPT_S: Final = 24 * 3600.0
"""Life of a row after its last save."""
MAX_SNAPSHOT_BYTES: Final = 16 * 1024 * 1024
RETRY_AFTER_MS: Final = 2000

Fits = Callable[[bytes, bool], bool]
"""Returns True if a client may resume the session of a proof; the flag: its secret was presented before."""
OnGive = Callable[[bytes], object]
"""Gives up the session of a proof soon, because another node has requested it."""


class BadStore(Exception):
    """Unusable store; the text gives the reason in one line."""


class StoreUnavailable(ServerBusy):
    """The store of sessions does not answer, or its answer can't be used now. Nothing is lost."""

    retry_after_ms = RETRY_AFTER_MS
    recovery_hint = "Keep the session's secret, and call initialize again."


@attrs.frozen
class SavedSession:
    """Saved session, with the digests of its secret and token, never these themselves."""

    owner: Owner
    id: str
    proof: bytes = attrs.field(repr=False)
    has_shown_secret: bool
    snapshot: SessionSnapshot = attrs.field(repr=False)
    generation: int = 1
    """Number of the claim by which a node holds the session; a save of an earlier claim is refused."""


class SessionStore(Protocol):
    """Store of saved sessions. A node holds a session from its first save, or its claim, until it releases it.

    Every method but `close` raises `StoreUnavailable` if the store does not answer; the call may be repeated. The error
    has a detail `cause` then, and none if the answer can't be used.
    """

    is_shared: ClassVar[bool]
    """True if other nodes use the store too, so that `refresh` is needed."""
    refused: dict[bytes, ResourceLimitExceeded]
    """Reasons why sessions were not saved the last time, by their proofs: their owner has its share of the store."""

    async def claim(self, owner: Owner, id_: str, fits: Fits) -> SavedSession | None:
        """Hold the owner's latest session of that id whose proof fits, and return it; None without one. [trio]"""

    async def save(self, rows: Sequence[SavedSession]) -> Collection[bytes]:
        """Save held sessions, and return the proofs of those that another node has claimed: nothing is saved. [trio]"""
        ...

    async def release(self, rows: Sequence[SavedSession]) -> None:
        """Save sessions for the last time, and let other nodes claim them. Those that others hold stay as is. [trio]"""

    async def give_back(self, row: SavedSession) -> None:
        """Release a claimed session whose saved snapshot stays as it is. [trio]"""

    async def refresh(self, rows: Sequence[SavedSession]) -> tuple[Collection[bytes], Collection[bytes]]:
        """Extend the life of held sessions; return the proofs that others have claimed, and the missing ones. [trio]

        The store is asked without sessions, too: a node has to know whether it answers before a client returns.
        """
        ...

    async def forget(self, owner: Owner, id_: str, proof: bytes) -> None:
        """Delete a session. [trio]"""

    async def listen(self, on_give: OnGive) -> None:
        """Call ``on_give`` for each session that another node requests, until cancelled. [trio]"""

    async def close(self) -> None:
        """Close the store. [trio]"""


def dump_snapshot(saved: SavedSession) -> bytes:
    """Return the snapshot as JSON; if it is too large, without the sites that have stored the most."""
    text = wire.dump(unstructure(saved.snapshot))
    if len(text) <= MAX_SNAPSHOT_BYTES:
        return text
    kept, left_out = _reduced(saved.snapshot)
    log.warning("snapshot_too_large", session=saved.id, size=len(text), limit=MAX_SNAPSHOT_BYTES, left_out=left_out)
    return wire.dump(unstructure(kept))


def _reduced(snapshot: SessionSnapshot) -> tuple[SessionSnapshot, list[str]]:
    """Return a snapshot that is small enough, and the sites that it lacks: those that have stored the most.

    One page can store more than a whole snapshot may have. It must not cost the session its logins elsewhere.
    """
    # A longer URL is one of a page's own making, which nobody can navigate to.
    pages = [
        attrs.evolve(page, url=page.url if len(page.url) <= MAX_URL_LENGTH else "about:blank")
        for page in snapshot.pages
    ]
    snapshot = attrs.evolve(snapshot, pages=pages)
    excess = len(wire.dump(unstructure(snapshot))) - MAX_SNAPSHOT_BYTES
    sizes = Counter[str]()
    for context in snapshot.contexts:
        parts: list[Cookie | OriginState] = [*context.storage.cookies, *context.storage.origins]
        for part in parts:
            sizes[_site_of(part)] += len(wire.dump(unstructure(part)))
    left_out = set[str]()
    for site, size in sizes.most_common():
        if excess <= 0:
            break
        left_out.add(site)
        excess -= size

    def is_kept(part: Cookie | OriginState) -> bool:
        return _site_of(part) not in left_out

    contexts = [
        attrs.evolve(
            context,
            storage=StorageState(
                cookies=list(filter(is_kept, context.storage.cookies)),
                origins=list(filter(is_kept, context.storage.origins)),
            ),
        )
        for context in snapshot.contexts
    ]
    return attrs.evolve(snapshot, contexts=contexts), sorted(left_out)


def _site_of(part: Cookie | OriginState) -> str:
    """Return the site of a cookie or an origin: an address, or the last two labels of a name.

    A page makes up as many hosts below its own as it likes.
    """
    host = part.site[0].removeprefix(".") if isinstance(part, Cookie) else urlsplit(part.origin).hostname or ""
    is_address = ":" in host or host.rpartition(".")[2].isdigit()
    return host if is_address else ".".join(host.split(".")[-2:])


def load_snapshot(text: bytes) -> SessionSnapshot | None:
    """Return the saved snapshot; None if another version of the server has written it."""
    try:
        return structure(SessionSnapshot, wire.load(text))
    except (InvalidParams, ValueError) as error:
        log.warning("snapshot_not_read", error=type(error).__name__)
        return None
