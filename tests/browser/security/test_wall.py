"""The wall: no way out leads to a forbidden server; without the wall, every way does."""

import contextlib
import os
import re
import signal
import socket
import struct
import urllib.parse
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
import trio
from playwright.async_api import Error

from agentbrowser.browser import contexts
from agentbrowser.browser.engine import chromium_flags, driver_dirs, proxy_check
from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.errors import (
    AgentBrowserError,
    BrowserNotLaunched,
    DomainNotAllowed,
    InvalidParams,
    NavigationFailed,
)
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from agentbrowser.server.egress.denials import Denial
from tests.browser.event_collector import collect_events
from tests.browser.forbidden_site import ForbiddenSite, SmallSite, serve_site
from tests.browser.security.ways_out import ALONE, HEADERS, MARKUP, MUTE, PROLOGUE, SCRIPT, SILENT, Way
from tests.browser.shared_server import SharedServer
from tests.browser.site import Site, open_site
from tests.loop.egress_door import Zone

LIMIT_S: Final = 180.0
WAY_S: Final = 10.0
"""How long one way may take to show itself."""
BATCH_S: Final = 20.0
PIECE: Final = 20
"""Ways that are tried on one page."""


@attrs.define(eq=False)
class Allowed(SmallSite):
    """The permitted site. Its pages are the ways out; others redirect to the forbidden server."""

    forbidden: ForbiddenSite = attrs.field(factory=ForbiddenSite)

    def answer(self, head: bytes) -> bytes:
        """Redirect, or return a service worker or a page."""
        target = head.split(b" ")[1].decode()
        if redirect := re.fullmatch(r"/to/(\d+)/([a-z0-9-]+)", target):
            where = Way(redirect[2], "").fill("@U", self.forbidden.port)
            self.serve(target, status=int(redirect[1]), Location=where, Access_Control_Allow_Origin="*")
        elif target.startswith("/service?"):
            self.serve("/service", urllib.parse.unquote(target.partition("?")[2]), Content_Type="text/javascript")
        return super().answer(head)

    def markup(self, path: str, body: str, *headers: str) -> str:
        """Serve a page, and return its URL."""
        named: dict[str, Any] = dict(zip(headers[::2], headers[1::2], strict=True))
        self.serve(path, f"<!doctype html><meta charset=utf-8>{PROLOGUE}{body}", **named)
        return f"http://localhost:{self.port}{path}"


@attrs.define(eq=False)
class Trials:
    """A client that tries ways out, and detects which ones were tried."""

    browser: Browser
    site: Allowed
    tried: Any
    """Tells whether a way was tried."""
    mute: Collection[str]
    """Ways of which that will not be told."""

    async def visit(self, url: str) -> None:
        with contextlib.suppress(AgentBrowserError):
            await self.browser.request("page/navigate", {"url": url, "timeout": 5000})

    async def together(self, ways: Collection[Way], markup: str) -> None:
        """Try some ways on one page."""
        path = f"/together/{next(iter(ways)).name}"
        body = "".join(way.fill(markup.replace("@@", way.text), self.site.forbidden.port) for way in ways)
        await self.visit(self.site.markup(path, body))
        await self.wait(ways, BATCH_S)

    async def alone(self, way: Way) -> None:
        """Try one way that navigates its page."""
        port = self.site.forbidden.port
        headers = [way.fill(header, port) for header in HEADERS.get(way.name, ())]
        url = self.site.markup(f"/alone/{way.name}", way.fill(way.text, port), *headers)
        if way.text.startswith("@T"):
            url = f"http://localhost:{self.site.port}{way.fill(way.text, port)}"
        await self.visit(url)
        if way.name.startswith("unload"):
            await self.visit("about:blank")
        await self.wait([way], WAY_S)
        await self.tidy()

    async def tidy(self) -> None:
        """Close the pages that were opened."""
        listed = await self.browser.request("page/list")
        for page in listed["pages"][1:]:
            with contextlib.suppress(AgentBrowserError):
                await self.browser.request("page/close", {"pageId": page["id"]})

    async def wait(self, ways: Collection[Way], limit_s: float) -> None:
        """Wait until all ways were tried, or until the timeout."""
        with trio.move_on_after(limit_s):
            while not all(way.name in self.mute or self.tried(way) for way in ways):  # noqa: ASYNC110 - nobody tells
                await trio.sleep(0.01)

    async def run(self, names: Collection[str]) -> None:
        """Try the ways with these names."""
        for table, markup in ((MARKUP, "@@"), (SCRIPT, "<script>try { @@ } catch {}</script>")):
            ways = [way for way in table if way.name in names]
            for start in range(0, len(ways), PIECE):
                await self.together(ways[start : start + PIECE], markup)
        for way in ALONE:
            if way.name in names:
                await self.alone(way)


