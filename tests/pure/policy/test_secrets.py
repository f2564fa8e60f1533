"""The file of secrets: what is read, what is refused, and that nothing tells a value."""

import json
import logging
from pathlib import Path

import attrs
import pytest
import structlog

from agentbrowser.cli.settings import BadSetting, load
from agentbrowser.config import Config, LogFormat
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore, names_in, parts_of
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.registry import Scope
from tests.pure.logbook import logged

CANARY = "kanari-7531"
GOOD = f'[shop]\nvalue = "{CANARY}"\norigins = ["https://shop.example"]\n'


def config(tmp_path: Path, text: str, mode: int = 0o600) -> Config:
    file = tmp_path / "secrets.toml"
    file.write_text(text)
    file.chmod(mode)
    return load({"secrets_file": str(file)}, {})


def vault(tmp_path: Path, text: str, mode: int = 0o600) -> SecretStore:
    read = config(tmp_path, text, mode).secrets
    assert read is not None
    return read


def test_a_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BANK", "kanari-8642")
    text = GOOD + '[bank]\nvalue_from_env = "BANK"\norigins = ["https://*.bank.example"]\nscopes = ["full"]\n'
    read = vault(tmp_path, text)
    shop, bank = read.secrets
    assert (shop.name, shop.value, shop.scopes) == ("shop", CANARY, frozenset(Scope))
    assert (bank.value, bank.scopes) == ("kanari-8642", frozenset({Scope.FULL}))
    assert read.variables == ("BANK",)


def test_a_repr_shows_no_value(tmp_path: Path) -> None:
    settings = config(tmp_path, GOOD)
    assert settings.secrets is not None
    for shown in (settings, settings.secrets, settings.secrets.secrets[0], str(settings)):
        assert CANARY not in repr(shown)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "it has none"),
        ("shop = 1", "'shop': it must be a table"),
        (f'[shop]\nvalue = "{CANARY}"', "'shop': origins must be a list"),
        (f'[shop]\nvalue = "{CANARY}"\norigins = []', "'shop': origins must be a list"),
        (GOOD + 'origin = "x"', "'shop': unknown key 'origin'"),
        (GOOD.replace(CANARY, ""), "'shop': the value must be text of 4 to 4096 characters"),
        (GOOD.replace(CANARY, "kan"), "'shop': the value must be text of 4"),
        (GOOD.replace(f'"{CANARY}"', "7531"), "'shop': the value must be text"),
        (GOOD + 'value_from_env = "HOME"', "'shop': it must have a value or a value_from_env"),
        (GOOD.replace("value", "value_from_env"), "'shop': value_from_env must be the name of a variable that is set"),
        (GOOD + 'scopes = ["root"]', "'shop': scopes must be a list of readonly"),
        (GOOD.replace("[shop]", '["no name"]'), "'no name': the name must be letters"),
        (GOOD.replace("https://shop", "shop"), "'shop': origin 'shop.example' is not https://host"),
        (GOOD.replace("https://shop.example", "https://shop.example/pay"), "is not https://host"),
        (GOOD.replace("https://shop.example", "https://*.example"), "has no host, *.host or address"),
        (GOOD.replace("https://shop.example", "https://me:pw@shop.example"), "has no host, *.host or address"),
        (f"[shop]\nvalue = {CANARY}", "at line 2, column 9 it goes wrong"),
    ],
)
def test_an_invalid_file_is_reported_in_one_line_without_the_value(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadSetting) as refused:
        config(tmp_path, text)
    line = str(refused.value)
    assert said in line
    assert line.startswith("--secrets-file must be ")
    assert "\n" not in line
    assert CANARY not in line


