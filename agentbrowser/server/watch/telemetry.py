"""OpenTelemetry: spans and metrics of a server, sent by OTLP over HTTP. Imported only where the operator wants it.

The variables ``OTEL_*`` name the collector, as for any program with the SDK. The SDK exports in threads of its own.
"""

import contextlib
import os
import time
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, Final

import attrs
import trio
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import CallbackOptions, Histogram, Observation
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import MetricReader, PeriodicExportingMetricReader
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import SpanKind, Status, StatusCode, get_current_span
from opentelemetry.trace import Tracer as OtelTracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from prometheus_client import CollectorRegistry

from agentbrowser import __version__

_NAME: Final = "agentbrowser"
_HELD_S: Final = 1.0
"""Time for which one reading of the metrics serves all instruments of an export."""
_OBSERVED: Final = {"gauge": "create_observable_gauge", "counter": "create_observable_counter"}


def exporters() -> tuple[SpanProcessor, MetricReader]:
    """Return the export of spans and that of metrics, as the variables ``OTEL_*`` configure them."""
    return BatchSpanProcessor(OTLPSpanExporter()), PeriodicExportingMetricReader(OTLPMetricExporter())


@attrs.frozen(eq=False)
class Telemetry:
    """Tracer of a server, and the export of its metrics."""

    tracer: OtelTracer
    durations: Histogram
    propagator: TraceContextTextMapPropagator = attrs.field(factory=TraceContextTextMapPropagator)

    def request(self, method: str, parent: str | None, **facts: Any) -> contextlib.AbstractContextManager[object]:
        """Open the span of a request; a ``traceparent`` that is malformed is ignored, as W3C demands."""
        context = self.propagator.extract({"traceparent": parent}) if parent is not None else None
        known = {"rpc.system": "jsonrpc", "rpc.method": method, **_plain(facts)}
        return self.tracer.start_as_current_span(method, context, SpanKind.SERVER, known)

    def part(self, name: str, **facts: Any) -> contextlib.AbstractContextManager[object]:
        """Open a span below the present one."""
        return self.tracer.start_as_current_span(name, attributes=_plain(facts))

    def past(self, name: str, started_at_s: float, took_s: float, error: str | None, **facts: Any) -> None:
        """Add a span that is over, below the present one."""
        start_ns = round(started_at_s * 1e9)
        span = self.tracer.start_span(name, attributes=_plain(facts), start_time=start_ns)
        if error is not None:
            span.set_status(Status(StatusCode.ERROR, error))
        span.end(start_ns + round(took_s * 1e9))

    def answered(self, method: str, outcome: str, duration_s: float, code: int | None) -> None:
        """Measure an answered request, and mark its span as failed if there is a code of an error."""
        self.durations.record(duration_s, {"method": method, "outcome": outcome})
        if code is not None:
            span = get_current_span()
            span.set_status(Status(StatusCode.ERROR, outcome))
            span.set_attributes({"error.type": outcome, "rpc.jsonrpc.error_code": code})


@attrs.define(eq=False)
class _Readings:
    """Readings of the Prometheus metrics, made in Trio for the thread of an export."""

    registry: CollectorRegistry
    _token: trio.lowlevel.TrioToken = attrs.field(factory=trio.lowlevel.current_trio_token, init=False)
    _values: dict[str, list[Observation]] = attrs.field(factory=dict, init=False)
    _read_s: float = attrs.field(default=0.0, init=False)

    def of(self, name: str) -> Callable[[CallbackOptions], Iterable[Observation]]:
        """Return the callback of an instrument."""

        def observe(options: CallbackOptions) -> Iterable[Observation]:
            if time.monotonic() - self._read_s > _HELD_S:
                try:
                    trio.from_thread.run_sync(self._read, trio_token=self._token)
                except (trio.RunFinishedError, trio.Cancelled):  # the server has ended
                    return []
                self._read_s = time.monotonic()
            return self._values.get(name, [])

        return observe

    def _read(self) -> None:
        self._values = {
            family.name: [
                Observation(float(sample.value), sample.labels)  # a bool makes the exporter drop the whole batch
                for sample in family.samples
                if not sample.name.endswith("_created")
            ]
            for family in self.registry.collect()
        }


@contextlib.asynccontextmanager
async def open_telemetry(registry: CollectorRegistry) -> AsyncIterator[Telemetry]:
    """Open the tracer and the export of a server's metrics; both are flushed at the end. [trio]"""
    named = {} if "OTEL_SERVICE_NAME" in os.environ else {"service.name": _NAME}
    resource = Resource.create({**named, "service.version": __version__})
    processor, reader = exporters()
    traces, meters = TracerProvider(resource=resource), MeterProvider([reader], resource)
    traces.add_span_processor(processor)
    meter = meters.get_meter(_NAME, __version__)
    readings = _Readings(registry)
    for family in registry.collect():
        if family.type in _OBSERVED:
            create = getattr(meter, _OBSERVED[family.type])
            create(family.name, [readings.of(family.name)], description=family.documentation)
    durations = meter.create_histogram("agentbrowser_request_seconds", "s", "Time from arrival to answer.")
    try:
        yield Telemetry(traces.get_tracer(_NAME, __version__), durations)
    finally:
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(_shut_down, traces, meters)


def _shut_down(traces: TracerProvider, meters: MeterProvider) -> None:
    """Send what is left; a collector that does not answer costs its timeout, and nothing else."""
    traces.shutdown()
    meters.shutdown()


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    return {f"agentbrowser.{name}": value for name, value in facts.items() if value is not None}
