"""Flags, variables and the config file: one table, one order, one line for each mistake."""

import re
from pathlib import Path
from typing import Any

import attrs
import pytest

from agentbrowser.cli.settings import (
    SETTINGS,
    BadSetting,
    in_effect,
    load,
    load_for_server,
    unknown_variables,
    unusable_telemetry,
)
from agentbrowser.config import Config, is_loopback
from agentbrowser.policy.approvals import ApprovalRule, ApprovalRules, RequestFilter
from agentbrowser.policy.credentials import Credential, TokenFile
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.protocol.registry import Scope

BY_NAME = {setting.name: setting for setting in SETTINGS}

RULES = Path(__file__).parents[1] / "approvals.toml"
TOKENS = Path(__file__).parents[1] / "tokens.toml"
SECRETS = Path(__file__).parents[1] / "secrets.toml"
SHOP = Secret(name="shop", value="correct horse", origins=(OriginPattern.parse("https://shop.example"),))
PAYMENTS = ApprovalRule(
    name="payments",
    match=RequestFilter(actions=("action/*",), domains=("*.bank.example",), url_patterns=("**/pay/**",)),
    timeout_s=120,
    ask_requester=True,
)

GIVEN: dict[str, tuple[str, Any]] = {
    "host": ("::1", "::1"),
    "port": ("8080", 8080),
    "token": ("s3cret-of-the-tests", "s3cret-of-the-tests"),
    "tokens-file": (str(TOKENS), TokenFile((Credential(name="ci", sha256="0" * 64),))),
    "tls-cert": ("/etc/chain.pem", "/etc/chain.pem"),
    "tls-key": ("/etc/key.pem", "/etc/key.pem"),
    "scope": ("readonly", Scope.READONLY),
    "allowed-domains": ("a.com, *.b.org", ("a.com", "*.b.org")),
    "allowed-hosts": ("box.local:9222", ("box.local:9222",)),
    "allowed-origins": ("https://a.com,https://b.org", ("https://a.com", "https://b.org")),
    "private-network": ("deny", "deny"),
    "readonly-navigation": ("yes", True),
    "approvals": (str(RULES), ApprovalRules(mode="audit", rules=(PAYMENTS,))),
    "secrets-file": (str(SECRETS), SecretStore((SHOP,))),
    "upload-root": (str(SECRETS.parent), SECRETS.parent),
    "browser": ("firefox", "firefox"),
    "headless": ("False", False),
    "executable-path": ("/opt/chrome", "/opt/chrome"),
    "browser-url": ("http://127.0.0.1:9333", "http://127.0.0.1:9333"),
    "no-sandbox": ("1", True),
    "heartbeat-timeout": ("5", 5.0),
    "max-connections": ("3", 3),
    "max-message-size": ("4096", 4096),
    "max-in-flight": ("2", 2),
    "max-pages": ("4", 4),
    "max-contexts": ("1", 1),
    "max-total-pages": ("7", 7),
    "max-total-contexts": ("8", 8),
    "max-memory": ("6 GiB", 6 * 1024**3),
    "max-queued": ("0", 0),
    "max-working": ("3", 3),
    "queue-timeout": ("0.5", 0.5),
    "isolation": ("session", "session"),
    "max-engines": ("2", 2),
    "warm-engines": ("1", 1),
    "warm-contexts": ("2", 2),
    "recycle-age": ("60", 60.0),
    "recycle-uses": ("50", 50),
    "recycle-memory": ("512m", 512 * 1024**2),
    "request-timeout": ("2.5", 2.5),
    "max-timeout": ("60", 60.0),
    "head-timeout": ("1", 1.0),
    "write-timeout": ("1", 1.0),
    "ping-interval": ("7", 7.0),
    "session-ttl": ("60", 60.0),
    "audit-log": ("/var/log/agentbrowser.jsonl", "/var/log/agentbrowser.jsonl"),
    "recorder": ("no", False),
    "otel": ("yes", True),
    "record-dir": ("/var/lib/recordings", "/var/lib/recordings"),
    "record-bodies": ("1", True),
    "state-dir": ("/var/lib/agentbrowser", "/var/lib/agentbrowser"),
    "state-url": ("rediss://user:password@store.internal:6379/1", "rediss://user:password@store.internal:6379/1"),
    "state-key-file": ("/etc/agentbrowser/state-keys", "/etc/agentbrowser/state-keys"),
    "max-parked": ("7", 7),
    "trusted-proxies": ("10.0.0.0/8,::1", ("10.0.0.0/8", "::1")),
    "dialog-timeout": ("1", 1.0),
    "live-url": ("https://a.example", "https://a.example"),
    "takeover-idle": ("60", 60.0),
    "drain-timeout": ("0", 0.0),
    "log-format": ("json", "json"),
    "log-level": ("debug", "debug"),
}
"""A text for each setting, and the value that it stands for."""


