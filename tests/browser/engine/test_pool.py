"""Engines per owner: what one owner's browser suffers, no other owner notices."""

import contextlib
import os
import signal
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import trio

from agentbrowser.browser.engine import pool, slots
from agentbrowser.browser.engine.engine import Engine
from agentbrowser.client import Browser
from agentbrowser.client.connection.dial import over
from agentbrowser.config import Config
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.protocol.errors import ServerBusy, TargetClosed
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.gate.auth import Grant, Owner
from agentbrowser.server.gate.memory_transport import memory_pair
from tests.browser.site import Site

pytestmark = pytest.mark.slow

LIMIT_S = 120.0
MIB = 1024 * 1024


@contextlib.asynccontextmanager
async def serving(**settings: Any) -> AsyncIterator[Server]:
    config = Config(**{"port": 0, "scope": Scope.PRIVILEGED, "private_network": "allow", **settings})
    with trio.fail_after(LIMIT_S):
        async with open_server(config) as server:
            yield server


@contextlib.asynccontextmanager
async def client(server: Server, owner: str) -> AsyncIterator[Browser]:
    """Connect a client of an owner with a token; the owner without one is the empty text."""
    peer, transport = memory_pair()
    grant = Grant(Scope.PRIVILEGED, owner or "open", digest=owner.encode())
    async with open_quiet_nursery() as nursery:
        nursery.start_soon(server.serve, peer, grant)
        async with over(transport) as browser:
            yield browser
        await transport.close()


async def until(condition: Callable[[], Any]) -> None:
    while not condition():  # noqa: ASYNC110 - what is waited for happens in another thread
        await trio.sleep(0.01)


async def open_page(browser: Browser) -> str:
    return str((await browser.request("page/create", {}))["id"])


async def evaluate(browser: Browser, expression: str, **params: Any) -> Any:
    return (await browser.request("script/evaluate", {"expression": expression, **params}))["value"]


def running(server: Server) -> tuple[Engine, ...]:
    return server.engines.slots.holders


def owners(server: Server) -> set[str]:
    """Return the owners with an engine that is kept for them."""
    return {owner.name for owner in server.engines._by_owner if isinstance(owner, Owner)}


def engine_of(server: Server, owner: str) -> Engine:
    return server.engines.of_owner(Owner(owner, owner.encode()))


async def test_a_crash_of_one_owners_browser_leaves_another_owners_page_alone() -> None:
    async with serving() as server, client(server, "alice") as alice, client(server, "mallory") as mallory:
        for browser in (alice, mallory):
            page_id = await open_page(browser)
            await evaluate(browser, "globalThis.kept = 1")
        hers, his = engine_of(server, "alice"), engine_of(server, "mallory")
        assert hers.pid != his.pid
        assert his.pid is not None
        os.kill(his.pid, signal.SIGKILL)
        with pytest.raises(TargetClosed):
            await evaluate(mallory, "new Promise(() => {})", pageId=page_id)  # the loss may be known already
        assert await evaluate(alice, "kept") == 1
        await open_page(mallory)  # in a new browser
        assert (hers.launches, his.launches) == (1, 2)
        assert server.engines.slots.restarts == 1


async def test_the_server_is_ready_while_one_of_two_engines_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    states: list[str] = []
    async with serving() as server, client(server, "alice") as alice, client(server, "mallory") as mallory:
        await open_page(alice)
        await open_page(mallory)
        monkeypatch.setattr(server.engines, "on_state", states.append)
        his = engine_of(server, "mallory")
        assert his.pid is not None
        os.kill(his.pid, signal.SIGKILL)
        await until(lambda: his.recovery.restarts == 1)
        assert set(states) == {"ready"}
        assert server.gate.status.state == "ready"


async def test_an_engine_has_neighbours_once_another_one_has_a_client() -> None:
    async with serving(warm_engines=1) as server, client(server, "alice") as alice:
        await open_page(alice)
        hers = engine_of(server, "alice")
        await until(lambda: len(running(server)) == 2)  # the spare one
        assert not hers.pipe.is_shared()
        async with client(server, "mallory") as mallory:
            await open_page(mallory)
            assert hers.pipe.is_shared()


async def test_clients_of_one_owner_share_an_engine() -> None:
    async with serving() as server, client(server, "alice") as one, client(server, "alice") as other:
        await open_page(one)
        await open_page(other)
        assert [engine.launches for engine in running(server)] == [1]


def test_a_token_that_has_the_name_of_an_earlier_one_has_another_engine() -> None:
    engines = pool.EnginePool(Config())
    assert engines.of_owner(Owner("alice", b"earlier")) is not engines.of_owner(Owner("alice", b"later"))
    assert engines.of_owner(Owner("alice", b"later")) is engines.of_owner(Owner("alice", b"later"))


