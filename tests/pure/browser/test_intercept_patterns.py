"""Limits of interception rules: what their URL patterns may expand to, and the length of their responses."""

from types import SimpleNamespace

import pytest

from agentbrowser.browser.page.intercept import MAX_RESPONSES, Interception
from agentbrowser.protocol.errors import InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.types.network import InterceptRule, MockResponse, RequestPattern


async def test_patterns_that_are_too_long_together_are_rejected() -> None:
    patterns = [RequestPattern(url_pattern=f"{number:02}" + "*a" * 60) for number in range(50)]
    interception = Interception(tabs=None)  # type: ignore[arg-type]  # the check is before the first use of it
    with pytest.raises(InvalidParams, match="4000 characters together") as caught:
        await interception.add(InterceptRule(patterns=patterns, handler="continue"))
    assert caught.value.details["path"] == "patterns"
    assert caught.value.details["got"] == "6100 characters"


async def test_the_responses_of_all_rules_have_one_limit() -> None:
    """A client could have the server keep 100 of 10 MiB, 1 GB for each of its sessions."""
    interception = Interception(tabs=SimpleNamespace(contexts=()))  # type: ignore[arg-type]
    patterns = [RequestPattern(url_pattern="**")]
    half = MockResponse(body="x" * (MAX_RESPONSES // 2))
    first = await interception.add(InterceptRule(patterns=patterns, handler="respond", response=half))
    await interception.add(InterceptRule(patterns=patterns, handler="respond", response=half))
    headers = MockResponse(headers={"A": "1"})
    with pytest.raises(ResourceLimitExceeded) as caught:
        await interception.add(InterceptRule(patterns=patterns, handler="respond", response=headers))
    assert caught.value.details["limit"] == MAX_RESPONSES
    await interception.clear(first)
    await interception.add(InterceptRule(patterns=patterns, handler="respond", response=headers))
