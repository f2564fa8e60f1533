"""Hostile pages and the largest requests, as a site in a process of its own, and a client that uses them in a loop."""

import hashlib
import itertools
import json
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from types import MappingProxyType
from typing import Any, Final

import attrs
import trio

from agentbrowser.client import Browser, connect
from agentbrowser.protocol.errors import AgentBrowserError
from bench.program import open_site

TOKENS: Final = {"mallory": "mallory-of-neighbours", "alice": "alice-of-neighbours!"}
_AT_ONCE: Final = 4
_RETRY_S: Final = 0.2
_NONE: Final[dict[str, Any]] = {"pages": ()}
_END_TIMEOUT_S: Final = 10.0
_LAUNCH_TIMEOUT_MS: Final = 60_000

FLOODS: Final = {
    "endless script": "setTimeout(() => { for (;;); }, 300)",
    "spinning workers": "for (let i = 0; i < 4; i++) worker('for (;;);')",
    "console messages": "setInterval(() => { for (let i = 0; i < 20000; i++) log('x'.repeat(200), i) }, 0)",
    "console of a worker": "worker(`for (;;) console.log('x'.repeat(200))`)",
    "errors": "setInterval(() => { for (let i = 0; i < 5000; i++) reportError(new Error('x'.repeat(200))) }, 0)",
    "workers": "setInterval(() => { for (let i = 0; i < 50; i++) { const w = worker('1');"
    " setTimeout(() => w.terminate(), 5) } }, 0)",
    "hash navigations": "let n = 0; setInterval(() => { for (let i = 0; i < 200; i++) location.hash = n++ }, 0)",
    "pushState": "const big = 'x'.repeat(2e6); let n = 0; setInterval(() => { try { for (let i = 0; i < 50; i++)"
    " history.pushState(0, '', '/calm?' + n++ + big) } catch {} }, 0)",
    "titles": "let n = 0; setInterval(() => { for (let i = 0; i < 200; i++)"
    " document.title = n++ + 'x'.repeat(1e6) }, 0)",
    "frames": "setInterval(() => { for (let i = 0; i < 500; i++) { const f = document.createElement('iframe');"
    " document.body.append(f); f.remove() } }, 0)",
    "frames that stay": "let n = 0; const t = setInterval(() => { for (let i = 0; i < 100; i++)"
    " document.body.append(document.createElement('iframe')); if (++n > 10) clearInterval(t) }, 0)",
    "requests": "setInterval(() => { for (let i = 0; i < 2000; i++) fetch('data:,' + i) }, 0)",
    "large requests": "const big = 'x'.repeat(1e6);"
    " setInterval(() => { for (let i = 0; i < 30; i++) fetch('data:,' + big + i) }, 0)",
    "downloads": "setInterval(() => { for (let i = 0; i < 20; i++) { const a = document.createElement('a');"
    " a.download = 'f' + i; a.href = URL.createObjectURL(new Blob(['z'])); a.click() } }, 10)",
}
"""Scripts of hostile pages, which never end."""

_WORKER: Final = "const { log } = console, worker = s => new Worker(URL.createObjectURL(new Blob([s])));"
_WORDS: Final = [a + b + c for a, b, c in itertools.product("bdfklmnprt", "aeiou", ("ba", "do", "fi", "ku", "le"))]
_TEXT: Final = " ".join(_WORDS)
_NOISE: Final = """for (let n = 0; n < 8; n++) { const c = document.createElement('canvas'); c.width = c.height = 1000;
document.body.append(c); const x = c.getContext('2d'), d = x.createImageData(1000, 1000),
b = new Uint32Array(d.data.buffer); let s = n + 1;
for (let i = 0; i < b.length; i++) { s ^= s << 13; s ^= s >>> 17; s ^= s << 5; b[i] = s | 0xff000000 }
x.putImageData(d, 0, 0) }"""
_ROWS: Final = "".join(f"<tr><td>{one}<td>{other}" for one, other in zip(_WORDS, _WORDS[::-1], strict=True))
_PAGES: Final = {
    "/calm": "<title>Calm</title><p>calm</p><button>b</button>",
    "/buttons": "".join(f"<button>{a} {b}</button>" for a, b in itertools.product(_WORDS[:80], _WORDS[:100])),
    "/table": f"<table><tr><th>name<th>town{_ROWS * 8}</table>",
    "/described": f"<div id=big>{_TEXT * 100}</div>" + "<button aria-describedby=big>b</button>" * 2000,
    "/long": f"<p>{_TEXT * 3000}</p>",
    "/noise": f"<body><script>{_NOISE}</script>",
}
_SCHEMA: Final = {
    "type": "object",
    "properties": {
        first: {
            "type": "object",
            "properties": {f"{first}{n}": {"type": "string", "description": _WORDS[n]} for n in range(49)},
        }
        for first in _WORDS[:4]
    },
}


@attrs.frozen
class Load:
    """A request that is sent in a loop, several at a time."""

    page: str
    method: str
    params: dict[str, Any] = attrs.field(factory=dict)


