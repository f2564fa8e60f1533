"""Commands to the browser: the short way through Playwright as long as it is there, else the public one."""

import asyncio
import inspect
from typing import Any

from playwright._impl.connection import Connection

from agentbrowser.browser.engine.vendor import send


class Session:
    """A session of a Playwright that is built otherwise."""

    async def send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return {"method": method, **params}


def test_the_short_way_is_there_in_this_playwright() -> None:
    assert list(inspect.signature(Connection.send_message_to_server).parameters) == [
        "self", "object", "method", "params", "options"
    ]  # fmt: skip


def test_without_the_short_way_commands_go_the_public_one() -> None:
    answer = asyncio.run(send(Session(), "DOM.enable", {"depth": 1}))  # type: ignore[arg-type]
    assert answer == {"method": "DOM.enable", "depth": 1}
