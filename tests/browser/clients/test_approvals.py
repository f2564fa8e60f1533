"""An agent and an approver on a real browser; a screenshot in pieces; the protocol in its own words."""

import base64
import contextlib
import hashlib
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

import attrs
import pytest
import trio

from agentbrowser.browser.observe import approval_context
from agentbrowser.browser.observe.pictures.file_formats import image_size
from agentbrowser.client.connection.transport import Transport
from agentbrowser.config import Config
from agentbrowser.methods import METHODS
from agentbrowser.policy.approvals import ApprovalRule, ApprovalRules, RequestFilter
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import memory_pair
from tests.browser.site import Site

FORM = """
<input id=code>
<button onclick="location = '/bought'" style="position:absolute;left:50px;top:60px">Buy now</button>
"""
BUY = {"type": "css", "value": "button"}


@pytest.fixture
def config() -> Config:
    rules = (
        ApprovalRule(
            name="buying", match=RequestFilter(actions=("action/click",), url_patterns=("**/shop?*",)), screenshot=True
        ),
        ApprovalRule(
            name="leaving", match=RequestFilter(actions=("page/navigate",), domains=("localhost",)), action="deny"
        ),
        ApprovalRule(
            name="bank",
            match=RequestFilter(actions=("action/*", "script/evaluate"), domains=("bank.localhost",)),
            action="deny",
        ),
        ApprovalRule(
            name="paying",
            match=RequestFilter(actions=("action/*",), url_patterns=("*://pay.localhost:*/**",)),
            action="deny",
        ),
        ApprovalRule(name="typing", match=RequestFilter(actions=("action/fill",), selectors=("#code",))),
        ApprovalRule(name="pressing", match=RequestFilter(actions=("action/*",), url_patterns=("**/press",))),
    )
    return Config(port=0, drain_timeout_s=1, private_network="allow", approvals=ApprovalRules(rules=rules))


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Extend the timeout of the approval context, so that a busy machine does not drop parts of it."""
    monkeypatch.setattr(approval_context, "_PART_TIMEOUT_S", 20.0)


@attrs.define
class Plain:
    """A client that sends and reads JSON."""

    transport: Transport
    heard: deque[dict[str, Any]] = attrs.field(factory=deque)
    last_id: int = 0

    async def ask(self, method: str, **params: Any) -> int:
        """Send a request, and return its id."""
        self.last_id += 1
        text = json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        await self.transport.send(text.encode())
        return self.last_id

    async def get(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and return the answer to it; what comes before is kept."""
        id_ = await self.ask(method, **params)
        while (message := json.loads(await self.transport.receive())).get("id") != id_:
            self.heard.append(message)
        return dict(message)

    async def hear(self) -> dict[str, Any]:
        """Return the next message."""
        return dict(self.heard.popleft() if self.heard else json.loads(await self.transport.receive()))


@contextlib.asynccontextmanager
async def client_of(server: Server, scope: Scope) -> AsyncIterator[Plain]:
    peer, transport = memory_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.serve, peer, Grant(scope, "test"))
        yield Plain(transport)
        await transport.close()


@pytest.fixture
async def agent(server: Server) -> AsyncIterator[Plain]:
    async with client_of(server, Scope.STANDARD) as agent:
        await agent.get("events/unsubscribe", events=["console", "dialog"])
        yield agent


@pytest.fixture
async def approver(server: Server) -> AsyncIterator[Plain]:
    async with client_of(server, Scope.PRIVILEGED) as approver:
        await approver.get("page/list")  # so that it is connected
        yield approver


