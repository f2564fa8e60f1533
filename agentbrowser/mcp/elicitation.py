"""Elicitation: questions to the user through the client, in both eras of the protocol."""

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any, Final

import trio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.tools.calls import DECLINED, Answer, Question

_FIELD: Final = "answer"
_PROGRESS_S: Final = 10.0
"""Interval of the reports of progress while a user thinks: hosts give up on silent calls."""

_TAKE_OVER: Final = "Or act on the page yourself, and hand it back. This link is good for one use: "

Context = ServerRequestContext[Any, Any]


def can_elicit(context: Context) -> bool:
    """Return True if the client can ask its user."""
    capabilities = context.session.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def is_stateless(context: Context) -> bool:
    """Return True for the era in which the server sends no requests."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


async def elicit(context: Context, question: Question, over: Callable[[], Awaitable[None]]) -> Answer:
    """Ask by a request to the client, in the era with sessions; None if it is not answered. [trio]

    The question is withdrawn when the user has handed the page back, or when its call no longer waits for the answer.

    Args:
      over: waits until the call does not wait for the answer.
    """
    params = _request(question).params
    assert isinstance(params, ElicitRequestFormParams)
    results: list[ElicitResult] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_report_progress, context)
        nursery.start_soon(_end_when, over, nursery.cancel_scope)
        if question.handed_back is not None:
            nursery.start_soon(_end_when, question.handed_back, nursery.cancel_scope)
        try:
            results.append(
                await context.session.elicit_form(
                    params.message, params.requested_schema, related_request_id=context.request_id
                )
            )
        except MCPError:  # the client has declared that it can ask, and yet refuses
            return None
        finally:
            nursery.cancel_scope.cancel()
    return _answer(results[0]) if results else None


def question_result(question: Question, state: str) -> InputRequiredResult:
    """Return the result that asks in the stateless era: the client repeats the call with the answer and the state."""
    return InputRequiredResult(input_requests={_FIELD: _request(question)}, request_state=state)


def answer_in(params: CallToolRequestParams) -> Answer:
    """Return the answer in a repeated call of the stateless era; None if there is none."""
    response = (params.input_responses or {}).get(_FIELD)
    return _answer(response) if isinstance(response, ElicitResult) else None


def shows_progress(context: Context) -> bool:
    """Return True if the client shows the progress of a call."""
    return context.meta is not None and context.meta.get("progress_token") is not None


async def show(context: Context, message: str) -> None:
    """Show the user a message as the progress of the call. [trio]"""
    await context.session.report_progress(0, message=message)


async def _end_when(over: Callable[[], Awaitable[None]], waiting: trio.CancelScope) -> None:
    with contextlib.suppress(AgentBrowserError):  # the question is left then
        await over()
        waiting.cancel()


async def _report_progress(context: Context) -> None:
    for seconds in range(0, 10**6, round(_PROGRESS_S)):
        await context.session.report_progress(seconds, message="waiting for the user")
        await trio.sleep(_PROGRESS_S)


def _request(question: Question) -> ElicitRequest:
    field: dict[str, Any] = {"type": "string", "title": "Answer"}
    if question.choices:
        field["enum"] = list(question.choices)
    schema = {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]}
    message = question.text if question.link is None else f"{question.text}\n\n{_TAKE_OVER}{question.link}"
    return ElicitRequest(params=ElicitRequestFormParams(message=message, requested_schema=schema))


def _answer(result: ElicitResult) -> Answer:
    """Return the user's answer; None if there is none, as after a ``cancel``: the user has made no choice then."""
    if result.action == "decline":
        return DECLINED
    if result.action != "accept" or not result.content:
        return None
    answer = result.content.get(_FIELD)
    return None if answer is None else str(answer)
