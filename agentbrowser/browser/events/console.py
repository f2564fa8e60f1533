"""Console messages and uncaught errors of pages as events, and the throttle that limits them in the page."""

import secrets
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import ConsoleMessage, WebError

from agentbrowser.browser.events import console_format
from agentbrowser.browser.scripts.bundle import PROGRAMS
from agentbrowser.policy.redaction import redact_address, redact_text
from agentbrowser.protocol import wire
from agentbrowser.protocol.types.event import ConsoleEvent, Level, PageError

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

MAX_TEXT_BYTES: Final = 4096
MESSAGES_PER_SECOND: Final = 300
"""Limit for each document. More than are sent: each look-up of a function counts, and some libraries look up twice."""
_LEVELS: Final[dict[str, Level]] = {"debug": "debug", "warning": "warning", "error": "error", "assert": "error"}


def report_message(tab: "Tab", message: ConsoleMessage) -> None:
    """Emit the event of a console message."""
    place = message.location
    text = _text_of(message)
    _report(tab, message.type, text, place.get("url"), place.get("lineNumber"), place.get("columnNumber"))


def report_error(tab: "Tab", error: WebError) -> None:
    """Emit the event of an uncaught error."""
    place: Any = error.location
    thrown = error.error
    name, message, stack = thrown.name or "", str(thrown), thrown.stack or ""
    described = PageError(name=_safe(name), message=_safe(message), stack=_safe(stack))
    text = f"{name}: {message}" if name and message else name or message
    _report(tab, "error", text, place.get("url"), place.get("line"), place.get("column"), described)


def _text_of(message: ConsoleMessage) -> str:
    text = message.text
    if "%" not in text[:MAX_TEXT_BYTES] or message.type not in console_format.FORMATTED:
        return text
    return console_format.formatted([str(argument)[:MAX_TEXT_BYTES] for argument in message.args])


def _safe(text: str) -> str:
    """Return the beginning of a text, without secrets."""
    return cut(redact_text(text[:MAX_TEXT_BYTES]))


def _report(
    tab: "Tab",
    type_: str,
    text: str,
    url: str | None,
    line: int | None,
    column: int | None,
    error: PageError | None = None,
) -> None:
    event = ConsoleEvent(
        page_id=tab.id,
        type=type_,
        text=_safe(text),
        level=_LEVELS.get(type_, "info"),
        url=redact_address(url) if url else None,
        line=line,
        column=column,
        error=error,
    )
    tab.emit(event)


def cut(text: str) -> str:
    """Return the beginning of a text, at most `MAX_TEXT_BYTES` of UTF-8."""
    encoded: bytes = wire.well_formed(text).encode()
    return encoded[:MAX_TEXT_BYTES].decode("utf-8", "ignore")


@attrs.frozen
class ConsoleThrottle:
    """Limit on console messages inside a client's pages: a message that reaches the driver has already cost its time.

    Its reports of dropped messages carry a secret mark, so that no page can forge one.
    """

    _mark: str = attrs.field(factory=lambda: secrets.token_hex(16), init=False)

    @property
    def script(self) -> str:
        """Return the script that runs in every document before the page's own scripts."""
        return f"{PROGRAMS['console_throttle']}('{self._mark}', {MESSAGES_PER_SECOND})"

    def count_dropped(self, message: ConsoleMessage) -> int:
        """Return how many messages the throttle reports as dropped; 0 if the page itself wrote the message."""
        text = message.text
        return int(text.removeprefix(f"{self._mark} ")) if text.startswith(self._mark) else 0
