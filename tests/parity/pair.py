"""The pair of pages that a scenario runs on: Playwright's and ours, in one browser."""

import contextlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import attrs
import trio
from playwright.async_api import BrowserContext, Error
from playwright.async_api import Page as PlaywrightPage

from agentbrowser.browser.engine.proxy_check import proxy_settings
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import Server, open_server
from tests.browser.site import Site, open_site
from tests.parity.ours import OurPage
from tests.parity.scenario import Outcome, Scenario

_LIMIT_S: Final = 90
_THEIR_TIMEOUT_MS: Final = 15_000
"""Timeout of Playwright's acts that have no brief one; only a wrong scenario reaches it."""
_RECORDER: Final = (Path(__file__).parent / "recorder.js").read_text()
_HEARD: Final = (
    "pointerdown mousedown pointerup mouseup click auxclick dblclick contextmenu keydown keypress keyup beforeinput "
    "input change focus blur submit reset toggle invalid copy cut paste dragstart dragenter dragleave drop dragend"
)
_READ: Final = """async () => {
    await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    const focused = document.activeElement;
    return {log: window.log ?? null, focus: focused && (focused.id || focused.localName), read: (EXPRESSION)};
}"""
_WRITE: Final = "html => { scrollTo(0, 0); document.open(); document.write(html); document.close() }"
_OF_SCENARIO: Final = re.compile(r"/(?:theirs|ours00)/\d+/$")
_GONE: Final = ("Execution context was destroyed", "because of a navigation", "Cannot find context")


