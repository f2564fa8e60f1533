"""The TypeScript client on a line that is cut, and with a server that is killed: all is done, and nothing twice."""

import json
from pathlib import Path

import trio

from agentbrowser.config import Config
from agentbrowser.server.app import open_server
from tests.browser import npm
from tests.browser.cutting import open_relay
from tests.browser.site import Site
from tests.browser.test_cli_serve import program
from tests.browser.test_client_cut_off import Pages, counter, kill_and_restart, told, until_told

ACTIONS = 200
EVERY = 17

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
import { connect, ConnectionLost, type Page } from "agentbrowser";

const browser = await connect("URL", { reconnect: { baseMs: 250, maxAttempts: 6 } });

async function begin(): Promise<[Page, number]> {
  const page = await browser.newPage("SITE");
  const { content } = await page.content({ format: "text", selector: { type: "css", value: "#count" } });
  return [page, Number(content)];
}

let [page, done] = await begin();
const interruptions: ConnectionLost[] = [];
while (done < ACTIONS) {
  try {
    await page.element({ type: "css", value: "#add" }).click();
    done++;
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    interruptions.push(error);
    [page, done] = await begin();
  }
}
console.log(JSON.stringify(interruptions.map(({ retryable, details }) => [retryable, details["mayHaveActed"]])));
await browser.close();
"""


async def built(program: str, url: str, site: str, folder: Path) -> Path:
    program = program.replace("URL", url).replace("SITE", site).replace("ACTIONS", str(ACTIONS))
    return await npm.build_program(folder, program)


async def test_two_hundred_actions_on_a_line_that_is_cut(site: Site, tmp_path: Path) -> None:
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


async def test_two_hundred_actions_with_a_server_that_is_killed(site: Site, tmp_path: Path) -> None:
    url = counter(site)
    site.pages = Pages(site)
    halfway, over = trio.Event(), trio.Event()
    async with program() as first, trio.open_nursery() as nursery:
        path = await built(WITH_A_MORTAL_SERVER, f"ws://127.0.0.1:{first.port}", url, tmp_path)
        nursery.start_soon(kill_and_restart, first, halfway, over)
        nursery.start_soon(tell_when, site, ACTIONS // 2, halfway)
        code, said = await npm.run("node", path)
        over.set()
    assert code == 0, said
    await until_told(site, ACTIONS)
    assert told(site) == list(range(1, ACTIONS + 1))
    assert [retryable for retryable, _ in json.loads(said)] == [True]


async def tell_when(site: Site, count: int, reached: trio.Event) -> None:
    while len(told(site)) < count:  # noqa: ASYNC110 - the site is another thread
        await trio.sleep(0.01)
    reached.set()
