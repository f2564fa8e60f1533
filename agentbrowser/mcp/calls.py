"""Running tool calls. Each has a task of its own, which continues while its client asks the user.

In the stateless era, a question ends the request, and the client repeats the call with the answer. The call itself
must not begin again then: its first steps have been done.
"""

import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Final

import attrs
import structlog
import trio
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from agentbrowser.client.feed import PendingApproval
from agentbrowser.mcp.link import BrowserLink
from agentbrowser.protocol.errors import AgentBrowserError, ServerBusy
from agentbrowser.protocol.types.approval import Decision
from agentbrowser.protocol.types.event import now_ms
from agentbrowser.protocol.unseen import one_line
from agentbrowser.tools.calls import DECLINED, Answer, Question
from agentbrowser.tools.results import ToolResult
from agentbrowser.tools.untrusted import json_text, quoted

log = structlog.get_logger("agentbrowser.mcp")

ANSWER_TIMEOUT_S: Final = 600.0
"""Time for the user to answer a question."""
_MAX_SUSPENDED: Final = 100
MAX_BYTES: Final = 64 * 1024 * 1024
"""Bodies of all running calls of an owner: a call of a session goes on when its client has left the connection."""
_LEAST_BYTES: Final = 16 * 1024
"""Size that a call without arguments counts as."""
_MAX_PARAMS: Final = 600
_MAX_END: Final = 300
"""Characters of a request that a question shows of its begin and of its end."""
_BUSY_HINT: Final = "Wait for the answers to earlier calls, then call again."
_DECISIONS: Final[dict[str, Decision]] = {"approve": "approve", "approve-session": "approve-session", "deny": "deny"}
_REASONS: Final[dict[Answer, str]] = {None: "The user did not answer.", DECLINED: "The user declined to answer."}
"""Reasons of a denial without an answer in words."""


@attrs.define(eq=False)
class RunningCall:
    """A call of a tool in a task of its own."""

    link: BrowserLink
    can_ask_user: bool
    """True if its client can ask the user."""
    question: Question | None = attrs.field(default=None, init=False)
    """The question that waits for its answer."""
    _answer: Answer = attrs.field(default=None, init=False)
    _result: ToolResult | None = attrs.field(default=None, init=False)
    _changed: trio.Event = attrs.field(factory=trio.Event, init=False)
    _answered: trio.Event = attrs.field(factory=trio.Event, init=False)
    _question_lock: trio.Lock = attrs.field(factory=trio.Lock, init=False)
    _running: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    is_over: bool = attrs.field(default=False, init=False)

    async def run(self, work: Callable[[], Awaitable[ToolResult]]) -> None:
        """Do the work, and keep its result. [trio]"""
        with self._running:
            try:
                self._result = await work()
            except Exception:
                log.exception("call_failed")
                self._result = ToolResult(text="InternalError: The call has failed; the log has why.", is_error=True)
        self.is_over = True
        self._changed.set()
        self._answered.set()  # a question of the operator's rules ends with the call that it is about

    def cancel(self) -> None:
        """Stop the work, unless it is done."""
        self._running.cancel()

    async def next(self) -> ToolResult | Question:
        """Return the result, or the next question for the user. [trio]"""
        while self._result is None and self.question is None:
            self._changed = trio.Event()
            await self._changed.wait()
        outcome = self._result or self.question
        assert outcome is not None
        return outcome

    async def ask_user(self, question: Question, timeout_s: float = ANSWER_TIMEOUT_S) -> Answer:
        """Have the client ask the user, one question at a time; None if there is no answer in this time. [trio]"""
        async with self._question_lock:
            if self.is_over:
                return None
            self._answer, self._answered = None, trio.Event()
            self.question = question
            self._changed.set()
            try:
                with trio.move_on_after(timeout_s):
                    await self._answered.wait()
            finally:
                self.question = None
                self._answered.set()
            return self._answer

    async def wait_over(self, question: Question) -> None:
        """Wait until a question no longer waits for its answer. [trio]"""
        if self.question is question:
            await self._answered.wait()

    def reply(self, question: Question, answer: Answer) -> None:
        """Answer a question, if it still waits."""
        if self.question is question:
            self.question, self._answer = None, answer
            self._answered.set()


