"""URL patterns of an interception rule: what all of them may expand to."""

import pytest

from agentbrowser.browser.page.intercept import Interception
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.network import InterceptRule, RequestPattern


async def test_patterns_that_are_too_long_together_are_rejected() -> None:
    patterns = [RequestPattern(url_pattern=f"{number:02}" + "*a" * 60) for number in range(50)]
    interception = Interception(tabs=None)  # type: ignore[arg-type]  # the check is before the first use of it
    with pytest.raises(InvalidParams, match="4000 characters together") as caught:
        await interception.add(InterceptRule(patterns=patterns, handler="continue"))
    assert caught.value.details["path"] == "patterns"
    assert caught.value.details["got"] == "6100 characters"
