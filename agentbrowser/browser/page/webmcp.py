"""WebMCP: discovery of the tools that a page offers to agents."""

from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser.browser.page.element_handles import MAX_CONTENT_BYTES, checked_answer
from agentbrowser.browser.scripts.bundle import PROGRAMS
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import structure
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.tool import WebMCPTool

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

_REGISTERED: Final = PROGRAMS["registered_tools"]


@attrs.frozen(eq=False)
class WebMcpDiscovery:
    """WebMCP tools of one tab's document."""

    tab: "Tab"

    async def discover(self, max_tools: int = 50, *, schemas: bool = True) -> tuple[list[WebMCPTool], int]:
        """Return the tools, those of forms first, and their total number. [asyncio]"""
        arguments = {"max": max_tools, "schemas": schemas, "bytes": MAX_CONTENT_BYTES}
        answer = await self.tab.isolated_world.call("declaredTools", arguments)
        declared = checked_answer(answer, None, {"bytes": MAX_CONTENT_BYTES})
        forms, names = declared["tools"], declared["names"]
        registered = await self._registered({"max": max_tools - len(forms), "declared": names, "schemas": schemas})
        tools = [structure(WebMCPTool, {**form, "source": "webmcp-declarative"}) for form in forms]
        tools += [structure(WebMCPTool, {**tool, "source": "webmcp-imperative"}) for tool in registered["tools"]]
        return tools, len(names) + registered["total"]

    async def _registered(self, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            answer = await self.tab.scripts.evaluate(_REGISTERED, arguments, awaits=True, world="isolated")
        except ActionFailed:  # the engine refuses, as in documents that must not offer tools
            return {"tools": [], "total": 0}
        found: dict[str, Any] = wire.decoded(answer)
        return found
