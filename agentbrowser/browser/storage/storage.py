"""Storage of one context: cookies, localStorage, databases, and the sessionStorage of its tabs."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import Error, Page, Route

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import close_quietly
from agentbrowser.browser.storage.databases import SavedDatabases, restore_databases, save_databases
from agentbrowser.browser.storage.session_storage import Items, literal, origin_of
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import ActionFailed, InvalidParams
from agentbrowser.protocol.types.storage import Cookie, Database, OriginState, StorageItem, StorageState

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context

# A page calls it with the items of its own origin, as JSON: Playwright takes 80 ms to convert 5,000.
_FILL_SCRIPT: Final = "items => { for (const [name, value] of JSON.parse(items)) localStorage.setItem(name, value) }"
_EVERY_ORIGIN: Final = {"origin": "*", "storageTypes": "all"}
_EXPIRED_S: Final = 1
# Playwright's name: without it, a cookie that a page set for itself comes back as one of an embedded page.
_ANCESTOR: Final = "_crHasCrossSiteAncestor"


@attrs.define(eq=False)
class Storage:
    """Storage of one context. No origin is visited: a document that one needs is served locally."""

    context: "Context"
    session_items: Mapping[str, Items] = attrs.field(factory=dict, init=False)
    """Items of sessionStorage by origin for tabs that are opened later."""
    origins: set[str] = attrs.field(factory=set, init=False)
    """Origins that its documents have had, which may have databases."""
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)

    async def state(self, *, with_databases: bool = False) -> StorageState:
        """Return the whole state, with the sessionStorage of open documents; the last tab wins. [asyncio]"""
        with faults.mapped():
            stored: Any = await self.context.browser_context.storage_state()
        local = {one["origin"]: _items_by_name(one["localStorage"]) for one in stored["origins"]}
        session: dict[str, dict[str, str]] = {}
        for read in await asyncio.gather(*(tab.session_storage.read() for tab in self.context.open_tabs)):
            for origin, items in read.items():
                session.setdefault(origin, {}).update(items)
        databases = SavedDatabases()
        if with_databases and (visited := sorted(local.keys() | self.origins)):
            with faults.mapped():
                async with self.context.tabs.opening, self._local_page() as page:
                    await self._bypass_service_workers(page)
                    databases = await save_databases(page, visited)
        origins = (
            OriginState(
                origin=origin,
                local_storage=_item_list(local.get(origin, {})),
                session_storage=_item_list(session.get(origin, {})) or None,
                indexed_db=databases.saved.get(origin) or None,
            )
            for origin in sorted(local.keys() | session.keys() | databases.saved.keys())
        )
        return StorageState(
            cookies=[_cookie(cookie) for cookie in stored["cookies"]],
            origins=[one for one in origins if one.local_storage or one.session_storage or one.indexed_db],
            unsaved=databases.unsaved or None,
        )

    async def replace(self, state: StorageState, path: str = "state") -> None:
        """Replace the whole state; other databases, and caches, are removed. [asyncio]

        Raises:
          InvalidParams: the browser rejects a cookie; nothing has changed.
          ActionFailed: the browser refuses a database; all else is set.
        """
        refused: list[str] = []
        async with self._lock:
            # Cookies are set twice: the browser must reject bad ones before anything is removed.
            await self.set_cookies(state.cookies, f"{path}.cookies")
            with faults.mapped():
                if self.context.tabs.engine.name == "chromium":
                    refused = await self._replace(state)
                else:
                    local = _by_origin((one.origin, one.local_storage) for one in state.origins)
                    databases = self._databases_in(state)
                    origins = [
                        {
                            "origin": one,
                            "localStorage": unstructure(_item_list(local.get(one, {}))),
                            "indexedDB": unstructure(list(databases.get(one, ()))),
                        }
                        for one in local.keys() | databases.keys()
                    ]
                    everything: Any = {"cookies": list(map(_for_playwright, state.cookies)), "origins": origins}
                    await self.context.browser_context.set_storage_state(everything)
            self.session_items = _by_origin((one.origin, one.session_storage or ()) for one in state.origins)
            replacing = (tab.session_storage.replace(self.session_items) for tab in self.context.open_tabs)
            await asyncio.gather(*replacing)
        _raise_refused(refused)

    async def _replace(self, state: StorageState) -> list[str]:
        """Remove all that sites have stored, and set cookies, localStorage and databases; return refused databases.

        Playwright's own way has each page clear its cache, for which one that waits for its next document has no
        answer, and leaves the Cache API, and what embedded pages and ones that stayed open have stored.
        """
        local = _by_origin((one.origin, one.local_storage) for one in state.origins)
        async with self.context.tabs.opening, self._local_page() as page:
            session = await page.context.new_cdp_session(page)
            await session.send("Storage.clearDataForOrigin", _EVERY_ORIGIN)
            await session.send("Network.clearBrowserCache")
            await self._add(map(_for_playwright, state.cookies))
            await _write(page, local, local)
            return await restore_databases(page, self._databases_in(state))

    @contextlib.asynccontextmanager
    async def _local_page(self) -> AsyncIterator[Page]:
        """Yield a page for empty documents. With `Tabs.opening` held, it is closed before it would count as a popup."""
        page = await self.context.browser_context.new_page()
        try:
            await _serve_locally(page)
            yield page
        finally:
            await close_quietly(page.close())

    async def _bypass_service_workers(self, page: Page) -> None:
        """Have no service worker serve the page a document of its site. Only Chromium can."""
        if self.context.tabs.engine.name == "chromium":
            session = await page.context.new_cdp_session(page)
            await session.send("Network.enable")
            await session.send("Network.setBypassServiceWorker", {"bypass": True})

    def _databases_in(self, state: StorageState) -> Mapping[str, Sequence[Database]]:
        """Return the databases of a state by origin, which counts as one that documents have had."""
        found: dict[str, list[Database]] = {}
        for one in state.origins:
            if one.indexed_db:
                found.setdefault(one.origin, []).extend(one.indexed_db)
        self.origins.update(found)
        return found

    async def fill(self, state: StorageState, path: str = "state", landing: str | None = None) -> Page | None:
        """Set the whole state of a new context, which has neither storage nor pages yet. [asyncio]

        Half of the time of a restored session was Playwright's: it clears the context first, and opens a page that
        writes localStorage, only to close it.

        Args:
          landing: URL that the context's first page will load.

        Returns: the page that wrote localStorage, at an empty document of the origin of ``landing``, so that the load
          needs no other process; None without such a document.

        Raises:
          InvalidParams: the browser rejects a cookie.
          ActionFailed: the browser refuses a database.
        """
        if self.context.tabs.engine.name != "chromium":
            await self.replace(state, path)
            return None
        await self.set_cookies(state.cookies, f"{path}.cookies")
        self.session_items = _by_origin((one.origin, one.session_storage or ()) for one in state.origins)
        if databases := self._databases_in(state):
            with faults.mapped():
                async with self._local_page() as page:
                    refused = await restore_databases(page, databases)
            _raise_refused(refused)
        local = _by_origin((one.origin, one.local_storage) for one in state.origins)
        if not local:
            return None
        last = origin_of(landing or "")
        with faults.mapped():
            page = await self.context.browser_context.new_page()
            await _serve_locally(page)
            await _write(page, local, sorted(local, key=lambda origin: origin == last))
            await page.unroute_all()
        if last in local:
            return page
        await close_quietly(page.close())
        return None

    async def cookies(self, urls: list[str] | None) -> list[Cookie]:
        """Return the cookies for these URLs, or all. [asyncio]"""
        return [_cookie(cookie) for cookie in await self._cookies(urls)]

    async def cookie_digests(self) -> dict[tuple[str, str], bytes]:
        """Return a digest of each cookie's value by its name and site, to find the ones that change. [asyncio]"""
        return {
            (one["name"], f"{one['domain']} {one.get('partitionKey')}"): hashlib.sha256(one["value"].encode()).digest()
            for one in await self._cookies(None)
        }

    async def set_cookies(self, cookies: list[Cookie], path: str = "cookies") -> None:
        """Add cookies, all or none. [asyncio]

        Raises:
          InvalidParams: the browser rejects a cookie.
        """
        try:
            await self._add(map(_for_playwright, cookies))
        except InvalidParams as refused:
            raise refused.with_details(path=path) from None

    async def clear_cookies(self, urls: list[str] | None) -> None:
        """Remove the cookies for these URLs, or all. [asyncio]"""
        if urls is None:
            with faults.mapped():
                await self.context.browser_context.clear_cookies()
            return
        # Expire them: Playwright's selective removal deletes all cookies for a moment, which pages would notice.
        await self._add({**cookie, "expires": _EXPIRED_S} for cookie in await self._cookies(urls))

    async def _cookies(self, urls: list[str] | None) -> list[Any]:
        if urls is not None and not urls:
            return []  # to Playwright, an empty list means all URLs
        with faults.mapped():
            return list(await self.context.browser_context.cookies(urls))

    async def _add(self, cookies: Iterable[Any]) -> None:
        try:
            await self.context.browser_context.add_cookies(list(cookies))
        except Error as error:
            if "Invalid cookie fields" not in str(error):
                raise faults.translate(error) from error
            raise InvalidParams("The browser refuses one of the cookies.", expected="cookies of a browser") from None