@pytest.mark.parametrize(("isolation", "engines"), [("shared", 1), ("owner", 2), ("session", 3)])
async def test_the_isolation_decides_how_many_browsers_clients_share(isolation: str, engines: int) -> None:
    async with (
        serving(isolation=isolation) as server,
        client(server, "alice") as one,
        client(server, "alice") as other,
        client(server, "bob") as third,
    ):
        for browser in (one, other, third):
            await open_page(browser)
        assert len({engine.pid for engine in running(server)}) == engines


async def test_what_one_owner_copies_no_other_owner_can_paste(site: Site) -> None:
    url = site.html("/", "<input id=i><textarea id=t></textarea>")

    async def press(browser: Browser, selector: str, key: str) -> None:
        await browser.request("action/press", {"selector": selector, "key": key})

    async with serving() as server, client(server, "alice") as alice, client(server, "mallory") as mallory:
        for browser in (alice, mallory):
            await browser.request("page/navigate", {"url": url})
        await alice.request("action/fill", {"selector": "#i", "value": "ALICE-IBAN"})
        await press(alice, "#i", "Control+a")
        await press(alice, "#i", "Control+c")
        await press(mallory, "#t", "Control+v")
        await press(alice, "#t", "Control+v")
        pasted = "document.querySelector('#t').value"
        assert (await evaluate(mallory, pasted), await evaluate(alice, pasted)) == ("", "ALICE-IBAN")


async def test_an_owner_for_whom_there_is_no_engine_waits_until_another_owner_is_done() -> None:
    async with serving(max_engines=1) as server, client(server, "bob") as bob:
        async with client(server, "alice") as alice, trio.open_nursery() as nursery:
            await open_page(alice)
            nursery.start_soon(open_page, bob)
            await until(lambda: server.admission.queued)
            await alice.request("browser/close", {})
        await until(lambda: server.engines.capacity.pages == 1)
        assert running(server) == (engine_of(server, "bob"),)


async def test_an_owner_for_whom_there_is_no_engine_in_time_is_refused() -> None:
    async with (
        serving(max_engines=1, queue_timeout_s=0) as server,
        client(server, "alice") as alice,
        client(server, "bob") as bob,
    ):
        await open_page(alice)
        with pytest.raises(ServerBusy) as refused:
            await open_page(bob)
        assert (refused.value.details["resource"], refused.value.details["limit"]) == ("engines", 1)
        await open_page(alice)


async def test_without_memory_for_another_engine_an_owner_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # What is measured leaves room for pages, but not for what an engine is expected to take.
    monkeypatch.setattr("agentbrowser.server.watch.housekeeping.can_measure", lambda: False)
    monkeypatch.setattr(slots, "_NEW_ENGINE_BYTES", 400 * MIB)
    async with (
        serving(max_memory_bytes=500 * MIB, queue_timeout_s=0) as server,
        client(server, "alice") as alice,
        client(server, "bob") as bob,
        client(server, "eve") as eve,
    ):
        await open_page(alice)
        await open_page(bob)
        with pytest.raises(ServerBusy) as refused:
            await open_page(eve)
        assert refused.value.details["resource"] == "memory"


async def test_an_engine_that_nobody_has_used_for_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_IDLE_LIMITS_S", {"owner": 0.0})
    async with serving() as server, client(server, "alice") as alice:
        async with client(server, "bob") as bob:
            await open_page(alice)
            await open_page(bob)
        await until(lambda: running(server) == (engine_of(server, "alice"),))
        await until(lambda: owners(server) == {"alice"})
        async with client(server, "bob") as bob:
            await open_page(bob)
        assert await evaluate(alice, "1") == 1


async def test_an_owner_whose_engine_was_ended_has_the_same_one_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "_IDLE_LIMITS_S", {"owner": 0.0})
    async with serving() as server, client(server, "alice") as alice, client(server, "bob") as bob:
        his = engine_of(server, "bob")
        await open_page(alice)
        await bob.request("page/close", {"pageId": await open_page(bob)})
        await bob.request("context/destroy", {"contextId": "default"})
        await until(lambda: owners(server) == {"alice"})
        assert engine_of(server, "bob") is his


async def test_a_new_owner_takes_a_browser_that_was_kept_ready() -> None:
    async with serving(warm_engines=1) as server:
        await until(lambda: any(engine.pid for engine in running(server)))
        ready = {engine.pid for engine in running(server)}
        async with client(server, "alice") as alice:
            await open_page(alice)
            assert engine_of(server, "alice").pid in ready
            await until(lambda: sum(engine.pid is not None for engine in running(server)) == 2)
