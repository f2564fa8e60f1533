"""agent/observe: what an agent needs to know of a page before it acts."""

from typing import TYPE_CHECKING, Literal

import attrs

from agentbrowser.protocol.registry import Scope, TabState, page_method
from agentbrowser.protocol.types.annotations import AnnotateOptions
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.fields import field, milliseconds

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.frozen(kw_only=True)
class ObserveParams:
    """What to see, how much of it, and how refs are kept."""

    include_metadata: bool = True
    include_interactive_elements: bool = True
    include_accessibility: bool = False
    include_screenshot: bool = False
    include_bounds: bool = False
    include_webmcp_tools: bool = field(default=False, wire="includeWebMCPTools")
    max_elements: int = field(default=100, minimum=1, maximum=2000)
    cursor: str | None = field(default=None, pattern=r"r?[0-9]{1,9}@(f[0-9]{1,9}\.)?[a-z0-9]{1,64}")
    """The ``nextCursor`` of the observation to continue, or the ``cursor`` of a fold to see what it hides."""
    fold: bool | None = None
    """Whether rows that repeat are shown as a template: the first ones, and a fold for the others. In tier ``minimal``
    they are when it is absent. What can be filled in, checked or chosen from is never hidden, nor the form it is in."""
    filter_roles: list[str] | None = field(default=None, maximum=100)
    viewport_only: bool = False
    stable_refs: bool = True
    """Whether a ref goes over to the node that replaces its element; a living element keeps its ref anyway."""
    refresh_refs: bool = False
    """Give every element a new ref; the old ones are void."""
    include_ref_history: bool = False
    annotate_screenshot: bool | AnnotateOptions = False
    """Draw a box and a badge for each listed element that shows; implies the screenshot."""
    response_tier: Literal["full", "interactive", "minimal"] = "full"
    """``interactive``: no accessibility tree and no screenshot. ``minimal``: elements without states and bounds too."""
    format: Literal["json", "text"] = "json"
    """``text``: page, elements and folds as ``text``, a line each, and no ``interactiveElements``."""
    max_tokens: int | None = field(default=None, minimum=100, maximum=100_000)
    """How large the text, or the whole result but for the screenshot and its marks, may be, in tokens of o200k_base,
    estimated. Elements at the end are left out until it fits; ``nextCursor`` goes on with them. One is always there."""
    incremental: bool = False
    """Also say what has changed since the client last looked."""
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()

    @property
    def marks(self) -> AnnotateOptions | None:
        """How the screenshot is to be marked; None for one without marks, or for no screenshot."""
        asked = self.annotate_screenshot
        options = AnnotateOptions(enabled=asked) if isinstance(asked, bool) else asked
        return options if options.enabled and self.response_tier == "full" else None


@page_method("agent/observe", ObserveParams, scope=Scope.READONLY, tab=TabState.ALIVE)
async def observe(tab: "Tab", params: ObserveParams) -> AgentObserveResult:
    """Look at the page: its interactive elements with refs and selectors, and what else is asked for. [asyncio]

    Raises:
      InvalidParams: the cursor is of another document.
    """
    return await tab.observe(params)
