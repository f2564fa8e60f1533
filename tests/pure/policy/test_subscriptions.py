"""What a client wants to be told: kinds, filters, and what the two make of an event."""

from typing import Any

import pytest

from agentbrowser.policy.subscriptions import DEFAULT, Subscriptions
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.event import (
    ConsoleEvent,
    DialogEvent,
    DownloadEvent,
    Dropped,
    EventFilter,
    NetworkEvent,
    PageEvent,
    PublicEvent,
)

LINE = ConsoleEvent(page_id="page-1", type="log", text="x", level="info", url="http://a/x.js")
LOAD = PageEvent(page_id="page-1", type="load", url="http://a/")
ASKED = DialogEvent(page_id="page-1", type="alert", message="")
FILE = DownloadEvent(download_id="1", page_id="page-1", url="http://a/f", suggested_filename="f", state="started")


def network(type_: Any) -> NetworkEvent:
    return NetworkEvent(
        type=type_, request_id="1", page_id="page-1", url="http://a/api?q=1", method="GET", resource_type="fetch"
    )


ALL = Subscriptions.of(("page", "console", "network", "dialog", "download"))


def test_a_client_hears_of_console_and_dialogs_by_default() -> None:
    assert DEFAULT.kinds == {"console", "dialog"}
    assert DEFAULT.wants(LINE)
    assert not DEFAULT.wants(LOAD)


def test_kinds_come_and_go() -> None:
    both = DEFAULT.plus(Subscriptions.of(["page"]))
    assert both.wants(LOAD)
    assert both.wants(LINE)
    assert not both.minus(["page", "network"]).wants(LOAD)


def test_the_filter_named_last_holds_and_for_its_kinds_only() -> None:
    one = Subscriptions.of(["page", "console"], EventFilter(page_id="page-2"))
    assert not one.wants(LINE)
    two = one.plus(Subscriptions.of(["console"]))
    assert two.wants(LINE)
    assert not two.wants(LOAD)


@pytest.mark.parametrize(
    ("filter", "event", "wanted"),
    [
        (EventFilter(page_id="page-1"), LOAD, True),
        (EventFilter(page_id="page-2"), LOAD, False),
        (EventFilter(types=["load"]), LOAD, True),
        (EventFilter(types=["load"]), network("request"), False),
        (EventFilter(types=["response", "failed"]), network("failed"), True),
        (EventFilter(types=["load"]), FILE, True),  # it has no type
        (EventFilter(level="info"), LINE, True),
        (EventFilter(level="warning"), LINE, False),
        (EventFilter(level="error"), LOAD, True),
        (EventFilter(url_pattern="**/api*"), network("request"), True),
        (EventFilter(url_pattern="**/api*"), LOAD, False),
        (EventFilter(url_pattern="**/api*"), ASKED, True),  # it has no URL
        (EventFilter(url_pattern="**/api*", types=["response"]), network("request"), False),
    ],
)
def test_an_event_fits_all_that_the_filter_says(filter: EventFilter, event: PublicEvent, wanted: bool) -> None:
    assert Subscriptions.of(ALL.kinds, filter).wants(event) is wanted


def test_what_was_intercepted_is_told_whatever_is_subscribed_to() -> None:
    assert Subscriptions.of([]).wants(network("intercepted"))
    assert not Subscriptions.of([]).wants(network("request"))


def test_that_events_were_dropped_is_told_to_who_wanted_them() -> None:
    assert DEFAULT.wants(Dropped(event_kind="console", count=1))
    assert not DEFAULT.wants(Dropped(event_kind="network", count=1))


def test_a_pattern_that_means_nothing_is_refused() -> None:
    with pytest.raises(InvalidParams) as caught:
        Subscriptions.of(["page"], EventFilter(url_pattern="{"))
    assert caught.value.details["path"] == "filter.urlPattern"
