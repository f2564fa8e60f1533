"""MCP server on standard input and output, with the official client, in both eras of the protocol."""

import signal
import subprocess
import sys

import pytest
import trio
from mcp import StdioServerParameters

from tests.browser.mcp.task import do_task
from tests.browser.site import Site

COMMAND = StdioServerParameters(
    command=sys.executable, args=["-m", "agentbrowser", "mcp", "--private-network", "allow", "--log-level", "error"]
)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_official_client_does_a_task(mode: str, site: Site) -> None:
    await do_task(COMMAND, mode, site)


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
