"""Private names of Playwright on a real browser: the paths through them lead where the public ones do."""

import asyncio

import pytest
from playwright.async_api import CDPSession

from agentbrowser.browser import faults
from agentbrowser.browser.downloads.disk_guard import DiskQuota
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.engine.processes import wait_until
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


def test_arguments_of_console_messages_are_not_kept() -> None:
    async def scene() -> None:
        async with running() as engine:
            context = await engine.new_context()
            page = await context.new_page()
            texts: list[str] = []
            context.on("console", lambda message: texts.append(" ".join(map(str, message.args))))
            known = page._impl_obj._connection._objects
            before = len(known)
            await page.evaluate("for (let at = 0; at < 500; at++) console.log('text', { at })")
            await page.evaluate("new Worker(URL.createObjectURL(new Blob(['console.log(1, [2])'])))")
            async with asyncio.timeout(60):
                await wait_until(lambda: len(texts) == 501)
            assert texts[0].startswith("text ")
            assert len(known) < before + 20
            handle = await page.evaluate_handle("({ a: 1 })")  # others are kept
            await page.evaluate("console.log(1)")
            assert await handle.evaluate("it => it.a") == 1
            await handle.dispose()
            await page.close()

    play(scene)


def test_the_death_of_a_driver_is_no_error_that_asyncio_logs_at_the_end() -> None:
    async def scene() -> None:
        playwright = await vendor.start_playwright(driver_pipe.PipeMeter())
        transport = playwright.stop.__self__._client._transport  # type: ignore[attr-defined]
        transport._proc.kill()
        await asyncio.wait({transport.on_error_future})
        await asyncio.sleep(0)  # its callbacks run in the next turn of the loop
        assert not transport.on_error_future._log_traceback
        await transport.wait_until_stopped()

    play(scene)
