"""Screencast of a page whose browser drops frames, as Chromium does while two are under way."""

import asyncio
import base64
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from agentbrowser.browser.live.screencast import Picture, Screencast


class Chromium:
    """Stands in for a CDP session: at most two frames are under way, and changes beyond them are dropped."""

    def __init__(self) -> None:
        self.color = "green"
        self.under_way: list[int] = []
        self.sent = 0
        self.starts = 0
        self.on_frame: Any = None
        self.on_command: Any = None

    async def send(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        match method:
            case "Page.startScreencast":
                self.under_way = []
                self.starts += 1
                self.paint(self.color)
            case "Page.screencastFrameAck":
                self.under_way = [number for number in self.under_way if number != params["sessionId"]]
        self.on_command()
        await asyncio.sleep(0)
        return {}

    def paint(self, color: str) -> None:
        self.color = color
        if len(self.under_way) < 2:
            self.sent += 1
            self.under_way.append(self.sent)
            size = {"deviceWidth": 100, "deviceHeight": 100}
            data = base64.b64encode(color.encode()).decode()
            self.on_frame({"sessionId": self.sent, "data": data, "metadata": size})


class Cast:
    """A screencast, its browser, and the colors that a watcher gets."""

    def __init__(self) -> None:
        self.chromium = Chromium()
        pause = asyncio.Event()
        pause.set()
        pauses = SimpleNamespace(pause=pause, work=asyncio.Event(), on_work=None)
        tab = SimpleNamespace(
            id="p1",
            page=SimpleNamespace(is_closed=lambda: False),
            secrets=SimpleNamespace(used=False),
            hold=SimpleNamespace(is_acted_on=False),
        )
        self.seen: list[str] = []
        self.changed = asyncio.Event()
        self.chromium.on_command = self.changed.set
        self.screencast = Screencast(tab, pauses, self.deliver)  # type: ignore[arg-type]
        self.screencast.session = self.chromium  # type: ignore[assignment]
        self.chromium.on_frame = self.screencast._on_frame

    def deliver(self, picture: Picture) -> None:
        self.seen.append(picture.jpeg.decode())
        self.changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition, which can only become true with a picture or a command."""
        while not condition():
            self.changed.clear()
            await asyncio.wait_for(self.changed.wait(), 30)

    async def sees(self, color: str) -> None:
        await self.until(lambda: self.seen[-1:] == [color])


@pytest.fixture(autouse=True)
def chromium_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    async def send(session: Chromium, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await session.send(method, params)

    monkeypatch.setattr("agentbrowser.browser.engine.vendor.send", send)


@pytest.mark.parametrize("shown", [["yellow", "green", "red"], ["yellow", "blue", "red"], ["green", "green", "red"]])
def test_the_last_change_is_seen_whatever_the_frames_before_it_show(shown: list[str]) -> None:
    async def watch() -> None:
        cast = Cast()
        running = asyncio.create_task(cast.screencast._run())
        await cast.sees("green")
        await cast.until(lambda: not cast.chromium.under_way)
        for color in shown:  # the browser drops the third
            cast.chromium.paint(color)
        await cast.sees("red")
        running.cancel()

    asyncio.run(watch())


def test_a_page_at_rest_costs_one_more_start_after_a_change() -> None:
    async def watch() -> None:
        cast = Cast()
        running = asyncio.create_task(cast.screencast._run())
        await cast.sees("green")
        assert cast.chromium.starts == 1
        await cast.until(lambda: not cast.chromium.under_way)
        cast.chromium.paint("blue")
        await cast.sees("blue")
        await cast.until(lambda: cast.chromium.starts == 2 and not cast.chromium.under_way)
        assert not cast.screencast._may_lack_last
        assert cast.seen == ["green", "blue"]
        running.cancel()

    asyncio.run(watch())
