"""Faults of the machine: no descriptors, no disk, a clock that jumps, clients that come and go without end."""

import gc
import os
import resource
import tempfile
import threading
import time
from pathlib import Path

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from tests.browser.fault_helpers import Talker, clean, talking, true
from tests.browser.server.test_cli_serve import program
from tests.browser.site import Site
from tests.loop.raw_websocket import CLOSE, Wire, frame, upgrade

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(clean.__name__)]

SPARE_DESCRIPTORS = 5
CYCLES = 300
AT_ONCE = 10


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1)


async def test_running_out_of_descriptors_is_survived(clean: Path) -> None:
    async with program(TMPDIR=str(clean)) as server, server.dial() as wire:
        assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
        _, hard = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
        held = [int(name) for name in os.listdir(f"/proc/{server.process.pid}/fd")]
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (max(held) + SPARE_DESCRIPTORS, hard))
        crowd = [await trio.open_tcp_stream("127.0.0.1", server.port) for _ in range(4 * SPARE_DESCRIPTORS)]
        await server.read_log(until="accept_failed")
        await wire.say('{"jsonrpc": "2.0", "id": 1, "method": "page/list"}')
        assert b'"pages":[]' in (await wire.hear())[1]
        for stream in crowd:
            await stream.aclose()
        assert await health(server.port) == b"200"
        assert await server.end() == 0


async def health(port: int) -> bytes:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        await stream.send_all(f"GET /health HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        return (await Wire(stream).rest()).split(b" ", 2)[1]


async def test_without_a_place_for_files_only_what_needs_one_fails(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.serve("/file", b"bytes", Content_Disposition='attachment; filename="report.txt"')
    async with talking(server) as talker:
        await talker.ask("events/subscribe", events=["download"])
        await talker.ask("page/create", url=site.html("/", "<a href=/file>here</a>"))
        await talker.ask("trace/start")
        monkeypatch.setattr(tempfile, "tempdir", "/proc/none")
        assert await full_disk(talker, "trace/stop")
        spoil(server)
        assert (await talker.ask("observe/screenshot"))["data"]
        await talker.ask("action/click", selector={"type": "css", "value": "a"})
        await talker.event("download", state="failed")
        await talker.ask("trace/start")
        assert await full_disk(talker, "trace/stop")
        assert (await talker.ask("observe/content", format="text"))["content"].strip() == "here"


async def full_disk(talker: Talker, method: str) -> bool:
    error = await talker.fail(method)
    return (error["code"], error["data"]["details"]["resource"]) == (-32024, "disk")


def spoil(server: Server) -> None:
    """Put files where driver and browser keep their files, so that they can write none."""
    assert server.engine._driver is not None
    directory = server.engine._driver.directory
    (artifacts,) = directory.path.glob("playwright-artifacts-*")
    for place in (artifacts, directory.downloads):
        place.rename(place.with_suffix(".aside"))  # at once: they may be writing there
        place.touch()


@pytest.mark.parametrize("jump_s", [-86_400.0, +86_400.0])
async def test_a_clock_that_jumps_changes_no_deadline(
    server: Server, site: Site, monkeypatch: pytest.MonkeyPatch, jump_s: float
) -> None:
    async with talking(server) as talker:
        await talker.ask("page/create", url=site.html("/", "here"))
        endless = {"expression": "new Promise(() => {})"}
        before = [await talker.begin("script/evaluate", **endless, timeout=3000)]
        before.append(await talker.begin("script/evaluate", expression="1", timeout=20_000))
        await talker.begun(*before)
        real, real_ns = time.time, time.time_ns
        monkeypatch.setattr(time, "time", lambda: real() + jump_s)
        monkeypatch.setattr(time, "time_ns", lambda: real_ns() + round(jump_s * 1e9))
        assert (await talker.error(before[0]))["code"] == -32016
        assert (await talker.answer(before[1]))["result"]["value"] == 1
        assert (await talker.fail("script/evaluate", **endless, timeout=100))["code"] == -32016
        assert (await talker.ask("script/evaluate", expression="2"))["value"] == 2


async def test_hundreds_of_clients_come_and_go_and_leave_nothing() -> None:
    async with open_server(Config(port=0)) as server:
        await wait_all_tasks_blocked()  # the server's own tasks have begun
        alone = held()
        await come_and_go(server, CYCLES // 5)
        await true(lambda: held()["tasks"] <= alone["tasks"])
        before = held()
        await come_and_go(server, CYCLES)
        counts = ("tasks", "threads", "descriptors")
        await true(lambda: all(now[count] <= alone[count] for now in [held()] for count in counts))
        assert held()["memory"] <= before["memory"] * 1.05


async def come_and_go(server: Server, count: int) -> None:
    limit = trio.CapacityLimiter(AT_ONCE)
    async with trio.open_nursery() as nursery:
        for _ in range(count):
            await limit.acquire_on_behalf_of(key := object())
            nursery.start_soon(visit, server.port, limit, key)


async def visit(port: int, limit: trio.CapacityLimiter, key: object) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        wire = Wire(stream)
        await wire.send(upgrade(port))
        assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
        await wire.say('{"jsonrpc": "2.0", "id": 1, "method": "page/list"}')
        assert b'"pages":[]' in (await wire.hear())[1]
        await wire.send(frame(CLOSE, b"\x03\xe8"))
        assert (await wire.hear())[0] == CLOSE
    limit.release_on_behalf_of(key)


def held() -> dict[str, int]:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "memory": pages * resource.getpagesize(),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": sum(not one.name.startswith("Trio thread") for one in threading.enumerate()),
        "tasks": trio.lowlevel.current_statistics().tasks_living,
    }