async def _serve_locally(page: Page) -> None:
    """Have a page get an empty document for all that it requests: no origin is visited.

    The routes of a page go before those of its context, which the client's intercept rules are.
    """

    async def answer(route: Route) -> None:
        with contextlib.suppress(Error):  # the page is gone
            await route.fulfill(content_type="text/html", body="")

    await page.route("**/*", answer)


async def _write(page: Page, local: Mapping[str, Items], origins: Iterable[str]) -> None:
    """Write localStorage from a page for empty documents, in the order of the origins."""
    for origin in origins:
        await page.goto(origin)
        await page.evaluate(_FILL_SCRIPT, literal(list(local[origin].items())))


def _raise_refused(databases: Sequence[str]) -> None:
    if databases:
        raise ActionFailed(f"Databases of the state can't be restored: {'; '.join(databases)}.")


def _for_playwright(cookie: Cookie) -> dict[str, Any]:
    domain, path = cookie.site
    plain = {**unstructure(cookie), "domain": domain, "path": path, "secure": cookie.is_secure}
    for name in ("url", "hasCrossSiteAncestor"):
        plain.pop(name, None)
    if cookie.partition_key is not None:
        plain[_ANCESTOR] = cookie.is_embedded
    return plain


def _cookie(cookie: Mapping[str, Any]) -> Cookie:
    return structure(Cookie, {**cookie, "hasCrossSiteAncestor": cookie.get(_ANCESTOR)})


def _by_origin(areas: Iterable[tuple[str, Iterable[StorageItem]]]) -> dict[str, dict[str, str]]:
    """Merge entries of the same origin, and return the items by origin, without empty origins."""
    merged: dict[str, dict[str, str]] = {}
    for origin, items in areas:
        merged.setdefault(origin, {}).update((item.name, item.value) for item in items)
    return {origin: items for origin, items in merged.items() if items}


def _items_by_name(items: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {item["name"]: item["value"] for item in items}


def _item_list(items: Items) -> list[StorageItem]:
    return [StorageItem(name=name, value=value) for name, value in items.items()]
