"""Questions to the user: elicitations of the client, in both eras of the protocol."""

import secrets
from typing import Any, Final

import attrs
import trio
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitResult,
    InputRequiredResult,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from agentbrowser.tools.calls import Ask, Question

_FIELD: Final = "answer"
_PROGRESS_S: Final = 10.0
"""Interval of the reports of progress while a user thinks: hosts give up on silent calls."""
_MAX_WAITING: Final = 100

Context = ServerRequestContext[Any, Any]


@attrs.define(eq=False)
class Elicitations:
    """Elicitations of one server."""

    _waiting: dict[str, None] = attrs.field(factory=dict, init=False)
    """States of the stateless era that have not come back; each is good for one answer."""

    def required(
        self, context: Context, params: CallToolRequestParams, question: Question
    ) -> InputRequiredResult | Ask:
        """Return the result that requests the answer, or in a repeat of the call, how to get it.

        Raises:
          MCPError: the state was used before.
        """
        if params.input_responses is None:
            state = secrets.token_hex(16)
            self._waiting[state] = None
            while len(self._waiting) > _MAX_WAITING:
                del self._waiting[next(iter(self._waiting))]
            return InputRequiredResult(input_requests={_FIELD: _request(question)}, request_state=state)
        if params.request_state not in self._waiting:
            raise MCPError(code=INVALID_PARAMS, message="This requestState is unknown, or was used before.")
        del self._waiting[params.request_state]
        response = params.input_responses.get(_FIELD)

        async def answered(_: Question) -> str | None:
            return _answer(response) if isinstance(response, ElicitResult) else None

        return answered


def can_ask(context: Context) -> bool:
    """Return True if the client can ask its user."""
    capabilities = context.session.client_capabilities
    return capabilities is not None and capabilities.elicitation is not None


def is_stateless(context: Context) -> bool:
    """Return True for the era in which the server sends no requests."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def asker(context: Context) -> Ask:
    """Return how to ask by a request to the client, in the era with sessions."""

    async def ask(question: Question) -> str | None:
        params = _request(question).params
        assert isinstance(params, ElicitRequestFormParams)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_report_progress, context)
            result = await context.session.elicit_form(
                params.message, params.requested_schema, related_request_id=context.request_id
            )
            nursery.cancel_scope.cancel()
        return _answer(result)

    return ask


async def _report_progress(context: Context) -> None:
    for seconds in range(0, 10**6, round(_PROGRESS_S)):
        await context.session.report_progress(seconds, message="waiting for the user")
        await trio.sleep(_PROGRESS_S)


def _request(question: Question) -> ElicitRequest:
    field: dict[str, Any] = {"type": "string", "title": "Answer"}
    if question.choices:
        field["enum"] = list(question.choices)
    schema = {"type": "object", "properties": {_FIELD: field}, "required": [_FIELD]}
    return ElicitRequest(params=ElicitRequestFormParams(message=question.text, requested_schema=schema))


def _answer(result: ElicitResult) -> str | None:
    """Return the user's answer; None if there is none."""
    if result.action != "accept" or not result.content:
        return None
    answer = result.content.get(_FIELD)
    return None if answer is None else str(answer)
