"""Cost of the flight recorder, of watchers at the live view and of tracing; time from a person's key to the picture.

Four servers, each in a process of its own with a browser of its own, do the same click and the same fill in turn: one
records nothing, one records, one is watched by one person, and one by twenty. Goals: the recorder at most 5 %, a
watcher at most 10 % of the median, a key 60 ms to its picture.

Run: python -m bench.watching [--rounds 300] [--smoke]
"""

import contextlib
import json
import statistics
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

import attrs
import trio
import trio_websocket

from agentbrowser.client import connect
from agentbrowser.client.browser import Browser
from agentbrowser.spans import span
from bench.harness import Figures, Subject, arguments, race
from bench.pages import ACTIONS, css
from bench.program import open_program, open_site, write_line

_MANY: Final = 20
_REST_S: Final = 0.4
"""Rest before a key: the browser sends at most ten pictures a second, and one more after the last change."""
_LIMIT_S: Final = 5.0
_SPAN_ROUNDS: Final = 100_000
_SPANS: Final = 3
"""Spans of a click: request, crossing to the browser thread, and wait until the page has settled."""
_TYPED: Final = b"""<!doctype html><meta charset=utf-8>
<style>body { margin: 0; height: 100vh; background: blue }</style>
<input id=field autofocus style="opacity: 0"><script>
  let count = 0;
  field.onkeydown = () => { document.body.style.background = count++ % 2 ? "blue" : "red" };
</script>"""


@attrs.define(eq=False)
class Watcher:
    """A person at the live view, without a browser."""

    socket: trio_websocket.WebSocketConnection
    pictures: int = 0
    last: bytes = b""
    changed: trio.Event = attrs.field(factory=trio.Event)

    async def send(self, **command: Any) -> None:
        """Send a command. [trio]"""
        await self.socket.send_message(json.dumps(command))

    async def receive(self) -> None:
        """Take the pictures until the end. [trio]"""
        with contextlib.suppress(trio_websocket.ConnectionClosed):
            while True:
                message = await self.socket.get_message()
                if isinstance(message, bytes):
                    self.pictures += 1
                    if message != self.last:  # a picture without a change is sent again each second
                        self.last = message
                        self.changed.set()
                        self.changed = trio.Event()


async def _log_in(url: str) -> tuple[str, str]:
    """Exchange a link for a key; return the address of the server and the key. [trio]"""
    address, _, code = url.partition("/live#link=")
    host, _, port = address.removeprefix("http://").partition(":")
    head = f"POST /live/login HTTP/1.1\r\nHost: {host}:{port}\r\nAuthorization: Link {code}\r\n\r\n"
    async with await trio.open_tcp_stream(host, int(port)) as stream:
        await stream.send_all(head.encode())
        answer = b"".join([bytes(part) async for part in stream])
    return f"ws://{host}:{port}", str(json.loads(answer.partition(b"\r\n\r\n")[2])["key"])


@contextlib.asynccontextmanager
async def _watching(browser: Browser, page: str) -> AsyncIterator[Watcher]:
    """Watch a page, until the block ends."""
    address, key = await _log_in((await browser.request("live/link"))["url"])
    offered = ["agentbrowser", f"key.{key}"]
    url = f"{address}/live/socket"
    async with trio_websocket.open_websocket_url(url, subprotocols=offered, max_message_size=2**22) as socket:
        sessions: list[dict[str, Any]] = []
        while not sessions:
            message = json.loads(await socket.get_message())
            sessions = [one for one in message.get("states", {}).get("sessions", ()) if one["pages"]]
        watcher = Watcher(socket)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(watcher.receive)
            await watcher.send(do="watch", session=sessions[0]["number"], page=page, choice=1)
            with trio.fail_after(_LIMIT_S * 4):
                while not watcher.pictures:
                    await watcher.changed.wait()
            yield watcher
            nursery.cancel_scope.cancel()


@attrs.frozen
class Stage:
    """A server with one page, and those who watch it."""

    name: str
    browser: Browser
    page: str
    watchers: list[Watcher]

    def subject(self, method: str, params: dict[str, Any]) -> Subject:
        """Return an action on the page, on the client's clock."""

        async def run() -> float:
            started = time.perf_counter()
            await self.browser.request(method, {**params, "pageId": self.page})
            return time.perf_counter() - started

        return Subject(self.name, run)


