"""The settings of a server.

Every field has a flag of `agentbrowser serve`, an AGENT_* variable and a key of the config file, which
`agentbrowser.cli.settings` derives from the declarations below.
"""

import ipaddress
import os
from pathlib import Path
from typing import Any, Final, Literal, NewType

import attrs

from agentbrowser.policy.approvals import ApprovalRules
from agentbrowser.policy.credentials import TokenFile
from agentbrowser.policy.secrets import SecretStore
from agentbrowser.protocol.registry import Scope

BrowserName = Literal["chromium", "firefox", "webkit"]
PrivateNetwork = Literal["allow", "ask-first", "deny"]
LogFormat = Literal["text", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]
Bytes = NewType("Bytes", int)
"""A size that the operator may write with a suffix: 512m, 6GiB."""

DEFAULT_MAX_MESSAGE_BYTES: Final = 10 * 1024 * 1024
_LEAST_S: Final = 0.01

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
      help: what it does, in a few words for the command line.
      name: what the operator calls it, where that is not the field's name.
      variable: its variable's name after AGENT_, where that is not the setting's.
      opposite: the flag that says no, for a yes-or-no setting whose is not ``no-`` and its name.
      minimum: the least number, or length, inclusive.
      maximum: the greatest number, inclusive.
      secret: whether the value must never be shown.
    """
    said = {
        HELP: help,
        NAME: name,
        VARIABLE: variable,
        OPPOSITE: opposite,
        MINIMUM: minimum,
        MAXIMUM: maximum,
        SECRET: secret or None,
    }
    known = {key: value for key, value in said.items() if value is not None}
    return attrs.field(default=default, metadata=known, repr=not secret, validator=_within_bounds)


def expected(attribute: "attrs.Attribute[Any]", value: Any) -> str | None:
    """Say what a value of the right type should be, if it is out of its setting's bounds."""
    low, high = attribute.metadata.get(MINIMUM), attribute.metadata.get(MAXIMUM)
    if value is None or (low is None and high is None):
        return None
    if isinstance(value, str):
        return None if value else "one character at least"
    # Written so that NaN is out of any bounds.
    fits = (low is None or value >= low) and (high is None or value <= high)
    return None if fits else f"at least {low}" if high is None else f"between {low} and {high}"


def _within_bounds(config: "Config", attribute: "attrs.Attribute[Any]", value: Any) -> None:
    if (wanted := expected(attribute, value)) is not None:
        raise ValueError(f"{attribute.name} must be {wanted}")


