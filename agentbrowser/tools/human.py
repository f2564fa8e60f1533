"""browser_ask_human: a question to the user, with a link by which the user can take the page over."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import attrs

from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.tools.calls import DECLINED, Answer, Question, ToolCall
from agentbrowser.tools.results import ToolResult
from agentbrowser.tools.untrusted import quoted

LIFE_MS: Final = 600_000
"""Time for the user to take the page over and hand it back."""
_WAIT_MS: Final = 45_000
"""Wait of one call, below the time at which hosts give up (60 s)."""
_MAX_REASON: Final = 200
_MAX_INSTRUCTIONS: Final = 2000
_METHOD: Final = "handoff/request"
_AGENT: Final = "the agent"


@attrs.define(eq=False)
class OpenHandoff:
    """Handoff of a question: the user can take the page over by its link, and hands it back."""

    _request: Callable[[str, Mapping[str, Any]], Awaitable[Any]]
    _id: str
    link: str
    outcome: Mapping[str, Any] | None = attrs.field(default=None, init=False)
    """Its result once it is over."""

    async def wait(self, timeout_ms: int = 0) -> None:
        """Wait until it is over, at most for this time.

        Raises:
          InvalidParams: the session that began it has ended.
        """
        await self._update({"timeout": timeout_ms} if timeout_ms else {"wait": False})

    async def withdraw(self) -> None:
        """End it, unless it is over."""
        await self._update({"withdraw": True})

    async def _update(self, params: Mapping[str, Any]) -> None:
        if self.outcome is None:
            result = await self._request(_METHOD, {"handoffId": self._id, **params})
            self.outcome = None if result["outcome"] == "pending" else result


async def ask_human(call: ToolCall) -> ToolResult:
    """Ask the user, and return the answer or the picked choice, or that the user has handed the page back or declined.

    A call ends before its host gives up. The same question, asked again, waits on.
    """
    text, choices = call.arguments["question"], tuple(call.arguments.get("choices", ()))
    handoffs = call.journal.handoffs
    handoff, is_repeated, reason = handoffs.get(text), text in handoffs, ""
    if handoff is None:
        try:
            handoff = await _begin(call, text, choices)
        except AgentBrowserError as error:
            reason = f" ({error.message.rstrip('.')})"
    if handoff is not None:
        handoffs[text] = handoff
    answer: Answer = None
    try:
        if call.ask_user is not None:
            answer = await call.ask_user(_question(text, choices, handoff))
        if handoff is not None:
            await _follow(call, handoff, is_answered=answer is not None, is_repeated=is_repeated)
    except AgentBrowserError:
        handoffs.pop(text, None)
        if answer is None:
            raise
    if handoff is None and call.ask_user is None:
        message = f"Nobody can be asked here{reason}: decide yourself, or tell the user at the end."
        return ToolResult(text=message, is_error=True)
    if handoff is not None and handoff.outcome is None and answer is None:
        was_asked = call.ask_user is not None
        return ToolResult(text=_pending(handoff.link, was_asked=was_asked), is_error=was_asked)
    handoffs.pop(text, None)
    return _result(answer, choices, None if handoff is None else handoff.outcome)


async def _begin(call: ToolCall, text: str, choices: tuple[str, ...]) -> OpenHandoff | None:
    """Begin a handoff of the active page; None if the server has no link for the user."""
    reason = text if len(text) <= _MAX_REASON else f"{text[: _MAX_REASON - 1]}…"
    instructions = text[:_MAX_INSTRUCTIONS] if reason != text else ""
    params = {"reason": reason, "instructions": instructions, "timeout": LIFE_MS, "wait": False}
    if choices:
        params["choices"] = list(choices)
    begun = await call.request(_METHOD, params)
    handoff = OpenHandoff(call.request, begun["handoffId"], begun.get("link") or "")
    if handoff.link:
        return handoff
    await handoff.withdraw()
    return None


def _question(text: str, choices: tuple[str, ...], handoff: OpenHandoff | None) -> Question:
    if handoff is None:
        return Question(text=text, choices=choices)

    async def handed_back() -> None:
        await handoff.wait(LIFE_MS)

    return Question(text=text, choices=choices, link=handoff.link, handed_back=handed_back)


async def _follow(call: ToolCall, handoff: OpenHandoff, *, is_answered: bool, is_repeated: bool) -> None:
    """Withdraw a handoff whose question is answered; else wait for its end, once the user can have seen its link."""
    if is_answered:
        return await handoff.withdraw()
    if call.ask_user is not None:
        return await handoff.wait()
    is_shown = is_repeated
    if not is_shown and call.show is not None:
        await call.show(f"The agent asks for you. Take the page over at {handoff.link}")
        is_shown = True
    await handoff.wait(_WAIT_MS if is_shown else 0)


def _pending(link: str, *, was_asked: bool) -> str:
    first = "The user did not answer" if was_asked else "The user has not handed the page back yet"
    return (
        f"{first}. Show the user this link, which is good for one use, to take the page over: {link}\n"
        "hint: Call browser_ask_human with the same question to wait on."
    )


def _result(answer: Answer, choices: tuple[str, ...], outcome: Mapping[str, Any] | None) -> ToolResult:
    lines = [f"The user answered: {answer}"] if isinstance(answer, str) else []
    if isinstance(answer, str) and choices and answer not in choices:  # a host may let its user write anything
        lines.append(f"This is none of the choices: {', '.join(choices)}.")
    if outcome is not None and (by := outcome.get("by")) != _AGENT:
        if (picked := outcome.get("answer")) is not None:
            lines.append(f"Answered by {by}: {picked}")
        else:
            lines += _outcome_lines(outcome["outcome"], by, outcome.get("changes") or {})
    if not lines:
        lines.append("The user declined to answer." if answer is DECLINED else "The user did not answer.")
    is_done = isinstance(answer, str) or (outcome is not None and outcome["outcome"] == "done")
    return ToolResult(text="\n".join(lines), is_error=not is_done)


def _outcome_lines(outcome: str, by: str | None, changes: Mapping[str, Any]) -> list[str]:
    if outcome == "timeout":
        return ["Nobody took the page over in time."]
    if outcome == "declined":
        return [f"Declined by {by}."]
    lines = [f"The page was handed back, and is yours again (by {by})."]
    if url := changes.get("url"):
        lines.append(f"now at {quoted(url)}")
    if names := changes.get("loggedIn"):
        lines.append(f"cookies changed: {', '.join(map(quoted, names))}")
    return lines
