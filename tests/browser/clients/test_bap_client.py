"""The published client of the Browser Agent Protocol, unmodified, finds in ours the server that it expects."""

import asyncio
import base64
import contextlib
import inspect
import json
import re
import sysconfig
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
import trio
from aiohttp import WSServerHandshakeError
from browseragentprotocol import BAPClient, BAPClientSync, BAPError, css, label, ref, role, test_id, text
from browseragentprotocol.context import bap_session
from browseragentprotocol.errors import BAPElementNotFoundError, BAPTimeoutError
from browseragentprotocol.types.common import WaitUntilState

from agentbrowser import __version__
from agentbrowser.config import Config
from agentbrowser.policy.approvals import ApprovalRule, ApprovalRules, RequestFilter
from agentbrowser.protocol.registry import Scope
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site

TOKEN: Final = "for-the-published-client"
LIMIT_S: Final = 100.0

FORM: Final = """
<h1>Order</h1>
<form onsubmit="event.preventDefault(); sent.textContent = 'sent ' + mail.value + ' ' + size.value
  + ' ' + gift.checked">
<label>Mail <input id=mail data-testid=mail></label>
<label>Note <textarea id=note></textarea></label>
<label>Size <select id=size><option>small<option>large</select></label>
<label><input type=checkbox id=gift> Gift</label>
<label>Letter <input type=file id=letter></label>
<button>Send</button>
</form>
<p id=sent></p>
<div id=source draggable=true ondragstart="event.dataTransfer.setData('text', 'x')">Take</div>
<div id=target ondragover="event.preventDefault()" ondrop="event.preventDefault(); this.textContent = 'dropped'"
  style="height: 40px">Here</div>
<p id=twice ondblclick="this.textContent = 'twice'" onmouseenter="this.title = 'over'">once</p>
<iframe name=inner src=/inner></iframe>
<div style="height: 3000px"></div>
"""
SHOP: Final = """
<h1>Teas</h1><table><tr><th>Name<th>Price<tr><td>Assam<td>4.50<tr><td>Sencha<td>6.00</table>
"""


@pytest.fixture
def config() -> Config:
    asked = ApprovalRule(name="letters", match=RequestFilter(actions=("action/upload",)), action="require")
    return Config(
        port=0,
        scope=Scope.PRIVILEGED,
        token=TOKEN,
        drain_timeout_s=1,
        approvals=ApprovalRules(mode="required", rules=(asked,)),
    )


@attrs.frozen
class Pages:
    """The pages of the tours, by their URLs."""

    order: str
    shop: str


@pytest.fixture
def pages(site: Site) -> Pages:
    site.html("/inner", "<button onclick=\"this.textContent = 'pressed'\">Inner</button>", title="Inner")
    return Pages(order=site.html("/order", FORM, title="Order"), shop=site.html("/shop", SHOP, title="Shop"))


