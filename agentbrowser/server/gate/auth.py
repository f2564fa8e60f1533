"""Who may come in: the token of a request, and what it grants."""

import hashlib
import hmac
import math
import time
from collections import deque
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote_to_bytes

import attrs
import trio

from agentbrowser.config import Config
from agentbrowser.policy.credentials import Credential
from agentbrowser.policy.urls import AllowlistEntry, read_allowlist
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate.head import Head, Refusal
from agentbrowser.server.gate.rate_limit import RateLimit

FAILURES_PER_MINUTE: Final = 10
_FAILURES_KEPT: Final = 1000
_LOOK_S: Final = 60.0


@attrs.frozen
class Owner:
    """Whose sessions they are: those of one token, or of all who came without one."""

    name: str
    digest: bytes = attrs.field(default=b"", repr=False)

    @property
    def is_proven(self) -> bool:
        """Whether a token stands for it."""
        return bool(self.digest)


@attrs.frozen
class Grant:
    """What a connection may do, fixed in its handshake."""

    scope: Scope
    name: str
    """Which token granted it; ``open`` where the server asks for none."""
    allowlist: tuple[AllowlistEntry, ...] | None = None
    """The hosts that it may go to, if the server's own rules let it."""
    max_pages: int | None = None
    max_contexts: int | None = None
    rate_limit: RateLimit | None = None
    """How fast the clients of the token may ask, all of them together."""
    expires_s: float | None = None
    """When it ends, in seconds since 1970."""
    digest: bytes = attrs.field(default=b"", repr=False, eq=False)
    """That of the token; empty where there is none."""

    @property
    def owner(self) -> Owner:
        """Who has it."""
        return Owner(self.name, self.digest)

    def is_over(self) -> bool:
        """Tell whether it has ended."""
        return self.expires_s is not None and time.time() >= self.expires_s

    @property
    def left_s(self) -> float:
        """How long it still holds."""
        return math.inf if self.expires_s is None else self.expires_s - time.time()

    def settings(self, config: Config) -> Config:
        """Return the server's settings, with those limits that are lower for this connection."""
        return attrs.evolve(
            config,
            max_pages=min(self.max_pages or config.max_pages, config.max_pages),
            max_contexts=min(self.max_contexts or config.max_contexts, config.max_contexts),
        )

    async def over(self, now_s: Callable[[], float] = time.time) -> None:
        """Return when it ends, which may be never. [trio]"""
        while True:
            left_s = math.inf if self.expires_s is None else self.expires_s - now_s()
            if left_s <= 0:
                return
            await trio.sleep(min(left_s, _LOOK_S))  # the clock on the wall may be set meanwhile


Key = tuple[bytes, Grant]
"""The digest of a token, and what it grants."""


class Keyring:
    """The tokens of the configuration, or none: then everyone is let in, with scope ``standard`` at most.

    A peer (an address) that fails ten times in a minute is not heard again, whatever it brings, until its failures
    are a minute old; a request without any token is no failure, since it guesses nothing.

    Args:
      now_s: the clock that tokens expire by.

    Raises:
      ValueError: a token of the configuration makes no sense.
    """

    def __init__(self, config: Config, now_s: Callable[[], float] = time.time) -> None:
        if config.token == "":
            raise ValueError("the token must not be empty")
        self._is_open = not config.has_tokens
        self._keys: list[Key] = [_key(entry) for entry in (config.tokens.entries if config.tokens else ())]
        if config.token is not None:
            digest = _digest(config.token.encode())
            self._keys.append((digest, Grant(config.scope, "token", digest=digest)))
        self._scope = config.scope
        self._now_s = now_s
        self._failures: deque[tuple[float, str]] = deque(maxlen=_FAILURES_KEPT)

    def grant(self, head: Head) -> Grant:
        """Return what the sender of the request may do.

        Raises:
          Refusal: 401 for a token that is missing, wrong, expired or ambiguous; 429 after too many that are wrong.
        """
        if self._is_open:
            return Grant(min(self._scope, Scope.STANDARD), "open")
        self._check_rate(head.peer)
        tokens = given_tokens(head)
        if not any(tokens):
            raise _denied()
        grant = self._find(tokens)
        if grant is None:
            self._failures.append((trio.current_time(), head.peer))
            raise _denied()
        if grant.expires_s is not None and self._now_s() >= grant.expires_s:
            raise _denied()
        return grant

    def _find(self, tokens: list[list[bytes]]) -> Grant | None:
        """Return the grant that all the tokens stand for, if it is the same one."""
        found = {self._match(_digest(token)) for source in tokens for token in source}
        clear = len(found) == 1 and all(len(source) <= 1 for source in tokens)
        return found.pop() if clear else None

    def _match(self, digest: bytes) -> Grant | None:
        # All are compared, whichever fits, so that the time it takes tells nothing.
        fitting = [grant for known, grant in self._keys if hmac.compare_digest(digest, known)]
        return fitting[0] if fitting else None

    def _check_rate(self, peer: str) -> None:
        horizon = trio.current_time() - 60
        while self._failures and self._failures[0][0] <= horizon:
            self._failures.popleft()
        if sum(failed == peer for _, failed in self._failures) >= FAILURES_PER_MINUTE:
            raise Refusal(429, "Too many wrong tokens.", ("Retry-After: 60",))


def given_tokens(head: Head) -> list[list[bytes]]:
    """Return the tokens that the request carries, a list for each place where one may stand."""
    pairs = [pair.partition(b"=") for pair in head.query.split(b"&")]
    credentials = [value.partition(b" ") for value in head.values(b"authorization")]
    return [
        # A plus sign stays one: tokens in base64 hold it, and none holds a blank.
        [unquote_to_bytes(value) for name, _, value in pairs if unquote_to_bytes(name) == b"token"],
        head.values(b"x-agent-token"),
        head.values(b"x-bap-token"),
        [token.strip() for kind, _, token in credentials if kind.lower() == b"bearer"],
    ]


def _key(entry: Credential) -> Key:
    limits = entry.limits
    per_minute = limits.requests_per_minute
    return entry.digest, Grant(
        scope=entry.scope,
        name=entry.name,
        allowlist=None if entry.allowed_domains is None else read_allowlist(entry.allowed_domains),
        max_pages=limits.max_pages,
        max_contexts=limits.max_contexts,
        rate_limit=None if per_minute is None else RateLimit(per_minute),
        expires_s=entry.expires_s,
        digest=entry.digest,
    )


def _digest(token: bytes) -> bytes:
    # Digests are of one length, so that comparing them tells nothing about the token's.
    return hashlib.sha256(token).digest()


def _denied() -> Refusal:
    return Refusal(401, "A valid token is needed.", ("WWW-Authenticate: Bearer",))
