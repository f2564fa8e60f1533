"""Translation of Playwright's exceptions into our errors: by class, then by a table of its driver's messages."""

import contextlib
import errno
import re
import secrets
import traceback
from collections.abc import Callable, Iterator
from typing import Final

import attrs
import structlog
from playwright.async_api import Error
from playwright.async_api import TimeoutError as PlaywrightTimeoutError

from agentbrowser.policy.redaction import redact_trace
from agentbrowser.protocol.errors import (
    ActionFailed,
    AgentBrowserError,
    ElementNotEnabled,
    ElementNotFound,
    ElementNotVisible,
    ExecutionContextDestroyed,
    FrameNotFound,
    InternalError,
    InvalidParams,
    NavigationFailed,
    ResourceLimitExceeded,
    SelectorAmbiguous,
    TargetClosed,
    Timeout,
)

log = structlog.get_logger("agentbrowser.browser")

_DETACHED: Final = "Element is not attached to the DOM"
_NO_DESCRIPTORS: Final = (errno.EMFILE, errno.ENFILE)
# Line in the call log of a click whose input is being sent.
_CLICK_BEGUN: Final = "performing click action"
# Line in the call log of a click that has landed.
_CLICK_DONE: Final = "waiting for scheduled navigations to finish"

VENDOR_ERRORS: Final = (Error,)
"""Base classes of Playwright's errors."""

_DOCUMENT_GONE: Final = (
    *("[Ee]xecution context (?:was destroyed|is detached)", "Cannot find (?:default |execution )*context"),
    *("uniqueContextId not found", "Inspected target navigated or closed", "Not attached to an active page"),
    *("Could not find (?:object|node|promise) with given id", "(?:Frame|Document|Node) is (?:already )?detached"),
    *(
        "No (?:node|frame)(?: found)?(?: for| with)? (?:found for )?given (?:backend |frame )?id",
        "Promise was collected",
    ),
    *("(?:Frame|Node) with the given id (?:was not found|does not belong)", "No document for given frame"),
    *("Node with given id does not belong to the document", "Detached while handling command", "Document not attached"),
)
"""Patterns of the messages of Playwright's driver and of Chromium for a document that went away under a command."""

_SHADOWED: Final = (
    r"TypeError: (?:[\w.$]+ is not (?:a function|iterable)|Cannot read properties of )"
    r"(?s:.*)\b(?:InjectedScript|SelectorEvaluatorImpl)\b"
)
"""Message of Playwright's own script where a page has a field or an image with the name of a property of the DOM."""
_SHADOWED_REASON: Final = (
    "A field, form or image of the page has the name of a property that the browser's scripts need there. "
    "Refs of agent/observe work."
)

_CALLED: Final = {
    "Enter": "return",
    "Escape": "esc",
    "Space": "spacebar",
    "Delete": "del",
    "Insert": "ins",
    "Tab": "",
    "ArrowUp": "up",
    "ArrowDown": "down",
    "ArrowLeft": "left",
    "ArrowRight": "right",
    "Home": "",
    "End": "",
    "PageUp": "pgup",
    "PageDown": "pgdn pgdown",
    "Backspace": "",
    "Shift": "",
    "Control": "ctrl",
    "Alt": "option opt",
    "Meta": "cmd command win",
    **{f"F{number}": "" for number in range(1, 13)},
}
_KEYS: Final = {called: name for name, others in _CALLED.items() for called in (name.lower(), *others.split())}
"""Names of keys by what else they are called, in lower case without blanks."""

_MAX_CANDIDATES: Final = 5
_MAX_LENGTH: Final = 200

_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_HEAD: Final = re.compile(r"(?:(?P<api>[A-Z]\w+)\.\w+: )?(?:Error: )?(?P<body>.*)", re.DOTALL)
_BULLET: Final = re.compile(r"^\s*(?:- |\d+ × )?")
_TIMEOUT: Final = re.compile(r"Timeout ([\d.]+)ms exceeded")
_CANDIDATE: Final = re.compile(r"^\s+\d+\) (<.*>)", re.MULTILINE)


@attrs.frozen(kw_only=True)
class FaultContext:
    """The operation that raised an exception."""

    action: str | None = None
    selector: dict[str, object] | None = None
    url: str | None = None
    timeout_ms: int | None = None


Maker = Callable[[re.Match[str], FaultContext], AgentBrowserError]
Rule = tuple[re.Pattern[str], Maker]


@contextlib.contextmanager
def mapped(
    *, action: str | None = None, selector: dict[str, object] | None = None, url: str | None = None
) -> Iterator[None]:
    """Raise every exception in the block as one of our errors; see `translate`."""
    try:
        yield
    except AgentBrowserError:
        raise
    except Exception as error:
        raise translate(error, action=action, selector=selector, url=url) from error


