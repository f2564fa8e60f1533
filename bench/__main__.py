"""All benchmarks in sequence, each in its own process; the last one takes an hour.

Run: python -m bench [--smoke]
"""

import argparse
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

SCRIPTS: Final = (
    "overhead",
    "observe",
    "actions",
    "tokens",
    "extract",
    "wall",
    "cold",
    "scale",
    "peers",
    "loop",
    "settle",
    "turmoil",
    "neighbours",
    "overload",
    "kills",
    "fleet",
    "watching",
    "replays",
    "exports",
    "interfaces",
    "soak",
)
WITH_DAEMONS: Final = ("peers", "loop", "interfaces")
"""Benchmarks that use a daemon per user, ours or another project's: never two of them at once."""


def main() -> None:
    """Run all benchmarks; stop at the first failure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true", help="a few rounds of each, to check that they work")
    if parser.parse_args().smoke:
        _smoke()
    else:
        for script in SCRIPTS:
            print(_title(script), end="", flush=True)
            started = time.perf_counter()
            subprocess.run([sys.executable, "-m", f"bench.{script}"], check=True)
            print(f"== {time.perf_counter() - started:.0f} s", flush=True)


def _smoke() -> None:
    """Run a few rounds of each, two benchmarks at a time: their figures do not count."""
    rest = deque(script for script in SCRIPTS if script not in WITH_DAEMONS)
    failed = threading.Event()
    with ThreadPoolExecutor() as pool:
        codes = list(pool.map(lambda first: _smoke_in_turn(first, rest, failed), (WITH_DAEMONS, ())))
    sys.exit(max(codes))


def _smoke_in_turn(first: Sequence[str], rest: deque[str], failed: threading.Event) -> int:
    """Smoke-test ``first``, then what is left of ``rest``; return 1 at the first failure."""
    mine = deque(first)
    while not failed.is_set():
        try:
            script = (mine or rest).popleft()
        except IndexError:  # the other lane took the last one
            break
        started = time.perf_counter()
        words = [sys.executable, "-m", f"bench.{script}", "--smoke"]
        ran = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        # In one write: the other lane prints, too.
        print(f"{_title(script)}{ran.stdout}== {time.perf_counter() - started:.0f} s\n", end="", flush=True)
        if ran.returncode:
            failed.set()
            return 1
    return 0


def _title(script: str) -> str:
    return f"\n== python -m bench.{script}\n"


if __name__ == "__main__":
    main()