def file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "agentbrowser.toml"
    path.write_text(text)
    return str(path)


def refusal(flags: dict[str, Any] | None = None, environ: dict[str, str] | None = None) -> str:
    """Return the line with which the settings are refused."""
    with pytest.raises(BadSetting) as refused:
        load(flags or {}, environ or {})
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_every_field_of_the_configuration_is_a_setting() -> None:
    assert [setting.attribute.name for setting in SETTINGS if setting.name != "token-file"] == [
        attribute.name for attribute in attrs.fields(Config)
    ]
    assert set(GIVEN) == set(BY_NAME) - {"token-file"}


def test_the_names_of_a_setting() -> None:
    assert BY_NAME["max-message-size"].variable == "AGENT_MAX_MESSAGE_SIZE"
    assert BY_NAME["max-message-size"].flag == "--max-message-size"
    assert BY_NAME["request-timeout"].attribute.name == "request_timeout_s"
    assert BY_NAME["executable-path"].variable == "AGENT_BROWSER_EXECUTABLE"
    assert (BY_NAME["headless"].flag, BY_NAME["headless"].opposite) == ("--headless", "--headed")
    assert len({setting.variable for setting in SETTINGS}) == len(SETTINGS)


def test_nothing_given_is_the_default() -> None:
    assert load({}, {}) == Config()


@pytest.mark.parametrize(("name", "text", "value"), [(name, *given) for name, given in GIVEN.items()], ids=GIVEN)
def test_each_setting_by_flag_and_by_variable(name: str, text: str, value: Any) -> None:
    setting = BY_NAME[name]
    expected = attrs.evolve(Config(), **{setting.attribute.name: value})
    assert load({setting.key: text}, {}) == expected
    assert load({}, {setting.variable: text}) == expected


@pytest.mark.parametrize(("name", "text", "value"), [(name, *given) for name, given in GIVEN.items()], ids=GIVEN)
def test_each_setting_by_file(name: str, text: str, value: Any, tmp_path: Path) -> None:
    setting = BY_NAME[name]
    native = setting.kind in (int, float, bool)
    path = file(tmp_path, f"{name} = {str(value).lower() if native else repr(text)}")
    assert load({"config": path}, {}) == load({}, {"AGENT_CONFIG": path}) == load({setting.key: text}, {})


def test_a_proxy_is_an_address_or_a_network() -> None:
    said = refusal({"trusted_proxies": ("10.0.0.0/8", "proxy.internal")})
    assert said == "--trusted-proxies must be addresses or networks, as in 10.0.0.0/8, not 'proxy.internal'"


@pytest.mark.parametrize("url", ["http://store.internal", "redis://", "store.internal:6379"])
def test_a_store_of_another_kind_is_refused_without_its_password(url: str) -> None:
    assert refusal({"state_url": url}) == (
        "--state-url must begin with redis, rediss, valkey or valkeys and ://, and name a host"
    )


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"state_url": "redis://store.internal"}, "--state-url needs --state-key-file"),
        ({"state_key_file": "keys"}, "--state-key-file needs --state-url"),
        ({"state_url": "redis://s", "state_key_file": "keys", "state_dir": "here"}, "--state-url and --state-dir"),
        ({"token": "two words of a token"}, "token must be printable ASCII"),
        ({"token": "not-text-in-utf-8\udcff"}, "token must be printable ASCII"),
        ({"allowed_origins": "https://a.com,app.example"}, "not 'app.example'"),
        ({"allowed_origins": "https://app.example/"}, "--allowed-origins must be as browsers send them"),
        ({"allowed_origins": "https://App.example"}, "--allowed-origins must be"),
        ({"allowed_origins": "https://app.example:443"}, "--allowed-origins must be"),
        ({"allowed_hosts": "http://a.com"}, "--allowed-hosts must be values of the Host header"),
        ({"allowed_hosts": "*"}, "--allowed-hosts must be"),
        ({"warm_engines": "21"}, r"--warm-engines must be at most 20 \(--max-engines\), not 21"),
    ],
)
def test_settings_that_can_have_no_effect_are_refused(flags: dict[str, Any], said: str) -> None:
    with pytest.raises(BadSetting, match=said):
        load_for_server(flags, {})


