"""Many clients at once, a full server, contexts made beforehand, and a browser that is replaced in time."""

import contextlib
import gc
import os
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import trio

from agentbrowser.browser.contexts import Context
from agentbrowser.browser.tab import Tab
from agentbrowser.browser.tabs import Tabs
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.errors import ServerBusy
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.corridor.connection import Connection
from agentbrowser.server.sessions.session import Session
from agentbrowser.server.watch import housekeeping
from agentbrowser.server.watch.memory_usage import can_measure
from bench.program import open_program
from tests.browser.processes import browser_pid
from tests.browser.site import Site
from tests.loop.raw_websocket import upgrade

pytestmark = pytest.mark.slow

LIMIT_S = 120.0
CLIENTS = 12
KINDS = (Session, Connection, Tabs, Context, Tab)


@contextlib.asynccontextmanager
async def serving(**settings: Any) -> AsyncIterator[Server]:
    """Run a server with these settings."""
    config = Config(**{"port": 0, "scope": Scope.PRIVILEGED, "drain_timeout_s": 1, **settings})
    with trio.fail_after(LIMIT_S):
        async with open_server(config) as server:
            yield server


async def until(condition: Callable[[], Any]) -> None:
    while not condition():  # noqa: ASYNC110 - what is waited for happens in another thread
        await trio.sleep(0.01)


async def until_warm(server: Server) -> None:
    await until(lambda: len(server.engine.warm_contexts) == server.config.warm_contexts)


async def evaluate(browser: Browser, expression: str) -> Any:
    return (await browser.request("script/evaluate", {"expression": expression, "world": "main"}))["value"]


