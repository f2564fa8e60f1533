"""All benchmarks in sequence, each in its own process; the last one takes an hour.

Run: python -m bench [--smoke]
"""

import argparse
import subprocess
import sys
import threading
import time
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
OF_OTHERS: Final = ("peers", "loop")
"""Benchmarks that start other projects' servers, of which one has a daemon per user: never two of them at once."""


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
    lanes = (OF_OTHERS, tuple(script for script in SCRIPTS if script not in OF_OTHERS))
    failed = threading.Event()
    with ThreadPoolExecutor() as pool:
        codes = list(pool.map(lambda lane: _smoke_in_turn(lane, failed), lanes))
    sys.exit(max(codes))


def _smoke_in_turn(scripts: Sequence[str], failed: threading.Event) -> int:
    for script in scripts:
        if failed.is_set():
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
