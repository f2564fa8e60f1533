"""Outcome of a verb: its text for the model, and its exit code."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.protocol import errors, wire
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.unseen import visible
from agentbrowser.tools.results import error_lines

DONE: Final = 0
FAILED: Final = 1
BAD_USAGE: Final = 2
NOT_FOUND: Final = 3
REFUSED: Final = 4
TIMED_OUT: Final = 5
CHANGED: Final = 6
NO_BROWSER: Final = 69
BROKEN: Final = 70

_CODES: Final[tuple[tuple[int, tuple[type[AgentBrowserError], ...]], ...]] = (
    (BAD_USAGE, (errors.InvalidParams,)),
    (
        NOT_FOUND,
        (
            errors.ElementNotFound,
            errors.SelectorAmbiguous,
            errors.PageNotFound,
            errors.FrameNotFound,
            errors.ContextNotFound,
        ),
    ),
    (
        REFUSED,
        (errors.ScopeDenied, errors.DomainNotAllowed, errors.ApprovalDenied, errors.ApprovalRequired),
    ),
    (TIMED_OUT, (errors.Timeout, errors.ApprovalTimeout)),
    (CHANGED, (errors.ElementChanged,)),
    (NO_BROWSER, (errors.BrowserNotLaunched,)),
    (BROKEN, (ConnectionLost, errors.InternalError)),
)
_VERB_WORDS: Final = (
    ("Call browser_look, and", "Run `agentbrowser look`, and"),
    ("Call browser_look", "Run `agentbrowser look`"),
    ("Call browser_tabs", "Run `agentbrowser tabs`"),
    ('browser_navigate with tab "new"', "`agentbrowser open URL --new`"),
    ("browser_act with do: dialog", "`agentbrowser dialog`"),
    ("browser_look", "`agentbrowser look`"),
    ("wait on with do: wait", "retry, with a longer --timeout if the verb takes one"),
    (
        "Ask the operator for a token with that scope",
        "Ask the user to end the daemon (`agentbrowser close --all`), and to set AGENT_SCOPE for the next one",
    ),
    ("browser_tabs", "`agentbrowser tabs`"),
)
"""Names of tools in hints, and the commands for them."""
_HINT: Final = "hint: "
_OPEN_DIALOG: Final = ("; answer it with do: dialog", "; answer it: agentbrowser dialog accept")


@attrs.frozen(kw_only=True)
class Outcome:
    """Outcome of a verb."""

    text: str
    exit_code: int = DONE
    error: Mapping[str, Any] | None = None
    """The error in its wire form, and the name of its class."""
    results: Mapping[str, Any] = attrs.field(factory=dict)
    """Results of the requests, by method."""
    files: tuple[str, ...] = ()
    """Paths of the written files."""

    def printed(self, *, as_json: bool) -> bytes:
        """Return what the verb prints."""
        if not as_json:
            return f"{visible(self.text)}\n".encode("utf-8", "backslashreplace")
        shown = {"ok": self.exit_code == DONE, "exit": self.exit_code, "text": self.text}
        more = {"error": self.error, "files": list(self.files), "results": self.results}
        data = wire.dump(shown | {name: value for name, value in more.items() if value})
        return visible(data.decode()).encode() + b"\n"


def failure(error: AgentBrowserError) -> Outcome:
    """Return the outcome of a verb that raised this error."""
    text = for_shells("\n".join(error_lines(error)))
    return Outcome(text=text, exit_code=exit_code(error), error=as_data(error))


def closed(names: Sequence[str]) -> Outcome:
    """Return the outcome of a close, with the names of the sessions that were open."""
    return Outcome(text=f"closed {', '.join(names)}" if names else "nothing was open")


def not_run(text: str, exit_code: int = BAD_USAGE, kind: str | None = None) -> Outcome:
    """Return the outcome of a verb without an answer: its command line is wrong, or there is no daemon for it."""
    kind = kind or ("BadUsage" if exit_code == BAD_USAGE else "NoDaemon")
    return Outcome(text=text, exit_code=exit_code, error={"class": kind, "message": text})


def as_data(error: AgentBrowserError) -> dict[str, Any]:
    """Return an error in its wire form, with the name of its class."""
    return {"class": type(error).__name__, **error.to_wire()}


def exit_code(error: AgentBrowserError) -> int:
    """Return the exit code for an error."""
    if isinstance(error, errors.InvalidParams) and "url" in error.details:
        return REFUSED  # a URL that is well-formed, but that policy excludes
    return next((code for code, kinds in _CODES if isinstance(error, kinds)), FAILED)


def for_shells(text: str) -> str:
    """Return a text of the tools with commands instead of the names of tools, where these are hints of ours."""
    return "\n".join(map(_line_for_shells, text.split("\n")))


def _line_for_shells(line: str) -> str:
    if line.lstrip().startswith(_HINT):
        for tool, command in _VERB_WORDS:
            line = line.replace(tool, command)
    return line.replace(*_OPEN_DIALOG)
