"""Benchmark of a fleet: sessions that survive killed, restarted and suspended nodes, proxies and stores.

Nodes without a browser carry thousands of sessions (`--simulated N`), nodes with Chromium as many as the machine does
(`--chromium N`). HAProxy with the delivered configuration and Valkey are real.

Run: python -m bench.fleet [--simulated 10000] [--chromium 60] [--smoke]
"""

import argparse
import contextlib
import resource
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.server.watch.descriptors import raise_limit
from bench.fleet.agents import STORING_PAGE, Agent, for_each
from bench.fleet.cluster import Fleet, FleetProcess, haproxy_path, open_fleet
from bench.fleet.faults import HEADER, Outcome, kill_node, kill_store, restart_proxy, roll, suspend_node
from bench.picture import pyplot, save
from bench.program import open_site, write_line

_AT_ONCE: Final = {True: 64, False: 4}
"""Clients that begin at the same time, with and without simulation."""
_KIB: Final = 1024


@attrs.frozen(kw_only=True)
class Plan:
    """Size of one run."""

    sessions: int
    nodes: int
    proxies: int
    is_simulated: bool
    stop_s: float = 20.0
    store_s: float = 30.0
    faults: tuple[str, ...] = ("kill", "roll", "proxy", "stop", "store")

    @property
    def name(self) -> str:
        """Return the name of the kind of nodes."""
        return "simulated" if self.is_simulated else "chromium"


@contextlib.asynccontextmanager
async def _open_agents(fleet: Fleet, plan: Plan, site: str) -> AsyncIterator[list[Agent]]:
    """Begin all sessions, visit their pages, and wait until the store has them; print the costs. [trio]"""
    agents = [Agent(fleet, number, site) for number in range(plan.sessions)]
    at_once = _AT_ONCE[plan.is_simulated]
    async with trio.open_nursery() as nursery:
        before = _taken(fleet)
        connected_s = await for_each(agents, lambda agent: agent.connect(nursery), at_once)
        visited_s = await for_each(agents, lambda agent: agent.visit(), at_once)
        while await trio.to_thread.run_sync(fleet.saved) < len(agents):  # noqa: ASYNC110 - another process
            await trio.sleep(0.2)
        after = _taken(fleet)
        facts = {part: (after[part] - before[part]) / len(agents) / _KIB for part in ("nodes", "proxies", "store")}
        print(f"connected: {len(agents)} in {connected_s[-1]:.1f} s, {len(agents) / connected_s[-1]:.0f}/s")
        print(f"pages loaded: {len(agents) / visited_s[-1]:.1f}/s")
        print("memory of a session: " + ", ".join(f"{part} {kib:.1f} KiB" for part, kib in facts.items()))
        write_line("fleet", {"run": plan.name, "sessions": len(agents), "connected_s": connected_s[-1], **facts})
        yield agents
        for agent in agents:
            agent.connection.reconnect = attrs.evolve(agent.connection.reconnect, max_attempts=0)
        nursery.cancel_scope.cancel()


def _taken(fleet: Fleet) -> dict[str, float]:
    def sum_of(processes: list[FleetProcess]) -> float:
        return float(sum(process.taken().own_bytes for process in processes))

    return {"nodes": sum_of(fleet.nodes), "proxies": sum_of(fleet.proxies), "store": float(fleet.stored_bytes())}


async def _measure_saves(fleet: Fleet, plan: Plan, agents: list[Agent], seconds: float) -> None:
    """Change pages as fast as possible, and print the rate of saves and what each costs. [trio]"""

    def cpu_s() -> dict[str, float]:
        nodes, proxies = (sum(one.taken().cpu_s for one in group) for group in (fleet.nodes, fleet.proxies))
        return {"nodes": nodes, "proxies": proxies, "store": fleet.store_cpu_s()}

    visits = 0

    async def visit(agents: list[Agent]) -> None:
        nonlocal visits
        while True:
            for agent in agents:
                await agent.visit()
                visits += 1

    workers = 64
    saves, before, began_s = fleet.saves(), cpu_s(), time.perf_counter()
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            for number in range(workers):
                nursery.start_soon(visit, agents[number::workers] or agents[:1])
    lasted_s = time.perf_counter() - began_s
    saves, after = fleet.saves() - saves, cpu_s()
    costs = {part: (after[part] - before[part]) / max(1, saves) * 1000 for part in before}
    print(f"saves: {saves / lasted_s:.0f}/s, of {visits / lasted_s:.0f} changes/s")
    print("CPU of a save: " + ", ".join(f"{part} {ms:.2f} ms" for part, ms in costs.items()))
    write_line("fleet", {"run": plan.name, "saves_per_s": saves / lasted_s, "cpu_ms": costs})


