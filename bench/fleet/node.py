"""Node of a fleet without a browser: the server as a program, in which only the pages are simulated.

Gate, protocol, sessions, store, drain and shutdown are the server's own. A page has a URL and storage.

Run: python -m bench.fleet.node serve [OPTIONS]
"""

import random
import string
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar
from unittest.mock import patch
from urllib.parse import urlsplit

import attrs

from agentbrowser.__main__ import main
from agentbrowser.browser.contexts import DEFAULT_CONTEXT, Contexts
from agentbrowser.browser.engine.pool import EnginePool
from agentbrowser.browser.tabs import Tabs
from agentbrowser.methods.page import NavigateParams
from agentbrowser.methods.script import EvaluateParams, EvaluateResult
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.event import PageEvent, Report
from agentbrowser.protocol.types.navigation import NavigateResult
from agentbrowser.protocol.types.snapshot import ContextSnapshot, PageSnapshot, SessionSnapshot
from agentbrowser.protocol.types.storage import Cookie, OriginState, StorageItem, StorageState
from agentbrowser.server.sessions import session

ResultT = TypeVar("ResultT")

STORAGE_BYTES: Final = 4096
"""Size of what a page stores, in letters that do not compress well."""


@attrs.define(eq=False)
class SimulatedSnapshots:
    """Snapshots of one client's simulated page."""

    tabs: "SimulatedTabs"
    known: SessionSnapshot = attrs.field(factory=SessionSnapshot, init=False)
    _save: Callable[[SessionSnapshot], object] | None = attrs.field(default=None, init=False)

    def begin(self, save: Callable[[SessionSnapshot], object], on_lost: Callable[[], object]) -> None:
        """Save a snapshot after each change from now on."""
        if self._save is None:
            self._save = save
            if self.known.pages:
                self.renew()

    def renew(self) -> None:
        """Save a snapshot now."""
        if self._save is not None:
            self._save(self.known)

    def end(self) -> None:
        """Stop saving."""
        self._save = None

    def notice(self, event: Report) -> None:
        """Ignore an event: `visit` saves."""

    def note_action(self) -> None:
        """Ignore an action: `visit` saves."""

    async def take(self) -> SessionSnapshot | None:
        """Return the snapshot. [asyncio]"""
        return self.known

    async def reopen(self, snapshot: SessionSnapshot) -> list[str]:
        """Restore a snapshot, and return the ids of the pages that could not be opened: none. [asyncio]"""
        self.known = snapshot
        for page in snapshot.pages:
            self.tabs.emit(PageEvent(type="created", page_id=page.page_id, url=page.url))
        self.renew()
        return []

    def visit(self, page_id: str, url: str) -> None:
        """Load a URL, whose page stores its path."""
        if page_id not in (page.page_id for page in self.known.pages):
            self.tabs.emit(PageEvent(type="created", page_id=page_id, url="about:blank"))
        context = ContextSnapshot(context_id=DEFAULT_CONTEXT, storage=_stored_by(url))
        self.known = SessionSnapshot(
            contexts=[context], pages=[PageSnapshot(page_id=page_id, url=url, context_id=DEFAULT_CONTEXT)]
        )
        self.tabs.emit(PageEvent(type="navigated", page_id=page_id, url=url))
        self.renew()

    def text(self) -> str:
        """Return path, storage and cookie of the page, as the script of the benchmark does."""
        (page,), (context,) = self.known.pages, self.known.contexts
        origin, cookie = context.storage.origins[0], context.storage.cookies[0]
        stored = (origin.local_storage[0].value, (origin.session_storage or [])[0].value)
        return " ".join([urlsplit(page.url).path, *stored, f"{cookie.name}={cookie.value}"])


def _stored_by(url: str) -> StorageState:
    path = urlsplit(url).path
    item = StorageItem(name="a", value=path)
    filling = StorageItem(name="filling", value="".join(random.choices(string.printable, k=STORAGE_BYTES)))
    origin = OriginState(origin="http://127.0.0.1:1", local_storage=[item, filling], session_storage=[item])
    return StorageState(cookies=[Cookie(name="c", value=path, domain="127.0.0.1", path="/")], origins=[origin])


@attrs.define(eq=False, slots=False)
class SimulatedTabs(Tabs):
    """Pages of one client, of which it opens one."""

    def __attrs_post_init__(self) -> None:
        contexts: Any = Contexts(self)
        contexts.snapshots = SimulatedSnapshots(self)
        self.__dict__["contexts"] = contexts  # in place of the cached one

    async def serve(
        self,
        handler: Callable[[Any, Any], Awaitable[ResultT]],
        params: Any,
        new_page_id: str | None,
        state: TabState | None = None,
    ) -> ResultT:
        """Run a method of a page, or of the pages. [asyncio]"""
        snapshots: Any = self.contexts.snapshots
        result: Any
        if isinstance(params, NavigateParams):
            snapshots.visit(params.page_id, params.url)
            result = NavigateResult(url=params.url, title="Stored", status=200)
        elif isinstance(params, EvaluateParams):
            result = EvaluateResult(value=snapshots.text())
        else:
            result = await handler(self, params)
        done: ResultT = result
        return done


async def _start_no_browser(pool: EnginePool) -> None:
    """Start nothing. [asyncio]"""


if __name__ == "__main__":
    with patch.object(session, "Tabs", SimulatedTabs), patch.object(EnginePool, "start", _start_no_browser):
        main()
