"""Settings from flags, AGENT_* variables and a TOML file, all named after the fields of `Config`.

A flag overrides a variable, a variable overrides the file, and the file overrides the default. An empty variable is a
value like any other: to ignore it could silently lift a restriction.
"""

import difflib
import functools
import importlib.util
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
from agentbrowser.policy.networks import is_web_origin
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.registry import Scope

CONFIG_VARIABLE: Final = "AGENT_CONFIG"
_PREFIX: Final = "AGENT_"
_HOST: Final = re.compile(r"([\w.-]+|\[[\da-f:.]+\])(:\d+)?", re.ASCII | re.IGNORECASE)
_ORIGIN: Final = re.compile(r"null|[a-z][a-z\d+.-]*://[!-.0-@\[-~]+", re.ASCII)
"""An origin has neither a path nor capitals."""
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
_ENDINGS: Final = {
    "-size": "BYTES",
    "-dir": "DIRECTORY",
    "-file": "FILE",
    "-path": "FILE",
    "-cert": "FILE",
    "-key": "FILE",
}
"""Placeholder of a value by the end of its setting's name, which is more specific than its type."""


class BadSetting(ValueError):
    """Invalid setting; the text is one line with its name, its source and the accepted values."""


@attrs.frozen(kw_only=True)
class Setting:
    """Command line setting of one field of `Config`."""

    attribute: "attrs.Attribute[Any]"
    name: str
    kind: Any
    """Type of the value, without None."""
    help: str
    secret: bool
    read: Reader
    """Function from text or a TOML value to the field's value; raises ValueError with the accepted values."""

    @property
    def key(self) -> str:
        """Return the name as an identifier."""
        return self.name.replace("-", "_")

    @property
    def flag(self) -> str:
        """Return the flag; of a boolean setting, the one that turns it on."""
        return f"--{self.name}"

    @property
    def opposite(self) -> str | None:
        """Return the flag that turns a boolean setting off; None for others."""
        if self.kind is not bool:
            return None
        return f"--{self.attribute.metadata.get(declared.OPPOSITE, f'no-{self.name}')}"

    @property
    def variable(self) -> str:
        """Return the name of the environment variable."""
        return f"{_PREFIX}{self.attribute.metadata.get(declared.VARIABLE, self.key.upper())}"

    @property
    def is_list(self) -> bool:
        """Return True if the setting accepts several values."""
        return get_origin(self.kind) is tuple

    @property
    def metavar(self) -> str:
        """Return the placeholder of the value in a description."""
        if words := choices(self.kind):
            return "|".join(words)
        if self.is_list:
            return "LIST"
        return next((word for end, word in _ENDINGS.items() if self.name.endswith(end)), _WORDS[self.kind])

    @property
    def default(self) -> str:
        """Return the default as text; empty without a default."""
        value = self.attribute.default
        if isinstance(value, Scope):
            return value.word
        if isinstance(value, bool):
            return "yes" if value else "no"
        return f"{value:g}" if isinstance(value, float) else "" if value in (None, ()) else str(value)


def load(flags: Mapping[str, Any], environ: Mapping[str, str], defaults: Mapping[str, Any] | None = None) -> Config:
    """Return the configuration from all sources.

    Args:
      flags: values by `Setting.key`, and ``config`` for the file; None for a flag that was not given.
      defaults: values by field, where a command has other defaults than `Config`.

    Raises:
      BadSetting: a value, a key or the combination is invalid.
    """
    path, named_by = flags.get("config"), "--config"
    if path is None:
        path, named_by = environ.get(CONFIG_VARIABLE), CONFIG_VARIABLE
    sources = (_from_file(path, named_by) if path is not None else (), _from_environment(environ), _from_flags(flags))
    values = functools.reduce(operator.or_, map(_layer, sources))
    if "host" in values:
        values["host"] = values["host"].removeprefix("[").removesuffix("]")  # as URLs write an IPv6 address
    try:
        config = Config(**{**(defaults or {}), **values})
        UrlRules.compile(allowed_domains=config.allowed_domains, private_network=config.private_network, own_ports=())
    except ValueError as error:
        raise BadSetting(with_flags(str(error))) from None
    return config


