"""Access to the live view: tokens, links, origins; and what it must never show."""

import hashlib
import json
from functools import partial
from pathlib import Path

import attrs
import pytest
import trio
from structlog.testing import capture_logs
from trio_websocket import open_websocket_url

from agentbrowser.browser.observe import approval_context
from agentbrowser.client import Browser, connect
from agentbrowser.config import Config
from agentbrowser.policy.approvals import ApprovalRule, ApprovalRules, RequestFilter
from agentbrowser.policy.credentials import Credential, TokenFile
from agentbrowser.policy.secrets import OriginPattern, Secret, SecretStore
from agentbrowser.protocol.errors import ApprovalDenied, ScopeDenied
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from tests.browser.live.people import People, until_nobody_watches
from tests.browser.live.test_takeover import CLICKS_WHAT_COMES, FORM, TOKEN
from tests.browser.live.test_watch import link
from tests.browser.site import Site

AXE = Path(__file__).parents[3] / ".ci" / "js" / "node_modules" / "axe-core" / "axe.min.js"


async def ask(server: Server, *lines: str, target: str = "/live/login", method: str = "POST") -> tuple[int, bytes]:
    """Return the status and the rest of the response to a request."""
    head = [f"{method} {target} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", *lines]
    stream = await trio.open_tcp_stream("127.0.0.1", server.port)
    async with stream:
        await stream.send_all("\r\n".join(head).encode() + b"\r\n\r\n")
        received = b"".join([part async for part in stream])
    return int(received.split()[1]), received


async def test_tokens_links_and_origins_are_checked() -> None:
    config = Config(port=0, token=TOKEN, scope=Scope.PRIVILEGED, allowed_origins=("https://a.example",))
    with trio.fail_after(120):
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            ours = f"Origin: http://127.0.0.1:{server.port}"
            right = f"Authorization: Bearer {TOKEN}"
            code = (await link(browser)).partition("#link=")[2]
            cases: list[tuple[int, str, tuple[str, ...], str, str]] = [
                (200, "the page", (), "GET", "/live"),
                (200, "a module", ("Sec-Fetch-Site: same-origin",), "GET", "/live/main.js"),
                (200, "a link on another page", CROSS_SITE_LINK, "GET", "/live"),
                (403, "a frame on another page", CROSS_SITE_FRAME, "GET", "/live"),
                (404, "another file", (), "GET", "/live/view.py"),
                (404, "a path out of the folder", (), "GET", "/live/../view.py"),
                (405, "a login by GET", (right,), "GET", "/live/login"),
                (400, "a POST elsewhere", (right,), "POST", "/live"),
                (401, "no token", (ours,), "POST", "/live/login"),
                (401, "a wrong token", (ours, "Authorization: Bearer wrong-wrong-wrong-wrong"), "POST", "/live/login"),
                (401, "a wrong link", (ours, "Authorization: Link 0000"), "POST", "/live/login"),
                (403, "a foreign origin", (right, "Origin: https://evil.example"), "POST", "/live/login"),
                (403, "an origin for agents", (right, "Origin: https://a.example"), "POST", "/live/login"),
                (403, "our origin elsewhere", (ours,), "GET", "/health"),
                (200, "a token", (right, ours), "POST", "/live/login"),
                (200, "a link", (ours, f"Authorization: Link {code}"), "POST", "/live/login"),
                (401, "the same link again", (ours, f"Authorization: Link {code}"), "POST", "/live/login"),
            ]
            for status, why, lines, method, target in cases:
                answer = await ask(server, *lines, method=method, target=target)
                assert (answer[0], why) == (status, why)
            _, page = await ask(server, method="GET", target="/live")
            assert b"Content-Security-Policy: default-src 'self'; base-uri 'none'; form-action 'none'" in page
            upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", KEY)
            for status, lines in (
                (401, (ours, "Sec-WebSocket-Protocol: agentbrowser, key.0000")),
                (401, (ours,)),
                (403, (right, "Origin: https://evil.example")),
                (403, (right, "Origin: https://a.example")),
                (403, (right, "Sec-Fetch-Site: cross-site")),
            ):
                answer = await ask(server, *upgrade, *lines, method="GET", target="/live/socket")
                assert answer[0] == status


KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="
CROSS_SITE_LINK = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")
CROSS_SITE_FRAME = ("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe")


