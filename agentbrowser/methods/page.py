"""page/*: opening, navigation, listing and closing of pages."""

from typing import TYPE_CHECKING, Any, ClassVar

import attrs

from agentbrowser.methods.agent_observe import FollowingLook
from agentbrowser.policy import globs
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Scope, TabState, composite, page_method
from agentbrowser.protocol.types.fields import constraints, field, milliseconds, navigable
from agentbrowser.protocol.types.navigation import MoveResult, NavigateResult
from agentbrowser.protocol.types.observe import WaitState
from agentbrowser.protocol.types.page import (
    ListedPage,
    Nothing,
    PageInfo,
    PageOptions,
    WaitForResult,
    WaitUntil,
)
from agentbrowser.protocol.types.selector import Selector, parse_optional_selector
from agentbrowser.protocol.types.storage import StorageState, check_items

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.server.corridor.dispatch import Call


@attrs.frozen(kw_only=True)
class PageCreateParams(PageOptions):
    """A page to open, and the URL to load at once."""

    url: str | None = attrs.field(default=None, metadata=navigable())
    context_id: str | None = None
    """The context to open it in; the client's default one when absent."""
    storage_state: StorageState | None = None
    """Storage that replaces the context's present storage; needs the scope of storage/setState."""
    timeout_ms: int | None = milliseconds()

    @staticmethod
    def check_size(raw: Any) -> None:
        """Reject a storage state with too many items."""
        check_items(raw.get("storageState") if isinstance(raw, dict) else None, "storageState")


@composite("page/create", PageCreateParams, scope=Scope.STANDARD, focus=True)
async def create(call: "Call", params: PageCreateParams) -> PageInfo:
    """Open a page, go to its URL if it has one, and make it the active page. [trio]

    Raises:
      ScopeDenied: it has a storage state or permissions, and the connection may set neither for a whole context.
      ResourceLimitExceeded: the client has as many pages as it may have.
      NavigationFailed: the URL could not be loaded; the page is closed again.
    """
    if params.storage_state is not None:
        call.check_scope("storage/setState")
    if params.permissions:
        call.check_scope("context/create")
    return await call.browse(
        lambda tabs: tabs.create(
            call.page_id, params, url=params.url, context_id=params.context_id, state=params.storage_state
        )
    )


@attrs.frozen(kw_only=True)
class NavigateParams:
    """The URL, and the load state to wait for."""

    url: str = attrs.field(metadata=navigable())
    wait_until: WaitUntil = "load"
    referer: str | None = None
    observe: FollowingLook | None = None
    """An observation after the load, as after an action; its page and timeout are ignored."""
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("page/navigate", NavigateParams, scope=Scope.STANDARD, step=True, tab=TabState.REVIVED)
async def navigate(tab: "Tab", params: NavigateParams) -> NavigateResult:
    """Load a URL. [asyncio]

    Raises:
      NavigationFailed: nothing could be loaded, or the document was cut off; the next navigation works.
      Timeout: it was not loaded in time; the load is stopped.
    """
    return await tab.navigation.navigate(params.url, params.wait_until, params.referer)


@attrs.frozen(kw_only=True)
class MoveParams:
    """A page, and the load state to wait for."""

    wait_until: WaitUntil = "load"
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("page/reload", MoveParams, scope=Scope.STANDARD, step=True, tab=TabState.REVIVED)
async def reload(tab: "Tab", params: MoveParams) -> MoveResult:
    """Load the page again, in a new process if it has crashed. [asyncio]"""
    return await tab.navigation.reload(params.wait_until)


@page_method("page/goBack", MoveParams, scope=Scope.STANDARD, step=True)
async def go_back(tab: "Tab", params: MoveParams) -> MoveResult:
    """Go to the page before in the history. [asyncio]"""
    return await tab.navigation.go_back(params.wait_until)


@page_method("page/goForward", MoveParams, scope=Scope.STANDARD, step=True)
async def go_forward(tab: "Tab", params: MoveParams) -> MoveResult:
    """Go to the page after in the history. [asyncio]"""
    return await tab.navigation.go_forward(params.wait_until)


