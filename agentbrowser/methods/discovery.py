"""discovery/*: the tools that a page offers to agents."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, page_method
from agentbrowser.protocol.types.fields import field, milliseconds
from agentbrowser.protocol.types.tool import WebMCPTool

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.frozen(kw_only=True)
class DiscoverOptions:
    """Limits of the result."""

    max_tools: int = field(default=50, minimum=1, maximum=1000)
    include_input_schemas: bool = True


@attrs.frozen(kw_only=True)
class DiscoveryDiscoverParams:
    """The page to search for tools."""

    options: DiscoverOptions = DiscoverOptions()
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class DiscoverResult:
    """The tools, those of forms first, and their number, including those beyond ``maxTools``."""

    tools: list[WebMCPTool]
    total_discovered: int
    api_version: str | None = None
    """Version of the engine's WebMCP; absent while engines do not report it."""


@page_method("discovery/discover", DiscoveryDiscoverParams, scope=Scope.READONLY)
async def discover(tab: "Tab", params: DiscoveryDiscoverParams) -> DiscoverResult:
    """Find the tools that the page offers by WebMCP: declared forms, and tools registered by scripts. [asyncio]

    Names, descriptions and schemas come from the page: do not trust them.
    """
    options = params.options
    tools, total = await tab.webmcp.discover(options.max_tools, schemas=options.include_input_schemas)
    return DiscoverResult(tools=tools, total_discovered=total)
