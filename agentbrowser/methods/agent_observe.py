"""agent/observe: the state of a page that an agent needs before it acts."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

import attrs

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Scope, TabState, page_method
from agentbrowser.protocol.types.annotations import AnnotateOptions
from agentbrowser.protocol.types.element import AgentObserveResult
from agentbrowser.protocol.types.fields import field, milliseconds
from agentbrowser.protocol.types.observe import SettleOptions

_MAX_ROLE_LENGTH: Final = 100

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.frozen(kw_only=True)
class ObserveParams:
    """The content and the size of the observation, and the handling of refs."""

    include_metadata: bool = True
    include_interactive_elements: bool = True
    include_accessibility: bool = False
    include_screenshot: bool = False
    include_bounds: bool = False
    include_webmcp_tools: bool = field(default=False, wire="includeWebMCPTools")
    max_elements: int = field(default=100, minimum=1, maximum=2000)
    cursor: str | None = field(default=None, pattern=r"w[0-9]{1,9}|r?[0-9]{1,9}@(f[0-9]{1,9}\.)?[a-z0-9]{1,64}")
    """The ``nextCursor`` of the observation to continue, or the ``cursor`` of a fold to see what it hides."""
    fold: bool | None = None
    """True to show repeated rows as a template: the first ones, and a fold for the others. The default is true in tier
    ``minimal``. Form controls and their forms are never hidden."""
    filter_roles: list[str] | None = field(default=None, maximum=100)
    viewport_only: bool = False
    stable_refs: bool = True
    """True to pass a ref on to the node that replaces its element; an attached element keeps its ref anyway."""
    refresh_refs: bool = False
    """True to give every element a new ref; earlier refs are invalid."""
    include_ref_history: bool = False
    annotate_screenshot: bool | AnnotateOptions = False
    """True to draw a box and a badge for each visible listed element; implies the screenshot."""
    response_tier: Literal["full", "interactive", "minimal"] = "full"
    """``interactive``: no accessibility tree and no screenshot. ``minimal``: elements without states and bounds too."""
    text: Literal["none", "brief", "full"] = "brief"
    """Visible words of the page beside its elements: none, with long prose cut, or all. Only with elements."""
    format: Literal["json", "text", "both"] = "json"
    """``text``: the page as ``text`` in reading order, in place of ``content`` and ``interactiveElements``. ``both``:
    the text, and the elements in it; or the text of the changes, and ``changes``."""
    max_tokens: int | None = field(default=None, minimum=100, maximum=100_000)
    """Estimated size limit in tokens of o200k_base, for the text, or for the result without screenshot and annotations.
    The default is 2,000 for a text with words. What matters least is left out until it fits; ``nextCursor`` continues
    with it. At least one line or element is returned."""
    incremental: bool = False
    """True to return only the changes since the client's last observation, in place of the elements. The first look,
    and one of another document, are full ones; as text, that of a page that was loaded again, or of another one of its
    site, leaves out lines that the last look has shown. It has no effect with a cursor, which continues a list."""
    settle: bool | SettleOptions = True
    """The wait for the effects of the client's last actions: requests and short timers that they set off, then two
    frames without changes; false for none. It takes no time if nothing is pending or has
    just ended."""
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()

    def check(self) -> None:
        """Reject texts that are no roles, but have to be sent to every frame."""
        for index, role in enumerate(self.filter_roles or ()):
            if len(role) > _MAX_ROLE_LENGTH:
                expected = f"at most {_MAX_ROLE_LENGTH} characters"
                path = f"filterRoles[{index}]"
                raise InvalidParams(f"{path} is too long.", path=path, expected=expected, got=f"{len(role)} characters")

    @property
    def is_text(self) -> bool:
        """Return True if the page is wanted as text, which the token limit is for."""
        return self.format != "json"

    @property
    def is_diff(self) -> bool:
        """Return True if only changes are to be returned where possible."""
        return self.incremental and self.cursor is None

    @property
    def marks(self) -> AnnotateOptions | None:
        """Return the options of the screenshot's annotations; None without annotations."""
        asked = self.annotate_screenshot
        options = AnnotateOptions(enabled=asked) if isinstance(asked, bool) else asked
        return options if options.enabled and self.response_tier == "full" else None


FollowingLook = Literal["changes"] | ObserveParams
"""Look that follows an action in the same request."""
CHANGES: Final[Mapping[str, Any]] = {"incremental": True, "format": "text"}
"""Params of agent/observe for which ``changes`` stands."""


@page_method("agent/observe", ObserveParams, scope=Scope.READONLY, tab=TabState.ALIVE)
async def observe(tab: "Tab", params: ObserveParams) -> AgentObserveResult:
    """Observe the page: its interactive elements with refs and selectors, and other requested parts. [asyncio]

    Raises:
      InvalidParams: the cursor is of another document.
    """
    return await tab.observe(params)


def shows_changes(look: AgentObserveResult | Mapping[str, Any]) -> bool:
    """Return True if a look, typed or as plain data, shows changes since the one before it, or another document."""
    if (changes := _field(look, "changes")) is not None:
        return any(_field(changes, name) for name in ("added", "updated", "removed", "words"))
    return _field(look, "full") == "document" or (_field(look, "text") or "").split("\n", 1)[0] == "changes"


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name)
