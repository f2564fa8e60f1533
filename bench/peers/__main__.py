"""Comparison with other browser tools for agents: speed, and amount of text for the model.

Every peer has a browser of its own, from the same program; the page counts what is done to it, and that is checked
before anything is timed. The peers from npm are installed into a cache folder, in the versions that are noted here.

Run: python -m bench.peers [--smoke]
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import trio

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.browser.observe.token_count import estimate
from bench.harness import Figures, Subject, arguments, race
from bench.peers.inprocess import open_in_process
from bench.peers.installation import install
from bench.peers.mcp import open_devtools_mcp, open_playwright_mcp
from bench.peers.ours import open_ours
from bench.peers.pages import ADDED, COUNTS, NAME, READ, open_pages
from bench.peers.peer import OPERATIONS, Peer, Setting
from bench.peers.picture import draw
from bench.peers.raw import open_raw
from bench.peers.tools import open_our_mcp, open_verbs
from bench.peers.vercel import open_agent_browser
from bench.picture import pyplot

_ROUNDS: Final = 20
_LOADED: Final = ("navigate", "click by ref", "ten steps", "extract")
"""Operations that the smoke run loads the page for. The others need no ref, no empty field, and no other page."""
_OURS: Final = ("agentbrowser", "agentbrowser mcp", "agentbrowser verbs")


@contextlib.asynccontextmanager
async def _open_peers(setting: Setting) -> AsyncIterator[list[Peer]]:
    """Run all peers; the first one is the baseline. [trio]"""
    async with (
        open_raw(setting) as raw,
        open_ours(setting) as ours,
        open_our_mcp(setting) as our_mcp,
        open_verbs(setting) as verbs,
        open_in_process(setting) as in_process,
        open_playwright_mcp(setting) as playwright_mcp,
        open_devtools_mcp(setting) as devtools,
        open_agent_browser(setting) as (shell, daemon),
    ):
        yield [raw, ours, our_mcp, verbs, in_process, playwright_mcp, devtools, shell, daemon]


async def _checked(peer: Peer, operation: str) -> float:
    """Check that an operation has the measured effect, and return its time. [trio]"""
    before = await peer.evaluate(COUNTS) if operation in ADDED else {}
    took, result = await peer.timed(peer.operations[operation])
    if operation in ADDED:
        after = await peer.evaluate(COUNTS)
        added = {name: count - before[name] for name, count in after.items() if count != before[name]}
        if "inputs" in added:
            added["inputs"] = 1  # some peers type character by character
        right: Any = added == ADDED[operation] and await peer.evaluate(NAME) == ("Ada" if "inputs" in added else "")
    elif operation == "extract":
        right = isinstance(result, list) and len(result) == 120 and result[7] == _SEVENTH
    elif operation == "screenshot":
        right = _is_jpeg(result)
    elif operation == "observe":
        right = isinstance(result, str) and "More of it" in result and "Entry 149" in result
    else:
        right = await peer.evaluate("document.title") == "Actions"
    if not right:
        raise ValueError(f"{peer.name} did not {operation} rightly: {str(result)[:300]}")
    return took


_SEVENTH: Final = {"name": "Fjord Floor Lamp, brass", "price": 68.9}


def _is_jpeg(result: object) -> bool:
    image = result if isinstance(result, bytes) else Path(str(result)).read_bytes()
    return image.startswith(b"\xff\xd8")


async def _race(operation: str, peers: list[Peer], setting: Setting, rounds: int) -> list[Figures]:
    able = [peer for peer in peers if operation in peer.operations]
    for peer in able:
        if rounds > 1 or operation in _LOADED:
            await peer.go(setting.shop if operation == "extract" else setting.form)
        if rounds > 1:
            await _checked(peer, operation)

    def subject(peer: Peer) -> Subject:
        async def run() -> float:
            if rounds == 1:
                return await _checked(peer, operation)
            return (await peer.timed(peer.operations[operation]))[0]

        return Subject(peer.name, run)

    return await race(operation, [subject(peer) for peer in able], rounds=rounds, warmup=3 if rounds >= _ROUNDS else 0)


async def _read(peers: list[Peer], setting: Setting, kinds: Sequence[str]) -> Iterator[str]:
    """Return the table of the text sizes for the model, of these pages. [trio]"""
    looks = [(peer.name, peer, peer.operations["observe"]) for peer in peers[1:]]
    looks += [(f"{peer.name}, folded", peer, peer.folded) for peer in peers if peer.folded]
    texts: dict[str, list[str]] = {name: [] for name, _, _ in looks}
    for kind in kinds:
        for name, peer, look in looks:
            await peer.go(setting.site + kind)
            texts[name].append(str((await peer.timed(look))[1]))
    for name, peer, _ in looks:
        texts[name].append(peer.tools)
    head = "".join(f"{kind:>18}" for kind in (*kinds, "its tools"))
    return iter([f"  {'':24}{head}", *(f"  {name:24}" + "".join(map(_cost, row)) for name, row in texts.items())])


def _cost(text: str) -> str:
    return f"{len(text):9,} {estimate(text):8,}" if text else ""


def _table(figures: dict[str, list[Figures]], peers: list[Peer]) -> Iterator[str]:
    """Yield the table of the medians, as multiples of raw CDP's."""
    yield f"  {'':24}" + "".join(f"{operation:>15}" for operation in figures)
    for peer in peers:
        found = ({one.name: one for one in row}.get(peer.name) for row in figures.values())
        yield f"  {peer.name:24}" + "".join(f"{one.ratio:14.2f}x" if one else f"{'':15}" for one in found)


def _note(peers: list[Peer], figures: dict[str, list[Figures]]) -> None:
    """Print the measured versions, and the operations in which each of ours does not lead."""
    for peer in peers:
        print(f"  {peer.name:24} {peer.version}")
    for operation, row in figures.items():
        by_name = {one.name: one for one in row[1:]}
        for ours in filter(None, map(by_name.pop, _OURS)):
            ahead = [one.name for one in by_name.values() if one.p50 < ours.p50 and one.name not in _OURS]
            if ahead:
                print(f"  {operation}: {ours.name} behind {', '.join(ahead)}")


async def main(rounds: int) -> None:
    """Measure all peers, print the tables, and draw the picture. [trio]"""
    is_drawn = rounds >= _ROUNDS
    if is_drawn:
        pyplot()  # fail early if matplotlib is missing
    flags = ("--no-sandbox",) if os.geteuid() == 0 else ()
    home = Path(tempfile.mkdtemp(prefix="agentbrowser-bench-"))
    try:
        with open_pages() as site:
            browser = find_browser("chromium").path
            setting = Setting(browser=browser, flags=flags, home=home, programs=install(), site=site)
            async with _open_peers(setting) as peers:
                figures = {operation: await _race(operation, peers, setting, rounds) for operation in OPERATIONS}
                reading = list(await _read(peers, setting, READ if is_drawn else READ[:1]))
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print("\nmedians as multiples of raw CDP's\n", *_table(figures, peers), sep="\n")
    print("\nwhat a model has to read: characters and tokens (estimate of o200k_base)\n", *reading, sep="\n")
    print()
    _note(peers, figures)
    if is_drawn:
        draw(figures)


if __name__ == "__main__":
    options = arguments()
    trio.run(main, 1 if options.smoke else min(options.rounds, _ROUNDS))
