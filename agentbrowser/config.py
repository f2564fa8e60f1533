"""Settings of a server.

Every field has a flag of `agentbrowser serve`, an AGENT_* variable and a key of the config file.
`agentbrowser.cli.settings` derives them from the declarations below.
"""

import ipaddress
import os
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, NewType, Union, get_args, get_origin

import attrs

from agentbrowser.policy import networks
from agentbrowser.policy.approvals import ApprovalRules
from agentbrowser.policy.credentials import MIN_TOKEN_LENGTH, TokenFile
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.protocol.registry import Scope

BrowserName = Literal["chromium", "firefox", "webkit"]
PrivateNetwork = Literal["allow", "ask-first", "deny"]
Isolation = Literal["shared", "owner", "session"]
LogFormat = Literal["text", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]
Bytes = NewType("Bytes", int)
"""Number of bytes; the operator may write it with a suffix: 512m, 6GiB."""

DEFAULT_MAX_MESSAGE_BYTES: Final = 10 * 1024 * 1024
STATE_SCHEMES: Final = ("redis", "rediss", "valkey", "valkeys")
"""Schemes of the URL of a shared store; `rediss` and `valkeys` are encrypted."""
_LEAST_S: Final = 0.01
_KINDS: Final = {str: "text", bool: "True or False"}

HELP: Final = "help"
NAME: Final = "name"
VARIABLE: Final = "variable"
OPPOSITE: Final = "opposite"
MINIMUM: Final = "minimum"
MAXIMUM: Final = "maximum"
SECRET: Final = "secret"


def setting(
    default: Any,
    help: str,
    *,
    name: str | None = None,
    variable: str | None = None,
    opposite: str | None = None,
    minimum: float | None = None,
    maximum: float | None = None,
    secret: bool = False,
) -> Any:
    """Declare a setting.

    Args:
      help: short description for the command line.
      name: name of the setting, if it differs from the field's.
      variable: name of the variable after AGENT_, if it differs from the setting's.
      opposite: flag that turns a boolean setting off, if it is not ``no-`` and the setting's name.
      minimum: minimum number or length, inclusive.
      maximum: maximum number, inclusive.
      secret: True if the value must never be shown.
    """
    metadata = {
        HELP: help,
        NAME: name,
        VARIABLE: variable,
        OPPOSITE: opposite,
        MINIMUM: minimum,
        MAXIMUM: maximum,
        SECRET: secret or None,
    }
    given = {key: value for key, value in metadata.items() if value is not None}
    return attrs.field(
        default=default,
        metadata=given,
        repr=not secret,
        converter=attrs.Converter(_convert, takes_field=True),
        validator=_within_bounds,
    )


def expected(attribute: "attrs.Attribute[Any]", value: Any) -> str | None:
    """Describe the accepted values if a value is out of its setting's bounds; else return None."""
    low, high = attribute.metadata.get(MINIMUM), attribute.metadata.get(MAXIMUM)
    if value is None or (low is None and high is None):
        return None
    if isinstance(value, str):
        least = "one character" if low == 1 else f"{low} characters"
        return None if len(value) >= (low or 0) else f"{least} at least"
    # These comparisons also reject NaN.
    fits = (low is None or value >= low) and (high is None or value <= high)
    return None if fits else f"at least {low}" if high is None else f"between {low} and {high}"


def _convert(value: Any, attribute: "attrs.Attribute[Any]") -> Any:
    """Return a value in the type of its setting; a list as a tuple, the name of a scope as the scope."""
    kind = attribute.type
    if get_origin(kind) in (Union, types.UnionType):
        if value is None:
            return None
        (kind,) = (member for member in get_args(kind) if member is not type(None))
    if kind is str and isinstance(value, Path) and attribute.name.endswith(("_path", "_dir")):
        return str(value)
    try:
        return _of_kind(kind, value)
    except ValueError as error:
        got = type(value).__name__ if attribute.metadata.get(SECRET) else repr(value)
        raise ValueError(f"{attribute.name} must be {error}, not {got}") from None


