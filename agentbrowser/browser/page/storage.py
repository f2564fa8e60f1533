"""What one context keeps of the sites it has seen: cookies, localStorage, and the sessionStorage of its tabs."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import Error

from agentbrowser.browser import faults
from agentbrowser.browser.page.session_storage import Items
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.storage import Cookie, OriginState, StorageItem, StorageState

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context

_EXPIRED_S: Final = 1
_BROWSER_SESSION: Final = -1
"""The expiry of a cookie that has none."""


@attrs.define(eq=False)
class Storage:
    """The storage of one context. No origin is visited for it: what must be a document of theirs is one of ours."""

    context: "Context"
    session_items: Mapping[str, Items] = attrs.field(factory=dict, init=False)
    """The sessionStorage by origin that tabs get which are opened from now on."""
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)

    async def state(self) -> StorageState:
        """Return all of it; of sessionStorage, what open documents have (of several tabs, the last's). [asyncio]"""
        with faults.mapped():
            stored: Any = await self.context.browser_context.storage_state()
        local = {one["origin"]: _named(one["localStorage"]) for one in stored["origins"]}
        session: dict[str, dict[str, str]] = {}
        for tab in self.context.open_tabs:
            for origin, items in (await tab.session_storage.read()).items():
                session.setdefault(origin, {}).update(items)
        origins = (
            OriginState(
                origin=origin,
                local_storage=_listed(local.get(origin, {})),
                session_storage=_listed(session.get(origin, {})) or None,
            )
            for origin in sorted(local.keys() | session.keys())
        )
        kept = [one for one in origins if one.local_storage or one.session_storage]
        return StorageState(cookies=[_read(cookie) for cookie in stored["cookies"]], origins=kept)

    async def replace(self, state: StorageState, path: str = "state") -> None:
        """Keep this and nothing else, databases and caches included. [asyncio]

        Raises:
          InvalidParams: the browser refuses a cookie; nothing has changed.
        """
        local = _by_origin((one.origin, one.local_storage) for one in state.origins)
        origins = [{"origin": origin, "localStorage": unstructure(_listed(items))} for origin, items in local.items()]
        async with self._lock:
            # They are set twice: what the browser refuses of them it must refuse before anything is removed.
            await self.set_cookies(state.cookies, f"{path}.cookies")
            everything: Any = {"cookies": list(map(_for_playwright, state.cookies)), "origins": origins}
            with faults.mapped():
                await self.context.browser_context.set_storage_state(everything)
            self.session_items = _by_origin((one.origin, one.session_storage or ()) for one in state.origins)
            for tab in self.context.open_tabs:
                await tab.session_storage.replace(self.session_items)

    async def cookies(self, urls: list[str] | None) -> list[Cookie]:
        """Return the cookies that these URLs get, or all. [asyncio]"""
        return [_read(cookie) for cookie in await self._cookies(urls)]

    async def set_cookies(self, cookies: list[Cookie], path: str = "cookies") -> None:
        """Set cookies beside those that are there, all or none. [asyncio]

        Raises:
          InvalidParams: the browser refuses one.
        """
        try:
            await self._add(map(_for_playwright, cookies))
        except InvalidParams as refused:
            raise refused.with_details(path=path) from None

    async def clear_cookies(self, urls: list[str] | None) -> None:
        """Remove the cookies that these URLs get, or all. [asyncio]"""
        if urls is None:
            with faults.mapped():
                await self.context.browser_context.clear_cookies()
            return
        # They expire, since Playwright's removal of some takes all away for a moment, and pages would see that.
        await self._add({**cookie, "expires": _EXPIRED_S} for cookie in await self._cookies(urls))

    async def _cookies(self, urls: list[str] | None) -> list[Any]:
        if urls is not None and not urls:
            return []  # to Playwright, no URLs are all URLs
        with faults.mapped():
            return list(await self.context.browser_context.cookies(urls))

    async def _add(self, cookies: Iterable[Any]) -> None:
        try:
            await self.context.browser_context.add_cookies(list(cookies))
        except Error as error:
            if "Invalid cookie fields" not in str(error):
                raise faults.translate(error) from error
            raise InvalidParams("The browser refuses one of the cookies.", expected="cookies of a browser") from None


def _for_playwright(cookie: Cookie) -> dict[str, Any]:
    domain, path = cookie.site
    plain = {**unstructure(cookie), "domain": domain, "path": path, "secure": cookie.is_secure}
    plain.pop("url", None)
    return plain


def _read(cookie: Mapping[str, Any]) -> Cookie:
    expires = None if cookie["expires"] == _BROWSER_SESSION else cookie["expires"]
    return structure(Cookie, {**cookie, "expires": expires})


def _by_origin(areas: Iterable[tuple[str, Iterable[StorageItem]]]) -> dict[str, dict[str, str]]:
    """Return the items of each origin, of which there may be several entries, less the origins without any."""
    merged: dict[str, dict[str, str]] = {}
    for origin, items in areas:
        merged.setdefault(origin, {}).update((item.name, item.value) for item in items)
    return {origin: items for origin, items in merged.items() if items}


def _named(items: Iterable[Mapping[str, str]]) -> dict[str, str]:
    return {item["name"]: item["value"] for item in items}


def _listed(items: Items) -> list[StorageItem]:
    return [StorageItem(name=name, value=value) for name, value in items.items()]
