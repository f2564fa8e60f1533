"""Private names of Playwright on a real browser: the paths through them lead where the public ones do."""

import pytest
from playwright.async_api import CDPSession

from agentbrowser.browser import faults
from agentbrowser.browser.downloads.disk_guard import DiskQuota
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.events import driver_pipe
from agentbrowser.protocol.errors import ResourceLimitExceeded
from tests.browser.processes import play, running


def test_commands_take_the_short_path(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scene() -> None:
        async with running() as engine:
            page = await (await engine.new_context()).new_page()
            session = await page.context.new_cdp_session(page)
            command = ("Runtime.evaluate", {"expression": "6 * 7"})
            expected = await session.send(*command)
            monkeypatch.delattr(CDPSession, "send")
            assert await vendor.send(session, *command) == expected

    play(scene)


def test_an_answer_beyond_the_limit_is_refused_and_the_page_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver_pipe, "MAX_MESSAGE_BYTES", 1_000_000)

    async def scene() -> None:
        async with running() as engine:
            page = await (await engine.new_context()).new_page()
            with pytest.raises(ResourceLimitExceeded) as refused, faults.mapped():
                await page.evaluate("'x'.repeat(2e6)")
            assert refused.value.details["limit"] == 1_000_000
            assert await page.evaluate("6 * 7") == 42

    play(scene)


def test_a_download_ends_at_the_path_that_is_followed() -> None:
    async def scene() -> None:
        async with running() as engine:
            engine.disk_guard.add(DiskQuota(max_bytes=100))  # a file that no client has room for is emptied
            page = await (await engine.new_context()).new_page()
            async with page.expect_download() as downloading:
                await page.evaluate("""() => {
                    const link = document.createElement("a");
                    [link.href, link.download] = ["data:text/plain,content", "name.txt"];
                    link.click();
                }""")
            download = await downloading.value
            path = await download.path()
            assert path.read_text() == "content"
            assert path in vendor.partial_paths(download)

    play(scene)
