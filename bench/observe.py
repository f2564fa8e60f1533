"""Cost of an observation: agent/observe through the whole request path, against Playwright's snapshot for agents.

Run: python -m bench.observe
"""

import time
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import attrs
import trio

from agentbrowser.browser.tab import Tab
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.registry import Scope, page_method
from agentbrowser.server.app import open_server
from bench.harness import Subject, arguments, race

_PER_ROW: Final = 5
_SIZES: Final = (150, 1_500, 10_000)
_MOST: Final = 2000
_ROW: Final = """<tr><td><a href='/item/{n}'>Item {n}</a><td>In stock since {n}
<td><input aria-label='Count of {n}' value=1><td><select aria-label='Size of {n}'><option>S<option>M</select>
<td><button>Add {n}</button><button>Drop</button></tr>"""


@attrs.frozen(kw_only=True)
class SizeParams:
    """Params of a page and its number of elements."""

    elements: int = 0
    page_id: str | None = None


@attrs.frozen(kw_only=True)
class Took:
    """Time of an observation, and the size of its result."""

    took_s: float
    length: int


@page_method("bench/fill", SizeParams, scope=Scope.READONLY)
async def fill(tab: Tab, params: SizeParams) -> SizeParams:
    """Load a page with a number of interactive elements. [asyncio]"""
    rows = "".join(_ROW.format(n=n) for n in range(params.elements // _PER_ROW))
    await tab.page.set_content(f"<title>Stock</title><h1>Stock</h1><table>{rows}</table>")
    return params


@page_method("bench/snapshot", SizeParams, scope=Scope.READONLY)
async def snapshot(tab: Tab, params: SizeParams) -> Took:
    """Take Playwright's snapshot for agents, timed in its own thread. [asyncio]"""
    started = time.perf_counter()
    text = await tab.page.locator("body").aria_snapshot(mode="ai", timeout=0)
    return Took(took_s=time.perf_counter() - started, length=text.count("[ref="))


@page_method("bench/look", SizeParams, scope=Scope.READONLY)
async def look(tab: Tab, params: SizeParams) -> Took:
    """Observe as agent/observe does, timed in the browser thread. [asyncio]"""
    started = time.perf_counter()
    seen = await tab.observe(ObserveParams())
    return Took(took_s=time.perf_counter() - started, length=len(seen.interactive_elements or []))


async def _look(browser: Browser, **params: Any) -> dict[str, Any]:
    return dict(await browser.request("agent/observe", {"maxElements": _MOST, **params}))


async def _compare(browser: Browser, size: int, rounds: int) -> None:
    await browser.call(fill, elements=size)

    async def playwright() -> float:
        answer = await browser.call(snapshot)
        if answer.length < size:
            raise ValueError(f"the snapshot has {answer.length} refs, not {size}")
        return answer.took_s

    async def ours_inside() -> float:
        answer = await browser.call(look)
        if answer.length != 100:
            raise ValueError(f"{answer.length} elements were seen, not 100")
        return answer.took_s

    async def ours() -> float:
        started = time.perf_counter()
        seen = await _look(browser)
        took = time.perf_counter() - started
        if (count := len(seen["interactiveElements"])) != min(size, _MOST):
            raise ValueError(f"{count} elements were seen, not {size}")
        return took

    async def ours_page() -> float:
        started = time.perf_counter()
        seen = await _look(browser, maxElements=100)
        took = time.perf_counter() - started
        if seen["totalInteractiveElements"] != size:
            raise ValueError(f"{seen['totalInteractiveElements']} elements were counted, not {size}")
        return took

    async def ours_all() -> float:
        started = time.perf_counter()
        seen = await _look(browser)
        count = len(seen["interactiveElements"])
        while cursor := seen.get("nextCursor"):
            seen = await _look(browser, cursor=cursor)
            count += len(seen["interactiveElements"])
        took = time.perf_counter() - started
        if count != size:
            raise ValueError(f"{count} elements were seen in all, not {size}")
        return took

    subjects = [
        Subject("Playwright's aria_snapshot for AI", playwright),
        Subject("the first 100, in its own thread", ours_inside),
        Subject("the first 100, at the client", ours_page),
    ]
    subjects.append(Subject("all elements", ours) if size <= _MOST else Subject("all, 2,000 at a time", ours_all))
    await race(f"a page of {size:,} interactive elements", subjects, rounds=rounds, warmup=max(1, rounds // 10))


async def main(rounds: int, *, sizes: Sequence[int] = _SIZES) -> None:
    """Run the benchmark for each size."""
    async with open_server(Config(port=0, log_level="error")) as server, server.connect() as browser:
        for size in sizes:
            await _compare(browser, size, min(rounds, max(3, 20_000 // size)))


if __name__ == "__main__":
    options = arguments()
    trio.run(partial(main, options.rounds, sizes=_SIZES[:2] if options.smoke else _SIZES))
