"""What the server knows of one client: its scope, its pages by name, and what it wants to hear."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import attrs
import structlog

from agentbrowser.browser.launch import Engine
from agentbrowser.browser.portal import Feed, Portal
from agentbrowser.browser.tabs import Tabs
from agentbrowser.codec import unstructure
from agentbrowser.config import Config
from agentbrowser.policy import Rules
from agentbrowser.registry import Scope
from agentbrowser.server.lanes import Lanes
from agentbrowser.types.event import DEFAULT_KINDS, PageEvent, PublicEvent

log = structlog.get_logger("agentbrowser.session")

Notify = Callable[[str, dict[str, Any]], None]


@attrs.define(eq=False, kw_only=True)
class Session:
    """One client, from its first message to its last.

    The active page is the one that a request means when it names none. It is decided when a request *arrives*, in
    the reader, so the session names the pages that the client asks for, and the browser thread makes them under
    those names.
    """

    scope: Scope
    config: Config
    rules: Rules
    portal: Portal
    tabs: Tabs
    ids: Iterator[int]
    lanes: Lanes = attrs.field(factory=Lanes, init=False)
    notify: Notify = lambda kind, params: None
    """Sends a notification; the connection sets it."""
    kinds: frozenset[str] = DEFAULT_KINDS
    initialized: bool = False
    ended: bool = False
    draining: bool = False
    private_open: bool = False
    active: str | None = None
    fresh: str | None = None
    """The page that was named for a client that had none, until the browser has made it."""
    _pages: dict[str, None] = attrs.field(factory=dict, init=False)

    def meant(self) -> str:
        """Return the page that a request means which names none, naming a new one if there is none."""
        if self.active is None:
            self.active = self.fresh = self.name_page()
        return self.active

    def name_page(self) -> str:
        """Return an id for a page that is about to be opened."""
        return f"page-{next(self.ids)}"

    def focus(self, page_id: str) -> None:
        """Make a page the active one, if there is such a page."""
        if page_id in self._pages:
            self.active = page_id

    def drop(self, page_id: str) -> None:
        """Forget a page that is gone; the one opened last before it becomes the active one."""
        self._pages.pop(page_id, None)
        if self.active == page_id:
            self.active = next(reversed(self._pages), None)

    def hear(self, events: list[PublicEvent], dropped: Mapping[str, int]) -> None:
        """Take in what the browser thread reports, and tell the client what it wants to know. [trio]"""
        for kind, count in dropped.items():
            self.notify("dropped", {"kind": kind, "count": count})
        for event in events:
            if isinstance(event, PageEvent):
                self._keep_book(event)
            if event.kind in self.kinds:
                self.notify(event.kind, unstructure(event))

    def _keep_book(self, event: PageEvent) -> None:
        if event.type == "created":
            self._pages[event.page_id] = None
            if event.page_id == self.fresh:
                self.fresh = None
        elif event.type == "close":
            self.drop(event.page_id)

    async def want(self, kinds: frozenset[str]) -> None:
        """Have the client told of just these kinds of events. [trio]"""
        self.kinds = kinds
        await self.portal.run(_listen, self.tabs, kinds)

    async def end(self) -> None:
        """Close all that the client has in the browser. [trio]"""
        await self.portal.run(self.tabs.close)
        self._pages.clear()
        self.active = self.fresh = None


async def _listen(tabs: Tabs, kinds: frozenset[str]) -> None:
    tabs.listen(kinds)


def open_session(*, scope: Scope, config: Config, rules: Rules, portal: Portal, engine: Engine) -> Session:
    """Return a new session; nothing is made in the browser before the first need."""
    ids = itertools.count(1)
    feed: Feed[PublicEvent] = Feed(lambda events, dropped: session.hear(events, dropped))
    tabs = Tabs(engine=engine, config=config, ids=ids, emit=lambda event: _put(feed, event))
    session = Session(scope=scope, config=config, rules=rules, portal=portal, tabs=tabs, ids=ids)
    return session


def _put(feed: Feed[PublicEvent], event: PublicEvent) -> None:
    # The session's own book of pages hangs on these, and there are at most as many as pages.
    feed.put(event, event.kind, surely=isinstance(event, PageEvent) and event.type in ("created", "close"))
