"""Sessions that use secrets and never receive them: all bytes on the wire and all log lines are searched."""

import base64
import contextlib
import html
import io
import json
import math
import signal
from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio
from PIL import Image

from agentbrowser.browser.act.element_probe import ElementProbe
from tests.browser.observed_tab import ObservedTab, with_observed_tab
from tests.browser.security.test_canaries import processes
from tests.browser.server.test_cli_serve import Program, program
from tests.browser.shared_server import kept_open
from tests.browser.site import Site, open_site
from tests.browser.stage import opened
from tests.loop.raw_websocket import CLOSE, Wire

CORE = "kanari77"
"""What is in the middle of the secret: no spelling of it differs, so not even a part of the secret may be anywhere."""
USER = {"type": "css", "value": "#user"}
SECRET = f'Zq"/{CORE}\\ö & 1<2'
FROM_ENV = "xkanari88x"
PINK = (255, 0, 255)

PAGE = """
<label>User <input id=user style="width: 200px; height: 40px"></label>
<label>Password <input id=pw type=password></label>
<label>Notes <textarea id=notes></textarea></label>
<div id=editor contenteditable aria-label=Editor style="min-height: 20px">old</div>
<label>One <input class=box maxlength=1></label><label>Two <input class=box maxlength=1></label>
<p id=echo></p><button id=say>Say</button><a id=away href="#">Away</a>
<iframe id=inner src="INNER"></iframe><iframe id=sandboxed sandbox="allow-scripts" srcdoc="<input id=boxed>"></iframe>
<table><tr><th>Name<th>Value<tr><td>user<td id=cell></table>
<script>
  const received = [];
  for (const type of ["keydown", "keyup", "input"]) addEventListener(type, (event) => received.push(type), true);
  const boxes = [...document.querySelectorAll(".box")];
  boxes[0].oninput = () => boxes[1].focus();
  user.onchange = user.onblur = () => echoAll(user.value);
  async function echoAll(value) {
    echo.textContent = cell.textContent = document.title = `You are ${value}!`;
    echo.setAttribute("aria-label", value);
    echo.setAttribute("data-json", JSON.stringify({ value }));
    away.href = "/away?user=" + encodeURIComponent(value);
    say.onclick = () => alert(`Hello ${value}`);
    localStorage.setItem("user", value);
    document.cookie = "user=" + encodeURIComponent(value);
    history.replaceState(null, "", "?" + new URLSearchParams({ user: value }));
    console.log(value, JSON.stringify({ value }), encodeURIComponent(value), "x".repeat(4080) + value);
    console.error(new Error(value).stack);
    await fetch("/echo?" + new URLSearchParams({ user: value }), { method: "POST", body: value });
    await fetch("/missing/" + encodeURIComponent(value));
  }
</script>
"""
INNER = """<input id=inside><p id=received></p><script>
  addEventListener("input", () => received.textContent += "!");
</script>"""
GRABBING = INNER + "<script>setInterval(() => inside.focus(), 1)</script>"
"""Only in the test about it: it takes half a core."""


@attrs.define
class Client:
    """A client that records all received bytes."""

    wire: Wire
    count: int = 0
    received: bytes = b""
    events: list[dict[str, Any]] = attrs.field(factory=list)

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.count += 1
        await self.wire.say(json.dumps({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params}))
        return await self.reply(self.count)

    async def reply(self, number: int) -> dict[str, Any]:
        while True:
            opcode, data = await self.wire.hear()
            assert opcode != CLOSE
            self.received += data
            message: dict[str, Any] = json.loads(data)
            if "id" not in message:
                self.events.append(message)
            elif message["id"] == number:
                return message

    async def get(self, method: str, **params: Any) -> Any:
        reply = await self.ask(method, **params)
        assert "result" in reply, reply
        return reply["result"]

    async def fail(self, method: str, **params: Any) -> Any:
        reply = await self.ask(method, **params)
        assert "error" in reply, reply
        return reply["error"]

    async def run(self, expression: str) -> Any:
        return (await self.get("script/evaluate", expression=expression, world="main"))["value"]

    async def fill(self, css: str, value: str, method: str = "action/fill", **more: Any) -> Any:
        name = "value" if method == "action/fill" else "text"
        return await self.get(method, selector={"type": "css", "value": css}, **{name: value}, **more)