WAYS: Final = (*MARKUP, *SCRIPT, *ALONE)
NAMES_OF_WAYS: Final = frozenset(way.name for way in WAYS)


@contextlib.asynccontextmanager
async def open_beside(site: Allowed, config: Config, *, walled: bool = True) -> AsyncIterator[Server]:
    """Run the permitted site, the forbidden server, and our server, with the permitted site on its allowlist."""
    async with serve_site(site.forbidden, "0.0.0.0", "::1"), serve_site(site, "127.0.0.1"):
        if walled:
            config = attrs.evolve(config, allowed_domains=(f"localhost:{site.port}", "*.wild.test"))
        async with open_server(config) as server:
            server.egress.resolver = lambda: Zone({way.asked: ["127.0.0.1"] for way in WAYS}).resolve
            yield server


@contextlib.asynccontextmanager
async def open_trials(config: Config, *, walled: bool) -> AsyncIterator[tuple[Trials, Server]]:
    site = Allowed()
    async with open_beside(site, config, walled=walled) as server, server.connect() as browser:

        def tried(way: Way) -> bool:
            asked = {denial.host for denial in server.egress.denial_log.denials}
            return way.asked in asked if walled else way.has_arrived(site.forbidden.reached)

        yield Trials(browser, site, tried, MUTE if walled else SILENT), server


CONFIG: Final = Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1)


def missing(trials: Trials) -> set[str]:
    return {way.name for way in WAYS if not trials.tried(way)}


@pytest.fixture(params=["headless shell", pytest.param("full", marks=pytest.mark.slow)])
def chromium(request: pytest.FixtureRequest) -> Config:
    """Return the settings for each installed kind of Chromium: the full one has more ways out."""
    if request.param != "full":
        return CONFIG
    try:
        return attrs.evolve(CONFIG, executable_path=find_browser("chromium", headless=False).path)
    except BrowserNotLaunched:
        pytest.skip("there is no full Chromium: agentbrowser install --full")


async def test_no_way_leads_past_the_wall(chromium: Config) -> None:
    with trio.fail_after(LIMIT_S):
        async with open_trials(chromium, walled=True) as (trials, _):
            await trials.run(NAMES_OF_WAYS)
            forbidden = trials.site.forbidden
            assert missing(trials) <= MUTE
            assert (forbidden.connections, forbidden.datagrams, forbidden.reached) == (0, 0, set())


