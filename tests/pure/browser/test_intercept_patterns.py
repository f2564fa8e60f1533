"""Interception rules: what their URL patterns may expand to, the length of their responses, and cancelled ones."""

import asyncio
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from agentbrowser.browser.page.intercept import MAX_RESPONSES, Interception
from agentbrowser.protocol.errors import InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.types.network import InterceptRule, MockResponse, RequestPattern


@attrs.define(eq=False)
class FakeContext:
    """A context with a browser context that is not real."""

    browser_context: Any
    id: str = "context-1"


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


def test_a_rule_whose_request_was_cancelled_is_gone() -> None:
    """No client has its id, and it would answer the requests of pages."""

    async def scene() -> None:
        routed, unrouted = asyncio.Event(), asyncio.Event()

        async def route(*_: Any) -> None:
            routed.set()
            await asyncio.sleep(60)

        async def unroute(*_: Any) -> None:
            unrouted.set()

        context = FakeContext(SimpleNamespace(route=route, unroute=unroute))
        tabs = SimpleNamespace(contexts=(context,), run_in_background=asyncio.ensure_future)
        interception = Interception(tabs=tabs)  # type: ignore[arg-type]
        rule = InterceptRule(patterns=[RequestPattern(url_pattern="**")], handler="continue")
        adding = asyncio.create_task(interception.add(rule))
        async with asyncio.timeout(10):
            await routed.wait()
        adding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await adding
        with pytest.raises(InvalidParams, match="no such interception"):
            await interception.clear("intercept-1")
        async with asyncio.timeout(10):
            await unrouted.wait()

    asyncio.run(scene())
