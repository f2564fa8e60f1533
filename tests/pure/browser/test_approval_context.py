"""Description of an element in an approval request."""

import pytest

from agentbrowser.browser.observe.approval_context import element_info
from agentbrowser.client.subscriptions import parse_event
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.types.approval import ApprovalContext, ApprovalRequest, OriginalRequest


@pytest.mark.parametrize(("role", "shown"), [(None, "generic"), ("button", "button")])
def test_every_approval_request_can_be_read_by_clients(role: str | None, shown: str) -> None:
    """A click handler on a span has no role: its requests were dropped, and the rule timed out."""
    state = {"role": role, "shownName": "13", "bounds": {"x": 68, "y": 8, "width": 30, "height": 30}}
    sent = ApprovalRequest(
        request_id="approval-1",
        original_request=OriginalRequest(method="action/click", params={}),
        rule="pay",
        context=ApprovalContext(element_info=element_info(state)),
        expires_at=1,
    )
    received = parse_event("approval/required", unstructure(sent))
    assert received == sent
    assert (received.context.element_info.role, received.context.element_info.name) == (shown, "13")
