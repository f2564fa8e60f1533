"""Downloads of a browser's pages, and their files."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser import methods
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.download import MAX_PART_BYTES
from agentbrowser.protocol.types.event import DownloadEvent

if TYPE_CHECKING:
    from os import PathLike

    from agentbrowser.client.browser import Browser

_HINT: Final = "Start the download again."


@attrs.frozen
class FileDownload:
    """A download, whose file the server keeps until the client disconnects. Reading it requires the scope ``full``."""

    browser: "Browser" = attrs.field(repr=False)
    id: str | None
    """Id of the download; None if the server reports none, and then `find` looks for it."""
    suggested_name: str
    """File name without folders, as the page suggests it."""
    url: str | None = None
    state: str | None = None
    """State when the result was made: ``started``, ``completed``, ``failed`` or ``canceled``."""

    @classmethod
    def of(cls, browser: "Browser", wire: Mapping[str, Any]) -> "FileDownload":
        """Return a download from its wire form in the result of an action."""
        name = wire.get("suggestedName") or wire.get("suggestedFilename") or ""
        return cls(browser, wire.get("downloadId"), name, wire.get("url"), wire.get("state"))

    @property
    def suggested_filename(self) -> str:
        """Return `suggested_name`, for existing programs."""
        return self.suggested_name

    async def wait(self) -> str:
        """Wait for the end of the download, and return its id.

        Raises:
          ActionFailed: it failed, or was canceled.
        """
        async with self.browser.events("download") as events:
            listed = await self.browser.call(methods.download.list_downloads)
            matching = [one for one in listed.downloads if self._is(one)]
            if matching and matching[-1].state == "completed":
                return matching[-1].download_id
            id_ = matching[-1].download_id if matching else self.id
            if not matching:
                # The server forgets a failed download, so nothing more is reported of it.
                raise ActionFailed(f"There is no download of {self.suggested_name} any more.", hint=_HINT)
            async for event in events:
                if event.download_id == id_ and event.state != "started":
                    if event.state == "completed":
                        return event.download_id
                    reason = event.error or event.state
                    raise ActionFailed(f"The download of {self.suggested_name} failed: {reason}.", hint=_HINT)
        raise ActionFailed(f"The client was closed during the download of {self.suggested_name}.")

    async def read(self) -> bytes:
        """Wait for the end of the download, and return the bytes of its file.

        Raises:
          ActionFailed: the download failed, or was canceled.
        """
        id_ = await self.wait()
        parts: list[bytes] = []
        offset = 0
        while True:
            part = await self.browser.call(methods.download.read, download_id=id_, offset=offset, length=MAX_PART_BYTES)
            parts.append(base64.b64decode(part.data))
            offset += len(parts[-1])
            if part.eof:
                return b"".join(parts)

    async def save_as(self, path: "str | PathLike[str]") -> Path:
        """Wait for the end of the download, write its file to a path of this machine, and return the path.

        Raises:
          ActionFailed: the download failed, or was canceled.
          OSError: the file can't be written.
        """
        return _write(Path(path), await self.read())

    def _is(self, event: DownloadEvent) -> bool:
        if self.id is not None:
            return event.download_id == self.id
        return event.suggested_filename == self.suggested_name and self.url in (None, event.url)


def _write(path: Path, contents: bytes) -> Path:
    path.write_bytes(contents)
    return path