async def run(plan: Plan) -> list[Outcome]:
    """Run one fleet through all faults. [trio]"""
    print(f"\n{plan.sessions} sessions on {plan.nodes} {plan.name} nodes, {plan.proxies} proxies")
    faults: dict[str, Callable[[Fleet, list[Agent]], Awaitable[Outcome]]] = {
        "kill": kill_node,
        "roll": roll,
        "proxy": restart_proxy,
        "stop": partial(suspend_node, seconds=plan.stop_s),
        "store": partial(kill_store, seconds=plan.store_s),
    }
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as folder, open_site(lambda _: STORING_PAGE.encode()) as site:
        fleets = open_fleet(
            Path(folder),
            nodes=plan.nodes,
            proxies=plan.proxies,
            sessions=plan.sessions,
            is_simulated=plan.is_simulated,
        )
        async with fleets as fleet, _open_agents(fleet, plan, site) as agents:
            if plan.is_simulated:
                await _measure_saves(fleet, plan, agents, plan.stop_s)
            print(HEADER)
            for fault in plan.faults:
                outcomes.append(await faults[fault](fleet, agents))
                print(outcomes[-1].row(), flush=True)
                write_line("fleet", {"run": plan.name, **outcomes[-1].facts()})
                agents = [agent for agent in agents if agent.connection.state != "closed"]
    return outcomes


def _draw(plan: Plan, outcomes: list[Outcome]) -> None:
    figure, axis = pyplot().subplots(figsize=(9, 5))
    for one in outcomes:
        if one.back_s:
            shares = [(number + 1) / one.affected * 100 for number in range(len(one.back_s))]
            axis.plot(one.back_s, shares, label=f"{one.fault}: {one.affected} affected, {one.lost} lost")
    axis.set_xlabel("seconds after the fault (rolling restart: after its end)")
    axis.set_ylabel("sessions that are back, % of those affected")
    axis.set_ylim(0, 103)
    axis.grid(visible=True, alpha=0.3)
    axis.legend()
    figure.suptitle(f"{plan.sessions} sessions on {plan.nodes} {plan.name} nodes behind HAProxy and Valkey")
    save(figure, f"fleet-{plan.name}")


def _plans(options: argparse.Namespace) -> list[Plan]:
    if options.smoke:
        small: Any = {"proxies": 1, "nodes": 2, "stop_s": 1.0, "store_s": 1.0}
        return [Plan(sessions=40, is_simulated=True, faults=("kill", "roll", "proxy", "store"), **small)]
    plans = []
    if options.simulated:
        plans.append(Plan(sessions=options.simulated, nodes=options.nodes, proxies=2, is_simulated=True))
    if options.chromium:
        plans.append(Plan(sessions=options.chromium, nodes=3, proxies=1, is_simulated=False))
    return [attrs.evolve(plan, faults=tuple(options.faults.split(","))) for plan in plans]


def main() -> None:
    """Run what the command line asks for; exit with 1 if a session was lost."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--simulated", type=int, default=10_000, help="sessions without a browser; 0 for no such run")
    parser.add_argument("--nodes", type=int, default=4, help="simulated nodes")
    parser.add_argument("--chromium", type=int, default=60, help="sessions with Chromium on 3 nodes; 0 for no such run")
    parser.add_argument("--faults", default="kill,roll,proxy,stop,store", help="the faults to cause, in order")
    parser.add_argument("--smoke", action="store_true", help="a few sessions, to check that the benchmark works")
    options = parser.parse_args()
    if haproxy_path() is None:
        print("not run: Debian's haproxy is not installed")
        sys.exit(0 if options.smoke else 1)
    raise_limit()
    lost = 0
    for plan in _plans(options):
        room = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 200
        if plan.sessions > room:
            print(f"only {room} file descriptors: {room} sessions instead of {plan.sessions}")
            plan = attrs.evolve(plan, sessions=room)
        outcomes = trio.run(run, plan)
        lost += sum(outcome.lost for outcome in outcomes)
        if not options.smoke:
            _draw(plan, outcomes)
    if lost:
        sys.exit(f"{lost} sessions were lost")


if __name__ == "__main__":
    main()
