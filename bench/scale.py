"""Scaling: cost of one more client, one more owner, one more element, an idle connection, and a closed one.

Run: python -m bench.scale [idle|cycles|clients|owners|sizes|cards|messages ...] [--rounds 20] [--fresh]
"""

import argparse
import asyncio
import contextlib
import functools
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, Final

import attrs
import trio

from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.page import element_handles
from agentbrowser.browser.tabs import Tabs
from agentbrowser.client import Browser, connect
from agentbrowser.config import Config
from agentbrowser.methods.agent_extract import ExtractParams
from agentbrowser.protocol import codec
from agentbrowser.protocol.errors import ServerBusy
from agentbrowser.protocol.registry import Method, Scope, method
from agentbrowser.server.app import open_server
from bench.harness import Subject, race
from bench.neighbours import open_tokens_file
from bench.program import Program, open_program, open_shop, write_line

_HANDSHAKE: Final = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
_SCHEMA: Final = {
    "type": "array",
    "items": {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}},
}
_CARD: Final = """<article class=card><a href=/thing/{0}><img src=/thing/{0}.jpg alt=""></a>
<h3><a href=/thing/{0}>Thing {0}</a></h3><p class=price>{0}.50 EUR</p>
<p class=rating>{1:.1f} out of 5</p><button>Buy</button></article>"""
_CARDS: Final = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "price": {"type": "number"},
            "rating": {"type": "number"},
            "url": {"type": "string"},
        },
    },
}


@attrs.frozen(kw_only=True)
class Plan:
    """Sizes of the benchmark."""

    idle: int = 1000
    cycles: int = 1000
    clients: tuple[int, ...] = (1, 2, 5, 10, 20, 50)
    seconds: float = 10.0
    owners: int = 20
    sizes: tuple[int, ...] = (100, 1_000, 10_000, 100_000)
    cards: tuple[int, ...] = (100, 1_000, 5_000)
    rounds: int = 20
    messages: int = 20_000
    is_fresh: bool = False
    """True for cards that were never seen before only."""


_SMOKE: Final = Plan(
    idle=50, cycles=2, clients=(2,), seconds=0.5, owners=2, sizes=(100, 1000), cards=(100,), rounds=2, messages=500
)


async def idle(plan: Plan) -> None:
    """Measure the memory of idle connections, without the first ten."""
    async with open_program("--max-connections", "10000") as program:
        await _hold(program, 10, lambda: 0)
        before = program.taken()["server"]
        during = await _hold(program, plan.idle, lambda: program.taken()["server"].rss_bytes)
        kib = (during - before.rss_bytes) / 1024 / plan.idle
        write_line("scale", {"question": "idle connections", "connections": plan.idle, "kib_each": round(kib, 1)})


async def _hold(program: Program, count: int, look: Callable[[], int]) -> int:
    """Open idle connections, and return the memory meanwhile."""
    streams = []
    for _ in range(count):
        stream = await trio.open_tcp_stream("127.0.0.1", program.port)
        await stream.send_all(_HANDSHAKE % program.port)
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += await stream.receive_some(1000)
        if not answer.startswith(b"HTTP/1.1 101"):
            raise ValueError(answer)
        streams.append(stream)
    await trio.sleep(0.5)
    seen = look()
    for stream in streams:
        await stream.aclose()
    await trio.sleep(0.5)
    return seen


