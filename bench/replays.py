"""Replays of recorded runs: does a run of each of the twelve test sites replay without divergence?

A scripted agent does the task of each site on a server that records bodies. The recording is replayed several times.
Then a word that the site shows late is changed in the recorded network: the replay must stop at the step that shows it.

Run: python -m bench.replays [--replays 10] [--only NAME] [--smoke]
"""

import argparse
import base64
import contextlib
import itertools
import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.cli.logs import set_up_logging
from agentbrowser.cli.replay import ReplayOptions, ReplayReport, replay
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.recorder.archive import Recording, read_recording
from agentbrowser.recorder.steps import Step, steps_of
from agentbrowser.server.app import open_server
from bench.program import write_line
from tests.browser.sites.agent import ScriptedAgent
from tests.browser.sites.serving import HERE, open_sites

SITES: Final = sorted(path.parent.name for path in HERE.glob("*/task.json"))
WAYS: Final = ("looks", "changes")
SMOKE: Final = "mail"
_RECORDING: Final = Config(
    port=0, scope=Scope.PRIVILEGED, private_network="allow", drain_timeout_s=1, record_bodies=True, log_level="error"
)
_REPLAYING: Final = attrs.evolve(_RECORDING, record_bodies=False, recorder=False)
_WORD: Final = re.compile(r"[A-Z][a-z]{5,}")
_LOOKS: Final = ("text", "observation")
PIN: Final = "5082"
"""The only text that a recording does not hold: that of a password field, on the site of the bank."""


@attrs.define
class Outcome:
    """Outcome of the replays of one site."""

    site: str
    way: str
    """The report after an action: whole looks, or what it changed."""
    steps: int
    replays: int = 0
    diverged: list[str] = attrs.field(factory=list)
    """First lines of each divergence."""
    missing: set[str] = attrs.field(factory=set)
    changed: str = "no word to change"
    """Step at which a changed word was found, and the right one."""

    @property
    def is_good(self) -> bool:
        """Return True if nothing diverged, and the change was found where it is."""
        return not self.diverged and self.changed.endswith("ok")


async def record(url: str, site: str, folder: Path, *, changes: bool) -> Recording:
    """Return the recording of a run of a site's task."""
    task = json.loads((HERE / site / "task.json").read_text(encoding="utf-8"))
    async with open_server(_RECORDING, listens=False) as server, server.connect() as browser:
        await ScriptedAgent(browser, changes=changes).run(f"{url}/{site}/{task['start']}", task["steps"])
        exported = await browser.request("recording/export")
    path = folder / f"{site}-{'changes' if changes else 'looks'}.zip"
    path.write_bytes(base64.b64decode(exported["data"]))
    return read_recording(path)


async def _replay(recording: Recording) -> ReplayReport:
    options = ReplayOptions(masked=PIN)
    return await replay(recording, options, _REPLAYING)


def _texts(steps: list[Step]) -> list[str]:
    """Return the text that each step needed, such as an option's, or showed."""
    results = [step.event.get("result") or {} for step in steps]
    shown = [[result.get(name) for name in _LOOKS] for result in results]
    return [json.dumps([step.params, *one], ensure_ascii=False) for step, one in zip(steps, shown, strict=True)]


def _late_word(recording: Recording, texts: list[str]) -> tuple[str, int] | None:
    """Return the word that appears last, and the number of its first step, of those in one recorded body."""
    bodies = [body.decode("utf-8", "replace") for name, body in recording.blobs.items() if name.startswith("bodies/")]
    found: dict[str, int] = {}
    for number, text in enumerate(texts, 1):
        for word in _WORD.findall(text):
            found.setdefault(word, number)
    once = [(number, word) for word, number in found.items() if sum(body.count(word) for body in bodies) == 1]
    return (max(once)[1], max(once)[0]) if once else None


async def _find_change(recording: Recording) -> str:
    """Change a word in the recorded network, and return where the replay found it."""
    late = _late_word(recording, _texts(steps_of(recording)))
    if late is None:
        return "no word to change"
    word, number = late
    other = word[0] + word[:0:-1]
    changed = {name: body.replace(word.encode(), other.encode()) for name, body in recording.blobs.items()}
    report = await _replay(attrs.evolve(recording, blobs=changed))
    found = [one.number for one in report.divergences]
    return f"{word} {found} of [{number}] {'ok' if found == [number] else 'WRONG'}"


async def _judge(url: str, site: str, way: str, replays: int, folder: Path) -> Outcome:
    recording = await record(url, site, folder, changes=way == "changes")
    outcome = Outcome(site=site, way=way, steps=len(steps_of(recording)))
    for _ in range(replays):
        report = await _replay(recording)
        outcome.replays += 1
        outcome.missing |= set(report.missing)
        for one in report.divergences:
            outcome.diverged.append(f"step {one.number} {one.step.method}: {' '.join(one.lines)[:600]}")
    outcome.changed = await _find_change(recording)
    return outcome


@contextlib.contextmanager
def open_folder(kept: Path | None) -> Iterator[Path]:
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept
        return
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


async def _main(options: argparse.Namespace) -> bool:
    """Print the outcome of each site; return True if all are good."""
    names = [options.only] if options.only else [SMOKE] if options.smoke else SITES
    ways = options.way or (WAYS[:1] if options.smoke else WAYS)
    are_good = True
    set_up_logging(_RECORDING)
    with open_sites(HERE) as url, open_folder(options.keep) as folder:
        for site, way in itertools.product(names, ways):
            started_s = time.perf_counter()
            one = await _judge(url, site, way, 1 if options.smoke else options.replays, folder)
            facts = {**attrs.asdict(one), "missing": sorted(one.missing), "s": round(time.perf_counter() - started_s)}
            write_line("replays", facts)
            are_good = are_good and one.is_good
    return are_good


def _arguments() -> Any:
    parser = argparse.ArgumentParser()
    parser.add_argument("--replays", type=int, default=10)
    parser.add_argument("--only", choices=SITES)
    parser.add_argument("--way", choices=WAYS, action="append")
    parser.add_argument("--keep", type=Path, help="folder for the recordings")
    parser.add_argument("--smoke", action="store_true", help="one site, which was looked at in full, replayed once")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(0 if trio.run(_main, _arguments()) else 1)
