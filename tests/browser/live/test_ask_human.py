"""browser_ask_human at /mcp: a person opens its link, takes the page over, and hands it back."""

import re
from typing import Any

import trio
from mcp import Client
from mcp_types import ElicitResult

from agentbrowser.config import Config
from agentbrowser.mcp.mount import open_mount
from agentbrowser.server.app import open_behind
from agentbrowser.server.gate.accept import open_gate
from tests.browser.live.people import People
from tests.browser.site import Site

QUESTION = {"question": "Please sign in."}


def link_in(text: str) -> str:
    return str(re.findall(r"http://\S+/live#link=\w+", text)[0])


async def test_a_person_with_the_link_of_a_question_hands_the_page_back(
    config: Config, site: Site, people: People
) -> None:
    url = site.html("/", "<input aria-label=Name>")

    async def help_at(link: str) -> None:
        async with people.person(link) as person:
            await person.sees("#handoffs >> text=Please sign in.")
            await person.sees_picture()
            await person.take_over()
            await person.click("#back")
            await person.sees("#over")  # the link ends with its handoff, a quarter of a second later

    async def open_link(context: Any, params: Any) -> ElicitResult:
        await help_at(link_in(params.message))
        await trio.sleep_forever()
        raise AssertionError

    with trio.fail_after(200):
        async with open_gate(config) as gate, open_mount(gate) as mount, open_behind(gate) as server:
            assert mount is not None
            mount.serve(server)
            address = f"http://127.0.0.1:{server.port}/mcp"
            async with Client(address, mode="legacy", elicitation_callback=open_link) as client:
                await client.call_tool("browser_navigate", {"url": url})
                asked = str(await client.call_tool("browser_ask_human", QUESTION))
                assert "The page was handed back, and is yours again" in asked
            async with Client(address, mode="2026-07-28") as client:
                await client.call_tool("browser_navigate", {"url": url})
                asked = str(await client.call_tool("browser_ask_human", QUESTION))
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(help_at, link_in(asked))
                    asked = str(await client.call_tool("browser_ask_human", QUESTION))
                assert "The page was handed back, and is yours again" in asked
