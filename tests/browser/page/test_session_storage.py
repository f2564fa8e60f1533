"""sessionStorage of frames in processes of their own, as with site isolation."""

import asyncio
import os

from playwright.async_api import async_playwright

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.browser.storage.session_storage import SessionStorage
from tests.browser.site import Site, open_site
from tests.browser.stage import FakeTab


async def scenario(site: Site) -> None:
    keep = "<script>sessionStorage.at = location.pathname</script>"
    inner = site.url("/inner", "c.localhost")
    site.html("/inner", keep)
    site.html("/outer", f"{keep}<iframe src='{inner}'></iframe>")
    url = site.html("/", f"{keep}<iframe src='{site.url('/outer', 'localhost')}'></iframe>")
    flags = ["--site-per-process", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
    async with asyncio.timeout(20), async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_browser("chromium").path, args=flags)
        page = await browser.new_page()
        await page.goto(url)
        storage = SessionStorage(FakeTab(page))  # type: ignore[arg-type]
        origins = [site.url("", host) for host in ("127.0.0.1", "localhost", "c.localhost")]
        assert await storage.read() == dict(
            zip(origins, [{"at": "/"}, {"at": "/outer"}, {"at": "/inner"}], strict=True)
        )
        await storage.replace({origins[2]: {"new": "1"}})
        assert await storage.read() == {origins[0]: {}, origins[1]: {}, origins[2]: {"new": "1"}}
        assert await page.frames[2].evaluate("sessionStorage.new") == "1"
        await page.evaluate("document.querySelector('iframe').remove()")
        assert await storage.read() == {origins[0]: {}}
        await browser.close()


def test_frames_of_other_processes_are_reached() -> None:
    with open_site() as site:
        asyncio.run(scenario(site))
