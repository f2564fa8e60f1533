"""Access tokens with their own scopes and limits: the TOML file of ``--tokens-file``. Pure.

```toml
[[tokens]]
name = "ci"                                  # name in the log
sha256 = "9f86d081884c7d659a2feaa0c55ad015…"  # digest of the token, which itself is in no file of the server
scope = "standard"                           # permissions of its clients, regardless of --scope
allowed_domains = ["*.example.com"]          # hosts; --allowed-domains, if given, applies too
expires = 2027-01-31T00:00:00Z
limits = { max_pages = 2, max_contexts = 1, max_total_pages = 8, max_connections = 4, requests_per_minute = 600 }
```
"""

import hashlib
import json
import secrets
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, Final, Literal

import attrs

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.fields import constraints, field

ScopeName = Literal["readonly", "standard", "full", "privileged"]

_RESERVED: Final = ("open", "token", "memory")
"""Log names of clients without a token, with the one of ``--token``, and inside the process."""
_TOKEN_BYTES: Final = 32
MIN_TOKEN_LENGTH: Final = 16
"""Minimum length of a token: guesses are not refused, so they must be hopeless."""


@attrs.frozen(kw_only=True)
class TokenLimits:
    """Limits of a token's clients; the server's own limits also apply."""

    refuses_unknown: ClassVar[bool] = True

    max_pages: int | None = field(default=None, wire="max_pages", minimum=1)
    """Open pages of each client."""
    max_contexts: int | None = field(default=None, wire="max_contexts", minimum=1)
    """Contexts of each client."""
    max_total_pages: int | None = field(default=None, wire="max_total_pages", minimum=1)
    """Open pages of all its clients together."""
    max_connections: int | None = field(default=None, wire="max_connections", minimum=1)
    """Connections of all its clients together."""
    requests_per_minute: int | None = field(default=None, wire="requests_per_minute", minimum=1, maximum=100_000)
    """Requests of all its clients together."""


@attrs.frozen(kw_only=True)
class Credential:
    """An access token, stored as its digest.

    Raises:
      ValueError: a field is invalid; the text describes the valid values.
    """

    refuses_unknown: ClassVar[bool] = True

    name: str = attrs.field(metadata=constraints(pattern="[A-Za-z0-9][A-Za-z0-9._@-]{0,63}"))
    sha256: str = attrs.field(metadata=constraints(pattern="[0-9a-f]{64}"))
    scope_word: ScopeName = field(default="standard", wire="scope")
    allowed_domains: tuple[str, ...] | None = field(default=None, wire="allowed_domains")
    expires: Any = None
    """A `datetime` with an offset."""
    limits: TokenLimits = TokenLimits()

    def __attrs_post_init__(self) -> None:
        if self.name in _RESERVED:
            raise ValueError(f"name must be another than {self.name}, which the log uses itself")
        expires = self.expires
        if expires is not None and not (isinstance(expires, datetime) and expires.tzinfo is not None):
            raise ValueError("expires must be a date-time with its offset, such as 2027-01-31T00:00:00Z")

    @property
    def scope(self) -> Scope:
        """Return the scope of its clients."""
        return Scope.of(self.scope_word)

    @property
    def digest(self) -> bytes:
        """Return the SHA-256 of the token."""
        return bytes.fromhex(self.sha256)

    @property
    def expires_s(self) -> float | None:
        """Return the expiry in seconds since 1970; None for no expiry."""
        return None if self.expires is None else float(self.expires.timestamp())


@attrs.frozen
class TokenFile:
    """The tokens of a file.

    Raises:
      ValueError: two tokens have the same name, or the same digest.
    """

    entries: tuple[Credential, ...]
    exposed: bool = attrs.field(default=False, eq=False)
    """True if every user of the machine may read or change the file."""

    def __attrs_post_init__(self) -> None:
        for value, count in Counter(entry.name for entry in self.entries).items():
            if count > 1:
                raise ValueError(f"a file of tokens with names that differ ({value} is there {count} times)")
        for value, count in Counter(entry.sha256 for entry in self.entries).items():
            if count > 1:
                same = " and ".join(entry.name for entry in self.entries if entry.sha256 == value)
                raise ValueError(f"a file of tokens that differ ({same} have the same sha256)")

    def holding(self, token: str) -> Credential | None:
        """Return the credential of a token; None if it is unknown."""
        digest = hashlib.sha256(token.encode()).hexdigest()
        return next((entry for entry in self.entries if entry.sha256 == digest), None)


def read_tokens(file: Mapping[str, Any]) -> tuple[Credential, ...]:
    """Return the tokens of a parsed file.

    Raises:
      ValueError: the file is invalid; the text names the entry and describes the valid values.
    """
    tables = file.get("tokens")
    if set(file) != {"tokens"} or not isinstance(tables, list) or not tables:
        raise ValueError("a TOML file of [[tokens]] tables, at least one, and nothing else")
    return tuple(_read(index, table) for index, table in enumerate(tables))


def _read(index: int, table: Any) -> Credential:
    try:
        return credential(table)
    except ValueError as error:
        name = table.get("name") if isinstance(table, dict) else None
        entry = f"tokens[{index}]" + (f", {name[:64]}" if isinstance(name, str) else "")
        problem = " ".join(f"{entry}: {error}".split())
        raise ValueError(f"a file of tokens that make sense ({problem})") from None


def credential(table: Any) -> Credential:
    """Return the token of one table.

    Raises:
      ValueError: a key or a value is invalid; the text names it.
    """
    from agentbrowser.protocol.codec import structure  # cattrs takes long to import, and few servers have this file

    try:
        return structure(Credential, table)
    except InvalidParams as invalid:
        if invalid.details["path"] == "sha256":  # the value may be the token itself
            raise ValueError("sha256 must be 64 hexadecimal digits in lower case") from None
        raise ValueError(invalid.message.rstrip(".")) from None


def new_token() -> str:
    """Return a random, URL-safe token."""
    return secrets.token_urlsafe(_TOKEN_BYTES)


def entry_for(token: str, *, name: str, scope: str, domains: tuple[str, ...] | None, expires: datetime | None) -> str:
    """Return the lines of the tokens file for a token.

    Raises:
      ValueError: a value is invalid.
    """
    digest = hashlib.sha256(token.encode()).hexdigest()
    table: dict[str, Any] = {"name": name, "sha256": digest, "scope": scope}
    if domains is not None:
        table["allowed_domains"] = list(domains)
    credential(table | ({"expires": expires} if expires else {}))
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    end = [f"expires = {expires.isoformat()}"] if expires else []
    return "\n".join(["[[tokens]]", *lines, *end])
