"""The file of tokens: what it may say, what is said of mistakes in it, and the command that makes an entry."""

import hashlib
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner, Result

from agentbrowser.cli import commands
from agentbrowser.cli.readers import read_expiry
from agentbrowser.cli.settings import BadSetting, load
from agentbrowser.config import Config
from agentbrowser.policy.credentials import Credential, TokenFile, TokenLimits, new_token, read_tokens
from agentbrowser.protocol.registry import Scope

SECRET = "s3cret-of-the-tests"
SHA256 = hashlib.sha256(SECRET.encode()).hexdigest()
OTHER = hashlib.sha256(b"other").hexdigest()
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def entry(**changes: str) -> str:
    """Return an entry with TOML values changed, added, or left out where the change is empty."""
    values = {"name": '"ci"', "sha256": f'"{SHA256}"'} | changes
    return "\n".join(["[[tokens]]", *(f"{key} = {value}" for key, value in values.items() if value)]) + "\n"


def file(tmp_path: Path, text: str, mode: int = 0o600) -> str:
    path = tmp_path / "tokens.toml"
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def tokens_of(tmp_path: Path, text: str, mode: int = 0o600) -> TokenFile:
    tokens = load({"tokens_file": file(tmp_path, text, mode)}, {}).tokens
    assert tokens is not None
    return tokens


def test_an_entry_with_every_field_is_read(tmp_path: Path) -> None:
    full = entry(
        scope='"full"',
        allowed_domains='["a.com", "*.b.org:8080"]',
        expires="2027-01-31T00:00:00Z",
        limits="{ max_pages = 2, max-contexts = 1, requests_per_minute = 60 }",
    )
    tokens = tokens_of(tmp_path, full + entry(name='"x"', sha256=f'"{OTHER}"'))
    assert tokens.entries == (
        Credential(
            name="ci",
            sha256=SHA256,
            scope_word="full",
            allowed_domains=("a.com", "*.b.org:8080"),
            expires=datetime(2027, 1, 31, tzinfo=UTC),
            limits=TokenLimits(max_pages=2, max_contexts=1, requests_per_minute=60),
        ),
        Credential(name="x", sha256=OTHER),
    )
    first, second = tokens.entries
    assert (first.scope, second.scope) == (Scope.FULL, Scope.STANDARD)
    assert (first.expires_s, second.expires_s) == (1801353600, None)
    assert tokens.holding(SECRET) is first


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a TOML file of [[tokens]] tables, at least one, and nothing else"),
        ("tokens = []", "at least one"),
        ("tokens = 1", "[[tokens]] tables"),
        ("[tokens]\nx = 1", "[[tokens]] tables"),
        (entry() + "[more]", "nothing else"),
        ("tokens = [1]", "(tokens[0]: params must be an object"),
        (entry(name=""), "(tokens[0]: name must be a string, got nothing)"),
        (entry(name='""'), "(tokens[0], : name must be of the form"),
        (entry(name='"a b"'), "(tokens[0], a b: name must be of the form"),
        (entry(name='"a\\nb"'), "name must be of the form"),
        (entry(name='"open"'), "(tokens[0], open: name must be another than open"),
        (entry(sha256=""), "(tokens[0], ci: sha256 must be 64 hexadecimal digits"),
        (entry(sha256=f'"{SHA256.upper()}"'), "in lower case"),
        (entry(sha256=f'"{SECRET}"'), "(tokens[0], ci: sha256 must be 64 hexadecimal digits in lower case)"),
        (entry(token=f'"{SECRET}"'), "(tokens[0], ci: token is not known: "),
        (entry(scope='"root"'), '(tokens[0], ci: scope must be "readonly" or "standard"'),
        (entry(scopes='"full"'), "scopes is not known: did you mean scope?"),
        (entry(allowed_domains="[]"), "(ci: an empty list of allowed domains"),
        (entry(allowed_domains='["*"]'), "(ci: allowed domain '*' is not"),
        (entry(allowed_domains='["https://a.com"]'), "allowed domain 'https://a.com' is not"),
        (entry(allowed_domains='"a.com"'), "allowed_domains must be an array"),
        (entry(expires="2027-01-31T00:00:00"), "(tokens[0], ci: expires must be a date-time with its offset"),
        (entry(expires="2027-01-31"), "expires must be a date-time with its offset"),
        (entry(expires='"soon"'), "expires must be a date-time with its offset"),
        (entry(limits="{ max_pages = 0 }"), "limits.max_pages must be at least 1"),
        (entry(limits="{ max_tabs = 1 }"), "limits.max_tabs is not known: did you mean limits.max_pages?"),
        (entry() + entry(), "names that differ (ci is there 2 times)"),
        (entry() + entry(name='"x"'), "tokens that differ (ci and x have the same sha256)"),
        (entry() + entry(name='"x"', sha256=f'"{OTHER}"', scope="1"), "(tokens[1], x: scope must be"),
        (entry() + 'name = "ci"', "a TOML file ("),
        ("nonsense", "a TOML file ("),
    ],
)
def test_a_bad_file_is_one_line_that_names_the_entry(tmp_path: Path, text: str, said: str) -> None:
    path = file(tmp_path, text)
    with pytest.raises(BadSetting) as refused:
        load({"tokens_file": path}, {})
    line = str(refused.value)
    assert line.startswith("--tokens-file must be a ")
    assert said in line
    assert "\n" not in line
    assert SECRET not in line
    result = CliRunner().invoke(commands.main, ["serve", "--tokens-file", path])
    assert (result.exit_code, result.stderr) == (2, f"agentbrowser: {line}\n")