@pytest.mark.slow
async def test_without_the_wall_every_way_leads_there(chromium: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    take_down_the_wall(monkeypatch)
    # The full Chromium asks the wall for the others, or the test above fails. That they arrive, the other kind shows.
    names = NAMES_OF_WAYS if chromium is CONFIG else MUTE - SILENT
    with trio.fail_after(LIMIT_S):
        async with open_trials(attrs.evolve(chromium, private_network="allow"), walled=False) as (trials, server):
            await trials.run(names)
            assert missing(trials) & names <= SILENT
            assert not server.egress.denial_log.denials


def take_down_the_wall(monkeypatch: pytest.MonkeyPatch) -> None:
    names = "--host-resolver-rules=MAP *.test 127.0.0.1, MAP *.test. 127.0.0.1"
    monkeypatch.setattr(chromium_flags, "PROXY", (names,))
    monkeypatch.setattr(chromium_flags, "FEATURES", ())
    monkeypatch.setattr(contexts, "proxy_settings", lambda port: None)

    async def run(*_: object) -> None: ...

    monkeypatch.setattr(proxy_check.ProxyCheck, "run", run)


LAUNCHED: Final = """#!/bin/sh
echo "$0 $@" >> {log}
{answer}
"""


@pytest.mark.slow
async def test_a_page_starts_no_program_by_the_scheme_of_a_url(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        path = find_browser("chromium", headless=False).path
    except BrowserNotLaunched:
        pytest.skip("there is no full Chromium: agentbrowser install --full")
    log = tmp_path / "log"
    log.touch()
    for name in ("xdg-open", "xdg-email"):
        (tmp_path / name).write_text(LAUNCHED.format(log=log, answer=""))
        (tmp_path / name).chmod(0o700)
    monkeypatch.setattr(driver_dirs, "_NO_HANDLER", LAUNCHED.format(log=log, answer="echo yes"))
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    body = "<button id=a>a</button><button id=b onclick='this.textContent = 1'>b</button>"
    with trio.fail_after(LIMIT_S), open_site() as site:
        url = site.html("/", body)
        async with open_server(attrs.evolve(CONFIG, executable_path=path)) as server, server.connect() as browser:
            for scheme in ("mailto", "tel", "some-game"):
                await browser.request("page/navigate", {"url": url})
                await evaluate(
                    browser, f"document.querySelector('#a').onclick = () => {{ location = '{scheme}:x' }}; 0"
                )
                await browser.request("action/click", {"selector": {"type": "css", "value": "#a"}})
                while f" {scheme} " not in log.read_text():  # noqa: ASYNC110 - nobody tells
                    await trio.sleep(0.01)
                await browser.request("action/click", {"selector": {"type": "css", "value": "#b"}})
                assert await evaluate(browser, "document.querySelector('#b').textContent") == "1"
            assert "xdg-open" not in log.read_text()
            assert "xdg-email" not in log.read_text()


@pytest.fixture
async def forbidden() -> AsyncIterator[ForbiddenSite]:
    forbidden = ForbiddenSite()
    async with serve_site(forbidden, "127.0.0.1"):
        yield forbidden


@pytest.fixture
def config() -> Config:
    return CONFIG


async def evaluate(browser: Browser, script: str) -> Any:
    return (await browser.request("script/evaluate", {"expression": script}))["value"]


def fetching(url: str) -> str:
    return f"fetch({url!r}, {{mode: 'no-cors'}}).then(() => 'came', () => 'failed')"


def opening(url: str) -> str:
    received = "socket.onerror = () => done('failed'); socket.onopen = () => done('came')"
    return f"new Promise(done => {{ const socket = new WebSocket({url!r}); {received} }})"


async def test_private_space_is_closed_until_the_client_goes_there(browser: Browser, forbidden: ForbiddenSite) -> None:
    there = f"http://127.0.0.1:{forbidden.port}/"
    await browser.request("page/navigate", {"url": "about:blank"})
    assert await evaluate(browser, fetching(there)) == "failed"
    assert forbidden.connections == 0
    await browser.request("page/navigate", {"url": there})
    assert await evaluate(browser, fetching(there)) == "came"


async def test_a_page_that_is_created_with_a_private_url_opens_private_space(
    browser: Browser, forbidden: ForbiddenSite
) -> None:
    there = f"http://127.0.0.1:{forbidden.port}/"
    page = await browser.request("page/create", {"url": there})
    assert page["url"] == there
    assert await evaluate(browser, fetching(there)) == "came"


async def test_a_restored_state_opens_no_private_network(browser: Browser, forbidden: ForbiddenSite) -> None:
    there = f"http://127.0.0.1:{forbidden.port}"
    origins = [{"origin": there, "localStorage": [{"name": "a", "value": "b"}]}]
    await browser.request("storage/setState", {"state": {"cookies": [], "origins": origins}})  # it requests nothing
    await browser.request("page/navigate", {"url": "about:blank"})
    assert await evaluate(browser, fetching(there)) == "failed"
    assert forbidden.connections == 0


async def test_a_private_network_is_open_only_to_the_client_that_navigated_there(
    shared_server: SharedServer, forbidden: ForbiddenSite
) -> None:
    there = f"http://127.0.0.1:{forbidden.port}/"
    async with shared_server.connect() as one, shared_server.connect() as other:
        await one.request("page/navigate", {"url": there})
        await other.request("page/navigate", {"url": "about:blank"})
        before = forbidden.connections
        assert await evaluate(other, fetching(there)) == "failed"
        assert forbidden.connections == before
        await one.request("shutdown")
        await one.request("initialize", {"protocolVersion": "1.0.0"})
        await one.request("page/navigate", {"url": "about:blank"})
        assert await evaluate(one, fetching(there)) == "failed"


async def test_no_page_reaches_the_server_itself(server: Server, browser: Browser, site: Site) -> None:
    await browser.request("page/navigate", {"url": site.html("/", "x")})
    ports = server.egress.rules.own_ports
    assert server.port in ports
    for port in ports:
        assert await evaluate(browser, fetching(f"http://127.0.0.1:{port}/health")) == "failed"
        assert await evaluate(browser, opening(f"ws://localhost:{port}")) == "failed"
    denied = [one.port for one in server.egress.denial_log.denials if one.reason == "self" and one.session == "memory"]
    assert sorted(denied) == sorted([*ports] * 2)


NAMES: Final[Mapping[str, tuple[type[AgentBrowserError], str]]] = {
    "inside.test": (InvalidParams, "private"),
    "metadata.test": (InvalidParams, "metadata"),
    "nowhere.test": (NavigationFailed, "ERR_NAME_NOT_RESOLVED"),
}


async def test_a_host_name_is_checked_by_its_addresses(server: Server) -> None:
    server.egress.resolver = lambda: Zone({"inside.test": ["10.0.0.1"], "metadata.test": ["169.254.169.254"]}).resolve
    async with server.connect() as browser:
        for host, (error, reason) in NAMES.items():
            with pytest.raises(error) as caught:
                await browser.request("page/navigate", {"url": f"http://{host}/?token=secret"})
            assert caught.value.details["reason"] == reason
            assert host in caught.value.details["url"]


async def test_a_failed_load_has_the_same_error_as_without_a_proxy(browser: Browser, forbidden: ForbiddenSite) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(NavigationFailed) as caught:
        await browser.request("page/navigate", {"url": f"http://127.0.0.1:{port}/"})
    assert caught.value.details == {"url": f"http://127.0.0.1:{port}/", "reason": "ERR_CONNECTION_REFUSED"}


async def test_the_wall_outlives_the_browser(server: Server, browser: Browser, forbidden: ForbiddenSite) -> None:
    there = f"http://127.0.0.1:{forbidden.port}/"
    await browser.request("page/navigate", {"url": "about:blank"})
    killed = server.engine.pid
    assert killed is not None
    os.kill(killed, signal.SIGKILL)
    with trio.fail_after(LIMIT_S):
        while server.engine.pid == killed:  # noqa: ASYNC110 - the loss is heard of in the browser thread
            await trio.sleep(0.01)
    await browser.request("page/navigate", {"url": "about:blank"})
    assert server.engine.pid not in (None, killed)
    assert await evaluate(browser, fetching(there)) == "failed"
    assert forbidden.connections == 0
    trials = [one for one in server.egress.denial_log.denials if one.session == "trial"]
    assert len(trials) == 2


async def test_a_context_without_a_door_reaches_nothing(server: Server, forbidden: ForbiddenSite) -> None:
    async def visit(host: str) -> str:
        context = await server.engine.new_context()
        try:
            with pytest.raises(Error) as caught:
                await (await context.new_page()).goto(f"http://{host}:{forbidden.port}/")
            return str(caught.value)
        finally:
            await context.close()

    for host in ("127.0.0.1", "localhost", "some.test"):
        assert "ERR_PROXY_CONNECTION_FAILED" in await server.portal.run(visit, host)
    assert forbidden.connections == 0


HOLES: Final = {
    "no door": (proxy_check, "proxy_settings", lambda port: None),
    "a way around it": (proxy_check, "proxy_settings", lambda port: {"server": "http://none", "bypass": "*"}),
    "udp": (chromium_flags, "PROXY", tuple(one for one in chromium_flags.PROXY if "webrtc" not in one)),
}


def reset_first_client(listener: socket.socket) -> None:
    """Close a listener as a proxy does whose server ends: with its client's connection."""
    client, _ = listener.accept()
    client.recv(100)
    client.sendall(b"\x05\x00")  # the greeting of SOCKS
    client.recv(100)
    listener.close()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


async def error_of_launch(server: Server, browser: Browser) -> BrowserNotLaunched:
    with pytest.raises(BrowserNotLaunched) as caught:
        await browser.request("page/navigate", {"url": "about:blank"})
    assert server.engine.pid is None
    return caught.value


@pytest.mark.slow
async def test_a_browser_that_gets_past_the_wall_is_not_used(
    monkeypatch: pytest.MonkeyPatch, server: Server, browser: Browser
) -> None:
    for name, hole in HOLES.items():
        with monkeypatch.context() as patch:
            patch.setattr(*hole)
            assert not (await error_of_launch(server, browser)).retryable, name
    await browser.request("page/navigate", {"url": "about:blank"})


@pytest.mark.slow
async def test_a_browser_whose_proxy_does_not_answer_is_not_said_to_get_past_the_wall(
    monkeypatch: pytest.MonkeyPatch, server: Server, browser: Browser
) -> None:
    with monkeypatch.context() as patch, socket.create_server(("127.0.0.1", 0)) as silent:
        there = proxy_check.proxy_settings(silent.getsockname()[1])
        patch.setattr(proxy_check, "proxy_settings", lambda port: there)
        late = await error_of_launch(server, browser)
    listener = socket.create_server(("127.0.0.1", 0))
    assert server.engine.proxy_check is not None
    ending = attrs.evolve(server.engine.proxy_check, port=listener.getsockname()[1])
    with monkeypatch.context() as patch:
        patch.setattr(server.engine, "proxy_check", ending)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.to_thread.run_sync, reset_first_client, listener)
            ended = await error_of_launch(server, browser)
    assert "could not be checked within" in str(late)
    assert "ended with its server" in str(ended)
    assert late.retryable
    assert ended.retryable
    await browser.request("page/navigate", {"url": "about:blank"})


@attrs.frozen
class Fenced:
    """A client with one site on its allowlist."""

    browser: Browser
    site: Allowed

    async def visit(self, body: str) -> str:
        url = self.site.markup("/here", body)
        await self.browser.request("page/navigate", {"url": url})
        return url

    async def click(self, css: str = "#a") -> Any:
        return await self.browser.request("action/click", {"selector": {"type": "css", "value": css}})

    async def pages(self) -> list[str]:
        return [page["url"] for page in (await self.browser.request("page/list"))["pages"]]

    async def place(self) -> str:
        return (await self.pages())[0]


@pytest.fixture(scope="module")
def fence() -> Iterator[tuple[SharedServer, Allowed]]:
    """Return a server for all tests with one site on the allowlist, and the site."""
    site = Allowed()
    server = SharedServer(CONFIG, partial(open_beside, site))
    yield server, site
    server.close()


@pytest.fixture
async def fenced(fence: tuple[SharedServer, Allowed]) -> AsyncIterator[Fenced]:
    server, site = fence
    with trio.fail_after(LIMIT_S):
        async with server.connect() as browser:
            yield Fenced(browser, site)


@pytest.fixture
async def fenced_alone() -> AsyncIterator[tuple[Fenced, Collection[Denial]]]:
    """Return a client of a server of its own, and the denials of that."""
    with trio.fail_after(LIMIT_S):
        async with open_trials(CONFIG, walled=True) as (trials, server):
            yield Fenced(trials.browser, trials.site), server.egress.denial_log.denials


LEAVING: Final = {
    "link": '<a id=a href="@U">a</a>',
    "redirect": '<a id=a href="@T302">a</a>',
    "location": "<button id=a onclick=\"location = '@U?token=secret'\">a</button>",
    "form": '<form action="@U"><button id=a>a</button></form>',
    "post": '<form method=post action="@T307"><button id=a>a</button></form>',
    "download": '<a id=a href="@U" download>a</a>',
}


async def test_a_click_that_navigates_to_a_refused_url_is_reported(fenced: Fenced) -> None:
    for markup in LEAVING.values():
        here = await fenced.visit(Way("x", "").fill(markup, fenced.site.forbidden.port) + "<p id=p>still here")
        with pytest.raises(DomainNotAllowed) as caught:
            await fenced.click()
        assert caught.value.details["domain"] == "v-x.evil.test"
        assert caught.value.details["url"].startswith("http://v-x.evil.test:")
        assert "secret" not in str(caught.value.to_wire())
        assert caught.value.details["allowed"] == 2
        assert await fenced.place() == here
        assert await evaluate(fenced.browser, "document.querySelector('#p').textContent") == "still here"
        assert fenced.site.forbidden.connections == 0
        # and the page can be used: its next action and navigation succeed
        await fenced.click("#p")
        assert await fenced.visit("again") == await fenced.place()


async def test_no_step_of_a_sequence_follows_one_that_is_refused(fenced: Fenced) -> None:
    for way in ("link", "location", "form"):
        counter = '<button id=n onclick="this.value = +this.value + 1" value=0>n</button>'
        await fenced.visit(Way("x", "").fill(LEAVING[way], fenced.site.forbidden.port) + counter)
        steps = [
            {"action": "action/click", "params": {"selector": {"type": "css", "value": css}}} for css in ("#n", "#a")
        ]
        result = await fenced.browser.request("agent/act", {"steps": [*steps, steps[0]]})
        assert [step.get("error", {}).get("code") for step in result["results"]] == [None, DomainNotAllowed.code]
        assert await evaluate(fenced.browser, "document.querySelector('#n').value") == "1"


WINDOWS: Final = {
    "link": '<a id=a target=_blank href="@U">a</a>',
    "link without opener": '<a id=a target=_blank rel=noopener href="@U">a</a>',
    "open": "<button id=a onclick=\"window.open('@U?token=secret')\">a</button>",
    "named": "<button id=a onclick=\"window.open('@U', 'named')\">a</button>",
    "redirect": "<button id=a onclick=\"window.open('@T302')\">a</button>",
    "form": '<form target=_blank action="@U"><button id=a>a</button></form>',
}


async def test_a_click_that_opens_a_window_at_a_refused_url_is_reported(fenced: Fenced) -> None:
    for markup in WINDOWS.values():
        here = await fenced.visit(Way("x", "").fill(markup, fenced.site.forbidden.port))
        with pytest.raises(DomainNotAllowed) as caught:
            await fenced.click()
        assert caught.value.details["domain"] == "v-x.evil.test"
        assert caught.value.details["url"].startswith("http://v-x.evil.test:")
        assert "secret" not in str(caught.value.to_wire())
        assert await fenced.pages() == [here]
        assert fenced.site.forbidden.connections == 0
        assert await fenced.visit("again") == await fenced.place()


async def test_an_empty_window_that_navigates_to_a_refused_url_is_closed(fenced: Fenced) -> None:
    here = await fenced.visit("<button id=a onclick=\"made = window.open('')\">a</button>")
    leave = Way("x", "").fill("made.location = '@U', 0", fenced.site.forbidden.port)
    async with collect_events(fenced.browser, "page") as collector:
        opened = (await fenced.click())["newPages"][0]["pageId"]
        await fenced.browser.request("script/evaluate", {"expression": leave, "world": "main"})
        await collector.until(lambda event: event.type == "close" and event.page_id == opened)
        (refused,) = collector.all(lambda event: event.type == "error")
    assert "v-x.evil.test" in refused.reason
    assert await fenced.pages() == [here]
    assert fenced.site.forbidden.connections == 0


async def test_a_window_with_a_document_stays_there(fenced_alone: tuple[Fenced, Collection[Denial]]) -> None:
    fenced, denials = fenced_alone
    there = fenced.site.markup("/there", "there")
    here = await fenced.visit(f"<button id=a onclick=\"made = window.open('{there}')\">a</button>")
    opened = (await fenced.click())["newPages"][0]["pageId"]
    with trio.fail_after(LIMIT_S):
        while await fenced.pages() != [here, there]:  # noqa: ASYNC110 - nobody tells
            await trio.sleep(0.01)
    leave = Way("x", "").fill("made.location = '@U', 0", fenced.site.forbidden.port)
    await fenced.browser.request("script/evaluate", {"expression": leave, "world": "main"})
    with trio.fail_after(LIMIT_S):
        while not any(one.page_id == opened for one in denials):  # noqa: ASYNC110 - nobody tells
            await trio.sleep(0.01)
    assert await fenced.pages() == [here, there]


async def test_a_script_that_navigates_to_a_refused_url_is_reported(fenced: Fenced) -> None:
    here = await fenced.visit("here")
    leave = Way("x", "").fill("location = '@U?token=secret'; 7", fenced.site.forbidden.port)
    async with collect_events(fenced.browser, "page") as collector:
        assert await evaluate(fenced.browser, leave) == 7
        (event,) = await collector.until(lambda event: event.type == "error")
    assert event.page_id == (await fenced.browser.request("page/list"))["activePage"]
    assert event.url.startswith("http://v-x.evil.test:")
    assert "secret" not in str(event)
    assert await fenced.place() == here


@pytest.mark.slow
async def test_a_page_that_tries_in_a_loop_is_reported_at_intervals(
    fenced_alone: tuple[Fenced, Collection[Denial]],
) -> None:
    fenced, denials = fenced_alone
    async with collect_events(fenced.browser, "page") as collector:
        leave = Way("x", "").fill("setInterval(() => location = '@U', 5)", fenced.site.forbidden.port)
        with contextlib.suppress(DomainNotAllowed):  # the first attempt may come while the page loads
            await fenced.visit(f"<p id=p>x<script>{leave}</script>")
        with trio.fail_after(LIMIT_S):
            while len(denials) < 60:  # noqa: ASYNC110 - nobody tells
                await trio.sleep(0.01)
        await collector.until(lambda event: event.type == "error")
        assert len(collector.all(lambda event: event.type == "error")) < 30


async def test_a_navigation_that_is_redirected_to_a_refused_url_is_reported(fenced: Fenced) -> None:
    here = await fenced.visit("here")
    with pytest.raises(DomainNotAllowed) as caught:
        await fenced.browser.request("page/navigate", {"url": f"http://localhost:{fenced.site.port}/to/301/x"})
    assert caught.value.details["domain"] == "v-x.evil.test"
    assert await fenced.place() == here
    assert await fenced.visit("again") == here


@pytest.mark.parametrize("how", ["location = '@U'", "document.write('<form action=@U>'); document.forms[0].submit()"])
async def test_a_page_that_redirects_while_it_loads_is_reported_and_stays(fenced: Fenced, how: str) -> None:
    with pytest.raises(DomainNotAllowed) as caught:
        await fenced.visit(Way("x", "").fill(f"<p id=p>x</p><script>{how}</script>", fenced.site.forbidden.port))
    assert caught.value.details["domain"] == "v-x.evil.test"
    assert await evaluate(fenced.browser, "document.querySelector('#p').textContent") == "x"
    with pytest.raises(DomainNotAllowed):
        await fenced.browser.request("page/reload")
    assert await fenced.visit("again") == await fenced.place()


async def test_a_page_s_own_attempts_fail_no_action(fenced: Fenced) -> None:
    leave = Way("x", "").fill("setInterval(() => location = '@U', 5)", fenced.site.forbidden.port)
    here = await fenced.visit(f"<p id=p>x<script>{leave}</script>")
    observed = await fenced.browser.request("observe/ariaSnapshot")
    assert observed
    assert await fenced.visit("again") == here
    assert fenced.site.forbidden.connections == 0


async def test_a_navigation_within_the_allowlist_is_allowed(fenced: Fenced) -> None:
    fenced.site.markup("/there", "there")
    await fenced.visit('<a id=a href="/there">a</a><iframe src="/there"></iframe>')
    assert (await fenced.click())["navigated"] is True
    assert await fenced.place() == f"http://localhost:{fenced.site.port}/there"


async def test_interception_works_together_with_the_navigation_policy(fenced: Fenced) -> None:
    rule = {"patterns": [{"urlPattern": "**/made"}], "handler": "respond", "response": {"status": 200, "body": "made"}}
    await fenced.browser.request("network/intercept", rule)
    leave = Way("x", "").fill('<a id=a href="@U">a</a><a id=b href="/made">b</a>', fenced.site.forbidden.port)
    here = await fenced.visit(leave)
    with pytest.raises(DomainNotAllowed):
        await fenced.click()
    assert await fenced.place() == here
    await fenced.click("#b")
    assert await evaluate(fenced.browser, "document.body.textContent") == "made"
