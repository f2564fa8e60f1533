"""Detection of a page's changes of its storage: one event of a session after each arming, and none of its flood."""

import asyncio
from collections.abc import Callable
from typing import Any

import attrs

from agentbrowser.browser.events.storage_changes import StorageChanges


@attrs.define(eq=False)
class FakeTab:
    """A tab, which is its own session, its client's tabs, contexts and snapshots."""

    sent: list[str] = attrs.field(factory=list)
    of_processes: list["FakeTab"] = attrs.field(factory=list)
    """Sessions of frames in other processes."""
    calls: list[str] = attrs.field(factory=list)
    """Functions that were called in the page."""
    on_cookies_changed: Callable[[], None] | None = None
    main_frame: None = None
    listeners: dict[str, Callable[[Any], None]] = attrs.field(factory=dict)
    is_chromium: bool = True
    changes: int = 0

    def __getattr__(self, name: str) -> "FakeTab":
        assert name in ("tabs", "contexts", "snapshots", "frame_sessions", "isolated_worlds", "notices", "page")
        return self

    def of(self, frame: None) -> "FakeTab":
        return self

    async def call(self, function: str) -> None:
        self.calls.append(function)

    async def cdp(self) -> "FakeTab":
        return self

    def on(self, event: str, listener: Callable[[Any], None]) -> None:
        assert event not in self.listeners
        self.listeners[event] = listener

    async def send(self, command: str) -> None:
        self.sent.append(command)

    def run_in_background(self, work: Any) -> Any:
        return asyncio.ensure_future(work)

    def note_change(self) -> None:
        self.changes += 1


def test_the_first_change_is_reported_and_switches_the_events_off_until_the_next_read() -> None:
    async def go() -> None:
        tab: Any = FakeTab()
        changes = StorageChanges(tab)
        for round_ in (1, 2):
            await changes.arm()
            await changes.arm()  # a read without a change before it
            assert tab.sent == ["DOMStorage.enable", "DOMStorage.disable"] * (round_ - 1) + ["DOMStorage.enable"]
            for event in ("Updated", "Added", "Removed", "sCleared"):
                tab.listeners[f"DOMStorage.domStorageItem{event}"]({})
            await asyncio.sleep(0)
            assert (tab.changes, tab.sent.count("DOMStorage.disable")) == (round_, round_)

    asyncio.run(go())


def test_frames_in_other_processes_and_cookies_are_covered() -> None:
    async def go() -> None:
        frame = FakeTab()
        tab: Any = FakeTab(of_processes=[frame])
        changes = StorageChanges(tab)
        await changes.arm()
        assert (frame.sent, tab.calls) == (["DOMStorage.enable"], ["noticeCookies"])
        frame.listeners["DOMStorage.domStorageItemAdded"]({})
        await asyncio.sleep(0)
        assert (tab.changes, frame.sent[1:], tab.sent) == (1, ["DOMStorage.disable"], ["DOMStorage.enable"])
        tab.on_cookies_changed()
        assert tab.changes == 2

    asyncio.run(go())


def test_nothing_is_sent_to_a_browser_without_the_events() -> None:
    tab: Any = FakeTab(is_chromium=False)
    asyncio.run(StorageChanges(tab).arm())
    assert tab.sent == []
