"""Faults of the browser and its driver: all requests are answered, and another is there."""

import os
import signal
from typing import Any

import pytest
from playwright.async_api import BrowserContext

from agentbrowser.browser.act import fast_pointer
from agentbrowser.browser.engine import engine, recovery, watchdog
from agentbrowser.browser.engine.processes import network_service_of
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.gate.http import health
from tests.browser.fault_helpers import Talker, clean, talking, true
from tests.browser.processes import alive, browser_pid, driver_pid
from tests.browser.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(clean.__name__)]

ENDLESS = "new Promise(() => {})"
NONE = {"type": "css", "value": "#none"}


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1)


async def begin_three(talker: Talker, site: Site) -> list[int]:
    """Open two pages, and begin what does not end by itself: a load, a script, a wait."""
    await talker.ask("events/subscribe", events=["page"])
    pages = [(await talker.ask("page/create", url=site.html("/", "here")))["id"] for _ in range(3)]
    ids = [
        await talker.begin("page/navigate", url=site.hold("/silent"), pageId=pages[0]),
        await talker.begin("script/evaluate", expression=ENDLESS, pageId=pages[1]),
        await talker.begin("action/click", selector=NONE, pageId=pages[2], options={"timeout": 30_000}),
    ]
    await talker.begun(*ids)
    await true(lambda: "/silent" in site.paths())
    return ids


async def healthy(server: Server) -> None:
    await true(lambda: health(server.gate.status)[0] == 200)


async def works(talker: Talker, site: Site) -> None:
    await talker.ask("page/navigate", url=site.html("/again", "again"))
    assert (await talker.ask("observe/content", format="text"))["content"].strip() == "again"


@pytest.mark.parametrize("victim", ["browser", "driver"])
async def test_a_killed_process_fails_what_runs_and_is_replaced(server: Server, site: Site, victim: str) -> None:
    async with talking(server) as talker, talking(server) as other:
        ids = await begin_three(talker, site)
        lost = (await talker.ask("page/list"))["pages"][0]["id"]
        await other.ask("events/subscribe", events=["page"])
        await other.ask("page/create")
        before = (browser_pid(server.engine), driver_pid(server.engine))
        os.kill(before[0] if victim == "browser" else before[1], signal.SIGKILL)
        for id_ in ids:
            error = await talker.error(id_)
            assert error["code"] == -32017
            assert error["data"]["retryable"]
            assert error["data"]["details"]["target"] == "browser"
        for one in (talker, other):
            await one.event("page", type="close")
            assert (await one.ask("page/list"))["pages"] == []
        await healthy(server)
        assert (server.engine.pid, driver_pid(server.engine)) != before
        assert server.engine.recovery.restarts == 1
        error = await talker.fail("observe/content", format="text", pageId=lost)
        assert (error["code"], error["data"]["retryable"]) == (-32017, True)
        await works(talker, site)
        await true(lambda: not alive(before[0]))


async def test_a_browser_that_loses_its_network_service_is_replaced(server: Server, site: Site) -> None:
    async with talking(server) as talker:
        await talker.ask("events/subscribe", events=["page"])
        await works(talker, site)
        network = network_service_of(browser_pid(server.engine))
        assert network
        os.kill(network, signal.SIGKILL)
        await talker.event("page", type="close")
        await true(lambda: server.engine.recovery.restarts == 1)
        await works(talker, site)


@pytest.mark.parametrize("victim", ["browser", "driver"])
async def test_pages_that_are_created_meanwhile_are_answered_each_and_permit_a_retry(
    server: Server, site: Site, victim: str
) -> None:
    async with talking(server) as talker, talking(server) as other:
        for one in (talker, other):
            await one.ask("page/create")
        pid = browser_pid(server.engine) if victim == "browser" else driver_pid(server.engine)
        url = site.html("/", "here")
        ids = [(one, await one.begin("page/create", url=url)) for _ in range(4) for one in (talker, other)]
        for one in (talker, other):
            await one.ask("page/list")  # the requests before it have been read
        os.kill(pid, signal.SIGKILL)
        for one, id_ in ids:
            reply = await one.answer(id_)
            assert "result" in reply or (reply["error"]["code"], reply["error"]["data"]["retryable"]) == (-32017, True)
        assert server.portal.abandoned == 0
        assert server.engine.recovery.state != "broken"
        await works(talker, site)


async def test_health_says_that_the_browser_is_gone(server: Server, site: Site) -> None:
    told: list[int] = []
    real = server.engine.recovery.on_state

    def look() -> None:
        told.append(health(server.gate.status)[0])

    def tell(state: recovery.EngineState) -> None:
        real(state)
        server.portal.call_in_trio(look)

    server.engine.recovery.on_state = tell

    async with talking(server) as talker:
        await talker.ask("page/create")
        del told[:]
        os.kill(driver_pid(server.engine), signal.SIGKILL)
        await true(lambda: len(told) == 3)
        assert told == [503, 503, 200]
        await works(talker, site)


