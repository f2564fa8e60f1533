"""Faults of a page: it crashes, freezes, spins or never arrives, and only what was asked of it fails."""

import os
import resource
import signal
from collections.abc import Callable
from typing import Any

import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server
from tests.browser.fault_helpers import SOON_S, Talker, clean, renderers, talking, true
from tests.browser.site import Site

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(clean.__name__)]
assert callable(clean)

ENDLESS = "new Promise(() => {})"
GREEDY = "for (const kept = [];;) kept.push([...'memory'.repeat(1e4)])"


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, heartbeat_timeout_s=SOON_S, dialog_timeout_s=0.3)


async def open_two(talker: Talker, server: Server, site: Site) -> tuple[str, str, set[int]]:
    """Open a page, and one that is to have a fault; return them with the processes of the second."""
    await talker.ask("events/subscribe", events=["page"])
    sane: str = (await talker.ask("page/create", url=site.html("/sane", "sane")))["id"]
    before = renderers(server.engine.pid)
    url = site.html("/sick", "sick <button></button>").replace("127.0.0.1", "localhost")
    sick: str = (await talker.ask("page/create", url=url))["id"]
    return sane, sick, renderers(server.engine.pid) - before


async def text_of(talker: Talker, page_id: str) -> str:
    return str((await talker.ask("observe/content", format="text", pageId=page_id))["content"]).strip()


def kill(pids: set[int]) -> None:
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def starve(pids: set[int]) -> None:
    """Leave the processes no more memory than they have."""
    for pid in pids:
        resource.prlimit(pid, resource.RLIMIT_DATA, (1, 1))


@pytest.mark.parametrize(("fault", "script"), [(kill, ENDLESS), (starve, GREEDY)])
async def test_a_page_that_crashes(server: Server, site: Site, fault: Callable[[set[int]], None], script: str) -> None:
    async with talking(server) as talker:
        sane, sick, processes = await open_two(talker, server, site)
        assert processes
        running = [await talker.begin("script/evaluate", expression=ENDLESS, pageId=sane, timeout=200)]
        doomed = [
            await talker.begin("script/evaluate", expression=script, pageId=sick),
            await talker.begin("observe/content", format="text", pageId=sick),
        ]
        await talker.begun(*doomed)
        fault(processes)
        for id_ in doomed:
            error = await talker.error(id_)
            assert (error["code"], error["message"]) == (-32017, "The page has crashed.")
            assert "page/navigate" in error["data"]["recoveryHint"]
        assert (await talker.event("page", type="crashed"))["pageId"] == sick
        assert (await talker.error(running[0]))["code"] == -32016
        assert await text_of(talker, sane) == "sane"
        assert [page["status"] for page in (await talker.ask("page/list"))["pages"]] == ["ready", "error"]
        assert (await talker.fail("agent/observe", pageId=sick))["code"] == -32017
        await talker.ask("page/close", pageId=sick)
        assert [page["id"] for page in (await talker.ask("page/list"))["pages"]] == [sane]


@pytest.mark.parametrize("way", ["navigate", "reload"])
async def test_a_page_that_has_crashed_goes_on_in_a_new_process(server: Server, site: Site, way: str) -> None:
    async with talking(server) as talker:
        _, sick, processes = await open_two(talker, server, site)
        (old,) = (await talker.ask("agent/observe", pageId=sick))["interactiveElements"]
        await talker.ask("emulate/setViewport", width=500, height=400, pageId=sick)
        kill(processes)
        await talker.event("page", type="crashed")
        params: dict[str, Any] = {"url": site.html("/next", "<button>there</button>")} if way == "navigate" else {}
        await talker.ask(f"page/{way}", pageId=sick, **params)
        assert await text_of(talker, sick) == ("there" if way == "navigate" else "sick")
        assert (await talker.ask("script/evaluate", expression="innerWidth", pageId=sick))["value"] == 500
        assert len((await talker.ask("page/list"))["pages"]) == 2
        stale = {"type": "ref", "ref": old["ref"]}
        assert (await talker.fail("action/click", selector=stale, pageId=sick))["code"] in (-32012, -32019)
        await talker.ask("page/close", pageId=sick)


async def test_a_page_whose_process_is_stopped_is_given_up(server: Server, site: Site) -> None:
    object.__setattr__(server.config, "heartbeat_timeout_s", 0.5)
    async with talking(server) as talker:
        sane, sick, processes = await open_two(talker, server, site)
        for pid in processes:
            os.kill(pid, signal.SIGSTOP)
        assert (await talker.fail("script/evaluate", expression="1", pageId=sick, timeout=300))["code"] == -32016
        assert (await talker.event("page", type="crashed"))["pageId"] == sick
        assert await text_of(talker, sane) == "sane"
        await talker.ask("page/navigate", url=site.url("/sane"), pageId=sick)
        assert await text_of(talker, sick) == "sane"
        await true(lambda: not renderers(server.engine.pid) & processes)


@pytest.mark.parametrize("script", ["while (1);", "(() => { for (;;); })()"])
async def test_a_script_that_spins(server: Server, site: Site, script: str) -> None:
    async with talking(server) as talker:
        _, sick, _ = await open_two(talker, server, site)
        assert (await talker.fail("script/evaluate", expression=script, pageId=sick, timeout=300))["code"] == -32016
        assert await text_of(talker, sick) == "sick"


async def test_a_page_that_spins_as_it_loads_can_be_closed(server: Server, site: Site) -> None:
    async with talking(server) as talker:
        sane, sick, _ = await open_two(talker, server, site)
        loading = await talker.begin("page/navigate", url=site.html("/spin", "<script>for (;;);</script>"), pageId=sick)
        await true(lambda: "/spin" in site.paths())
        assert await text_of(talker, sane) == "sane"
        with trio.fail_after(SOON_S):
            await talker.ask("page/close", pageId=sick)
        assert (await talker.error(loading))["code"] in (-32015, -32017)


async def test_a_silent_server(server: Server, site: Site) -> None:
    async with talking(server) as talker:
        _, sick, _ = await open_two(talker, server, site)
        assert (await talker.fail("page/navigate", url=site.hold("/silent"), pageId=sick, timeout=500))[
            "code"
        ] == -32016
        assert (await talker.ask("script/evaluate", expression="6 * 7", pageId=sick))["value"] == 42


async def test_a_dialog_that_nobody_handles(server: Server, site: Site) -> None:
    async with talking(server) as talker:
        _, sick, _ = await open_two(talker, server, site)
        assert (await talker.ask("script/evaluate", expression="alert(1) ?? 'on'", pageId=sick))["value"] == "on"
        await talker.ask(
            "page/navigate", url=site.html("/alert", "<button onclick='alert(1)'>Go</button>"), pageId=sick
        )
        await talker.ask("action/click", selector={"type": "css", "value": "button"}, pageId=sick)
        assert await text_of(talker, sick) == "Go"
