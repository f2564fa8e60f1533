"""Errors about pages that are gone, and the advice in them."""

from agentbrowser.browser.ids import ClosedPages


def test_the_page_of_another_session_is_no_closed_page() -> None:
    """After a restart of the server a client still has the pages of its last session."""
    pages = ClosedPages()
    pages.note("page-1")
    closed, strange = pages.not_found("page-1"), pages.not_found("page-2")
    assert closed.message == "The page page-1 was closed."
    assert "session" not in str(closed.recovery_hint)
    assert strange.message == "This session has no page page-2. It may be one of an earlier session."
    assert "restart of the server" in str(strange.recovery_hint)
    assert (strange.retryable, strange.details) == (False, {"pageId": "page-2"})
    assert pages.not_found(None).message == "No page is open."


def test_a_page_that_was_closed_long_ago_is_not_denied() -> None:
    """The reasons of the last thousand pages are kept."""
    pages = ClosedPages()
    for number in range(1001):
        pages.note(f"page-{number}")
    assert pages.not_found("page-1").message == "The page page-1 was closed."
    assert pages.not_found("page-0").message == "This session has no page page-0. It may be one of an earlier session."