async def test_without_tokens_a_link_is_for_watching_and_not_for_approving() -> None:
    with trio.fail_after(120):
        async with open_server(Config(port=0)) as server, connect(server.url) as browser:
            code = (await link(browser)).partition("#link=")[2]
            status, answer = await ask(server, f"Authorization: Link {code}")
            assert status == 200
            key = json.loads(answer.partition(b"\r\n\r\n")[2])["key"]
            async with open_websocket_url(
                f"ws://127.0.0.1:{server.port}/live/socket", subprotocols=["agentbrowser", f"key.{key}"]
            ) as socket:
                states = json.loads(await socket.get_message())["states"]
                assert states["rights"]["mayApprove"] is False
            assert (await ask(server))[0] == 403


async def test_links_and_keys_end_with_the_token_that_made_them() -> None:
    tokens = {name: f"the-live-token-of-{name}" for name in ("kept", "gone")}
    digests = {name: hashlib.sha256(token.encode()).hexdigest() for name, token in tokens.items()}
    entries = [Credential(name=name, sha256=digest, scope_word="privileged") for name, digest in digests.items()]
    config = Config(port=0, tokens=TokenFile(tuple(entries)))
    with trio.fail_after(120):
        async with open_server(config) as server:
            keys, unused = {}, {}
            async with (
                connect(server.url, token=tokens["kept"]) as kept,
                connect(server.url, token=tokens["gone"]) as gone,
            ):
                for name, browser in (("kept", kept), ("gone", gone)):
                    unused[name] = (await link(browser)).partition("#link=")[2]
                    code = (await link(browser)).partition("#link=")[2]
                    _, answer = await ask(server, f"Authorization: Link {code}")
                    keys[name] = json.loads(answer.partition(b"\r\n\r\n")[2])["key"]
                upgrade = ("Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", KEY)
                protocol = f"Sec-WebSocket-Protocol: agentbrowser, key.{keys['gone']}"
                watch = partial(ask, server, *upgrade, protocol, method="GET", target="/live/socket")
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(watch)  # until the server closes the socket
                    while not server.live.watchers:  # noqa: ASYNC110 - another task changes it
                        await trio.sleep(0.01)
                    server.reload(attrs.evolve(config, tokens=TokenFile(tuple(entries[:1]))))
                for name, status in (("kept", 200), ("gone", 401)):
                    assert (await ask(server, f"Authorization: Link {unused[name]}"))[0] == status
                assert (await watch())[0] == 401


@pytest.mark.parametrize(
    ("rules", "refusals", "acts"),
    [
        ((), {"ScopeDenied": "action/upload needs the scope full"}, ("take:ok", "files:ScopeDenied", "back:ok")),
        (("never",), {"ApprovalDenied": "the operator's rules judge"}, ("take:ApprovalDenied",)),
    ],
)
async def test_the_link_of_a_handoff_gives_its_agent_no_further_right(
    site: Site, tmp_path: Path, rules: tuple[str, ...], refusals: dict[str, str], acts: tuple[str, ...]
) -> None:
    file = tmp_path / "audit.jsonl"
    denials = tuple(
        ApprovalRule(name=name, match=RequestFilter(actions=("action/*",)), action="deny") for name in rules
    )
    approvals = ApprovalRules(mode="required", rules=denials)
    config = Config(
        port=0,
        token=TOKEN,
        scope=Scope.STANDARD,
        private_network="allow",
        approvals=approvals,
        audit_log=str(file),
        drain_timeout_s=1,
    )
    with trio.fail_after(120):
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            page = await browser.new_page(site.html("/", FORM))
            asked = {"reason": "May I pay?", "choices": ["no", "yes"], "pageId": page.id}
            begun = await browser.request("handoff/request", {**asked, "wait": False})
            code = begun["link"].partition("#link=")[2]
            _, answer = await ask(server, f"Authorization: Link {code}")
            key = json.loads(answer.partition(b"\r\n\r\n")[2])["key"]
            url = f"ws://127.0.0.1:{server.port}/live/socket"
            protocols = ["agentbrowser", f"key.{key}"]
            failures: dict[str, str] = {}
            async with open_websocket_url(url, subprotocols=protocols, max_message_size=2**22) as socket:
                number = next(iter(server.live.sessions())).number
                for command in (
                    {"do": "watch", "session": number, "page": page.id, "choice": 1},
                    {"do": "take"},
                    {"do": "files", "files": []},
                ):
                    await socket.send_message(json.dumps(command))
                while not failures:
                    message = await socket.get_message()
                    for line in json.loads(message)["lines"] if isinstance(message, str) else ():
                        if line["kind"] == "failure":
                            failures[line["error"]] = line["message"]
                await socket.send_message(json.dumps({"do": "finish", "handoff": begun["handoffId"], "choice": 1}))
                result = await browser.request("handoff/request", {"handoffId": begun["handoffId"]})
    assert {error: refusals[error] in message for error, message in failures.items()} == dict.fromkeys(refusals, True)
    assert (result["outcome"], result["by"], result["answer"]) == ("done", "whoever has the link", "yes")
    lines = [one for one in map(json.loads, file.read_text().splitlines()) if one["method"].startswith("live/")]
    assert [f"{one['method']}:{one['outcome']}" for one in lines] == [f"live/{one}" for one in (*acts, "answer:ok")]
    assert {(one["by"], one["page"]) for one in lines} == {("whoever has the link", page.id)}