async def ready(server: Server) -> bytes:
    """Return what /ready says."""
    async with await trio.open_tcp_stream("127.0.0.1", server.port) as stream:
        await stream.send_all(b"GET /ready HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % server.port)
        return b"".join([part async for part in stream]).partition(b"\r\n\r\n")[2]


# Many at once


async def test_clients_with_a_page_each_work_at_once(site: Site) -> None:
    url = site.html("/", "<button onclick='document.title += this.id' id=b>Go</button>", "x")
    titles: list[str] = []
    async with serving() as server:
        gate = trio.Event()

        async def work(number: int) -> None:
            async with server.connect() as browser:
                await browser.request("page/navigate", {"url": url})
                if server.engines.capacity.pages == CLIENTS:
                    gate.set()
                await gate.wait()
                for _ in range(3):
                    await browser.request("action/click", {"selector": {"type": "css", "value": "#b"}})
                titles.append(await evaluate(browser, "document.title"))

        async with trio.open_nursery() as nursery:
            for number in range(CLIENTS):
                nursery.start_soon(work, number)
        assert titles == ["xbbb"] * CLIENTS
        await until(lambda: server.engines.capacity.contexts == 0)
        assert (server.engines.capacity.pages, server.admission.queued) == (0, 0)


async def test_what_clients_leave_is_nothing(site: Site) -> None:
    url = site.html("/", "")
    others = alive(*KINDS)  # what other tests have left

    def held(server: Server) -> tuple[Any, ...]:
        capacity = server.engines.capacity
        ports = len(server.egress.rules.own_ports)
        tasks = len(server.portal.calls) + len(server.connections)
        return capacity.pages, capacity.contexts, ports, tasks, len(os.listdir("/proc/self/fd"))

    async with serving() as server:

        async def visit() -> None:
            async with server.connect() as browser:
                await browser.request("page/navigate", {"url": url})

        await visit()
        await until(lambda: server.engines.capacity.contexts == 0 and not server.connections)
        before = held(server)
        for _ in range(5):
            await visit()
        await until(lambda: all(now <= then for now, then in zip(held(server), before, strict=True)))
        await until(lambda: all(any(one is other for other in others) for one in alive(*KINDS)))


def alive(*kinds: type[Any]) -> list[Any]:
    """Return the objects of these kinds that something still holds."""
    gc.collect()
    return [one for one in gc.get_objects() if isinstance(one, kinds)]


@pytest.mark.skipif(not can_measure(), reason="the system has no /proc")
async def test_a_connection_that_says_nothing_costs_little() -> None:
    async with open_program() as program:

        async def hold(count: int) -> int:
            """Return the server's memory while there are so many connections."""
            async with contextlib.AsyncExitStack() as stack:
                for _ in range(count):
                    stream = await stack.enter_async_context(await trio.open_tcp_stream("127.0.0.1", program.port))
                    await stream.send_all(upgrade(program.port))
                    assert (await stream.receive_some(1000)).startswith(b"HTTP/1.1 101")
                return program.taken()["server"].rss_bytes

        few, many = await hold(10), await hold(310)
        assert (many - few) / 300 < 36 * 1024  # what it is meant to be at most is 30 KiB; see bench.scale


# Full


async def test_a_client_waits_until_another_has_left(site: Site) -> None:
    async with serving(max_total_pages=1) as server, server.connect() as second:
        async with server.connect() as first:
            await first.request("page/navigate", {"url": "about:blank"})
            assert b"full" in await ready(server)
            async with trio.open_nursery() as nursery:

                async def wait() -> None:
                    assert await evaluate(second, "1 + 1") == 2

                nursery.start_soon(wait)
                await until(lambda: server.admission.queued == 1)
                assert await evaluate(first, "2 + 2") == 4  # who is in goes on
                await first.request("page/close", {"pageId": (await pages(first))[0]})
        assert server.admission.queued == 0


async def pages(browser: Browser) -> list[str]:
    return [page["id"] for page in (await browser.request("page/list"))["pages"]]


@pytest.mark.parametrize("method", ["page/create", "context/create", "agent/observe"])
async def test_a_full_server_sends_new_clients_away_and_keeps_the_old(method: str) -> None:
    async with serving(max_total_pages=1, max_total_contexts=1, max_queued=0) as server, server.connect() as old:
        await old.request("page/navigate", {"url": "about:blank"})
        async with server.connect() as new:
            with pytest.raises(ServerBusy) as busy:
                await new.request(method, {})
            assert busy.value.retryable
            assert busy.value.retry_after_ms
            assert busy.value.details["limit"] == 1
        assert await evaluate(old, "1 + 1") == 2
        assert (server.engines.capacity.pages, server.engines.capacity.contexts) == (1, 1)


async def test_above_the_memory_limit_there_are_no_new_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "_INTERVAL_S", 0.02)
    async with serving(max_memory_bytes=64 << 30, queue_timeout_s=0.1) as server, server.connect() as old:
        await old.request("page/navigate", {"url": "about:blank"})
        capacity = server.engines.capacity
        await until(lambda: capacity.memory_bytes > 0)
        capacity.max_memory_bytes = capacity.memory_bytes // 2  # as if the pages had grown
        assert b"full" in await ready(server)
        async with server.connect() as new:
            with pytest.raises(ServerBusy) as busy:
                await new.request("page/navigate", {"url": "about:blank"})
            assert busy.value.details["resource"] == "memory"
            assert await evaluate(old, "1 + 1") == 2
            capacity.max_memory_bytes = 64 << 30
            await new.request("page/navigate", {"url": "about:blank"})
        assert b"full" not in await ready(server)


async def test_a_page_that_a_page_opens_counts_for_all(site: Site) -> None:
    url = site.html("/", "<script>open('about:blank')</script>")
    async with serving(max_total_pages=1) as server, server.connect() as browser:
        async with browser.events("page") as events:
            await browser.request("events/subscribe", {"events": ["page"]})
            await browser.request("page/navigate", {"url": url})
            async for event in events:
                if event.type == "error":
                    assert "full" in (event.reason or "")
                    break
        assert len(await pages(browser)) == 1


# Warm


async def test_a_client_takes_what_was_made_beforehand_and_another_is_made(site: Site) -> None:
    url = site.html("/", "", "there")
    async with serving(warm_contexts=1) as server:
        for taken in (1, 2):
            await until_warm(server)
            async with server.connect() as browser:
                answer = await browser.request("page/navigate", {"url": url})
                assert answer["title"] == "there"
                assert len(await pages(browser)) == 1
                assert server.engines.warm_taken == taken
                assert await evaluate(browser, "document.cookie") == ""
                await evaluate(browser, "document.cookie = 'mine=1'")


