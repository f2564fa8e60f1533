"""MCP server on standard input and output, with the official client, in both eras of the protocol."""

import contextlib
import json
import signal
import subprocess
import sys

import pytest
import trio
from mcp import StdioServerParameters

from tests.browser.mcp.task import do_task
from tests.browser.processes import alive, arguments, children
from tests.browser.site import Site

pytestmark = pytest.mark.slow

COMMAND = StdioServerParameters(
    command=sys.executable, args=["-m", "agentbrowser", "mcp", "--private-network", "allow", "--log-level", "error"]
)


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_official_client_does_a_task(mode: str, site: Site) -> None:
    await do_task(COMMAND, mode, site)


INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
NAVIGATE = {"name": "browser_navigate", "arguments": {"url": "about:blank"}}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_and_its_browser_while_its_input_is_open(number: signal.Signals) -> None:
    with trio.fail_after(200):
        process = await trio.lowlevel.open_process(
            [COMMAND.command, *COMMAND.args], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        for id_, (method, params) in enumerate([("initialize", INITIALIZE), ("tools/call", NAVIGATE)]):
            request = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
            await process.stdin.send_all(json.dumps(request).encode() + b"\n")
            received = b""
            while not received.endswith(b"\n"):
                received += bytes(await process.stdout.receive_some())
            assert "error" not in json.loads(received)
        family = family_of(process.pid)
        assert len(family) > 1
        process.send_signal(number)
        assert await process.wait() == 0
        while any(map(alive, family)):  # noqa: ASYNC110 - processes give no event
            await trio.sleep(0.01)
        await process.stdin.aclose()
        await process.stdout.aclose()


async def test_the_driver_starts_while_nobody_asks_and_the_browser_with_the_first_call() -> None:
    with trio.fail_after(200):
        process = await trio.lowlevel.open_process(
            [COMMAND.command, *COMMAND.args], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        while not any(map(is_driver, children(process.pid))):  # noqa: ASYNC110 - processes give no event
            await trio.sleep(0.01)
        assert not any(map(children, children(process.pid)))
        await process.stdin.aclose()
        assert await process.wait() == 0
        assert await process.stdout.receive_some() == b""
        await process.stdout.aclose()


def is_driver(pid: int) -> bool:
    """Return True for Playwright's driver; an import runs ldconfig for a moment before it."""
    with contextlib.suppress(OSError):  # it has ended
        return "/driver/node" in arguments(pid)[0]
    return False


def family_of(pid: int) -> set[int]:
    """Return the descendants of a process."""
    found = children(pid)
    return found.union(*map(family_of, found))
