"""Check of an element that an approver has agreed to, once it is ready: a page may have renamed it meanwhile."""

from agentbrowser.browser.act.locate import LocatedElement
from agentbrowser.browser.act.surface import ActSurface
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.page import element_handles
from agentbrowser.browser.page.navigation_policy import approved_identity
from agentbrowser.protocol.errors import ApprovalDenied


async def check_approved(tab: ActSurface, found: LocatedElement, deadline: Deadline) -> None:
    """Check that an element has the role and the name that the approver of the present request was shown. [asyncio]

    Raises:
      ApprovalDenied: it has another one now.
      ElementNotFound: it is gone.
    """
    approved = approved_identity()
    if approved is None:
        return
    handle = await element_handles.handle_of(tab, found, deadline)
    answer = element_handles.checked_answer(await handle.call("identityOf"), None, {})
    state = answer["state"]
    if {"role": state["role"] or "generic", "name": state["shownName"] or ""} != approved:
        message = "The element has another role or name than the approver was shown."
        hint = "Observe the page, then ask again."
        raise ApprovalDenied(message, reason="element changed", retryable=True, hint=hint)
