"""Playwright's Python API in process: typical user code, timed in its own thread."""

import contextlib
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from importlib.metadata import version
from typing import Any

import attrs
from playwright.async_api import Browser, Page, Playwright, async_playwright

from agentbrowser.browser.portal import Portal
from bench.pages import ten_steps
from bench.peers.pages import SHOP_SCRIPT
from bench.peers.peer import Operation, Peer, Setting


@attrs.define
class Program:
    """A program with Playwright in process."""

    playwright: Playwright
    browser: Browser
    page: Page
    ref: str = ""
    """Ref of the clicked button."""

    async def arrive(self, url: str) -> None:
        """Load a URL, and find the ref on it. [asyncio]"""
        await self.page.goto(url)
        found = re.search(r'button "Add" \[ref=(\w+)\]', await self.page.locator("body").aria_snapshot(mode="ai"))
        self.ref = found[1] if found else ""

    async def close(self) -> None:
        """Close the browser. [asyncio]"""
        await self.browser.close()
        await self.playwright.stop()


async def _start(setting: Setting) -> Program:
    playwright = await async_playwright().start()
    browser = await playwright.chromium.launch(executable_path=setting.browser, args=list(setting.flags))
    return Program(playwright, browser, await browser.new_page(viewport={"width": 1280, "height": 720}))


async def _time(operation: Operation) -> tuple[float, object]:
    started = time.perf_counter()
    result = await operation()
    return time.perf_counter() - started, result


@contextlib.asynccontextmanager
async def open_in_process(setting: Setting) -> AsyncIterator[Peer]:
    """Run Playwright in its own thread. [trio]"""
    async with Portal.open() as portal:
        program = await portal.run(_start, setting)
        try:
            yield _peer(portal, program, setting)
        finally:
            await portal.run(program.close)


def _peer(portal: Portal, program: Program, setting: Setting) -> Peer:
    page = program.page

    async def here(work: Callable[[], Awaitable[Any]]) -> Any:
        return await work()

    async def timed(operation: Operation) -> tuple[float, object]:
        return await portal.run(_time, operation)

    return Peer(
        name="Playwright in process",
        version=version("playwright"),
        operations={
            "navigate": lambda: page.goto(setting.form),
            "observe": lambda: page.locator("body").aria_snapshot(mode="ai"),
            "click by css": lambda: page.locator("#add").click(),
            "click by role": lambda: page.get_by_role("button", name="More of it").click(),
            "click by ref": lambda: page.locator(f"aria-ref={program.ref}").click(),
            "fill": lambda: page.locator("#name").fill("Ada"),
            "ten steps": lambda: ten_steps(page),
            "extract": lambda: page.evaluate(SHOP_SCRIPT),
            "screenshot": lambda: page.screenshot(type="jpeg", quality=80),
        },
        go=lambda url: portal.run(here, lambda: program.arrive(url)),
        evaluate=lambda expression: portal.run(here, lambda: page.evaluate(expression)),
        timed=timed,
    )
