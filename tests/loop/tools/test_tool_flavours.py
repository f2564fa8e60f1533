"""Tools with the clients for asyncio and for blocking programs, against a scripted server."""

import asyncio

from agentbrowser import tools
from agentbrowser.client import aio, blocking
from tests.loop.client.test_client_flavours import Server, act

CONSOLE = {"show": "console", "tab": "p"}


async def test_an_asyncio_program_runs_tools() -> None:
    async def play(url: str) -> None:
        async with aio.connect(url) as browser:
            assert await tools.dispatch(browser, "browser_look", CONSOLE | {"find": "nothing"}) == "nothing in console"
            await browser.request("test/echo")
            assert await tools.dispatch(browser, "browser_look", CONSOLE) == 'info "hi"'

    await act(lambda url, server: asyncio.run(play(url)))


async def test_a_blocking_program_runs_tools_and_asks_its_user() -> None:
    def play(url: str, server: Server) -> None:
        with blocking.connect(url) as browser:
            asked = tools.dispatch_blocking(
                browser, "browser_ask_human", {"question": "Red?"}, ask=lambda question: f"{question.text} yes"
            )
            assert asked == "The user answered: Red? yes"
            browser.request("test/echo")
            assert tools.dispatch_blocking(browser, "browser_look", CONSOLE) == 'info "hi"'
            assert tools.dispatch_blocking(browser, "browser_look", CONSOLE) == 'info "hi"'
        assert server.said.count("events/subscribe") == 2  # the journal, and the time for which dialogs stay open

    await act(play)


async def test_a_call_after_the_end_of_the_connection_is_a_text() -> None:
    def play(url: str, server: Server) -> None:
        with blocking.connect(url) as browser:
            pass
        text = tools.dispatch_blocking(browser, "browser_tabs")
        assert isinstance(text, str)
        assert text.startswith("ConnectionLost: ")

    await act(play)
