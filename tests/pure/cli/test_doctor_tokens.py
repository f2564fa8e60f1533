"""Warnings of `doctor` about the files of tokens: the one of all tokens, and that of a single token."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from agentbrowser.cli.doctor import _check_token
from agentbrowser.cli.serve import _warn_open as warn_open
from agentbrowser.cli.settings import load
from agentbrowser.config import Config
from agentbrowser.policy.credentials import Credential, TokenFile
from tests.pure.logbook import logged

PAST, FUTURE = datetime(2001, 1, 1, tzinfo=UTC), datetime(2999, 1, 1, tzinfo=UTC)


def one(name: str, expires: datetime | None = None) -> Credential:
    return Credential(name=name, sha256=name[0] * 64, expires=expires)


@pytest.mark.parametrize(
    ("tokens", "state", "what"),
    [
        (TokenFile((one("a"), one("b", FUTURE))), "ok", "2 in the file of tokens"),
        (TokenFile((one("a"), one("b", PAST), one("c", PAST))), "warn", "expired: b, c"),
        (TokenFile((one("a"),), exposed=True), "warn", "every user can read or change the file of tokens"),
    ],
)
def test_a_file_of_tokens(tokens: TokenFile, state: str, what: str) -> None:
    finding = _check_token(Config(tokens=tokens))
    assert (finding.state, finding.what) == (state, what)
    assert bool(finding.mend) == (state == "warn")


@pytest.mark.parametrize(("mode", "state"), [(0o600, "ok"), (0o640, "ok"), (0o644, "warn"), (0o602, "warn")])
def test_the_file_of_the_one_token_that_every_user_can_read(tmp_path: Path, mode: int, state: str) -> None:
    (tmp_path / "token").write_text("s3cret-of-the-tests")
    (tmp_path / "token").chmod(mode)
    config = load({"token_file": str(tmp_path / "token")}, {})
    assert _check_token(config).state == state
    with logged(config) as log:
        warn_open(config)
    assert ("token_file_exposed" in log.getvalue()) == (state == "warn")