REQUESTS: Final = {
    "the largest schema": Load("/table", "agent/extract", {"schema": _SCHEMA, "timeout": 5000}),
    "the longest description": Load(
        "/buttons",
        "action/click",
        {"selector": {"type": "semantic", "description": _TEXT[:500]}, "options": {"timeout": 1000}},
    ),
    "observe all": Load("/buttons", "agent/observe", {"maxElements": 1000, "timeout": 20_000}),
    "accessibility of a large tree": Load("/described", "observe/accessibility", {"timeout": 20_000}),
    "content of 4 MB": Load("/long", "observe/content", {"format": "html"}),
    "a large pdf": Load("/noise", "observe/pdf", {"timeout": 30_000}),
    "a large screenshot": Load("/noise", "observe/screenshot", {"fullPage": True}),
    "a result of 8 MB": Load("/calm", "script/evaluate", {"expression": "'x'.repeat(8e6)"}),
    "a message of 9 MB": Load(
        "/calm", "script/evaluate", {"expression": "text => text.length", "arg": "x" * 9_000_000}
    ),
    "fifty steps": Load(
        "/calm",
        "agent/act",
        {"steps": [{"action": "action/click", "params": {"selector": {"type": "css", "value": "button"}}}] * 50},
    ),
}
CASES: Final = (*FLOODS, *REQUESTS)


def tokens_file(tokens: Mapping[str, str] = MappingProxyType(TOKENS)) -> str:
    """Return the text of a tokens file for owners by name."""
    return "\n".join(
        f'[[tokens]]\nname = "{name}"\nsha256 = "{hashlib.sha256(token.encode()).hexdigest()}"\nscope = "privileged"'
        for name, token in tokens.items()
    )


def _body(target: str) -> bytes:
    path, _, number = target.partition("?")
    if path != "/flood":
        return _PAGES.get(path, "").encode()
    script = list(FLOODS.values())[int(number)]
    return f"<body>flood<script>{_WORKER} onload = () => setTimeout(() => {{ {script} }}, 300)</script>".encode()


@contextmanager
def open_hostile_site() -> Iterator[str]:
    """Serve the pages from another process; yield the base URL."""
    command = [sys.executable, "-m", "bench.hostile", "site"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


@asynccontextmanager
async def attacking(url: str, site: str, case: str) -> AsyncIterator["Attack"]:
    """Run a case from another process for the length of the block, from its first page on. [trio]"""
    command = [sys.executable, "-m", "bench.hostile", "attack", url, site, case]
    attack = Attack()
    async with trio.open_nursery() as nursery:
        process: trio.Process = await nursery.start(
            partial(trio.run_process, command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, check=False)
        )
        assert process.stdout is not None
        assert process.stdin is not None
        output = await process.stdout.receive_some()
        yield attack
        await process.stdin.aclose()
        with trio.move_on_after(_END_TIMEOUT_S):
            async for part in process.stdout:
                output += part
            await process.wait()
        process.kill()
        attack.counts = json.loads(output.splitlines()[-1]) if output.endswith(b"}\n") else {"killed": 1}


@attrs.define
class Attack:
    """Numbers of answers to the attacking client, by kind: ``ok`` or the error's name."""

    counts: dict[str, int] = attrs.field(factory=dict)


@attrs.define
class _Attacker:
    browser: Browser
    site: str
    case: str
    counts: dict[str, int] = attrs.field(factory=dict)
    begun: bool = False

    async def run(self) -> None:
        """Flood, or send requests, until cancelled; a page that was closed is opened again. [trio]"""
        load = REQUESTS.get(self.case)
        while True:
            page = await self.open(load)
            if page is None:
                await trio.sleep(_RETRY_S)
            elif load is None:
                await self.stay(page)
            else:
                async with trio.open_nursery() as nursery:
                    for _ in range(_AT_ONCE):
                        nursery.start_soon(self.call, load.method, {**load.params, "pageId": page})

    async def open(self, load: Load | None) -> str | None:
        """Open the case's page, and return its id; None if that failed. [trio]"""
        path = load.page if load else f"/flood?{list(FLOODS).index(self.case)}"
        page = await self.call("page/create", {"timeout": _LAUNCH_TIMEOUT_MS})
        if page is None:
            return None
        if (
            await self.call("page/navigate", {"pageId": page["id"], "url": self.site + path, "waitUntil": "commit"})
            is None
        ):
            await self.call("page/close", {"pageId": page["id"]})
            return None
        if not self.begun:
            self.begun = True
            print("begun", flush=True)
        return str(page["id"])

    async def stay(self, page: str) -> None:
        """Wait until the page is closed. [trio]"""
        while any(one["id"] == page for one in (await self.call("page/list", {}) or _NONE)["pages"]):  # noqa: ASYNC110
            await trio.sleep(1)

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        """Send one request and count its outcome; return None if it failed. [trio]"""
        outcome, result = "ok", None
        try:
            result = await self.browser.request(method, params)
        except AgentBrowserError as error:
            outcome = type(error).__name__
        self.counts[outcome] = self.counts.get(outcome, 0) + 1
        return result


async def _attack(url: str, site: str, case: str) -> None:
    async with connect(url, token=TOKENS["mallory"]) as browser, trio.open_nursery() as nursery:
        attacker = _Attacker(browser, site, case)
        nursery.start_soon(attacker.run)
        await trio.to_thread.run_sync(sys.stdin.read, abandon_on_cancel=True)
        nursery.cancel_scope.cancel()
    print(json.dumps(attacker.counts), flush=True)


def _serve() -> None:
    with open_site(_body) as url:
        print(url, flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    if sys.argv[1] == "site":
        _serve()
    else:
        trio.run(_attack, sys.argv[2], sys.argv[3], sys.argv[4])
