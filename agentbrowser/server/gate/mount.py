"""Mounts: applications at a path of the server's port, whose requests may have a body."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

import attrs
import trio

from agentbrowser.server.gate.auth import Grant, Owner
from agentbrowser.server.gate.frame_meter import LARGE_BYTES
from agentbrowser.server.gate.head import MOUNT_PATHS, Head, Refusal

if TYPE_CHECKING:
    from hypercorn.typing import ASGIFramework

MAX_BODY_BYTES: Final = 4 * 1024 * 1024
REQUESTS_PER_CONNECTION: Final = 8
"""Requests at the same time that a token may make for each connection that it may have: some are open streams."""
_LARGE_BODIES: Final = 16
"""Requests of a token at the same time that may have a body of more than `LARGE_BYTES`."""
_SHARE_OF_FREE: Final = 3
"""Most requests of a token for each that is free.

One token leaves a quarter to the others, even if the bodies of its requests never come; the next a quarter of that.
"""
_LENGTH_DIGITS: Final = 10
_METHODS: Final = (b"GET", b"POST", b"DELETE")
_JSON: Final = b"application/json"
_ONCE: Final = (b"mcp-session-id", b"mcp-protocol-version")

Mount = Callable[[Grant], "ASGIFramework"]
"""Returns the application for the requests of a grant."""


def mount_origins(head: Head, *, has_tls: bool) -> tuple[str, ...]:
    """Return the server's own origin for a request to a mount, and nothing elsewhere. The Host was checked."""
    host = head.sole(b"host")
    if host is None or head.path not in MOUNT_PATHS or head.upgrade:
        return ()
    return (f"{'https' if has_tls else 'http'}://{host.decode('ascii').lower()}",)


def check_mounted(head: Head) -> None:
    """Check the form of a request to a mount.

    Raises:
      Refusal: 405, 413, 415 or 400.
    """
    if head.method not in _METHODS:
        raise Refusal(405, "Only GET, POST and DELETE are answered here.", ("Allow: GET, POST, DELETE",))
    length, is_chunked = head.sole(b"content-length"), bool(head.values(b"transfer-encoding"))
    if length is not None and is_chunked:
        raise Refusal(400, "A body has one length.")
    for name in _ONCE:  # the SDK would take the first, and our bookkeeping the last
        head.sole(name)
    if head.method != b"POST":
        if is_chunked or length not in (None, b"0"):
            raise Refusal(400, "Only a POST has a body here.")
        return
    if length is not None and (len(length) > _LENGTH_DIGITS or int(length) > MAX_BODY_BYTES):
        raise Refusal(413, f"The body must have {MAX_BODY_BYTES} bytes at most.")
    if (head.sole(b"content-type") or b"").partition(b";")[0].strip().lower() != _JSON:
        raise Refusal(415, "The body must be application/json.")


@attrs.define(eq=False)
class MountedRequests:
    """Requests to the mounts that are being answered."""

    _maximum: int
    _all: int = attrs.field(default=0, init=False)
    _of: Counter[Owner] = attrs.field(factory=Counter, init=False)
    _large_of: Counter[Owner] = attrs.field(factory=Counter, init=False)
    _posts: int = attrs.field(default=0, init=False)
    _changed: trio.Event = attrs.field(factory=trio.Event, init=False)

    @contextlib.contextmanager
    def counted(self, head: Head, grant: Grant) -> Iterator[None]:
        """Count a request while it is answered.

        Raises:
          Refusal: 503 or 429, there are too many.
        """
        if self._all >= self._maximum:
            raise Refusal(503, "The server is full.", ("Retry-After: 1",))
        allowed = None if grant.max_connections is None else grant.max_connections * REQUESTS_PER_CONNECTION
        share = (self._maximum - self._all) * _SHARE_OF_FREE
        if self._of[grant.owner] >= (share if allowed is None else min(allowed, share)):
            raise Refusal(429, "This token makes all the requests that it may make.", ("Retry-After: 1",))
        if _has_large_body(head) and self._large_of[grant.owner] >= _LARGE_BODIES:
            raise Refusal(429, "This token sends all the large bodies that it may send.", ("Retry-After: 1",))
        self._count(head, grant, +1)
        try:
            yield
        finally:
            self._count(head, grant, -1)

    async def wait_answered(self, timeout_s: float) -> None:
        """Wait until each POST is answered, or for a time; a GET is a stream without an end. [trio]"""
        with trio.move_on_after(timeout_s):
            while self._posts:
                await self._changed.wait()

    def _count(self, head: Head, grant: Grant, change: int) -> None:
        self._all += change
        self._posts += change * (head.method == b"POST")
        self._of[grant.owner] += change
        self._large_of[grant.owner] += change * _has_large_body(head)
        if not self._of[grant.owner]:
            del self._of[grant.owner], self._large_of[grant.owner]
        self._changed.set()
        self._changed = trio.Event()


def _has_large_body(head: Head) -> bool:
    """Return True for a body that may be large; its form was checked."""
    return bool(head.values(b"transfer-encoding")) or int(head.sole(b"content-length") or 0) > LARGE_BYTES
