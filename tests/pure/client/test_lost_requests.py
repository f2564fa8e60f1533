"""Errors of requests that were under way when their connection was lost."""

import pytest

from agentbrowser.client.connection.pending_request import PendingRequest
from agentbrowser.client.connection.transport import ConnectionLost


@pytest.mark.parametrize("retryable", [True, False])
def test_a_lost_request_is_as_retryable_as_its_connection(retryable: bool) -> None:
    """A token that was withdrawn stays so: a program that repeats its request would never end."""
    reason = "The server closed the connection (1008: the token was withdrawn)."
    request = PendingRequest.of(1, "action/click", {}, keyed=True)
    request.is_sent = True
    error = request.lost_error(ConnectionLost(reason, retryable=retryable, code=1008))
    assert error.retryable is retryable
    assert error.message == f"action/click was under way when the connection was lost. {reason}"
    assert error.details == {"code": 1008, "method": "action/click", "mayHaveActed": True}