def load_for_server(flags: Mapping[str, Any], environ: Mapping[str, str]) -> Config:
    """Return the configuration of a server, as `load` does.

    Raises:
      BadSetting: as in `load`; or no client could have the scope, or the certificate, the store or the browser can't
        be used.
    """
    config = load(flags, environ)
    problem = unavailable_scope(config) or unusable_certificate(config) or unusable_telemetry(config)
    problem = (
        problem or ineffective_value(config) or declared.unusable_state(config) or declared.unusable_browser(config)
    )
    if problem is not None:
        raise BadSetting(with_flags(problem))
    return config


def unavailable_scope(config: Config) -> str | None:
    """Return the reason why no client can have the configured scope; None if clients can have it."""
    if config.has_tokens or config.scope <= Scope.STANDARD:
        return None
    return f"--scope {config.scope.word} needs a token (AGENT_TOKEN or --token-file): without one, standard is the most"


def ineffective_value(config: Config) -> str | None:
    """Return the reason why a value can have no effect, such as a host that no request can name; None if all have."""
    if config.warm_engines > config.max_engines:
        return f"warm_engines must be at most {config.max_engines} (max_engines), not {config.warm_engines}"
    if config.token is not None and re.fullmatch("[!-~]+", config.token) is None:
        return "the token must be printable ASCII without spaces: no client can send another one"
    if (bad := next((host for host in config.allowed_hosts if not _HOST.fullmatch(host)), None)) is not None:
        return f"allowed_hosts must be values of the Host header, as in a.com or a.com:9222, not {bad!r}"
    if (bad := next((origin for origin in config.allowed_origins if not _may_be_sent(origin)), None)) is not None:
        return f"allowed_origins must be as browsers send them, as in https://app.example, not {bad!r}"
    return None


def _may_be_sent(origin: str) -> bool:
    """Return True if a browser may send an origin, which has no port that is the scheme's own."""
    is_web = origin.startswith(("http:", "https:"))
    return _ORIGIN.fullmatch(origin) is not None and (not is_web or is_web_origin(origin))


def unusable_telemetry(config: Config) -> str | None:
    """Return the reason why no spans can be sent; None if they can, or if none are wanted."""
    if not config.otel or importlib.util.find_spec("opentelemetry") is not None:
        return None
    return "otel needs the SDK of OpenTelemetry; get it by pip install 'agentbrowser-server[otel]', or leave otel out"


def unusable_certificate(config: Config) -> str | None:
    """Return the reason why the configured certificate can't be used; None if it can, or if there is none."""
    if config.tls_cert is None and config.tls_key is None:
        return None
    from agentbrowser.server.gate.tls import read_certificate  # the gate's modules come with it

    try:
        read_certificate(config)
    except ValueError as error:
        return with_flags(str(error))
    return None


def in_effect(config: Config) -> dict[str, Any]:
    """Return what a server with this configuration permits, for the log and for doctor."""
    kinds = {"one token": config.token is not None, "a file of tokens": config.tokens is not None}
    return {
        "clients": " and ".join(kind for kind, is_set in kinds.items() if is_set) or "anyone on this machine",
        "scope": "of each token" if config.tokens and config.token is None else config.scope.word,
        "tls": config.tls_cert or "none",
        "isolation": config.isolation,
        "hosts": "any" if config.allowed_domains is None else ", ".join(config.allowed_domains),
        "private_network": config.private_network,
        "approvals": config.approvals.mode if config.approvals else "disabled",
        "secrets": len(config.secrets.secrets) if config.secrets else 0,
    }


def changed_flags(before: Config, after: Config) -> list[str]:
    """Return the flags of the settings that differ."""
    names = {setting.flag: setting.attribute.name for setting in SETTINGS}
    return [flag for flag, name in names.items() if getattr(before, name) != getattr(after, name)]


