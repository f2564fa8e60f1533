"""The keyring: which requests are let in, with which scope."""

import hmac

import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.registry import Scope
from agentbrowser.server.auth import Grant, Keyring
from agentbrowser.server.head import Head, Refusal

TOKEN = "s3cret+/=\u00e9"
QUOTED = "s3cret+/=%C3%A9"
ASCII = "s3cret"


def head(*headers: tuple[bytes, bytes], target: bytes = b"/", peer: str = "127.0.0.1") -> Head:
    return Head(method=b"GET", target=target, headers=headers, raw=b"", rest=b"", peer=peer)


def status(keyring: Keyring, request: Head) -> int:
    """Return 200, or the status with which the request is refused."""
    try:
        keyring.grant(request)
    except Refusal as refusal:
        return refusal.status
    return 200


AGENT = b"x-agent-token"
BAP = b"x-bap-token"
BEARER = b"authorization"
RIGHT = ASCII.encode()

TOKENS: dict[str, tuple[Head, bool]] = {
    "query": (head(target=b"/?token=s3cret"), True),
    "query among others": (head(target=b"/path?a=b&token=s3cret&c"), True),
    "query, encoded": (head(target=b"/?%74oken=s3cre%74"), True),
    "agent header": (head((AGENT, RIGHT)), True),
    "bap header": (head((BAP, RIGHT)), True),
    "bearer": (head((BEARER, b"Bearer s3cret")), True),
    "bearer in lower case": (head((BEARER, b"bearer s3cret")), True),
    "the same everywhere": (
        head((AGENT, RIGHT), (BAP, RIGHT), (BEARER, b"Bearer s3cret"), target=b"/?token=s3cret"),
        True,
    ),
    "another kind of authorization beside it": (head((AGENT, RIGHT), (BEARER, b"Basic YTpi")), True),
    "missing": (head(), False),
    "empty query": (head(target=b"/?token="), False),
    "query without a value": (head(target=b"/?token"), False),
    "empty header": (head((AGENT, b"")), False),
    "empty bearer": (head((BEARER, b"Bearer")), False),
    "empty header beside the right query": (head((AGENT, b""), target=b"/?token=s3cret"), False),
    "wrong": (head((AGENT, b"guess")), False),
    "other case": (head((AGENT, b"S3CRET")), False),
    "prefix": (head((AGENT, RIGHT[:-1])), False),
    "longer": (head((AGENT, RIGHT + b"x")), False),
    "not ascii": (head(target=b"/?token=%ff"), False),
    "not ascii, of the same length": (head(target=b"/?token=%ff%ff%ff%ff%ff%ff"), False),
    "basic": (head((BEARER, b"Basic s3cret")), False),
    "header twice": (head((AGENT, RIGHT), (AGENT, RIGHT)), False),
    "query twice": (head(target=b"/?token=s3cret&token=s3cret"), False),
    "right query, wrong header": (head((AGENT, b"guess"), target=b"/?token=s3cret"), False),
    "wrong query, right header": (head((AGENT, RIGHT), target=b"/?token=guess"), False),
    "two headers that differ": (head((AGENT, RIGHT), (BAP, b"guess")), False),
    "in the path": (head(target=b"/token=s3cret"), False),
    "in the fragment": (head(target=b"/#?token"), False),
}


@pytest.mark.parametrize(("request_head", "right"), TOKENS.values(), ids=TOKENS.keys())
async def test_token(request_head: Head, right: bool) -> None:
    assert status(Keyring(Config(token=ASCII)), request_head) == (200 if right else 401)


async def test_a_token_is_bytes() -> None:
    keyring = Keyring(Config(token=TOKEN))
    assert status(keyring, head(target=f"/?token={QUOTED}".encode())) == 200
    assert status(keyring, head((AGENT, TOKEN.encode()))) == 200


@pytest.mark.parametrize("scope", Scope)
async def test_the_token_grants_the_configured_scope(scope: Scope) -> None:
    keyring = Keyring(Config(token=ASCII, scope=scope))
    assert keyring.grant(head((AGENT, RIGHT))) == Grant(scope, "token")


@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("headers", [(), ((AGENT, b"anything"),)])
async def test_without_a_token_all_come_in_as_standard_at_most(
    scope: Scope, headers: tuple[tuple[bytes, bytes], ...]
) -> None:
    assert Keyring(Config(scope=scope)).grant(head(*headers)) == Grant(min(scope, Scope.STANDARD), "open")


def test_an_empty_token_is_no_token() -> None:
    with pytest.raises(ValueError, match="empty"):
        Keyring(Config(token=""))


async def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[int, int]] = []
    compare = hmac.compare_digest

    def spy(given: bytes, expected: bytes) -> bool:
        compared.append((len(given), len(expected)))
        return compare(given, expected)

    monkeypatch.setattr(hmac, "compare_digest", spy)
    keyring = Keyring(Config(token=ASCII))
    assert status(keyring, head((AGENT, b"x"), target=b"/?token=s3cret")) == 401
    assert compared == [(32, 32), (32, 32)]


async def test_ten_wrong_tokens_a_minute(autojump_clock: trio.abc.Clock) -> None:
    keyring = Keyring(Config(token=ASCII))
    right, wrong = head((AGENT, RIGHT)), head((AGENT, b"guess"))
    for _ in range(10):
        assert status(keyring, wrong) == 401
        await trio.sleep(1)
    assert status(keyring, wrong) == 429
    assert status(keyring, right) == 429
    assert status(keyring, head((AGENT, RIGHT), peer="10.0.0.1")) == 200
    await trio.sleep(50)
    assert status(keyring, right) == 200
    assert status(keyring, wrong) == 401
    assert status(keyring, wrong) == 429


async def test_asking_without_a_token_is_no_guess() -> None:
    keyring = Keyring(Config(token=ASCII))
    assert [status(keyring, head()) for _ in range(20)] == [401] * 20
    assert status(keyring, head((AGENT, RIGHT))) == 200
