"""The keyring: which requests are let in, with which scope."""

import hashlib
import hmac
from datetime import UTC, datetime
from typing import Any

import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.policy.credentials import Credential, TokenFile, TokenLimits
from agentbrowser.policy.urls import AllowlistEntry
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.gate.auth import Grant, Keyring
from agentbrowser.server.gate.head import Head, Refusal

TOKEN = "s3cret-of-the-tests+/=\u00e9"
QUOTED = "s3cret-of-the-tests+/=%C3%A9"
ASCII = "s3cret-of-the-tests"
FIRST, SECOND = b"first-of-the-tokens", b"second-of-the-tokens"
LETTERS = b"a" * 16, b"b" * 16


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
    "query": (head(target=b"/?token=s3cret-of-the-tests"), True),
    "query among others": (head(target=b"/path?a=b&token=s3cret-of-the-tests&c"), True),
    "query, encoded": (head(target=b"/?%74oken=s3cret-of-the-test%73"), True),
    "agent header": (head((AGENT, RIGHT)), True),
    "bap header": (head((BAP, RIGHT)), True),
    "bearer": (head((BEARER, b"Bearer s3cret-of-the-tests")), True),
    "bearer in lower case": (head((BEARER, b"bearer s3cret-of-the-tests")), True),
    "the same everywhere": (
        head(
            (AGENT, RIGHT), (BAP, RIGHT), (BEARER, b"Bearer s3cret-of-the-tests"), target=b"/?token=s3cret-of-the-tests"
        ),
        True,
    ),
    "another kind of authorization beside it": (head((AGENT, RIGHT), (BEARER, b"Basic YTpi")), True),
    "missing": (head(), False),
    "empty query": (head(target=b"/?token="), False),
    "query without a value": (head(target=b"/?token"), False),
    "empty header": (head((AGENT, b"")), False),
    "empty bearer": (head((BEARER, b"Bearer")), False),
    "empty header beside the right query": (head((AGENT, b""), target=b"/?token=s3cret-of-the-tests"), False),
    "wrong": (head((AGENT, b"guess")), False),
    "other case": (head((AGENT, b"S3CRET-OF-THE-TESTS")), False),
    "prefix": (head((AGENT, RIGHT[:-1])), False),
    "longer": (head((AGENT, RIGHT + b"x")), False),
    "not ascii": (head(target=b"/?token=%ff"), False),
    "not ascii, of the same length": (head(target=b"/?token=" + b"%ff" * len(ASCII)), False),
    "basic": (head((BEARER, b"Basic s3cret-of-the-tests")), False),
    "header twice": (head((AGENT, RIGHT), (AGENT, RIGHT)), False),
    "query twice": (head(target=b"/?token=s3cret-of-the-tests&token=s3cret-of-the-tests"), False),
    "right query, wrong header": (head((AGENT, b"guess"), target=b"/?token=s3cret-of-the-tests"), False),
    "wrong query, right header": (head((AGENT, RIGHT), target=b"/?token=guess"), False),
    "two headers that differ": (head((AGENT, RIGHT), (BAP, b"guess")), False),
    "in the path": (head(target=b"/token=s3cret-of-the-tests"), False),
    "in the fragment": (head(target=b"/#?token"), False),
}


@pytest.mark.parametrize(("request_head", "right"), TOKENS.values(), ids=TOKENS.keys())
async def test_only_the_right_token_is_admitted(request_head: Head, right: bool) -> None:
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


@pytest.mark.parametrize("token", ["", "a", "a" * 15])
def test_a_short_token_is_no_token(token: str) -> None:
    with pytest.raises(ValueError, match="16 characters at least"):
        Keyring(Config(token=token))


async def test_a_short_token_of_the_file_admits_nobody() -> None:
    """The file has digests only, so that a short token shows when it is used."""
    short, enough = b"a" * 15, b"a" * 16
    keyring = Keyring(Config(tokens=TokenFile((entry(short, "short"), entry(enough, "enough")))))
    assert status(keyring, with_token(short)) == 401
    assert status(keyring, with_token(enough)) == 200


