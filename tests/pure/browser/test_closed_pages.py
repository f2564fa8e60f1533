"""Errors about pages that are gone, and the advice in them."""

from agentbrowser.browser.ids import ClosedPages


def test_the_page_of_another_session_is_no_closed_page() -> None:
    """After a restart of the server a client still has the pages of its last session."""
    pages = ClosedPages()
    pages.note("page-1")
    closed, strange = pages.not_found("page-1"), pages.not_found("page-2")
    assert closed.message == "The page page-1 was closed."
    assert "session" not in str(closed.recovery_hint)
    assert strange.message == "This session never had the page page-2."
    assert "restart of the server" in str(strange.recovery_hint)
    assert (strange.retryable, strange.details) == (False, {"pageId": "page-2"})
