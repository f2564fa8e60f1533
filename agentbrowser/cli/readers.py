"""Readers of settings by type: from the text of a flag or variable, or from a TOML value."""

import difflib
import os
import re
import stat
import tomllib
import types
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Final, Literal, Union, get_args, get_origin

import attrs

from agentbrowser.config import Bytes
from agentbrowser.policy.approvals import ApprovalRules
from agentbrowser.policy.credentials import MIN_TOKEN_LENGTH, TokenFile, read_tokens
from agentbrowser.policy.secrets import SecretStore, read_secrets
from agentbrowser.policy.urls import read_allowlist
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Scope

Reader = Callable[[Any], Any]
"""Function from a raw value to a setting's value; raises ValueError with the accepted values."""

_YES: Final = ("true", "yes", "on", "1")
_EVERYONE: Final = stat.S_IROTH | stat.S_IWOTH
_OTHERS: Final = stat.S_IRGRP | stat.S_IWGRP | stat.S_IROTH | stat.S_IWOTH
_NO: Final = ("false", "no", "off", "0")
_HIDDEN: Final[dict[str, str]] = {}
"""Values of hidden variables, for the next reading of the secrets."""


def hide_variables(names: Iterable[str]) -> None:
    """Remove variables that hold secrets from the environment, which the browser inherits, and keep them here."""
    _HIDDEN.update({name: os.environ.pop(name) for name in names if name in os.environ})


def reader(kind: Any) -> Reader:
    """Return the reader of a type."""
    return _READERS.get(get_origin(kind) or kind) or _choice(kind)


def plain(kind: Any) -> Any:
    """Return a type without its None."""
    if get_origin(kind) in (Union, types.UnionType):
        (kind,) = (member for member in get_args(kind) if member is not type(None))
    return kind


def choices(kind: Any) -> tuple[str, ...]:
    """Return all words that a type accepts; empty for a type that accepts other values."""
    if kind is Scope:
        return tuple(scope.word for scope in Scope)
    return get_args(kind) if get_origin(kind) is Literal else ()


class FileToken(str):
    """Token that was read from a file."""

    exposed: bool = False
    """True if every user can read or change the file."""


def read_token(raw: Any) -> FileToken:
    """Read the token from a file; surrounding blanks are ignored."""
    try:
        with Path(_text(raw)).open(encoding="utf-8") as file:
            mode, token = os.fstat(file.fileno()).st_mode, FileToken(file.read().strip())
    except OSError as error:
        raise ValueError(f"a file that can be read ({error.strerror})") from None
    except UnicodeDecodeError:
        mode, token = 0, FileToken()
    if re.fullmatch("[!-~]+", token) is None:
        raise ValueError("a file that holds one token, of printable ASCII without spaces")
    if len(token) < MIN_TOKEN_LENGTH:
        raise ValueError(f"a file whose token has at least {MIN_TOKEN_LENGTH} characters")
    token.exposed = os.name == "posix" and bool(mode & _EVERYONE)
    return token


def read_domains(text: str | None) -> tuple[str, ...] | None:
    """Read an allowlist of comma-separated entries.

    Raises:
      ValueError: an entry is invalid, or there is none, as where a shell's variable is empty.
    """
    if text is None:
        return None
    domains = _list(text)
    read_allowlist(domains)
    return domains


def read_expiry(text: str | None, now: datetime | None = None) -> datetime | None:
    """Read the expiry of a token: a number of days from now (``30d``), or a date-time with an offset.

    Raises:
      ValueError: the text is neither, or the time is past.
    """
    if text is None:
        return None
    now = now or datetime.now(UTC)
    try:
        days = re.fullmatch(r"(\d{1,4})d", text)
        end = now.replace(microsecond=0) + timedelta(int(days[1])) if days else datetime.fromisoformat(text)
    except ValueError:
        end = None
    if end is None or end.tzinfo is None or end <= now:
        raise ValueError(f"--expires must be days (30d) or a date-time to come (2027-01-31T00:00:00Z), not {text!r}")
    return end


def _text(raw: Any, accepted: str = "text") -> str:
    if not isinstance(raw, str) or "\0" in raw:
        raise ValueError(accepted if not isinstance(raw, str) else "text without NUL")
    return raw


def _directory(raw: Any) -> Path:
    path = Path(_text(raw)).absolute()
    if not _text(raw) or not path.is_dir() or not os.access(path, os.R_OK | os.X_OK):
        raise ValueError("a directory that can be read")
    return path


def _list(raw: Any) -> tuple[str, ...]:
    """Read values from a list, or from comma-separated text."""
    texts = raw if isinstance(raw, list | tuple) else [raw]
    return tuple(part.strip() for text in texts for part in _text(text, "a list of texts").split(",") if part.strip())


def _boolean(raw: Any) -> bool:
    word = str(raw).strip().lower()
    if word not in _YES + _NO:
        raise ValueError("true or false")
    return word in _YES