@attrs.frozen(kw_only=True)
class WaitForParams:
    """Exactly one condition: words, words that go, a URL, an element's state, rest, or time."""

    own_clock: ClassVar[bool] = True

    text: str | None = field(default=None, minimum=1, maximum=1000)
    """Words that are visible in some frame, regardless of case and spacing."""
    text_gone: str | None = field(default=None, minimum=1, maximum=1000)
    """Words that no frame shows."""
    url: str | None = field(default=None, minimum=1, maximum=1000)
    """URL of the page: a glob if it has a ``*``, otherwise a part of the URL. Only a part with ``?``, ``#``, ``&`` or
    ``=`` may be one of the query or the fragment."""
    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    state: WaitState | None = None
    """State of the selector's element; ``visible`` when absent."""
    idle: bool = False
    """True to wait until the page has settled, as a look does."""
    duration_ms: int | None = field(default=None, wire="duration", minimum=1, maximum=20_000)
    """Time to wait, whatever the page does; ``timeout`` does not bound it."""
    page_id: str | None = None
    timeout_ms: int = field(default=5000, wire="timeout", minimum=1, maximum=300_000)

    @property
    def condition(self) -> tuple[str, Any]:
        """Return the name and the value of the condition."""
        return self._conditions()[0]

    def check(self) -> None:
        """Reject anything but exactly one condition, and a state without a selector."""
        given = [name for name, _ in self._conditions()]
        if len(given) != 1:
            expected = "exactly one of text, textGone, url, selector, idle, duration"
            got = ", ".join(given) or "none of them"
            raise InvalidParams(f"params must hold {expected}, got {got}.", path="params", expected=expected, got=got)
        if self.state is not None and self.selector is None:
            raise InvalidParams(
                "selector must be there for a state.", path="selector", expected="a selector", got="nothing"
            )
        globs.check(self.url or "")

    def _conditions(self) -> list[tuple[str, Any]]:
        values = {
            "text": self.text,
            "textGone": self.text_gone,
            "url": self.url,
            "selector": self.selector,
            "idle": self.idle or None,
            "duration": self.duration_ms,
        }
        return [(name, value) for name, value in values.items() if value is not None]


@page_method("page/waitFor", WaitForParams, scope=Scope.READONLY, step=True)
async def wait_for(tab: "Tab", params: WaitForParams) -> WaitForResult:
    """Wait until the page meets a condition. [asyncio]

    Raises:
      Timeout: it was not met in time; the details name the condition, and what was there instead.
    """
    return WaitForResult(outcome="met", elapsed_ms=await tab.wait_for_condition(params))


@attrs.frozen(kw_only=True)
class PageCloseParams:
    """A page to close, with or without its ``beforeunload`` handlers."""

    page_id: str | None = None
    run_before_unload: bool = False


@composite("page/close", PageCloseParams, scope=Scope.STANDARD, free=True)
async def close(call: "Call", params: PageCloseParams) -> Nothing:
    """Close a page; whatever runs on it ends in TargetClosed. [trio]"""
    await call.browse(lambda tabs: tabs.close_page(params.page_id, run_before_unload=params.run_before_unload))
    return Nothing()


@attrs.frozen(kw_only=True)
class PageListParams:
    """No parameters."""


@attrs.frozen(kw_only=True)
class PageListResult:
    """The client's pages in order of opening; requests without a pageId act on ``active_page``."""

    pages: list[ListedPage]
    active_page: str | None = None


@composite("page/list", PageListParams, scope=Scope.READONLY, free=True)
async def list_pages(call: "Call", params: PageListParams) -> PageListResult:
    """List the client's pages; never waits for a busy page. [trio]"""
    pages = await call.browse(lambda tabs: tabs.describe())
    session = call.session
    return PageListResult(pages=pages, active_page=None if session.active == session.fresh else session.active)


@attrs.frozen(kw_only=True)
class ActivateParams:
    """The page for later requests without a pageId."""

    page_id: str = attrs.field(metadata=constraints(minimum=1))


@page_method("page/activate", ActivateParams, scope=Scope.READONLY, focus=True, tab=TabState.ALIVE)
async def activate(tab: "Tab", params: ActivateParams) -> Nothing:
    """Make a page the active one and bring it to the front. [asyncio]"""
    await tab.bring_to_front()
    return Nothing()
