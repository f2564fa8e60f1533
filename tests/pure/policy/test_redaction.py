"""Secrets never show: in headers of any spelling, in URLs, bodies and text."""

import time
import traceback

import attrs
import pytest

from agentbrowser.policy.redaction import (
    MAX_URL,
    REDACTED,
    redact_address,
    redact_body,
    redact_details,
    redact_event,
    redact_headers,
    redact_text,
    redact_trace,
)
from agentbrowser.protocol.types.event import FrameEvent, PageEvent

CANARY = "c4n4ry"
SEEDS = (
    "Authorization",
    "Cookie",
    "Set-Cookie",
    "X-API-Key",
    "X-Auth-Token",
    "Proxy-Authorization",
    "WWW-Authenticate",
)
OTHERS = (
    "Set-Cookie2",
    "Authentication-Info",
    "X-AGENT-Token",
    "X-BAP-Token",
    "X-CSRF-Token",
    "X-Session-Id",
    "apikey",
)


@pytest.mark.parametrize("name", [*SEEDS, *OTHERS])
@pytest.mark.parametrize("spell", [str, str.lower, str.upper, str.swapcase])
def test_a_secret_header_keeps_its_name_only(name: str, spell: type[str]) -> None:
    assert redact_headers({spell(name): CANARY}) == {spell(name): REDACTED}


@pytest.mark.parametrize("name", ["Content-Type", "ETag", "Access-Control-Allow-Credentials", "X-Author", "Keyboard"])
def test_other_headers_stay(name: str) -> None:
    assert redact_headers({name: "value"}) == {name: "value"}


def test_values_of_a_repeated_header_are_joined_by_commas() -> None:
    assert redact_headers({"x-two": "a\nb"}) == {"x-two": "a, b"}


@pytest.mark.parametrize("name", ["Location", "Referer", "Content-Location", "refresh", "Link"])
def test_the_url_in_a_header_is_redacted(name: str) -> None:
    told = redact_headers({name: f"https://a.test/b?code={CANARY}&page=2"})
    assert told == {name: f"https://a.test/b?code={REDACTED}&page=2"}


def test_a_url_is_redacted_and_truncated() -> None:
    assert (
        redact_address(f"http://me:{CANARY}@a.test/?token={CANARY}&q=1")
        == f"http://{REDACTED}@a.test/?token={REDACTED}&q=1"
    )
    assert len(redact_address("data:text/html," + "x" * 10**6)) == MAX_URL


@pytest.mark.parametrize("body", [b"", b"secret", "secret", {"a": 1}])
def test_a_body_is_replaced_by_a_placeholder(body: object) -> None:
    assert redact_body(body) == REDACTED


def test_no_body_is_no_body() -> None:
    assert redact_body(None) is None


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {CANARY}",
        f"authorization=Basic {CANARY}==",
        f"sent with Bearer {CANARY}",
        f'{{"password": "a {CANARY} b", "x": 1}}',
        f"{{password: {CANARY}, x: 1}}",
        f"accessToken={CANARY}",
        f"api_key = '{CANARY}'",
        f"X-API-Key: {CANARY}",
        f"document.cookie: {CANARY}",
        f"GET https://me:{CANARY}@a.test/ failed",
        f"GET https://a.test/?session_id={CANARY}&x=1 failed",
        f"client_secret: {CANARY}",
        f"eyJhbGciOi.eyJ{CANARY}.{CANARY}",
        f"x-eyJhbGciOi.eyJ{CANARY}.{CANARY}",
        f"www.test-eyJ.eyJhbGciOi.{CANARY}",
        f"{'a-' * 40}token: {CANARY}",
    ],
)
def test_likely_secrets_are_redacted(text: str) -> None:
    told = redact_text(text)
    assert CANARY not in told
    assert REDACTED in told


@pytest.mark.parametrize(
    "text",
    [
        "Uncaught SyntaxError: Unexpected token '<'",
        "Uncaught TypeError: Cannot read properties of undefined (reading 'key')",
        "error code: 404",
        "key: Enter",
        "Failed to load https://a.test/x?page=2: 500",
        "the basic idea",
        "tokens: 3",
    ],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.parametrize(
    "piece", ["token", "-", "token:", "https://", "?key=", "eyJaaaaaa.", "'password': \"", "bearer "]
)
def test_redaction_takes_linear_time(piece: str) -> None:
    began_s = time.thread_time()
    redact_text(piece * (4096 // len(piece)))
    assert time.thread_time() - began_s < 0.5


@pytest.mark.parametrize("piece", ["a-", "-token-", "eyJ-", "eyJaaaaa-", "session-", "basic ", "token=bearer "])
def test_redaction_of_a_hostile_text_costs_about_what_other_text_does(piece: str) -> None:
    """A search from each hyphen took 100 times as long, and one to the end of its word 300 times."""
    assert _cost_s(piece) < 25 * _cost_s("words ")


def _cost_s(piece: str) -> float:
    """Return the CPU time for 64 KB, the least of three: no other thread is in it."""
    text = piece * (65_536 // len(piece))
    costs = []
    for _ in range(3):
        began_s = time.thread_time()
        redact_text(text)
        costs.append(time.thread_time() - began_s)
    return min(costs)


CALL = """Locator.fill: Error: Something that nobody knows
Call log:
  - waiting for locator("#a")
    - locator resolved to <input type="password" value="c4n4ry"/>
    - fill("c4n4ry
c4n4ry")
  - attempting fill action
"""


def test_a_trace_has_positions_without_typed_text() -> None:
    try:
        try:
            raise ValueError(CALL)
        except ValueError as error:
            raise KeyError("token=c4n4ry") from error
    except KeyError as error:
        told = redact_trace("".join(traceback.format_exception(error)))
    assert CANARY not in told
    assert "Something that nobody knows\nCall log:\n[REDACTED]" in told
    assert "The above exception was the direct cause" in told
    assert "KeyError: 'token=[REDACTED]" in told
    assert told.count("in test_a_trace_has_positions") == 2


def test_the_url_of_an_event_is_redacted() -> None:
    url = f"http://a.test/?token={CANARY}"
    for event in (
        PageEvent(type="load", page_id="p", url=url),
        FrameEvent(type="navigated", page_id="p", frame_id="f", url=url),
    ):
        told = redact_event(event)
        assert told == attrs.evolve(event, url=f"http://a.test/?token={REDACTED}")
    nowhere = PageEvent(type="crashed", page_id="p")
    assert redact_event(nowhere) is nowhere


def test_the_url_of_an_error_is_redacted() -> None:
    assert redact_details({"url": f"http://a.test/?token={CANARY}", "x": 1}) == {
        "url": f"http://a.test/?token={REDACTED}",
        "x": 1,
    }
    assert redact_details({}) == {}
