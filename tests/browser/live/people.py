"""Persons at the live view: a Chromium of their own, driven by Playwright in a thread of its own."""

import asyncio
import contextlib
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import attrs
import trio
from playwright.async_api import Browser, Page, async_playwright

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.live.view import LiveView

if TYPE_CHECKING:
    from concurrent.futures import Future

T = TypeVar("T")
LIMIT_MS = 60_000


async def until_nobody_watches(live: LiveView) -> None:
    """Wait until nobody watches. [trio]"""
    while live.watchers or live._streams:  # noqa: ASYNC110 - it has no event for this
        await trio.sleep(0.02)


@attrs.define(eq=False)
class Person:
    """One person with one tab."""

    page: Page
    loop: asyncio.AbstractEventLoop
    received: list[str | bytes] = attrs.field(factory=list)
    """Everything that the socket has brought."""

    async def do(self, act: Callable[[Page], Coroutine[Any, Any, T]]) -> T:
        """Run Playwright calls on the person's tab. [trio]"""
        future: Future[T] = asyncio.run_coroutine_threadsafe(act(self.page), self.loop)
        return await trio.to_thread.run_sync(future.result)

    async def sees(self, selector: str, **options: Any) -> None:
        """Wait until an element is visible. [trio]"""
        await self.do(lambda page: page.locator(selector).first.wait_for(**options))

    async def click(self, selector: str) -> None:
        await self.do(lambda page: page.click(selector))

    async def sees_picture(self) -> None:
        """Wait for a picture of the chosen page. [trio]"""
        await self.sees("#picture[data-pictures]")

    async def take_over(self) -> None:
        await self.click("#take")
        await self.sees("#keys")

    async def hand_back(self) -> None:
        await self.click("#back")
        await self.sees("#take")

    async def sees_color(self, x: float, y: float, color: tuple[int, int, int]) -> None:
        """Wait until the picture has about that color at a point, given as parts of its size. [trio]"""
        near = """([x, y, color]) => {
            const picture = document.getElementById("picture");
            const at = [Math.floor(x * picture.width), Math.floor(y * picture.height), 1, 1];
            const found = picture.getContext("2d").getImageData(...at).data;
            return color.every((value, index) => Math.abs(value - found[index]) < 40);
        }"""
        await self.do(lambda page: page.wait_for_function(near, arg=[x, y, list(color)], polling=100))

    async def point(self, x: float, y: float) -> tuple[float, float]:
        """Return the point of the window at a point of the picture, given as parts of its size. [trio]"""
        await self.do(lambda page: page.locator("#picture").scroll_into_view_if_needed())
        box = await self.do(lambda page: page.locator("#picture").bounding_box())
        assert box is not None
        return box["x"] + x * box["width"], box["y"] + y * box["height"]


@attrs.define(eq=False)
class People:
    """The browser of all persons of this process."""

    loop: asyncio.AbstractEventLoop
    browser: Browser

    async def run(self, work: Coroutine[Any, Any, T]) -> T:
        future: Future[T] = asyncio.run_coroutine_threadsafe(work, self.loop)
        return await trio.to_thread.run_sync(future.result)

    @contextlib.asynccontextmanager
    async def person(self, url: str, **options: Any) -> AsyncIterator[Person]:
        """Open a URL in a tab of a new person."""
        person = await self.run(self._open(url, options))
        try:
            yield person
        finally:
            with trio.CancelScope(shield=True):
                await self.run(person.page.context.close())

    async def _open(self, url: str, options: dict[str, Any]) -> Person:
        context = await self.browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
        context.set_default_timeout(LIMIT_MS)
        page = await context.new_page()
        person = Person(page, self.loop)
        page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: person.received.append(frame)))
        await page.goto(url)
        return person


@contextlib.contextmanager
def open_people() -> Iterator[People]:
    """Launch the browser of the persons."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="people")
    thread.start()

    def run(work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    async def start() -> Any:
        playwright = await async_playwright().start()
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        return playwright, await playwright.chromium.launch(
            executable_path=find_browser("chromium").path, args=arguments
        )

    playwright, browser = run(start())
    try:
        yield People(loop, browser)
    finally:
        run(browser.close())
        run(playwright.stop())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
