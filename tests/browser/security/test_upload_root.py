"""Files that real pages get: those below the operator's upload root, by their paths, and only who was meant."""

from pathlib import Path

import pytest

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import action, frame, page, script
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.action import FileUpload
from agentbrowser.protocol.types.selector import Css
from tests.browser.site import Site

HELD = "Promise.all([...document.querySelector('input').files].map(async f => [f.name, f.type, await f.text()]))"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    root = tmp_path / "root"
    (root / "forms").mkdir(parents=True)
    (root / "forms" / "letter.txt").write_text("dear reader")
    (root / "link").symlink_to("../secret")
    (tmp_path / "secret").write_text("secret")
    return Config(port=0, scope=Scope.PRIVILEGED, drain_timeout_s=1, upload_root=root)


async def test_the_page_gets_the_file_and_no_other(browser: Browser, site: Site) -> None:
    async def upload(path: str) -> None:
        await browser.call(action.upload, selector=Css("input"), files=[FileUpload(path=path)])

    await browser.call(page.navigate, url=site.html("/", "<input type=file>"))
    for path in ("link", "../secret"):
        with pytest.raises(InvalidParams):
            await upload(path)
    await upload("forms/letter.txt")
    assert (await browser.call(script.evaluate, expression=HELD)).value == [["letter.txt", "text/plain", "dear reader"]]


async def test_a_frame_of_another_site_does_not_get_the_file_by_its_own_chooser(browser: Browser, site: Site) -> None:
    site.html(
        "/thief",
        """
        <button>Play</button><input type=file hidden><script>
          const [input] = document.getElementsByTagName("input");
          addEventListener("message", () => {
            input.click();
            parent.postMessage("", "*");
          });
        </script>
        """,
    )
    own = """
      <button onclick="frames[0].postMessage('', '*')">Choose a file</button><input type=file hidden>
      <script>
        const [input] = document.getElementsByTagName("input");
        onmessage = () => setInterval(() => input.files.length || input.click(), 100); // not beside one that is open
      </script>
    """
    await browser.call(
        page.navigate, url=site.html("/", f"{own}<iframe src='{site.url('/thief', 'localhost')}'></iframe>")
    )
    thief = next(one for one in (await browser.call(frame.list_frames)).frames if not one.is_main)
    await browser.call(frame.switch, frame_id=thief.frame_id)
    await browser.call(action.click, selector=Css("button"))  # which lets the frame open one
    await browser.call(frame.main)
    file = FileUpload(name="letter.txt", buffer="ZGVhciByZWFkZXI=")
    await browser.call(action.upload, selector=Css("button"), files=[file])
    assert (await browser.call(script.evaluate, expression=HELD)).value == [["letter.txt", "text/plain", "dear reader"]]
    await browser.call(frame.switch, frame_id=thief.frame_id)
    assert (await browser.call(script.evaluate, expression=HELD)).value == []
