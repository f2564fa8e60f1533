"""Downloads of a client's pages: stored under safe names, within a quota, until the client disconnects."""

import asyncio
import base64
import contextlib
import shutil
import time
import uuid
from collections import Counter, deque
from collections.abc import MutableMapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import attrs
import structlog
from playwright.async_api import Download as PlaywrightDownload

from agentbrowser.browser import faults
from agentbrowser.browser.downloads.disk_guard import DiskGuard, DiskQuota
from agentbrowser.browser.engine import vendor
from agentbrowser.browser.engine.driver_dirs import OwnedDir
from agentbrowser.policy.filenames import safe_name
from agentbrowser.policy.masking import FILE_MARGIN, SecretMasker
from agentbrowser.policy.redaction import redact_address
from agentbrowser.policy.urls import host_of
from agentbrowser.protocol.errors import ActionFailed, InvalidParams
from agentbrowser.protocol.types.action import Download
from agentbrowser.protocol.types.download import DownloadPart
from agentbrowser.protocol.types.event import DownloadEvent, DownloadState, now_ms

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs

log = structlog.get_logger("agentbrowser.browser")

MAX_FILES: Final = 20
MAX_BYTES: Final = 100 * 1024 * 1024

_POLL_S: Final = 0.05
_CANCELED: Final = "canceled"  # Playwright's word for a download that a person, its context or the network ended
_CUT_OFF: Final = "It was cut off, by the site, the network or a full disk."
_OVER_QUOTA: Final = f"All downloads that a client has not read whole may have {MAX_BYTES} bytes."
_TOO_MANY: Final = f"A client may have {MAX_FILES} downloads that it has not read whole."
_NOT_ALLOWED: Final = "Downloads need the scope standard."
_NOT_MEASURABLE: Final = "The server can't measure this download, so it is refused."
_NOT_SAVED: Final = "The server could not keep the file."
_MADE_ROOM: Final = "It made room for a download of another site: no action has reported it."


@attrs.define(eq=False)
class DownloadRecord:
    """One download and the last event about it."""

    event: DownloadEvent
    size: int = 0
    """Size of the completed file."""
    read_to: int = 0
    """Bytes from its begin on that the client has read."""
    site: str = ""
    """Host of the page that has begun it, or its own."""
    is_reported: bool = False
    """True if an action has reported it."""
    has_made_room: bool = False
    """True if it was given up for one of another site."""
    began_s: float = attrs.field(factory=time.monotonic, init=False)


