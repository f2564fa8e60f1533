"""The TypeScript client in a page of a browser: the native WebSocket, a token in the URL, modules as they are built."""

import json
import os
from functools import partial
from pathlib import Path
from urllib.parse import unquote

import pytest
import trio

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.config import Config
from agentbrowser.server.app import open_server
from tests.browser import npm
from tests.browser.site import Site

LIMIT_S = 120
GONE = "const asked = new XMLHttpRequest(); asked.open(`GET`, `/gone`, false); asked.send()"
"""The click is not over before it has arrived."""
IMPORTS = {"agentbrowser": "/sdk/index.js", "#dial": "/sdk/dial_native.js", "zod": "/zod/index.js"}
SCRIPT = """
import { connect, ConnectionLost } from "agentbrowser";

const tell = (what) => fetch(`/told?${encodeURIComponent(JSON.stringify(what))}`);
try {
  const refused = await connect("URL", { token: "wrong" }).catch((error) => error instanceof ConnectionLost);
  const browser = await connect("URL", { token: "TOKEN" });
  const page = await browser.newPage("SITE");
  const { text } = await page.observe();
  await page.ref("@go").click();
  await browser.close();
  await tell({ refused, text });
} catch (error) {
  await tell({ error: String(error.stack) });
}
"""


def serve(site: Site, under: str, folder: Path) -> None:
    """Serve the modules of a folder."""
    for path in folder.rglob("*.js"):
        name = f"/{under}/{path.relative_to(folder)}"
        site.serve(name, path.read_bytes(), **{"Content-Type": "text/javascript"})


async def told(site: Site) -> dict[str, str]:
    """Return what the page has to tell, once it does."""
    while True:
        for path in site.paths():
            if path.startswith("/told?"):
                said: dict[str, str] = json.loads(unquote(path.partition("?")[2]))
                return said
        await trio.sleep(0.01)


@pytest.mark.slow
async def test_an_agent_in_a_page(site: Site, tmp_path: Path) -> None:
    await npm.build()
    serve(site, "sdk", npm.SDK / "dist" / "src")
    serve(site, "zod", npm.SDK / "node_modules" / "zod")
    there = site.html("/there", f"<button onclick='{GONE}'>Go</button>", title="There")
    config = Config(port=0, drain_timeout_s=1, token="open-sesame-please", allowed_origins=(site.url(""),))
    async with open_server(config) as server:
        script = SCRIPT.replace("URL", server.url).replace("TOKEN", "open-sesame-please").replace("SITE", there)
        imports = json.dumps({"imports": IMPORTS})
        page = site.html("/", f"<script type=importmap>{imports}</script><script type=module>{script}</script>")
        flags = ["--headless", "--remote-debugging-port=0", f"--user-data-dir={tmp_path}"]
        flags += ["--no-sandbox"] * (os.geteuid() == 0)
        start = partial(
            trio.run_process, [find_browser("chromium").path, *flags, page], capture_stderr=True, check=False
        )
        with trio.fail_after(LIMIT_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(start)
                said = await told(site)
                nursery.cancel_scope.cancel()
    assert said == {"refused": True, "text": f'page "There" {there}\n@go button "Go"'}
    assert "/gone" in site.paths()