async def _open_stage(
    stack: contextlib.AsyncExitStack, name: str, url: str, flags: tuple[str, ...], watchers: int
) -> Stage:
    program = await stack.enter_async_context(open_program(*flags))
    browser = await stack.enter_async_context(connect(program.url))
    page = str((await browser.request("page/create", {"url": url}))["id"])
    watching = [await stack.enter_async_context(_watching(browser, page)) for _ in range(watchers)]
    return Stage(name, browser, page, watching)


async def _costs(url: str, rounds: int) -> dict[str, float]:
    """Return the ratios of the medians of a click and a fill."""
    async with contextlib.AsyncExitStack() as stack:
        off = await _open_stage(stack, "recorder off", url, ("--no-recorder",), 0)
        on = await _open_stage(stack, "recorder on", url, (), 0)
        one = await _open_stage(stack, "one watcher", url, (), 1)
        many = await _open_stage(stack, f"{_MANY} watchers", url, (), _MANY)
        stages, found = (off, on, one, many), {}
        for what, method, params in (
            ("click", "action/click", {"selector": css("#add")}),
            ("fill", "action/fill", {"selector": css("#name"), "value": "Ada"}),
        ):
            subjects = [stage.subject(method, params) for stage in stages]
            figures = await race(f"a {what}", subjects, rounds=rounds, warmup=max(2, rounds // 10))
            found[f"{what}, recorder on against off (<= 1.05)"] = figures[1].ratio
            found[f"{what}, one watcher against none (<= 1.10)"] = _against(figures, 2)
            found[f"{what}, {_MANY} watchers against none"] = _against(figures, 3)
        taken = [watcher.pictures for watcher in many.watchers]
        found["pictures of the twenty: fewest to most, one screencast for all"] = min(taken) / max(taken)
        return found


def _against(figures: list[Figures], index: int) -> float:
    return figures[index].p50 / figures[1].p50


async def _key_to_picture(url: str, keys: int) -> list[float]:
    """Return the times from a person's key to the picture that shows it, in ms, sorted."""
    async with contextlib.AsyncExitStack() as stack:
        stage = await _open_stage(stack, "keys", url, (), 1)
        (watcher,) = stage.watchers
        await watcher.send(do="take")
        await stage.browser.request("page/waitFor", {"selector": css("#field:focus"), "pageId": stage.page})
        times = []
        for _ in range(keys):
            await trio.sleep(_REST_S)
            changed, started = watcher.changed, time.perf_counter()
            for kind, text in (("down", "a"), ("up", "")):
                event = {"kind": "key", "type": kind, "key": "a", "code": "KeyA", "keyCode": 65, "text": text}
                await watcher.send(do="input", event=event)
            with trio.fail_after(_LIMIT_S):
                await changed.wait()
            times.append((time.perf_counter() - started) * 1000)
        return sorted(times)


def _span_us() -> float:
    """Return the time of a span while nothing is traced, in microseconds."""

    def timed(work: Callable[[], None]) -> float:
        started = time.perf_counter()
        for _ in range(_SPAN_ROUNDS):
            work()
        return (time.perf_counter() - started) / _SPAN_ROUNDS * 1e6

    def traced() -> None:
        with span("portal"):
            pass

    return min(timed(traced) for _ in range(5)) - min(timed(lambda: None) for _ in range(5))


async def main(rounds: int) -> None:
    """Print the costs."""
    with open_site(lambda path: _TYPED if path == "/keys" else ACTIONS) as url:
        found: dict[str, float] = await _costs(url, rounds)
        keys = await _key_to_picture(f"{url}/keys", min(rounds, max(5, rounds // 10)))
    found["key to picture, ms, median (<= 60)"] = statistics.median(keys)
    found["key to picture, ms, slowest of ten"] = keys[int(len(keys) * 0.9)]
    found["spans of a click while nothing is traced, us"] = _SPANS * _span_us()
    print()
    for name, value in found.items():
        print(f"  {name:68}{value:8.2f}")
    write_line("watching", {name: round(value, 3) for name, value in found.items()})


if __name__ == "__main__":
    options = arguments()
    trio.run(main, min(options.rounds, 300))