async def test_a_link_needs_the_scope_privileged() -> None:
    config = Config(port=0, token=TOKEN, scope=Scope.FULL)
    with trio.fail_after(120):
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            with pytest.raises(ScopeDenied):
                await link(browser)
            assert (await ask(server, f"Authorization: Bearer {TOKEN}"))[0] == 403


@pytest.mark.slow
async def test_twenty_watchers_share_one_screencast(site: Site) -> None:
    config = Config(port=0, token=TOKEN, scope=Scope.PRIVILEGED, private_network="allow")
    with trio.fail_after(120):
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            page = await browser.new_page(site.html("/", FORM))
            session = next(iter(server.live.sessions()))
            pictures = dict.fromkeys(range(20), b"")

            async def watch(number: int) -> None:
                url = f"ws://127.0.0.1:{server.port}/live/socket"
                headers = [(b"Authorization", f"Bearer {TOKEN}".encode())]
                async with open_websocket_url(url, extra_headers=headers, max_message_size=2**22) as socket:
                    command = {"do": "watch", "session": session.number, "page": page.id, "choice": number}
                    await socket.send_message(json.dumps(command))
                    while not pictures[number]:
                        message = await socket.get_message()
                        pictures[number] = message if isinstance(message, bytes) else b""
                    while not all(pictures.values()):
                        await socket.get_message()
                    assert len(server.live._streams) == 1

            async with trio.open_nursery() as nursery:
                for number in pictures:
                    nursery.start_soon(watch, number)
            assert all(one[12:15] == b"\xff\xd8\xff" for one in pictures.values())
            await until_nobody_watches(server.live)


SECRET, TYPED = "canary-of-the-operator", "canary-of-the-person"


async def test_no_secret_leaves_by_the_live_view_and_typing_is_not_kept(site: Site, people: People) -> None:
    boxes = """<style>body { margin: 0 } input { display: block; width: 100%; height: 200px }</style>
    <input id=plain><input id=hidden type=password>"""
    origin = OriginPattern.parse(f"http://127.0.0.1:{site.port}")
    secrets = SecretStore((Secret(name="bank", value=SECRET, origins=(origin,)),))
    config = Config(
        port=0, token=TOKEN, scope=Scope.PRIVILEGED, private_network="allow", secrets=secrets, log_level="debug"
    )
    with trio.fail_after(180), capture_logs() as logs:
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            page = await browser.new_page(site.html("/", boxes))
            async with people.person(await link(browser)) as person:
                await person.sees_picture()
                await page["#plain"].fill("{{secret:bank}}")
                await person.sees("#log li[data-outcome=ok]:has-text('action/fill')")
                await person.sees_color(0.5, 0.14, PINK)
                await person.take_over()
                x, y = await person.point(0.5, 0.42)
                await person.do(lambda tab: tab.mouse.click(x, y))
                await person.do(lambda tab: tab.keyboard.type(TYPED))
                await person.sees_color(0.5, 0.14, PINK)
                looks = [
                    str((await page.observe()).text),
                    json.dumps(await browser.request("observe/dom", {"pageId": page.id})),
                ]
                await person.hand_back()
                texts = [one for one in person.received if isinstance(one, str)]
    for canary in (SECRET, TYPED):
        assert not [text for text in (*texts, *looks, str(logs)) if canary in text]


