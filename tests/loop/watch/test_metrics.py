"""The figures of a server: what is counted, under which names, and who may read them."""

import threading
from typing import Any

import pytest
import trio
from prometheus_client.parser import text_string_to_metric_families
from trio.testing import MockClock

from agentbrowser.browser.capacity import CapacityExceeded
from agentbrowser.server.watch.metrics import Metrics
from tests.loop.gate.test_http import get
from tests.loop.memory_client import Client, dialogue
from tests.loop.raw_websocket import open_gate


def read(text: str) -> dict[str, float]:
    """Return the samples by name and labels: ``name{label=value}``."""
    return {
        one.name + "".join(f"{{{name}={value}}}" for name, value in sorted(one.labels.items())): one.value
        for family in text_string_to_metric_families(text)
        for one in family.samples
    }


def counted(client: Client) -> Metrics:
    metrics = client.connection.metrics = Metrics()
    client.connection.outbox.on_drop = metrics.dropped
    return metrics


async def test_requests_are_counted_by_method_and_outcome(autojump_clock: MockClock) -> None:
    async with dialogue() as client:
        metrics = counted(client)
        for id_, method in enumerate(["events/subscribe", "initialize", "no/such", "secret-in-a-name"]):
            await client.ask(id_, method)
            await client.hear()
    samples = read(metrics.text())
    assert samples["agentbrowser_requests_total{method=initialize}{outcome=ok}"] == 1
    assert samples["agentbrowser_requests_total{method=events/subscribe}{outcome=InvalidParams}"] == 1
    assert samples["agentbrowser_requests_total{method=unknown}{outcome=MethodNotFound}"] == 2
    assert samples["agentbrowser_request_seconds_count{method=initialize}"] == 1
    assert "secret-in-a-name" not in metrics.text()


async def test_time_is_that_from_arrival_to_answer(autojump_clock: MockClock) -> None:
    metrics = Metrics()
    metrics.answered("page/navigate", None, 0.3)
    samples = read(metrics.text())
    assert samples["agentbrowser_request_seconds_bucket{le=0.25}{method=page/navigate}"] == 0
    assert samples["agentbrowser_request_seconds_bucket{le=0.5}{method=page/navigate}"] == 1


def test_an_error_is_called_what_the_wire_calls_it() -> None:
    metrics = Metrics()
    metrics.answered("page/create", CapacityExceeded("The server is full."), 0.3)
    assert read(metrics.text())["agentbrowser_requests_total{method=page/create}{outcome=ServerBusy}"] == 1


async def test_dropped_events_are_counted_wherever_they_are_dropped(autojump_clock: MockClock) -> None:
    async with dialogue() as client:
        metrics = counted(client)
        client.session.receive_events([], {"console": 5})
        for _ in range(2000):
            client.connection.notify("network", {})
        dropped = client.connection.outbox.dropped["network"]
    samples = read(metrics.text())
    assert samples["agentbrowser_dropped_events_total{kind=console}"] == 5
    assert samples["agentbrowser_dropped_events_total{kind=network}"] >= dropped > 0


@pytest.mark.parametrize(
    ("settings", "header", "status"),
    [
        ({}, "", 200),
        ({"token": "the-only-right-token"}, "", 401),
        ({"token": "the-only-right-token"}, "Authorization: Bearer wrong\r\n", 401),
        ({"token": "the-only-right-token"}, "Authorization: Bearer the-only-right-token\r\n", 200),
        ({}, "Origin: https://evil.test\r\n", 403),
    ],
)
async def test_figures_are_for_those_who_might_connect(settings: dict[str, Any], header: str, status: int) -> None:
    async with open_gate(**settings) as knocker:
        knocker.gate.status.metrics_text = lambda: "agentbrowser_pages 3\n"
        request = get(knocker.port, "/metrics").removesuffix(b"\r\n") + header.encode() + b"\r\n"
        head, _, body = (await knocker.ask(request)).partition(b"\r\n\r\n")
    assert int(head.split(b" ")[1]) == status
    assert (b"text/plain" in head and body == b"agentbrowser_pages 3\n") is (status == 200)


async def test_figures_are_read_beside_the_loop() -> None:
    """The memory of all processes is among them: that of 600 takes 20 ms."""
    async with open_gate() as knocker:
        knocker.gate.status.metrics_text = lambda: f"{threading.get_ident()}"
        _, _, body = (await knocker.ask(get(knocker.port, "/metrics"))).partition(b"\r\n\r\n")
    assert int(body) != threading.get_ident()


async def test_a_rebound_name_reads_no_figures() -> None:
    async with open_gate() as knocker:
        assert await knocker.status(b"GET /metrics HTTP/1.1\r\nHost: evil.test\r\n\r\n") == 403
        with trio.fail_after(40):
            assert await knocker.status(get(knocker.port, "/metrics")) == 200
