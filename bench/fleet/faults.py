"""Faults of a fleet: what becomes of the sessions, and when."""

import contextlib
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from statistics import mean, median
from typing import Any, Final

import attrs
import trio

from agentbrowser.protocol.errors import AgentBrowserError
from bench.fleet.agents import Agent
from bench.fleet.cluster import Fleet, FleetProcess

LIMIT_S: Final = 180.0
"""A session that is not back by then is lost."""
_PROBES: Final = 20
"""Clients that measure the response time."""
_PROBE_PAUSE_S: Final = 0.05


@attrs.define(kw_only=True)
class Outcome:
    """Sessions after a fault."""

    fault: str
    sessions: int
    affected: int = 0
    """Sessions whose clients had to reconnect."""
    lost: int = 0
    moved: int = 0
    """Sessions that are at another node now."""
    restored: dict[str, int] = attrs.field(factory=dict)
    """Number of affected sessions by kind: warm or cold."""
    back_s: list[float] = attrs.field(factory=list)
    """Seconds after which each affected session was back, in order."""
    undisturbed_s: float = 0.0
    """Longest answer to a client whose connection stayed."""
    notes: dict[str, Any] = attrs.field(factory=dict)

    def facts(self) -> dict[str, Any]:
        """Return the results without the time of each session."""
        times = {"p50_s": round(median(self.back_s), 2), "max_s": round(self.back_s[-1], 2)} if self.back_s else {}
        return {**attrs.asdict(self, filter=lambda field, _: field.name != "back_s"), **times}

    def row(self) -> str:
        """Return one line of the table."""
        slowest = f"{self.back_s[-1]:.1f}" if self.back_s else "-"
        middle = f"{median(self.back_s):.1f}" if self.back_s else "-"
        kinds = " ".join(f"{kind} {count}" for kind, count in sorted(self.restored.items()))
        notes = ", ".join(f"{name} {value}" for name, value in self.notes.items())
        return (
            f"{self.fault:18}{self.sessions:9}{self.affected:9}{self.lost:6}{self.moved:7}{middle:>8}{slowest:>8}"
            f"   {kinds}{'; ' if kinds and notes else ''}{notes}"
        )


HEADER: Final = f"{'fault':18}{'sessions':>9}{'affected':>9}{'lost':>6}{'moved':>7}{'p50 s':>8}{'max s':>8}"


async def _observe(fault: str, agents: list[Agent], work: Callable[[], Awaitable[None]]) -> Outcome:
    """Cause a fault, and wait until every session is back or lost. [trio]"""
    before = [(agent.answer, agent.node) for agent in agents]
    ended_s: dict[Agent, float] = {}
    outcome, lost = Outcome(fault=fault, sessions=len(agents)), list[Agent]()

    async def check(agent: Agent) -> None:
        if await agent.is_back(LIMIT_S):
            ended_s[agent] = time.perf_counter() - began_s
        else:
            lost.append(agent)

    await work()
    began_s = time.perf_counter()
    async with trio.open_nursery() as nursery:
        for agent in agents:
            nursery.start_soon(check, agent)
    kinds = Counter[str]()
    for agent, (answer, node) in zip(agents, before, strict=True):
        if agent.answer is answer and agent not in lost:
            outcome.undisturbed_s = max(outcome.undisturbed_s, ended_s[agent])
            continue
        outcome.affected += 1
        outcome.moved += agent.node != node
        kinds[agent.answer.get("restored") or "new"] += 1
        if agent in ended_s:
            outcome.back_s.append(ended_s[agent])
    outcome.back_s.sort()
    outcome.lost, outcome.restored = len(lost), dict(kinds)
    if lost:
        outcome.notes["trouble"] = Counter(agent.trouble[:80] for agent in lost).most_common(2)
    return outcome


async def kill_node(fleet: Fleet, agents: list[Agent]) -> Outcome:
    """Kill -9 a node; start it again after all sessions are back. [trio]"""
    node = _fullest(fleet, agents)

    async def kill() -> None:
        await trio.to_thread.run_sync(node.kill)

    outcome = await _observe("kill -9 of a node", agents, kill)
    await _start(fleet, node)
    return outcome


async def roll(fleet: Fleet, agents: list[Agent]) -> Outcome:
    """Restart all nodes in turn by SIGTERM. [trio]"""
    codes: list[int] = []
    longest_s = 0.0

    async def restart_all() -> None:
        nonlocal longest_s
        for node in fleet.nodes:
            began_s = time.perf_counter()
            node.send(signal.SIGTERM)
            codes.append(await node.wait())
            longest_s = max(longest_s, time.perf_counter() - began_s)
            await _start(fleet, node)

    outcome = await _observe("rolling restart", agents, restart_all)
    outcome.notes |= {"exit codes": sorted(set(codes)), "longest drain s": round(longest_s, 1)}
    return outcome


async def restart_proxy(fleet: Fleet, agents: list[Agent]) -> Outcome:
    """Kill all proxies and start them again. [trio]"""

    async def restart() -> None:
        for proxy in fleet.proxies:
            proxy.kill()
            proxy.start()

    return await _observe("proxy restart", agents, restart)