def test_values_that_requests_can_match_are_accepted() -> None:
    hosts, origins = ("Box.local:9222", "my_box", "[::1]:80"), ("null", "http://[::1]:8000", "chrome-extension://abc")
    config = load_for_server({"host": "[::1]", "allowed_hosts": hosts, "allowed_origins": origins}, {})
    assert (config.host, config.allowed_hosts, config.allowed_origins) == ("::1", hosts, origins)


def test_lists_of_the_file_are_lists(tmp_path: Path) -> None:
    path = file(tmp_path, 'allowed-domains = ["a.com", "*.b.org"]')
    assert load({"config": path}, {}).allowed_domains == ("a.com", "*.b.org")


def test_a_flag_beats_a_variable_beats_the_file(tmp_path: Path) -> None:
    flags, environ = {"config": file(tmp_path, "port = 1\nmax-pages = 1\nmax-contexts = 1")}, {"AGENT_PORT": "2"}
    environ["AGENT_MAX_PAGES"] = "2"
    config = load({**flags, "port": "3"}, environ)
    assert (config.port, config.max_pages, config.max_contexts) == (3, 2, 1)


@pytest.mark.parametrize(("key", "likely"), [("allowed-domains", "; did you mean 'allowed_domains'?"), ("quux", "")])
def test_an_unknown_setting_of_a_program_is_refused(key: str, likely: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(f"unknown setting {key!r}{likely}") + "$"):
        load({key: "a.example"}, {})


def test_the_flags_file_beats_the_variables_file(tmp_path: Path) -> None:
    path = file(tmp_path, "port = 1")
    assert load({"config": path}, {"AGENT_CONFIG": "/does/not/exist"}).port == 1


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("port", "http", "must be a whole number, not 'http'"),
        ("port", "80.0", "must be a whole number"),
        ("port", "65536", "must be between 0 and 65535"),
        ("port", "-1", "must be between 0 and 65535"),
        ("scope", "root", "must be readonly, standard, full or privileged, not 'root'"),
        ("headless", "maybe", "must be true or false"),
        ("request-timeout", "soon", "must be a number of seconds"),
        ("request-timeout", "nan", "must be between"),
        ("request-timeout", "inf", "must be between"),
        ("request-timeout", "0", "must be between"),
        ("max-message-size", "10MB", "must be a whole number"),
        ("max-pages", "0", "must be at least 1"),
        ("log-format", "xml", "must be text or json"),
        ("port", "", "must be a whole number, not ''"),
        ("executable-path", "", "must be one character at least"),
    ],
)
def test_a_bad_value_is_named_with_its_place(name: str, text: str, said: str, tmp_path: Path) -> None:
    setting = BY_NAME[name]
    path = file(tmp_path, f"{name} = {text!r}")
    assert refusal({setting.key: text}).startswith(f"{setting.flag} {said}")
    assert refusal({}, {setting.variable: text}).startswith(f"{setting.variable} {said}")
    assert refusal({"config": path}).startswith(f"{path}: {name} {said}")


@pytest.mark.parametrize(
    "line", ["port = true", "port = 1.0", "host = 1", "allowed-hosts = [1]", "headless = []", r'audit-log = "a\u0000"']
)
def test_the_file_has_types(line: str, tmp_path: Path) -> None:
    assert f": {line.partition(' ')[0]} must be " in refusal({"config": file(tmp_path, line)})


@pytest.mark.parametrize(
    ("name", "accepted"), [("allowed-hosts", "a list of texts"), ("approvals", "a TOML file, or a table")]
)
def test_a_setting_of_the_file_that_may_be_more_than_a_text_says_so(name: str, accepted: str, tmp_path: Path) -> None:
    assert refusal({"config": file(tmp_path, f"{name} = 1")}).endswith(f": {name} must be {accepted}, not 1")


