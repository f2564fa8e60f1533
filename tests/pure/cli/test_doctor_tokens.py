"""What doctor says of a file of tokens."""

from datetime import UTC, datetime

import pytest

from agentbrowser.cli.doctor import _check_token
from agentbrowser.config import Config
from agentbrowser.policy.credentials import Credential, TokenFile

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