@attrs.define
class House:
    """A server process with secrets, its log, and the site for which they are permitted."""

    server: Program
    site: Site

    @contextlib.asynccontextmanager
    async def client(self) -> AsyncIterator[Client]:
        async with self.server.dial("X-AGENT-Token: let-me-in-please") as wire:
            assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
            client = Client(wire)
            kinds = ["page", "console", "network", "dialog", "download", "frame"]
            await client.get("initialize", capabilities={"events": kinds})
            yield client
            assert_silent(client.received.decode())


def assert_silent(text: str) -> None:
    """Check that no part of a secret is in a text."""
    for core in (CORE, "kanari88"):
        at = text.lower().find(core)
        assert at < 0, text[max(0, at - 200) : at + 100]


@contextlib.asynccontextmanager
async def house(folder: Path) -> AsyncIterator[House]:
    with open_site() as site:
        site.html("/inner", INNER)
        site.html("/", PAGE.replace("INNER", site.url("/inner", "localhost")), title="Shop")
        for path in ("/echo", "/away"):
            site.serve(path, b"{}")
        origins = json.dumps([f"http://127.0.0.1:{site.port}", "https://*.shop.example"])
        file = folder / "secrets.toml"
        file.write_text(
            f"[user]\nvalue = {json.dumps(SECRET, ensure_ascii=False)}\norigins = {origins}\n"
            f"[env-one]\nvalue_from_env = 'SHOP_ONE'\norigins = {origins}\n"
            f"[high]\nvalue = 'kanari88high'\norigins = {origins}\nscopes = ['full']\n"
        )
        file.chmod(0o640)
        words = ("--log-level", "debug", "--scope", "privileged", "--secrets-file", str(file))
        async with (
            program(*words, limit_s=math.inf, AGENT_TOKEN="let-me-in-please", SHOP_ONE=FROM_ENV) as server,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(server.read_log)  # a full pipe would stop the server
            yield House(server, site)
            server.process.send_signal(signal.SIGTERM)
            assert await server.process.wait() == 0
        assert "secrets_file_exposed" in server.events()
        assert_silent(server.log)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Return a house for all tests but the first: each is a client with a session of its own."""
    with kept_open(partial(house, tmp_path_factory.mktemp("house"))) as home:
        yield home


async def fill_all(client: Client) -> None:
    """Enter the secret in every way."""
    assert "value" not in await client.fill("#user", "{{secret:user}}")
    await client.fill("#pw", "a {{secret:user}} b {{secret:env-one}}")
    await client.fill("#editor", "{{secret:user}}")
    await client.fill("#notes", "{{secret:user}}", "action/type", options={"clear": True})


@pytest.mark.slow
async def test_a_session_that_uses_secrets_never_receives_them(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client:
        await client.get("page/navigate", url=home.site.url("/"))
        await fill_all(client)
        await client.run("user.dispatchEvent(new Event('change'))")
        for _ in range(400):
            if any(one.path.startswith("/missing") for one in home.site.seen):
                break
            await trio.sleep(0.05)
        # The page has it, and the site has been sent it.
        assert any(one.body.decode() == SECRET for one in home.site.seen if one.path.startswith("/echo"))
        for css, text in (("#user", SECRET), ("#notes", SECRET), ("#pw", f"a {SECRET} b {FROM_ENV}")):
            codes = ",".join(str(ord(character)) for character in text)
            script = f"document.querySelector('{css}').value === String.fromCharCode({codes})"
            assert await client.run(script) is True
        assert await client.run("user.value") == "[REDACTED]"
        assert await client.run("({[user.value]: [user.value.toUpperCase()]})") == {"[REDACTED]": ["[REDACTED]"]}
        await look_everywhere(client)
        assert_silent(processes(home.server))
        kinds = {event["method"].partition("/")[2] for event in client.events}
        assert kinds >= {"console", "network", "dialog"}
        assert sum("[REDACTED]" in json.dumps(event) for event in client.events) >= 5


async def look_everywhere(client: Client) -> None:
    """Call every method that returns content of the page."""
    css = {"type": "css", "value": "#user"}
    seen = await client.get(
        "agent/observe", includeScreenshot=True, includeAccessibility=True, includeBounds=True, annotateScreenshot=True
    )
    assert "[REDACTED]" in json.dumps(seen)
    for tier in ("interactive", "minimal"):
        await client.get("agent/observe", responseTier=tier, incremental=True)
    for method in ("observe/accessibility", "observe/ariaSnapshot", "observe/dom", "observe/screenshot"):
        await client.get(method)
    for format_ in ("html", "text", "markdown"):
        await client.get("observe/content", format=format_)
    properties = ["value", "text", "attributes", "computedStyle", "visible"]
    for one in ("#user", "#pw", "#notes", "#editor", "#echo", "#away"):
        await client.get("observe/element", selector={"type": "css", "value": one}, properties=properties)
    schema = {"type": "object", "properties": {"user": {"type": "string"}, "value": {"type": "string"}}}
    await client.get("agent/extract", schema=schema, mode="single")
    rows = {
        "type": "array",
        "items": {"type": "object", "properties": {"Name": {"type": "string"}, "Value": {"type": "string"}}},
    }
    await client.get("agent/extract", schema=rows, mode="table")
    for method in (
        "page/list",
        "frame/list",
        "context/list",
        "discovery/discover",
        "storage/getState",
        "storage/getCookies",
    ):
        await client.get(method)
    await client.fail("script/evaluate", expression="throw new Error(user.value)")
    await client.fail("observe/pdf")
    await client.fail("trace/start")
    steps = [{"action": "action/fill", "params": {"selector": css, "value": "{{secret:user}}"}}]
    acted = await client.get("agent/act", steps=steps, preObserve=True, postObserve=True)
    assert acted["success"], acted
    for _ in range(2):
        await client.get("action/fill", selector=css, value="{{secret:user}}", idempotencyKey="k1")
    said = await client.get("action/click", selector={"type": "css", "value": "#say"})
    assert said["dialog"]["message"] == "Hello [REDACTED]"
    await client.get("agent/observe")
    await client.ask("dialog/handle", action="accept")  # refused if the look took longer than the time for an answer
    await client.get("action/click", selector={"type": "css", "value": "#away"})
    await client.get("page/list")
    for method in ("page/goBack", "page/reload"):
        await client.get(method)


def pixels(shot: dict[str, Any], box: dict[str, float] | None = None, ratio: float = 1) -> set[Any]:
    """Return the colours of an image, or of a box in it, without a pixel at each edge."""
    picture = Image.open(io.BytesIO(base64.b64decode(shot["data"]))).convert("RGB")
    assert picture.size == (shot["width"], shot["height"])
    left, top = (box["x"] * ratio, box["y"] * ratio) if box else (0, 0)
    width, height = (box["width"] * ratio, box["height"] * ratio) if box else picture.size
    part = picture.crop((round(left) + 1, round(top) + 1, int(left + width) - 1, int(top + height) - 1))
    return {color for _, color in part.getcolors(1_000_000) or ()}


def is_pink(colors: set[Any]) -> bool:
    """Return True if all pixels are pink, as far as a lossy format preserves it."""
    return all(max(abs(one - other) for one, other in zip(color, PINK, strict=True)) < 60 for color in colors)


async def box_of(client: Client, css: str) -> Any:
    selector = {"type": "css", "value": css}
    return (await client.get("observe/element", selector=selector, properties=["boundingBox"]))["boundingBox"]


PNG = {"format": "png"}


async def test_no_pixel_of_a_field_with_a_secret_shows(home: House) -> None:
    async with home.client() as client:
        await client.get("page/navigate", url=home.site.url("/"))
        before = await client.get("observe/screenshot", options=PNG)
        assert PINK not in pixels(before, await box_of(client, "#user"))
        await client.fill("#user", "{{secret:user}}")
        await client.run("document.getElementById('echo').textContent = user.value")
        for css in ("#user", "#echo"):
            box = await box_of(client, css)
            for options in ({}, {"fullPage": True}, {"mask": [{"type": "css", "value": "#notes"}]}):
                assert pixels(await client.get("observe/screenshot", options=PNG | options), box) == {PINK}
            alone = await client.get("observe/screenshot", options=PNG, selector={"type": "css", "value": css})
            assert pixels(alone) == {PINK}
        for arguments in ({"includeScreenshot": True}, {"annotateScreenshot": True}):
            seen = await client.get("agent/observe", **arguments)
            corner = (await box_of(client, "#user")) | {"height": 12}
            corner["x"], corner["width"] = corner["x"] + 100, 90  # beside the badge, if there is one
            corner["y"] += 14
            assert is_pink(pixels(seen["screenshot"], corner))
        assert (await client.fail("observe/pdf"))["data"]["details"]["reason"] == "the page shows a secret"
        await client.get("emulate/setViewport", width=800, height=600, deviceScaleFactor=2)
        sharp = await client.get("observe/screenshot", options=PNG | {"scale": "device"})
        ratio = sharp["width"] / 800
        assert pixels(sharp, await box_of(client, "#user"), ratio) == {PINK}


async def test_pixels_of_frames_and_of_later_documents(home: House) -> None:
    async with home.client() as client:
        kept = f"<p id=user>{html.escape(SECRET)}</p><p id=plain>text</p>"
        home.site.html("/kept", kept)
        size = "width: 150px; height: 30px; box-sizing: border-box; border: 0"
        frame = f"<style>body {{ margin: 0 }}</style><input id=user style='{size}'>"
        home.site.html("/frame", frame)
        url = home.site.html("/outer", f"<iframe id=one src=/frame style='{size}'></iframe>")
        await client.get("page/navigate", url=url)
        await client.get("frame/switch", selector={"type": "css", "value": "#one"})
        await client.fill("#user", "{{secret:user}}")
        await client.get("frame/main")
        box = await box_of(client, "#one")
        shot = await client.get("observe/screenshot", options=PNG)
        assert pixels(shot, {**box, "width": 150, "height": 30}) == {PINK}
        # A document that the site fills by itself.
        await client.get("page/navigate", url=home.site.url("/kept"))
        shot = await client.get("observe/screenshot", options=PNG)
        assert pixels(shot, await box_of(client, "#user")) == {PINK}
        assert PINK not in pixels(shot, await box_of(client, "#plain"))
        assert (await client.get("observe/content", format="text"))["content"].split() == ["[REDACTED]", "text"]
        await client.get("page/navigate", url=home.site.url("/inner"))
        assert (await client.get("observe/pdf"))["pages"] == 1


def test_the_page_itself_is_asked_for_its_origin_when_it_is_written_to() -> None:
    """Another document may have replaced the one that was checked."""

    async def look(tab: ObservedTab) -> None:
        field = ElementProbe(tab.isolated_worlds.of(tab.page.main_frame), tab.page.locator("#user"))
        arguments = {"text": FROM_ENV, "values": [FROM_ENV], "how": "fill", "clears": False, "delay": 0}
        origin = await tab.page.evaluate("origin")
        for other in ("https://shop.example", "null", origin + "0"):
            assert await field.entrust({**arguments, "origin": other}) == {"isElsewhere": True}
        assert await tab.page.evaluate("[user.value, received]") == ["", 0]
        assert await field.entrust({**arguments, "origin": origin}) == {"landed": True}
        assert await tab.page.evaluate("[user.value, received]") == [FROM_ENV, 1]

    with opened() as stage:
        with_observed_tab(stage, "/secrets_hostile.html", look)


async def test_a_document_of_another_origin_gets_nothing(home: House) -> None:
    async with home.client() as client:
        other = home.site.url("/", "localhost")
        await client.get("page/navigate", url=other)
        for method, name in (("action/fill", "value"), ("action/type", "text")):
            refused = await client.fail(
                method, selector={"type": "css", "value": "#user"}, **{name: "x{{secret:user}}"}
            )
            assert refused["code"] == -32003
            assert refused["data"]["details"].pop("recording")
            assert refused["data"]["details"] == {
                "method": method, "secret": "user", "origin": f"http://localhost:{home.site.port}",
            }  # fmt: skip
        assert await client.run("[user.value, received.length]") == ["", 0]
        acted = await client.get(
            "agent/act",
            steps=[
                {
                    "action": "action/fill",
                    "params": {"selector": {"type": "css", "value": "#user"}, "value": "{{secret:user}}"},
                }
            ],
        )
        assert acted["results"][0]["error"]["code"] == -32003

        await client.get("page/navigate", url=home.site.url("/"))
        for css, inner, origin in (
            ("#inner", "#inside", f"http://localhost:{home.site.port}"),
            ("#sandboxed", "#boxed", "null"),
        ):
            await client.get("frame/switch", selector={"type": "css", "value": css})
            refused = await client.fail(
                "action/fill", selector={"type": "css", "value": inner}, value="{{secret:user}}"
            )
            assert (refused["code"], refused["data"]["details"]["origin"]) == (-32003, origin)
            assert await client.run(f"document.querySelector('{inner}').value") == ""
            await client.get("frame/main")


async def test_a_frame_that_takes_the_focus_gets_nothing(home: House) -> None:
    """The frame of another origin grabs the focus as often as it can while the secret is typed."""
    async with home.client() as client:
        frame = home.site.html("/grabbing", GRABBING).replace("127.0.0.1", "localhost")
        await client.get("page/navigate", url=home.site.html("/grabbed", PAGE.replace("INNER", frame), title="Shop"))
        for method, name in (("action/fill", "value"), ("action/type", "text")):
            options = {"delay": 20} if name == "text" else {}
            await client.ask(
                method,
                selector={"type": "css", "value": "#user"},
                **{name: "{{secret:env-one}}"},
                options=options,
            )
        await client.get("frame/switch", selector={"type": "css", "value": "#inner"})
        assert await client.run("[inside.value, document.getElementById('received').textContent]") == ["", ""]
        await client.get("frame/main")
        # What is no secret goes by the keyboard, and astray.
        await client.ask("action/type", selector=USER, text="a common text", options={"delay": 20})
        await client.get("frame/switch", selector={"type": "css", "value": "#inner"})
        assert await client.run("inside.value") != ""


async def test_a_secret_is_not_sent_to_another_site(home: House) -> None:
    async with home.client() as client:
        fields = "<input id=user><input id=other><textarea id=third>plain</textarea>"
        await client.get("page/navigate", url=home.site.html("/quiet", fields))
        await client.fill("#user", "{{secret:env-one}}")
        for key in ("Control+a", "Control+c", "Control+x"):
            await client.get("action/press", key=key, selector=USER)
        await client.get("action/press", key="Control+v", selector={"type": "css", "value": "#other"})
        assert await client.run("[other.value, user.value !== '']") == ["", True]
        for key, css in (("Control+a", "#third"), ("Control+c", "#third"), ("Control+v", "#other")):
            await client.get("action/press", key=key, selector={"type": "css", "value": css})
        assert await client.run("other.value") == "plain"


async def test_a_secret_is_not_copied_from_a_document_that_is_written_anew(home: House) -> None:
    """`document.open()` removes the listeners of its window, and a field of before is no field of the new document."""
    async with home.client() as client:
        fields = "<input id=user><input id=other>"
        await client.get("page/navigate", url=home.site.html("/written", fields))
        for _ in range(2):
            await client.fill("#user", "{{secret:env-one}}")
            for key in ("Control+a", "Control+x"):
                await client.get("action/press", key=key, selector=USER)
            await client.get("action/press", key="Control+v", selector={"type": "css", "value": "#other"})
            assert await client.run("[other.value, user.value !== '']") == ["", True]
            write = f"document.open(); document.write({fields!r}); document.close()"
            await client.get("script/evaluate", expression=write, world="main")


async def test_refusals_have_a_reason(home: House) -> None:
    async with home.client() as client:
        await client.get("page/navigate", url=home.site.url("/"))
        selector = {"type": "css", "value": "#user"}
        unknown = await client.fail("action/fill", selector=selector, value="{{secret:nobody}}")
        assert (unknown["code"], unknown["data"]["details"]["path"]) == (-32602, "value")
        assert unknown["data"]["details"]["expected"] == "one of user, env-one"
        high = await client.fail("action/type", selector=selector, text="{{secret:high}}")
        assert (high["code"], high["data"]["details"]["secret"]) == (-32003, "high")
        await client.get("trace/start")
        recorded = await client.fail("action/fill", selector=selector, value="{{secret:user}}")
        assert recorded["code"] == -32021
        await client.get("trace/stop")
        await client.get("action/fill", selector=selector, value="{{secret:user}}")
        assert (await client.fail("trace/start"))["code"] == -32021


async def test_the_page_receives_key_events_and_may_move_the_focus(home: House) -> None:
    async with home.client() as client:
        await client.get("page/navigate", url=home.site.url("/"))
        await client.get(
            "action/type",
            selector={"type": "label", "value": "One"},
            text="{{secret:env-one}}",
            options={"trial": True},
        )
        assert await client.run("boxes.map((box) => box.value).join('')") == ""
        await client.ask("action/type", selector={"type": "label", "value": "One"}, text="{{secret:env-one}}")
        assert await client.run("boxes.map((box) => box.value === '').join()") == "false,false"
        assert (
            await client.run("received.includes('keydown') && received.includes('keyup') && received.includes('input')")
            is True
        )
        seen = await client.get("agent/observe")
        boxes = [one for one in seen["interactiveElements"] if one.get("name") in ("One", "Two")]
        assert [one.get("value") for one in boxes] == [None, None]


async def test_other_text_stays_as_it_is(home: House) -> None:
    async with home.client() as client:
        await client.get("page/navigate", url=home.site.html("/quiet", "<input id=user>"))
        for text in ("plain {{secret", "{{ secret:user }}", "{secret:user}"):
            assert (await client.fill("#user", text))["value"] == text
