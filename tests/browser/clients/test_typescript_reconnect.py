"""The TypeScript client on a line that is cut, and with a server that is killed: all is done, and nothing twice."""

import json
import signal
from pathlib import Path

import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.server.app import open_server
from tests.browser import npm
from tests.browser.clients.test_connection_loss import Pages, counter, told, until_saved, until_told
from tests.browser.cutting_proxy import open_relay
from tests.browser.server.test_cli_serve import Program, program
from tests.browser.site import Site

ACTIONS = 21
EVERY = 7

ON_A_CUT_LINE = """
import { connect } from "agentbrowser";

const states: string[] = [];
const browser = await connect("URL", { reconnect: { baseMs: 1 }, onLine: (change) => states.push(change.state) });
const page = await browser.newPage("SITE");
const button = page.element({ type: "role", role: "button", name: "Add" });
for (let done = 0; done < ACTIONS; done++) await button.click();
const { content } = await page.content({ format: "text", selector: { type: "css", value: "#count" } });
const reconnects = states.filter((state) => state === "reconnecting").length;
console.log(JSON.stringify([Number(content), (await browser.pages()).length, reconnects]));
await browser.close();
"""

WITH_A_MORTAL_SERVER = """
import { connect, ConnectionLost, type LineState } from "agentbrowser";

const restored: Array<string | undefined> = [];
const onLine = (change: LineState) => change.state === "connected" && restored.push(change.restored ?? "new");
const browser = await connect("URL", { reconnect: { baseMs: 250, maxAttempts: 6 }, onLine });
const page = await browser.newPage("SITE");
await fetch("SITEsaved"); // a server that is killed before it has saved the page forgets it
const interruptions: ConnectionLost[] = [];
for (let done = 0; done < ACTIONS; ) {
  try {
    await page.element({ type: "css", value: "#add" }).click();
    done++;
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    interruptions.push(error); // it may have acted: the page, which is there again, says how far it has come
    done = Number((await page.content({ format: "text", selector: { type: "css", value: "#count" } })).content);
  }
}
const errors = interruptions.map(({ retryable, details }) => [retryable, details["mayHaveActed"]]);
console.log(JSON.stringify({ restored, errors }));
await browser.close();
"""


async def built(program: str, url: str, site: str, folder: Path) -> Path:
    program = program.replace("URL", url).replace("SITE", site).replace("ACTIONS", str(ACTIONS))
    return await npm.build_program(folder, program, is_checked=False)


@pytest.mark.slow
async def test_actions_survive_cut_connections(site: Site, tmp_path: Path) -> None:
    url = counter(site)
    async with open_relay(EVERY) as relay:
        host = f"127.0.0.1:{relay.port}"
        async with open_server(Config(port=0, drain_timeout_s=1, allowed_hosts=(host,))) as server:
            relay.to_port = server.port
            code, said = await npm.run("node", await built(ON_A_CUT_LINE, f"ws://{host}", url, tmp_path))
            assert code == 0, said
            await until_told(site, ACTIONS)
    count, pages, reconnects = json.loads(said)
    assert (count, pages) == (ACTIONS, 1)
    assert len(relay.cuts) >= ACTIONS // EVERY
    assert reconnects >= len(relay.cuts) - 1
    assert sorted(told(site)) == list(range(1, ACTIONS + 1))


@pytest.mark.slow
async def test_actions_survive_a_killed_server(site: Site, tmp_path: Path) -> None:
    url = counter(site)
    site.pages = Pages(site)
    site.serve("/saved", b"")
    site.hold("/saved")
    halfway, over = trio.Event(), trio.Event()
    state = ("--state-dir", str(tmp_path / "state"))
    async with program(*state) as first, trio.open_nursery() as nursery:
        path = await built(WITH_A_MORTAL_SERVER, f"ws://127.0.0.1:{first.port}", url, tmp_path)
        nursery.start_soon(answer_once_saved, site, tmp_path / "state", url)
        nursery.start_soon(kill_and_restart, first, halfway, over, *state)
        nursery.start_soon(tell_when, site, ACTIONS // 2, halfway)
        code, said = await npm.run("node", path)
        over.set()
    assert code == 0, said
    await until_told(site, ACTIONS)
    assert told(site) == list(range(1, ACTIONS + 1))
    ended = json.loads(said)
    assert ended["restored"] == ["new", "cold"]
    assert ended["errors"] in ([[True, True]], [])  # none, if it was killed between two actions


async def answer_once_saved(site: Site, state: Path, url: str) -> None:
    await until_saved(state, url)
    site.held["/saved"].set()


async def kill_and_restart(first: Program, halfway: trio.Event, over: trio.Event, *words: str) -> None:
    await halfway.wait()
    await first.end(signal.SIGKILL)
    async with program("--port", str(first.port), *words):
        await over.wait()


async def tell_when(site: Site, count: int, reached: trio.Event) -> None:
    while len(told(site)) < count:  # noqa: ASYNC110 - the site is another thread
        await trio.sleep(0.01)
    reached.set()
