"""Authentication: the token of a request and the grant behind it."""

import hashlib
import hmac
import math
import time
from collections import deque
from collections.abc import Callable
from typing import Final
from urllib.parse import unquote_to_bytes

import attrs
import structlog
import trio

from agentbrowser.browser.capacity import PageQuota
from agentbrowser.config import Config
from agentbrowser.policy.credentials import MIN_TOKEN_LENGTH, Credential
from agentbrowser.policy.urls import AllowlistEntry, read_allowlist
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate.head import Head, Refusal
from agentbrowser.server.gate.rate_limit import RateLimit

log = structlog.get_logger("agentbrowser.auth")

FAILURES_PER_MINUTE: Final = 10
GUESS_DELAY_S: Final = 1.0
"""Delay of the answer to each further wrong token."""
_FAILURES_KEPT: Final = 1000
_CLOCK_CHECK_S: Final = 60.0


@attrs.frozen
class Owner:
    """Owner of sessions: one token, or all clients without a token."""

    name: str
    digest: bytes = attrs.field(default=b"", repr=False)

    @property
    def is_proven(self) -> bool:
        """Return True if the owner has a token."""
        return bool(self.digest)


@attrs.frozen
class Grant:
    """Permissions and limits of a connection, fixed in its handshake."""

    scope: Scope
    name: str
    """Name of the token; ``open`` on a server without tokens."""
    allowlist: tuple[AllowlistEntry, ...] | None = None
    """Hosts that the token allows; the server's own rules apply as well."""
    max_pages: int | None = None
    max_contexts: int | None = None
    rate_limit: RateLimit | None = attrs.field(default=None, eq=lambda one: one and one.requests_per_minute)
    """Rate limit that all clients of the token share."""
    page_quota: PageQuota | None = attrs.field(default=None, eq=lambda one: one and one.max_pages)
    """Limit of pages that all clients of the token share."""
    max_connections: int | None = None
    """Connections of all clients of the token."""
    expires_s: float | None = None
    """Time of expiry, in seconds since 1970."""
    digest: bytes = attrs.field(default=b"", repr=False, eq=False)
    """Digest of the token; empty without a token."""
    withdrawn: trio.Event = attrs.field(factory=trio.Event, eq=False, init=False, repr=False)
    """Set once the operator has removed or changed the token; connections and sessions end with their grant."""

    @property
    def owner(self) -> Owner:
        """Return the owner of the connection's sessions."""
        return Owner(self.name, self.digest)

    def is_expired(self) -> bool:
        """Return True if the grant has expired or was withdrawn."""
        return self.withdrawn.is_set() or (self.expires_s is not None and time.time() >= self.expires_s)

    @property
    def left_s(self) -> float:
        """Return the seconds until the grant expires."""
        return math.inf if self.expires_s is None else self.expires_s - time.time()

    def settings(self, config: Config) -> Config:
        """Return the server's settings, lowered to the limits of this connection."""
        return attrs.evolve(
            config,
            max_pages=min(self.max_pages or config.max_pages, config.max_pages),
            max_contexts=min(self.max_contexts or config.max_contexts, config.max_contexts),
        )

    async def wait_expired(self, now_s: Callable[[], float] = time.time) -> None:
        """Wait until the grant expires, which may be never. [trio]"""
        while True:
            left_s = math.inf if self.expires_s is None else self.expires_s - now_s()
            if left_s <= 0:
                return
            await trio.sleep(min(left_s, _CLOCK_CHECK_S))  # the system clock may be set meanwhile


Key = tuple[bytes, Grant]
"""Digest of a token, and its grant."""