async def test_a_purchase_happens_only_once_it_is_approved(site: Site, agent: Plain, approver: Plain) -> None:
    site.html("/bought", "Thank you")
    url = site.html("/shop", FORM, title="Shop") + "?token=s3cret"
    site.pages["/shop?token=s3cret"] = site.pages["/shop"]
    assert "result" in await agent.get("page/navigate", url=url)
    for decision in ("deny", "approve"):
        id_ = await agent.ask("action/click", selector=BUY)
        asked = (await approver.hear())["params"]
        assert asked["originalRequest"]["params"]["selector"] == BUY
        context = asked["context"]
        assert context["pageUrl"] == site.url("/shop") + "?token=[REDACTED]"
        assert context["pageTitle"] == "Shop"
        assert (context["elementInfo"]["role"], context["elementInfo"]["name"]) == ("button", "Buy now")
        assert (context["elementInfo"]["bounds"]["x"], context["elementInfo"]["bounds"]["y"]) == (50, 60)
        assert image_size(base64.b64decode(context["screenshot"])) == (1280, 720)
        assert "/bought" not in site.paths()
        answer = await approver.get("approval/respond", requestId=asked["requestId"], decision=decision)
        assert answer["result"] == {"acknowledged": True}
        assert ("error" in await agent.hear()) is (decision == "deny")
        assert agent.last_id == id_
    assert "/bought" in site.paths()


async def test_a_missing_element_is_asked_about_too(site: Site, agent: Plain, approver: Plain) -> None:
    await agent.get("page/navigate", url=site.html("/other", "nothing", title="Other"))
    code = {"type": "css", "value": "#code"}
    await agent.ask("action/fill", selector=code, value="s3cret", options={"timeout": 1000})
    asked = (await approver.hear())["params"]
    assert asked["originalRequest"]["params"]["value"] == "[REDACTED]"
    assert asked["context"] == {"pageUrl": site.url("/other"), "pageTitle": "Other"}
    await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
    assert (await agent.hear())["error"]["code"] == -32012


async def test_a_step_of_a_sequence_is_denied_by_its_rule(site: Site, agent: Plain) -> None:
    site.html("/", "home")
    steps = [
        {"action": "page/navigate", "params": {"url": site.url("/")}},
        {"action": "page/navigate", "params": {"url": site.url("/", "localhost")}},
    ]
    result = (await agent.get("agent/act", steps=steps))["result"]
    assert (result["completed"], result["failedAt"]) == (1, 1)
    assert result["results"][1]["error"]["code"] == -32030
    assert len([path for path in site.paths() if path == "/"]) == 1


async def test_a_rule_for_actions_holds_back_what_accepts_a_dialog(site: Site, agent: Plain) -> None:
    """A payment that a page asks for by a dialog was confirmed where all actions were denied.

    So it was by an answer that was armed at another address, and where the bank was in a frame.
    """
    await agent.get("events/subscribe", events=["dialog"], dialogTimeout=60_000)
    site.html("/ask", "<script>setTimeout(() => { document.title = String(confirm('Pay 900?')) })</script>")
    bank = site.url("/ask", "bank.localhost")
    await agent.get("page/navigate", url=site.html("/", ""))
    assert (await agent.get("dialog/handle", action="accept"))["result"] == {"handled": False}
    for url, title in ((bank, "false"), (site.html("/", f"<iframe src='{bank}'></iframe>", title="shop"), "shop")):
        await agent.get("page/navigate", url=url)
        while "dialog" not in (await agent.get("page/list"))["result"]["pages"][0]:  # noqa: ASYNC110 - the page's timer
            await trio.sleep(0.05)
        assert (await agent.get("dialog/handle", action="accept"))["error"]["code"] == -32030
        assert (await agent.get("dialog/handle", action="dismiss"))["result"]["handled"]
        assert (await agent.get("agent/observe"))["result"]["metadata"]["title"] == title