async def test_what_was_made_beforehand_has_the_clients_wall(site: Site) -> None:
    async with serving(warm_contexts=1, private_network="deny") as server:
        await until_warm(server)
        async with server.connect() as browser:
            await browser.request("page/navigate", {"url": "about:blank"})
            assert server.engines.warm_taken == 1
            fetching = f"fetch('http://127.0.0.1:{server.port}/', {{mode: 'no-cors'}}).then(() => 'ok', () => 'no')"
            assert await evaluate(browser, fetching) == "no"
            denied = {(one.session, one.port) for one in server.egress.denial_log.denials}
            assert ("memory", server.port) in denied


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("browser/launch", {"locale": "de-DE"}),
        ("context/create", {"options": {"colorScheme": "dark"}}),
    ],
)
async def test_who_wants_something_else_gets_that(method: str, params: dict[str, Any]) -> None:
    async with serving(warm_contexts=1) as server:
        await until_warm(server)
        async with server.connect() as browser:
            await browser.request(method, params)
            await evaluate(browser, "1")
            assert server.engines.warm_taken == 0


async def test_a_lost_browser_takes_its_spares_with_it() -> None:
    async with serving(warm_contexts=1) as server:
        await until_warm(server)
        ports = set(server.egress.rules.own_ports)
        os.kill(browser_pid(server.engine), 9)
        await until(lambda: len(server.engine.warm_contexts) == 0)
        await until(lambda: len(ports - set(server.egress.rules.own_ports)) == 1)  # Trio closes it
        await until_warm(server)
        async with server.connect() as browser:
            assert await evaluate(browser, "1 + 1") == 2


async def test_no_spare_is_made_when_there_is_no_room() -> None:
    async with serving(warm_contexts=2, max_total_pages=1) as server:
        await until_warm(server)
        async with server.connect() as browser:
            await browser.request("page/navigate", {"url": "about:blank"})
            assert server.engines.capacity.is_full
            warm_contexts = server.engine.warm_contexts
            refilling = warm_contexts._refilling
            assert refilling is not None
            await until(refilling.done)
            assert len(warm_contexts) == 1


# Renewed


@pytest.mark.parametrize("settings", [{"recycle_uses": 1}, {"recycle_age_s": 0.01}, {"recycle_memory_bytes": 64 << 20}])
async def test_the_browser_is_replaced_when_it_has_done_its_share_and_nobody_uses_it(
    settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "_INTERVAL_S", 0.02)
    looked: list[int] = []
    run_once = housekeeping.Housekeeping.run_once

    async def counted(self: housekeeping.Housekeeping) -> None:
        await run_once(self)
        looked.append(1)

    monkeypatch.setattr(housekeeping.Housekeeping, "run_once", counted)
    async with serving(**settings) as server:
        async with server.connect() as browser:
            await browser.request("page/navigate", {"url": "about:blank"})
            first = server.engine.pid
            assert first is not None
            looked.clear()
            await until(lambda: len(looked) >= 3)  # rounds in which it is in use
            assert await evaluate(browser, "1 + 1") == 2
            assert server.engine.pid == first
        await until(lambda: server.engine.pid is None)
        async with server.connect() as browser:
            assert await evaluate(browser, "1 + 1") == 2
            assert server.engine.launches == 2


async def test_a_new_browser_comes_with_spares_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(housekeeping, "_INTERVAL_S", 0.02)
    async with serving(recycle_uses=1, warm_contexts=1) as server:
        await until_warm(server)
        async with server.connect() as browser:
            await browser.request("page/navigate", {"url": "about:blank"})
        await until(lambda: server.engine.launches == 2)
        await until_warm(server)
        async with server.connect() as browser:
            assert await evaluate(browser, "1 + 1") == 2
            assert server.engines.warm_taken == 2