async def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[tuple[int, int]] = []
    compare = hmac.compare_digest

    def spy(given: bytes, expected: bytes) -> bool:
        compared.append((len(given), len(expected)))
        return compare(given, expected)

    monkeypatch.setattr(hmac, "compare_digest", spy)
    keyring = Keyring(Config(token=ASCII))
    assert status(keyring, head((AGENT, b"x"), target=b"/?token=s3cret-of-the-tests")) == 401
    assert compared == [(32, 32), (32, 32)]


async def test_ten_wrong_tokens_a_minute(autojump_clock: trio.abc.Clock) -> None:
    keyring = Keyring(Config(token=ASCII))
    wrong = head((AGENT, b"guess"))
    for _ in range(10):
        assert status(keyring, wrong) == 401
        await trio.sleep(1)
    assert status(keyring, wrong) == 429
    assert status(keyring, head((AGENT, b"guess"), peer="10.0.0.1")) == 401
    await trio.sleep(50)
    assert status(keyring, wrong) == 401
    assert status(keyring, wrong) == 429


async def test_a_right_token_passes_after_any_number_of_wrong_ones() -> None:
    keyring = Keyring(Config(token=ASCII))
    for _ in range(50):
        status(keyring, head((AGENT, b"guess")))
    assert status(keyring, head((AGENT, RIGHT))) == 200


async def test_asking_without_a_token_is_no_guess() -> None:
    keyring = Keyring(Config(token=ASCII))
    assert [status(keyring, head()) for _ in range(20)] == [401] * 20
    assert status(keyring, head((AGENT, RIGHT))) == 200


END = datetime(2027, 1, 31, tzinfo=UTC)


def entry(secret: bytes, name: str, **said: Any) -> Credential:
    return Credential(name=name, sha256=hashlib.sha256(secret).hexdigest(), **said)


MANY = Config(
    token=ASCII,
    tokens=TokenFile(
        (
            entry(FIRST, "one", scope_word="readonly", expires=END),
            entry(SECOND, "two", scope_word="privileged", allowed_domains=("*.a.com",)),
        )
    ),
)


def with_token(*tokens: bytes) -> Head:
    return head(*zip((AGENT, BAP), tokens, strict=False))


async def test_each_token_of_the_file_grants_what_it_says() -> None:
    keyring = Keyring(MANY, lambda: END.timestamp() - 1)
    assert keyring.grant(with_token(FIRST)) == Grant(Scope.READONLY, "one", expires_s=END.timestamp())
    assert keyring.grant(with_token(SECOND)) == Grant(
        Scope.PRIVILEGED, "two", allowlist=(AllowlistEntry("a.com", subdomains=True),)
    )
    assert keyring.grant(with_token(RIGHT)) == Grant(Scope.STANDARD, "token")


@pytest.mark.parametrize("tokens", [(b"third",), (FIRST, SECOND), (FIRST, RIGHT), (SECOND, b"x"), ()])
async def test_a_token_that_is_none_of_them_or_two_of_them_is_refused(tokens: tuple[bytes, ...]) -> None:
    assert status(Keyring(MANY, lambda: 0), with_token(*tokens)) == 401


async def test_with_a_file_alone_nobody_comes_in_without_a_token() -> None:
    keyring = Keyring(Config(tokens=MANY.tokens), lambda: 0)
    assert status(keyring, head()) == 401
    assert status(keyring, with_token(RIGHT)) == 401
    assert status(keyring, with_token(FIRST)) == 200


async def test_a_reload_withdraws_the_grants_that_are_gone_or_have_changed() -> None:
    one, two, three, late = b"token-number-one", b"token-number-two", b"the-third-of-them", b"a-token-that-is-new"
    limits = TokenLimits(requests_per_minute=5, max_total_pages=3)

    def config(*entries: Credential) -> Config:
        return Config(token=ASCII, tokens=TokenFile(entries))

    first = entry(one, "one", limits=limits)
    keyring = Keyring(config(first, entry(two, "two"), entry(three, "three", scope_word="full")))
    kept, gone, lowered = (keyring.grant(with_token(token)) for token in (one, two, three))
    withdrawn = keyring.reload(config(first, entry(three, "three"), entry(late, "late")))
    assert {grant.name for grant in withdrawn} == {"two", "three"}
    assert (kept.is_expired(), gone.is_expired(), lowered.is_expired()) == (False, True, True)
    assert keyring.grant(with_token(one)) is kept  # with what its clients have used of its limits
    assert keyring.grant(with_token(three)).scope is Scope.STANDARD
    assert keyring.grant(with_token(late)).name == "late"
    assert keyring.grant(with_token(RIGHT)).name == "token"
    assert status(keyring, with_token(two)) == 401


