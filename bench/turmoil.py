"""Clicks on targets that the page removes, moves, hides or replaces while they are clicked: are all reported rightly?

Each change of the target, its parent or its list happens at one event of the click, or in a microtask or a frame after
its first. The page counts what it sees: wrong is a click that reached another element, double one that acted twice,
false failure an error for a click that acted, false success an answer without an error for one that did not.

Run: python -m bench.turmoil [--clicks N] [--smoke]
"""

import argparse
import itertools
import sys
import time
from collections import Counter
from typing import Any, Final

import structlog
import trio

from agentbrowser.config import Config
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.act.test_removals import CHANGES, MOMENTS, PAGE, PARTS
from tests.browser.settle.slow_site import open_slow_site

_CLICKS: Final = 10_000
_CASES: Final = len(CHANGES) * len(PARTS) * len(MOMENTS)
# The test from which they come tries all.
_SMOKE_CLICKS: Final = len(MOMENTS)
# In turns, all cases with each.
_SELECTORS: Final = ({"type": "css", "value": "#t"}, {"type": "role", "role": "button", "name": "Go"})
_START: Final = "parts => start(...parts)"
_SEEN: Final = """async () => {
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    return [acted, elsewhere];
}"""


async def _evaluate(browser: Any, expression: str, argument: Any = None) -> Any:
    params = {"expression": expression, "arg": argument, "world": "main"}
    return (await browser.request("script/evaluate", params))["value"]


async def _verdict(browser: Any, case: tuple[str, str, str], selector: dict[str, str], times_s: list[float]) -> str:
    """Click once, add the time that it took, and return the verdict: ``right``, or a fault of ours."""
    await _evaluate(browser, _START, list(case))
    message = ""
    began_s = time.perf_counter()
    try:
        await browser.request("action/click", {"selector": selector})
    except AgentBrowserError as error:
        message = str(error)
    times_s.append(time.perf_counter() - began_s)
    acted, elsewhere = await _evaluate(browser, _SEEN)
    if elsewhere:
        return "wrong"
    if acted > 1:
        return "double"
    if message:
        return "false failure" if acted else "failure"
    return "right" if acted else "false success"


async def _run(clicks: int, times_s: list[float]) -> Counter[str]:
    verdicts: Counter[str] = Counter()
    cases = itertools.cycle(itertools.product(CHANGES, PARTS, MOMENTS))
    config = Config(port=0, scope=Scope.PRIVILEGED)
    with open_slow_site() as site:
        async with open_server(config) as server, server.connect() as browser:
            await browser.request("page/navigate", {"url": site.show("/", PAGE)})
            for number, case in zip(range(clicks), cases, strict=False):
                selector = _SELECTORS[number // _CASES % len(_SELECTORS)]
                verdict = await _verdict(browser, case, selector, times_s)
                verdicts[verdict] += 1
                if verdict != "right":
                    print(f"{verdict}: {' '.join(case)}", flush=True)
    return verdicts


def _nth_ms(times_s: list[float], share: float) -> float:
    """Return the time in milliseconds within which this share of the clicks was answered."""
    return sorted(times_s)[min(int(len(times_s) * share), len(times_s) - 1)] * 1000


def main() -> None:
    """Print the totals; fail unless every click is right."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--clicks", type=int, default=_CLICKS)
    parser.add_argument("--smoke", action="store_true", help="one change at each moment")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    started = time.perf_counter()
    times_s: list[float] = []
    verdicts = trio.run(_run, _SMOKE_CLICKS if options.smoke else options.clicks, times_s)
    print(f"{verdicts.total()} clicks in {time.perf_counter() - started:.0f} s: {dict(verdicts)}")
    shares = ", ".join(f"{share:.1%} in {_nth_ms(times_s, share):.0f} ms" for share in (0.5, 0.99, 0.999, 1))
    print(f"answered: {shares}")
    sys.exit(verdicts["right"] != verdicts.total())


if __name__ == "__main__":
    main()
