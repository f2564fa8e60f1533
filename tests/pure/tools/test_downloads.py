"""Downloads in the results of tools, where the scope does not include reading them."""

from collections.abc import Mapping
from typing import Any, Final

import attrs
import trio

from agentbrowser import tools
from agentbrowser.protocol.errors import ScopeDenied

DENIED: Final = "download/list needs the scope full; this connection has standard."
ANSWERS: Final[Mapping[str, Any]] = {
    "page/list": {"pages": [{"id": "page-1", "title": "Shop", "url": "http://a/"}], "activePage": "page-1"},
    "agent/act": {
        "results": [
            {"step": 0, "result": {"download": {"downloadId": "d1", "suggestedName": "list.csv", "state": "started"}}}
        ],
        "postObservation": {"text": "no changes"},
    },
    "agent/observe": {"text": "page"},
    "events/subscribe": {"subscribed": ["dialog"]},
}


@attrs.define(eq=False)
class Standard:
    """Client of a server that grants the scope standard."""

    @property
    def connection(self) -> "Standard":
        return self

    async def subscribe(self, names: object) -> None:
        """Subscribe to nothing."""

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        if method == "download/list":
            raise ScopeDenied(DENIED)
        return ANSWERS[method]


def run(name: str, arguments: dict[str, Any]) -> tools.ToolResult:
    async def call() -> tools.ToolResult:
        return await tools.run(Standard(), name, arguments)

    return trio.run(call)


def test_a_download_that_nobody_can_read_has_no_link_and_the_reason() -> None:
    result = run("browser_act", {"steps": [{"do": "click", "on": "Report"}]})
    assert result.text.split("\n") == [
        '1 click "Report": download d1 "list.csv" started',
        f"downloads can't be read: {DENIED}",
        "no changes",
    ]
    assert (result.downloads, result.is_error) == ((), False)


def test_a_list_of_tabs_says_why_it_has_no_downloads() -> None:
    result = run("browser_tabs", {})
    assert result.text.split("\n") == ['tab page-1 "Shop" "http://a/", active', f"downloads can't be read: {DENIED}"]
