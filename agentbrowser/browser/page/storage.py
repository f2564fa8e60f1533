"""Storage of one context: cookies, localStorage, and the sessionStorage of its tabs."""

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urlsplit

import attrs
from playwright.async_api import CDPSession, Error, Frame, Page, Route

from agentbrowser.browser import faults
from agentbrowser.browser.background_tasks import close_quietly
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol import wire
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams
from agentbrowser.protocol.types.storage import Cookie, OriginState, StorageItem, StorageState

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.tab import Tab

Items = Mapping[str, str]

# Runs before the page's own scripts, so that the page can't have replaced the functions that it calls.
_SEED_SCRIPT: Final = (
    "if (self.origin === {origin}) for (const [name, value] of {items}) sessionStorage.setItem(name, value)"
)
# A page calls it with the items of its own origin, as JSON: Playwright takes 80 ms to convert 5,000.
_FILL_SCRIPT: Final = "items => { for (const [name, value] of JSON.parse(items)) localStorage.setItem(name, value) }"
_EVERY_ORIGIN: Final = {"origin": "*", "storageTypes": "all"}
_EXPIRED_S: Final = 1
# A page answers no questions about its storage while it waits for the response that becomes its next document.
_ANSWER_S: Final = 3.0
# Playwright's name: without it, a cookie that a page set for itself comes back as one of an embedded page.
_ANCESTOR: Final = "_crHasCrossSiteAncestor"


