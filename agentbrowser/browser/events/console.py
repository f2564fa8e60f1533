"""What pages write to the console, and the errors that nobody catches, as events."""

from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import ConsoleMessage, WebError

from agentbrowser.policy.redaction import redact_address, redact_text
from agentbrowser.protocol.types.event import ConsoleEvent, Level

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

MAX_TEXT_BYTES: Final = 4096
_LEVELS: Final[dict[str, Level]] = {"debug": "debug", "warning": "warning", "error": "error", "assert": "error"}


def wrote(tab: "Tab", message: ConsoleMessage) -> None:
    """Report a line."""
    place = message.location
    _report(tab, message.type, message.text, place.get("url"), place.get("lineNumber"), place.get("columnNumber"))


def threw(tab: "Tab", error: WebError) -> None:
    """Report an error that was thrown and not caught."""
    place: Any = error.location
    _report(tab, "error", str(error.error), place.get("url"), place.get("line"), place.get("column"))


def _report(tab: "Tab", type_: str, text: str, url: str | None, line: int | None, column: int | None) -> None:
    event = ConsoleEvent(
        page_id=tab.id,
        type=type_,
        text=cut(redact_text(text[:MAX_TEXT_BYTES])),
        level=_LEVELS.get(type_, "info"),
        url=redact_address(url) if url else None,
        line=line,
        column=column,
    )
    tab.emit(event)


def cut(text: str) -> str:
    """Return the beginning of a text, as much as `MAX_TEXT_BYTES` of UTF-8 hold."""
    return text.encode("utf-8", "replace")[:MAX_TEXT_BYTES].decode("utf-8", "ignore")