@attrs.define(eq=False)
class Pair:
    """Both sides, with the pages that scenarios share. Scenarios run one after the other."""

    server: Server
    browser: Browser
    site: Site
    proxy_port: int
    _context: BrowserContext | None = attrs.field(default=None, init=False)
    _theirs: PlaywrightPage | None = attrs.field(default=None, init=False)
    _ours: tuple[str, PlaywrightPage] | None = attrs.field(default=None, init=False)
    """Id of our shared page, and Playwright's object for it, which only reads."""
    _static: set[PlaywrightPage] = attrs.field(factory=set, init=False)
    """Pages that show static documents."""

    async def play(self, scenario: Scenario, patience: int) -> tuple[Outcome, Outcome, str | None]:
        """Run a scenario on both sides at the same time; return their outcomes, and the name of our error. [trio]"""
        theirs: list[Outcome] = []
        ours: list[tuple[Outcome, str | None]] = []

        async def play_theirs() -> None:
            theirs.append(await self.server.portal.run(self._play_theirs, scenario))

        async def play_ours() -> None:
            ours.append(await self._play_ours(scenario, patience))

        with trio.fail_after(_LIMIT_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(play_theirs)
                nursery.start_soon(play_ours)
        return theirs[0], *ours[0]

    async def forget(self) -> None:
        """Close the shared pages, which a failed scenario may have left in any state. [trio]"""
        if self._ours is not None:
            await self.browser.request("page/close", {"pageId": self._ours[0]})
        await self.server.portal.run(self._forget_theirs)
        self._ours = None

    # Playwright's side

    async def _play_theirs(self, scenario: Scenario) -> Outcome:
        base = self._serve("theirs", scenario)
        async with self._their_page(scenario) as page:
            if not await self._write(page, base, scenario):
                await page.goto(base)
            answer: object = None
            message: str | None = None
            try:
                answer = await scenario.playwright(page)
            except Error as error:
                message = error.message
            if not callable(scenario.ours):
                answer = None  # ours have no value
            return await self._outcome(page, base, scenario, answer, message)

    @contextlib.asynccontextmanager
    async def _their_page(self, scenario: Scenario) -> AsyncIterator[PlaywrightPage]:
        if scenario.context is not None:
            context = await self._new_context(**scenario.context.playwright)
            try:
                yield await context.new_page()
            finally:
                await context.close()
            return
        if self._theirs is None:
            self._context = await self._new_context()
            self._theirs = await self._context.new_page()
        yield self._theirs

    async def _new_context(self, **options: Any) -> BrowserContext:
        context = await self.server.engine.new_context(proxy=proxy_settings(self.proxy_port), **options)
        context.set_default_timeout(_THEIR_TIMEOUT_MS)
        return context

    async def _forget_theirs(self) -> None:
        if self._context is not None:
            await self._context.close()
        self._context = self._theirs = None

    # Our side

    async def _play_ours(self, scenario: Scenario, patience: int) -> tuple[Outcome, str | None]:
        base = self._serve("ours00", scenario)
        async with self._our_page(scenario, base) as (page, reader):
            answer: object = None
            message: str | None = None
            failure: str | None = None
            try:
                answer = await page.play(scenario.ours, patience)
            except AgentBrowserError as error:
                failure, message = type(error).__name__, str(error)
            return await self.server.portal.run(self._outcome, reader, base, scenario, answer, message), failure

    @contextlib.asynccontextmanager
    async def _our_page(self, scenario: Scenario, base: str) -> AsyncIterator[tuple[OurPage, PlaywrightPage]]:
        if scenario.context is None:
            if self._ours is None:
                made = await self.browser.request("page/create", {"url": base})
                self._ours = made["id"], await self.server.portal.run(self._reader, base)
            elif not await self.server.portal.run(self._write, self._ours[1], base, scenario):
                await self.browser.request("page/navigate", {"url": base, "pageId": self._ours[0]})
            yield OurPage(self.browser, self._ours[0], base, None), self._ours[1]
            return
        made = await self.browser.request("context/create", {"options": dict(scenario.context.ours)})
        context_id = made["contextId"]
        try:
            page = await self.browser.request("page/create", {"contextId": context_id, "url": base})
            yield OurPage(self.browser, page["id"], base, context_id), await self.server.portal.run(self._reader, base)
        finally:
            await self.browser.request("context/destroy", {"contextId": context_id})

    async def _reader(self, base: str) -> PlaywrightPage:
        """Return Playwright's object for the page that our client has opened at this URL. [asyncio]"""
        browser = (await self._any_context()).browser
        assert browser is not None
        # A script of the document may have changed the URL already.
        (page,) = [page for context in browser.contexts for page in context.pages if page.url.startswith(base)]
        return page

    async def _any_context(self) -> BrowserContext:
        if self._context is None:
            self._context = await self._new_context()
        return self._context

    # Both

    async def _write(self, page: PlaywrightPage, base: str, scenario: Scenario) -> bool:
        """Write the document into that of the scenario before, if both are static. [asyncio]

        That costs a third of a navigation.
        """
        is_possible = scenario.is_static and page in self._static and _OF_SCENARIO.search(page.url) is not None
        (self._static.add if scenario.is_static else self._static.discard)(page)
        if is_possible:
            body, _ = self.site.pages[urlsplit(base).path]
            await page.evaluate(_WRITE, body.decode())
        return is_possible

    def _serve(self, side: str, scenario: Scenario) -> str:
        folder = f"/{side}/{scenario.number}/"
        words = {"{here}": self.site.url(folder), "{other}": self.site.url(folder, "localhost")}
        types = json.dumps([*_HEARD.split(), *scenario.hears.split()])
        for path, file in {"": scenario.html, **scenario.files}.items():
            headers: dict[str, str] = {"Content-Type": "text/html"}
            if isinstance(file, str):
                for word, url in words.items():
                    file = file.replace(word, url)
                body = f"<!doctype html><meta charset=utf-8><script>{_RECORDER}({types})</script>{file}".encode()
            else:
                body, headers = file[0], {**headers, **file[1]}
                headers = {name: _replaced(value, words) for name, value in headers.items()}
            self.site.pages[folder + path] = (body, {"Cache-Control": "no-store", **headers})
        return self.site.url(folder)

    async def _outcome(
        self, page: PlaywrightPage, base: str, scenario: Scenario, answer: object, message: str | None
    ) -> Outcome:
        """Read what the page saw. [asyncio]"""
        awaited = scenario if message is None else attrs.evolve(scenario, until=None)  # after a failure it never comes
        seen = await _read(page, awaited)
        folder = base[base.index("/", len("http://")) :]
        wire: list[str] = []
        if scenario.wire:
            wire = sorted(  # the browser sends a ping beside the navigation: either may come first
                " ".join((one.method, one.path.removeprefix(folder), one.body.decode(errors="replace"))).strip()
                for one in self.site.seen
                if one.path.startswith(folder)
            )
        return Outcome(message is not None, _relative(answer, folder), _relative(seen, folder), tuple(wire), message)


def _replaced(text: str, words: dict[str, str]) -> str:
    for word, url in words.items():
        text = text.replace(word, url)
    return text


async def _read(page: PlaywrightPage, scenario: Scenario) -> object:
    if page.is_closed():
        return "closed"
    if scenario.until is not None:
        try:
            await page.wait_for_function(scenario.until, timeout=_THEIR_TIMEOUT_MS)
        except Error as error:
            raise AssertionError(f"the page never met {scenario.until}: {error.message}") from None
    while True:
        try:
            seen = await page.evaluate(_READ.replace("EXPRESSION", scenario.read))
        except Error as error:
            if not any(words in error.message for words in _GONE):
                raise
            await page.wait_for_load_state()
        else:
            if scenario.ignores and seen["log"]:
                seen["log"] = [entry for entry in seen["log"] if not re.search(scenario.ignores, entry)]
            return seen


def _relative(value: object, folder: str) -> object:
    """Return a value of JSON with the scenario's folder left out of URLs, since each side has its own."""
    text = json.dumps(value)
    return json.loads(text.replace(folder, "/"))


@attrs.frozen(eq=False)
class PairThread:
    """A pair in a thread of its own, so that all tests of a process share the browser."""

    _pair: Pair
    _token: trio.lowlevel.TrioToken

    def play(self, scenario: Scenario, *, patience: int = 1) -> tuple[Outcome, Outcome, str | None]:
        """Run a scenario on both sides; return Playwright's outcome, ours, and the name of our error.

        Args:
          patience: factor of our brief timeouts.
        """
        theirs, ours, failure = trio.from_thread.run(self._pair.play, scenario, patience, trio_token=self._token)
        if theirs != ours:
            trio.from_thread.run(self._pair.forget, trio_token=self._token)
        return theirs, ours, failure


@contextlib.asynccontextmanager
async def open_pair() -> AsyncIterator[PairThread]:
    """Run a server, and open a pair on it. [trio]"""
    config = Config(port=0, scope=Scope.PRIVILEGED, private_network="allow", max_pages=50, drain_timeout_s=1)
    with open_site() as site:
        async with (
            open_server(config) as server,
            server.egress.open_session_proxy("parity", lambda: True) as proxy,
            server.connect() as browser,
        ):
            yield PairThread(Pair(server, browser, site, proxy.port), trio.lowlevel.current_trio_token())
