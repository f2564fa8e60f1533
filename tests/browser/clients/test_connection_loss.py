"""A client in a real browser whose line is cut, or whose server is killed, in the middle of its work."""

import contextlib
import signal
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

import agentbrowser
from agentbrowser.client import Browser, ConnectionLost, Page, Reconnect
from agentbrowser.config import Config
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server
from tests.browser.relay import Relay, run_relay
from tests.browser.server.test_cli_serve import Program, program
from tests.browser.site import Site

pytestmark = pytest.mark.slow

SOON = Reconnect(base_ms=5, max_attempts=5)
COUNTER = """
<button id=add onclick="add()">Add</button> <output id=count>…</output>
<script>
  let count
  const show = () => { document.querySelector('#count').value = count; console.log(count) }
  async function add() {
    count += 1
    show()
    await fetch('/did', {method: 'POST', body: String(count), keepalive: true})
  }
</script>
"""


def counter(site: Site) -> str:
    """Serve a page that counts clicks and tells the site of each; return its URL."""
    site.serve("/did", b"")
    return site.html("/", f"{COUNTER}<script>count = 0; show()</script>")


def told(site: Site) -> list[int]:
    """Return the clicks that the site was told of, sorted: over two connections one may overtake another."""
    return sorted(int(one.body) for one in site.seen if one.path == "/did")


@pytest.fixture
def door() -> Iterator[socket.socket]:
    """Where the client knocks."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        yield door


@pytest.fixture
def config(door: socket.socket) -> Config:
    host = f"127.0.0.1:{door.getsockname()[1]}"
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, allowed_hosts=(host,))


@contextlib.asynccontextmanager
async def cut_off(server: Server, door: socket.socket) -> AsyncIterator[tuple[Browser, Relay]]:
    """Give a client behind a relay."""
    async with run_relay(door, server.port) as relay, agentbrowser.connect(relay.url, reconnect=SOON) as browser:
        yield browser, relay


async def until_told(site: Site, count: int) -> None:
    with trio.fail_after(30):
        while len(told(site)) < count:  # noqa: ASYNC110 - the site is another thread
            await trio.sleep(0.01)


async def test_a_script_survives_a_cut_connection(server: Server, site: Site, door: socket.socket) -> None:
    async with cut_off(server, door) as (browser, relay):
        page = await browser.new_page(counter(site))
        for number in range(1, 61):
            if number % 6 == 0:
                relay.cut_after = 1
            assert (await page["#add"].click()).navigated is False
        assert await page.content("text", selector="#count") == "60"
        await until_told(site, 60)
        assert told(site) == list(range(1, 61))
        assert relay.cuts == 10
        assert browser.state == "connected"


async def test_events_missed_while_disconnected_are_replayed(server: Server, site: Site, door: socket.socket) -> None:
    async with cut_off(server, door) as (browser, relay):
        page = await browser.new_page(counter(site))
        async with browser.events("console") as events:
            for number in range(1, 11):
                if number in (3, 7):
                    relay.cut_after = 1
                await page["#add"].click()
            with trio.fail_after(30):
                heard = [(await anext(events)).text for _ in range(10)]
        assert heard == [str(number) for number in range(1, 11)]
        assert relay.cuts == 2


async def test_another_process_can_resume_a_session(server: Server, site: Site) -> None:
    session = agentbrowser.client.SessionKey()
    async with agentbrowser.connect(server.url, session=session) as browser:
        await browser.new_page(counter(site))
    assert session.secret is not None
    kept = agentbrowser.client.SessionKey(id=session.id, secret=session.secret)
    async with agentbrowser.connect(server.url, session=kept) as browser:
        assert browser.server is not None
        assert browser.server.restored == "warm"
        assert (await browser.page["#add"].click()).navigated is False


async def test_a_session_taken_over_by_another_client_is_not_reconnected(server: Server, site: Site) -> None:
    session = agentbrowser.client.SessionKey()
    async with agentbrowser.connect(server.url, session=session, reconnect=SOON) as first:
        async with agentbrowser.connect(server.url, session=session), first.changes() as changes:
            states = [change.state async for change in changes]
        assert states == ["closed"]
        with pytest.raises(ConnectionLost) as caught:
            await first.request("page/list")
        assert caught.value.details["code"] == 4001
        assert not caught.value.retryable


async def until_saved(state: Path, url: str) -> None:
    """Wait until the server's database in this directory holds a page: a server that is killed before forgets it."""
    with trio.fail_after(30):
        while not any(url.encode() in file.read_bytes() for file in state.glob("sessions.db*")):  # noqa: ASYNC110, ASYNC240
            await trio.sleep(0.01)


class Script:
    """Adds up to a number, and looks where it stands whenever it can't be sure."""

    def __init__(self, browser: Browser, url: str, keeps_pages: bool) -> None:
        self.browser = browser
        self.url = url
        self.keeps_pages = keeps_pages
        self.page: Page | None = None
        self.done = 0
        self.interruptions: list[AgentBrowserError] = []

    async def run(self, until: int, reached: trio.Event) -> None:
        page = await self.begin()
        while self.done < until:
            try:
                await page["#add"].click()
                self.done += 1
            except AgentBrowserError as error:
                self.interruptions.append(error)
                page = await self.begin()
            if self.done == until // 2:
                reached.set()

    async def begin(self) -> Page:
        if self.page is None or not self.keeps_pages:
            self.page = await self.browser.new_page(self.url)
        self.done = int(await self.page.content("text", selector="#count"))
        return self.page


class Pages(dict[str, tuple[bytes, dict[str, str]]]):
    """The pages of a site whose counter begins with what the site was told of so far."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.pages)
        self.site = site

    def get(self, path: str, default: Any = None) -> Any:
        if path == "/":
            self.site.html("/", f"{COUNTER}<script>count = {len(told(self.site))}; show()</script>")
        return super().get(path, default)


async def kill_and_restart(first: Program, reached: trio.Event, over: trio.Event, *words: str) -> None:
    await reached.wait()
    await first.end(signal.SIGKILL)
    async with program("--port", str(first.port), *words):
        await over.wait()


@pytest.mark.parametrize(("keeps_pages", "actions"), [(True, 30), (False, 20)], ids=["kept", "gone"])
async def test_a_script_survives_a_killed_server(site: Site, tmp_path: Path, keeps_pages: bool, actions: int) -> None:
    url = counter(site)
    site.pages = Pages(site)
    reached, over = trio.Event(), trio.Event()
    patient = Reconnect(base_ms=250, max_attempts=6)
    words = ["--state-dir", str(tmp_path / "state")] if keeps_pages else []
    async with program(*words) as first, trio.open_nursery() as nursery:
        nursery.start_soon(kill_and_restart, first, reached, over, *words)
        async with agentbrowser.connect(f"ws://127.0.0.1:{first.port}", reconnect=patient) as browser:
            script = Script(browser, url, keeps_pages)
            if keeps_pages:
                await script.begin()
                await until_saved(tmp_path / "state", url)
            await script.run(actions, reached)
            await until_told(site, actions)
        over.set()
    assert told(site) == list(range(1, actions + 1))
    (interruption,) = script.interruptions
    assert isinstance(interruption, ConnectionLost)
    assert interruption.retryable
