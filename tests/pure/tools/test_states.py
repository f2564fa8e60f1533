"""States that a client keeps under names: bounded in number and in bytes."""

from typing import Any
from weakref import WeakSet

import pytest

from agentbrowser.protocol.errors import ResourceLimitExceeded
from agentbrowser.tools.calls import ToolCall
from agentbrowser.tools.dispatch import forget, run
from agentbrowser.tools.journal import MAX_OWNER_BYTES, MAX_STATES, MAX_STATES_BYTES, Journal
from agentbrowser.tools.optional import state


class StoredBrowser:
    """Browser with a storage state of a given size."""

    def __init__(self, size: int) -> None:
        self.state = {"cookies": [{"name": "sid"}], "origins": [{"value": "x" * size}]}
        self.restored: Any = None
        self.connection = self

    async def subscribe(self, _: Any) -> None:
        """Subscribe to nothing."""

    async def request(self, method: str, params: Any = None) -> Any:
        if method == "storage/setState":
            self.restored = params["state"]
        return self.state


def call(journal: Journal, browser: StoredBrowser, **arguments: str) -> ToolCall:
    return ToolCall(browser=browser, arguments=arguments, journal=journal)


async def test_a_kept_state_is_restored() -> None:
    journal, browser = Journal(), StoredBrowser(10)
    kept = await state(call(journal, browser, do="save", name="shop"))
    assert "1 cookie and" in kept.text
    await state(call(journal, browser, do="load", name="shop"))
    assert browser.restored == browser.state


async def test_states_are_limited_in_number_and_a_name_may_be_saved_again() -> None:
    journal, browser = Journal(), StoredBrowser(10)
    for number in range(MAX_STATES):
        await state(call(journal, browser, do="save", name=f"n{number}"))
    with pytest.raises(ResourceLimitExceeded) as refused:
        await state(call(journal, browser, do="save", name="one more"))
    assert refused.value.details["limit"] == MAX_STATES
    assert "one more" not in journal.states
    await state(call(journal, browser, do="save", name="n0"))
    assert len(journal.states) == MAX_STATES


async def test_states_are_limited_in_bytes_with_their_names() -> None:
    journal, half = Journal(), StoredBrowser(MAX_STATES_BYTES // 2)
    await state(call(journal, half, do="save", name="a"))
    for browser, name in ((half, "b"), (StoredBrowser(10), "x" * (MAX_STATES_BYTES // 2))):
        with pytest.raises(ResourceLimitExceeded) as refused:
            await state(call(journal, browser, do="save", name=name))
        assert refused.value.details["limit"] == MAX_STATES_BYTES
    await state(call(journal, half, do="save", name="a"))
    assert list(journal.states) == ["a"]


async def test_the_states_of_all_clients_of_an_owner_are_limited_together() -> None:
    """Each MCP session of a token kept 32 MiB in the memory of the server, also when it had ended."""
    of_owner = WeakSet[Journal]()
    clients = [StoredBrowser(MAX_STATES_BYTES - 100) for _ in range(3)]

    async def save(browser: StoredBrowser, owner: WeakSet[Journal]) -> str:
        return (await run(browser, "browser_state", {"do": "save", "name": "a"}, of_owner=owner)).text

    for browser in clients[:2]:
        assert "are kept" in await save(browser, of_owner)
    assert f"and may be {MAX_OWNER_BYTES}" in await save(clients[2], of_owner)
    assert "are kept" in await save(StoredBrowser(MAX_STATES_BYTES - 100), WeakSet())
    forget(clients[0])
    assert "are kept" in await save(clients[2], of_owner)