def test_a_missing_file_is_reported() -> None:
    with pytest.raises(BadSetting, match="No such file or directory"):
        load({"tokens_file": "/no/file"}, {})


@pytest.mark.parametrize(("mode", "exposed"), [(0o600, False), (0o640, False), (0o644, True), (0o602, True)])
def test_a_world_readable_file_is_detected(tmp_path: Path, mode: int, exposed: bool) -> None:
    assert tokens_of(tmp_path, entry(), mode).exposed is exposed


def test_a_tokens_file_suffices_beyond_loopback(tmp_path: Path) -> None:
    config = load({"tokens_file": file(tmp_path, entry()), "host": "0.0.0.0"}, {})
    assert config.has_tokens
    assert config.token is None


def test_a_token_of_the_file_may_not_be_the_command_line_token(tmp_path: Path) -> None:
    path = file(tmp_path, entry())
    assert load({"tokens_file": path, "token": "another-of-the-tests"}, {}).token == "another-of-the-tests"
    with pytest.raises(BadSetting, match="the token is that of ci in the file of tokens too"):
        load({"tokens_file": path, "token": SECRET}, {})


def test_domains_of_a_token_take_a_browser_that_the_wall_is_tried_with(tmp_path: Path) -> None:
    path = file(tmp_path, entry(allowed_domains='["a.com"]'))
    with pytest.raises(BadSetting, match="--allowed-domains may not hold in firefox"):
        load({"tokens_file": path, "browser": "firefox"}, {})
    assert load({"tokens_file": file(tmp_path, entry()), "browser": "firefox"}, {}).browser == "firefox"


def run(*words: str) -> Result:
    return CliRunner().invoke(commands.main, ["token", "new", *words])


def made(result: Result) -> tuple[str, Credential]:
    """Return the token that was printed, and the entry for it as a server reads it."""
    assert result.exit_code == 0
    _, secret, *_ = result.stderr.split("\n\n")
    (read,) = read_tokens(tomllib.loads(result.stdout))
    assert secret not in result.stdout
    return secret, read


def test_a_new_token_is_shown_once_beside_the_entry_that_lets_it_in() -> None:
    secret, read = made(run())
    assert read == Credential(name="client", sha256=hashlib.sha256(secret.encode()).hexdigest())
    assert secret not in repr(read)
    assert made(run())[0] != secret


def test_the_entries_of_two_tokens_make_a_file(tmp_path: Path) -> None:
    path = file(tmp_path, run("--name", "ci").stdout + run("--name", "ops").stdout)
    tokens = load({"tokens_file": path}, {}).tokens
    assert tokens is not None
    assert [entry.name for entry in tokens.entries] == ["ci", "ops"]


def test_a_new_token_has_the_requested_fields() -> None:
    _, read = made(run("--name", "ci", "--scope", "full", "--domains", "a.com, *.b.org", "--expires", "30d"))
    assert attrs.evolve(read, sha256=SHA256, expires=None) == Credential(
        name="ci", sha256=SHA256, scope_word="full", allowed_domains=("a.com", "*.b.org")
    )
    assert timedelta(29) < read.expires - datetime.now(UTC) <= timedelta(30)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--name", "a b"), "name must be of the form"),
        (("--name", "token"), "name must be another than token"),
        (("--domains", "*"), "allowed domain '*' is not"),
        (("--domains", ""), "an empty list of allowed domains"),
        (("--domains", ","), "an empty list of allowed domains"),
        (("--expires", "0d"), "--expires must be days (30d) or a date-time to come"),
        (("--expires", "99999d"), "--expires must be"),
        (("--expires", "2027-01-31"), "--expires must be"),
        (("--expires", "2001-01-31T00:00:00Z"), "--expires must be"),
    ],
)
def test_an_invalid_entry_is_not_created(words: tuple[str, ...], said: str) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "end"),
    [
        (None, None),
        ("1d", NOW + timedelta(1)),
        ("2026-06-01T02:00:01+02:00", NOW + timedelta(seconds=1)),
        ("2027-01-31T00:00:00Z", datetime(2027, 1, 31, tzinfo=UTC)),
    ],
)
def test_a_token_expires(text: str | None, end: Any) -> None:
    assert read_expiry(text, NOW) == end


def test_a_token_is_url_safe_and_random() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(len(one) >= 43 and one.replace("-", "").replace("_", "").isalnum() for one in tokens)


def test_the_configuration_shows_no_token() -> None:
    assert SECRET not in repr(Config(token=SECRET, tokens=TokenFile((Credential(name="x", sha256=OTHER),))))
