"""Lower bound: raw CDP over a socket, without a driver, and with a hit test as the only check."""

import base64
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Any, Final

import attrs
import trio
import trio_websocket

from bench.peers.pages import SHOP_SCRIPT
from bench.peers.peer import Peer, Setting
from bench.peers.running import running, until

_MAX_BYTES: Final = 100 * 1024 * 1024
_HIT_TEST: Final = """(element => {
  const box = element.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  if (!box.width || !element.contains(document.elementFromPoint(x, y))) throw new Error("not to be hit");
  return [x, y];
})"""
_SELECT_OPTION: Final = """((element, value) => {
  element.value = value;
  element.dispatchEvent(new Event("input", { bubbles: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
})"""


@attrs.define
class Target:
    """A page with its own CDP socket."""

    socket: trio_websocket.WebSocketConnection
    add: str = ""
    """Remote object of the button that is clicked by ref."""
    _last: int = 0
    _loaded: trio.Event = attrs.field(factory=trio.Event)

    async def send(self, *commands: tuple[str, dict[str, Any]]) -> list[Any]:
        """Send commands together, and return all results. [trio]"""
        first = self._last + 1
        for method, params in commands:
            self._last += 1
            await self.socket.send_message(json.dumps({"id": self._last, "method": method, "params": params}))
        results: dict[int, Any] = {}
        while len(results) < len(commands):
            message = json.loads(await self.socket.get_message())
            if message.get("method") == "Page.loadEventFired":
                self._loaded.set()
            elif message.get("id", 0) >= first:
                results[message["id"]] = message["result"]
        return [results[first + number] for number in range(len(commands))]

    async def call(self, method: str, **params: Any) -> Any:
        """Return the result of one command. [trio]"""
        return (await self.send((method, params)))[0]

    async def go(self, url: str) -> None:
        """Load a URL, and wait for its load event. [trio]"""
        self._loaded = trio.Event()
        await self.call("Page.navigate", url=url)
        while not self._loaded.is_set():
            message = json.loads(await self.socket.get_message())
            if message.get("method") == "Page.loadEventFired":
                self._loaded.set()

    async def evaluate(self, expression: str) -> Any:
        """Return the value of an expression. [trio]"""
        answer = await self.call("Runtime.evaluate", expression=f"({expression})", returnByValue=True)
        if "exceptionDetails" in answer:
            raise ValueError(answer["exceptionDetails"])
        return answer["result"].get("value")

    async def press(self, x: float, y: float) -> None:
        """Click at a point. [trio]"""
        button = {"x": x, "y": y, "button": "left", "clickCount": 1}
        await self.send(
            _mouse(type="mouseMoved", x=x, y=y),
            _mouse(type="mousePressed", **button),
            _mouse(type="mouseReleased", **button),
        )

    async def click(self, css: str) -> None:
        """Click the element of a CSS selector, after a hit test. [trio]"""
        await self.press(*await self.evaluate(f"{_HIT_TEST}(document.querySelector({json.dumps(css)}))"))

    async def click_object(self, object_id: str) -> None:
        """Click a known element. [trio]"""
        answer = await self.call(
            "Runtime.callFunctionOn",
            objectId=object_id,
            functionDeclaration=f"function () {{ return {_HIT_TEST}(this) }}",
            returnByValue=True,
        )
        await self.press(*answer["result"]["value"])

    async def find(self, role: str, name: str) -> str:
        """Return the remote object of the element with a role and name. [trio]"""
        document = (await self.call("DOM.getDocument", depth=0))["root"]["backendNodeId"]
        found = await self.call("Accessibility.queryAXTree", backendNodeId=document, role=role, accessibleName=name)
        node = found["nodes"][0]["backendDOMNodeId"]
        return str((await self.call("DOM.resolveNode", backendNodeId=node))["object"]["objectId"])

    async def fill(self, css: str, text: str) -> None:
        """Replace the text of a field. [trio]"""
        focus = f"(field => {{ field.focus(); field.select(); }})(document.querySelector({json.dumps(css)}))"
        await self.call("Runtime.evaluate", expression=focus)
        await self.call("Input.insertText", text=text)

    async def choose(self, css: str, value: str) -> None:
        """Select an option. [trio]"""
        await self.evaluate(f"{_SELECT_OPTION}(document.querySelector({json.dumps(css)}), {json.dumps(value)})")

    async def hover(self, css: str) -> None:
        """Move the pointer over an element. [trio]"""
        x, y = await self.evaluate(f"{_HIT_TEST}(document.querySelector({json.dumps(css)}))")
        await self.send(_mouse(type="mouseMoved", x=x, y=y))

    async def ten(self) -> None:
        """Run the ten steps. [trio]"""
        await self.fill("#name", "Ada")
        await self.fill("#mail", "ada@example.org")
        await self.click("#agree")
        await self.choose("#fruit", "b")
        await self.click("#add")
        await self.click_object(await self.find("button", "More of it"))
        await self.hover("#menu")
        await self.click("#agree")
        await self.choose("#fruit", "a")
        await self.click("#done")

    async def look(self) -> str:
        """Return the accessibility tree, the minimum of an observation. [trio]"""
        return json.dumps(await self.call("Accessibility.getFullAXTree"))

    async def shoot(self) -> bytes:
        """Return a screenshot. [trio]"""
        answer = await self.call("Page.captureScreenshot", format="jpeg", quality=80)
        return base64.b64decode(answer["data"])


