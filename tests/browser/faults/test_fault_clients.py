"""Faults of a client: it drops while its requests run, or gives up what is just being made."""

import json
import socket
import struct

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server
from tests.browser.fault_helpers import clean, talking, true
from tests.browser.site import Site
from tests.loop.raw_websocket import Wire, upgrade

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(clean.__name__)]

TOKEN = "only-of-these-tests"
ENDLESS = "new Promise(() => {})"


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, token=TOKEN, drain_timeout_s=1)


async def ask(wire: Wire, id_: int, method: str, **params: object) -> None:
    await wire.say(json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}))


@pytest.mark.parametrize("how", ["FIN", "RST"])
async def test_a_client_that_drops_has_its_work_stopped(server: Server, site: Site, how: str) -> None:
    await wait_all_tasks_blocked()  # the server's own tasks have begun
    alone = trio.lowlevel.current_statistics().tasks_living
    stream = await trio.open_tcp_stream("127.0.0.1", server.port)
    wire = Wire(stream)
    await wire.send(upgrade(server.port, f"X-AGENT-Token: {TOKEN}"))
    assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
    await ask(wire, 1, "page/navigate", url=site.html("/", "here"))
    while json.loads((await wire.hear())[1]).get("id") != 1:
        pass
    await ask(wire, 2, "script/evaluate", expression=ENDLESS)
    await ask(wire, 3, "page/navigate", url=site.hold("/silent"))
    await ask(wire, 4, "page/create", url=site.url("/silent"))
    await true(lambda: "/silent" in site.paths())
    if how == "RST":
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await stream.aclose()
    await true(lambda: not server.connections)
    await true(lambda: not server.portal.calls)
    await true(lambda: trio.lowlevel.current_statistics().tasks_living <= alone)
    assert server.portal.abandoned == 0
    assert server.engines.capacity.pages == 0
    async with talking(server) as talker:
        await talker.ask("page/navigate", url=site.html("/again", "again"))
        assert (await talker.ask("observe/content", format="text"))["content"].strip() == "again"


async def test_a_page_whose_making_is_cancelled_is_not_left(server: Server, site: Site) -> None:
    async with talking(server) as talker:
        await talker.ask("page/create", url=site.html("/", "here"))
        for after_ms in (0, 1, 5, 50, 200):
            made = await talker.begin("page/create", url=site.hold("/silent"))
            await trio.sleep(after_ms / 1000)
            await talker.transport.send(
                json.dumps({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": made}}).encode()
            )
            assert (await talker.error(made))["code"] == -32051, after_ms
            await true(lambda: server.engines.capacity.pages == 1)
            assert len((await talker.ask("page/list"))["pages"]) == 1, after_ms