async def test_an_action_is_judged_by_the_frame_in_which_it_lands(site: Site, agent: Plain) -> None:
    site.serve("/paid", b"")
    site.html("/bank", "<button id=pay onclick=\"fetch('/paid')\" style='width:200px;height:100px'>Pay</button>")
    bank = site.url("/bank", "bank.localhost")
    await agent.get("page/navigate", url=site.html("/", f"<iframe src='{bank}' style='border:0'></iframe><p>shop</p>"))
    seen = (await agent.get("agent/observe", includeBounds=True))["result"]["interactiveElements"][0]
    point = {"type": "coordinates", "x": seen["bounds"]["x"] + 20, "y": seen["bounds"]["y"] + 20}
    for selector in (seen["ref"], point, {"type": "semantic", "description": "Pay button"}):
        denied = (await agent.get("action/click", selector=selector))["error"]
        assert (denied["code"], denied["data"]["details"]["rule"]) == (-32030, "bank")
    for selector in ("iframe", "body"):  # a press on them lands in the frame
        pressed = {"position": {"x": seen["bounds"]["x"] + 20, "y": seen["bounds"]["y"] + 20}}
        denied = (await agent.get("action/click", selector=selector, options=pressed))["error"]
        assert (denied["code"], denied["data"]["details"]["rule"]) == (-32030, "bank")
    for target in ({"x": point["x"], "y": point["y"]}, {"dx": 0, "dy": -60}):
        assert (await agent.get("action/drag", source="p", target=target))["error"]["code"] == -32030
    assert (await agent.get("action/press", key="Enter"))["error"]["code"] == -32030  # any frame may have the focus
    assert "result" in await agent.get("action/click", selector="p")
    assert "/paid" not in site.paths()


