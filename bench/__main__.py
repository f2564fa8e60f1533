"""All benchmarks in sequence, each in its own process; the last one takes an hour.

Run: python -m bench [--smoke]
"""

import argparse
import subprocess
import sys
import time
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
    "soak",
)


def main() -> None:
    """Run all benchmarks; stop at the first failure."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true", help="a few rounds of each, to check that they work")
    options = ["--smoke"] if parser.parse_args().smoke else []
    for script in SCRIPTS:
        print(f"\n== python -m bench.{script}", flush=True)
        started = time.perf_counter()
        subprocess.run([sys.executable, "-m", f"bench.{script}", *options], check=True)
        print(f"== {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
