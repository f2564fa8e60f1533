"""A file below the operator's upload root, given by its path to a real page."""

from pathlib import Path

import pytest

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import action, page, script
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
