"""The settings of a server.

Every field has a flag of `agentbrowser serve`, an AGENT_* variable and a key of the config file.
"""

from typing import Final, Literal

import attrs

from agentbrowser.registry import Scope

BrowserName = Literal["chromium", "firefox", "webkit"]
PrivateNetwork = Literal["allow", "ask-first", "deny"]
LogFormat = Literal["text", "json"]

DEFAULT_MAX_MESSAGE_BYTES: Final = 10 * 1024 * 1024


@attrs.frozen(kw_only=True)
class Config:
    """What the operator decides. Sizes are bytes and times seconds, as the names say."""

    host: str = "127.0.0.1"
    port: int = 9222
    token: str | None = attrs.field(default=None, repr=False)
    scope: Scope = Scope.STANDARD
    allowed_domains: tuple[str, ...] | None = None
    """Hosts the browser may reach (``a.com``, ``*.b.org``); None for all."""
    allowed_hosts: tuple[str, ...] = ()
    """Values of the Host header that are accepted besides loopback with our port."""
    allowed_origins: tuple[str, ...] = ()
    """Values of the Origin header that are accepted; a request without one always is."""
    private_network: PrivateNetwork = "ask-first"
    readonly_navigation: bool = False
    browser: BrowserName = "chromium"
    headless: bool = True
    executable_path: str | None = None
    no_sandbox: bool = False
    max_connections: int = 1000
    max_message_bytes: int = DEFAULT_MAX_MESSAGE_BYTES
    max_in_flight: int = 64
    max_pages: int = 10
    max_contexts: int = 5
    request_timeout_s: float = 30.0
    max_timeout_s: float = 300.0
    head_timeout_s: float = 5.0
    write_timeout_s: float = 10.0
    ping_interval_s: float = 20.0
    dialog_timeout_s: float = 5.0
    drain_timeout_s: float = 10.0
    log_format: LogFormat = "text"
    log_level: Literal["debug", "info", "warning", "error"] = "info"
