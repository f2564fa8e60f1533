"""CDP ids of frames, and what a question about them leaves behind."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import attrs
from playwright.async_api import Error

from agentbrowser.browser.page.frame_sessions import FrameSession, FrameSessions

FRAME_IDS = ("first", "second")


@attrs.define(eq=False)
class FakeFrame:
    """A frame as Playwright knows it; it receives probe events."""

    url: str
    parent_frame: "FakeFrame | None" = None
    page: Any = None
    name: str = ""
    received: list[str] = attrs.field(factory=list)

    async def evaluate(self, _: str, event: str) -> None:
        self.received.append(event)


@attrs.define(eq=False)
class FakeSession:
    """A CDP session of a page with two child frames."""

    children: list[FakeFrame]
    on_tree: Callable[[], None] = lambda: None
    listeners: list[Callable[[Any], None]] = attrs.field(factory=list)

    def on(self, _: str, listener: Callable[[Any], None]) -> None:
        self.listeners.append(listener)

    def remove_listener(self, _: str, listener: Callable[[Any], None]) -> None:
        self.listeners.remove(listener)

    async def send(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        params = params or {}
        match method:
            case "Runtime.enable":
                data = {"isDefault": True, "type": "default", "frameId": "first"}
                for listener in self.listeners:
                    listener({"context": {"id": 7, "auxData": data}})
            case "Page.getFrameTree":
                pairs = zip(FRAME_IDS, self.children, strict=True)
                frames = [{"frame": {"id": id_, "url": child.url}} for id_, child in pairs]
                self.on_tree()
                return {"frameTree": {"frame": {"id": "root", "url": "/"}, "childFrames": frames}}
            case "Page.createIsolatedWorld":
                return {"executionContextId": FRAME_IDS.index(params["frameId"])}
            case "Runtime.evaluate":
                received = self.children[params["contextId"]].received
                return {"result": {"value": any(name in params["expression"] for name in received)}}
        return {}


def test_main_world_leaves_no_listener() -> None:
    session = FakeSession([])
    frame_session = FrameSession(session, "first", is_root=False)  # type: ignore[arg-type]
    assert [asyncio.run(frame_session.main_world()) for _ in range(2)] == [7, 7]
    assert session.listeners == []


def test_frame_that_navigates_meanwhile_is_not_taken_for_another_with_its_new_url() -> None:
    root = FakeFrame("/")
    first, second = FakeFrame("/1", root), FakeFrame("/2", root)

    def swap() -> None:
        first.url, second.url = second.url, first.url

    async def refuse(_: Any) -> None:
        raise Error("This frame does not have a separate CDP session")

    session = FakeSession([first, second], swap)

    async def cdp() -> FakeSession:
        return session

    page = SimpleNamespace(frames=[root, first, second], context=SimpleNamespace(new_cdp_session=refuse))
    root.page = first.page = second.page = page
    found = asyncio.run(FrameSessions(SimpleNamespace(page=page, cdp=cdp)).find(first))  # type: ignore[arg-type]
    assert found.frame_id == "first"


def test_two_questions_about_a_frame_of_another_process_leave_one_session() -> None:
    made: list[FakeSession] = []
    detached: list[FakeSession] = []

    class OwnSession(FakeSession):
        async def detach(self) -> None:
            detached.append(self)

    async def make(_: Any) -> FakeSession:
        made.append(own := OwnSession([]))
        await asyncio.sleep(0)
        return own

    async def ask_twice() -> Any:
        return await asyncio.gather(sessions.session(frame), sessions.session(frame))

    frame: Any = FakeFrame("/1", FakeFrame("/"))
    page = SimpleNamespace(context=SimpleNamespace(new_cdp_session=make))
    sessions = FrameSessions(SimpleNamespace(page=page))
    found = asyncio.run(ask_twice())
    assert found[0] == found[1] == (made[0], frame)
    assert detached == made[1:]
    assert len(made) == 2
