"""The sessionStorage of one tab. Every tab has its own, with an area for each origin that its documents come from."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol
from urllib.parse import urlsplit

import attrs
from playwright.async_api import CDPSession, Error, Frame

from agentbrowser.browser import faults
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.protocol import wire

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab

Items = Mapping[str, str]

# It runs before the page's own scripts, so nothing that it calls can be the page's.
_SEED_SCRIPT: Final = (
    "if (self.origin === {origin}) for (const [name, value] of {items}) sessionStorage.setItem(name, value)"
)


class StorageArea(Protocol):
    """What is used here of Playwright's ``WebStorage``, which shows the area of a page's own document."""

    async def items(self) -> Any:
        """Return the names and values."""

    async def clear(self) -> None:
        """Remove all."""

    async def set_item(self, name: str, value: str) -> None:
        """Set one value."""


@attrs.frozen
class FrameStorageArea(StorageArea):
    """The area of an origin, by a session that has a frame of it. No script of the page takes part."""

    session: CDPSession
    origin: str

    async def items(self) -> list[dict[str, str]]:
        """Return the names and values. [asyncio]"""
        return [{"name": name, "value": value} for name, value in (await self._send("getDOMStorageItems"))["entries"]]

    async def clear(self) -> None:
        """Remove all. [asyncio]"""
        await self._send("clear")

    async def set_item(self, name: str, value: str) -> None:
        """Set one value. [asyncio]"""
        await self._send("setDOMStorageItem", key=name, value=value)

    async def _send(self, command: str, **params: str) -> dict[str, Any]:
        storage_id = {"securityOrigin": self.origin, "isLocalStorage": False}
        answer: dict[str, Any] = await self.session.send(f"DOMStorage.{command}", {"storageId": storage_id, **params})
        return answer


@attrs.define(eq=False)
class SessionStorage:
    """What one tab holds, of the origins that its documents have now: the rest is out of everybody's reach."""

    tab: "Tab"
    _seeded: dict[str, Callable[[], Awaitable[None]]] = attrs.field(factory=dict, init=False)
    """For each origin that the tab is yet to come to, what takes back the script that waits for it."""

    def __attrs_post_init__(self) -> None:
        self.tab.page.on("framenavigated", safe_listener(self._on_navigated))

    async def read(self) -> dict[str, Items]:
        """Return the items by origin. [asyncio]"""
        read: dict[str, Items] = {}
        async with self._areas() as areas:
            for origin, area in areas.items():
                with contextlib.suppress(Error):  # the document went away, or may not store
                    read[origin] = {item["name"]: item["value"] for item in await area.items()}
        return read

    async def replace(self, items: Mapping[str, Items]) -> None:
        """Hold these items by origin and no others: now where a document is open, later where one comes. [asyncio]"""
        async with self._areas() as areas:
            for origin, area in areas.items():
                with contextlib.suppress(Error):
                    await _fill(area, items.get(origin, {}))
        await self.seed({origin: items[origin] for origin in items.keys() - areas.keys()})

    async def seed(self, items: Mapping[str, Items]) -> None:
        """Have items set when the tab first comes to their origin, and take back what was sown before. [asyncio]"""
        for origin in list(self._seeded):
            await self._remove_seed(origin)
        for origin, those in items.items():
            script = _SEED_SCRIPT.format(origin=_literal(origin), items=_literal(list(those.items())))
            with faults.mapped():
                self._seeded[origin] = (await self.tab.page.add_init_script(script)).close

    def _on_navigated(self, frame: Frame) -> None:
        """Take back the script of an origin that is reached: it would undo what the page does from now on."""
        if (origin := origin_of(frame.url)) in self._seeded:
            self.tab.tabs.run_in_background(self._remove_seed(origin))

    async def _remove_seed(self, origin: str) -> None:
        remove = self._seeded.pop(origin, None)
        if remove is not None:
            with contextlib.suppress(Error):  # it goes with its page
                await remove()

    @contextlib.asynccontextmanager
    async def _areas(self) -> AsyncIterator[dict[str, StorageArea]]:
        """Give the areas of the open documents by origin; other engines than Chromium show that of the page only."""
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
        """Return the session of the process that the frame lives in: its own, or that of its parent."""
        parent = frame.parent_frame
        if parent is None:
            return await self.tab.cdp()
        try:
            session = await self.tab.page.context.new_cdp_session(frame)
        except Error:  # it has none of its own
            return sessions[parent]
        stack.push_async_callback(_detach, session)
        return session


def origin_of(url: str) -> str:
    """Return the origin of a document's URL; empty if it can't have storage of its own."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else ""


async def _fill(area: StorageArea, items: Items) -> None:
    await area.clear()
    for name, value in items.items():
        await area.set_item(name, value)


async def _detach(session: CDPSession) -> None:
    with contextlib.suppress(Error):  # its frame may be gone
        await session.detach()


def _literal(value: Any) -> str:
    return wire.dump(value).decode()