async def test_a_driver_that_dies_again_and_again_is_left_alone_until_somebody_asks(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "FIRST_PAUSE_S", 0.01)
    async with talking(server) as talker:
        await talker.ask("page/create")
        for _ in range(recovery.MAX_FAILURES):
            await healthy(server)
            os.kill(driver_pid(server.engine), signal.SIGKILL)
            await true(lambda: health(server.gate.status)[0] == 503)
        await true(lambda: server.engine.recovery.backoff.has_given_up)
        refused = await talker.fail("page/create")
        assert (refused["code"], refused["data"]["retryable"]) == (-32010, True)
        assert 0 < refused["data"]["retryAfterMs"] <= recovery.LONGEST_PAUSE_S * 1000
        assert "browser/launch" in refused["data"]["recoveryHint"]
        assert health(server.gate.status)[0] == 503
        assert '"degraded"' in health(server.gate.status)[1]
        assert (await talker.ask("page/list"))["pages"] == []
        await talker.ask("browser/launch")
        await healthy(server)
        await works(talker, site)


@pytest.mark.parametrize("victim", ["browser", "driver"])
async def test_a_click_whose_browser_is_killed_on_the_way_permits_a_retry(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch, victim: str
) -> None:
    click = fast_pointer._click_at

    async def killing(*args: Any) -> None:
        os.kill(browser_pid(server.engine) if victim == "browser" else driver_pid(server.engine), signal.SIGKILL)
        await click(*args)

    async with talking(server) as talker:
        await talker.ask("page/create", url=site.html("/", "<button>Go</button>"))
        monkeypatch.setattr(fast_pointer, "_click_at", killing)
        id_ = await talker.begin("action/click", selector={"type": "css", "value": "button"})
        error = await talker.error(id_)
        assert (error["code"], error["data"]["retryable"]) == (-32017, True)
        monkeypatch.undo()
        await works(talker, site)


@pytest.mark.parametrize("victim", ["browser", "driver"])
async def test_a_fork_and_a_state_whose_browser_is_killed_on_the_way_permit_a_retry(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch, victim: str
) -> None:
    read = BrowserContext.storage_state

    async def killing(*args: Any, **options: Any) -> Any:
        os.kill(browser_pid(server.engine) if victim == "browser" else driver_pid(server.engine), signal.SIGKILL)
        return await read(*args, **options)

    async with talking(server) as talker:
        for method in ("session/fork", "storage/getState"):
            await talker.ask("page/create", url=site.html("/", "here"))
            monkeypatch.setattr(BrowserContext, "storage_state", killing)
            error = await talker.fail(method)
            assert (error["code"], error["data"]["retryable"]) == (-32017, True), (method, error)
            monkeypatch.undo()
            await healthy(server)
        await works(talker, site)


async def test_a_browser_left_alone_is_tried_again_after_a_while(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr(recovery, "LONGEST_PAUSE_S", 0.5)
    async with talking(server) as talker:
        await talker.ask("page/create")
        for _ in range(recovery.MAX_FAILURES):
            await healthy(server)
            os.kill(browser_pid(server.engine), signal.SIGKILL)
            await true(lambda: health(server.gate.status)[0] == 503)
        await healthy(server)
        await works(talker, site)


@pytest.mark.parametrize("victim", ["browser", "driver", "both"])
async def test_a_stopped_process_is_found_out_and_replaced(
    site: Site, victim: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if victim == "browser":  # of which the driver tells, on a busy machine too
        monkeypatch.setattr(watchdog, "_REPORT_TIMEOUT_S", 15.0)
    config = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, heartbeat_timeout_s=4.0)
    async with open_server(config) as server, talking(server) as talker:
        ids = await begin_three(talker, site)
        before = (browser_pid(server.engine), driver_pid(server.engine))
        if victim != "driver":
            os.killpg(before[0], signal.SIGSTOP)
        if victim != "browser":
            os.kill(before[1], signal.SIGSTOP)
        for id_ in ids:
            assert (await talker.error(id_))["code"] == -32017
        await works(talker, site)
        await true(lambda: not alive(before[0]))
        await true(lambda: alive(before[1]) == (victim == "browser"))


async def test_a_request_to_a_stopped_browser_ends_at_its_deadline_and_the_server_in_time(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "_CLOSE_TIMEOUT_S", 1.0)
    config = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=0)
    async with open_server(config) as server, talking(server) as talker:
        await talker.ask("page/create", url=site.html("/", "here"))
        os.killpg(browser_pid(server.engine), signal.SIGSTOP)
        assert (await talker.fail("observe/content", format="text", timeout=300))["code"] == -32016


def test_the_first_failure_costs_no_pause_and_the_fifth_the_longest() -> None:
    now = 1000.0
    backoff = recovery.Backoff(clock=lambda: now)
    pauses = []
    for _ in range(recovery.MAX_FAILURES):
        backoff.count_failure()
        pauses.append(backoff.pause_s)
        now += 1
    assert pauses == [0, 0.5, 1.0, 2.0, 30.0]
    assert backoff.has_given_up
    now += 30
    assert not backoff.has_given_up
    backoff.count_failure()
    assert backoff.has_given_up
    now += recovery.WINDOW_S + 1
    backoff.count_failure()
    assert (backoff.has_given_up, backoff.pause_s) == (False, 0)
