"""The sessionStorage of a tab, for the origins of its documents."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urlsplit

import attrs
from playwright.async_api import CDPSession, Error, Frame

from agentbrowser.browser import faults
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.types.storage import MAX_ORIGINS

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

Items = Mapping[str, str]

# Runs before the page's own scripts, so that the page can't have replaced the functions that it calls.
_SEED_SCRIPT: Final = (
    "if (self.origin === {origin}) for (const [name, value] of {items}) sessionStorage.setItem(name, value)"
)
# A page answers no questions about its storage while it waits for the response that becomes its next document.
_ANSWER_S: Final = 3.0


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
    origins: set[str] = attrs.field(factory=set)
    """Origins that the documents of its context have had; it adds its own."""
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
            script = _SEED_SCRIPT.format(origin=literal(origin), items=literal(list(values.items())))
            with faults.mapped():
                self._seeded[origin] = (await self.tab.page.add_init_script(script)).close

    def _on_navigated(self, frame: Frame) -> None:
        """Note the reached origin, and remove its seed: on the next load it would overwrite the page's changes."""
        origin = origin_of(frame.url)
        if origin and len(self.origins) < MAX_ORIGINS:
            self.origins.add(origin)
        if origin in self._seeded:
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


def literal(value: Any) -> str:
    return wire.dump(value).decode()
