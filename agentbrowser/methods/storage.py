"""storage/*: cookies, web storage and databases of a context, read and set without visiting a site."""

from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeVar

import attrs

from agentbrowser.protocol.registry import Scope, composite
from agentbrowser.protocol.types.fields import constraints, field, milliseconds, url_checked
from agentbrowser.protocol.types.page import Nothing
from agentbrowser.protocol.types.storage import MAX_COOKIES, Cookie, StorageState, check_items

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.storage.storage import Storage
    from agentbrowser.server.corridor.dispatch import Call

T = TypeVar("T")

_MAX_URLS: Final = 100


@attrs.frozen(kw_only=True)
class ContextParams:
    """The context: by its id, else that of the page, else that of the active page."""

    in_context: ClassVar[bool] = True

    context_id: str | None = None
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


async def _with_storage(call: "Call", params: ContextParams, work: "Callable[[Storage], Awaitable[T]]") -> T:
    """Use the storage of the context without opening a page, in the context's lane. [trio]"""

    async def work_and_note(context: "Context") -> T:
        result = await work(context.storage)
        call.session.tabs.contexts.snapshots.note_action()
        return result

    return await call.in_context(params.context_id, work_and_note)


@attrs.frozen(kw_only=True)
class GetStateParams(ContextParams):
    """The context, and what is read of it."""

    indexed_db: bool = field(default=False, wire="indexedDB")
    """Read the databases, too: some sites keep their logins there."""


@composite("storage/getState", GetStateParams, scope=Scope.FULL, reads=True)
async def get_state(call: "Call", params: GetStateParams) -> StorageState:
    """Return the cookies, the localStorage of all origins, and the sessionStorage of open pages. [trio]

    Each tab has its own sessionStorage: of several with the same origin, the tab opened last wins. A page that does not
    answer within 3 s, as it waits for its next document, has the items that were read last. Databases are those of the
    origins that the context's documents have had. `unsaved` lists the ones that are left out: too large, or with values
    that can't be copied.
    """
    return await _with_storage(call, params, lambda storage: storage.state(with_databases=params.indexed_db))


@attrs.frozen(kw_only=True)
class SetStateParams(ContextParams):
    """The new storage of the context."""

    state: StorageState

    @staticmethod
    def check_size(raw: Any) -> None:
        """Reject a state with too many items."""
        check_items(raw.get("state") if isinstance(raw, dict) else None, "state")


@composite("storage/setState", SetStateParams, scope=Scope.FULL)
async def set_state(call: "Call", params: SetStateParams) -> Nothing:
    """Replace the storage of the context, including its databases, caches and service workers. [trio]

    The sessionStorage is set in each tab: at once in open documents of the origin, else before the scripts of the first
    such document. Popups have the sessionStorage that the browser copies to them. Except on Chromium, a tab keeps the
    sessionStorage of origins that it has left. A page that does not answer within 3 s, as it waits for its next
    document, has it set once it answers.

    Raises:
      InvalidParams, DomainNotAllowed: ``path`` names the rejected part; nothing has changed.
      ActionFailed: the browser refuses a database; all else is set.
    """
    await _with_storage(call, params, lambda storage: storage.replace(params.state))
    return Nothing()


@attrs.frozen(kw_only=True)
class CookiesOfParams(ContextParams):
    """URLs that select cookies; all cookies when absent."""

    urls: list[str] | None = attrs.field(default=None, metadata=url_checked("cookies", maximum=_MAX_URLS))


@attrs.frozen(kw_only=True)
class CookiesResult:
    """Cookies, those with the longest path first."""

    cookies: list[Cookie]


@composite("storage/getCookies", CookiesOfParams, scope=Scope.FULL, reads=True)
async def get_cookies(call: "Call", params: CookiesOfParams) -> CookiesResult:
    """Return the cookies that the browser would send to the URLs. [trio]"""
    return CookiesResult(cookies=await _with_storage(call, params, lambda storage: storage.cookies(params.urls)))


@attrs.frozen(kw_only=True)
class SetCookiesParams(ContextParams):
    """Cookies to set."""

    cookies: list[Cookie] = attrs.field(metadata=constraints(maximum=MAX_COOKIES))


@composite("storage/setCookies", SetCookiesParams, scope=Scope.FULL)
async def set_cookies(call: "Call", params: SetCookiesParams) -> Nothing:
    """Add cookies to the existing ones, all or none. [trio]

    Raises:
      InvalidParams, DomainNotAllowed: ``path`` names the rejected cookie; none is set.
    """
    await _with_storage(call, params, lambda storage: storage.set_cookies(params.cookies))
    return Nothing()


@composite("storage/clearCookies", CookiesOfParams, scope=Scope.FULL)
async def clear_cookies(call: "Call", params: CookiesOfParams) -> Nothing:
    """Remove the cookies that the browser would send to the URLs. [trio]"""
    await _with_storage(call, params, lambda storage: storage.clear_cookies(params.urls))
    return Nothing()