@attrs.frozen(kw_only=True)
class Config:
    """What the operator decides. Sizes are bytes and times seconds, as the names say.

    Raises:
      ValueError: a setting makes no sense, alone or with another; the text names it.
    """

    host: str = setting("127.0.0.1", "address to listen on; any but loopback needs a token", minimum=1)
    port: int = setting(9222, "port to listen on; 0 takes a free one", minimum=0, maximum=65535)
    token: str | None = setting(None, "what every client must show", minimum=1, secret=True)
    tokens: TokenFile | None = setting(
        None, "a TOML file of tokens, each with a scope and limits of its own", name="tokens-file"
    )
    scope: Scope = setting(
        Scope.STANDARD, "what clients may do; without a token, standard at most; tokens of a file say it themselves"
    )
    allowed_domains: tuple[str, ...] | None = setting(None, "the only hosts to go to: a.com,*.b.org")
    allowed_hosts: tuple[str, ...] = setting((), "values of the Host header to accept besides loopback with our port")
    allowed_origins: tuple[str, ...] = setting((), "web origins whose pages may connect; others never may")
    private_network: PrivateNetwork = setting(
        "ask-first",
        "loopback and private addresses: allow, ask-first (opened by the client's own navigation) or deny",
    )
    readonly_navigation: bool = setting(False, "let clients of scope readonly navigate")
    approvals: ApprovalRules | None = setting(
        None, "rules on which requests an approver must let pass: a TOML file, or a table of the config file"
    )
    secrets: SecretStore | None = setting(
        None, "a TOML file of secrets that agents may use and not see", name="secrets-file", secret=True
    )
    upload_root: Path | None = setting(None, "a directory whose files clients may upload by path; scope full")
    browser: BrowserName = setting("chromium", "the browser to run")
    headless: bool = setting(True, "run the browser without windows", opposite="headed")
    executable_path: str | None = setting(
        None, "the browser's executable; found by itself when absent", variable="BROWSER_EXECUTABLE", minimum=1
    )
    no_sandbox: bool = setting(
        False, "run the browser without its sandbox, as for root it always is", opposite="sandbox"
    )
    heartbeat_timeout_s: float = setting(
        10.0, "time for the browser to answer a heartbeat, after which it is replaced", minimum=_LEAST_S, maximum=300
    )
    max_connections: int = setting(1000, "clients that may be connected at once", minimum=1)
    max_message_bytes: int = setting(DEFAULT_MAX_MESSAGE_BYTES, "largest message from a client", minimum=1)
    max_in_flight: int = setting(64, "unanswered requests of a client, beyond which it is not read", minimum=1)
    max_pages: int = setting(10, "pages that a client may have open", minimum=1)
    max_contexts: int = setting(5, "browser contexts that a client may have", minimum=1)
    max_total_pages: int = setting(200, "pages that all clients together may have open", minimum=1)
    max_total_contexts: int = setting(200, "browser contexts that all clients together may have", minimum=1)
    max_memory_bytes: Bytes | None = setting(
        None,
        "memory of server, driver and browser, as in 6GiB, from which on there are no new pages; Linux only",
        name="max-memory",
        minimum=64 * 1024 * 1024,
    )
    max_queued: int = setting(100, "requests that may wait for room; the next one is refused at once", minimum=0)
    queue_timeout_s: float = setting(10.0, "time that a request may wait for room", minimum=0, maximum=300)
    warm_contexts: int = setting(
        0, "contexts kept ready for the next clients; with any, the browser is launched at the start", minimum=0
    )
    recycle_age_s: float = setting(
        3600.0, "age from which on the browser is closed as soon as nobody uses it; 0 is never", minimum=0
    )
    recycle_uses: int = setting(1000, "contexts made, after which it is closed the same way; 0 is never", minimum=0)
    recycle_memory_bytes: Bytes | None = setting(
        None,
        "memory, as for --max-memory, from which on it is closed the same way",
        name="recycle-memory",
        minimum=64 * 1024 * 1024,
    )
    request_timeout_s: float = setting(30.0, "time limit of requests without a timeout", minimum=_LEAST_S, maximum=300)
    max_timeout_s: float = setting(300.0, "highest time limit that a request may bring", minimum=_LEAST_S, maximum=300)
    head_timeout_s: float = setting(5.0, "time for a connection's request head to arrive", minimum=_LEAST_S, maximum=60)
    write_timeout_s: float = setting(10.0, "time for a client to take what it is sent", minimum=_LEAST_S, maximum=60)
    ping_interval_s: float = setting(
        20.0, "pause between pings; the third without a pong ends a connection", minimum=_LEAST_S, maximum=3600
    )
    session_ttl_s: float = setting(
        300.0, "time for a client with a sessionId to come back to its pages", minimum=0, maximum=86400
    )
    state_dir: str | None = setting(
        None, "a directory of its own in which sessions outlive the server, cookies included", minimum=1
    )
    max_parked: int = setting(
        64, "sessions that may wait for their clients; the one that has waited longest is closed", minimum=0
    )
    dialog_timeout_s: float = setting(5.0, "time for a client to answer a page's dialog", minimum=_LEAST_S, maximum=60)
    drain_timeout_s: float = setting(10.0, "time for requests to finish at shutdown", minimum=0, maximum=300)
    log_format: LogFormat = setting("text", "how log lines look; they go to standard error")
    log_level: LogLevel = setting("info", "least level that is logged")

    def __attrs_post_init__(self) -> None:
        if self.allowed_domains == ():
            raise ValueError("allowed_domains must not be an empty list, which would allow nothing")
        if self._has_allowlists and self.browser != "chromium":
            raise ValueError(f"allowed_domains may not hold in {self.browser}; leave it out, or use chromium")
        if not self.has_tokens and not is_loopback(self.host):
            raise ValueError(
                f"host {self.host} can be reached by others, so it needs a token (AGENT_TOKEN or --token-file)"
            )
        if self.tokens and self.token and (entry := self.tokens.holding(self.token)):
            raise ValueError(f"the token is that of {entry.name} in the file of tokens too; let one of them go")
        if self.upload_root is not None and os.open not in os.supports_dir_fd:
            raise ValueError("upload_root can't be kept to on this system; leave it out")
        if self.request_timeout_s > self.max_timeout_s:
            raise ValueError("request_timeout_s must not be above max_timeout_s")

    @property
    def _has_allowlists(self) -> bool:
        entries = self.tokens.entries if self.tokens is not None else ()
        return any(one is not None for one in (self.allowed_domains, *(entry.allowed_domains for entry in entries)))

    @property
    def has_tokens(self) -> bool:
        """Whether only those may come who show a token."""
        return self.token is not None or self.tokens is not None


def is_loopback(host: str) -> bool:
    """Tell whether an address to listen on is reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
