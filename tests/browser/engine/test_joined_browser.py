"""A browser that another program has started: what it needs, and that nothing of it is touched."""

import asyncio
import contextlib
import json
import os
import subprocess
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import trio
from playwright.async_api import Dialog, async_playwright

from agentbrowser.browser.engine import chromium_flags
from agentbrowser.browser.engine.chromium_flags import PROXY
from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched, InvalidParams
from agentbrowser.server.app import open_server
from tests.browser.processes import LIMIT_S, play, running, until, works
from tests.browser.site import Site

DOWNLOAD = """() => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["x"]));
    link.download = "kept.txt";
    link.click();
}"""
FLAGS = ("--enable-automation", *PROXY)


def command(folder: Path, *flags: str) -> list[str]:
    """Return the command of a browser with a page of its own."""
    path, profile = find_browser("chromium").path, f"--user-data-dir={folder}"
    return [path, "--headless", "--no-sandbox", "--remote-debugging-port=0", profile, *flags, "about:blank"]


def address(folder: Path) -> str:
    """Return the DevTools address of a browser; empty until it listens."""
    port_file = folder / "DevToolsActivePort"
    lines = port_file.read_text().splitlines() if port_file.exists() else []
    return f"http://127.0.0.1:{lines[0]}" if len(lines) == 2 else ""


@contextlib.asynccontextmanager
async def foreign_browser(folder: Path, *flags: str) -> AsyncIterator[str]:
    """Start a browser with a page of its own; yield its DevTools address. [asyncio]"""
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(*command(folder, *flags), stderr=quiet, stdout=quiet)
    try:
        await until(lambda: bool(address(folder)))
        yield address(folder)
    finally:
        process.kill()
        await process.wait()


@contextlib.asynccontextmanager
async def open_foreign_browser(folder: Path, *flags: str) -> AsyncIterator[str]:
    """Start a browser as `foreign_browser` does. [trio]"""
    quiet = subprocess.DEVNULL
    process = await trio.lowlevel.open_process(command(folder, *flags), stderr=quiet, stdout=quiet)
    try:
        with trio.fail_after(LIMIT_S):
            while not address(folder):  # noqa: ASYNC110 - a file gives no event
                await trio.sleep(0.01)
        yield address(folder)
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()


def pages_of(url: str) -> set[tuple[str, str]]:
    """Return id and URL of each page, of all contexts."""
    with urllib.request.urlopen(f"{url}/json/list", timeout=10) as answer:
        return {(target["id"], target["url"]) for target in json.load(answer) if target["type"] == "page"}


def joining(url: str) -> dict[str, Any]:
    return {"browser_url": url, "isolation": "shared"}


def test_a_browser_with_our_flags_is_joined_and_left_as_it_was(tmp_path: Path) -> None:
    async def scene() -> None:
        async with foreign_browser(tmp_path, *FLAGS) as url:
            before = await asyncio.to_thread(pages_of, url)
            assert len(before) == 1
            async with running(**joining(url)) as engine:
                assert await works(engine)
                assert engine.pid is None
            assert await asyncio.to_thread(pages_of, url) == before

    play(scene)


def test_the_persons_dialogs_and_downloads_are_left_to_the_person(tmp_path: Path) -> None:
    """Playwright dismissed the dialogs, and moved the downloads to a directory that it removed at the end."""

    async def scene() -> None:
        (downloads := tmp_path / "downloads").mkdir()
        async with foreign_browser(tmp_path / "profile", *FLAGS) as url, async_playwright() as playwright:
            person = await playwright.chromium.connect_over_cdp(url, no_defaults=True)
            [page] = person.contexts[0].pages
            session = await person.new_browser_cdp_session()
            behavior = {"behavior": "allow", "downloadPath": str(downloads), "eventsEnabled": True}
            await session.send("Browser.setDownloadBehavior", behavior)
            dialogs: asyncio.Queue[Dialog] = asyncio.Queue()
            page.on("dialog", dialogs.put_nowait)
            async with running(**joining(url)) as engine:
                assert await works(engine)
                asking = asyncio.create_task(page.evaluate("confirm('Pay?')"))
                dialog = await dialogs.get()
                assert await works(engine)  # time in which the dialog could be dismissed
                await dialog.accept()
                assert await asking
                await page.evaluate(DOWNLOAD)
                await until(lambda: (downloads / "kept.txt").exists())
            assert (downloads / "kept.txt").exists()

    play(scene)