def with_flags(text: str) -> str:
    """Return an error text with the names of fields replaced by their flags."""
    flags = {setting.attribute.name: setting.flag for setting in SETTINGS if "_" in setting.attribute.name}
    return re.sub(r"(?<![\w/.-])\w+(?![\w/.-])", lambda word: flags.get(word[0], word[0]), text)


def unknown_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the unknown AGENT_* variables that look like typing errors, each with the likely name."""
    known = [CONFIG_VARIABLE, *(setting.variable for setting in SETTINGS)]
    unknown = sorted(name for name in environ if name.startswith(_PREFIX) and name not in known)
    similar = {name: difflib.get_close_matches(name, known, n=1, cutoff=0.85) for name in unknown}
    return {name: likely for name, found in similar.items() for likely in found}


GivenValue = tuple[Setting, str, Any]
"""Setting, name of its source, and raw value."""


def _from_flags(flags: Mapping[str, Any]) -> Iterator[GivenValue]:
    known = {"config", *(setting.key for setting in SETTINGS)}
    for key in flags.keys() - known:  # a program may misspell the one that restricts its agents
        similar = difflib.get_close_matches(key.replace("-", "_"), known, n=1)
        raise BadSetting(f"unknown setting {key!r}" + (f"; did you mean {similar[0]!r}?" if similar else ""))
    for setting in SETTINGS:
        if (value := flags.get(setting.key)) is not None:
            yield setting, (setting.opposite or setting.flag) if value is False else setting.flag, value


def _from_environment(environ: Mapping[str, str]) -> Iterator[GivenValue]:
    for setting in SETTINGS:
        if (value := environ.get(setting.variable)) is not None:
            yield setting, setting.variable, value


def _from_file(path: str, named_by: str) -> Iterator[GivenValue]:
    by_name = {setting.name: setting for setting in SETTINGS}
    for key, value in _parse(path, named_by).items():
        if key not in by_name:
            similar = difflib.get_close_matches(key.replace("_", "-"), by_name, n=1)
            raise BadSetting(f"{path}: unknown key {key!r}" + (f"; did you mean {similar[0]!r}?" if similar else ""))
        yield by_name[key], f"{path}: {key}", value


def _parse(path: str, named_by: str) -> dict[str, Any]:
    if not path:
        raise BadSetting(f"{named_by} must be a file, not ''")
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSetting(f"{named_by} {path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise BadSetting(f"{named_by} {path} is not TOML: {error}") from None


def _layer(given: Iterable[GivenValue]) -> dict[str, Any]:
    """Return the fields that one source sets."""
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for setting, source, raw in given:
        field = setting.attribute.name
        if field in values:
            raise BadSetting(f"{sources[field]} and {source} exclude each other")
        values[field], sources[field] = _value(setting, source, raw), source
    return values


def _value(setting: Setting, source: str, raw: Any) -> Any:
    try:
        value = setting.read(raw)
    except ValueError as error:
        raise BadSetting(f"{source} must be {error}" + _shown(setting, raw)) from None
    if (wanted := declared.expected(setting.attribute, value)) is not None:
        raise BadSetting(f"{source} must be {wanted}" + _shown(setting, raw))
    return value


def _shown(setting: Setting, raw: Any) -> str:
    return "" if setting.secret or isinstance(raw, dict) else f", not {raw!r}"


def _name(field: str) -> str:
    return field.removesuffix("_s").replace("_bytes", "_size").replace("_", "-")


def _settings() -> Iterator[Setting]:
    for attribute in attrs.fields(Config):
        kind, metadata = plain(attribute.type), attribute.metadata
        yield Setting(
            attribute=attribute,
            name=metadata.get(declared.NAME) or _name(attribute.name),
            kind=kind,
            help=metadata[declared.HELP],
            secret=declared.SECRET in metadata,
            read=reader(kind),
        )
        if attribute.name == "token":
            help_ = "a file that holds the token"
            yield Setting(attribute=attribute, name="token-file", kind=str, help=help_, secret=False, read=read_token)


SETTINGS: Final = tuple(_settings())
