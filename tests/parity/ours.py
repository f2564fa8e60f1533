"""Our page as a scenario's act sees it."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urljoin

import attrs
import trio

from agentbrowser.client import Browser
from tests.parity.scenario import BRIEF_MS, Ours, Request

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

    async def popup(self, *requests: Request) -> list[Any]:
        """Send requests, and return URL and title of the popup that they open, once it has settled. [trio]"""
        async with self.browser.events("page") as events:
            await self(*requests)
            with trio.fail_after(_EVENT_LIMIT_S):
                while (event := await anext(events)).page_id == self.id or getattr(event, "type", "") != "created":
                    pass
        await self(("page/waitFor", {"idle": True, "pageId": event.page_id}))
        listed = await self.browser.request("page/list")
        (popup,) = [one for one in listed["pages"] if one["id"] == event.page_id]
        return [popup["url"], popup["title"]]

    async def play(self, ours: Ours, patience: int) -> object:
        """Perform the act of a scenario, its brief timeouts multiplied; return the value of a function. [trio]"""
        if callable(ours):
            return await ours(self)
        await self(*(_patient(request, patience) for request in _requests(ours)))
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


def _patient(request: Request, patience: int) -> Request:
    method, params = request
    options = params.get("options") or {}
    if options.get("timeout") == BRIEF_MS:
        return method, {**params, "options": {**options, "timeout": BRIEF_MS * patience}}
    return method, {**params, "timeout": BRIEF_MS * patience} if params.get("timeout") == BRIEF_MS else params


def _requests(ours: Request | Sequence[Request]) -> Sequence[Request]:
    return [ours] if isinstance(ours[0], str) else ours  # type: ignore[list-item, return-value]