def has_begun_click(error: Error) -> bool:
    """Return True if the input of a click was being sent when it failed."""
    return _CLICK_BEGUN in error.message


def has_acted(error: Error) -> bool:
    """Return True if the input was sent, and only what follows it is late, or has replaced the element."""
    is_late = isinstance(error, PlaywrightTimeoutError) or _DETACHED in error.message
    return is_late and _CLICK_DONE in error.message


def is_final(fault: AgentBrowserError) -> bool:
    """Return True if the state of the element says no more: the page was closed, or its click was under way."""
    return isinstance(fault, TargetClosed) or "mayHaveActed" in fault.details


def has_left(error: Error) -> bool:
    """Return True if an action failed because its element had left the page, and nothing was done.

    Playwright looks at the element of a click again only after it has stopped a press that missed.
    """
    return _DETACHED in error.message and not has_acted(error)


def translate(
    error: BaseException,
    *,
    action: str | None = None,
    selector: dict[str, object] | None = None,
    url: str | None = None,
) -> AgentBrowserError:
    """Return our error for an exception; the other arguments go into its details.

    Args:
      action: the action under way (``click``).
      selector: the selector in the form of the wire.
    """
    if isinstance(error, AgentBrowserError):
        return error
    context = FaultContext(action=action, selector=selector, url=url)
    message = _DriverMessage.parse(str(error))
    if isinstance(error, PlaywrightTimeoutError | TimeoutError):
        return _timed_out(message, context)
    if is_closed(error):
        return _closed(message)
    if isinstance(error, OSError) and not isinstance(error, ConnectionError):
        return _no_descriptors() if error.errno in _NO_DESCRIPTORS else disk_full()
    if isinstance(error, Error):
        for pattern, make in _MESSAGES:
            if match := pattern.match(message.body):
                return make(match, context)
    return _unknown(error, context)


def is_closed(error: BaseException) -> bool:
    """Return True if the page, context or browser was closed; Playwright does not export the class."""
    return type(error).__name__ == "TargetClosedError"


@attrs.frozen
class _DriverMessage:
    """Parts of a message of Playwright: ``Locator.click: Error: body``, and the lines of its call log."""

    api: str
    body: str
    log: tuple[str, ...]

    @classmethod
    def parse(cls, message: str) -> "_DriverMessage":
        head, _, tail = plain(message).partition("\nCall log:\n")
        match = _HEAD.match(head)
        api, body = (match["api"] or "", match["body"]) if match else ("", head)
        return cls(api, body, tuple(_BULLET.sub("", line) for line in tail.splitlines()))