async def cycles(plan: Plan) -> None:
    """Connect, act, observe and close repeatedly, and measure the remaining memory."""
    async with open_program("--recycle-uses", "0") as program:
        with open_shop() as shop:
            for _ in range(min(plan.cycles, max(5, plan.cycles // 20))):
                await _visit(program, shop)
            before = program.taken()
            for number in range(1, plan.cycles + 1):
                await _visit(program, shop)
                if number % max(1, plan.cycles // 5) == 0:
                    now = program.taken()
                    grown = {part: round(now[part].own_bytes / before[part].own_bytes, 3) for part in now}
                    rss = round(now["server"].rss_bytes / before["server"].rss_bytes, 3)
                    facts = {"visits": number, "server_rss": rss, "own_memory": grown, "fds": now["server"].fds}
                    write_line("scale", {"question": "visits, against before", **facts})


async def _visit(program: Program, shop: str) -> None:
    async with connect(program.url) as browser:
        await browser.request("page/navigate", {"url": f"{shop}100"})
        await browser.request("action/click", {"selector": {"type": "css", "value": "#counter"}})
        seen = await browser.request("agent/observe")
    if not any(one.get("name") == "1" for one in seen["interactiveElements"]):
        raise ValueError(seen)


async def clients(plan: Plan) -> None:
    """Measure an increasing number of clients that click and observe, each on its own page."""
    with open_shop() as shop:
        for count in plan.clients:
            async with open_program() as program:
                write_line("scale", await _crowd(program, shop, count, plan.seconds))


async def _crowd(program: Program, shop: str, count: int, seconds: float) -> dict[str, Any]:
    times: list[float] = []
    there, begin = trio.Semaphore(0), trio.Event()

    async def work() -> None:
        async with connect(program.url) as browser:
            await browser.request("page/navigate", {"url": f"{shop}100"})
            there.release()
            await begin.wait()
            clicks, end = 0, time.perf_counter() + seconds
            while time.perf_counter() < end:
                for turn in (_click, _look):
                    started = time.perf_counter()
                    await turn(browser)
                    times.append(time.perf_counter() - started)
                clicks += 1
            seen = await browser.request("agent/observe")
            if not any(one.get("name") == str(clicks) for one in seen["interactiveElements"]):
                raise ValueError(f"{clicks} clicks, and {seen}")

    async with trio.open_nursery() as nursery:
        for _ in range(count):
            nursery.start_soon(work)
        for _ in range(count):
            await there.acquire()
        memory, before, started = program.own_mib(), program.taken(), time.perf_counter()
        begin.set()
        await trio.sleep(seconds)
        took, after = time.perf_counter() - started, program.taken()
    times.sort()
    cpu = {part: round(after[part].cpu_s - before[part].cpu_s, 2) for part in after}
    return {
        "question": "clients that click and look",
        "clients": count,
        "requests_per_s": round(len(times) / took, 1),
        "p50_ms": round(times[len(times) // 2] * 1000, 1),
        "p99_ms": round(times[int(len(times) * 0.99)] * 1000, 1),
        "own_mib_before": memory,
        "cpu_s": cpu,
    }


async def _click(browser: Browser) -> None:
    await browser.request("action/click", {"selector": {"type": "css", "value": "#counter"}})


async def _look(browser: Browser) -> None:
    await browser.request("agent/observe", {"maxElements": 20})


async def owners(plan: Plan) -> None:
    """Give owners a browser each: the launch, the memory of an idle browser, and what happens to one owner more."""
    tokens = {f"owner{number}": f"token-of-owner-{number}" for number in range(plan.owners + 1)}
    for queue_timeout_s in (0, 60):
        with open_tokens_file(tokens) as file:
            flags = ("--tokens-file", file, "--max-engines", str(plan.owners), "--queue-timeout", str(queue_timeout_s))
            async with open_program(*flags) as program, contextlib.AsyncExitStack() as stack:
                *first, last = [
                    await stack.enter_async_context(connect(program.url, token=one)) for one in tokens.values()
                ]
                before, launches_s = program.taken(), []
                for browser in first:
                    started = time.perf_counter()
                    await browser.request("page/create", {})
                    launches_s.append(time.perf_counter() - started)
                await trio.sleep(
                    1 if plan.owners < Plan().owners else 5
                )  # until nothing is launched or warmed any more
                after = program.taken()
                grown = {part: (after[part].own_bytes - before[part].own_bytes) / 1024**2 for part in after}
                launches_s.sort()
                facts = {
                    "owners": plan.owners,
                    "launch_p50_s": round(launches_s[plan.owners // 2], 2),
                    "launch_max_s": round(launches_s[-1], 2),
                    "own_mib_each": {part: round(mib / plan.owners, 1) for part, mib in grown.items()},
                    "one_more": await (_refused(last) if queue_timeout_s == 0 else _waiting(last, first[0])),
                }
                write_line(
                    "scale", {"question": "owners with a browser each", "queue_timeout_s": queue_timeout_s, **facts}
                )


async def _refused(browser: Browser) -> str:
    """Return the error of an owner for whom there is no browser."""
    try:
        await browser.request("page/create", {})
    except ServerBusy as busy:
        if busy.details["resource"] == "engines":
            return f"is refused: {busy.message} ({busy.details['limit']} engines)"
        raise
    raise ValueError("there was a browser for one owner too many")


async def _waiting(browser: Browser, other: Browser) -> str:
    """Return how an owner waits for a browser until another one is done."""
    async with trio.open_nursery() as nursery:
        got = trio.Event()

        async def ask() -> None:
            await browser.request("page/create", {})
            got.set()

        nursery.start_soon(ask)
        await trio.sleep(0.5)
        if got.is_set():
            raise ValueError("there was a browser for one owner too many")
        started = time.perf_counter()
        await other.request("browser/close")
        await got.wait()
        return f"waits, and has its page {time.perf_counter() - started:.1f} s after another one is done"


async def sizes(plan: Plan) -> None:
    """Observe and extract from pages of increasing size."""
    with open_shop() as shop:
        async with open_program() as program:
            for name, method, params in (
                ("agent/observe of the first 100 of a page with so many elements", "agent/observe", {}),
                ("agent/extract of a list on the same pages", "agent/extract", {"schema": _SCHEMA, "mode": "list"}),
            ):
                async with connect(program.url) as browser:
                    ids = {size: await _open(browser, f"{shop}{size}") for size in plan.sizes}
                    subjects = [
                        Subject(f"{size} elements", _asking(browser, method, {**params, "pageId": page_id}))
                        for size, page_id in ids.items()
                    ]
                    await race(name, subjects, rounds=plan.rounds, warmup=1)


async def _open(browser: Browser, url: str) -> str:
    return str((await browser.request("page/create", {"url": url, "timeout": 120_000}))["id"])


def _asking(browser: Browser, method: str, params: dict[str, Any]) -> Callable[[], Awaitable[float]]:
    async def run() -> float:
        started = time.perf_counter()
        answer = await browser.request(method, {**params, "timeout": 120_000})
        took = time.perf_counter() - started
        if not (answer.get("interactiveElements") or answer.get("success")):
            raise ValueError(answer)
        return took

    return run


@attrs.frozen(kw_only=True)
class CardParams:
    """Params of a card page: the number of cards, and the number of the first one."""

    cards: int = 0
    first: int = 0
    page_id: str | None = None


@attrs.frozen(kw_only=True)
class Seconds:
    """Seconds in the browser thread."""

    took: float


@method("bench/cards", CardParams, scope=Scope.READONLY)
async def fill(tabs: Tabs, params: CardParams) -> CardParams:
    """Load a page with a number of products. [asyncio]"""
    tab = await tabs.tab(params.page_id)
    cards = "".join(_CARD.format(number, number % 50 / 10) for number in _numbers(params))
    await tab.page.set_content(f"<!doctype html><title>Shop</title><h1>Shop</h1><main>{cards}</main>")
    return params


@method("bench/content", CardParams, scope=Scope.READONLY)
async def content(tabs: Tabs, params: CardParams) -> Seconds:
    """Return the seconds of Playwright's ``content()``. [asyncio]"""
    page = (await tabs.tab(params.page_id)).page
    started = time.perf_counter()
    html = await page.content()
    took = time.perf_counter() - started
    if html.count("<article") != params.cards:
        raise ValueError(f"{html.count('<article')} cards, not {params.cards}")
    return Seconds(took=took)


@method("bench/extract", CardParams, scope=Scope.READONLY)
async def extract(tabs: Tabs, params: CardParams) -> Seconds:
    """Return the seconds of an extraction of the products, as agent/extract does it. [asyncio]"""
    tab = await tabs.tab(params.page_id)
    wanted = codec.structure(ExtractParams, {"schema": _CARDS, "maxItems": 5000})
    started = time.perf_counter()
    answer = await tab.extraction.extract(wanted)
    took = time.perf_counter() - started
    right = [_thing(number) for number in _numbers(params)]
    if [{**one, "url": one["url"][-len(two["url"]) :]} for one, two in zip(answer.data, right, strict=True)] != right:
        raise ValueError(answer)
    return Seconds(took=took)


@method("bench/gather", CardParams, scope=Scope.READONLY)
async def gather(tabs: Tabs, params: CardParams) -> Seconds:
    """Return the seconds of the part of an extraction in the page, with the way there and back. [asyncio]"""
    tab = await tabs.tab(params.page_id)
    options = {"groups": True, "facts": False, "keep": False, "bytes": element_handles.MAX_CONTENT_BYTES}
    started = time.perf_counter()
    handle = await element_handles.handle_for(tab.extraction.tab, None, Deadline(None))
    answer = await handle.call("gatherData", **options, isInner=False)
    took = time.perf_counter() - started
    if max(group["rows"] for group in answer["groups"]) != params.cards:
        raise ValueError(answer["groups"])
    return Seconds(took=took)


@method("bench/hold", CardParams, scope=Scope.READONLY)
async def hold(tabs: Tabs, params: CardParams) -> Seconds:
    """Return the longest time for which an extraction holds the loop of the browser thread. [asyncio]"""
    tab = await tabs.tab(params.page_id)
    extracting = asyncio.create_task(
        tab.extraction.extract(codec.structure(ExtractParams, {"schema": _CARDS, "maxItems": 5000}))
    )
    longest = 0.0
    while not extracting.done():
        before = time.perf_counter()
        await asyncio.sleep(0)
        longest = max(longest, time.perf_counter() - before)
    if len((await extracting).data) != params.cards:
        raise ValueError(extracting)
    return Seconds(took=longest)


def _numbers(params: CardParams) -> range:
    return range(params.first, params.first + params.cards)


def _thing(number: int) -> dict[str, Any]:
    return {"name": f"Thing {number}", "price": number + 0.5, "rating": number % 50 / 10, "url": f"/thing/{number}"}


async def cards(plan: Plan) -> None:
    """Extract products of four values each, against Playwright's content() of the same page in the same thread."""
    async with open_server(Config(port=0, log_level="error")) as server, server.connect() as browser:
        for count in plan.cards:
            if not plan.is_fresh:
                await _known_cards(browser, count, plan.rounds)
            firsts = itertools.count(count, count)
            looks = {
                "Playwright's content()": content,
                "agent/extract, page and Python": extract,
                "of that, the part in the page": gather,
                "longest hold of the loop": hold,
            }
            subjects = [
                Subject(name, functools.partial(_at_first, browser, look, count, firsts))
                for name, look in looks.items()
            ]
            await race(f"{count:,} products never seen before", subjects, rounds=plan.rounds, warmup=2)


async def _known_cards(browser: Browser, count: int, rounds: int) -> None:
    """Extract the same products again and again."""
    await browser.call(fill, cards=count)

    async def reading() -> float:
        return (await browser.call(content, cards=count)).took

    async def extracting() -> float:
        return (await browser.call(extract, cards=count)).took

    subjects = [Subject("Playwright's content()", reading), Subject("agent/extract", extracting)]
    await race(f"a page of {count:,} products of 4 values", subjects, rounds=rounds, warmup=2)


async def _at_first(browser: Browser, look: Method[..., Seconds], count: int, firsts: Iterator[int]) -> float:
    first = next(firsts)
    await browser.call(fill, cards=count, first=first)
    return (await browser.call(look, cards=count, first=first)).took


async def messages(plan: Plan) -> None:
    """Measure the throughput of requests without a browser call, 32 at a time on each of several connections."""
    async with open_program() as program:
        for count in (1, 10):
            each = plan.messages // count
            async with contextlib.AsyncExitStack() as stack:
                browsers = [await stack.enter_async_context(connect(program.url)) for _ in range(count)]
                started = time.perf_counter()
                async with trio.open_nursery() as asking:
                    for browser in browsers:
                        for _ in range(32):
                            asking.start_soon(_ask_often, browser, each // 32)
                rate = count * (each // 32) * 32 / (time.perf_counter() - started)
            facts = {"connections": count, "in_flight_each": 32, "requests_per_s": round(rate)}
            write_line("scale", {"question": "requests without a browser (context/list)", **facts})


async def _ask_often(browser: Browser, times: int) -> None:
    for _ in range(times):
        if (await browser.request("context/list"))["contexts"]:
            raise ValueError("there is a context")


QUESTIONS: Final = {one.__name__: one for one in (idle, cycles, clients, owners, sizes, cards, messages)}


async def main(plan: Plan, questions: list[str]) -> None:
    """Run the benchmarks."""
    for name in questions or QUESTIONS:
        print(f"\n{name}: {QUESTIONS[name].__doc__}")
        await QUESTIONS[name](plan)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("questions", nargs="*", choices=[*QUESTIONS, []])
    parser.add_argument("--smoke", action="store_true", help="a little of everything, to see that the script works")
    parser.add_argument("--fresh", action="store_true", help="cards: only those that were never seen before")
    parser.add_argument("--rounds", type=int, default=Plan().rounds, help="how often what runs in turn is run")
    options = parser.parse_args()
    chosen = _SMOKE if options.smoke else Plan(rounds=options.rounds)
    trio.run(main, attrs.evolve(chosen, is_fresh=options.fresh), options.questions)