async def tour(run: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run what is written for asyncio in a thread of its own, as users of that client do. [trio]"""
    await trio.to_thread.run_sync(lambda: asyncio.run(asyncio.wait_for(run(), LIMIT_S)))


@contextlib.asynccontextmanager
async def connected(shared_server: SharedServer) -> AsyncIterator[BAPClient]:
    async with BAPClient(shared_server.url, token=TOKEN) as client:
        yield client


def test_every_method_is_tested() -> None:
    tours = Path(__file__).read_text()
    methods = [name for name, one in vars(BAPClient).items() if inspect.iscoroutinefunction(one) and name[0] != "_"]
    assert len(methods) > 50
    assert [name for name in methods if f".{name}(" not in tours] == []


async def text_of(client: BAPClient, selector: str) -> str:
    return str((await client.element(css(selector), ["text"])).properties["text"])


async def value_of(client: BAPClient, selector: str) -> str:
    return str((await client.element(css(selector), ["value"])).properties["value"])


async def test_pages_and_browsers(shared_server: SharedServer, pages: Pages) -> None:
    async def run() -> None:
        async with BAPClient(shared_server.url, token=TOKEN) as client:
            assert client.capabilities is not None
            assert "fill" in client.capabilities["actions"]
            launched = await client.launch(browser="chromium", headless=True, args=["--no-sandbox"])
            assert launched.browser == "chromium"
            assert launched.version
            first = await client.create_page(url=pages.order)
            assert (first.url, first.title) == (pages.order, "Order")
            gone = await client.navigate(pages.shop, wait_until=WaitUntilState.LOAD, timeout=9000, referer=pages.order)
            assert (gone.url, gone.status) == (pages.shop, 200)
            await client.go_back()
            assert (await client.content()).content.startswith("Order")
            await client.go_forward()
            await client.reload(wait_until=WaitUntilState.DOMCONTENTLOADED)
            assert (await client.content()).content.startswith("Teas")
            second = await client.create_page()
            assert {page["id"] for page in (await client.list_pages())["pages"]} == {first.id, second.id}
            await client.activate_page(first.id)
            assert (await client.list_pages())["activePage"] == first.id
            await client.close_page(second.id)
            assert [page["id"] for page in (await client.list_pages())["pages"]] == [first.id]
            await client.close_browser(launched.browser_id)

    await tour(run)


async def test_every_action(shared_server: SharedServer, pages: Pages) -> None:
    async def run() -> None:
        async with connected(shared_server) as client:
            await client.create_page(url=pages.order)
            await client.fill(test_id("mail"), "x")
            await client.type(test_id("mail"), "a@b.example", {"clear": True, "delay": 1})
            await client.fill(label("Note"), "gone soon")
            await client.clear(label("Note"))
            await client.select(css("#size"), "large")
            await client.check(css("#gift"))
            await client.click(role("button", "Send"))
            assert await text_of(client, "#sent") == "sent a@b.example large true"
            assert await value_of(client, "#note") == ""
            await client.uncheck(css("#gift"))
            await client.press("Enter", css("#mail"))
            assert await text_of(client, "#sent") == "sent a@b.example large false"
            await client.dblclick(text("once"))
            assert await text_of(client, "#twice") == "twice"
            await client.hover(css("#twice"))
            found = await client.element(css("#twice"), ["attributes", "visible", "boundingBox"])
            assert found.properties["attributes"]["title"] == "over"
            await client.drag(css("#source"), css("#target").model_dump())  # it takes a target as a mapping only
            assert await text_of(client, "#target") == "dropped"
            await client.scroll(options={"direction": "down", "amount": 200})
            seen = await client.observe(include_metadata=True)
            assert seen.metadata is not None

    await tour(run)


async def test_every_observation(shared_server: SharedServer, pages: Pages) -> None:
    async def run() -> None:
        async with connected(shared_server) as client:
            await client.create_page(url=pages.order)
            shot = await client.screenshot({"format": "png", "fullPage": True})
            assert base64.b64decode(shot.data).startswith(b"\x89PNG")
            assert shot.height > 3000
            assert "Order" in json.dumps([node.model_dump() for node in (await client.accessibility()).tree])
            dom = await client.dom()
            assert (dom.title, dom.url) == ("Order", pages.order)
            assert "<textarea" in dom.html
            assert base64.b64decode((await client.pdf()).data).startswith(b"%PDF")
            assert "# Order" in (await client.content("markdown")).content
            assert 'button "Send"' in (await client.aria_snapshot()).snapshot

    await tour(run)


async def test_the_agents_own(shared_server: SharedServer, pages: Pages) -> None:
    async def run() -> None:
        async with connected(shared_server) as client:
            await client.create_page(url=pages.order)
            seen = await client.observe(include_bounds=True, include_screenshot=True, annotate_screenshot=True)
            assert seen.interactive_elements is not None
            (send,) = [one for one in seen.interactive_elements if one.name == "Send"]
            assert send.bounds is not None
            assert seen.annotation_map
            assert seen.screenshot is not None
            assert seen.screenshot.annotated
            done = await client.act(
                [
                    client.step("action/fill", {"selector": label("Mail").model_dump(), "value": "c@d.example"}),
                    client.step(
                        "action/click",
                        {"selector": ref(send.ref).model_dump(by_alias=True, exclude_none=True)},
                        label="send it",
                        condition={"selector": css("#mail").model_dump(), "state": "visible"},
                        on_error="retry",
                        max_retries=1,
                    ),
                ]
            )
            assert (done.success, done.completed, done.total) == (True, 2, 2)
            assert (await text_of(client, "#sent")).startswith("sent c@d.example")
            failed = await client.act(
                [client.step("action/click", {"selector": css("#none").model_dump(), "options": {"timeout": 100}})]
            )
            assert (failed.success, failed.failed_at) == (False, 0)
            assert failed.results[0].error is not None
            assert failed.results[0].error.code == -32012
            await client.navigate(pages.shop)
            row = {"type": "object", "properties": {"name": {"type": "string"}, "price": {"type": "number"}}}
            teas = await client.extract(
                "the teas", {"type": "array", "items": row}, mode="list", include_source_refs=True
            )
            assert teas.data == [{"name": "Assam", "price": 4.5}, {"name": "Sencha", "price": 6}]
            assert teas.sources
            assert teas.confidence is not None

    await tour(run)


async def test_storage_contexts_frames_and_emulation(shared_server: SharedServer, pages: Pages) -> None:
    async def run() -> None:
        async with connected(shared_server) as client:
            await client.create_page(url=pages.order)
            await client.set_cookies([{"name": "tea", "value": "assam", "url": pages.order}])
            assert [cookie.name for cookie in await client.get_cookies()] == ["tea"]
            state = await client.get_storage_state()
            await client.clear_cookies()
            assert await client.get_cookies() == []
            await client.set_storage_state(state)
            assert [cookie.value for cookie in await client.get_cookies([pages.order])] == ["assam"]

            frames = (await client.list_frames()).frames
            assert [frame.is_main for frame in frames] == [True, False]
            switched = await client.switch_frame(frame_id=frames[1].frame_id)
            assert switched.url.endswith("/inner")
            await client.click(role("button", "Inner"))
            assert await text_of(client, "button") == "pressed"
            assert (await client.main_frame()).frame_id == frames[0].frame_id
            await client.switch_frame(selector=css("iframe"))
            await client.main_frame()

            await client.set_viewport(640, 480)
            assert (await client.screenshot()).width == 640
            await client.set_user_agent("Published/1")
            await client.set_geolocation(52.5, 13.4, accuracy=5)
            await client.set_offline(True)
            with pytest.raises(BAPError) as offline:
                await client.navigate(pages.shop)
            assert offline.value.code == -32015
            await client.set_offline(False)
            await client.navigate(pages.shop)

            made = await client.create_context("second", {"viewport": {"width": 500, "height": 400}})
            assert made.context_id == "second"
            other = await client.create_page(url=pages.shop, context_id="second")
            assert "second" in [one.id for one in (await client.list_contexts()).contexts]
            assert (await client.destroy_context("second")).pages_destroyed == 1
            assert other.id not in [page["id"] for page in (await client.list_pages())["pages"]]

            await client.start_tracing()
            assert base64.b64decode((await client.stop_tracing())["data"]).startswith(b"PK")

    await tour(run)


async def test_events_dialogs_and_errors(shared_server: SharedServer, pages: Pages, site: Site) -> None:
    asking = site.html("/ask", "<button onclick=\"console.log('said ' + prompt('name?'))\">Ask</button>")

    async def run() -> None:
        async with connected(shared_server) as client:
            heard: dict[str, list[dict[str, Any]]] = {"console": [], "dialog": [], "page": [], "network": []}
            for kind, events in heard.items():
                client.on(kind, events.append)
            logged = asyncio.Event()
            client.on("console", lambda _: logged.set())
            await client.create_page(url=asking)
            await client.handle_dialog("accept", "Ada")
            await client.click(role("button", "Ask"))
            await logged.wait()
            assert heard["console"][0]["text"] == "said Ada"
            assert heard["dialog"][0]["message"] == "name?"
            assert "load" in [event["type"] for event in heard["page"]]
            assert asking in [event["url"] for event in heard["network"]]

            with pytest.raises(BAPElementNotFoundError) as missing:
                await client.click(css("#none"), {"timeout": 100})
            assert missing.value.retryable
            with pytest.raises(BAPTimeoutError):
                await client.navigate(site.hold("/never"), timeout=300)
            for url in ("javascript:1", "http://169.254.169.254/"):
                with pytest.raises(BAPError) as refused:
                    await client.navigate(url)
                assert refused.value.code == -32602
            with pytest.raises(BAPError) as unknown:
                await client.cancel_stream("none")
            assert unknown.value.code == -32050

    await tour(run)


async def test_approvals(shared_server: SharedServer, pages: Pages) -> None:
    async def run() -> None:
        async with connected(shared_server) as asker, connected(shared_server) as approver:
            asked: asyncio.Queue[Any] = asyncio.Queue()
            approver.on_approval_required(asked.put_nowait)
            await asker.create_page(url=pages.order)
            letter = {"name": "letter.txt", "mimeType": "text/plain", "buffer": base64.b64encode(b"dear").decode()}
            uploading = asyncio.create_task(asker.upload(css("#letter"), [letter]))
            question = await asked.get()
            assert (question.rule, question.original_request["method"]) == ("letters", "action/upload")
            assert (await approver.respond_to_approval(question.request_id, "approve", "fine")).acknowledged
            await uploading
            assert (await value_of(asker, "#letter")).endswith("letter.txt")

    await tour(run)


async def test_a_wrong_token_is_refused(shared_server: SharedServer) -> None:
    async def run() -> None:
        client = BAPClient(shared_server.url, token="guess")
        with pytest.raises(WSServerHandshakeError, match="401"):
            await client.connect()
        await client.close()

    await tour(run)


async def test_its_session_helper(shared_server: SharedServer, pages: Pages) -> None:
    async def run() -> None:
        async with bap_session(shared_server.url, token=TOKEN, start_url=pages.shop) as client:
            assert (await client.content()).content.startswith("Teas")

    await tour(run)


async def test_its_blocking_client(shared_server: SharedServer, pages: Pages) -> None:
    def run() -> None:
        with BAPClientSync(shared_server.url, token=TOKEN) as client:
            client.launch()
            client.create_page(url=pages.order)
            client.fill(label("Mail"), "e@f.example")
            client.click(role("button", "Send"))
            assert client.element(css("#sent"), ["text"]).properties["text"].startswith("sent e@f.example")
            assert client.observe(max_elements=3).total_interactive_elements
        asyncio.get_event_loop().close()  # the one that it has made for this thread, and leaves

    await trio.to_thread.run_sync(run)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["connect"], rf"Connected successfully!\n  Protocol version: 0\.9\.0\n  Server: agentbrowser v{__version__}"),
        (["info"], r"Capabilities:\n  browsers: \['chromium'\]"),
        (["info", "--json"], r'"serverInfo": \{\s*"name": "agentbrowser"'),
    ],
)
async def test_its_command_line(command: list[str], expected: str, shared_server: SharedServer) -> None:
    bap = Path(sysconfig.get_path("scripts")) / "bap"
    line = [str(bap), command[0], shared_server.url, "--token", TOKEN, *command[1:]]
    ran = await trio.run_process(line, capture_stdout=True, capture_stderr=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    assert re.search(expected, ran.stdout.decode())
