"""Private names of Playwright on a real browser: the paths through them lead where the public ones do."""

import pytest
from playwright.async_api import CDPSession

from agentbrowser.browser.engine import vendor
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


def test_a_download_ends_at_the_path_that_is_followed() -> None:
    async def scene() -> None:
        async with running() as engine:
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
