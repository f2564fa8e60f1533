"""Actions in a frame that may not run scripts, where no timer ends."""

from agentbrowser.protocol.types.action import ActionOptions, ClickOptions
from agentbrowser.protocol.types.selector import Css
from tests.browser.stage import FakeTab, Stage

LIMIT_MS = 5000
FRAME = """<!doctype html><iframe sandbox="allow-same-origin" srcdoc="
<details><summary>more</summary></details><input id=field>
"></iframe>"""


def test_actions_end_in_a_frame_without_scripts(stage: Stage) -> None:
    async def scene(tab: FakeTab) -> None:
        tab.inner = frame = tab.page.frames[1]
        await tab.actions.click(Css("summary"), ClickOptions(timeout_ms=LIMIT_MS))
        assert await frame.locator("details").get_attribute("open") == ""
        assert (await tab.actions.fill(Css("#field"), "text", ActionOptions(timeout_ms=LIMIT_MS))).value == "text"

    stage.play("/nowhere", scene, markup=FRAME)
