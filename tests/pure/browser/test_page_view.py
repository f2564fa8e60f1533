"""View of a page for the live view: what is left of one that could not be opened."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from agentbrowser.browser.events.taps import EventTaps
from agentbrowser.browser.live.hold import PageHold
from agentbrowser.browser.live.page_view import PageView
from agentbrowser.browser.live.screencast import Screencast
from agentbrowser.protocol.errors import TargetClosed


def test_a_view_whose_screencast_does_not_start_listens_to_nothing_and_can_be_opened_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hold, taps = PageHold(), EventTaps(lambda: None)
    tab = SimpleNamespace(is_chromium=True, hold=hold, crash_signal=SimpleNamespace(is_set=False))
    faults: list[Exception] = [TargetClosed("The page has been closed.", target="page")]

    async def start(_: Screencast) -> None:
        if faults:
            raise faults.pop()

    async def alive(*_: Any) -> Any:
        return tab

    monkeypatch.setattr(Screencast, "start", start)
    tabs: Any = SimpleNamespace(tab=alive, find=lambda _: tab, contexts=SimpleNamespace(taps=taps))
    nothing: Any = lambda *_: None  # noqa: E731 - of every kind of callback
    view = PageView(
        tabs=tabs,
        page_id="page-1",
        on_picture=nothing,
        on_event=nothing,
        on_files_wanted=nothing,
        on_outline=nothing,
        is_wanted=nothing,
    )

    async def run() -> None:
        with pytest.raises(TargetClosed):
            await view.open()
        assert (taps.kinds, hold.listeners, hold.on_target) == (frozenset(), [], None)
        await view.open()
        assert len(hold.listeners) == 1

    asyncio.run(run())