def _of_kind(kind: Any, value: Any) -> Any:
    """Return a value as that type; the text of the ValueError describes the accepted values."""
    kind = int if kind is Bytes else kind
    if kind is Scope:
        words = [scope.word for scope in Scope]
        if isinstance(value, str) and value in words:
            return Scope.of(value)
        return _instance(value, Scope, f"a Scope, or {_listed(words)}")
    if get_origin(kind) is Literal:
        if isinstance(value, str) and value in get_args(kind):
            return value
        raise ValueError(_listed(get_args(kind)))
    if get_origin(kind) is tuple:
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise ValueError("a list of texts")
        return tuple(value)
    if kind is Path:
        return Path(_instance(value, (str, os.PathLike), "a path"))
    if kind in (int, float):
        is_number = isinstance(value, int if kind is int else int | float) and not isinstance(value, bool)
        if not is_number:
            raise ValueError("a whole number" if kind is int else "a number of seconds")
        return kind(value)
    return _instance(value, kind, _KINDS.get(kind) or f"an instance of {kind.__name__}")


def _instance(value: Any, kind: Any, expected: str) -> Any:
    if not isinstance(value, kind):
        raise ValueError(expected)
    return value


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def _within_bounds(config: "Config", attribute: "attrs.Attribute[Any]", value: Any) -> None:
    if (wanted := expected(attribute, value)) is not None:
        got = "" if attribute.metadata.get(SECRET) else f", not {value!r}"
        raise ValueError(f"{attribute.name} must be {wanted}{got}")