PINK = (255, 0, 255)


async def test_an_approval_is_given_on_the_live_view(
    site: Site, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approval_context, "_PART_TIMEOUT_S", 60.0)  # a busy machine may take longer than a second
    rule = ApprovalRule(name="saving", match=RequestFilter(actions=("action/click",)), action="require", timeout_s=60)
    config = Config(
        port=0,
        token=TOKEN,
        scope=Scope.PRIVILEGED,
        private_network="allow",
        approvals=ApprovalRules(mode="required", rules=(rule,)),
    )
    with trio.fail_after(120):
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            page = await browser.new_page(site.html("/", FORM))
            async with people.person(await link(browser)) as person, trio.open_nursery() as nursery:
                await person.sees_picture()
                nursery.start_soon(lambda: page["button"].click())
                await person.sees("#approvals >> text=action/click")
                await person.sees("#approvals >> text=Element: button Save")
                await person.click("#approvals button:has-text('Approve')")
                await person.sees("#log li[data-outcome=ok]:has-text('action/click')")


async def violations(people: People, url: str, **options: str) -> list[str]:
    """Return the findings of axe-core at the login, while watching and while holding a page."""
    found: list[str] = []
    async with people.person(url, **options) as person:

        async def check(state: str) -> None:
            await person.do(lambda tab: tab.evaluate(AXE.read_text(encoding="utf-8")))
            result = await person.do(lambda tab: tab.evaluate("axe.run()"))
            found.extend(f"{state} {one['id']}: {one['nodes'][0]['html']}" for one in result["violations"])

        await person.sees_picture()
        await check("watching")
        await person.take_over()
        await check("holding")
        await person.do(lambda tab: tab.evaluate("sessionStorage.clear()"))
        await person.do(lambda tab: tab.reload())
        await person.sees("#login")
        await check("login")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_axe_finds_no_violation(browser: Browser, site: Site, people: People, scheme: str) -> None:
    if not AXE.exists():
        pytest.skip("npm ci --prefix .ci/js has not been run")
    page = await browser.new_page(site.html("/", FORM + "<script>console.error('a'); fetch('/no')</script>"))
    await browser.request("handoff/request", {"reason": "a code", "pageId": page.id, "wait": False})
    await page["button"].click()
    assert await violations(people, await link(browser), color_scheme=scheme) == []


async def test_a_second_click_approves_no_other_request(
    site: Site, people: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(approval_context, "_PART_TIMEOUT_S", 60.0)  # a busy machine may take longer than a second
    rule = ApprovalRule(name="clicks", match=RequestFilter(actions=("action/click",)))
    config = Config(
        port=0,
        token=TOKEN,
        scope=Scope.PRIVILEGED,
        private_network="allow",
        approvals=ApprovalRules(rules=(rule,)),
        drain_timeout_s=1,
    )
    outcomes = dict[str, str]()
    with trio.fail_after(120):
        async with open_server(config) as server, connect(server.url, token=TOKEN) as browser:
            pages = {
                name: await browser.new_page(site.html(f"/{name}", f"<button>{name}</button>"))
                for name in ("Save", "Pay")
            }

            async def click(name: str, selector: str) -> None:
                try:
                    await pages[name][selector].click(timeout_ms=60_000)
                except ApprovalDenied:
                    outcomes[name] = "denied"
                else:
                    outcomes[name] = "done"

            async with people.person(await link(browser)) as person, trio.open_nursery() as nursery:
                await person.sees_picture()  # the requester is asked where nobody watches
                nursery.start_soon(click, "Save", "button")
                await person.sees("#approvals >> text=Element: button Save")
                nursery.start_soon(click, "Pay", f"button:not({','.join(['#save'] * 200)})")
                await person.sees("#approvals >> text=/[0-9]+ of [0-9]+ characters of the request are NOT shown/")
                await person.do(lambda tab: tab.evaluate(CLICKS_WHAT_COMES, "#approvals"))
                await person.click("#approvals .primary")
                while outcomes != {"Save": "done"} or not await person.do(lambda tab: tab.evaluate("clicked")):
                    assert "Pay" not in outcomes
                    await trio.sleep(0.02)
                await person.click("#approvals button:has-text('Deny')")
            assert outcomes == {"Save": "done", "Pay": "denied"}
