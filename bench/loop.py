"""Loop of an agent, look, act, look again: facts in the looks, tokens paid for them, and time until the outcome shows.

The pages hold facts, words that a person sees at first or after an action: prices, order numbers, messages, toasts,
counters, results that arrive 0 to 2,000 ms later. An action counts only if the page shows what it should cause.

Run: python -m bench.loop [--rounds 3] [--pages 30] [--ours-only] [--verbose] [--smoke]
"""

import argparse
import contextlib
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.browser.engine.find_browser import find_browser
from bench.harness import Subject, race
from bench.looping.agents import (
    LoopAgent,
    OurAgent,
    open_our_agent,
    open_playwright_agent,
    open_vercel_agent,
)
from bench.looping.facts import PAGES, VISIBLE, Action, FactPage, present, read_pages
from bench.peers.installation import install
from bench.peers.peer import Setting
from bench.program import write_line
from tests.browser.sites.serving import HERE, open_sites

_ROUNDS: Final = 3
_IDLE_ROUNDS: Final = 200
_PATIENCE_S: Final = 5.0
_LIMIT_S: Final = 30.0
_BETWEEN_LOOKS_S: Final = 0.02
_COUNTS: Final = ("outcomes never shown", "actions without effect", "targets in no look")


@attrs.frozen(kw_only=True)
class Outcome:
    """An action and the looks after it, until one showed the outcome."""

    after_ms: int
    is_in_first: bool
    first_s: float
    """Time from the action to the first look."""
    shown_s: float | None
    """Time from the action to the look that showed the outcome; None if no look did."""


@attrs.define
class Tally:
    """Results of one agent."""

    facts: int = 0
    in_first: int = 0
    """Facts in the first look at the page."""
    in_all: int = 0
    """Facts in the first look or in the further pages of it."""
    action_facts: int = 0
    action_facts_in_first: int = 0
    """Facts of actions that the first look after the action shows."""
    first_tokens: int = 0
    rest_tokens: int = 0
    action_tokens: int = 0
    outcomes: list[Outcome] = attrs.field(factory=list)
    failed: list[str] = attrs.field(factory=list)
    """Actions that were refused, or after which the page showed none of the facts; no figures of these."""
    missing: list[str] = attrs.field(factory=list)

    @property
    def tokens(self) -> int:
        """Return the tokens of the first looks and of the looks after actions."""
        return self.first_tokens + self.action_tokens


async def _visit(agent: LoopAgent, site: str, page: FactPage, tally: Tally) -> None:
    """Load a page, count its facts in the look, and act on it. [trio]"""
    first = await agent.open(f"{site}/{page.page}")
    found = present(page.facts, agent.words(first.look))
    if not found and not await _happens(agent, page.facts):
        raise ValueError(f"{agent.name} did not open {page.page}")
    rest = await agent.rest()
    everywhere = present(page.facts, agent.words(f"{first.look}\n{rest.look}"))
    tally.facts += len(page.facts)
    tally.in_first += len(found)
    tally.in_all += len(everywhere)
    tally.first_tokens += first.tokens
    tally.rest_tokens += rest.tokens
    tally.missing += [f"{page.page}: {fact}" for fact in page.facts if fact not in found]
    for action in page.actions:
        await _act(agent, page, action, tally)


async def _act(agent: LoopAgent, page: FactPage, action: Action, tally: Tally) -> None:
    what, expected = f"{page.page}: {action.do} {action.role} {action.name!r}", action.facts
    started = time.perf_counter()
    try:
        with trio.fail_after(_LIMIT_S):
            reply = await agent.act(action)
    except (ValueError, trio.TooSlowError) as refused:
        tally.failed.append(f"{what}: {refused}")
        return
    first_s = time.perf_counter() - started
    found = present(expected, agent.words(reply.look))
    is_in_first = len(found) == len(expected)
    missing = [f"{what}: {fact}" for fact in expected if fact not in found]
    shown_s = first_s if is_in_first else await _until_shown(agent, expected, found, started)
    if shown_s is None and not found and not await _happens(agent, expected):
        tally.failed.append(what)
        return
    tally.action_facts += len(expected)
    tally.action_facts_in_first += len(expected) - len(missing)
    tally.action_tokens += reply.tokens
    tally.missing += missing
    tally.outcomes.append(Outcome(after_ms=action.after_ms, is_in_first=is_in_first, first_s=first_s, shown_s=shown_s))


