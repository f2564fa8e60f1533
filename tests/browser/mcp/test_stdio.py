"""MCP server on standard input and output, with the official client, in both eras of the protocol."""

import re
import signal
import subprocess
import sys
from typing import Any

import pytest
import trio
from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

from tests.browser.site import Site

PAGE = """<label>Name <input id=n></label><p id=o role=status></p><a href=/file download>Get</a>
<button onclick="o.textContent = 'Hello ' + n.value">Go</button><button onclick="prompt('Who?')">Sign</button>"""
COMMAND = StdioServerParameters(
    command=sys.executable, args=["-m", "agentbrowser", "mcp", "--private-network", "allow", "--log-level", "error"]
)


async def answer(context: Any, params: Any) -> ElicitResult:
    return ElicitResult(action="accept", content={"answer": params.requested_schema["properties"]["answer"]["enum"][1]})


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_official_client_does_a_task(mode: str, site: Site) -> None:
    url = site.html("/", PAGE)
    site.serve("/file", b"a,b", Content_Disposition='attachment; filename="list.csv"')
    with trio.fail_after(100):
        async with Client(COMMAND, mode=mode, elicitation_callback=answer) as client:

            async def call(name: str, **arguments: Any) -> Any:
                return await client.call_tool(f"browser_{name}", arguments)

            assert len((await client.list_tools()).tools) == 7
            asked = await call("ask_human", question="Which?", choices=["red", "blue"])
            assert asked.content[0].text == "The user answered: blue"
            look = (await call("navigate", url=url)).content[0].text
            field, button = re.findall(r"(@\w+) (?:textbox|button) \"(?:Name|Go)", look)
            steps = [{"do": "fill", "on": field, "value": "Ada"}, {"do": "click", "on": button, "expect": "Hello Ada"}]
            assert "Hello Ada" in (await call("act", steps=steps)).content[0].text
            assert (await call("screenshot")).content[1].mime_type == "image/jpeg"
            failed = await call("act", steps=[{"do": "click", "on": "@gone"}])
            assert failed.is_error
            steps = [{"do": "click", "on": "Get"}, {"do": "click", "on": "Sign"}]
            (_, link) = (await call("act", steps=steps)).content
            assert "accepted prompt" in (await call("act", steps=[{"do": "dialog", "value": "Ada"}])).content[0].text
            (contents,) = (await client.read_resource(link.uri)).contents
            assert (link.name, getattr(contents, "blob", None)) == ("list.csv", "YSxi")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_while_its_input_is_open(number: signal.Signals) -> None:
    with trio.fail_after(60):
        process = await trio.lowlevel.open_process(
            [COMMAND.command, *COMMAND.args], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        await process.stdin.send_all(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        assert b'"id":1' in await process.stdout.receive_some()
        process.send_signal(number)
        assert await process.wait() == 0
        await process.stdin.aclose()
        await process.stdout.aclose()
