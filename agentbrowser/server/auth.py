"""Who may come in: the token of a request, and the scope that it grants."""

import hashlib
import hmac
from collections import deque
from typing import Final
from urllib.parse import unquote_to_bytes

import attrs
import trio

from agentbrowser.config import Config
from agentbrowser.registry import Scope
from agentbrowser.server.head import Head, Refusal

FAILURES_PER_MINUTE: Final = 10
_FAILURES_KEPT: Final = 1000


@attrs.frozen
class Grant:
    """What a connection may do, fixed in its handshake."""

    scope: Scope
    name: str
    """Which token granted it; ``open`` where the server asks for none."""


class Keyring:
    """The token of the configuration, or none: then everyone is let in, with scope ``standard`` at most.

    A peer (an address) that fails ten times in a minute is not heard again, whatever it brings, until its failures
    are a minute old; a request without any token is no failure, since it guesses nothing.
    """

    def __init__(self, config: Config) -> None:
        if config.token == "":
            raise ValueError("the token must not be empty")
        self._digest = None if config.token is None else _digest(config.token.encode())
        self._scope = config.scope
        self._failures: deque[tuple[float, str]] = deque(maxlen=_FAILURES_KEPT)

    def grant(self, head: Head) -> Grant:
        """Return what the sender of the request may do.

        Raises:
          Refusal: 401 for a token that is missing, wrong or ambiguous; 429 after too many of them.
        """
        if self._digest is None:
            return Grant(min(self._scope, Scope.STANDARD), "open")
        self._check_rate(head.peer)
        tokens = given_tokens(head)
        if not any(tokens):
            raise _denied()
        if not self._fits(tokens):
            self._failures.append((trio.current_time(), head.peer))
            raise _denied()
        return Grant(self._scope, "token")

    def _fits(self, tokens: list[list[bytes]]) -> bool:
        expected = self._digest or b""
        matches = [hmac.compare_digest(_digest(token), expected) for source in tokens for token in source]
        return all(matches) and all(len(source) <= 1 for source in tokens)

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


def _digest(token: bytes) -> bytes:
    # Digests are of one length, so that comparing them tells nothing about the token's.
    return hashlib.sha256(token).digest()


def _denied() -> Refusal:
    return Refusal(401, "A valid token is needed.", ("WWW-Authenticate: Bearer",))
