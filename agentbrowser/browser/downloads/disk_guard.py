"""Guard of the disk: empties the files that pages download beyond their clients' quotas.

Playwright reports a download late: a page wrote ten files of 50 MiB before the first event (measured). So a thread
watches the directory of each engine, and empties at once what exceeds the quotas, whether it is reported or not.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import attrs
import structlog

from agentbrowser.browser.downloads.directory_watch import DirectoryWatch
from agentbrowser.browser.downloads.trace_files import TraceFiles

log = structlog.get_logger("agentbrowser.browser")

PARTIAL_SUFFIX: Final = ".crdownload"
_FASTEST_BYTES_PER_S: Final = 2 * 1024**3
"""Rate at which a browser may write; it sets the pause between two checks."""
_MIN_PAUSE_S: Final = 0.005
_MAX_PAUSE_S: Final = 0.05


@attrs.define(eq=False)
class DiskQuota:
    """Disk space for the downloads of one client."""

    max_bytes: int
    kept: dict[Path, int] = attrs.field(factory=dict)
    """Sizes of its completed files, which are in another directory, the oldest first."""
    used: set[Path] = attrs.field(factory=set, init=False)
    """Those that the client has read whole: they make room for others."""
    unasked: set[Path] = attrs.field(factory=set, init=False)
    """Those that no action has reported: they may make room for ones of other sites."""

    @property
    def kept_bytes(self) -> int:
        """Return the size of its completed files."""
        return sum(self.kept.values())

    @property
    def spare_bytes(self) -> int:
        """Return the size of those that make room for others."""
        return sum(size for path, size in self.kept.items() if path in self.used)

    @property
    def leaving_bytes(self) -> int:
        """Return the size of those that make room for some other."""
        return sum(size for path, size in self.kept.items() if path in self.used or path in self.unasked)

    def drop_used(self) -> int:
        """Remove the oldest file that was read whole, and return its size; 0 bytes leave with none."""
        path = next((path for path in self.kept if path in self.used), None)
        return 0 if path is None else self.drop(path)

    def drop(self, path: Path) -> int:
        """Remove a completed file, and return its size; 0 bytes leave if it is gone."""
        path.unlink(missing_ok=True)
        self.used.discard(path)
        self.unasked.discard(path)
        return self.kept.pop(path, 0)


@attrs.frozen(eq=False)
class _Claim:
    """Download that Playwright has reported."""

    quota: DiskQuota
    paths: tuple[Path, ...]
    yielding: Callable[[], Iterable[Path]]
    """Returns the completed files that are given up for it."""


@attrs.define(eq=False)
class DiskGuard:
    """Guard of an engine's download directory. Its methods may be called in any thread.

    A file that no client has claimed yet may be anybody's: all of them together may have the space of the client that
    has the most left.
    """

    traces: TraceFiles = attrs.field(factory=TraceFiles, init=False)
    """Files of its traces."""
    _folder: Path | None = attrs.field(default=None, init=False)
    _watch: DirectoryWatch | None = attrs.field(default=None, init=False)
    _thread: threading.Thread | None = attrs.field(default=None, init=False)
    _lock: threading.Lock = attrs.field(factory=threading.Lock, init=False)
    _quotas: dict[DiskQuota, None] = attrs.field(factory=dict, init=False)
    _claims: dict[str, _Claim] = attrs.field(factory=dict, init=False)
    """Reported downloads by the names of their files."""
    _moving: dict[str, int] = attrs.field(factory=dict, init=False)
    """Sizes of the completed files that are being moved away."""
    _exceeding: dict[str, None] = attrs.field(factory=dict, init=False)
    """Files that were emptied."""
    _order: dict[str, None] = attrs.field(factory=dict, init=False)
    """Files of the last check, in the order of their first one: the later ones exceed a quota."""

    def watch(self, folder: Path) -> None:
        """Guard a directory, in place of the one before."""
        with self._lock:
            before, self._folder = self._watch, folder
            self._watch = watch = DirectoryWatch.open(folder)
        if before is not None:
            before.end()
        if watch is None:
            log.info("downloads_not_watched", hint="Their sizes are checked from their first event on.")
            return
        self._thread = threading.Thread(target=self._run, args=(watch,), name="agentbrowser-disk-guard", daemon=True)
        self._thread.start()

    def unwatch(self, folder: Path) -> None:
        """Stop guarding a directory, unless another one has taken its place."""
        with self._lock:
            if folder != self._folder:
                return
            watch, self._watch, self._folder = self._watch, None, None
        if watch is not None:
            watch.end()

    def add(self, quota: DiskQuota) -> None:
        """Count with a client's quota."""
        with self._lock:
            self._quotas[quota] = None

    def remove(self, quota: DiskQuota) -> None:
        """Count with a client's quota no longer."""
        with self._lock:
            self._quotas.pop(quota, None)

    @contextlib.contextmanager
    def claimed(
        self, quota: DiskQuota, paths: Iterable[Path], yielding: Callable[[], Iterable[Path]] = tuple
    ) -> Iterator[str]:
        """Count a download for its client during the block, to which the name of its file is passed.

        Args:
          paths: the paths at which the file may be.
          yielding: returns the completed files of the client that are given up for it, the first one first.
        """
        claim = _Claim(quota, tuple(paths), yielding)
        name = _name(claim.paths[0])
        with self._lock:
            self._claims[name] = claim
        try:
            yield name
        finally:
            with self._lock:
                del self._claims[name]
                self._exceeding.pop(name, None)

    def exceeds(self, name: str) -> bool:
        """Return True if a file was emptied. Without a thread that watches, check the files first."""
        if self._thread is None or not self._thread.is_alive():
            self.check()
        return name in self._exceeding

    @contextlib.contextmanager
    def moving(self, name: str, size: int, to: Path) -> Iterator[bool]:
        """Leave a completed file alone while the block moves it to a path, and count it as kept then.

        Yields: False if it exceeds the quota and was emptied.
        """
        with self._lock:
            self._check()
            quota, fits = self._claims[name].quota, name not in self._exceeding
            if fits:
                self._moving[name] = size
        try:
            yield fits
            if fits:
                with self._lock:
                    quota.kept[to] = size
        finally:
            with self._lock:
                self._moving.pop(name, None)

    def drop_used(self, quota: DiskQuota) -> None:
        """Remove the oldest file of a client that it has read whole, if there is one."""
        with self._lock:
            quota.drop_used()

    def drop(self, quota: DiskQuota, path: Path) -> None:
        """Remove a completed file of a client."""
        with self._lock:
            quota.drop(path)

    def check(self) -> int:
        """Empty the files beyond the quotas, and return the bytes that the next one may still have."""
        with self._lock:
            return self._check()

    def _check(self) -> int:
        files = self._files()
        self._order = dict.fromkeys([*(name for name in self._order if name in files), *files])
        self._exceeding = {name: None for name in self._exceeding if name in files or name in self._claims}
        free = self._free(files)
        rest = max((space + quota.leaving_bytes for quota, space in free.items()), default=0)
        for name in self._order:
            if name not in self._claims and name not in self._exceeding:
                rest = self._take(name, files, rest)
        for name in self._exceeding:
            _empty(files.get(name, {}))
        return min([rest, *free.values()])

    def _free(self, files: dict[str, dict[Path, int]]) -> dict[DiskQuota, int]:
        """Return the space that each client has left beside the files that it has claimed."""
        free = {quota: quota.max_bytes - quota.kept_bytes for quota in self._quotas}
        for name, claim in self._claims.items():
            left = free.get(claim.quota, 0)
            if name in self._moving:
                free[claim.quota] = left - self._moving[name]
            elif name in files and name not in self._exceeding:
                free[claim.quota] = self._take(name, files, _room(claim, left, max(files[name].values())))
        return free

    def _take(self, name: str, files: dict[str, dict[Path, int]], free: int) -> int:
        """Return the space that a file leaves; note it as exceeding if there is not enough."""
        size = max(files[name].values())
        if size <= free:
            return free - size
        log.warning("download_over_quota", size=size)
        self._exceeding[name] = None
        return free

    def _files(self) -> dict[str, dict[Path, int]]:
        """Return the sizes of the files: one may be at two paths while it is renamed."""
        files: dict[str, dict[Path, int]] = {}
        for path in self._paths():
            with contextlib.suppress(FileNotFoundError):
                files.setdefault(_name(path), {})[path] = path.stat().st_size
        return {name: sizes for name, sizes in files.items() if sizes}

    def _paths(self) -> Iterator[Path]:
        if self._folder is not None:
            with contextlib.suppress(FileNotFoundError), os.scandir(self._folder) as entries:
                yield from [Path(entry.path) for entry in entries]
        for claim in self._claims.values():  # a joined browser has a directory of its own
            yield from (path for path in claim.paths if path.parent != self._folder)

    def _run(self, watch: DirectoryWatch) -> None:
        while watch.wait():
            free = self._check_until_done(watch)
            time.sleep(min(_MAX_PAUSE_S, max(_MIN_PAUSE_S, free / _FASTEST_BYTES_PER_S)))

    def _check_until_done(self, watch: DirectoryWatch) -> int:
        """Check, again and again while that fails: without a thread, what no client has claimed would fill the disk."""
        is_failing = False
        while True:
            try:
                return self.check()
            except Exception as error:  # noqa: BLE001 - nobody else would end it
                if not is_failing:
                    log.warning("downloads_not_checked", error=repr(error))
                is_failing = True
            if self._watch is not watch:
                return 0
            time.sleep(_MAX_PAUSE_S)


def _room(claim: _Claim, free: int, size: int) -> int:
    """Return the space for a file of a client, for which others leave, if it fits then: first what was read whole."""
    quota = claim.quota
    while free < size <= free + quota.spare_bytes:
        free += quota.drop_used()
    if free >= size:
        return free
    leaving = [path for path in claim.yielding() if path in quota.kept and path not in quota.used]
    if size <= free + quota.spare_bytes + sum(quota.kept[path] for path in leaving):
        while quota.spare_bytes:
            free += quota.drop_used()
        for path in leaving:
            if free < size:
                free += quota.drop(path)
    return free


def _name(path: Path) -> str:
    return path.name.removesuffix(PARTIAL_SUFFIX)


def _empty(sizes: dict[Path, int]) -> None:
    """Free the space of a file that the browser may still write to: what it writes next makes a hole before it."""
    for path, size in sizes.items():
        if size:
            with contextlib.suppress(FileNotFoundError):
                os.truncate(path, 0)
