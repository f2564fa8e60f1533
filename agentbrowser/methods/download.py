"""download/*: the client's downloaded files."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, method
from agentbrowser.protocol.types.download import MAX_PART_BYTES, PART_BYTES, DownloadPart
from agentbrowser.protocol.types.event import DownloadEvent
from agentbrowser.protocol.types.fields import constraints, field

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs


@attrs.frozen(kw_only=True)
class ReadParams:
    """A download, and a range of its bytes."""

    download_id: str = attrs.field(metadata=constraints(maximum=100))
    offset: int = field(default=0, minimum=0)
    length: int = field(default=PART_BYTES, minimum=1, maximum=MAX_PART_BYTES)


@method("download/read", ReadParams, scope=Scope.FULL, free=True, reads=True)
async def read(tabs: "Tabs", params: ReadParams) -> DownloadPart:
    """Read a part of a downloaded file; an offset beyond its end returns no bytes. [asyncio]

    Raises:
      InvalidParams: there is no such download, or it has failed.
      ActionFailed: it is still under way.
    """
    return await tabs.downloads.read(params.download_id, params.offset, params.length)


@attrs.frozen(kw_only=True)
class DownloadListParams:
    """No parameters."""


@attrs.frozen(kw_only=True)
class DownloadListResult:
    """The client's downloads that are under way or completed, in the order they began, as events report them."""

    downloads: list[DownloadEvent]


@method("download/list", DownloadListParams, scope=Scope.FULL, free=True, reads=True)
async def list_downloads(tabs: "Tabs", params: DownloadListParams) -> DownloadListResult:
    """List the client's downloads, also those that began before it subscribed. [asyncio]"""
    return DownloadListResult(downloads=tabs.downloads.all())