@attrs.frozen(kw_only=True)
class Config:
    """Settings of a server. Sizes are in bytes and times in seconds.

    A scope may be given by its name, a list as any sequence, and a path as text.

    Raises:
      ValueError: a setting is invalid, alone or with another; the text names it, and the accepted values.
    """

    host: str = setting("127.0.0.1", "address to listen on (:: is IPv6); any but loopback needs a token", minimum=1)
    port: int = setting(9222, "port to listen on; 0 takes a free one", minimum=0, maximum=65535)
    token: str | None = setting(
        None, "token that every client must present, of at least 16 characters", minimum=MIN_TOKEN_LENGTH, secret=True
    )
    tokens: TokenFile | None = setting(
        None, "TOML file of tokens, each with its own scope and limits", name="tokens-file"
    )
    tls_cert: str | None = setting(
        None, "certificate in PEM, with its chain: the port then serves wss:// and https:// only", minimum=1
    )
    tls_key: str | None = setting(
        None, "private key of the certificate in PEM, if the certificate's file does not hold it", minimum=1
    )
    scope: Scope = setting(
        Scope.STANDARD, "scope of clients; without a token, standard at most; a tokens file sets it for each token"
    )
    allowed_domains: tuple[str, ...] | None = setting(
        None, "the only hosts that the browser may contact: a.com,*.b.org"
    )
    allowed_hosts: tuple[str, ...] = setting(
        (), "accepted values of the Host header, besides loopback and --host with the server's port"
    )
    allowed_origins: tuple[str, ...] = setting((), "web origins whose pages may connect; all others are refused")
    trusted_proxies: tuple[str, ...] = setting(
        (), "addresses or networks of proxies whose PROXY protocol v2 and X-Forwarded-For name the real client"
    )
    private_network: PrivateNetwork = setting(
        "ask-first",
        "loopback and private addresses: allow, ask-first (opened by the client's own navigation) or deny",
    )
    readonly_navigation: bool = setting(False, "let clients of scope readonly navigate")
    approvals: ApprovalRules | None = setting(
        None, "rules for requests that need approval: a TOML file, or a table of the config file"
    )
    secrets: SecretStore | None = setting(
        None, "TOML file of secrets that agents may use but not see", name="secrets-file", secret=True
    )
    upload_root: Path | None = setting(None, "directory whose files clients may upload by path; needs scope full")
    browser: BrowserName = setting("chromium", "browser to run")
    headless: bool = setting(True, "run the browser without windows", opposite="headed")
    executable_path: str | None = setting(
        None, "executable of the browser; detected by default", variable="BROWSER_EXECUTABLE", minimum=1
    )
    browser_url: str | None = setting(
        None,
        "Chromium to join instead of launching one, by its DevTools address on this machine: http://127.0.0.1:9333",
        minimum=1,
    )
    no_sandbox: bool = setting(False, "run the browser without its sandbox; always so for root", opposite="sandbox")
    heartbeat_timeout_s: float = setting(
        10.0, "time for the browser to answer a heartbeat before it is replaced", minimum=_LEAST_S, maximum=300
    )
    max_connections: int = setting(1000, "maximum number of connected clients", minimum=1)
    max_message_bytes: int = setting(DEFAULT_MAX_MESSAGE_BYTES, "maximum size of a message from a client", minimum=1)
    max_in_flight: int = setting(
        64, "unanswered requests of a client after which the server stops reading from it", minimum=1
    )
    max_pages: int = setting(10, "maximum number of open pages of a client", minimum=1)
    max_contexts: int = setting(5, "maximum number of browser contexts of a client", minimum=1)
    max_total_pages: int = setting(200, "maximum number of open pages of all clients", minimum=1)
    max_total_contexts: int = setting(200, "maximum number of browser contexts of all clients", minimum=1)
    max_memory_bytes: Bytes | None = setting(
        None,
        "memory of server, driver and browser above which new pages are refused, as in 6GiB; Linux only",
        name="max-memory",
        minimum=64 * 1024 * 1024,
    )
    max_queued: int = setting(100, "maximum number of requests that wait for room; further ones are refused", minimum=0)
    queue_timeout_s: float = setting(10.0, "maximum time that a request waits for room", minimum=0, maximum=300)
    max_working: int | None = setting(
        None,
        "requests that work in browsers at once; others wait, owner by owner; two for each core by default",
        minimum=1,
    )
    isolation: Isolation = setting(
        "owner",
        "who shares a browser: all clients (shared), those with the same token (owner), or none (session)",
    )
    max_engines: int = setting(20, "maximum number of browsers that run at once, each with a driver", minimum=1)
    warm_engines: int = setting(0, "browsers kept running for the next owners", minimum=0)
    warm_contexts: int = setting(
        0, "contexts kept ready in each browser; above 0 the first browser starts with the server", minimum=0
    )
    recycle_age_s: float = setting(
        3600.0, "age after which the browser is closed once it is idle; 0 is never", minimum=0
    )
    recycle_uses: int = setting(
        1000, "created contexts after which the browser is closed once it is idle; 0 is never", minimum=0
    )
    recycle_memory_bytes: Bytes | None = setting(
        None,
        "memory, as for --max-memory, above which the browser is closed once it is idle",
        name="recycle-memory",
        minimum=64 * 1024 * 1024,
    )
    request_timeout_s: float = setting(30.0, "time limit of requests without a timeout", minimum=_LEAST_S, maximum=300)
    max_timeout_s: float = setting(300.0, "maximum time limit that a request may set", minimum=_LEAST_S, maximum=300)
    head_timeout_s: float = setting(5.0, "time for a connection's request head to arrive", minimum=_LEAST_S, maximum=60)
    write_timeout_s: float = setting(10.0, "time for a client to read a message", minimum=_LEAST_S, maximum=60)
    ping_interval_s: float = setting(
        20.0, "pause between pings; the third without a pong ends a connection", minimum=_LEAST_S, maximum=3600
    )
    session_ttl_s: float = setting(
        300.0, "time that the session of a disconnected client with a sessionId is kept", minimum=0, maximum=86400
    )
    audit_log: str | None = setting(
        None, "file to append a line of JSON for each request to, without values; SIGHUP opens it anew", minimum=1
    )
    recorder: bool = setting(True, "record each session in memory, at most 20 MiB of its last 10 minutes")
    record_dir: str | None = setting(
        None, "directory to keep the recordings of all sessions in, without secrets and without limit", minimum=1
    )
    record_bodies: bool = setting(
        False, "record bodies of responses too, which replays need; they hold whatever the sites send"
    )
    state_dir: str | None = setting(
        None, "directory to save sessions in, with their cookies, so that they survive a restart", minimum=1
    )
    state_url: str | None = setting(
        None,
        "Redis or Valkey that the nodes of a fleet save sessions in: redis://HOST, rediss://HOST or valkey://HOST",
        minimum=1,
        secret=True,
    )
    state_key_file: str | None = setting(
        None, "keys that seal the sessions in --state-url, a line of base64 each; the first one seals", minimum=1
    )
    max_parked: int = setting(
        64, "maximum number of parked sessions; beyond it, the one that has waited longest is closed", minimum=0
    )
    dialog_timeout_s: float = setting(5.0, "time for a client to answer a page's dialog", minimum=_LEAST_S, maximum=60)
    live_url: str | None = setting(None, "URL of the server for persons, if behind a proxy: https://a.com", minimum=1)
    takeover_idle_s: float = setting(300.0, "idle time after which a person's takeover ends", minimum=1, maximum=86400)
    drain_timeout_s: float = setting(10.0, "time for requests to finish at shutdown", minimum=0, maximum=300)
    otel: bool = setting(False, "send spans and metrics by OpenTelemetry; OTEL_* variables name the collector")
    log_format: LogFormat = setting("text", "format of log lines on standard error")
    log_level: LogLevel = setting("info", "minimum level of log lines")

    def __attrs_post_init__(self) -> None:
        if self.allowed_domains == ():
            raise ValueError("allowed_domains must not be an empty list, which would allow nothing")
        if self.allowed_domains is not None:
            _check_allowlist(self.allowed_domains)
        if self._has_allowlists and self.browser != "chromium":
            raise ValueError(f"allowed_domains may not hold in {self.browser}; leave it out, or use chromium")
        if not self.has_tokens and not is_loopback(self.host):
            raise ValueError(
                f"host {self.host} can be reached by others, so it needs a token (AGENT_TOKEN or --token-file)"
            )
        if self.tokens and self.token and (entry := self.tokens.holding(self.token)):
            raise ValueError(f"the token is that of {entry.name} in the file of tokens too; let one of them go")
        if (bad := networks.first_bad(self.trusted_proxies)) is not None:
            raise ValueError(f"trusted_proxies must be addresses or networks, as in 10.0.0.0/8, not {bad!r}")
        if self.state_url is not None and not _is_state_url(self.state_url):
            raise ValueError(f"state_url must begin with {_listed(STATE_SCHEMES)} and ://, and name a host")
        if self.live_url is not None and not networks.is_web_origin(self.live_url):
            raise ValueError(f"live_url must be an origin as browsers send it (https://a.com), not {self.live_url!r}")
        if self.browser_url is not None:
            _check_browser_url(self.browser_url)
        if self.upload_root is not None and os.open not in os.supports_dir_fd:
            raise ValueError("upload_root can't be kept to on this system; leave it out")
        if not self.recorder and (self.record_dir is not None or self.record_bodies):
            name = "record_dir" if self.record_dir is not None else "record_bodies"
            raise ValueError(f"{name} needs the recorder; leave no-recorder out")
        if self.request_timeout_s > self.max_timeout_s:
            raise ValueError("request_timeout_s must not be above max_timeout_s")

    @property
    def _has_allowlists(self) -> bool:
        entries = self.tokens.entries if self.tokens is not None else ()
        return any(one is not None for one in (self.allowed_domains, *(entry.allowed_domains for entry in entries)))

    @property
    def has_tokens(self) -> bool:
        """Return True if every client needs a token."""
        return self.token is not None or self.tokens is not None


