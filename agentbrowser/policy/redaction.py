"""Redaction of secrets in events and logs: headers, URLs, bodies, text. Pure, and linear in its input."""

import re
from collections.abc import Mapping
from typing import Any, Final

import attrs

from agentbrowser.policy.urls import REDACTED as REDACTED
from agentbrowser.policy.urls import redact_url
from agentbrowser.protocol.types.event import FrameEvent, PageEvent, Report

MAX_URL: Final = 2048
"""Longest visible URL; ``data:`` URLs contain whole files."""

_SECRET_HEADERS: Final = frozenset((
    "authentication-info", "authorization", "cookie", "proxy-authenticate", "proxy-authentication-info",
    "proxy-authorization", "set-cookie", "set-cookie2", "www-authenticate", "x-agent-token", "x-api-key",
    "x-auth-token", "x-bap-token",
))  # fmt: skip
_SECRET_WORDS: Final = frozenset(
    {"apikey", "auth", "authorization", "cookie", "csrf", "jwt", "key", "password", "secret", "session", "signature"}
    | {"token", "xsrf"}
)
_ADDRESS_HEADERS: Final = frozenset({"content-location", "link", "location", "origin", "referer", "refresh"})

_SECRET_NAME: Final = (  # without what is before it in a name: each hyphen would begin a search of its own
    r"(?i:(?:token|secret|passw(?:or)?d|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key"
    r"|authorization|cookie|credentials?|session[_-]?id|jwt|otp|csrf)\b)"
)
_NAMED_SECRET: Final = re.compile(
    rf"({_SECRET_NAME}[\"']?\s{{0,4}}[:=]\s{{0,4}})"
    r"(\"[^\"]*\"?|'[^']*'?|(?i:(?:bearer|basic|digest)\s+)?[^\s\"',;&(){}\[\]]+)"
)
_BEARER: Final = re.compile(r"(?i)\b(bearer|basic)\s+[\w.~+/=-]{6,}")
_JWT: Final = re.compile(  # looks for the dot once for each word: "eyJ-eyJ-..." has as many beginnings as hyphens
    r"(?<![\w-])(?=[\w-]++\.[\w-])([\w-]*?)\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*)?"
)
_CALL_LOG: Final = re.compile(r"(?s)(\nCall log:\n).*?(?=\n\n(?:The above|During handling of the above) exception|\Z)")
_ADDRESS: Final = re.compile(r"(?i)\b(?:https?|wss?|ftp)://[^\s\"'<>]+")


def redact_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Return the headers without credentials, and without secrets in their URLs.

    Chromium has a line for each value of a name that a response repeats; the standard form is a comma between them.
    """
    return {name: _redact_header(name.lower(), value).replace("\n", ", ") for name, value in headers.items()}


def _redact_header(name: str, value: str) -> str:
    if name in _SECRET_HEADERS or not _SECRET_WORDS.isdisjoint(re.split(r"[-_]", name)):
        return REDACTED
    return redact_url(value) if name in _ADDRESS_HEADERS else value


def redact_address(url: str) -> str:
    """Return a URL without secrets, of at most `MAX_URL` characters."""
    return redact_url(url[:MAX_URL])[:MAX_URL]


def redact_event(event: Report) -> Report:
    """Return a page or frame event without secrets in its URL; other kinds are already redacted."""
    if isinstance(event, PageEvent | FrameEvent) and event.url is not None:
        return attrs.evolve(event, url=redact_address(event.url))
    return event


def redact_details(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the details of an error without secrets in the URL."""
    url = details.get("url")
    return {**details, "url": redact_address(url)} if isinstance(url, str) else dict(details)


def redact_body(body: object | None) -> str | None:
    """Return a placeholder for a body; None without a body."""
    return None if body is None else REDACTED


def redact_text(text: str) -> str:
    """Return text without likely secrets: named values, bearer tokens, JWTs, parts of URLs."""
    text = _ADDRESS.sub(lambda found: redact_url(found[0]), text)
    text = _NAMED_SECRET.sub(rf"\1{REDACTED}", text)
    return _JWT.sub(rf"\1{REDACTED}", _BEARER.sub(rf"\1 {REDACTED}", text))


def redact_trace(trace: str) -> str:
    """Return a traceback for the log: `redact_text`, and without Playwright's call log, which has typed text and
    markup."""
    return redact_text(_CALL_LOG.sub(rf"\1{REDACTED}", trace))
