# Generated from agentbrowser/client/download.py: python -m agentbrowser.protocol.generate --write
"""Downloads of a browser's pages, and their files."""

import base64
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser import methods
from agentbrowser.client.connection.reconnect import ConnectionChange
from agentbrowser.client.blocking.feed import Feed
from agentbrowser.client.subscriptions import CONNECTION_CHANGES, names_of
from agentbrowser.protocol.errors import ActionFailed
from agentbrowser.protocol.types.download import MAX_PART_BYTES
from agentbrowser.protocol.types.event import DownloadEvent

if TYPE_CHECKING:
    from os import PathLike

    from agentbrowser.client.blocking.browser import Browser

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

    def wait(self) -> str:
        """Wait for the end of the download, and return its id.

        Raises:
          ActionFailed: it failed, was canceled, or was lost with its session.
          ConnectionLost: the connection is lost for good.
        """
        names = names_of(frozenset({"download"})) | {CONNECTION_CHANGES}
        with Feed[DownloadEvent | ConnectionChange](self.browser.connection, names) as events:
            present = self._present()
            if present.state == "completed":
                return present.download_id
            for event in events:
                if isinstance(event, DownloadEvent):
                    latest = event
                elif event.state == "connected":
                    latest = self._present()  # a new session does not have it, and reports nothing of it
                elif event.state == "closed" and event.error is not None:
                    raise event.error.copy()
                else:
                    continue
                if latest.download_id == present.download_id and latest.state != "started":
                    if latest.state == "completed":
                        return latest.download_id
                    reason = latest.error or latest.state
                    raise ActionFailed(f"The download of {self.suggested_name} failed: {reason}.", hint=_HINT)
        raise ActionFailed(f"The client was closed during the download of {self.suggested_name}.")

    def read(self) -> bytes:
        """Wait for the end of the download, and return the bytes of its file.

        Raises:
          ActionFailed: the download failed, or was canceled.
        """
        id_ = self.wait()
        parts: list[bytes] = []
        offset = 0
        while True:
            part = self.browser.call(methods.download.read, download_id=id_, offset=offset, length=MAX_PART_BYTES)
            parts.append(base64.b64decode(part.data))
            offset += len(parts[-1])
            if part.eof:
                return b"".join(parts)

    def save_as(self, path: "str | PathLike[str]") -> Path:
        """Wait for the end of the download, write its file to a path of this machine, and return the path.

        Raises:
          ActionFailed: the download failed, or was canceled.
          OSError: the file can't be written.
        """
        return _write(Path(path), self.read())

    def _present(self) -> DownloadEvent:
        listed = self.browser.call(methods.download.list_downloads)
        matching = [one for one in listed.downloads if self._is(one)]
        if not matching:
            # The server forgets a failed download, so nothing more is reported of it.
            raise ActionFailed(f"There is no download of {self.suggested_name} any more.", hint=_HINT)
        return matching[-1]

    def _is(self, event: DownloadEvent) -> bool:
        if self.id is not None:
            return event.download_id == self.id
        return event.suggested_filename == self.suggested_name and self.url in (None, event.url)


def _write(path: Path, contents: bytes) -> Path:
    path.write_bytes(contents)
    return path
