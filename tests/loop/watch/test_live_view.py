"""Live view while the browser thread is lost, and after a bug."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock

from agentbrowser.browser.live.hold import Holder
from agentbrowser.browser.portal import PortalClosed
from agentbrowser.config import Config
from agentbrowser.live.access import Access, AccessBook
from agentbrowser.live.page_stream import PageStream
from agentbrowser.live.view import LiveView
from agentbrowser.live.watcher import Watcher
from agentbrowser.server.corridor.approvals import Approvals
from agentbrowser.server.sessions.handoffs import Handoffs
from agentbrowser.server.sessions.session import Session
from tests.loop.memory_client import FakePortal, dialogue
from tests.loop.raw_websocket import socket_pair
from tests.pure.logbook import logged


async def test_a_page_that_nobody_uses_goes_back_while_there_is_no_browser_thread(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    async def lost(*_: Any) -> None:
        raise PortalClosed("the browser thread has ended")

    async with dialogue() as client:
        view = view_of(client.session)
        watcher = Watcher(socket_pair()[0], Access(name="Ada"), view)
        stream = watcher.stream = view.stream(client.session, "page-1")
        stream.watchers[watcher] = None
        stream.holder, stream.held = watcher, Holder("Ada", "a login")
        view.join(watcher)
        monkeypatch.setattr(FakePortal, "run", lost)
        with trio.move_on_after(10) as watching:
            await view.run()
        assert watching.cancelled_caught
        assert stream.holder is None
        await view.leave(stream, watcher)
        assert not stream.watchers


async def test_a_page_that_is_chosen_while_its_last_watcher_leaves_keeps_its_stream(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Beside the list, nothing would show that it still lives, give it back, or have the next one join it."""

    may_go_on = trio.Event()
    may_go_on.set()

    async def work(*_: Any) -> None:
        await may_go_on.wait()

    async with dialogue() as client, trio.open_nursery() as nursery:
        monkeypatch.setattr(FakePortal, "run", work)
        view = view_of(client.session)
        one, other = (Watcher(socket_pair()[0], Access(name=name), view) for name in ("Ada", "Bob"))
        stream = view.stream(client.session, "page-1")
        await stream.join(one)
        may_go_on = trio.Event()
        nursery.start_soon(view.leave, stream, one)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(view.stream(client.session, "page-1").join, other)
        await trio.testing.wait_all_tasks_blocked()
        may_go_on.set()
        await trio.testing.wait_all_tasks_blocked()
        assert view.stream(client.session, "page-1") is stream
        assert list(stream.watchers) == [other]


async def test_a_bug_does_not_end_the_live_view(monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock) -> None:
    async with dialogue() as client:
        view = view_of(client.session)
        checked = trio.Event()
        outcomes = iter([RuntimeError("a bug"), RuntimeError("a bug"), None])

        def check(_: Watcher) -> None:
            if (error := next(outcomes, None)) is not None:
                raise error
            checked.set()

        monkeypatch.setattr(Watcher, "check", check)
        view.join(Watcher(socket_pair()[0], Access(name="Ada"), view))
        with logged(Config()) as log:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(view.run)
                await checked.wait()
                nursery.cancel_scope.cancel()
        assert log.getvalue().count("live_view_failed") == 1


async def test_a_page_has_no_handoff_of_another_session_s_page_of_that_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who sees both took the page over for the other one's reason, and its answer gave the page back."""
    did: list[str] = []

    async def take(_: PageStream, watcher: Watcher, reason: str) -> None:
        did.append(reason)

    async def release(_: PageStream) -> None:
        did.append("released")

    monkeypatch.setattr(PageStream, "take", take)
    monkeypatch.setattr(PageStream, "release", release)
    async with dialogue() as one, dialogue() as other, trio.open_nursery() as nursery:
        view = view_of(one.session, other.session)
        view.handoffs.nursery = nursery
        facts = {"instructions": "", "choices": (), "expires_s": trio.current_time() + 60}
        asked = view.handoffs.begin(None, session=one.session, page_id="page-1", reason="a code", **facts)
        watcher = Watcher(socket_pair()[0], Access(name="Ada", may_approve=True), view)
        for session, command, expected in (
            (other.session, {"do": "take"}, ["taken over on the live view"]),
            (one.session, {"do": "take"}, ["a code"]),
            (other.session, {"do": "finish", "handoff": asked.id}, []),
        ):
            stream = watcher.stream = PageStream(session, "page-1", 1.0)
            stream.holder = watcher
            await watcher._obey(command)
            assert did == expected
            did.clear()
        assert asked.outcome == "done"
        nursery.cancel_scope.cancel()


def view_of(*sessions: Session) -> LiveView:
    """Return a live view of some sessions."""
    return LiveView(
        portal=sessions[0].portal,
        approvals=Approvals(),
        handoffs=Handoffs(),
        book=AccessBook(),
        sessions=lambda: [*sessions],
        grant_of=lambda _: None,
        base_url=None,
        idle_s=1.0,
    )
