"""What the seed promises a plain client, over a socket and in memory: no initialize, no library, just JSON."""

import base64
import contextlib
import gc
import json
import os
import threading
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import attrs
import pytest
import trio
import trio_websocket

from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import memory_pair
from tests.browser.processes import children
from tests.browser.site import Site

FORM = """
<form onsubmit="event.preventDefault(); out.textContent = 'Hello ' + who.value">
<label>Name <input id=who name=who></label><button>Greet</button></form><p id=out></p>
"""


@attrs.define
class Plain:
    """A client that sends text and reads text."""

    send: Callable[[str], Awaitable[None]]
    receive: Callable[[], Awaitable[str | bytes]]
    last_id: int = 0

    async def ask(self, method: str, **params: Any) -> Any:
        """Send a request and return the answer to it, whole."""
        self.last_id += 1
        await self.send(json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}))
        while (answer := json.loads(await self.receive())).get("id") != self.last_id:
            assert "method" in answer, answer
        return answer

    async def get(self, method: str, **params: Any) -> Any:
        """Send a request and return its result."""
        answer = await self.ask(method, **params)
        assert answer["jsonrpc"] == "2.0"
        assert "error" not in answer, answer
        return answer["result"]


@contextlib.asynccontextmanager
async def over_socket(server: Server) -> AsyncIterator[Plain]:
    async with trio_websocket.open_websocket_url(server.url, max_message_size=2**30) as socket:
        yield Plain(socket.send_message, socket.get_message)


@contextlib.asynccontextmanager
async def in_memory(server: Server) -> AsyncIterator[Plain]:
    peer, transport = memory_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, peer, Grant(Scope.STANDARD, "memory"))
        yield Plain(lambda text: transport.send(text.encode()), transport.receive)
        await transport.close()


@pytest.fixture
def config() -> Config:
    return Config(port=0, drain_timeout_s=1)


@pytest.fixture
async def plains(server: Server) -> AsyncIterator[tuple[Plain, Plain]]:
    """Return two clients of one server: over a socket, and in memory."""
    async with over_socket(server) as over_a_socket, in_memory(server) as in_the_process:
        yield over_a_socket, in_the_process


def css(value: str) -> dict[str, str]:
    return {"type": "css", "value": value}


async def test_the_seeds_messages_are_enough(plains: tuple[Plain, Plain], site: Site) -> None:
    for plain in plains:
        url = site.html("/", FORM, title="Form")
        assert (await plain.get("page/navigate", url=url))["title"] == "Form"
        assert (await plain.get("action/fill", selector=css("#who"), value="Ada"))["value"] == "Ada"
        await plain.get("action/click", selector={"type": "role", "role": "button", "name": "Greet"})
        assert (await plain.get("observe/element", selector=css("#out"), properties=["text"]))["text"] == "Hello Ada"
        picture = await plain.get("observe/screenshot")
        assert base64.b64decode(picture["data"]).startswith(b"\xff\xd8")
        assert (picture["format"], picture["width"], picture["height"]) == ("jpeg", 1280, 720)


async def test_observe_then_act_by_ref(plains: tuple[Plain, Plain], site: Site) -> None:
    for plain in plains:
        await plain.get("page/navigate", url=site.html("/", FORM))
        seen = await plain.get("agent/observe", includeBounds=True)
        by_role = {element["role"]: element for element in seen["interactiveElements"]}
        box, button = by_role["textbox"], by_role["button"]
        assert (box["name"], button["name"]) == ("Name", "Greet")
        assert box["ref"].startswith("@")
        assert "editable" in box["actionHints"]
        assert button["bounds"]["width"] > 0
        await plain.get("action/fill", selector={"type": "ref", "value": box["ref"]}, value="Bo")
        await plain.get("action/click", selector={"type": "ref", "ref": button["ref"]})
        assert (await plain.get("observe/element", selector=css("#out"), properties=["text"]))["text"] == "Hello Bo"
        for element in (box, button):
            found = await plain.get("observe/element", selector=element["selector"], properties=["attributes"])
            assert found["found"] is True


async def test_a_sequence_in_one_request(plains: tuple[Plain, Plain], site: Site) -> None:
    for plain in plains:
        url = site.html("/", FORM)
        result = await plain.get(
            "agent/act",
            steps=[
                {"action": "page/navigate", "params": {"url": url}, "label": "go"},
                {
                    "action": "action/fill",
                    "params": {"selector": css("#who"), "value": "Cy"},
                    "condition": {"selector": css("#who"), "state": "visible"},
                },
                {"action": "action/press", "params": {"key": "Enter", "selector": css("#who")}},
            ],
            postObserve={"maxElements": 5},
        )
        assert (result["completed"], result["total"], result["success"]) == (3, 3, True)
        assert [step["step"] for step in result["results"]] == [0, 1, 2]
        assert result["results"][0]["label"] == "go"
        assert result["postObservation"]["metadata"]["url"] == url
        assert (await plain.get("observe/element", selector=css("#out"), properties=["text"]))["text"] == "Hello Cy"


