"""Intercept rules: request patterns, overrides and mock responses."""

import base64
import re
from collections.abc import Collection
from typing import ClassVar, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import InvalidField, constraints, field, url_checked

Handler = Literal["abort", "continue", "respond", "callback"]
ResourceType = Literal[
    "document",
    "stylesheet",
    "image",
    "media",
    "font",
    "script",
    "texttrack",
    "xhr",
    "fetch",
    "eventsource",
    "websocket",
    "manifest",
    "ping",
    "other",
]
AbortReason = Literal[
    "aborted",
    "accessdenied",
    "addressunreachable",
    "blockedbyclient",
    "blockedbyresponse",
    "connectionaborted",
    "connectionclosed",
    "connectionfailed",
    "connectionrefused",
    "connectionreset",
    "internetdisconnected",
    "namenotresolved",
    "timedout",
    "failed",
]

MAX_HEADERS: Final = 200
METHOD: Final = r"[A-Za-z!#$%&'*+.^_`|~-]{1,40}"
_HEADER_NAME: Final = re.compile(r"[\w!#$%&'*+.^`|~-]{1,256}", re.ASCII)
_HEADER_VALUE: Final = re.compile(r"[\t\x20-\x7e\x80-\xff]{0,65536}")


@attrs.frozen(kw_only=True)
class RequestPattern:
    """Pattern of requests: all given fields must match; without fields, every request matches."""

    url_pattern: str | None = field(default=None, minimum=1, maximum=1000)
    """A glob: ``*`` is anything but a slash, ``**`` anything, ``{a,b}`` one of these."""
    resource_type: ResourceType | None = None
    method: str | None = field(default=None, pattern=METHOD)


@attrs.frozen(kw_only=True)
class MockResponse:
    """A response of the client in place of a server's."""

    schema_name: ClassVar[str] = "MadeResponse"

    status: int = field(default=200, minimum=200, maximum=599)
    headers: dict[str, str] = attrs.field(factory=dict)
    """``Set-Cookie`` may hold several cookies, one a line."""
    body: str = ""
    body_encoding: Literal["text", "base64"] = "text"
    content_type: str | None = field(default=None, maximum=256, pattern=r"[\x20-\x7e]*")

    def invalid_field(self) -> InvalidField | None:
        """Return the first invalid header or the badly encoded body, with a path from the params."""
        if self.body_encoding == "base64" and not _is_base64(self.body):
            return "response.body", "base64, as bodyEncoding says", "other text"
        return _invalid_header(self.headers, "response.headers", several={"set-cookie"})


@attrs.frozen(kw_only=True)
class InterceptRule:
    """Rule for intercepted requests. Without page and context, it applies to all pages of the client."""

    schema_name: ClassVar[str] = "Rule"

    patterns: list[RequestPattern] = attrs.field(metadata=constraints(minimum=1, maximum=50))
    handler: Handler
    response: MockResponse | None = None
    """The response, if the handler is ``respond``; it is an error for the others, which send none."""
    only_page: str | None = field(default=None, wire="pageId")
    only_context: str | None = field(default=None, wire="contextId")

    def invalid_field(self) -> InvalidField | None:
        """Return the missing, needless or invalid part of the response."""
        if self.response is None:
            return ("response", 'given, as the handler is "respond"', "nothing") if self.handler == "respond" else None
        if self.handler != "respond":
            return "response", f'absent, as the handler is "{self.handler}"', "a response"
        return self.response.invalid_field()


@attrs.frozen(kw_only=True)
class Overrides:
    """Changes of a request before it continues; None keeps a value."""

    url: str | None = attrs.field(default=None, metadata=url_checked("url"))
    """New URL, with the same scheme."""
    method: str | None = field(default=None, pattern=METHOD)
    headers: dict[str, str] | None = None
    """New headers, which replace all headers of the request."""
    post_data: str | None = None

    def invalid_field(self) -> InvalidField | None:
        """Return the first invalid header."""
        return _invalid_header(self.headers or {}, "headers")


def _is_base64(text: str) -> bool:
    try:
        return base64.b64decode(text, validate=True) is not None
    except ValueError:
        return False


def _invalid_header(headers: dict[str, str], path: str, several: Collection[str] = frozenset()) -> InvalidField | None:
    """Return the first invalid header. Those in ``several`` may have several values, one a line."""
    if len(headers) > MAX_HEADERS:
        return path, f"at most {MAX_HEADERS} headers", f"{len(headers)} headers"
    for name, value in headers.items():
        if not _HEADER_NAME.fullmatch(name):
            return path, "an object of headers", "a name that no header has"
        values = value.split("\n") if name.lower() in several else [value]
        if not all(map(_HEADER_VALUE.fullmatch, values)):
            return f"{path}.{name}", "text without control characters", "other text"
    return None