async def test_a_session_pastes_nothing_that_others_have_copied(tmp_path: Path, site: Site) -> None:
    """Another server stands for the person: both copy without a notice to this one."""
    async with open_foreign_browser(tmp_path, *FLAGS) as url, contextlib.AsyncExitStack() as stack:
        config, browsers = Config(port=0, private_network="allow", **joining(url)), list[Browser]()
        for _ in range(2):
            server = await stack.enter_async_context(open_server(config, listens=False))
            browsers.append(await stack.enter_async_context(server.connect()))
        one, other = browsers
        for browser in browsers:
            await browser.request("page/navigate", {"url": site.html("/", "<input id=i value='a password'>")})
        field = {"selector": {"type": "css", "value": "#i"}}
        for key in ("Control+a", "Control+c"):
            await other.request("action/press", {**field, "key": key})
        await one.request("action/clear", field)
        await one.request("action/press", {**field, "key": "Control+v"})
        assert (await one.request("observe/element", {**field, "properties": ["value"]}))["value"] == ""


def test_a_page_that_does_not_answer_is_named_as_what_keeps_us_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Playwright waits for each page of the browser. The error was that no browser answered, after 30 s."""
    monkeypatch.setattr(chromium_flags, "_JOIN_TIMEOUT_S", 2.0)

    async def scene() -> None:
        async with foreign_browser(tmp_path, *FLAGS) as url, async_playwright() as playwright:
            person = await playwright.chromium.connect_over_cdp(url, no_defaults=True)
            [page] = person.contexts[0].pages
            dialogs: asyncio.Queue[Dialog] = asyncio.Queue()
            page.on("dialog", dialogs.put_nowait)
            asking = asyncio.create_task(page.evaluate("confirm('Pay?')"))
            dialog = await dialogs.get()
            async with running(**joining(url)) as engine:
                with pytest.raises(BrowserNotLaunched, match="not all of its pages") as refused:
                    await engine.launch()
                assert refused.value.retryable
                await dialog.accept()
                assert await asking
                assert await works(engine)

    play(scene)


@pytest.mark.parametrize("missing", [FLAGS[0], PROXY[0], PROXY[-1]])
def test_a_browser_that_lacks_a_flag_is_refused_and_the_flag_named(tmp_path: Path, missing: str) -> None:
    async def scene() -> None:
        async with foreign_browser(tmp_path, *(flag for flag in FLAGS if flag != missing)) as url:
            before = await asyncio.to_thread(pages_of, url)
            async with running(**joining(url)) as engine:
                with pytest.raises(BrowserNotLaunched) as refused:
                    await engine.launch()
            assert missing in refused.value.details["missing"]
            assert not refused.value.retryable
            assert await asyncio.to_thread(pages_of, url) == before

    play(scene)


@pytest.mark.skipif(os.name != "posix", reason="The driver's environment is set by a shell script")
@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
def test_a_proxy_of_the_environment_is_not_asked_for_the_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    async def scene() -> None:
        async with foreign_browser(tmp_path, *FLAGS) as url:
            monkeypatch.setenv(name, "http://127.0.0.1:1")
            monkeypatch.setenv("NO_PROXY", "localhost")
            async with running(**joining(url)) as engine:
                assert await works(engine)

    play(scene)


def test_an_address_where_nothing_answers_is_named() -> None:
    async def scene() -> None:
        async with running(**joining("http://127.0.0.1:1")) as engine:
            with pytest.raises(BrowserNotLaunched, match=r"No browser answers at http://127\.0\.0\.1:1"):
                await engine.launch()

    play(scene)


async def test_pages_never_reach_the_browsers_own_port() -> None:
    config = Config(port=0, browser_url="http://127.0.0.1:9333", isolation="shared", private_network="allow")
    async with open_server(config, listens=False) as server, server.connect() as browser:
        with pytest.raises(InvalidParams) as refused:
            await browser.request("page/create", {"url": "http://localhost:9333/json"})
        assert refused.value.details["reason"] == "self"


@pytest.mark.parametrize("url", ["http://10.0.0.1:9333", "http://127.0.0.1", "file:///x", "http://localhost:x"])
def test_only_addresses_of_this_machine_are_joined(url: str) -> None:
    with pytest.raises(ValueError, match="loopback address and a port"):
        Config(browser_url=url)


@pytest.mark.parametrize(("settings", "named"), [({}, "isolation shared"), ({"browser": "firefox"}, "Chromium")])
async def test_settings_that_do_not_fit_a_joined_browser_are_refused(settings: dict[str, Any], named: str) -> None:
    config = Config(browser_url="http://127.0.0.1:9333", **settings)
    with pytest.raises(ValueError, match=named):
        async with open_server(config, listens=False):
            pass
