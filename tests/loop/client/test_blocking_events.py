"""Iteration over events with the blocking client, which another thread closes."""

from concurrent.futures import ThreadPoolExecutor

import trio

from agentbrowser.client import blocking
from agentbrowser.protocol.types.event import ConsoleEvent
from tests.loop.raw_websocket import open_gate, welcome

LIMIT_S = 20


def iterate_until_closed(url: str) -> list[ConsoleEvent]:
    """Iterate over events in one thread, close the client in another, and return the events."""
    with ThreadPoolExecutor(1) as pool, blocking.connect(url) as browser:
        events = browser.events("console")
        events.__enter__()
        iterating = pool.submit(list, events)
        browser.request("test/echo")
        browser.close()
        return iterating.result(LIMIT_S)


async def test_an_iteration_ends_when_another_thread_closes_the_client() -> None:
    async with open_gate(welcome) as gate:
        with trio.fail_after(LIMIT_S):
            assert await trio.to_thread.run_sync(iterate_until_closed, f"ws://127.0.0.1:{gate.port}") == []