async def test_no_input_comes_to_a_frame_that_the_page_puts_in_its_way(
    site: Site, agent: Plain, approver: Plain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page moved the frame of a denied host under the pointer at `pointermove`: the button there was pressed.

    One that answered nothing for a second had a press on the frame judged by its own URL only.
    """
    site.serve("/paid", b"")
    events = "for (const type of ['mousedown', 'keydown', 'input']) addEventListener(type, () => fetch('/paid'))"
    site.html("/bank", f"<input id=pay style='position:fixed;inset:0'><script>pay.focus(); {events}</script>")
    bank = site.url("/bank", "bank.localhost")
    frame = f"<iframe id=f src='{bank}' style='position:fixed;left:400px;top:0'></iframe>"
    field = "<input id=x style='position:fixed;left:0;top:0;width:300px;height:150px'>"
    for method, params, trick in (
        ("click", {}, "onpointermove = () => { f.style.left = 0 }"),
        ("fill", {"value": "abc"}, "x.onfocus = () => f.focus()"),
        ("type", {"text": "a\n"}, "x.oninput = () => f.focus()"),
    ):
        await agent.get("page/navigate", url=site.html("/", f"{field}{frame}<script>{trick}</script>"))
        denied = (await agent.get(f"action/{method}", selector="#x", **params))["error"]
        assert (denied["code"], denied["data"]["details"]["reason"]) == (-32030, "page changed")
        assert "/paid" not in site.paths()
    monkeypatch.setattr(approval_context, "_PART_TIMEOUT_S", 0.0)  # the page is too busy
    denied = (await agent.get("action/click", selector="iframe"))["error"]
    assert (denied["code"], denied["data"]["details"]["rule"]) == (-32030, "bank")
    await agent.get("page/navigate", url=site.html("/shop", FORM) + "?")
    await agent.ask("action/click", selector=BUY)
    asked = (await approver.hear())["params"]
    assert asked["context"]["elementInfo"]["name"] == "Buy now"
    await approver.get("approval/respond", requestId=asked["requestId"], decision="deny")


async def test_an_empty_window_is_judged_by_the_page_that_has_opened_it(
    site: Site, agent: Plain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its URL is about:blank or that of a blob, and its origin is that of the bank; it may be busy, or have none."""
    site.serve("/paid", b"")
    button = "<button id=pay onclick=fetch(origin+'/paid')>Pay</button>"
    site.html("/bank", f"<script>open('about:blank').document.write(`{button}`)</script>")
    blob = f"open(URL.createObjectURL(new Blob([`{button}`], {{type: 'text/html'}})))"
    site.html("/pay", f"<script>{blob}</script>")
    boxed = "<iframe sandbox='allow-scripts allow-popups' srcdoc='<script>open(`about:blank`)</script>'>"
    site.html("/boxed", boxed)
    frame = f"<iframe src='{site.url('/bank', 'bank.localhost')}'></iframe>"
    for url, rule in (
        (site.html("/", frame), "bank"),
        (site.url("/pay", "pay.localhost"), "paying"),
        (site.url("/boxed", "bank.localhost"), "bank"),
    ):
        await agent.get("page/navigate", url=url)
        with trio.fail_after(20):
            while len(pages := (await agent.get("page/list"))["result"]["pages"]) < 2:  # noqa: ASYNC110 - it opens one
                await trio.sleep(0.02)
        popup = pages[1]["id"]
        for part_timeout_s in (20.0, 0.0):  # at last, it is too busy to say where it comes from
            monkeypatch.setattr(approval_context, "_PART_TIMEOUT_S", part_timeout_s)
            denied = (await agent.get("action/click", selector="#pay", pageId=popup))["error"]
            assert (denied["code"], denied["data"]["details"]["rule"]) == (-32030, rule)
        await agent.get("page/close", pageId=popup)
    assert "/paid" not in site.paths()


async def test_an_action_that_waits_lands_in_no_later_document(site: Site, agent: Plain) -> None:
    site.serve("/paid", b"")
    site.html("/bank", "<button id=pay onclick=\"fetch('/paid')\">Pay</button>")
    bank = site.url("/bank", "bank.localhost")
    for before in ("", "<button id=pay disabled>Pay</button>", "<button id=pay hidden>Pay</button>"):
        url = site.html("/", f"{before}<script>setTimeout(() => location = '{bank}', 500)</script>")
        await agent.get("page/navigate", url=url)
        answer = await agent.get("action/click", selector="#pay", options={"timeout": 5000})
        assert "error" in answer  # the element is judged elsewhere, or has left with its document
        assert "/paid" not in site.paths()


@pytest.mark.parametrize("there", ["<button disabled onclick=pay()>Pay</button>", ""])
async def test_an_action_that_waits_lands_on_no_later_route_of_an_application(
    site: Site, agent: Plain, there: str
) -> None:
    later = "document.querySelector('#app').innerHTML = '<button onclick=pay()>Pay</button>'"
    script = f"""
      function pay() {{ fetch("/paid") }}
      function go() {{ setTimeout(() => {{ location.hash = "#/shop?pay"; {later} }}, 700) }}
    """
    page = site.html("/", f"<script>{script}</script><a onclick=go()>Go on</a><div id=app>{there}</div>")
    await agent.get("page/navigate", url=page)
    assert "result" in await agent.get("action/click", selector={"type": "css", "value": "a"})
    answer = await agent.get("action/click", selector=BUY, options={"timeout": 5000})
    assert "error" in answer  # the rule is applied to the later route, or was to the first one only
    assert "/paid" not in site.paths()


@pytest.mark.parametrize("before", ["disabled", "hidden", "onpointermove=rename()"])
async def test_an_approved_element_with_another_name_at_the_press_is_not_pressed(
    site: Site, agent: Plain, approver: Plain, before: str
) -> None:
    site.serve("/paid", b"")
    html = f"""<button {before} aria-label="Save draft" onclick="fetch('/paid')">x</button>
    <script>const button = document.querySelector("button");
    function rename() {{ button.ariaLabel = "Pay 900 EUR"; button.disabled = button.hidden = false }}
    {"" if "rename" in before else "fetch('/approved').then(rename)"}</script>"""
    site.hold("/approved")
    await agent.get("page/navigate", url=site.html("/shop", html) + "?")
    id_ = await agent.ask("action/click", selector=BUY, options={"timeout": 6000})
    asked = (await approver.hear())["params"]
    await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
    site.held["/approved"].set()
    answer = await agent.hear()
    assert answer["id"] == id_
    assert answer["error"]["code"] == -32030
    assert "/paid" not in site.paths()


@pytest.mark.parametrize(("script", "code"), [("", None), ("fetch('/approved').then(() => pay.focus())", -32030)])
async def test_a_key_goes_to_the_element_that_had_the_focus_when_the_approver_was_asked(
    site: Site, agent: Plain, approver: Plain, script: str, code: int | None
) -> None:
    site.serve("/paid", b"")
    html = f"""<button id=save onclick="this.remove()">Save draft</button>
    <button id=pay onclick="fetch('/paid')">Pay</button>{"" if script else '<iframe src="/"></iframe>'}
    <script>save.focus(); {script}</script>"""
    site.hold("/approved")
    await agent.get("page/navigate", url=site.html("/shop", html) + "?")
    id_ = await agent.ask("action/press", key="Enter")
    asked = (await approver.hear())["params"]
    assert asked["context"]["elementInfo"]["name"] == "Save draft"
    assert "selector" not in asked["originalRequest"]["params"]
    site.held["/approved"].set()
    if script:
        await agent.get("page/waitFor", selector="#pay:focus", state="visible")
    await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
    answer = await agent.hear()
    assert (answer["id"], answer.get("error", {}).get("code")) == (id_, code)
    assert "/paid" not in site.paths()
    if code is None:
        await agent.get("page/waitFor", textGone="Save draft", timeout=20_000)


async def test_an_approved_element_is_pressed_once_if_the_press_gives_it_another_name(
    site: Site, agent: Plain, approver: Plain
) -> None:
    """A click with the count 3, approved for "Save draft", pressed "Pay 900 EUR" twice."""
    html = "<button onclick=\"if (textContent !== 'Save') fetch('/paid'); textContent = 'Pay'\">Save</button>"
    await agent.get("page/navigate", url=site.html("/shop", html) + "?")
    id_ = await agent.ask("action/click", selector=BUY, options={"clickCount": 3})
    asked = (await approver.hear())["params"]
    await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
    answer = await agent.hear()
    assert (answer["id"], answer["error"]["code"]) == (id_, -32021)
    assert "/paid" not in site.paths()


async def test_nothing_in_or_over_an_approved_element_gets_the_press(site: Site, agent: Plain, approver: Plain) -> None:
    """An approver agreed to "Save draft", in which a shop had hidden another site's button: it paid.

    With `force`, so did a button that lay over it.
    """
    site.serve("/paid", b"")
    other = site.html("/other", "<html onmousedown=fetch('/paid')>").replace("127.0.0.1", "other.localhost")
    framing = f"""<div id=b role=button aria-label="Save draft" style="width:300px"></div>
    <script>b.attachShadow({{mode: "closed"}}).innerHTML = "<iframe src='{other}'>"</script>"""
    covered = """<div role=button>Save draft</div>
    <button style="position:fixed;inset:0" onclick="fetch('/paid')">Pay</button>"""
    for html, is_forced, code in ((framing, False, -32030), (covered, True, -32013)):
        await agent.get("page/navigate", url=site.html("/shop", html) + "?")
        id_ = await agent.ask("action/click", selector="div", options={"force": is_forced, "timeout": 3000})
        asked = (await approver.hear())["params"]
        await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
        answer = await agent.hear()
        assert "/paid" not in site.paths()
        assert (answer["id"], answer["error"]["code"]) == (id_, code)


@pytest.mark.parametrize(
    ("method", "params", "shown", "code"),
    [
        ("click", {"selector": "button svg"}, ("button", "Pay 900 EUR"), None),
        ("check", {"selector": "label span"}, ("checkbox", "Pay at once"), None),
        ("click", {"selector": "div"}, ("group", "Order notes"), -32030),
        ("click", {"selector": "body", "options": {"position": {"x": 30, "y": 30}}}, ("generic", ""), -32030),
        ("drag", {"source": "div", "target": {"dx": 0, "dy": 0}}, ("group", "Order notes"), -32030),
    ],
)
async def test_an_approver_is_shown_the_control_that_a_press_is_for(
    site: Site,
    agent: Plain,
    approver: Plain,
    method: str,
    params: dict[str, Any],
    shown: tuple[str, str],
    code: int | None,
) -> None:
    """A client that chose the icon of a button, or what is around it, had something else approved than it pressed."""
    site.serve("/paid", b"")
    html = """<body style="margin:0"><div role=group aria-label="Order notes" style="width:100px">
    <button aria-label="Pay 900 EUR" onclick="pay()" style="display:block;width:100px;height:60px">
    <svg width=40 height=40><rect width=40 height=40></rect></svg></button></div>
    <label><span>Notes</span><input type=checkbox aria-label="Pay at once" onchange="pay()"></label>
    <script>const pay = () => fetch("/paid").then(() => document.body.append("was paid"))</script>"""
    await agent.get("page/navigate", url=site.html("/press", html))
    id_ = await agent.ask(f"action/{method}", **params)
    asked = (await approver.hear())["params"]
    info = asked["context"]["elementInfo"]
    assert info["role"] == shown[0]
    assert not shown[1] or info["name"] == shown[1]
    await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
    answer = await agent.hear()
    assert (answer["id"], answer.get("error", {}).get("code")) == (id_, code)
    if code is None:
        assert "result" in await agent.get("page/waitFor", text="was paid", timeout=20_000)
    assert ("/paid" in site.paths()) is (code is None)


async def test_a_press_for_a_part_that_listens_is_not_that_of_what_is_around_it(
    site: Site, agent: Plain, approver: Plain
) -> None:
    """A client had "Order notes" or "Orders" approved, and pressed a part of it without a role that pays."""
    site.serve("/paid", b"")
    part = (
        """<p style="height: 30px">%s</p><script>document.querySelector("p").onclick = () => fetch("paid")</script>"""
    )
    for html, method, code in (
        ("<div role=group aria-label='Order notes'>" + part % "Pay 900 EUR", "click", -32030),
        ("<ul aria-label=Orders>" + part % "Pay 900 EUR", "dblclick", -32030),
        ("<article>" + part % "Order 5", "click", None),
        ("<div role=group aria-label='Order 5'>" + part % "", "click", None),
        ("<div role=group aria-label='Order 5' onclick='1'>" + part % "Order 5 of 2026", "click", None),
    ):
        await agent.get("page/navigate", url=site.html("/press", html))
        id_ = await agent.ask(f"action/{method}", selector="[role=group], ul, article")
        asked = (await approver.hear())["params"]
        await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
        answer = await agent.hear()
        assert (answer["id"], answer.get("error", {}).get("code")) == (id_, code), html
        assert code is None or "/paid" not in site.paths()


async def test_an_approved_key_is_not_pressed_in_an_element_that_the_focus_gives_another_name(
    site: Site, agent: Plain, approver: Plain
) -> None:
    site.serve("/paid", b"")
    html = """<button onfocus="this.textContent = 'Pay 900 EUR'" onclick="fetch('/paid')">Save draft</button>"""
    for trouble in ("", "<style>button {animation: x 1s infinite} @keyframes x {to {margin-left: 9px}}</style>"):
        await agent.get("page/navigate", url=site.html("/press", html + trouble))
        id_ = await agent.ask("action/press", selector=BUY, key="Enter")
        asked = (await approver.hear())["params"]
        assert asked["context"]["elementInfo"]["name"] == "Save draft"
        await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
        answer = await agent.hear()
        assert (answer["id"], answer["error"]["code"]) == (id_, -32030)
        assert "/paid" not in site.paths()


@pytest.mark.parametrize(("key", "code"), [("Tab+Enter", -32030), ("Shift+Tab", None), ("Control++", None)])
async def test_a_press_of_several_keys_is_not_approved(
    site: Site, agent: Plain, approver: Plain, key: str, code: int | None
) -> None:
    """Tab+Enter in a field was approved: the first key moved the focus to the button that the second one pressed."""
    site.serve("/paid", b"")
    html = """<input aria-label=Note><button onclick="fetch('/paid')">Pay</button>"""
    await agent.get("page/navigate", url=site.html("/press", html))
    id_ = await agent.ask("action/press", selector={"type": "css", "value": "input"}, key=key)
    if code is None:
        asked = (await approver.hear())["params"]
        await approver.get("approval/respond", requestId=asked["requestId"], decision="approve")
    answer = await agent.hear()
    assert (answer["id"], answer.get("error", {}).get("code")) == (id_, code)
    assert "/paid" not in site.paths()


async def test_a_request_without_an_approver_is_refused(site: Site, agent: Plain) -> None:
    await agent.get("page/navigate", url=site.html("/shop?", FORM))
    assert (await agent.get("action/click", selector=BUY))["error"]["code"] == -32032


async def test_a_fill_moves_no_slider_where_a_rule_holds_back_clicks(site: Site, agent: Plain) -> None:
    slider = "<p role=slider aria-valuenow=1 tabindex=0 onkeydown='document.title = event.key'>Slide to pay</p><input>"
    pages = site.html("/shop", slider, title="none"), site.html("/", slider, title="none")
    for url, code in zip((f"{pages[0]}?", pages[1]), (-32030, -32021), strict=True):
        await agent.get("page/navigate", url=url)
        denied = (await agent.get("action/fill", selector="p", value="2", options={"timeout": 2000}))["error"]
        assert (denied["code"], denied["data"]["details"].get("rule")) == (code, "buying" if code == -32030 else None)
        assert (await agent.get("action/fill", selector="input", value="2"))["result"]["value"] == "2"
        title = (await agent.get("agent/observe"))["result"]["metadata"]["title"]
        assert title == ("none" if code == -32030 else "ArrowRight")
    # A page gave the focus to a frame over its slider, where the rule holds presses back: the next keys came there.
    site.serve("/pressed", b"")
    site.html("/shop", "<input id=x onkeydown=\"fetch('/pressed')\"><script>onfocus = () => x.focus()</script>")
    frame = f"<iframe id=f src='{pages[0]}?' style='position:absolute;left:400px;top:0'></iframe>"
    moves = "this.ariaValueNow = Number(this.ariaValueNow) + 1; f.contentWindow.focus(); f.contentWindow.x.focus()"
    over = f"<p role=slider aria-valuenow=1 tabindex=0 onkeydown='{moves}'>Slide</p>{frame}"
    await agent.get("page/navigate", url=site.html("/over", over))
    denied = (await agent.get("action/fill", selector="p", value="5", options={"timeout": 2000}))["error"]
    assert "/pressed" not in site.paths()
    assert denied["code"] == -32030


async def test_a_screenshot_is_streamed(site: Site, agent: Plain) -> None:
    await agent.get("initialize", capabilities={"streaming": True, "maxMessageSize": 16_384, "events": []})
    colours = (
        "<script>for (let i = 0; i < 4000; i++) document.write(`<i style='background:hsl(${i * 7} 90% 50%)'>${i}</i> `)"
    )
    await agent.get("page/navigate", url=site.html("/", colours + "</script>"))
    result = (await agent.get("observe/screenshot", options={"format": "png"}))["result"]
    data = ""
    while (message := await agent.hear())["method"] == "stream/chunk":
        data += message["params"]["data"]
    assert image_size(base64.b64decode(data)) == (result["width"], result["height"])
    assert message["params"]["checksum"] == hashlib.sha256(data.encode()).hexdigest()
    assert result["data"]["contentType"] == "application/octet-stream;base64"
    assert message["params"]["totalChunks"] > 1


async def test_the_protocol_describes_itself(agent: Plain) -> None:
    document = (await agent.get("rpc.discover"))["result"]
    assert {one["name"] for one in document["methods"]} == set(METHODS)


async def test_a_shutdown_waits_for_no_approver() -> None:
    """Nobody can decide any more: answers are refused, and the live view has closed."""
    rule = ApprovalRule(name="held", match=RequestFilter(actions=("page/navigate",)), ask_requester=True)
    config = Config(port=0, approvals=ApprovalRules(rules=(rule,)), drain_timeout_s=300)
    async with open_server(config) as server, client_of(server, Scope.STANDARD) as agent:
        await agent.ask("page/navigate", url="https://a.test/")
        assert (await agent.hear())["method"] == "approval/required"
        await agent.ask("page/navigate", url="https://b.test/")
        with trio.fail_after(60):
            await server.drain()
        for _ in range(2):
            error = (await agent.hear())["error"]
            assert (error["code"], error["data"]["retryable"]) == (-32000, True)
