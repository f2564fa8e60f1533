"""Tests written from one recorded run: they pass against its site, and fail once a page has changed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from agentbrowser.browser.engine.find_browser import find_browser
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from agentbrowser.recorder.archive import read_recording
from agentbrowser.recorder.export.blocking import agentbrowser_python
from agentbrowser.recorder.export.items import TestPlan
from agentbrowser.recorder.export.plan import plan_of
from agentbrowser.recorder.export.playwright import playwright_python
from agentbrowser.server.app import Server
from tests.browser.site import Site

SHOP = """<h1>Shop</h1><form onsubmit="event.preventDefault(); ask()">
<label>Name <input id=who></label><label>Password <input type=password id=pin></label>
<label>Size <select id=size><option value=s>Small<option value=l>Large</select></label>
<label><input type=checkbox id=gift> Gift</label>
<table><tr><td>Apple</td><td><button type=button onclick="put('apple')">Add</button></td></tr>
<tr><td>Pear</td><td><button type=button onclick="put('pear')">Add</button></td></tr></table>
<button>Order</button></form><p id=done role=status></p><a href=/terms target=_blank>Terms</a>
<script>
  const put = (what) => setTimeout(() => { done.textContent = `One ${what} is in the cart` }, 50)
  const ask = () => {
    if (confirm("Sure?") && pin.value === "hunter2")
      location = `/thanks?for=${who.value}&size=${size.value}&gift=${gift.checked}`
  }
</script>"""
THANKS = "<h1>Thank you</h1><p>The order is on its way.</p>"
CHANGED = THANKS.replace("Thank you", "Sorry")


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, private_network="allow")


async def recorded(server: Server, site: Site, file: Path) -> TestPlan:
    """Record an agent that reads looks as text, acts by refs, and answers a dialog."""
    site.html("/terms", "<h1>Terms</h1><p>Nothing is for sale.</p>")
    site.html("/thanks", THANKS)
    async with server.connect() as browser:
        page = await browser.new_page(site.html("/", SHOP))
        look = (await page.observe(format="text")).text or ""
        assert look.count('button "Add"') == 2
        await page["@who"].fill("Ada")
        await page["@pin"].fill("hunter2")
        await page["@size"].select("l")
        await page["@gift"].check()
        await page["@add2"].click(observe="changes")
        await page.wait_for("One pear is in the cart")
        (terms,) = (await page["@terms"].click()).new_pages or [page]
        await terms.wait_for("Nothing is for sale")
        await terms.close()
        ordered = await page["@order"].click()
        if ordered.dialog is not None and ordered.dialog.answered == "open":
            await browser.request("dialog/handle", {"action": "accept", "pageId": page.id})
        await page.wait_for(url="/thanks")
        await page.observe()
        await trio.Path(file).write_bytes(await browser.recording())
    return plan_of(read_recording(file))


async def ran(folder: Path, **environ: str) -> subprocess.CompletedProcess[bytes]:
    """Run the written tests with pytest, as their user would."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", str(folder)]
    known = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    with trio.fail_after(240):
        return await trio.run_process(
            command, cwd=folder, env=known | environ, capture_stdout=True, stderr=subprocess.STDOUT, check=False
        )


@pytest.mark.slow
async def test_exported_tests_pass_on_their_site_and_fail_on_a_changed_page(
    server: Server, site: Site, tmp_path: Path
) -> None:
    plan = await recorded(server, site, tmp_path / "run.zip")
    assert plan.variables == ["TEST_PASSWORD"]
    texts = {"playwright": playwright_python(plan), "agentbrowser": agentbrowser_python(plan)}
    for name, text in texts.items():
        assert "hunter2" not in text
        assert "TODO" not in text
        await trio.Path(tmp_path / f"test_{name}.py").write_text(text)
    environ = {
        "CHROMIUM": str(find_browser("chromium").path),
        "AGENTBROWSER_URL": server.url,
        "BASE_URL": site.url("/")[:-1],
        "TEST_PASSWORD": "hunter2",
    }
    passed = await ran(tmp_path, **environ)
    assert b"2 passed" in passed.stdout, passed.stdout.decode()
    site.html("/thanks", CHANGED)
    failed = await ran(tmp_path, **environ)
    assert b"2 failed" in failed.stdout, failed.stdout.decode()
    assert failed.stdout.count(b'"Thank') >= 2
