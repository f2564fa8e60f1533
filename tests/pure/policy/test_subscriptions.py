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


def test_console_and_dialogs_are_subscribed_by_default() -> None:
    assert DEFAULT.kinds == {"console", "dialog"}
    assert DEFAULT.wants(LINE)
    assert not DEFAULT.wants(LOAD)


def test_kinds_are_added_and_removed() -> None:
    both = DEFAULT.plus(Subscriptions.of(["page"]))
    assert both.wants(LOAD)
    assert both.wants(LINE)
    assert not both.minus(["page", "network"]).wants(LOAD)


def test_the_last_filter_applies_to_its_kinds_only() -> None:
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
def test_an_event_must_match_every_field_of_the_filter(filter: EventFilter, event: PublicEvent, wanted: bool) -> None:
    assert Subscriptions.of(ALL.kinds, filter).wants(event) is wanted


def test_intercepted_requests_are_sent_without_a_subscription() -> None:
    assert Subscriptions.of([]).wants(network("intercepted"))
    assert not Subscriptions.of([]).wants(network("request"))


def test_dropped_events_are_reported_to_subscribers() -> None:
    assert DEFAULT.wants(Dropped(event_kind="console", count=1))
    assert not DEFAULT.wants(Dropped(event_kind="network", count=1))


def test_an_invalid_pattern_is_rejected() -> None:
    with pytest.raises(InvalidParams) as caught:
        Subscriptions.of(["page"], EventFilter(url_pattern="{"))
    assert caught.value.details["path"] == "filter.urlPattern"


def test_a_filter_has_no_long_types() -> None:
    with pytest.raises(InvalidParams) as caught:
        Subscriptions.of(["page"], EventFilter(types=["load", "x" * 101]))
    assert caught.value.details["path"] == "filter.types"


def test_a_filter_finds_no_part_of_a_secret_in_a_url() -> None:
    shown = "http://a/find?q=[REDACTED]"
    event = PageEvent(page_id="page-1", type="load", url="http://a/find?q=correct-Horse")
    for pattern, wanted in (("**?q=c*", False), ("**?q=*", True), ("{**REDACTED*,**?q=x*}", True)):
        one = Subscriptions.of(ALL.kinds, EventFilter(url_pattern=pattern))
        assert one.wants(event, lambda text: shown) is wanted