def plain(text: str) -> str:
    """Return the text without colour codes and without lone surrogates, which JSON can't contain."""
    return _ESCAPES.sub("", text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def short(text: str) -> str:
    """Return a text, shortened to a limit."""
    return text if len(text) <= _MAX_LENGTH else text[: _MAX_LENGTH - 1] + "…"


def _timed_out(message: _DriverMessage, context: FaultContext) -> AgentBrowserError:
    """Return the error for the state that the action was still waiting for, according to the call log."""
    timeout = _TIMEOUT.match(message.body)
    waited_ms = round(float(timeout[1])) if timeout else context.timeout_ms
    context = attrs.evolve(context, timeout_ms=waited_ms)
    for line in reversed(message.log):
        for pattern, make in _STATES:
            if match := pattern.match(line):
                return make(match, context)
    return _timeout(context)


def _timeout(context: FaultContext) -> AgentBrowserError:
    within = f" within {context.timeout_ms} ms" if context.timeout_ms else ""
    what = "The page did not load" if context.url else "The browser did not finish"
    return Timeout(f"{what}{within}.", timeout=context.timeout_ms, url=context.url, selector=context.selector)


def _under_way(_: object, context: FaultContext) -> AgentBrowserError:
    action = f"the {context.action or 'click'}"
    return Timeout.under_way(action, timeout=context.timeout_ms, selector=context.selector)


def _closed(message: _DriverMessage) -> AgentBrowserError:
    if message.body.startswith("Page crashed"):
        return TargetClosed("The page has crashed.", target="page")
    # The message names the called object, not the closed one: a page also closes with its context or its browser.
    target = {"Browser": "browser", "BrowserType": "browser", "BrowserContext": "context"}.get(message.api, "page")
    return TargetClosed(f"The {target} has been closed.", target=target)


def _unknown(error: BaseException, context: FaultContext) -> AgentBrowserError:
    incident = secrets.token_hex(4)
    # As text: a log renderer with the exception may take long, and show the locals of every frame.
    trace = redact_trace("".join(traceback.format_exception(error)))
    log.error("browser_fault", incident=incident, action=context.action, trace=trace)
    return InternalError(f"The browser failed; the server's log says more under {incident}.", incident=incident)


def _gone(target: str, how: str) -> Maker:
    return lambda *_: TargetClosed(f"The {target} {how}.", target=target)


def _moved_on(*_: object) -> AgentBrowserError:
    return ExecutionContextDestroyed("The page went on to another document.")


def _frame_gone(*_: object) -> AgentBrowserError:
    return FrameNotFound("The frame is gone.")


def _element(kind: type[AgentBrowserError], message: str) -> Maker:
    return lambda _, context: kind(message, selector=context.selector)


def _unfit(message: str | None = None, *, retryable: bool = False) -> Maker:
    """Return a maker of ActionFailed for an unsuitable element, with Playwright's message by default."""

    def make(match: re.Match[str], context: FaultContext) -> AgentBrowserError:
        reason = message or match[0].rstrip(".") + "."
        action, selector = context.action, context.selector
        return ActionFailed(reason, retryable=retryable, action=action, selector=selector, reason=reason)

    return make


def disk_full() -> AgentBrowserError:
    """Return the error for a disk that is full or broken."""
    return ResourceLimitExceeded("The server has no room for files.", resource="disk", retryable=True)


def _no_descriptors(*_: object) -> AgentBrowserError:
    return ResourceLimitExceeded("The server has no file descriptor left.", resource="descriptors", retryable=True)


def _too_large(match: re.Match[str], _: FaultContext) -> AgentBrowserError:
    current, limit = int(match[1]), int(match[2])
    message = f"The page's answer has {current} bytes; {limit} are transferred."
    hint = "Ask for a part of the page."
    return ResourceLimitExceeded(message, resource="answer", limit=limit, current=current, hint=hint)


def _not_found(_: re.Match[str], context: FaultContext) -> AgentBrowserError:
    waited_ms = context.timeout_ms
    within = f" within {waited_ms} ms" if waited_ms else ""
    return ElementNotFound(f"Nothing matched{within}.", selector=context.selector, waited_ms=waited_ms)


def _covered(match: re.Match[str], context: FaultContext) -> AgentBrowserError:
    # The element itself, as `coveredBy`, is found where the error is explained, if it is still there.
    return ElementNotVisible("Another element covered it.", selector=context.selector, cover_html=short(match[1]))


def _ambiguous(match: re.Match[str], context: FaultContext) -> AgentBrowserError:
    count = int(match[1])
    candidates = [short(found) for found in _CANDIDATE.findall(match.string)][:_MAX_CANDIDATES]
    message = f"{count} elements match the selector, which should match one."
    return SelectorAmbiguous(message, selector=context.selector, count=count, candidates=candidates)


def _malformed(match: re.Match[str], context: FaultContext) -> AgentBrowserError:
    kinds = {"css": "a CSS selector", "xpath": "an XPath expression for elements"}
    selector = context.selector or {}
    expected = kinds.get(str(selector.get("type")), "a selector")
    return InvalidParams(
        f"The selector is not {expected}.", path="selector.value", expected=expected, got=selector.get("value")
    )


def _unknown_key(match: re.Match[str], _: FaultContext) -> AgentBrowserError:
    expected = "a key such as Enter, a or Control+Shift+T"
    nearest = _KEYS.get(re.sub(r"[\s_-]", "", match[1]).lower())
    instead = f"it is named {nearest}" if nearest else f"give {expected}"
    return InvalidParams(
        f'There is no key "{match[1]}": {instead}.', path="key", expected=expected, got=match[1], nearest=nearest
    )


def _load_failed(match: re.Match[str], context: FaultContext) -> AgentBrowserError:
    return NavigationFailed(f"The page could not be loaded: {match[1]}.", url=context.url, reason=match[1])


def _not_loaded(message: str, reason: str, *, retryable: bool, hint: str | None = None) -> Maker:
    return lambda _, context: NavigationFailed(message, retryable=retryable, hint=hint, url=context.url, reason=reason)


def _table(*rows: tuple[str, Maker]) -> tuple[Rule, ...]:
    return tuple((re.compile(pattern), make) for pattern, make in rows)


_DOWNLOAD: Final = "The URL is a download, not a page."
_NO_DOCUMENT: Final = "The tab stays at its page: the status was 204, 205 or 304, or the load was stopped."
_DOWNLOADED: Final = "Do not navigate again: the tab stays at its page, and the file is among the downloads."
# Messages of errors in coreBundle.js of Playwright's driver.
_MESSAGES: Final = _table(
    (r"strict mode violation: .* resolved to (\d+) elements", _ambiguous),
    (r"(?:net::)?ERR_ABORTED", _not_loaded("No document came.", "ERR_ABORTED", retryable=False, hint=_NO_DOCUMENT)),
    (r"(?:net::)?((?:NS_ERROR|ERR)_[A-Z0-9_]+)", _load_failed),
    (r"Download is starting", _not_loaded(_DOWNLOAD, "download", retryable=False, hint=_DOWNLOADED)),
    (r"Navigation to .* is interrupted", _not_loaded("Another navigation began.", "ERR_ABORTED", retryable=True)),
    (r".*Cannot navigate to invalid URL", _not_loaded("The URL is not valid.", "ERR_INVALID_URL", retryable=False)),
    (r"(?:Target|Page) crashed", _gone("page", "has crashed")),
    (r"Protocol error \(Target\.createTarget\)", _gone("context", "has been closed")),
    (r"Protocol error \(Target\.attachToTarget\): No target", _gone("page", "has been closed")),
    (r".*: no object with guid (?:page|frame)@", _gone("page", "has been closed")),
    (r".*: (?:no object with guid|Failed to find browser context for id) ", _gone("context", "has been closed")),
    (rf".*(?:{'|'.join(_DOCUMENT_GONE)})", _moved_on),
    (r"(?:Navigating frame was|Frame (?:was|has been)) detached", _frame_gone),
    (_DETACHED, _element(ElementNotFound, "The element has left the page.")),
    (r"Element is not visible", _element(ElementNotVisible, "The element is hidden.")),
    (r"Element is outside of the viewport", _element(ElementNotVisible, "The element can't be scrolled into view.")),
    (r"(?:Unexpected|Unsupported) token .* while parsing css selector", _malformed),
    (r'Error while parsing (?:css )?selector|Malformed selector|Unknown engine|"[a-z-]+" engine expects', _malformed),
    (r"SyntaxError: .* is not a valid (?:selector|XPath expression)", _malformed),
    (r"SyntaxError: Invalid regular expression|TypeError: .* The result is not a node set", _malformed),
    (r'Unknown key: "(.*)"', _unknown_key),
    (r"(?:Element is not an?|Node is not an?|Not an?) [^\n]+", _unfit()),
    (r'Input of type "\w+" cannot be filled|Cannot (?:type text into|uncheck radio button)[^\n]+', _unfit()),
    (r"Clicking the checkbox did not change its state|Non-multiple file input[^\n]+", _unfit()),
    (r"\[webkitdirectory\] input requires", _unfit("The field takes a folder, and no single files.")),
    (_SHADOWED, _unfit(_SHADOWED_REASON)),
    (r"Drop target did not accept the drop|Clipped area is [^\n]+", _unfit()),
    (r".*\b(?:EMFILE|ENFILE)\b", _no_descriptors),
    # Chromium passes the pages of a PDF on in a temporary file.
    (r".*\b(?:ENOSPC|EDQUOT|EROFS|ENOTDIR|EIO)\b|Protocol error \(IO\.read\)", lambda *_: disk_full()),
    (r"The driver's answer has (\d+) bytes; it may have (\d+)", _too_large),
    (r".*Unable to capture screenshot|Cannot take screenshot", _unfit("The picture is too large to be taken.")),
)

# Lines of a call log: the last known line decides the error of a timeout.
_STATES: Final = _table(
    (r"waiting for (?:locator|frame_locator|get_by_\w+)\(|waiting for (?:css|xpath|internal:\w+)=", _not_found),
    (r"element was detached from the DOM", _not_found),
    (r"element is not visible|element is inside a hidden frame", _element(ElementNotVisible, "The element is hidden.")),
    (r"element is outside of the viewport", _element(ElementNotVisible, "The element can't be scrolled into view.")),
    (r"(<.*) intercepts pointer events", _covered),
    (r"element is not enabled", _element(ElementNotEnabled, "The element is disabled.")),
    (r"element is not editable", _element(ElementNotEnabled, "The element is read-only.")),
    (r"element is inert", _element(ElementNotEnabled, "The element is inert, as all is outside an open modal dialog.")),
    (r"option being selected is not enabled", _element(ElementNotEnabled, "The option is disabled.")),
    (r"element is not stable", _unfit("The element does not stop moving.", retryable=True)),
    (r"did not find some options", _unfit("The element has no such option.")),
    (r"performing (?:dbl)?click action", _under_way),
    (r"locator resolved to|performing .* action|navigating to", lambda _, context: _timeout(context)),
)
