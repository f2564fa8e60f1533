"""Pictures of a browser that is lost: the one before it was lost is kept."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from agentbrowser.browser import snapshots
from agentbrowser.browser.capacity import CapacityExceeded
from agentbrowser.browser.ids import ClosedPages
from agentbrowser.browser.snapshots import Snapshots
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched
from agentbrowser.protocol.types.context import ContextOptions
from agentbrowser.protocol.types.event import NetworkEvent, PageEvent
from agentbrowser.protocol.types.snapshot import ContextSnapshot, PageSnapshot, SessionSnapshot
from agentbrowser.protocol.types.storage import Cookie, StorageState
from tests.pure.logbook import logged

SNAPSHOT = SessionSnapshot(
    contexts=[ContextSnapshot(context_id="default")],
    pages=[PageSnapshot(page_id="page-1", url="about:blank", context_id="default")],
)


@attrs.define
class Storage:
    jar: list[Cookie] = attrs.field(factory=list)
    looked: asyncio.Event = attrs.field(factory=asyncio.Event)
    """Set when the cookies were read."""

    is_readable: bool = True
    on_read: Callable[[], object] = lambda: None

    async def state(self) -> StorageState:
        self.on_read()
        if not self.is_readable:
            raise TimeoutError
        return StorageState(cookies=list(self.jar))

    async def cookies(self, urls: list[str] | None) -> list[Cookie]:
        assert urls is None
        self.looked.set()
        return list(self.jar)


@attrs.define
class Page:
    url: str = "about:blank"


@attrs.define
class Tab:
    id: str
    page: Page = attrs.field(factory=Page)


@attrs.define
class Context:
    id: str
    options: ContextOptions
    open_tabs: list[Tab] = attrs.field(factory=list)
    storage: Storage = attrs.field(factory=Storage)
    is_closing: bool = False


class Contexts(list[Context]):
    has_browser = False

    async def launch(self, options: ContextOptions, context_id: str, *, landing: str | None) -> None:
        assert landing is not None
        if not self.has_browser:
            raise BrowserNotLaunched("none")
        if context_id not in [one.id for one in self]:
            self.append(Context(context_id, attrs.evolve(options, storage_state=None)))


@attrs.define(eq=False)
class Fakes:
    """Tabs, which are their own engine."""

    contexts: Contexts = attrs.field(factory=Contexts)
    room: int = 1
    opened: list[str] = attrs.field(factory=list)
    loaded: list[str] = attrs.field(factory=list)
    emitted: list[PageEvent] = attrs.field(factory=list)
    closed_pages: ClosedPages = attrs.field(factory=ClosedPages)
    listeners: list[Callable[[str], object]] = attrs.field(factory=list)

    @property
    def navigation(self) -> "Fakes":
        return self

    async def tab(self, page_id: str) -> "Fakes":
        return self

    async def navigate_first(self, url: str, wait_until: str) -> None:
        self.loaded.append(url)
        for context in self.contexts:
            context.open_tabs[-1].page.url = url

    def emit(self, event: PageEvent) -> None:
        self.emitted.append(event)

    @property
    def engine(self) -> "Fakes":
        return self

    async def open(self, page_id: str, context_id: str) -> None:
        if self.room == 0:
            raise CapacityExceeded("The server is full.")
        self.room -= 1
        self.opened.append(page_id)
        (context,) = [one for one in self.contexts if one.id == context_id]
        context.open_tabs.append(Tab(page_id))

    def on_lost(self, listener: Callable[[str], object]) -> Callable[[], None]:
        self.listeners.append(listener)
        return lambda: self.listeners.remove(listener)


def test_pages_that_could_not_be_restored_stay_in_the_snapshot() -> None:
    async def go() -> None:
        fakes: Any = Fakes()
        taken = Snapshots(fakes)
        shown: list[SessionSnapshot] = []
        losses: list[None] = []
        taken.begin(shown.append, lambda: losses.append(None))
        assert await taken.take() == SessionSnapshot()
        fakes.listeners[0]("browser")
        assert await taken.take() is None
        with pytest.raises(BrowserNotLaunched):
            await taken.reopen(SNAPSHOT)
        taken.renew()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert (await taken.take(), shown, len(losses)) == (None, [], 1)
        taken.notice(PageEvent(type="created", page_id="page-2"))  # the client goes on with a page of its own
        assert await taken.take() == SessionSnapshot()
        taken.end()
        assert fakes.listeners == []

    asyncio.run(go())


def test_pages_that_find_no_room_are_opened_when_there_is_some() -> None:
    pages = [PageSnapshot(page_id=f"page-{n}", url="about:blank", context_id="default") for n in (1, 2)]
    snapshot = attrs.evolve(SNAPSHOT, pages=pages)

    async def go() -> None:
        fakes: Any = Fakes()
        fakes.contexts.has_browser = True
        taken = Snapshots(fakes)
        taken.begin(lambda _: None, lambda: None)
        with pytest.raises(CapacityExceeded):
            await taken.reopen(snapshot)
        assert await taken.take() is None  # nor is what there is now all that there was
        fakes.room = 1
        await taken.reopen(snapshot)
        assert fakes.opened == ["page-1", "page-2"]
        assert await taken.take() == snapshot
        taken.end()

    asyncio.run(go())


def test_pages_that_find_no_room_in_time_are_gone_and_the_others_are_loaded_and_saved() -> None:
    one, two = pages = [
        PageSnapshot(page_id=f"page-{n}", url=f"http://a.com/{n}", context_id="default") for n in (1, 2)
    ]

    async def go() -> None:
        fakes: Any = Fakes()
        fakes.contexts.has_browser = True
        taken = Snapshots(fakes)
        taken.begin(lambda _: None, lambda: None)
        snapshot = attrs.evolve(SNAPSHOT, pages=pages)
        for _ in range(2):  # the second try finds no more room
            with pytest.raises(CapacityExceeded):
                await taken.reopen(snapshot)
        assert fakes.loaded == [one.url]
        assert await taken.give_up(snapshot, "The server is full.") == ["page-2"]
        assert [(event.type, event.page_id) for event in fakes.emitted] == [("error", "page-2")]
        assert fakes.closed_pages.not_found("page-2").message.endswith("could not be opened again: The server is full.")
        assert await taken.take() == attrs.evolve(snapshot, pages=[two, one])  # a later restore tries again
        taken.end()

    asyncio.run(go())


def test_a_response_has_the_cookies_read_and_a_snapshot_taken_if_they_have_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(snapshots, "_CHANGE_INTERVAL_S", 0.0)
    response: Any = NetworkEvent(
        type="response", request_id="1", page_id="page-1", url="http://a.com", method="GET", resource_type="fetch"
    )
    cookie = Cookie(name="a", value="1", domain="a.com", path="/")

    async def go() -> None:
        fakes: Any = Fakes()
        taken = Snapshots(fakes)
        shown: list[SessionSnapshot] = []
        taken.begin(shown.append, lambda: None)
        storage = Storage([cookie])
        fakes.contexts.append(Context("default", ContextOptions(), storage=storage))
        for _ in range(2):  # the second response sets nothing
            storage.looked.clear()
            taken.notice(response)
            await storage.looked.wait()
            while taken.is_reading:  # noqa: ASYNC110 - a task of its own
                await asyncio.sleep(0)
        assert [one.contexts[0].storage.cookies for one in shown] == [[cookie]]
        taken.end()

    asyncio.run(go())


def test_cookies_are_saved_where_a_page_prevents_that_storage_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "_CHANGE_INTERVAL_S", 0.0)
    monkeypatch.setattr(snapshots, "_ACTION_PAUSE_S", 0.0)
    cookies = [Cookie(name=name, value="1", domain="a.com", path="/") for name in "abc"]

    async def go() -> None:
        fakes: Any = Fakes()
        taken = Snapshots(fakes)
        saved: list[SessionSnapshot] = []
        storage = Storage(is_readable=False)
        fakes.contexts.append(Context("default", ContextOptions(), storage=storage))
        taken.begin(saved.append, lambda: None)
        for count in (1, 2, 3):  # the first read fails; the next ones come as soon as one that has succeeded
            storage.jar = cookies[:count]
            taken.note_action()
            while not saved or saved[-1].contexts[0].storage.cookies != cookies[:count]:  # noqa: ASYNC110
                await asyncio.sleep(0)
        last = await taken.take()
        assert last is not None
        assert last.contexts[0].storage.cookies == cookies
        taken.end()

    asyncio.run(asyncio.wait_for(go(), 30))


def test_a_page_that_navigates_without_end_causes_few_snapshots_and_the_last_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def go() -> None:
        fakes, now, saved = Fakes(), [0.0], list[SessionSnapshot]()
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: now[0])
        tab = Tab("page-1")
        fakes.contexts.append(Context("default", ContextOptions(), [tab]))
        taken = Snapshots(fakes)  # type: ignore[arg-type]
        taken.begin(saved.append, lambda: None)
        for n in range(50):
            tab.page.url = f"http://a.com/#{n}"
            taken.notice(PageEvent(type="navigated", page_id="page-1", url=tab.page.url))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        assert [one.pages[0].url[-2:] for one in saved] == [f"#{n}" for n in range(snapshots._SAVES_A_SECOND)]
        now[0] += 1
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert saved[snapshots._SAVES_A_SECOND].pages[0].url == "http://a.com/#49"
        taken.end()

    asyncio.run(go())


@pytest.mark.parametrize("is_gone", [True, False])
def test_a_context_that_is_closed_while_it_is_read_delays_no_read_of_another(is_gone: bool) -> None:
    async def go() -> None:
        fakes: Any = Fakes()
        taken = Snapshots(fakes)
        closed, other = (Context(id_, ContextOptions()) for id_ in ("default", "context-1"))
        closed.storage.is_readable = False
        fakes.contexts.extend([closed, other])
        if is_gone:
            closed.storage.on_read = lambda: fakes.contexts.remove(closed)
        closed.is_closing = not is_gone
        with logged(Config()) as log:
            await taken.take()
        assert (log.getvalue(), taken._storage_due_s) == ("", -math.inf)

    asyncio.run(go())
