"""Spans and metrics of OpenTelemetry, with exporters in memory: one trace from the client to the settled page."""

import json
from collections.abc import AsyncIterator
from typing import Any

import attrs
import pytest
import trio
import trio_websocket
from opentelemetry.exporter.otlp.proto.common.metrics_encoder import encode_metrics
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agentbrowser.config import Config
from agentbrowser.protocol.errors import ElementNotFound, InvalidParams
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.watch import telemetry
from tests.browser.site import Site

CONFIG = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, private_network="allow", otel=True)
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
TRACEPARENT = f"00-{TRACE}-{PARENT}-01"
META = {"traceparent": TRACEPARENT, "progressToken": 1}
PAGE = "<input id=name aria-label=Name><button onclick=\"fetch('/slow')\">Go</button>"


@attrs.frozen
class Collected:
    """A server with the spans and metrics that it has exported."""

    server: Server
    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader

    def spans(self, name: str) -> list[ReadableSpan]:
        return [span for span in self.exporter.get_finished_spans() if span.name == name]

    def below(self, parent: ReadableSpan) -> list[str]:
        """Return the names of the spans below another one, in order of their start."""
        spans = sorted(self.exporter.get_finished_spans(), key=lambda span: span.start_time or 0)
        context = parent.get_span_context()
        return [span.name for span in spans if span.parent and span.parent.span_id == (context and context.span_id)]

    def values(self) -> dict[str, list[Any]]:
        data = self.reader.get_metrics_data()
        assert data is not None
        encode_metrics(data)  # as the exporter does, which drops the whole batch for a value that it can't encode
        scopes = [scope for resource in data.resource_metrics for scope in resource.scope_metrics]
        metrics = [one for scope in scopes for one in scope.metrics]
        return {one.name: list(one.data.data_points) for one in metrics}


@pytest.fixture
async def collected(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Collected]:
    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    monkeypatch.setattr(telemetry, "exporters", lambda: (SimpleSpanProcessor(exporter), reader))
    async with open_server(CONFIG) as server:
        yield Collected(server, exporter, reader)


async def test_a_request_is_a_span_with_its_steps_crossings_and_settling(collected: Collected, site: Site) -> None:
    site.serve("/slow", b"done")
    async with collected.server.connect() as browser:
        await browser.request("page/navigate", {"url": site.html("/", PAGE), "_meta": META})
        steps: list[Any] = [
            {"action": "action/fill", "params": {"selector": "#name", "value": "secret-of-the-test"}},
            {"action": "action/click", "params": {"selector": "button"}},
        ]
        await browser.request("agent/act", {"steps": steps, "postObserve": True})
        with pytest.raises(ElementNotFound):
            await browser.request("action/click", {"selector": "#none", "options": {"timeout": 1}})
    (navigate,) = collected.spans("page/navigate")
    context = navigate.get_span_context()
    assert navigate.parent is not None
    assert context is not None
    assert (f"{navigate.parent.span_id:016x}", f"{context.trace_id:032x}") == (PARENT, TRACE)
    assert "portal" in collected.below(navigate)
    (act,) = collected.spans("agent/act")
    assert act.parent is None
    assert collected.below(act).count("step") == 3
    first, second, look = sorted(collected.spans("step"), key=lambda span: span.start_time or 0)
    methods = [dict(one.attributes or {})["agentbrowser.method"] for one in (first, second, look)]
    assert methods == ["action/fill", "action/click", "agent/observe"]
    (portal,) = [one for one in collected.spans("portal") if one.parent == look.get_span_context()]
    assert collected.below(portal) == ["settle"]
    (failed,) = collected.spans("action/click")
    assert dict(failed.attributes or {})["error.type"] == "ElementNotFound"
    assert failed.status.description == "ElementNotFound"
    assert "secret-of-the-test" not in "".join(span.to_json() for span in collected.exporter.get_finished_spans())


async def test_the_metrics_of_prometheus_are_exported_too(collected: Collected) -> None:
    async with collected.server.connect() as browser:
        await browser.request("page/list")
        values = await trio.to_thread.run_sync(collected.values)  # an exporter has a thread of its own, too
    assert [point.value for point in values["agentbrowser_connections"]] == [1]
    counted = {(*point.attributes.values(), point.value) for point in values["agentbrowser_requests"]}
    assert ("page/list", "ok", 1) in counted
    (times,) = [point for point in values["agentbrowser_request_seconds"] if point.attributes["method"] == "page/list"]
    assert times.count == 1


async def test_the_head_of_the_handshake_names_the_trace_of_requests_without_one(collected: Collected) -> None:
    headers = [(b"traceparent", TRACEPARENT.encode())]
    async with trio_websocket.open_websocket_url(collected.server.url, extra_headers=headers) as socket:
        await socket.send_message(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "nonsense-of-the-client"}))
        assert "error" in json.loads(await socket.get_message())
    (span,) = collected.spans("unknown")
    assert span.parent is not None
    assert f"{span.parent.trace_id:032x}" == TRACE


async def test_malformed_parents_are_ignored_and_malformed_metadata_is_refused(collected: Collected) -> None:
    async with collected.server.connect() as browser:
        await browser.request("page/list", {"_meta": {"traceparent": "nonsense"}})
        with pytest.raises(InvalidParams):
            await browser.request("context/list", {"_meta": []})
    (span,) = collected.spans("page/list")
    assert span.parent is None