def test_an_unknown_key_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = file(tmp_path, 'allowed_domains = "a.com"')
    assert refusal({"config": path}) == f"{path}: unknown key 'allowed_domains'; did you mean 'allowed-domains'?"
    assert refusal({"config": file(tmp_path, "[serve]\nport = 1")}).endswith("unknown key 'serve'")


def test_a_file_that_is_missing_or_broken(tmp_path: Path) -> None:
    assert refusal({"config": "/does/not/exist"}) == "--config /does/not/exist: No such file or directory"
    assert refusal({}, {"AGENT_CONFIG": "/no/file"}) == "AGENT_CONFIG /no/file: No such file or directory"
    assert "is not TOML" in refusal({"config": file(tmp_path, "port: 1")})


@pytest.mark.parametrize("given", [{"allowed_domains": ("",)}, {"allowed_domains": (" , ",)}])
def test_an_empty_allowlist_does_not_mean_everything(given: dict[str, Any]) -> None:
    assert "empty" in refusal(given)
    assert "empty" in refusal({}, {"AGENT_ALLOWED_DOMAINS": ""})


def test_a_domain_that_means_nothing_is_refused() -> None:
    assert "'*'" in refusal({"allowed_domains": ("a.com,*",)})


def test_the_token_comes_from_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("s3cret-of-the-tests\n")
    assert load({"token_file": str(path)}, {}).token == "s3cret-of-the-tests"
    assert load({}, {"AGENT_TOKEN_FILE": str(path)}).token == "s3cret-of-the-tests"
    assert load({"token_file": str(path)}, {"AGENT_TOKEN": "another-of-the-tests"}).token == "s3cret-of-the-tests"
    assert load({"token": "another-of-the-tests"}, {"AGENT_TOKEN_FILE": str(path)}).token == "another-of-the-tests"