@attrs.define(eq=False)
class Storage:
    """Storage of one context. No origin is visited: a document that one needs is served locally."""

    context: "Context"
    session_items: Mapping[str, Items] = attrs.field(factory=dict, init=False)
    """Items of sessionStorage by origin for tabs that are opened later."""
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)

    async def state(self) -> StorageState:
        """Return the whole state, with the sessionStorage of open documents; the last tab wins. [asyncio]"""
        with faults.mapped():
            stored: Any = await self.context.browser_context.storage_state()
        local = {one["origin"]: _items_by_name(one["localStorage"]) for one in stored["origins"]}
        session: dict[str, dict[str, str]] = {}
        for read in await asyncio.gather(*(tab.session_storage.read() for tab in self.context.open_tabs)):
            for origin, items in read.items():
                session.setdefault(origin, {}).update(items)
        origins = (
            OriginState(
                origin=origin,
                local_storage=_item_list(local.get(origin, {})),
                session_storage=_item_list(session.get(origin, {})) or None,
            )
            for origin in sorted(local.keys() | session.keys())
        )
        states = [one for one in origins if one.local_storage or one.session_storage]
        return StorageState(cookies=[_cookie(cookie) for cookie in stored["cookies"]], origins=states)

    async def replace(self, state: StorageState, path: str = "state") -> None:
        """Replace the whole state; databases and caches are removed. [asyncio]

        Raises:
          InvalidParams: the browser rejects a cookie; nothing has changed.
        """
        local = _by_origin((one.origin, one.local_storage) for one in state.origins)
        async with self._lock:
            # Cookies are set twice: the browser must reject bad ones before anything is removed.
            await self.set_cookies(state.cookies, f"{path}.cookies")
            with faults.mapped():
                if self.context.tabs.engine.name == "chromium":
                    await self._replace(state.cookies, local)
                else:
                    origins = [{"origin": one, "localStorage": unstructure(_item_list(local[one]))} for one in local]
                    everything: Any = {"cookies": list(map(_for_playwright, state.cookies)), "origins": origins}
                    await self.context.browser_context.set_storage_state(everything)
            self.session_items = _by_origin((one.origin, one.session_storage or ()) for one in state.origins)
            replacing = (tab.session_storage.replace(self.session_items) for tab in self.context.open_tabs)
            await asyncio.gather(*replacing)

    async def _replace(self, cookies: list[Cookie], local: Mapping[str, Items]) -> None:
        """Remove all that sites have stored, and set cookies and localStorage.

        Playwright's own way has each page clear its cache, for which one that waits for its next document has no
        answer, and leaves the Cache API, and what embedded pages and ones that stayed open have stored.
        """
        async with self.context.tabs.opening:  # so that the page is closed before it would count as a popup
            page = await self.context.browser_context.new_page()
            try:
                session = await page.context.new_cdp_session(page)
                await session.send("Storage.clearDataForOrigin", _EVERY_ORIGIN)
                await session.send("Network.clearBrowserCache")
                await self._add(map(_for_playwright, cookies))
                await _write(page, local, local)
            finally:
                await close_quietly(page.close())

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
        """
        if self.context.tabs.engine.name != "chromium":
            await self.replace(state, path)
            return None
        await self.set_cookies(state.cookies, f"{path}.cookies")
        self.session_items = _by_origin((one.origin, one.session_storage or ()) for one in state.origins)
        local = _by_origin((one.origin, one.local_storage) for one in state.origins)
        if not local:
            return None
        last = origin_of(landing or "")
        with faults.mapped():
            page = await self.context.browser_context.new_page()
            await _write(page, local, sorted(local, key=lambda origin: origin == last))
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


async def _write(page: Page, local: Mapping[str, Items], origins: Iterable[str]) -> None:
    """Write localStorage from empty documents, which are served for all that the page requests: no origin is visited.

    The routes of a page go before those of its context, which the client's intercept rules are.
    """

    async def answer(route: Route) -> None:
        with contextlib.suppress(Error):  # the page is gone
            await route.fulfill(content_type="text/html", body="")

    await page.route("**/*", answer)
    for origin in origins:
        await page.goto(origin)
        await page.evaluate(_FILL_SCRIPT, _literal(list(local[origin].items())))
    await page.unroute_all()


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


class StorageArea(Protocol):
    """The part of Playwright's ``WebStorage`` that is used here: the storage area of a page's own document."""

    async def items(self) -> Any:
        """Return the names and values."""

    async def clear(self) -> None:
        """Remove all items."""

    async def set_item(self, name: str, value: str) -> None:
        """Set one item."""


@attrs.frozen
class FrameStorageArea(StorageArea):
    """Storage area of an origin, accessed by CDP through a frame of that origin, without any script of the page."""

    session: CDPSession
    origin: str

    async def items(self) -> list[dict[str, str]]:
        """Return the names and values. [asyncio]"""
        return [{"name": name, "value": value} for name, value in (await self._send("getDOMStorageItems"))["entries"]]

    async def clear(self) -> None:
        """Remove all items. [asyncio]"""
        await self._send("clear")

    async def set_item(self, name: str, value: str) -> None:
        """Set one item. [asyncio]"""
        await self._send("setDOMStorageItem", key=name, value=value)

    async def _send(self, command: str, **params: str) -> dict[str, Any]:
        storage_id = {"securityOrigin": self.origin, "isLocalStorage": False}
        answer: dict[str, Any] = await self.session.send(f"DOMStorage.{command}", {"storageId": storage_id, **params})
        return answer


@attrs.define(eq=False)
class SessionStorage:
    """Items of one tab for the origins of its current documents; other origins are out of reach."""

    tab: "Tab"
    _latest: Mapping[str, Items] = attrs.field(factory=dict, init=False)
    """Items that were read last, by origin."""
    _seeded: dict[str, Callable[[], Awaitable[None]]] = attrs.field(factory=dict, init=False)
    """Functions that remove the init script of each seeded origin, until the tab reaches it."""

    def __attrs_post_init__(self) -> None:
        self.tab.page.on("framenavigated", safe_listener(self._on_navigated))

    async def read(self) -> Mapping[str, Items]:
        """Return the items by origin; those that were read last while the page does not answer. [asyncio]"""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_ANSWER_S):
                self._latest = await self._read()
        return self._latest

    async def _read(self) -> dict[str, Items]:
        read: dict[str, Items] = {}
        async with self._areas() as areas:
            for origin, area in areas.items():
                with contextlib.suppress(Error):  # the document is gone, or must not store
                    read[origin] = {item["name"]: item["value"] for item in await area.items()}
        return read

    async def replace(self, items: Mapping[str, Items]) -> None:
        """Replace all items: now in open documents, and on arrival for other origins. [asyncio]

        A page that does not answer, as it waits for its next document, has them replaced once it answers.
        """
        replacing = asyncio.ensure_future(self._replace(items))
        try:
            done, _ = await asyncio.wait([replacing], timeout=_ANSWER_S)
        except asyncio.CancelledError:
            replacing.cancel()
            raise
        if done:
            await replacing
        else:
            self.tab.tabs.run_in_background(_finish(replacing))

    async def _replace(self, items: Mapping[str, Items]) -> None:
        async with self._areas() as areas:
            for origin, area in areas.items():
                with contextlib.suppress(Error):
                    await _fill(area, items.get(origin, {}))
        await self.seed({origin: items[origin] for origin in items.keys() - areas.keys()})

    async def seed(self, items: Mapping[str, Items]) -> None:
        """Set items when the tab first reaches their origin; replaces earlier seeds. [asyncio]"""
        for origin in list(self._seeded):
            await self._remove_seed(origin)
        for origin, values in items.items():
            script = _SEED_SCRIPT.format(origin=_literal(origin), items=_literal(list(values.items())))
            with faults.mapped():
                self._seeded[origin] = (await self.tab.page.add_init_script(script)).close

    def _on_navigated(self, frame: Frame) -> None:
        """Remove the seed of a reached origin: on the next load it would overwrite the page's changes."""
        if (origin := origin_of(frame.url)) in self._seeded:
            self.tab.tabs.run_in_background(self._remove_seed(origin))

    async def _remove_seed(self, origin: str) -> None:
        remove = self._seeded.pop(origin, None)
        if remove is not None:
            with contextlib.suppress(Error):  # it goes with its page
                await remove()

    @contextlib.asynccontextmanager
    async def _areas(self) -> AsyncIterator[dict[str, StorageArea]]:
        """Yield the storage areas of open documents by origin; except on Chromium, of the main frame only."""
        page = self.tab.page
        areas: dict[str, StorageArea] = {}
        async with contextlib.AsyncExitStack() as stack:
            sessions: dict[Frame, CDPSession] = {}
            for frame in page.frames:
                origin = origin_of(frame.url)
                if self.tab.is_chromium:
                    sessions[frame] = session = await self._session(frame, sessions, stack)
                    areas.setdefault(origin, FrameStorageArea(session, origin))
                elif frame is page.main_frame:
                    areas[origin] = page.session_storage
            areas.pop("", None)
            yield areas

    async def _session(
        self, frame: Frame, sessions: Mapping[Frame, CDPSession], stack: contextlib.AsyncExitStack
    ) -> CDPSession:
        """Return the session of the frame's process: its own, or that of its parent."""
        parent = frame.parent_frame
        if parent is None:
            return await self.tab.cdp()
        try:
            session = await self.tab.page.context.new_cdp_session(frame)
        except Error:  # the frame has no session of its own
            return sessions[parent]
        stack.push_async_callback(_detach, session)
        return session


def origin_of(url: str) -> str:
    """Return the origin of a document's URL; empty if it can't have storage."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""


async def _fill(area: StorageArea, items: Items) -> None:
    await area.clear()
    for name, value in items.items():
        await area.set_item(name, value)


async def _finish(replacing: Awaitable[None]) -> None:
    with contextlib.suppress(Error, AgentBrowserError):  # the page is gone
        await replacing


async def _detach(session: CDPSession) -> None:
    with contextlib.suppress(Error):  # its frame may be gone
        await session.detach()


def _literal(value: Any) -> str:
    return wire.dump(value).decode()
