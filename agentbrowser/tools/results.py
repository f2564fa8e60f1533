"""Results of tool calls, and errors as text for models."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

import attrs

from agentbrowser.client.outcomes import Image
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.unseen import one_line
from agentbrowser.tools.untrusted import as_json, quoted

NO_CHANGES: Final = "no changes"
"""The look at a page that has not changed."""
_MAX_DETAIL: Final = 400
_MAX_THROWN: Final = 2000
_SCRIPT_FAILED: Final = "The script failed: {}."
"""Message of the error of script/evaluate."""
_OMITTED: Final = frozenset(
    {"action", "candidates", "selector", "waitedMs", "path", "expected", "got", "method", "timeout", "step", "count"}
)
"""Details that the call names, or that have lines of their own."""
_TOOL_WORDS: Final = (
    ("Observe the page again", "Call browser_look"),
    ("Observe the page", "Call browser_look"),
    ("Look at the page", "Call browser_look"),
    ("agent/observe", "browser_look"),
    ("observe again", "call browser_look"),
    ("Observe again", "Call browser_look"),
    ("Have a client of scope privileged connect, then retry.", "Tell the user that an approver has to connect."),
    ("page/list", "browser_tabs"),
    ("page/create", 'browser_navigate with tab "new"'),
    ("dialog/handle", "browser_act with do: dialog"),
    ("frame/list", "browser_look"),
    ("page/waitFor", "do: wait"),
    ("page/goBack", "do: back"),
    ("page/navigate", "browser_navigate"),
    ("by a CSS selector", "as css=SELECTOR"),
    ("retry with a longer timeout", "wait on with do: wait"),
)
"""Names of the protocol in hints, and what a model calls instead."""
_ACTION: Final = re.compile(r"action/(\w+)")


@attrs.frozen(kw_only=True)
class DownloadLink:
    """A downloaded file that a result names."""

    id: str
    name: str
    size: int | None = None

    @classmethod
    def completed(cls, downloads: Iterable[Mapping[str, Any]]) -> "list[DownloadLink]":
        """Return links to the completed ones of some listed downloads."""
        completed = [download for download in downloads if download["state"] == "completed"]
        return [cls(id=item["downloadId"], name=item["suggestedFilename"], size=item.get("size")) for item in completed]

    @property
    def uri(self) -> str:
        """Return the URI of its contents."""
        return f"{DOWNLOAD_URI}{self.id}"


DOWNLOAD_URI: Final = "agentbrowser://downloads/"


@attrs.frozen(kw_only=True)
class ToolResult:
    """Result of a tool call: text, and for some an image or links to files."""

    text: str
    image: Image | None = None
    downloads: tuple[DownloadLink, ...] = ()
    is_error: bool = False


def failed(error: AgentBrowserError) -> ToolResult:
    """Return the result of a call that raised this error."""
    return ToolResult(text="\n".join(error_lines(error)), is_error=True)


def error_lines(error: AgentBrowserError, before: str = "") -> list[str]:
    """Return an error as lines: class and message, its details, its candidates, and the hint.

    Args:
      before: the words before the class.
    """
    lines = [f"{before}{type(error).__name__}: {_message(error)}"]
    details = {
        name: value
        for name, value in error.details.items()
        if name not in _OMITTED and not _is_in_message(value, error)
    }
    if details:
        lines.append(f"details: {as_json(details, _MAX_DETAIL)}")
    lines += [f"candidate: {candidate}" for candidate in map(_candidate, error.details.get("candidates") or ())]
    if error.recovery_hint:
        lines.append(f"hint: {_for_models(error.recovery_hint)}")
    return lines


def _is_in_message(value: Any, error: AgentBrowserError) -> bool:
    """Return True for a detail that the message contains."""
    return isinstance(value, str) and value.rstrip(".") in error.message


def _message(error: AgentBrowserError) -> str:
    """Return the message without the action, which the call names.

    What a script threw is quoted, since a function of the page may have thrown it.
    """
    thrown = error.details.get("reason")
    if error.details.get("action") == "script/evaluate" and isinstance(thrown, str):
        sentence = _SCRIPT_FAILED.format(thrown.rstrip("."))
        if error.message == sentence:
            return _SCRIPT_FAILED.format(quoted(thrown, _MAX_THROWN))
    return one_line(error.message.removeprefix(f"The {error.details.get('action')} failed: "))


def _candidate(candidate: Any) -> str:
    """Return a candidate in the form that ``on`` takes, a ref, CSS or words; then its role, its name and its row."""
    if not isinstance(candidate, Mapping):
        return quoted(str(candidate))
    role, name = candidate.get("role") or "", candidate.get("name") or candidate.get("text") or ""
    near = f"in {quoted(str(candidate['near']))}" if candidate.get("near") else ""
    match candidate:
        case {"ref": str(ref)} | {"type": "ref", "value": str(ref)}:
            return " ".join(filter(None, [one_line(ref), one_line(role), quoted(name), near]))
        case {"type": "css", "value": str(css)}:
            return " ".join(filter(None, [quoted(f"css={css}"), one_line(role), quoted(name), near]))
    return " ".join(filter(None, [quoted(f"{name} {role}".strip()), near]))


def _for_models(hint: str) -> str:
    for ours, theirs in _TOOL_WORDS:
        hint = hint.replace(ours, theirs)
    return one_line(_ACTION.sub(r"do: \1", hint))


def look_lines(look: Mapping[str, Any]) -> list[str]:
    """Return the lines of a look in text."""
    return str(look.get("text", "")).split("\n")