@attrs.define(eq=False)
class RunningCalls:
    """Running calls of a server."""

    _nursery: trio.Nursery
    _calls: dict[RunningCall, None] = attrs.field(factory=dict, init=False)
    _suspended: dict[str, tuple[RunningCall, Question]] = attrs.field(factory=dict, init=False)
    """Calls whose clients ask their users in the stateless era, by a state that is good for one answer."""
    _bytes: int = attrs.field(default=0, init=False)

    def start(
        self,
        link: BrowserLink,
        *,
        can_ask_user: bool,
        work: Callable[[RunningCall], Awaitable[ToolResult]],
        size: int = 0,
    ) -> RunningCall:
        """Start a call.

        Args:
          size: bytes of its body.

        Raises:
          ServerBusy: the running calls have all the memory that they may have.
        """
        size = max(size, _LEAST_BYTES)
        if self._bytes + size > MAX_BYTES:
            raise ServerBusy("Too many calls are running.", limit=MAX_BYTES, current=self._bytes, hint=_BUSY_HINT)
        self._bytes += size
        call = RunningCall(link, can_ask_user)

        async def run() -> None:
            self._calls[call] = None
            try:
                try:
                    await call.run(lambda: work(call))
                finally:
                    del self._calls[call]
                if self.is_suspended(call):  # its client may yet repeat the request: with a late answer
                    await trio.sleep(ANSWER_TIMEOUT_S)
            finally:
                self._bytes -= size
                for state in [state for state, (waiting, _) in self._suspended.items() if waiting is call]:
                    del self._suspended[state]

        self._nursery.start_soon(run)
        return call

    def suspend(self, call: RunningCall, question: Question) -> str:
        """Return a state with which the answer to a question of a call can be returned, once."""
        state = secrets.token_hex(16)
        self._suspended[state] = call, question
        while len(self._suspended) > _MAX_SUSPENDED:
            oldest, _ = self._suspended.pop(next(iter(self._suspended)))
            oldest.cancel()
        return state

    def is_suspended(self, call: RunningCall) -> bool:
        """Return True if a call waits for the repeat of its request."""
        return any(waiting is call for waiting, _ in self._suspended.values())

    def resume(self, state: str | None, answer: Answer) -> RunningCall:
        """Answer the question of a state, which is invalid from now on, and return its call.

        Raises:
          MCPError: the state is unknown, or was used before.
        """
        if state not in self._suspended:
            raise MCPError(code=INVALID_PARAMS, message="This requestState is unknown, or was used before.")
        call, question = self._suspended.pop(state)
        call.reply(question, answer)
        return call

    async def decide(self, link: BrowserLink, pending: PendingApproval) -> None:
        """Have the user decide on a request that a rule of the operator holds up; denied if nobody can be asked. [trio]

        A client does not say which of its calls a request belongs to. The latest one asks; if it ends, and its question
        with it, the next latest of those that were running asks.
        """
        answer: Answer = None
        reason: str | None = "Nobody could be asked."
        timeout_s = _time_left_s(pending)
        until_s = trio.current_time() + timeout_s
        calls = [call for call in reversed(self._calls) if call.link is link and call.can_ask_user]
        for call in calls:
            answer = await call.ask_user(approval_question(pending), max(0.0, until_s - trio.current_time()))
            reason = _REASONS.get(answer)
            if answer is not None or not call.is_over:
                break
        if calls and answer is None and timeout_s < ANSWER_TIMEOUT_S and trio.current_time() >= until_s:
            return  # the server has ended the request, or is about to: as one that nobody answered
        try:
            decision = _DECISIONS.get(answer, "deny") if isinstance(answer, str) else "deny"
            if not await pending.respond(decision, reason=reason):
                log.info("approval_too_late", error="The request was not waiting any more.")
        except AgentBrowserError as error:
            log.info("approval_too_late", error=error.message)


def _time_left_s(pending: PendingApproval) -> float:
    """Return the time in which a request can be answered; with a server whose clock differs widely, the longest."""
    left_s = (pending.request.expires_at - now_ms()) / 1000
    return min(left_s, ANSWER_TIMEOUT_S) if left_s > 0 else ANSWER_TIMEOUT_S


def approval_question(pending: PendingApproval) -> Question:
    """Return the question whether a request may go on: the page and the element, the request, and the time left."""
    lines = [f"May the agent do this? The rule {quoted(pending.rule)} of the operator asks for your approval."]
    context = pending.context
    if context.page_url:
        lines.append(f"on the page {quoted(context.page_title or '')} {quoted(context.page_url)}")
    if (element := context.element_info) is not None:
        lines.append(f"element: {element.role} {quoted(element.name)}")
    lines += _request_lines(pending.method, json_text(pending.params))
    left_s = _time_left_s(pending)
    until = datetime.now(UTC) + timedelta(seconds=left_s)
    lines.append(f"Answer within {left_s:.0f} s, by {until:%H:%M:%S} UTC: nothing is done after that.")
    return Question(text="\n".join(lines), choices=tuple(_DECISIONS))


def _request_lines(method: str, params: str) -> list[str]:
    """Return a request as a person reads it: of long JSON the begin and the end, and how much is not shown."""
    hidden = len(params) - _MAX_PARAMS - _MAX_END
    if hidden <= 0:
        return [f"{method} {one_line(params)}"]
    warning = f"{hidden} of {len(params)} characters of the request are NOT shown, at the mark […]."
    return [warning, f"{method} {one_line(params[:_MAX_PARAMS])} […] {one_line(params[-_MAX_END:])}"]
