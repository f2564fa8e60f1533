"""Secrets that agents use by name without seeing them: the TOML file of ``--secrets-file``. Pure.

```toml
[shop-password]                        # the agent writes {{secret:shop-password}}
value = "correct horse"                # or value_from_env = "SHOP_PASSWORD"
origins = ["https://shop.example", "https://*.bank.example:8443"]
scopes = ["standard"]                  # scopes that may use it; all when absent
```
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Self

import attrs

from agentbrowser.policy.urls import AllowlistEntry, place_of
from agentbrowser.protocol.registry import Scope

MIN_LENGTH: Final = 4
"""Shorter values occur in unrelated texts, so they can't be masked in outputs."""
MAX_LENGTH: Final = 4096

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_PLACEHOLDER: Final = re.compile(r"\{\{secret:([^{}]{0,200})\}\}")
_KEYS: Final = ("value", "value_from_env", "origins", "scopes")
_ORIGIN: Final = re.compile(r"(https?)://([^/?#]+)")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443}


@attrs.frozen
class OriginPattern:
    """Pattern of origins: one host, or with ``*.`` a domain and its subdomains; the default port when absent."""

    scheme: str
    entry: AllowlistEntry

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse ``https://host``, ``https://*.host`` or an address, each with or without a port.

        Raises:
          ValueError: the text is none of these.
        """
        found = _ORIGIN.fullmatch(text)
        if found is None:
            raise ValueError(f"origin {text[:200]!r} is not https://host or https://*.host, with or without a port")
        try:
            entry = AllowlistEntry.parse(found[2])
        except ValueError:
            raise ValueError(f"origin {text[:200]!r} has no host, *.host or address behind its scheme") from None
        return cls(found[1], attrs.evolve(entry, port=entry.port or _DEFAULT_PORTS[found[1]]))

    def matches(self, origin: str) -> bool:
        """Return True if the pattern matches an origin as the browser writes it; ``null`` never matches."""
        host, port = place_of(origin)
        if not host or origin.partition("://")[0] != self.scheme:
            return False
        try:
            return self.entry.matches(AllowlistEntry.parse(host).host, port)
        except ValueError:
            return False


@attrs.frozen(kw_only=True)
class Secret:
    """A secret."""

    name: str
    value: str = attrs.field(repr=False)
    origins: tuple[OriginPattern, ...]
    scopes: frozenset[Scope] = frozenset(Scope)

    def is_for(self, origin: str) -> bool:
        """Return True if documents of that origin may receive the secret."""
        return any(one.matches(origin) for one in self.origins)


@attrs.frozen
class SecretStore:
    """The secrets of a file."""

    secrets: tuple[Secret, ...] = ()
    exposed: bool = attrs.field(default=False, eq=False)
    """True if users other than its owner may read or change the file."""
    variables: tuple[str, ...] = ()
    """Environment variables with values."""

    def find(self, name: str) -> Secret | None:
        """Return the secret of that name; None if it is unknown."""
        return next((one for one in self.secrets if one.name == name), None)

    def named_in(self, text: str) -> list[Secret]:
        """Return the secrets that a text refers to, each once, without unknown names."""
        found = [self.find(name) for name in names_in(text)]
        return [one for one in found if one is not None]


def names_in(text: str) -> list[str]:
    """Return the names in the placeholders of a text, each once."""
    return list(dict.fromkeys(_PLACEHOLDER.findall(text)))


def parts_of(text: str, secrets: Iterable[Secret]) -> Iterator[tuple[str, bool]]:
    """Yield the parts of a text with values in place of the placeholders, each with True for a value.

    Raises:
      KeyError: a name is unknown.
    """
    values = {one.name: one.value for one in secrets}
    for index, piece in enumerate(_PLACEHOLDER.split(text)):
        if index % 2:
            yield values[piece], True
        elif piece:
            yield piece, False


def read_secrets(file: Mapping[str, Any], environ: Mapping[str, str]) -> SecretStore:
    """Return the secrets of a parsed file.

    Raises:
      ValueError: the file is invalid; the text names the entry, never a value.
    """
    if not file:
        raise ValueError("a file of secrets, a table for each ([name], value, origins); it has none")
    secrets = []
    for name, table in file.items():
        try:
            secrets.append(_read(name, table, environ))
        except ValueError as error:
            raise ValueError(f"a file of secrets that make sense ({name[:64]!r}: {error})") from None
    variables = [table["value_from_env"] for table in file.values() if "value_from_env" in table]
    return SecretStore(tuple(secrets), variables=tuple(variables))


def _read(name: str, table: Any, environ: Mapping[str, str]) -> Secret:
    if not _NAME.fullmatch(name):
        raise ValueError("the name must be letters, digits, '.', '_' and '-', at most 64")
    if not isinstance(table, dict):
        raise ValueError("it must be a table with a value and origins")
    unknown = [key for key in table if key not in _KEYS]
    if unknown:
        raise ValueError(f"unknown key {unknown[0][:64]!r}; there are {', '.join(_KEYS)}")
    return Secret(name=name, value=_value(table, environ), origins=_origins(table), scopes=_scopes(table))


def _value(table: Mapping[str, Any], environ: Mapping[str, str]) -> str:
    if ("value" in table) == ("value_from_env" in table):
        raise ValueError("it must have a value or a value_from_env, and not both")
    value = table.get("value")
    if "value_from_env" in table:
        variable = table["value_from_env"]
        if not isinstance(variable, str) or variable not in environ:
            raise ValueError("value_from_env must be the name of a variable that is set")
        value = environ[variable]
    if not isinstance(value, str) or not MIN_LENGTH <= len(value.strip()) <= MAX_LENGTH or "\0" in value:
        raise ValueError(f"the value must be text of {MIN_LENGTH} to {MAX_LENGTH} characters")
    return value


def _origins(table: Mapping[str, Any]) -> tuple[OriginPattern, ...]:
    origins = table.get("origins")
    if not isinstance(origins, list) or not origins or not all(isinstance(one, str) for one in origins):
        raise ValueError('origins must be a list of origins, at least one, such as ["https://shop.example"]')
    return tuple(map(OriginPattern.parse, origins))


def _scopes(table: Mapping[str, Any]) -> frozenset[Scope]:
    words = table.get("scopes")
    if words is None:
        return frozenset(Scope)
    known = [scope.word for scope in Scope]
    if not isinstance(words, list) or not words or not all(word in known for word in words):
        raise ValueError(f"scopes must be a list of {', '.join(known)}")
    return frozenset(map(Scope.of, words))