def test_two_tokens_from_one_place_are_too_many(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("s3cret-of-the-tests")
    assert (
        refusal({"token": "another-of-the-tests", "token_file": str(path)})
        == "--token and --token-file exclude each other"
    )


@pytest.mark.parametrize("content", ["", "\n", "two\nlines", "two words", b"\xff\xfe"])
def test_a_file_without_one_token_is_refused(content: str | bytes, tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert refusal({"token_file": str(path)}).startswith("--token-file must be a file that")
    directory = "--token-file must be a file that can be read (Is a directory)"
    assert refusal({"token_file": str(tmp_path)}).startswith(directory)
    path.write_text("fifteen-letters\n")
    assert refusal({"token_file": str(path)}).startswith("--token-file must be a file whose token has at least 16 char")


def test_what_is_in_effect_is_reported_without_a_secret() -> None:
    open_server = {"clients": "anyone on this machine", "scope": "standard", "hosts": "any", "secrets": 0}
    assert in_effect(load({}, {}))["isolation"] == "owner"
    assert in_effect(load({}, {})).items() >= open_server.items()
    shown = in_effect(load({"token": "s3cret-of-the-tests", "scope": "full", "allowed_domains": ("a.com",)}, {}))
    assert (shown["clients"], shown["scope"], shown["hosts"]) == ("one token", "full", "a.com")
    shown = in_effect(load({"tokens_file": str(TOKENS)}, {}))
    assert (shown["clients"], shown["scope"]) == ("a file of tokens", "of each token")
    assert "s3cret" not in str(shown)


def test_no_message_shows_the_token(tmp_path: Path) -> None:
    assert refusal({}, {"AGENT_TOKEN": ""}) == "AGENT_TOKEN must be 16 characters at least"
    assert "7531" not in refusal({"config": file(tmp_path, "token = 7531")})
    assert "s3cret-of-the-tests" not in repr(load({"token": "s3cret-of-the-tests"}, {}))


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.2", "example.com", "0", "127.0.0.1.nip.io"])
def test_an_address_that_others_can_reach_needs_a_token(host: str) -> None:
    assert not is_loopback(host)
    assert "needs a token" in refusal({"host": host})
    assert load({"host": host, "token": "s3cret-of-the-tests"}, {}).host == host


@pytest.mark.parametrize("host", ["127.0.0.1", "127.3.2.1", "::1", "localhost"])
def test_loopback_needs_none(host: str) -> None:
    assert is_loopback(host)
    assert load({"host": host}, {}).token is None


def test_a_configuration_made_in_a_program_is_checked_too() -> None:
    with pytest.raises(ValueError, match="port must be between 0 and 65535"):
        Config(port=70000)
    with pytest.raises(ValueError, match="needs a token"):
        Config(host="0.0.0.0")
    with pytest.raises(ValueError, match="request_timeout_s"):
        Config(request_timeout_s=20, max_timeout_s=10)


def test_an_allowlist_is_for_the_browser_in_which_it_is_known_to_hold() -> None:
    assert "firefox" in refusal({"allowed_domains": ("a.com",), "browser": "firefox"})


def test_a_slip_in_a_variables_name_is_noticed() -> None:
    environ = {"AGENT_ALOWED_DOMAINS": "a.com", "AGENT_PORT": "1", "AGENT_NAME": "smith", "PATH": "/bin"}
    assert unknown_variables(environ) == {"AGENT_ALOWED_DOMAINS": "AGENT_ALLOWED_DOMAINS"}


@pytest.mark.parametrize("setting", ["config", "approvals"])
def test_rules_may_stand_in_the_config_file_or_with_the_same_text_in_their_own(tmp_path: Path, setting: str) -> None:
    config = load({setting: file(tmp_path, '[approvals]\nrules = [{name = "all", action = "deny"}]')}, {})
    assert config.approvals == ApprovalRules(mode="required", rules=(ApprovalRule(name="all", action="deny"),))


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        ("rules = [{}]", "rules[0].name is a string (it is nothing)"),
        ('rules = [{name = "a", action = "ask"}]', 'rules[0].action is "require" or "allow" or "deny"'),
        ('rules = [{name = "a", matches = {}}]', "rules[0].matches is one of"),
        ('rules = [{name = "a", match = {url-patterns = ["{a"]}}]', "without the URL pattern '{a'"),
        (
            'rules = [{name = "a", match = {url-patterns = ["/pay/**"]}}]',
            "'/pay/**', which matches no URL: give a pattern",
        ),
        ("rules = []", 'with [[approvals.rules]], at least one, or with mode = "disabled"'),
        ('rules = [{name = "a", match = {domains = ["a.test:80"]}}]', "the domain 'a.test:80', which matches no host"),
        ('rules = [{name = "a"}, {name = "a"}]', "rules with names that differ"),
        (
            'rules = [{name = "a", match = {actions = ["action/*", "action/clik"]}}]',
            "rules[0].match.actions match methods (none matches 'action/clik'; did you mean 'action/click'?)",
        ),
        (
            'rules = [{name = "a"}, {name = "b", match = {actions = ["*/zzz"]}}]',
            "rules[1].match.actions match methods (none matches '*/zzz')",
        ),
        ('rules = [{name = "a", timeout_s = 0}]', "rules[0].timeout_s is between 0.1 and 3600"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(tmp_path: Path, rules: str, says: str) -> None:
    path = file(tmp_path, f"[approvals]\n{rules}")
    line = refusal({"config": path})
    assert line.startswith(f"{path}: approvals must be a table")
    assert says in line


def test_a_file_of_rules_that_can_not_be_read_is_refused(tmp_path: Path) -> None:
    assert "--approvals must be a TOML file" in refusal({"approvals": str(tmp_path / "none.toml")})
    assert "--approvals must be a TOML file" in refusal({"approvals": file(tmp_path, "nonsense")})


@pytest.mark.parametrize("name", ["config", "tokens_file", "secrets_file", "approvals"])
def test_a_file_that_is_nested_too_deep_is_refused(name: str, tmp_path: Path) -> None:
    assert "TOML" in refusal({name: file(tmp_path, f"a = {'[' * 5000}")})


def test_spans_need_the_sdk_of_opentelemetry(monkeypatch: pytest.MonkeyPatch) -> None:
    assert unusable_telemetry(Config(otel=True)) is None
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "agentbrowser-server[otel]" in (unusable_telemetry(Config(otel=True)) or "")
    assert unusable_telemetry(Config()) is None