class Keyring:
    """Configured tokens; without any, every client is accepted with scope ``standard`` at most.

    A valid token always passes, since a web page can send wrong tokens from the address of the clients. After ten wrong
    tokens of a peer (an address) within a minute, the next ones get 429 after a delay. The length of tokens is what
    keeps guesses out. A request without a token guesses nothing, so it does not count.

    Args:
      now_s: clock for the expiry of tokens.

    Raises:
      ValueError: a configured token is invalid.
    """

    def __init__(self, config: Config, now_s: Callable[[], float] = time.time) -> None:
        if config.token == "":
            raise ValueError("the token must not be empty")
        self._open_grant = None if config.has_tokens else Grant(min(config.scope, Scope.STANDARD), "open")
        self._keys: list[Key] = [_key(entry) for entry in (config.tokens.entries if config.tokens else ())]
        if config.token is not None:
            digest = _digest(config.token.encode())
            self._keys.append((digest, Grant(config.scope, "token", digest=digest)))
        self._now_s = now_s
        self._failures: deque[tuple[float, str]] = deque(maxlen=_FAILURES_KEPT)

    def grant(self, head: Head) -> Grant:
        """Return the grant of the sender of a request.

        Raises:
          Refusal: 401 for a token that is missing, wrong, expired, ambiguous or too short; 429 for a wrong one after
            too many others.
        """
        if self._open_grant is not None:
            return self._open_grant
        tokens = given_tokens(head)
        if not any(tokens):
            raise _denied()
        grant = self._find(tokens)
        if grant is None:
            raise self.wrong_token(head.peer)
        if grant.expires_s is not None and self._now_s() >= grant.expires_s:
            raise _denied()
        return grant

    def reload(self, config: Config) -> list[Grant]:
        """Replace the tokens, and withdraw and return the grants that are gone or have changed.

        An unchanged grant stays as it is, with what its clients have used of its limits.

        Raises:
          ValueError: a configured token is invalid; nothing has changed.
        """
        renewed = Keyring(config, self._now_s)
        kept = [self._kept(grant) for grant in renewed._grants]
        gone = [grant for grant in self._grants if not any(grant is one for one in kept)]
        self._open_grant = None if config.has_tokens else kept[0]
        self._keys = [(grant.digest, grant) for grant in kept if grant is not self._open_grant]
        for grant in gone:
            grant.withdrawn.set()
        return gone

    @property
    def _grants(self) -> list[Grant]:
        return [grant for _, grant in self._keys] if self._open_grant is None else [self._open_grant]

    def _kept(self, grant: Grant) -> Grant:
        """Return the present grant that equals one, or else that one."""
        same = (one for one in self._grants if one == grant and one.digest == grant.digest)
        return next(same, grant)

    def _find(self, tokens: list[list[bytes]]) -> Grant | None:
        """Return the grant of the tokens; None if they have different grants or a source repeats one."""
        found = {self._match(_digest(token)) for source in tokens for token in source}
        clear = len(found) == 1 and all(len(source) <= 1 for source in tokens)
        grant = found.pop() if clear else None
        if grant is not None and any(len(token) < MIN_TOKEN_LENGTH for source in tokens for token in source):
            log.warning("token_too_short", grant=grant.name, hint="make another: agentbrowser token new")
            return None
        return grant

    def _match(self, digest: bytes) -> Grant | None:
        # Every digest is compared, so that the duration does not reveal which one matches.
        matching = [grant for known, grant in self._keys if hmac.compare_digest(digest, known)]
        return matching[0] if matching else None

    def wrong_token(self, peer: str) -> Refusal:
        """Count a wrong token, and return its refusal."""
        now_s = trio.current_time()
        while self._failures and self._failures[0][0] <= now_s - 60:
            self._failures.popleft()
        if sum(failed == peer for _, failed in self._failures) >= FAILURES_PER_MINUTE:
            return Refusal(429, "Too many wrong tokens.", ("Retry-After: 60",), delay_s=GUESS_DELAY_S)
        self._failures.append((now_s, peer))
        return _denied()


def given_tokens(head: Head) -> list[list[bytes]]:
    """Return the tokens of a request, one list for each place that may hold a token."""
    pairs = [pair.partition(b"=") for pair in head.query.split(b"&")]
    credentials = [value.partition(b" ") for value in head.values(b"authorization")]
    return [
        # A plus sign is not decoded to a blank: base64 tokens contain plus signs, and no token contains a blank.
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
        page_quota=None if limits.max_total_pages is None else PageQuota(limits.max_total_pages),
        max_connections=limits.max_connections,
        expires_s=entry.expires_s,
        digest=entry.digest,
    )


def _digest(token: bytes) -> bytes:
    # Digests have one length, so that a comparison does not reveal the length of the token.
    return hashlib.sha256(token).digest()


def _denied() -> Refusal:
    return Refusal(401, "A valid token is needed.", ("WWW-Authenticate: Bearer",))
