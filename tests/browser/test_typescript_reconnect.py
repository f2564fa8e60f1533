"""The TypeScript client on a line that is cut again and again: nothing is lost, and nothing is done twice."""

from pathlib import Path

from agentbrowser.config import Config
from agentbrowser.server.app import open_server
from tests.browser import npm
from tests.browser.cutting import open_relay
from tests.browser.site import Site

ACTIONS = 200
EVERY = 17

COUNTER = """<button>Count</button><script>
let count = 0;
document.querySelector("button").onclick = () => { document.title = ++count; fetch(`/hit?${count}`); };
</script>"""

PROGRAM = """
import { connect } from "agentbrowser";

const states: string[] = [];
const browser = await connect("URL", { reconnect: { baseMs: 1 }, onLine: (change) => states.push(change.state) });
const page = await browser.newPage("SITE");
const button = page.element({ type: "role", role: "button", name: "Count" });
for (let done = 0; done < ACTIONS; done++) await button.click();
const { metadata } = await page.observe({ format: "json" });
console.log(metadata?.title, (await browser.pages()).length, states.filter((state) => state === "reconnecting").length);
await browser.close();
"""


async def test_two_hundred_actions_are_done_once_each(site: Site, tmp_path: Path) -> None:
    url = site.html("/", COUNTER)
    site.html("/hit", "")
    async with open_relay(EVERY) as relay:
        config = Config(port=0, drain_timeout_s=1, allowed_hosts=(f"127.0.0.1:{relay.port}",))
        async with open_server(config) as server:
            relay.to_port = server.port
            program = PROGRAM.replace("URL", f"ws://127.0.0.1:{relay.port}").replace("SITE", url)
            path = await npm.build_program(tmp_path, program.replace("ACTIONS", str(ACTIONS)))
            code, said = await npm.run("node", path)
    assert code == 0, said
    title, pages, reconnects = map(int, said.split())
    assert (title, pages) == (ACTIONS, 1)
    assert len(relay.cuts) >= ACTIONS // EVERY
    assert reconnects >= len(relay.cuts) - 1
    hits = [path for path in site.paths() if path.startswith("/hit?")]
    assert sorted(hits) == sorted(f"/hit?{count}" for count in range(1, ACTIONS + 1))
