"""Frames that come, go elsewhere, and leave, as events."""

from typing import TYPE_CHECKING, Literal

from playwright.async_api import Frame

from agentbrowser.protocol.types.event import FrameEvent

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


def attached(tab: "Tab", frame: Frame) -> None:
    """Report a new frame."""
    _report(tab, frame, "attached")


def navigated(tab: "Tab", frame: Frame) -> None:
    """Report that a frame shows another document, or another part of it."""
    _report(tab, frame, "navigated")


def detached(tab: "Tab", frame: Frame) -> None:
    """Report that a frame is gone."""
    _report(tab, frame, "detached")


def _report(tab: "Tab", frame: Frame, type_: Literal["attached", "navigated", "detached"]) -> None:
    frame_id = tab.tabs.frame_ids.of(frame)
    tab.emit(FrameEvent(type=type_, page_id=tab.id, frame_id=frame_id, url=frame.url, name=frame.name or None))
