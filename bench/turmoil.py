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
_SMOKE_CLICKS: Final = len(CHANGES) * len(PARTS) * len(MOMENTS)
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


async def _verdict(browser: Any, case: tuple[str, str, str], selector: dict[str, str]) -> str:
    """Click once, and return the verdict: ``right``, or a fault of ours."""
    await _evaluate(browser, _START, list(case))
    message = ""
    try:
        await browser.request("action/click", {"selector": selector})
    except AgentBrowserError as error:
        message = str(error)
    acted, elsewhere = await _evaluate(browser, _SEEN)
    if elsewhere:
        return "wrong"
    if acted > 1:
        return "double"
    if message:
        return "false failure" if acted else "failure"
    return "right" if acted else "false success"


async def _run(clicks: int) -> Counter[str]:
    verdicts: Counter[str] = Counter()
    cases = itertools.cycle(itertools.product(CHANGES, PARTS, MOMENTS))
    config = Config(port=0, scope=Scope.PRIVILEGED)
    with open_slow_site() as site:
        async with open_server(config) as server, server.connect() as browser:
            await browser.request("page/navigate", {"url": site.show("/", PAGE)})
            for number, case in zip(range(clicks), cases, strict=False):
                verdict = await _verdict(browser, case, _SELECTORS[number // _SMOKE_CLICKS % len(_SELECTORS)])
                verdicts[verdict] += 1
                if verdict != "right":
                    print(f"{verdict}: {' '.join(case)}", flush=True)
    return verdicts


def main() -> None:
    """Print the totals; fail unless every click is right."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--clicks", type=int, default=_CLICKS)
    parser.add_argument("--smoke", action="store_true", help="each case once")
    options = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    started = time.perf_counter()
    verdicts = trio.run(_run, _SMOKE_CLICKS if options.smoke else options.clicks)
    print(f"{verdicts.total()} clicks in {time.perf_counter() - started:.0f} s: {dict(verdicts)}")
    sys.exit(verdicts["right"] != verdicts.total())


if __name__ == "__main__":
    main()
