"""Archive of a recording: one zip, or a directory of the same files, and its reader.

======================  ==================================================================
``recording.json``      id, times, version, number of entries that had left the memory
``events.jsonl``        one entry a line, in order of time
``pictures/``           pictures of pages, JPEG
``bodies/``             bodies of responses, if the server records them
``network.har``         HAR 1.2
``viewer.html``         timeline, pictures, looks, choices and results; opens from disk
``trace.zip``           Playwright's trace, if one was requested
======================  ==================================================================
"""

import contextlib
import io
import re
import time
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

import attrs

from agentbrowser import __version__
from agentbrowser.long_work import give_way
from agentbrowser.protocol import wire
from agentbrowser.recorder.har import har_pieces, is_traffic
from agentbrowser.recorder.session_recorder import SessionRecorder
from agentbrowser.recorder.viewer import viewer_pieces

META: Final = "recording.json"
EVENTS: Final = "events.jsonl"
HAR: Final = "network.har"
VIEWER: Final = "viewer.html"
_DERIVED: Final = (HAR, VIEWER)
"""Files that are made of the others, and are not read."""
TRACE: Final = "trace.zip"
FORMAT: Final = 1
_OWN_NAME: Final = re.compile(r"[a-z]+\.(?:json|jsonl|har|html|zip)|(?:pictures|bodies)/\d+\.(?:jpg|bin)")
_BAD_ZIP: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)
"""Errors of a damaged zip, of one with a password, and of one by a method that Python can't unpack."""
MAX_READ_BYTES: Final = 2 * 1024 * 1024 * 1024
"""Size of the unpacked files beyond which no recording is read: a zip may unpack to a thousand times its size."""
MAX_JSON_BYTES: Final = 128 * 1024 * 1024
"""The same for the entries, and for the description: as objects, they take up to twenty times as much."""
_PACKED_BY: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Methods of our zips. By others, Python unpacks more than it was asked for."""
_FOLDERS: Final = {"picture": ("pictures", ".jpg"), "body": ("bodies", ".bin")}


class BadRecording(Exception):
    """File that is no recording."""


class RecordingTooLarge(BadRecording):
    """Recording that is not read, since it would take too much memory."""

    def __init__(self, path: Path, what: str, limit: int) -> None:
        super().__init__(f"{path} is not read: {what} more than {limit / 1024 / 1024:g} MiB")


@attrs.define(eq=False)
class FileNames:
    """Names of the files of pictures and bodies in one recording."""

    _count: int = 0

    def next(self, kind: str) -> str:
        """Return the name of the next file."""
        self._count += 1
        folder, ending = _FOLDERS[kind]
        return f"{folder}/{self._count:05}{ending}"


@attrs.frozen(eq=False)
class Recording:
    """Recording that was read: its description, its entries, and its other files."""

    meta: Mapping[str, Any]
    events: list[dict[str, Any]]
    blobs: Mapping[str, bytes] = attrs.field(repr=False)
    """Contents of pictures, bodies and the trace by their names."""

    def files(self) -> Iterator[tuple[str, Iterable[bytes]]]:
        """Yield the files of the archive in pieces, the derived ones included."""
        lines = [EntryLine.of(event) for event in self.events]
        return _files(self.meta, lines, filter(is_traffic, self.events), self.blobs)

    def zipped(self) -> bytes:
        """Return the archive as a zip file."""
        return _zipped(self.files())


@attrs.frozen(eq=False)
class EntryLine:
    """Entry of a recording as JSON."""

    kind: str
    json: bytes = attrs.field(repr=False)

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> Self:
        """Return an entry's line, without the line feed."""
        return cls(event["kind"], wire.dump(dict(event)))


def zip_of(recorder: SessionRecorder, more: Mapping[str, bytes] | None = None) -> bytes:
    """Return what a recorder holds, without secrets, as a zip file; takes as long as there is content.

    One entry after another is parsed: as objects, JSON of small lists takes twenty times its length.

    Args:
      more: further files by their names.
    """
    names, blobs = FileNames(), dict(more or {})
    lines, traffic = list[EntryLine](), list[dict[str, Any]]()
    for entry in recorder.journal.entries():
        give_way()
        plain = recorder.plain(entry)
        if entry.blob is not None:
            plain["file"] = names.next(entry.kind)
            blobs[plain["file"]] = entry.blob
        if is_traffic(plain):
            traffic.append(plain)
        lines.append(EntryLine.of(plain))
    return _zipped(_files(meta_of(recorder), lines, traffic, blobs))