async def _until_shown(agent: LoopAgent, facts: list[str], found: set[str], started: float) -> float | None:
    """Look until all facts have been shown; return the time, or None if they never are. [trio]"""
    while (took := time.perf_counter() - started) < _PATIENCE_S:
        reply = await agent.look()
        rest = await agent.rest()
        found |= present(facts, agent.words(f"{reply.look}\n{rest.look}"))
        if len(found) == len(facts):
            return time.perf_counter() - started
        if took > 1 and len(present(facts, await agent.evaluate(VISIBLE))) == len(facts):
            return None  # the page shows them, and the look does not
        await trio.sleep(_BETWEEN_LOOKS_S)
    return None


async def _checked(agent: LoopAgent, site: str, page: FactPage) -> FactPage:
    """Do all that is done on a page; return it with those facts of an action that it makes visible. [trio]

    Raises:
      ValueError: an action has not the effect that the page is to show.
    """
    await agent.open(f"{site}/{page.page}")
    actions = []
    for action in page.actions:
        before = present(action.facts, await agent.evaluate(VISIBLE))
        facts = [fact for fact in action.facts if fact not in before] or action.facts
        await agent.act(action)
        if not await _happens(agent, facts):
            raise ValueError(f"{page.page}: {action.do} {action.role} {action.name!r} has no effect: {facts}")
        actions.append(attrs.evolve(action, facts=facts))
    return attrs.evolve(page, actions=actions)


async def _happens(agent: LoopAgent, facts: list[str]) -> bool:
    """Return True if the page soon shows some of the facts: scripts can't read third-party frames. [trio]"""
    deadline = trio.current_time() + _PATIENCE_S
    while not present(facts, await agent.evaluate(VISIBLE)):
        if trio.current_time() > deadline:
            return False
        await trio.sleep(_BETWEEN_LOOKS_S)
    return True


@contextlib.asynccontextmanager
async def _open_agents(setting: Setting, *, ours_only: bool) -> AsyncIterator[list[LoopAgent]]:
    async with open_our_agent(setting) as ours:
        if ours_only:
            yield [ours]
            return
        async with open_playwright_agent(setting) as playwright, open_vercel_agent(setting) as vercel:
            yield [ours, playwright, vercel]


