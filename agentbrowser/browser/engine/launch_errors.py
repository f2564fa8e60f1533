"""Launch errors: the reason why a browser did not start, from Playwright's error and the browser's last output."""

import contextlib
import re
from collections.abc import Iterator
from typing import Any, Final

from playwright.async_api import Error, TimeoutError

from agentbrowser.browser.faults import plain, short
from agentbrowser.protocol.errors import BrowserNotLaunched

_MAX_LINES: Final = 8

_STDERR: Final = re.compile(r"\[pid=\d+\]\[err\] (.*)")
_EXIT: Final = re.compile(r"<process did exit: exitCode=(\w+), signal=(\w+)>")
_SANDBOX_HINT: Final = (
    "Allow unprivileged user namespaces on this machine, or, where what the browser visits is trusted, "
    "start with --no-sandbox."
)

DOCTOR_HINT: Final = (
    "Run agentbrowser doctor with the server's settings: it starts the browser, and says what is wrong."
)


@contextlib.contextmanager
def mapped(path: str) -> Iterator[None]:
    """Raise Playwright's errors in the block as `BrowserNotLaunched`; see `translate`."""
    try:
        yield
    except Error as error:
        raise translate(error, path) from error


def translate(error: Error, path: str) -> BrowserNotLaunched:
    """Return our error for a launch that failed.

    Args:
      path: the executable.
    """
    text = plain(str(error))
    message, facts = next(_reasons(error, text))
    lines = list(dict.fromkeys(line.strip() for line in _STDERR.findall(text)))
    stderr = [short(line) for line in lines if line][-_MAX_LINES:]
    return BrowserNotLaunched(f"The browser {message}.", path=path, stderr=stderr or None, **facts)


def _reasons(error: Error, text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the reasons, the most certain first."""
    if isinstance(error, TimeoutError):
        yield "did not start in time", {"retryable": True}
    if "Chromium sandboxing failed" in text:
        yield "can't set up its sandbox here", {"retryable": False, "hint": _SANDBOX_HINT}
    if "executable doesn't exist" in text or "ENOENT" in text:
        yield "is not at this path", {"retryable": False, "hint": "Run agentbrowser install."}
    if "EACCES" in text:
        yield "is not an executable file", {"retryable": False}
    if ended := _EXIT.search(text):
        code, signal = ended.groups()
        how = f"with exit code {code}" if signal == "null" else f"by {signal}"
        yield f"ended at once {how}", {"retryable": False, "hint": DOCTOR_HINT}
    if "<launching>" in text:
        yield "did not start", {"retryable": False}
    yield "was lost while it started", {"retryable": True}
