"""Our page as a scenario's act sees it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urljoin

import attrs
import trio

from agentbrowser.client import Browser
from tests.parity.scenario import Ours, Request

_URLS = {"page/navigate", "page/create"}
_EVENT_LIMIT_S = 20.0


@attrs.frozen(eq=False)
class OurPage:
    """A page of our client; requests without a ``pageId`` mean it."""

    browser: Browser
    id: str
    base: str
    """URL of the scenario's folder."""
    context_id: str | None

    async def __call__(self, *requests: Request) -> Any:
        """Send requests one after the other, and return the last result. [trio]"""
        result: Any = None
        for method, params in requests:
            result = await self.browser.request(method, self._complete(method, params))
        return result

    async def together(self, *requests: Request) -> None:
        """Send requests without waiting for the answers in between. [trio]"""
        async with trio.open_nursery() as nursery:
            for method, params in requests:
                nursery.start_soon(self.browser.request, method, self._complete(method, params))

    async def events(self, kind: Any, count: int, *requests: Request) -> list[Any]:
        """Send requests, and return the first events of a kind that this page emits. [trio]"""
        found: list[Any] = []
        async with self.browser.events(kind) as events:
            await self(*requests)
            with trio.fail_after(_EVENT_LIMIT_S):
                while len(found) < count:
                    event = await anext(events)
                    if event.page_id == self.id:
                        found.append(event)
        return found

    async def play(self, ours: Ours) -> object:
        """Perform the act of a scenario; return a value only if it is a function. [trio]"""
        if callable(ours):
            return await ours(self)
        await self(*_requests(ours))
        return None

    def _complete(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        full = dict(params)
        if method in _URLS and "url" in full:
            full["url"] = urljoin(self.base, full["url"])
        area = method.partition("/")[0]
        if area == "storage" or method == "page/create":
            full.setdefault("contextId", self.context_id)
        elif area not in ("network", "context", "events", "download") and method != "page/list":
            full.setdefault("pageId", self.id)
        return full


def _requests(ours: Request | Sequence[Request]) -> Sequence[Request]:
    return [ours] if isinstance(ours[0], str) else ours  # type: ignore[list-item, return-value]