async def _compare_settling(agent: OurAgent, site: str, rounds: int) -> None:
    """Measure a click and a look where nothing is pending, with and without the wait for a settled page. [trio]"""
    await agent.client.call("page/navigate", url=f"{site}/quiet.html")
    seen = await agent.client.call("agent/observe")
    ref = next(one["ref"] for one in seen["interactiveElements"] if one.get("name") == "Add")
    count = 0

    def subject(name: str, **params: Any) -> Subject:
        async def run() -> float:
            nonlocal count
            count += 1
            started = time.perf_counter()
            await agent.client.call("action/click", selector={"type": "ref", "value": ref})
            look = await agent.client.call("agent/observe", format="text", **params)
            took = time.perf_counter() - started
            if (shown := await agent.evaluate("document.querySelector('#count').textContent")) != str(count):
                raise ValueError(f"{shown} clicks, not {count}: {look}")
            return took

        return Subject(name, run)

    subjects = [subject("click and look, settle: false", settle=False), subject("click and look, settled")]
    figures = await race("where nothing is pending", subjects, rounds=rounds, warmup=max(2, rounds // 10))
    print(f"  the wait costs {figures[1].p50 - figures[0].p50:+.2f} ms (medians)")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "-"


def _median_ms(times: Iterable[float]) -> float | None:
    listed = list(times)
    return round(1000 * statistics.median(listed), 1) if listed else None


def _row(agent: LoopAgent, tally: Tally, rounds: int) -> dict[str, Any]:
    """Return the figures of one agent."""
    done = tally.outcomes
    late = [one for one in done if one.after_ms]
    shown = [(one, one.shown_s) for one in done if one.shown_s is not None]
    return {
        "agent": agent.name,
        "version": agent.version,
        "facts in the first look": _percent(tally.in_first, tally.facts),
        "with its further pages": _percent(tally.in_all, tally.facts),
        "facts of actions, first look": _percent(tally.action_facts_in_first, tally.action_facts),
        "outcomes in the first look": _percent(sum(one.is_in_first for one in done), len(done)),
        "the same, async only": _percent(sum(one.is_in_first for one in late), len(late)),
        "outcomes never shown": sum(one.shown_s is None for one in done),
        "tokens a round": tally.tokens // rounds,
        "of first looks": tally.first_tokens // rounds,
        "of further pages": tally.rest_tokens // rounds,
        "of looks after actions": tally.action_tokens // rounds,
        "act to look, median ms": _median_ms(one.first_s for one in done),
        "act to outcome, median ms": _median_ms(took for _, took in shown),
        "beyond the page's delay, ms": _median_ms(took - one.after_ms / 1000 for one, took in shown),
        "actions without effect": len(tally.failed),
        "targets in no look": agent.unseen,
    }


def _show(rows: list[dict[str, Any]]) -> None:
    """Print the figures, and for each number its ratio to the first agent's."""
    for name, base in rows[0].items():
        cells = []
        for row in rows:
            is_compared = isinstance(base, int | float) and name not in _COUNTS and row[name]
            cells.append(f"{row[name]:,} ({base / row[name]:.2f})" if is_compared else str(row[name]))
        print(f"  {name:30}" + "".join(f"{cell:>32}" for cell in cells))
    print("  In parentheses: the first agent's figure as a share of this one's.")


async def main(options: argparse.Namespace) -> None:
    """Measure all agents on all pages, and print the table. [trio]"""
    pages = read_pages(options.pages)
    home = Path(tempfile.mkdtemp(prefix="agentbrowser-bench-"))
    flags = ("--no-sandbox",) if os.geteuid() == 0 else ()
    try:
        with open_sites(PAGES, HERE) as site:
            programs = home if options.ours_only else install()
            browser = find_browser("chromium").path
            setting = Setting(browser=browser, flags=flags, home=home, programs=programs, site=f"{site}/")
            async with _open_agents(setting, ours_only=options.ours_only) as agents:
                assert isinstance(agents[0], OurAgent)
                await _compare_settling(agents[0], site, 2 if options.smoke else _IDLE_ROUNDS)
                tallies = {agent.name: Tally() for agent in agents}
                pages = [await _checked(agents[0], site, page) for page in pages]
                for _ in range(options.rounds):
                    for page in pages:
                        for agent in random.sample(agents, len(agents)):
                            began = time.perf_counter()
                            await _visit(agent, site, page, tallies[agent.name])
                            if options.verbose:
                                print(f"{time.perf_counter() - began:6.1f} s  {agent.name:16}{page.page}", flush=True)
                rows = [_row(agent, tallies[agent.name], options.rounds) for agent in agents]
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print(f"\nthe loop on {len(pages)} pages, {options.rounds} rounds\n")
    _show(rows)
    for row in rows:
        write_line("loop", row)
    if options.verbose:
        for name, tally in tallies.items():
            print(f"\n{name}: facts that are not in the first look", *sorted(set(tally.missing)), sep="\n  ")
            print(f"{name}: actions without effect", *sorted(set(tally.failed)), sep="\n  ")
    if failed := tallies["agentbrowser"].failed:
        raise ValueError(f"{len(failed)} actions of ours had no effect: {failed}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    parser.add_argument("--pages", type=int, help="so many of the pages, evenly chosen")
    parser.add_argument("--ours-only", action="store_true", help="without the other tools, which come from npm")
    parser.add_argument("--verbose", action="store_true", help="list the missing facts")
    parser.add_argument("--smoke", action="store_true", help="one page once, to check that the benchmark works")
    options = parser.parse_args()
    if options.smoke:
        options.rounds, options.pages = 1, 1
    return options


if __name__ == "__main__":
    trio.run(main, _options())