async def test_a_reload_can_close_an_open_server_and_open_it_again() -> None:
    keyring = Keyring(Config())
    grant = keyring.grant(head())
    assert keyring.reload(Config()) == []
    assert keyring.grant(head()) is grant
    assert keyring.reload(Config(token=ASCII)) == [grant]
    assert status(keyring, head()) == 401
    assert [one.name for one in keyring.reload(Config())] == ["token"]
    assert status(keyring, head()) == 200


async def test_the_digest_of_a_token_is_no_token() -> None:
    keyring = Keyring(MANY)
    assert status(keyring, with_token(hashlib.sha256(SECOND).hexdigest().encode())) == 401


async def test_an_expired_token_is_refused_and_is_no_guess() -> None:
    now_s = [END.timestamp() - 0.1]
    keyring = Keyring(MANY, lambda: now_s[-1])
    assert status(keyring, with_token(FIRST)) == 200
    now_s.append(END.timestamp())
    assert [status(keyring, with_token(FIRST)) for _ in range(20)] == [401] * 20
    assert status(keyring, with_token(SECOND)) == 200


@pytest.mark.parametrize("given", [FIRST, SECOND, RIGHT, b"none of them"])
async def test_every_token_of_the_file_is_compared(given: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []
    compare = hmac.compare_digest

    def spy(given: bytes, expected: bytes) -> bool:
        compared.append(expected)
        return compare(given, expected)

    monkeypatch.setattr(hmac, "compare_digest", spy)
    status(Keyring(MANY, lambda: 0), with_token(given))
    assert compared == [hashlib.sha256(one).digest() for one in (FIRST, SECOND, RIGHT)]


def test_a_list_of_domains_that_means_nothing_is_found_before_anybody_comes() -> None:
    with pytest.raises(ValueError, match=r"'\*'"):
        Keyring(Config(tokens=TokenFile((entry(LETTERS[0], "a", allowed_domains=("*",)),))))


@pytest.mark.parametrize(
    ("server", "token", "both"), [((10, 5), (2, 1), (2, 1)), ((3, 1), (9, 9), (3, 1)), ((4, 4), (None, 2), (4, 2))]
)
async def test_the_lower_limit_holds(server: tuple[int, int], token: tuple[int | None, int], both: object) -> None:
    limits = TokenLimits(max_pages=token[0], max_contexts=token[1])
    config = Config(
        max_pages=server[0], max_contexts=server[1], tokens=TokenFile((entry(LETTERS[0], "a", limits=limits),))
    )
    narrowed = Keyring(config).grant(with_token(LETTERS[0])).settings(config)
    assert (narrowed.max_pages, narrowed.max_contexts) == both


async def test_all_who_have_a_token_share_its_rate() -> None:
    limits = TokenLimits(requests_per_minute=5)
    keyring = Keyring(
        Config(tokens=TokenFile((entry(LETTERS[0], "a", limits=limits), entry(LETTERS[1], "b", limits=limits))))
    )
    first, second, other = (keyring.grant(with_token(one)).rate_limit for one in (LETTERS[0], *LETTERS))
    assert first is second is not other is not None


@pytest.mark.parametrize("behind_s", [0.0, 3600.0])
async def test_a_grant_is_over_when_the_clock_on_the_wall_says_so(
    behind_s: float, autojump_clock: trio.abc.Clock
) -> None:
    grant = Grant(Scope.STANDARD, "one", expires_s=1000.0)

    def now_s() -> float:  # a clock that is put forward after a minute
        return trio.current_time() - began_s + (0 if trio.current_time() - began_s < 60 else behind_s)

    began_s = trio.current_time()
    await grant.wait_expired(now_s)
    assert trio.current_time() - began_s == pytest.approx(60 if behind_s else 1000)


async def test_a_grant_without_an_end_is_never_over(autojump_clock: trio.abc.Clock) -> None:
    with trio.move_on_after(10**5) as scope:
        await Grant(Scope.STANDARD, "open").wait_expired()
    assert scope.cancelled_caught