BAD_INPUT: list[tuple[str, dict[str, Any], int]] = [
    ("no/such", {}, -32601),
    ("page/navigate", {}, -32602),
    ("page/navigate", {"url": 7}, -32602),
    ("page/navigate", {"url": "javascript:alert(1)"}, -32602),
    ("page/navigate", {"url": "file:///etc/passwd"}, -32602),
    ("page/navigate", {"url": "http://169.254.169.254/latest"}, -32602),
    ("page/create", {"url": "http://[::ffff:a9fe:a9fe]/"}, -32602),
    ("page/activate", {"pageId": "nowhere"}, -32011),
    ("action/click", {"selector": {"type": "css", "value": "#none"}, "options": {"timeout": 100}}, -32012),
    ("action/click", {"selector": {"type": "ref", "value": "@none"}, "options": {"timeout": 100}}, -32012),
    ("action/click", {"selector": {"type": "css", "value": "a >> b"}}, -32602),
    ("action/click", {"selector": {"type": "css", "value": ":::"}, "options": {"timeout": 100}}, -32602),
    ("action/fill", {"selector": {"type": "css", "value": "#a"}}, -32602),
    ("agent/act", {"steps": []}, -32602),
    ("agent/act", {"steps": [{"action": "page/close"}]}, -32602),
    ("browser/launch", {"args": ["--proxy-server=direct://"]}, -32602),
    ("browser/launch", {"executablePath": "/bin/sh"}, -32602),
    ("browser/launch", {"nonsense": 1}, -32602),
    ("action/upload", {"selector": {"type": "css", "value": "#a"}, "files": []}, -32003),
    ("initialize", {"capabilities": {"events": ["nonsense"]}}, -32602),
    ("events/subscribe", {"events": ["nonsense"]}, -32602),
]


async def test_bad_input_gets_its_typed_error_and_the_connection_lives_on(plains: tuple[Plain, Plain]) -> None:
    for plain in plains:
        for method, params, code in BAD_INPUT:
            answer = await plain.ask(method, **params)
            assert answer["error"]["code"] == code, answer
            assert answer["error"]["message"].endswith(".")
            assert isinstance(answer["error"]["data"]["retryable"], bool)
            assert isinstance((await plain.get("page/list"))["pages"], list)


async def test_the_handshake_is_true_and_optional(plains: tuple[Plain, Plain]) -> None:
    for plain in plains:
        offered = await plain.get("initialize", protocolVersion="0.9.0", clientInfo={"name": "t", "version": "1"})
        assert offered["protocolVersion"] == "0.9.0"
        assert offered["serverInfo"]["name"] == "agentbrowser"
        capabilities = offered["capabilities"]
        assert capabilities["scope"] == "standard"
        assert "action/click" in capabilities["methods"]
        assert "action/upload" not in capabilities["methods"]
        assert (await plain.ask("initialize"))["error"]["code"] == -32002
        assert await plain.get("shutdown") == {}
        assert (await plain.ask("page/list"))["error"]["code"] == -32001
        assert (await plain.get("initialize"))["protocolVersion"] == "0.9.0"
        assert (await plain.get("page/list"))["pages"] == []


@pytest.mark.slow
async def test_a_hundred_clients_at_once(server: Server, site: Site) -> None:
    url = site.html("/", "x", title="Crowd")
    answered: list[int] = []

    async def client(number: int) -> None:
        async with over_socket(server) as plain:
            await arrived.wait()
            assert (await plain.get("page/list"))["pages"] == []
            if number % 10 == 0:
                assert (await plain.get("page/navigate", url=url))["title"] == "Crowd"
            answered.append(number)

    arrived = trio.Event()
    async with trio.open_nursery() as nursery:
        for number in range(100):
            nursery.start_soon(client, number)
        await _until(lambda: server.gate.connections == 100)
        arrived.set()
    assert sorted(answered) == list(range(100))


@pytest.mark.slow
async def test_nothing_is_left_behind(site: Site) -> None:
    url = site.html("/", FORM)

    async def once() -> None:
        async with open_server(Config(port=0, drain_timeout_s=1)) as server, over_socket(server) as plain:
            await plain.get("page/navigate", url=url)
            await plain.get("agent/observe")

    def left() -> tuple[int, int, int]:
        """Return how many threads of ours, descriptors and children there are."""
        threads = sum(one.name.startswith("agentbrowser") for one in threading.enumerate())
        return threads, len(os.listdir("/proc/self/fd")), len(children(os.getpid()))

    await once()  # what is made once and kept for good
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        gc.collect()  # what other tests have left
    before = left()
    for _ in range(3):
        await once()
    await _until(lambda: all(now <= then for now, then in zip(left(), before, strict=True)))


async def _until(holds: Callable[[], bool]) -> None:
    with trio.fail_after(40):
        while not holds():  # noqa: ASYNC110 - nothing tells of it
            await trio.sleep(0.01)