def _is_state_url(url: str) -> bool:
    return url.partition("://")[0] in STATE_SCHEMES and not url.endswith("://")


def unusable_state(config: Config) -> str | None:
    """Return the reason why the settings of the store do not fit together; None if they do."""
    if config.state_url is None:
        return None if config.state_key_file is None else "state_key_file needs state_url, whose sessions it seals"
    if config.state_dir is not None:
        return "state_url and state_dir exclude each other: sessions are saved in one place"
    if config.state_key_file is None:
        return "state_url needs state_key_file: sessions hold cookies, and are sealed before they leave the node"
    return None


def _check_allowlist(domains: tuple[str, ...]) -> None:
    from agentbrowser.policy.urls import read_allowlist  # it imports a parser of URLs, which the command line can spare

    try:
        read_allowlist(domains)
    except ValueError as error:
        raise ValueError(f"allowed_domains: {error}") from None


def unusable_browser(config: Config) -> str | None:
    """Return the reason why the browser of ``browser_url`` does not fit the other settings; None if it does."""
    if config.browser_url is None:
        return None
    if config.browser != "chromium":
        return f"browser_url joins a Chromium; leave out browser {config.browser}"
    if config.isolation != "shared":
        return "browser_url is one browser for all clients, so it needs isolation shared"
    return None


def _check_browser_url(url: str) -> None:
    from urllib.parse import urlsplit  # an operator's address, which no client can choose

    parts = urlsplit(url)
    try:
        is_usable = parts.scheme in ("http", "ws") and is_loopback(parts.hostname or "") and parts.port is not None
    except ValueError:  # the port is no number
        is_usable = False
    if not is_usable:
        raise ValueError(f"browser_url must be http:// or ws:// with a loopback address and a port, not {url!r}")


def is_loopback(host: str) -> bool:
    """Return True if an address to listen on is reachable from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
