"""The end of a server in every state, and what the next one finds of one that was killed."""

import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import trio

from agentbrowser.browser.engine.driver_dirs import remove_leftovers
from tests.browser.fault_helpers import clean, living_in, true
from tests.browser.processes import driver_dirs
from tests.browser.server.test_cli_serve import Program, program
from tests.browser.site import Site
from tests.loop.raw_websocket import CLOSE, Wire

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(clean.__name__)]

ENDLESS = "new Promise(() => {})"
IN_FLIGHT = 64
TOKEN = "only-of-these-tests"
WITH_TOKEN = f"X-AGENT-Token: {TOKEN}"
END_S = 12.0 + 20.0
"""The grace and 12 s, and what a busy machine may take longer to start a program's end."""


@contextlib.asynccontextmanager
async def serving(folder: Path, *words: str) -> AsyncIterator[Program]:
    """Run a server whose temporary files are in the folder."""
    words = ("--drain-timeout", "0.3", "--scope", "privileged", *words)
    async with program(*words, TMPDIR=str(folder), AGENT_TOKEN=TOKEN) as server:
        yield server


async def say(wire: Wire, id_: int, method: str, **params: Any) -> None:
    await wire.say(json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params}))


async def answers(wire: Wire) -> tuple[list[dict[str, Any]], int]:
    """Return all that is answered until the server closes, and the code it closes with."""
    heard: list[dict[str, Any]] = []
    while True:
        opcode, payload = await wire.hear()
        if opcode == CLOSE:
            return heard, int.from_bytes(payload[:2], "big")
        message = json.loads(payload)
        if "id" in message:
            heard.append(message)


async def first_page(wire: Wire, site: Site) -> None:
    assert (await wire.head()).startswith(b"HTTP/1.1 101 ")
    await say(wire, 0, "page/navigate", url=site.html("/", "here"))
    while json.loads((await wire.hear())[1]).get("id") != 0:
        pass


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_all_that_is_in_flight_is_answered_when_the_whole_group_is_told_to_end(
    clean: Path, site: Site, number: signal.Signals
) -> None:
    async with serving(clean) as server, server.dial(WITH_TOKEN) as wire:
        await first_page(wire, site)
        for id_ in range(1, IN_FLIGHT + 1):
            await say(wire, id_, "script/evaluate", expression=ENDLESS)
        await say(wire, IN_FLIGHT + 1, "page/list")
        os.killpg(server.process.pid, number)
        with trio.fail_after(END_S):
            heard, code = await answers(wire)
            assert await server.process.wait() == 0
        assert sorted(message["id"] for message in heard) == list(range(1, IN_FLIGHT + 2))
        assert {message["error"]["code"] for message in heard if message["id"] <= IN_FLIGHT} == {-32000}
        assert code == 1001


async def test_the_end_comes_in_time_whatever_hangs(clean: Path, site: Site) -> None:
    async with serving(clean) as server, server.dial(WITH_TOKEN) as wire, server.dial(WITH_TOKEN) as deaf:
        await first_page(wire, site)
        await first_page(deaf, site)
        await say(wire, 1, "script/evaluate", expression="for (;;);")
        for id_ in range(1, 9):  # a client that never reads
            await say(deaf, id_, "script/evaluate", expression="'x'.repeat(4e6)")
        os.killpg(browser_of(await logged(server)), signal.SIGSTOP)
        server.process.send_signal(signal.SIGTERM)
        with trio.fail_after(END_S):
            heard, code = await answers(wire)
            assert await server.process.wait() == 0
        assert [message["id"] for message in heard] == [1]
        assert code == 1001


async def test_a_signal_while_it_starts_ends_it(clean: Path) -> None:
    node = clean / "slow-node"
    node.write_text('#!/bin/sh\n: > "$0.runs"\nexec sleep 600\n')
    node.chmod(0o700)
    async with program(starts=False, TMPDIR=str(clean), PLAYWRIGHT_NODEJS_PATH=str(node)) as server:
        await true((clean / "slow-node.runs").exists)
        with trio.fail_after(END_S):
            assert await server.end() == 0
        assert [event for event in server.events() if event.startswith("stop")] == ["stopping", "stopped"]


async def test_a_second_signal_spares_no_browser_that_is_stopped(clean: Path, site: Site) -> None:
    async with serving(clean, "--drain-timeout", "60") as server, server.dial(WITH_TOKEN) as wire:
        await first_page(wire, site)
        await say(wire, 1, "script/evaluate", expression=ENDLESS)
        os.killpg(browser_of(await logged(server)), signal.SIGSTOP)
        server.process.send_signal(signal.SIGTERM)
        await server.read_log(until="stopping")
        assert await server.end_at_once() == 1
        await true(lambda: not living_in(clean))
    for home in driver_dirs(clean):
        assert (home / "started").stat().st_mode & 0o777 == 0o600
    remove_leftovers()  # as the next start would, see below
    assert not driver_dirs(clean)


async def logged(server: Program) -> Program:
    await server.read_log(until="browser_launched")
    return server


def browser_of(server: Program) -> int:
    return next(int(line["pid"]) for line in server.lines() if line["event"] == "browser_launched")


async def test_a_killed_server_leaves_nothing_and_what_is_stopped_the_next_one_ends(clean: Path, site: Site) -> None:
    async with serving(clean) as server, server.dial(WITH_TOKEN) as wire:
        await first_page(wire, site)
        browser = browser_of(await logged(server))
        os.killpg(browser, signal.SIGSTOP)
        os.kill(server.process.pid, signal.SIGKILL)
        await server.process.wait()
        assert browser in living_in(clean)
    async with serving(clean) as server:
        await server.read_log(until="leftovers_removed")
        await true(lambda: browser not in living_in(clean))
        await true(lambda: len(driver_dirs(clean)) == 1)
        async with server.dial(WITH_TOKEN) as wire:
            await first_page(wire, site)
            os.kill(server.process.pid, signal.SIGKILL)
            assert await server.process.wait() == -signal.SIGKILL
            await true(lambda: not living_in(clean))
    remove_leftovers()