def _files(
    meta: Mapping[str, Any], lines: list[EntryLine], traffic: Iterable[Mapping[str, Any]], blobs: Mapping[str, bytes]
) -> Iterator[tuple[str, Iterable[bytes]]]:
    yield META, [wire.dump(dict(meta))]
    yield EVENTS, (line.json + b"\n" for line in lines)
    yield HAR, har_pieces(traffic, blobs)
    yield VIEWER, viewer_pieces(meta, (line.json for line in lines if line.kind != "body"))
    for name, blob in blobs.items():
        yield name, [blob]


def _zipped(files: Iterable[tuple[str, Iterable[bytes]]]) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        for name, pieces in files:
            file = zipfile.ZipInfo(name, time.localtime()[:6])
            is_packed = name.startswith("pictures/") or name == TRACE
            file.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
            file.external_attr = 0o600 << 16
            with archive.open(file, "w") as opened:
                for piece in pieces:
                    give_way()
                    opened.write(piece)
    return written.getvalue()


def meta_of(recorder: SessionRecorder) -> dict[str, Any]:
    """Return the description of a recording."""
    return {
        "format": FORMAT,
        "id": recorder.id,
        "started": recorder.started_ms,
        "stopped": recorder.stopped_ms,
        "evicted": recorder.journal.evicted,
        "hasBodies": recorder.keeps_bodies,
        "seed": recorder.seed,
        "version": __version__,
    }


def read_recording(path: Path) -> Recording:
    """Return the recording of a zip file or of a directory.

    Raises:
      BadRecording: the file is none.
      RecordingTooLarge: its files are larger than the limits.
      OSError: it can't be read.
    """
    try:
        files = dict(_files_in_folder(path) if path.is_dir() else _files_in_zip(path))
        meta = wire.load(files.pop(META))
        events = sorted(_entries(files.pop(EVENTS)), key=lambda event: event["t"])
        if not all(isinstance(event["kind"], str) for event in events):
            raise ValueError
    except (KeyError, TypeError, ValueError, *_BAD_ZIP):
        raise BadRecording(f"{path} is no recording: expected a zip of recording/export, or its directory") from None
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise BadRecording(f"{path} has the format {meta.get('format')}; this version reads format {FORMAT}")
    return Recording(meta, events, files)


@contextlib.contextmanager
def damage_reported(name: object) -> Iterator[None]:
    """Report entries that lack what the recorder writes, as where the file was edited.

    Args:
      name: file of the recording, or another name of it.

    Raises:
      BadRecording: in place of the errors that such entries cause in the block.
    """
    try:
        yield
    except (LookupError, TypeError, AttributeError, ValueError, ArithmeticError) as error:
        cause = f"{type(error).__name__}: {error}"
        raise BadRecording(f"{name} is damaged: an entry is not as it was recorded ({cause})") from error


def unpack(recording: Recording, folder: Path) -> None:
    """Write the files of an archive into a directory, which is made if needed. Only names of ours are written.

    Raises:
      OSError: a file can't be written.
    """
    for name, content in recording.files():
        if _OWN_NAME.fullmatch(name):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("wb") as opened:
                opened.writelines(content)


def _entries(text: bytes) -> list[Any]:
    """Return the entries, without half a line at the end, which a killed server has left."""
    *lines, rest = text.split(b"\n")
    entries = [wire.load(line) for line in lines]
    with contextlib.suppress(ValueError):
        entries += [wire.load(rest)] if rest else []
    return entries


@attrs.define(eq=False)
class _Allowance:
    """Bytes that may still be read of one recording."""

    path: Path
    left: int = attrs.field(factory=lambda: MAX_READ_BYTES)

    def take(self, name: str, size: int) -> None:
        """Count a file before it is read.

        Raises:
          RecordingTooLarge: it is larger than what is left.
        """
        self.left -= size
        if self.left < 0:
            raise RecordingTooLarge(self.path, "its files have", MAX_READ_BYTES)
        if name in (META, EVENTS) and size > MAX_JSON_BYTES:
            raise RecordingTooLarge(self.path, f"its {name} has", MAX_JSON_BYTES)


def _files_in_folder(path: Path) -> Iterable[tuple[str, bytes]]:
    allowance = _Allowance(path)
    for file in sorted(path.rglob("*")):
        name = file.relative_to(path).as_posix()
        if name not in _DERIVED and file.is_file():
            allowance.take(name, file.stat().st_size)
            yield name, file.read_bytes()


def _files_in_zip(path: Path) -> Iterable[tuple[str, bytes]]:
    allowance = _Allowance(path)
    with zipfile.ZipFile(path) as archive:
        for file in archive.infolist():
            if file.compress_type not in _PACKED_BY:
                raise zipfile.BadZipFile(f"{file.filename} is packed by method {file.compress_type}")
            if file.filename not in _DERIVED:
                allowance.take(file.filename, file.file_size)
                with archive.open(file) as opened:
                    yield file.filename, opened.read(file.file_size)  # the content may be larger than its size says