def _mouse(**params: Any) -> tuple[str, dict[str, Any]]:
    return ("Input.dispatchMouseEvent", params)


@contextlib.asynccontextmanager
async def _browser(setting: Setting) -> AsyncIterator[str]:
    """Run a browser; yield the address of its debugger. [trio]"""
    home = setting.home / "raw"
    home.mkdir()
    command = [setting.browser, "--headless", "--remote-debugging-port=0", f"--user-data-dir={home}", *setting.flags]
    command += ["--no-first-run", "--window-size=1280,720", "about:blank"]
    noted = trio.Path(home / "DevToolsActivePort")

    async def is_up() -> bool:
        return await noted.exists() and "\n" in await noted.read_text()

    async with running(command, home=home):
        await until(is_up)
        port, path = (await noted.read_text()).split()
        yield f"127.0.0.1:{port}{path}"


@contextlib.asynccontextmanager
async def open_raw(setting: Setting) -> AsyncIterator[Peer]:
    """Run a browser with a raw CDP client. [trio]"""
    async with _browser(setting) as debugger:
        async with trio_websocket.open_websocket_url(f"ws://{debugger}", max_message_size=_MAX_BYTES) as root:
            boss = Target(root)
            version = (await boss.call("Browser.getVersion"))["product"]
            page = (await boss.call("Target.getTargets"))["targetInfos"][0]["targetId"]
        host = debugger.partition("/")[0]
        address = f"ws://{host}/devtools/page/{page}"
        async with trio_websocket.open_websocket_url(address, max_message_size=_MAX_BYTES) as socket:
            target = Target(socket)
            for domain in ("Page", "DOM", "Accessibility"):
                await target.call(f"{domain}.enable")
            yield _peer(target, setting, version)


def _peer(target: Target, setting: Setting, version: str) -> Peer:
    async def go(url: str) -> None:
        await target.go(url)
        if url == setting.form:
            target.add = await target.find("button", "Add")

    async def click_by_role() -> None:
        await target.click_object(await target.find("button", "More of it"))

    return Peer(
        name="raw CDP",
        version=version,
        operations={
            "navigate": lambda: target.go(setting.form),
            "observe": target.look,
            "click by css": lambda: target.click("#add"),
            "click by role": click_by_role,
            "click by ref": lambda: target.click_object(target.add),
            "fill": lambda: target.fill("#name", "Ada"),
            "ten steps": target.ten,
            "extract": lambda: target.evaluate(SHOP_SCRIPT),
            "screenshot": target.shoot,
        },
        go=go,
        evaluate=target.evaluate,
    )