@attrs.define(eq=False)
class Downloads:
    """Downloads of one client by their ids. Failed downloads are reported and forgotten."""

    tabs: "Tabs"
    _records: dict[str, DownloadRecord] = attrs.field(factory=dict, init=False)
    _by_download: MutableMapping[PlaywrightDownload, DownloadRecord] = attrs.field(
        factory=WeakKeyDictionary, init=False
    )
    """Failed downloads too, as long as an action may report them."""
    _begun: deque[DownloadRecord] = attrs.field(factory=lambda: deque(maxlen=MAX_FILES), init=False)
    """The last that began, failed ones too: nobody holds Playwright's object of a small one that is over."""
    _folder: OwnedDir | None = attrs.field(default=None, init=False)
    _quota: DiskQuota | None = attrs.field(default=None, init=False)
    """Disk space of this client; None before its first context."""

    def expect(self) -> None:
        """Count with downloads of this client, from its first context on."""
        if self._quota is None:
            self._quota = DiskQuota(MAX_BYTES)
            self._guard.add(self._quota)

    def track(self, download: PlaywrightDownload) -> None:
        """Track a download that has started."""
        tab = self.tabs.tab_of(download.page)
        event = DownloadEvent(
            download_id=uuid.uuid4().hex,
            page_id=tab.id if tab else "",
            url=redact_address(download.url),
            suggested_filename=safe_name(self.tabs.secrets.masks.text(download.suggested_filename)),
            state="started",
        )
        self.tabs.emit(event)
        self._by_download[download] = record = DownloadRecord(event)
        record.site = host_of(download.page.url) or host_of(download.url)  # a new window has no URL of its own
        self._begun.append(record)
        self.tabs.run_in_background(self._track(record, download))

    def outcome(self, download: PlaywrightDownload) -> Download | None:
        """Return the description of a download, as an action reports it; None if it is not tracked."""
        record = self._by_download.get(download)
        return None if record is None else self._reported(record)

    def first_since(self, page_id: str, began_s: float) -> Download | None:
        """Return the description of the first download that a page has begun since a time of the monotonic clock."""
        of_page = (one for one in self._begun if one.event.page_id == page_id and one.began_s >= began_s)
        return next(map(self._reported, of_page), None)

    def all(self) -> list[DownloadEvent]:
        """Return the last event of each download that is in progress or completed."""
        self._forget_dropped()
        return [record.event for record in self._records.values()]

    async def read(self, download_id: str, offset: int, length: int) -> DownloadPart:
        """Return a part of a file. [asyncio]

        Raises:
          InvalidParams: no such download exists, or not any more.
          ActionFailed: the download is still in progress.
        """
        self._forget_dropped()
        record = self._records.get(download_id)
        if record is None:
            raise _unknown()
        if record.event.state != "completed":
            message = "The download is still under way."
            raise ActionFailed(message, retryable=True, retry_after_ms=500, action="download/read", reason="not over")
        path = self._path(record)
        try:
            data = await asyncio.to_thread(_read, path, offset, length, self.tabs.secrets.masks)
        except FileNotFoundError:  # it has just made room for another
            raise _unknown() from None
        if offset <= record.read_to < offset + length:
            record.read_to = offset + length
        if record.read_to >= record.size and self._quota is not None and path in self._quota.kept:
            self._quota.used.add(path)
        return DownloadPart(
            data=data,
            offset=offset,
            size=record.size,
            eof=offset + length >= record.size,
            suggested_filename=record.event.suggested_filename,
        )

    def close(self) -> None:
        """Delete all files soon. [asyncio]"""
        self._records.clear()
        self._begun.clear()
        if self._quota is not None:
            self._guard.remove(self._quota)
            self._quota = None
        if self._folder is not None:
            asyncio.get_running_loop().run_in_executor(None, self._folder.remove)  # a large file takes long
            self._folder = None

    async def _track(self, record: DownloadRecord, download: PlaywrightDownload) -> None:
        """Wait for the end of a download and report it. [asyncio]"""
        if len(self._records) >= MAX_FILES and self._quota is not None:
            await self._make_room(record, self._quota)
        error = self._refusal()
        if error is None:
            self._records[record.event.download_id] = record
            error = await self._fetch(record, download)
        if error is None and not record.has_made_room:
            self._report(record, "completed", size=record.size)
            return
        self._records.pop(record.event.download_id, None)
        if error is None and self._quota is not None:
            await asyncio.to_thread(self._guard.drop, self._quota, self._path(record))
        if record.has_made_room:
            error = _MADE_ROOM
        self._report(record, "canceled" if error == _CANCELED else "failed", error=error)
        with contextlib.suppress(*faults.VENDOR_ERRORS):
            await download.cancel()
            await download.delete()

    async def _make_room(self, record: DownloadRecord, quota: DiskQuota) -> None:
        """Remove the oldest file that was read whole, else give one of another site up. [asyncio]"""
        await asyncio.to_thread(self._guard.drop_used, quota)
        self._forget_dropped()
        if len(self._records) < MAX_FILES:
            return
        for given_up in self._yielding_to(record)[:1]:
            given_up.has_made_room = True
            if given_up.event.state == "completed":
                await asyncio.to_thread(self._guard.drop, quota, self._path(given_up))
            self._records.pop(given_up.event.download_id, None)
            for download in [one for one, its in self._by_download.items() if its is given_up]:
                with contextlib.suppress(*faults.VENDOR_ERRORS):
                    await download.cancel()

    def _yielding_to(self, record: DownloadRecord, *, in_bytes: bool = False) -> list[DownloadRecord]:
        """Return the downloads that are given up for one, the first one first: of the other site with the most, those
        that no action has reported.

        A page begins downloads by itself, and must not take the room of what the client asks other sites for. A page
        that has more of it than any other gets no more.
        """
        unasked = [one for one in list(self._records.values()) if one is not record and not one.is_reported]
        taken = Counter[str]()
        for one in unasked:
            taken[one.site] += one.size if in_bytes else 1
        site, most = max(taken.items(), key=lambda item: item[1], default=("", 0))
        return [one for one in unasked if one.site == site] if most > taken[record.site] else []

    def _files_yielding_to(self, record: DownloadRecord) -> list[Path]:
        """Return the completed files that are given up for a download. May be called in any thread."""
        given_up = self._yielding_to(record, in_bytes=True) if self._folder is not None else []
        return [self._path(one) for one in given_up if one.event.state == "completed"]

    @property
    def _guard(self) -> DiskGuard:
        return self.tabs.engine.disk_guard

    def _forget_dropped(self) -> None:
        """Forget the completed downloads whose files have made room for others."""
        kept = self._quota.kept if self._quota is not None else {}
        for download_id, record in list(self._records.items()):
            if record.event.state == "completed" and self._path(record) not in kept:
                del self._records[download_id]

    def _refusal(self) -> str | None:
        if not self.tabs.accepts_downloads:
            return _NOT_ALLOWED
        return _TOO_MANY if len(self._records) >= MAX_FILES else None

    async def _fetch(self, record: DownloadRecord, download: PlaywrightDownload) -> str | None:
        """Wait for the file and move it to its path; return the error, if any. [asyncio]"""
        try:
            paths = vendor.partial_paths(download)
        except vendor.VendorChanged as changed:
            log.error("download_not_measurable", error=str(changed))
            return _NOT_MEASURABLE
        if self._quota is None:  # the client is gone
            return _CANCELED
        with self._guard.claimed(self._quota, paths, partial(self._files_yielding_to, record)) as name:
            return await self._wait_for_file(record, download, name)

    async def _wait_for_file(self, record: DownloadRecord, download: PlaywrightDownload, name: str) -> str | None:
        quota = asyncio.create_task(self._enforce_quota(download, name))
        end = asyncio.create_task(download.failure())
        try:
            await asyncio.wait({quota, end}, return_when=asyncio.FIRST_COMPLETED)
            if quota.done() and (error := quota.exception()) is not None:  # it must not lift the quota
                log.error("download_not_measurable", error=repr(error))
                return _NOT_MEASURABLE
            failure = await end
            if failure is not None:
                return _OVER_QUOTA if self._guard.exceeds(name) else self._reason(download, failure)
            file = await download.path()
            return await asyncio.to_thread(self._keep, record, name, file, self._path(record))
        except faults.VENDOR_ERRORS:  # the context or the browser is gone
            return _CANCELED
        except OSError as failed:
            log.warning("download_not_saved", error=str(failed))
            return _NOT_SAVED
        finally:
            quota.cancel()
            end.cancel()

    def _reason(self, download: PlaywrightDownload, failure: str) -> str:
        """Return the reason of a failure: without a window, no person cancels a download."""
        contexts = {context.browser_context for context in self.tabs.contexts if not context.is_closing}
        is_cut_off = failure == _CANCELED and self.tabs.config.headless and download.page.context in contexts
        return _CUT_OFF if is_cut_off else failure

    async def _enforce_quota(self, download: PlaywrightDownload, name: str) -> None:
        """Cancel the download once the guard has emptied its file: this one may be endless. [asyncio]"""
        while not self._guard.exceeds(name):  # noqa: ASYNC110 - the guard runs in a thread
            await asyncio.sleep(_POLL_S)
        with contextlib.suppress(*faults.VENDOR_ERRORS):
            await download.cancel()

    def _keep(self, record: DownloadRecord, name: str, file: Path, to: Path) -> str | None:
        """Move a completed file to its path; return the error, if any."""
        record.size = file.stat().st_size
        with self._guard.moving(name, record.size, to) as fits:
            if not fits:
                return _OVER_QUOTA
            _move(file, to)
            if self._quota is not None and not record.is_reported:
                self._quota.unasked.add(to)
        return None

    def _path(self, record: DownloadRecord) -> Path:
        if self._folder is None:
            self._folder = OwnedDir.make("downloads-")
        return self._folder.path / record.event.download_id

    def _reported(self, record: DownloadRecord) -> Download:
        """Return the description of a download for the result of an action."""
        record.is_reported = True
        if self._quota is not None and self._folder is not None:
            self._quota.unasked.discard(self._path(record))
        event = record.event
        return Download(
            download_id=event.download_id, suggested_name=event.suggested_filename, state=event.state, url=event.url
        )

    def _report(self, record: DownloadRecord, state: DownloadState, **facts: Any) -> None:
        record.event = attrs.evolve(record.event, state=state, timestamp=now_ms(), **facts)
        self.tabs.emit(record.event)


def _unknown() -> InvalidParams:
    expected = "the id of a download of this client that has not failed, nor made room for others"
    return InvalidParams("There is no such download.", path="downloadId", expected=expected)


def _move(file: Path, to: Path) -> None:
    shutil.move(file, to)
    to.chmod(0o600)


def _read(file: Path, offset: int, length: int, masks: SecretMasker) -> str:
    """Return a range of a file in base64, without the secrets that were used: a slice of one has no known spelling."""
    margin = min(FILE_MARGIN, offset) if masks.active else 0
    with file.open("rb") as opened:
        opened.seek(offset - margin)
        data = opened.read(margin + length + (FILE_MARGIN if masks.active else 0))
    return base64.b64encode(masks.part_of_file(data, margin, margin + length)).decode()
