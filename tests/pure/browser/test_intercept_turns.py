"""Rules of a client that take long to match leave turns of the loop to others."""

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from agentbrowser.browser.events import network_events
from agentbrowser.browser.page.intercept import Interception
from agentbrowser.protocol.types.network import InterceptRule, RequestPattern

SLOW = RequestPattern(url_pattern="**" + "*/" * 126 + "b**")


def test_a_request_looks_for_its_rule_in_turns_with_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_events, "page_of", lambda request: None)
    tabs = cast("Any", SimpleNamespace(contexts=[], tab_of=lambda page: None))

    async def turns_of_others() -> int:
        turns, answered = 0, asyncio.Event()

        async def go_on() -> None:
            answered.set()

        interception = Interception(tabs)
        await interception.add(InterceptRule(patterns=[SLOW] * 5, handler="abort"))
        request = SimpleNamespace(url="http://a.test/" + "/" * 2030, method="GET", resource_type="fetch")
        deciding = asyncio.create_task(
            interception._decide(cast("Any", SimpleNamespace(request=request, continue_=go_on)), "default")
        )
        while not answered.is_set():
            await asyncio.sleep(0)
            turns += 1
        await deciding
        return turns

    assert asyncio.run(turns_of_others()) > 20
