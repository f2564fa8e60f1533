"""agentbrowser as a peer: a server process, called over its WebSocket in plain JSON."""

import base64
import contextlib
import json
import socket
import sys
from collections.abc import AsyncIterator
from typing import Any, Final

import attrs
import trio
import trio_websocket

from agentbrowser import __version__
from agentbrowser.methods import METHODS
from agentbrowser.protocol import wire
from agentbrowser.protocol.openrpc import document
from bench.pages import STEPS, css
from bench.peers.peer import Peer, Setting
from bench.peers.running import running, until

_WHOLE: Final = {"format": "text", "maxElements": 2000, "maxTokens": 100_000}
_ROWS: Final = {
    "type": "array",
    "items": {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}},
}
_MORE: Final = {"type": "role", "role": "button", "name": "More of it"}
TOKEN: Final = "for-the-benchmarks"
MAX_BYTES: Final = 100 * 1024 * 1024


@attrs.define
class Client:
    """A minimal client that sends JSON over a WebSocket."""

    connection: trio_websocket.WebSocketConnection
    _id: int = 0

    async def call(self, name: str, /, **params: Any) -> Any:
        """Return the result of a request. [trio]"""
        self._id += 1
        message = {"jsonrpc": "2.0", "id": self._id, "method": name, "params": params}
        await self.connection.send_message(json.dumps(message))
        while True:
            answer = json.loads(await self.connection.get_message())
            if answer.get("id") == self._id:
                break
        if "error" in answer:
            raise ValueError(f"{name}: {answer['error']}")
        return answer["result"]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as one:
        return int(one.getsockname()[1])


@contextlib.asynccontextmanager
async def serving(setting: Setting) -> AsyncIterator[str]:
    """Run the server; yield its address. [trio]"""
    port = _free_port()
    command = [sys.executable, "-m", "agentbrowser", "serve", "--port", str(port), "--scope", "privileged"]
    command += ["--executable-path", setting.browser, "--log-level", "error"]
    async with running(command, home=setting.home, env={"AGENT_TOKEN": TOKEN}):
        await until(lambda: _answers(port))
        yield f"ws://127.0.0.1:{port}"


async def _answers(port: int) -> bool:
    try:
        await (await trio.open_tcp_stream("127.0.0.1", port)).aclose()
    except OSError:
        return False
    return True


@contextlib.asynccontextmanager
async def open_ours(setting: Setting) -> AsyncIterator[Peer]:
    """Run the server and a client. [trio]"""
    async with (
        serving(setting) as url,
        trio_websocket.open_websocket_url(
            url, extra_headers=[(b"X-AGENT-Token", TOKEN.encode())], max_message_size=MAX_BYTES
        ) as connection,
    ):
        yield _peer(Client(connection), setting)


def _peer(client: Client, setting: Setting) -> Peer:
    call, ref = client.call, ""

    async def navigate(url: str = setting.form) -> None:
        await call("page/navigate", url=url)

    async def look(*, fold: bool = False) -> str:
        return str((await call("agent/observe", **_WHOLE, fold=fold))["text"])

    async def go(url: str) -> None:
        nonlocal ref
        await navigate(url)
        if url == setting.form:
            seen = (await call("agent/observe"))["interactiveElements"]
            ref = next(one["ref"] for one in seen if one.get("name") == "Add")

    async def extract() -> Any:
        return (await call("agent/extract", schema=_ROWS, mode="list"))["data"]

    async def evaluate(expression: str) -> Any:
        return (await call("script/evaluate", expression=expression, world="main"))["value"]

    async def shoot() -> bytes:
        return base64.b64decode((await call("observe/screenshot"))["data"])

    steps = [{"action": name, "params": params} for name, params in STEPS]
    return Peer(
        name="agentbrowser",
        version=__version__,
        operations={
            "navigate": navigate,
            "observe": look,
            "click by css": lambda: call("action/click", selector=css("#add")),
            "click by role": lambda: call("action/click", selector=_MORE),
            "click by ref": lambda: call("action/click", selector={"type": "ref", "value": ref}),
            "fill": lambda: call("action/fill", selector=css("#name"), value="Ada"),
            "ten steps": lambda: call("agent/act", steps=steps),
            "extract": extract,
            "screenshot": shoot,
        },
        go=go,
        evaluate=evaluate,
        folded=lambda: look(fold=True),
        tools=wire.dump(document(METHODS, {}, __version__)["methods"]).decode(),
    )