def _number(kind: type[int] | type[float], words: str) -> Reader:
    def read(raw: Any) -> Any:
        try:
            if isinstance(raw, bool) or (kind is int and isinstance(raw, float)):
                raise TypeError
            return kind(raw)
        except (TypeError, ValueError):
            raise ValueError(words) from None

    return read


def _size(raw: Any) -> Bytes:
    """Read a number of bytes with an optional suffix: 512m, 6GiB; suffixes are powers of 1024."""
    found = re.fullmatch(r"(\d{1,15})\s*(?:([kmgt])(?:i?b)?|b)?", str(raw).strip().lower())
    if found is None or isinstance(raw, bool):
        raise ValueError("a number of bytes, as in 512m or 6GiB")
    return Bytes(int(found[1]) * 1024 ** ("kmgt".index(found[2]) + 1 if found[2] else 0))


def _choice(kind: Any) -> Reader:
    words = choices(kind)

    def read(raw: Any) -> Any:
        if raw not in words:
            raise ValueError(f"{', '.join(words[:-1])} or {words[-1]}")
        return Scope.of(raw) if kind is Scope else raw

    return read


def _toml(raw: Any, accepted: str = "a TOML file") -> tuple[dict[str, Any], int]:
    """Return the table of a TOML file, and the mode of the file."""
    path = Path(_text(raw, accepted))
    try:
        with path.open("rb") as file:
            return tomllib.load(file), os.fstat(file.fileno()).st_mode
    except OSError as error:
        raise ValueError(f"a TOML file that can be read ({error.strerror})") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"a TOML file ({error})") from None


def _approvals(raw: Any) -> ApprovalRules:
    """Read rules from a table, or from a TOML file of the same text as in the config file or of the table alone."""
    from agentbrowser.protocol.codec import structure  # cattrs is slow to import

    table = raw if isinstance(raw, dict) else _toml(raw, "a TOML file, or a table")[0]
    try:
        rules = structure(ApprovalRules, _with_names(table["approvals"] if table.keys() == {"approvals"} else table))
    except InvalidParams as misfit:
        where, expected, got = (misfit.details[name] for name in ("path", "expected", "got"))
        raise ValueError(f"a table where {where} is {expected} (it is {got})") from None
    if not rules.rules and rules.mode != "disabled":  # such as a file that is just being written
        raise ValueError('a table with [[approvals.rules]], at least one, or with mode = "disabled"')
    _check_actions(rules)
    return rules


def _check_actions(rules: ApprovalRules) -> None:
    """Refuse a pattern that matches no method: its rule would let everything pass."""
    from agentbrowser.methods import METHODS  # all areas come with it

    for number, rule in enumerate(rules.rules):
        for pattern in rule.match.actions:
            if not any(fnmatchcase(name, pattern) for name in METHODS):
                similar = difflib.get_close_matches(pattern, METHODS, n=1)
                hint = f"; did you mean {similar[0]!r}?" if similar else ""
                path = f"rules[{number}].match.actions"
                raise ValueError(f"a table where {path} match methods (none matches {pattern!r}{hint})")


def _with_names(table: Any) -> Any:
    """Return the table with ``-`` in its keys replaced by ``_``: settings are written with dashes."""
    if isinstance(table, dict):
        return {key.replace("-", "_"): _with_names(item) for key, item in table.items()}
    return [_with_names(item) for item in table] if isinstance(table, list) else table


def _tokens(raw: Any) -> TokenFile:
    """Read tokens from a TOML file."""
    table, mode = _toml(raw)
    tokens = TokenFile(read_tokens(_with_names(table)), exposed=bool(mode & _EVERYONE))
    for entry in tokens.entries:
        _check_domains(entry.name, entry.allowed_domains)
    return tokens


def _check_domains(name: str, domains: tuple[str, ...] | None) -> None:
    try:
        if domains is not None:
            read_allowlist(domains)
    except ValueError as error:
        raise ValueError(f"a file of tokens that make sense ({name}: {error})") from None


def _secrets(raw: Any) -> SecretStore:
    """Read secrets from a TOML file; errors contain the position only, since the text may be a secret."""
    try:
        with Path(_text(raw)).open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            store = read_secrets(tomllib.load(file), {**_HIDDEN, **os.environ})
    except OSError as error:
        raise ValueError(f"a TOML file that can be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise ValueError("a TOML file (it is not UTF-8)") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"at (?:line \d+, column \d+|end of document)", str(error))
        raise ValueError(f"a TOML file ({place[0] if place else 'it is none'} it goes wrong)") from None
    return attrs.evolve(store, exposed=bool(mode & _OTHERS))


_READERS: Final[dict[Any, Reader]] = {
    str: _text,
    bool: _boolean,
    int: _number(int, "a whole number"),
    float: _number(float, "a number of seconds"),
    Bytes: _size,
    tuple: _list,
    Path: _directory,
    ApprovalRules: _approvals,
    TokenFile: _tokens,
    SecretStore: _secrets,
}
