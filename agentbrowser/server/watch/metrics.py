"""Prometheus metrics of a server."""

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import attrs
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.registry import METHODS
from agentbrowser.server.watch.memory_usage import MemoryUsage, can_measure, measure

if TYPE_CHECKING:
    from agentbrowser.server.app import Server
    from agentbrowser.spans import Tracer

_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """Metrics of one server. Client input never becomes a label."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.tracer: Tracer | None = None
        self._cache: dict[tuple[str, str], tuple[Counter, Histogram]] = {}
        self._requests = Counter(
            "agentbrowser_requests",
            "Requests that were answered; the outcome is ok, or the error's name.",
            ["method", "outcome"],
            registry=self.registry,
        )
        self._seconds = Histogram(
            "agentbrowser_request_seconds",
            "Time from a request's arrival to its answer.",
            ["method"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self._dropped = Counter(
            "agentbrowser_dropped_events",
            "Events that were dropped, by kind.",
            ["kind"],
            registry=self.registry,
        )

    def answered(self, method: str, error: Exception | None, duration_s: float) -> None:
        """Count an answered request."""
        outcome, label = "ok" if error is None else _name(error), method_label(method)
        count, times = self._counters_of(label, outcome)
        count.inc()
        times.observe(duration_s)
        if self.tracer is not None:
            self.tracer.answered(label, outcome, duration_s, getattr(error, "code", None))

    def _counters_of(self, method: str, outcome: str) -> tuple[Counter, Histogram]:
        """Return the counters of a method and an outcome, cached because the library's lookup is slow."""
        found = self._cache.get((method, outcome))
        if found is None:
            found = self._cache[method, outcome] = self._requests.labels(method, outcome), self._seconds.labels(method)
        return found

    def dropped(self, kind: str, count: int = 1) -> None:
        """Count dropped events."""
        self._dropped.labels(kind).inc(count)

    def watch(self, server: "Server") -> None:
        """Add the current state of a server to the metrics."""
        self.registry.register(_ServerCollector(server))

    def text(self) -> str:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self.registry).decode()


def method_label(name: str) -> str:
    """Return the name of a method for metrics and spans, where none comes from a client."""
    return name if name in METHODS else "unknown"


def _name(error: Exception) -> str:
    """Return the protocol's name for an error, also for the server's own subclasses."""
    kinds = (kind for kind in type(error).__mro__ if kind.__module__ == AgentBrowserError.__module__)
    return next(kinds, type(error)).__name__


def _memory() -> Metric:
    family = GaugeMetricFamily("agentbrowser_memory_bytes", "Memory that is not shared, by part.", labels=["part"])
    for part, value in attrs.asdict(measure() if can_measure() else MemoryUsage()).items():
        family.add_metric([part], value)
    return family


@attrs.frozen(eq=False)
class _ServerCollector(Collector):
    """Collector that reads the server's state at each scrape, in a thread."""

    server: "Server"

    def describe(self) -> list[Metric]:
        return []  # registration must not measure anything

    def collect(self) -> Iterator[Metric]:
        yield from (
            GaugeMetricFamily(f"agentbrowser_{name}", help_text, value) for name, help_text, value in self._gauges()
        )
        yield from (
            CounterMetricFamily(f"agentbrowser_{name}", help_text, value) for name, help_text, value in self._counters()
        )
        yield from self._limits()
        with contextlib.suppress(OSError):  # no file descriptor is left
            yield _memory()

    def _limits(self) -> Iterator[Metric]:
        """Return the limits, and the use of descriptors, whose limit is the system's."""
        capacity = self.server.engines.capacity
        limits = GaugeMetricFamily("agentbrowser_limit", "Limits of the server, by resource.", labels=["resource"])
        limits.add_metric(["pages"], capacity.max_pages)
        limits.add_metric(["contexts"], capacity.max_contexts)
        limits.add_metric(["engines"], self.server.config.max_engines)
        limits.add_metric(["connections"], self.server.config.max_connections)
        limits.add_metric(["working"], self.server.work_gate.width)
        if capacity.max_memory_bytes is not None:
            limits.add_metric(["memory_bytes"], capacity.max_memory_bytes)
        text = "File descriptors of the process that has the fewest left."
        descriptors = GaugeMetricFamily("agentbrowser_descriptors", text, labels=[])
        if capacity.descriptors is not None:  # measured
            used, limit = capacity.descriptors
            limits.add_metric(["descriptors"], limit)
            descriptors.add_metric([], used)
        yield descriptors
        yield limits

    def _gauges(self) -> Iterator[tuple[str, str, float]]:
        server, connections = self.server, tuple(self.server.connections)
        capacity, admission = server.engines.capacity, server.admission
        yield "connections", "Clients that are connected.", len(connections)
        yield "parked_sessions", "Sessions that wait for their clients.", server.sessions.parked
        yield "store_up", "1 while the store of sessions answers.", server.snapshots.is_store_up
        yield "store_unsaved", "Sessions with changes that are not saved yet.", server.snapshots.unsaved
        refused = () if server.snapshots.store is None else server.snapshots.store.refused
        yield "store_refused", "Sessions whose last save was refused, since their token has its share.", len(refused)
        yield "pages", "Pages that are open.", capacity.pages
        yield "contexts", "Browser contexts that clients have.", capacity.contexts
        engines = server.engines.slots.holders
        yield "engines", "Browsers with their drivers that run or are being started.", len(engines)
        yield (
            "spare_contexts",
            "Warm contexts that wait for a client.",
            sum(len(engine.warm_contexts) for engine in engines),
        )
        yield "requests_in_flight", "Requests in flight.", sum(one.in_flight for one in connections)
        yield (
            "requests_read_ahead",
            "Requests that wait for others of their client.",
            sum(one.read_ahead for one in connections),
        )
        yield "requests_working", "Requests that work in browsers, within the limit.", server.work_gate.working
        yield "requests_awaiting_slot", "Requests that wait until the browsers are less busy.", server.work_gate.waiting
        yield "requests_queued", "Requests in the admission queue.", admission.queued
        yield (
            "trio_longest_hold_seconds",
            "Longest time that the server's loop did one thing, and looked for no input.",
            server.hold.longest_s,
        )
        yield (
            "browser_thread_longest_hold_seconds",
            "Longest time that the browser thread's loop did one thing, and looked for no input.",
            server.portal.hold.longest_s,
        )
        yield "outbox_messages", "Messages that clients have yet to take.", sum(len(one.outbox) for one in connections)

    def _counters(self) -> Iterator[tuple[str, str, float]]:
        server = self.server
        yield "store_failures", "Calls that the store of sessions did not answer.", server.snapshots.failures
        restores = server.sessions.restores
        for kind, count in (
            ("warm", restores["warm"]),
            ("cold", restores["cold"]),
            ("failed", restores["failed"] + server.snapshots.unopened),
        ):
            yield f"restores_{kind}", f"Sessions whose restore was {kind}.", count
        yield "store_fenced", "Sessions that another node has claimed.", server.snapshots.fenced
        refused = server.admission.refused + server.work_gate.refused
        yield "requests_refused", "Requests that were refused because the server was full or busy.", refused
        yield (
            "abandoned_calls",
            "Calls to the browser that did not end after their cancellation.",
            server.portal.abandoned,
        )
        yield (
            "browser_restarts",
            "Browsers launched after the first one of their engine.",
            server.engines.slots.restarts,
        )
        yield "spares_taken", "Clients whose first context was a warm one.", server.engines.warm_taken