def test_a_missing_or_binary_file_is_reported(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(BadSetting, match="a TOML file that can be read"):
            load({}, {"AGENT_SECRETS_FILE": str(path)})
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(BadSetting, match="not UTF-8"):
        load({"secrets_file": str(tmp_path / "bytes.toml")}, {})


@pytest.mark.parametrize(("mode", "exposed"), [(0o600, False), (0o400, False), (0o640, True), (0o604, True)])
def test_a_file_readable_by_others_is_detected(tmp_path: Path, mode: int, exposed: bool) -> None:
    assert vault(tmp_path, GOOD, mode).exposed is exposed


@pytest.mark.parametrize(
    ("pattern", "origin", "matches"),
    [
        ("https://shop.example", "https://shop.example", True),
        ("https://shop.example", "http://shop.example", False),
        ("https://shop.example", "https://shop.example:8443", False),
        ("https://shop.example:8443", "https://shop.example:8443", True),
        ("https://shop.example:443", "https://shop.example", True),
        ("https://shop.example", "https://pay.shop.example", False),
        ("https://*.shop.example", "https://pay.shop.example", True),
        ("https://*.shop.example", "https://shop.example", True),
        ("https://*.shop.example", "https://evilshop.example", False),
        ("https://*.shop.example", "https://shop.example.evil.test", False),
        ("https://SHOP.example", "https://shop.example", True),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080", True),
        ("http://127.0.0.1:8080", "http://localhost:8080", False),
        ("http://[::1]:8080", "http://[::1]:8080", True),
        ("https://shop.example", "null", False),
        ("https://shop.example", "", False),
        ("https://shop.example", "file://", False),
        ("https://shop.example", "wss://shop.example", False),
        ("https://shop.example", "chrome-error://chromewebdata", False),
    ],
)
def test_an_origin_pattern_matches_its_scheme_hosts_and_port_only(pattern: str, origin: str, matches: bool) -> None:
    assert OriginPattern.parse(pattern).matches(origin) is matches


@pytest.mark.parametrize(
    "text",
    [
        *("shop.example", "ftp://a.b", "https://", "https://*", "https://*.com", "https://a.b/", "https://a.b?x"),
        *("https://a.b:0", "https://a.b:99999", "HTTPS://a.b", " https://a.b"),
    ],
)
def test_an_invalid_origin_is_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="origin"):
        OriginPattern.parse(text)


def test_placeholders_are_replaced_by_the_values_of_their_secrets() -> None:
    secrets = [Secret(name=name, value=f"<{name}>", origins=()) for name in ("a", "b.c-d")]
    text = "x{{secret:a}}{{secret:b.c-d}} y {{secret:a}}"
    assert names_in(text) == ["a", "b.c-d"]
    assert list(parts_of(text, secrets)) == [
        ("x", False),
        ("<a>", True),
        ("<b.c-d>", True),
        (" y ", False),
        ("<a>", True),
    ]
    for plain in ("{{secret}}", "{secret:a}", "{{secret:a}", "{{ secret:a }}", "{{SECRET:a}}"):
        assert names_in(plain) == []
        assert list(parts_of(plain, secrets)) == [(plain, False)]
    assert names_in("{{secret:}} {{secret:no such}}") == ["", "no such"]


def test_a_value_that_looks_like_a_placeholder_is_not_replaced_again() -> None:
    one = Secret(name="a", value="{{secret:b}}", origins=())
    assert list(parts_of("{{secret:a}}", [one])) == [("{{secret:b}}", True)]


@pytest.mark.parametrize("format_", ["text", "json"])
def test_no_log_line_has_a_value(tmp_path: Path, format_: LogFormat) -> None:
    settings = attrs.evolve(config(tmp_path, GOOD.replace(CANARY, r"k\"anari &7531")), log_format=format_)
    value = 'k"anari &7531'
    log = structlog.get_logger("agentbrowser.test")
    address, nested = "https://a.b/?q=k%22anari+%267531", {"a": [value, json.dumps(value)]}
    with logged(settings) as lines:
        log.warning("said", value=value, url=address, nested=nested)
        try:
            raise AgentBrowserError(f"it is {value}")
        except AgentBrowserError:
            log.exception("thrown")
        logging.getLogger("agentbrowser.other").error("plain %s", value)
    assert "said" in lines.getvalue()
    assert "[REDACTED]" in lines.getvalue()
    assert "anari" not in lines.getvalue()
