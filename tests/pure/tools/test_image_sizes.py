"""Screenshots in the results of tools: never larger than hosts accept."""

import base64
from typing import Any

import attrs
import pytest

from agentbrowser.protocol.errors import ResourceLimitExceeded
from agentbrowser.tools.calls import ToolCall
from agentbrowser.tools.journal import Journal
from agentbrowser.tools.looks import MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, screenshot


@attrs.define(eq=False)
class PhotoBrowser:
    """Browser with a page like a photo: so many bytes for each row of pixels, whatever the quality."""

    height: int
    bytes_per_row: int
    connection = None

    async def request(self, method: str, params: Any = None) -> Any:
        if method == "page/list":
            return {"pages": [{"id": "page-1", "title": "", "url": "http://a/"}], "activePage": "page-1"}
        height = params["options"].get("clip", {"height": self.height})["height"]
        data = base64.b64encode(bytes(height * self.bytes_per_row)).decode()
        return {"data": data, "format": "jpeg", "width": 1280, "height": height}


def call(browser: PhotoBrowser, **arguments: Any) -> ToolCall:
    return ToolCall(browser=browser, arguments=arguments, journal=Journal())


@pytest.mark.parametrize(
    ("height", "bytes_per_row", "shown"),
    [
        (720, 100, 720),
        (9_000, 10, MAX_IMAGE_SIDE),
        (3_000, 300, 1_800),
        (3_000, 2_000, 300),
        (9_000, 200, int(0.3 * MAX_IMAGE_SIDE)),
    ],
)
async def test_a_page_is_cut_until_hosts_accept_its_image(height: int, bytes_per_row: int, shown: int) -> None:
    result = await screenshot(call(PhotoBrowser(height, bytes_per_row), full=True))
    assert result.image is not None
    assert result.image.height == shown
    assert len(result.image) <= MAX_IMAGE_BYTES
    assert result.text.endswith(f"cut at {shown} of {height} pixels") == (shown < height)


async def test_an_element_that_can_not_be_cut_is_refused() -> None:
    with pytest.raises(ResourceLimitExceeded) as refused:
        await screenshot(call(PhotoBrowser(720, 2_000)))
    assert refused.value.details == {"resource": "image", "limit": MAX_IMAGE_BYTES, "current": 1_440_000}
