"""How the operator's words become a `Config`: flags, AGENT_* variables, a TOML file, all named after its fields.

A flag beats a variable, a variable the file, the file the default. An empty variable is a value like any other: it must
not quietly open what the operator meant to close.
"""

import difflib
import functools
import operator
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_origin

import attrs

from agentbrowser import config as declared
from agentbrowser.cli.readers import Reader, choices, plain, read_token, reader
from agentbrowser.config import Bytes, Config
from agentbrowser.policy.approvals import ApprovalRules
from agentbrowser.policy.credentials import TokenFile
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.registry import Scope

CONFIG_VARIABLE: Final = "AGENT_CONFIG"
_PREFIX: Final = "AGENT_"
_WORDS: Final[dict[Any, str]] = {
    str: "TEXT",
    bool: "",
    int: "NUMBER",
    float: "SECONDS",
    Path: "DIRECTORY",
    Bytes: "BYTES",
    ApprovalRules: "FILE",
    TokenFile: "FILE",
    SecretStore: "FILE",
}
_ENDINGS: Final = {"-size": "BYTES", "-dir": "DIRECTORY", "-file": "FILE", "-path": "FILE"}
"""What a value is, as the end of its setting's name tells it better than its type does."""


class BadSetting(ValueError):
    """A setting can't be used; the text is one line that says which, where it came from and what it should be."""


@attrs.frozen(kw_only=True)
class Setting:
    """One way to say one field of `Config`."""

    attribute: "attrs.Attribute[Any]"
    name: str
    kind: Any
    """The type of the value, less None."""
    help: str
    secret: bool
    read: Reader
    """Turns text, or a value of TOML, into the field's value; raises ValueError saying what it should be."""

    @property
    def key(self) -> str:
        """The name as an identifier."""
        return self.name.replace("-", "_")

    @property
    def flag(self) -> str:
        """The flag; of a yes-or-no setting, the one that says yes."""
        return f"--{self.name}"

    @property
    def opposite(self) -> str | None:
        """The flag that says no."""
        if self.kind is not bool:
            return None
        return f"--{self.attribute.metadata.get(declared.OPPOSITE, f'no-{self.name}')}"

    @property
    def variable(self) -> str:
        """The environment variable."""
        return f"{_PREFIX}{self.attribute.metadata.get(declared.VARIABLE, self.key.upper())}"

    @property
    def is_list(self) -> bool:
        """Whether there can be several values."""
        return get_origin(self.kind) is tuple

    @property
    def metavar(self) -> str:
        """What stands for the value in a description."""
        if words := choices(self.kind):
            return "|".join(words)
        if self.is_list:
            return "LIST"
        return next((word for end, word in _ENDINGS.items() if self.name.endswith(end)), _WORDS[self.kind])

    @property
    def default(self) -> str:
        """The default in words; empty where there is none."""
        value = self.attribute.default
        if isinstance(value, Scope):
            return value.word
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:g}" if isinstance(value, float) else "" if value in (None, ()) else str(value)


def load(flags: Mapping[str, Any], environ: Mapping[str, str]) -> Config:
    """Return the configuration that the operator asks for.

    Args:
      flags: by `Setting.key`, and ``config`` for the file; None where a flag was not given.

    Raises:
      BadSetting: a value, a key of the file, or the whole makes no sense.
    """
    path = flags.get("config") or environ.get(CONFIG_VARIABLE)
    sources = (_of_file(path) if path is not None else (), _of_environment(environ), _of_flags(flags))
    values = functools.reduce(operator.or_, map(_layer, sources))
    try:
        config = Config(**values)
        UrlRules.compile(allowed_domains=config.allowed_domains, private_network=config.private_network, own_ports=())
    except ValueError as error:
        raise BadSetting(_with_flags(str(error))) from None
    return config


def _with_flags(text: str) -> str:
    """Return what is said of fields with the flags that the operator knows them by."""
    flags = {setting.attribute.name: setting.flag for setting in SETTINGS if "_" in setting.attribute.name}
    return re.sub(r"\w+", lambda word: flags.get(word[0], word[0]), text)


def unknown_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the AGENT_* variables that mean nothing and look like a slip of the pen, each with what was meant."""
    known = [CONFIG_VARIABLE, *(setting.variable for setting in SETTINGS)]
    strange = sorted(name for name in environ if name.startswith(_PREFIX) and name not in known)
    near = {name: difflib.get_close_matches(name, known, n=1, cutoff=0.85) for name in strange}
    return {name: meant for name, found in near.items() for meant in found}


Given = tuple[Setting, str, Any]
"""A setting, what its value's place is called, and the value as it was given."""


def _of_flags(flags: Mapping[str, Any]) -> Iterator[Given]:
    for setting in SETTINGS:
        if (value := flags.get(setting.key)) is not None:
            yield setting, (setting.opposite or setting.flag) if value is False else setting.flag, value


def _of_environment(environ: Mapping[str, str]) -> Iterator[Given]:
    for setting in SETTINGS:
        if (value := environ.get(setting.variable)) is not None:
            yield setting, setting.variable, value


def _of_file(path: str) -> Iterator[Given]:
    by_name = {setting.name: setting for setting in SETTINGS}
    for key, value in _parse(path).items():
        if key not in by_name:
            near = difflib.get_close_matches(key.replace("_", "-"), by_name, n=1)
            raise BadSetting(f"{path}: unknown key {key!r}" + (f"; did you mean {near[0]!r}?" if near else ""))
        yield by_name[key], f"{path}: {key}", value


def _parse(path: str) -> dict[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise BadSetting(f"{path} is not TOML: {error}") from None


def _layer(given: Iterable[Given]) -> dict[str, Any]:
    """Return the fields that one source gives a value to."""
    values: dict[str, Any] = {}
    places: dict[str, str] = {}
    for setting, place, raw in given:
        field = setting.attribute.name
        if field in values:
            raise BadSetting(f"{places[field]} and {place} exclude each other")
        values[field], places[field] = _value(setting, place, raw), place
    return values


def _value(setting: Setting, place: str, raw: Any) -> Any:
    try:
        value = setting.read(raw)
    except ValueError as error:
        raise BadSetting(f"{place} must be {error}" + _shown(setting, raw)) from None
    if (wanted := declared.expected(setting.attribute, value)) is not None:
        raise BadSetting(f"{place} must be {wanted}" + _shown(setting, raw))
    return value


def _shown(setting: Setting, raw: Any) -> str:
    return "" if setting.secret or isinstance(raw, dict) else f", not {raw!r}"


def _name(field: str) -> str:
    return field.removesuffix("_s").replace("_bytes", "_size").replace("_", "-")


def _settings() -> Iterator[Setting]:
    for attribute in attrs.fields(Config):
        kind, said = plain(attribute.type), attribute.metadata
        yield Setting(
            attribute=attribute,
            name=said.get(declared.NAME) or _name(attribute.name),
            kind=kind,
            help=said[declared.HELP],
            secret=declared.SECRET in said,
            read=reader(kind),
        )
        if attribute.name == "token":
            help_ = "a file that holds the token"
            yield Setting(attribute=attribute, name="token-file", kind=str, help=help_, secret=False, read=read_token)


SETTINGS: Final = tuple(_settings())
