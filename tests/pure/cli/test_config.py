"""Settings that a program passes to `Config`: conversion, and errors that name the setting."""

from pathlib import Path
from typing import Any

import attrs
import pytest

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope

CONVERTED: list[tuple[str, Any, Any]] = [
    ("scope", "privileged", Scope.PRIVILEGED),
    ("scope", Scope.FULL, Scope.FULL),
    ("allowed_domains", ["a.com", "*.b.org"], ("a.com", "*.b.org")),
    ("allowed_hosts", ["box"], ("box",)),
    ("upload_root", "/srv/files", Path("/srv/files")),
    ("executable_path", Path("/usr/bin/chromium"), "/usr/bin/chromium"),
    ("state_dir", Path("/var/lib"), "/var/lib"),
    ("request_timeout_s", 20, 20.0),
    ("max_memory_bytes", 2**30, 2**30),
    ("token", None, None),
    ("private_network", "deny", "deny"),
]

REJECTED: list[tuple[str, Any, str]] = [
    ("scope", "root", "scope must be a Scope, or readonly, standard, full or privileged, not 'root'"),
    ("scope", 7, "scope must be a Scope, or readonly, standard, full or privileged, not 7"),
    ("scope", None, "scope must be a Scope, or readonly, standard, full or privileged, not None"),
    ("browser", "netscape", "browser must be chromium, firefox or webkit, not 'netscape'"),
    ("log_format", "xml", "log_format must be text or json, not 'xml'"),
    ("port", "9222", "port must be a whole number, not '9222'"),
    ("port", True, "port must be a whole number, not True"),
    ("port", 70000, "port must be between 0 and 65535, not 70000"),
    ("max_pages", 1.5, "max_pages must be a whole number, not 1.5"),
    ("request_timeout_s", "20", "request_timeout_s must be a number of seconds, not '20'"),
    ("request_timeout_s", float("nan"), "request_timeout_s must be between 0.01 and 300, not nan"),
    ("headless", "no", "headless must be True or False, not 'no'"),
    ("host", 1, "host must be text, not 1"),
    ("allowed_domains", "a.com", "allowed_domains must be a list of texts, not 'a.com'"),
    ("allowed_domains", [1], r"allowed_domains must be a list of texts, not \[1\]"),
    ("allowed_domains", ["*"], r"allowed_domains: allowed domain '\*' is not host"),
    ("approvals", {}, "approvals must be an instance of ApprovalRules, not {}"),
    ("token", b"canary", "token must be text, not bytes"),
    ("token", Path("canary"), "token must be text, not PosixPath"),
    ("token", "", "token must be 16 characters at least"),
    ("token", "fifteen letters", "token must be 16 characters at least"),
    ("live_url", "foo", r"live_url must be an origin as browsers send it \(https://a.com\), not 'foo'"),
    ("live_url", "https://a.com/b", "live_url must be an origin as browsers send it"),
    ("live_url", "https://A.com", "live_url must be an origin as browsers send it"),
    ("live_url", "https://a.com:443", "live_url must be an origin as browsers send it"),
    ("live_url", "https://", "live_url must be an origin as browsers send it"),
    ("live_url", "wss://a.com", "live_url must be an origin as browsers send it"),
    ("live_url", "https://a.com:x", "live_url must be an origin as browsers send it"),
    ("executable_path", "", "executable_path must be one character at least"),
]


@pytest.mark.parametrize(("name", "given", "value"), CONVERTED)
def test_a_value_is_converted_to_the_type_of_its_setting(name: str, given: Any, value: Any) -> None:
    config = Config(**{name: given})
    converted = getattr(config, name)
    assert (converted, type(converted)) == (value, type(value))
    assert attrs.evolve(Config(), **{name: given}) == config


@pytest.mark.parametrize(("name", "given", "error"), REJECTED)
def test_a_bad_value_is_rejected_with_the_accepted_ones(name: str, given: Any, error: str) -> None:
    with pytest.raises(ValueError, match=f"^{error}") as caught:
        Config(**{name: given})
    assert "canary" not in str(caught.value)
