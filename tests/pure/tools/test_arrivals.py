"""Tabs and downloads that come after the step that caused them: each is reported once."""

from collections.abc import Mapping
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.event import DownloadEvent, PageEvent
from agentbrowser.tools.journal import Journal, arrival_line


@attrs.define(eq=False)
class Events:
    """Browser, connection and subscription in one; ``unread`` returns the events since its last call."""

    waiting: list[Any] = attrs.field(factory=list)

    @property
    def connection(self) -> "Events":
        return self

    async def subscribe(self, names: frozenset[str]) -> "Events":
        assert {"notifications/page", "notifications/download"} <= names
        return self

    async def request(self, method: str, params: Mapping[str, Any]) -> None:
        """Keep dialogs open for a model."""
        assert (method, params["events"]) == ("events/subscribe", ["dialog"])

    async def unread(self) -> list[Any]:
        unread, self.waiting = self.waiting, []
        return unread


def created(page: str, opener: str | None = "page-1", url: str = "about:blank") -> PageEvent:
    return PageEvent(type="created", page_id=page, opener=opener, url=url)


def download(state: Any) -> DownloadEvent:
    return DownloadEvent(download_id="d1", page_id="page-1", url="http://a/", suggested_filename="a.csv", state=state)


def test_what_comes_late_is_reported_once() -> None:
    async def test() -> None:
        events, journal = Events(), Journal()
        await journal.start(events)
        events.waiting = [
            created("page-2"),
            created("page-3", opener=None),
            created("page-4"),
            created("page-5"),
            PageEvent(type="navigated", page_id="page-2", url="http://a/2"),
            PageEvent(type="load", page_id="page-2"),
            PageEvent(type="close", page_id="page-4"),
            download("started"),
        ]
        lines = [arrival_line(event) for event in await journal.arrivals(reported=["page-5"])]
        assert lines == ['opened tab page-2 "http://a/2"', 'download d1 "a.csv" started']
        events.waiting = [PageEvent(type="navigated", page_id="page-2", url="http://a/3"), download("completed")]
        assert await journal.arrivals() == []

    trio.run(test)


def test_a_journal_that_was_interrupted_at_its_start_begins_again() -> None:
    """Dialogs were closed before the model could answer them."""
    asked = []

    class Hasty(Events):
        async def request(self, method: str, params: Mapping[str, Any]) -> None:
            asked.append(method)
            if len(asked) == 1:
                raise ActionFailed("The call was cancelled.")

    async def test() -> None:
        events, journal = Hasty(), Journal()
        with pytest.raises(ActionFailed):
            await journal.start(events)
        for _ in range(2):
            await journal.start(events)
        assert asked == ["events/subscribe"] * 2

    trio.run(test)


def test_what_a_step_has_reported_before_its_event_is_not_reported_again() -> None:
    async def test() -> None:
        events, journal = Events(), Journal()
        await journal.start(events)
        assert await journal.arrivals(reported=["page-2", "d1"]) == []
        events.waiting = [created("page-2"), download("started"), download("completed")]
        assert await journal.arrivals() == []

    trio.run(test)