async def suspend_node(fleet: Fleet, agents: list[Agent], seconds: float) -> Outcome:
    """Stop a node for some time, and count the owners of its sessions afterwards. [trio]"""
    node = _fullest(fleet, agents)
    outcome: Outcome
    resumed = trio.Event()

    async def resume() -> None:
        await trio.sleep(seconds)
        node.send(signal.SIGCONT)
        resumed.set()

    async def stop() -> None:
        node.send(signal.SIGSTOP)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(resume)
        outcome = await _observe(f"SIGSTOP for {seconds:.0f} s", agents, stop)
        await resumed.wait()
        began_s = time.perf_counter()
    own = sum(agent.node == node.name for agent in agents)
    with trio.move_on_after(LIMIT_S):
        while await _held(fleet, node) > own:  # noqa: ASYNC110 - another process
            await trio.sleep(0.2)
    outcome.notes["old owner free after s"] = round(time.perf_counter() - began_s, 1)
    outcome.notes["owners per session"] = round(sum([await _held(fleet, one) for one in fleet.nodes]) / len(agents), 3)
    outcome.notes["left at the old owner"] = round(await _held(fleet, node) - own)
    return outcome


async def kill_store(fleet: Fleet, agents: list[Agent], seconds: float) -> Outcome:
    """Kill the store for some time with all its data, while clients work before, during and after. [trio]"""
    probes = agents[:: max(1, len(agents) // _PROBES)]
    before = await _probe(fleet, probes, seconds)
    notes: dict[str, Any] = {}

    async def fail() -> None:
        fleet.valkey.kill()
        during = await _probe(fleet, probes, seconds)
        begun = await _begin_other(fleet, agents)
        await trio.to_thread.run_sync(fleet.valkey.start)
        began_s = time.perf_counter()
        with trio.move_on_after(LIMIT_S):
            while await trio.to_thread.run_sync(fleet.saved) < len(agents):  # noqa: ASYNC110 - another process
                await trio.sleep(0.2)
        saved = f"{min(fleet.saved(), len(agents))} of {len(agents)}"
        saved_s = time.perf_counter() - began_s
        after = await _probe(fleet, probes, seconds)
        windows = (before, during, after)
        notes.update({"p50 ratio": round(during[0] / mean((before[0], after[0])), 2)})
        notes["CPU ratio"] = round(during[1] / mean((before[1], after[1])), 2)
        notes["p50 ms"] = [round(median_s * 1000, 1) for median_s, _ in windows]
        notes["CPU ms of an answer"] = [round(cpu_s * 1000, 1) for _, cpu_s in windows]
        notes.update({"new sessions begin": begun, "saved again": saved, "after s": round(saved_s, 1)})

    outcome = await _observe(f"no store for {seconds:.0f} s", agents, fail)
    outcome.notes |= notes
    return outcome


async def _probe(fleet: Fleet, probes: list[Agent], seconds: float) -> tuple[float, float]:
    """Return the median time of an answer and the CPU time of the nodes for one, in seconds. [trio]"""
    took_s: list[float] = []

    async def probe(agent: Agent) -> None:
        while True:
            began_s = time.perf_counter()
            await agent.read()
            took_s.append(time.perf_counter() - began_s)
            await trio.sleep(_PROBE_PAUSE_S)

    before_s = _cpu_s(fleet)
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for agent in probes:
                nursery.start_soon(probe, agent)
    return median(took_s), (_cpu_s(fleet) - before_s) / len(took_s)


def _cpu_s(fleet: Fleet) -> float:
    return sum(node.taken().cpu_s for node in fleet.nodes)


async def _begin_other(fleet: Fleet, agents: list[Agent]) -> bool:
    """Return True if another session can begin and work now. [trio]"""
    async with _open_other(fleet, agents) as other:
        try:
            await other.visit()
        except AgentBrowserError:
            return False
        return await other.is_back(LIMIT_S)


@contextlib.asynccontextmanager
async def _open_other(fleet: Fleet, agents: list[Agent]) -> AsyncIterator[Agent]:
    other = Agent(fleet, len(agents), agents[0].site)
    async with trio.open_nursery() as nursery:
        await other.connect(nursery)
        yield other
        await other.connection.request("shutdown")
        nursery.cancel_scope.cancel()


def _fullest(fleet: Fleet, agents: list[Agent]) -> FleetProcess:
    """Return the node with the most sessions."""
    name, _ = Counter(agent.node for agent in agents).most_common(1)[0]
    return next(node for node in fleet.nodes if node.name == name)


async def _held(fleet: Fleet, node: FleetProcess) -> float:
    """Return the sessions that a node holds: its contexts, or without a browser its connections and parked ones."""
    metrics = await trio.to_thread.run_sync(node.metrics, fleet.tokens[0])
    if fleet.is_simulated:
        return metrics["agentbrowser_connections"] + metrics["agentbrowser_parked_sessions"]
    return metrics["agentbrowser_contexts"]


async def _start(fleet: Fleet, node: FleetProcess) -> None:
    node.start()
    await fleet.until_ready(node)
    await fleet.until_proxied()
