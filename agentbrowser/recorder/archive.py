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

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from agentbrowser import __version__
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.recorder.har import har
from agentbrowser.recorder.session_recorder import SessionRecorder
from agentbrowser.recorder.viewer import viewer

META: Final = "recording.json"
EVENTS: Final = "events.jsonl"
HAR: Final = "network.har"
VIEWER: Final = "viewer.html"
TRACE: Final = "trace.zip"
FORMAT: Final = 1
_OWN_NAME: Final = re.compile(r"[a-z]+\.(?:json|jsonl|har|html|zip)|(?:pictures|bodies)/\d+\.(?:jpg|bin)")
_FOLDERS: Final = {"picture": ("pictures", ".jpg"), "body": ("bodies", ".bin")}


class BadRecording(Exception):
    """File that is no recording."""


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

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield the files of the archive, the derived ones included."""
        yield META, wire.dump(dict(self.meta))
        yield EVENTS, b"".join(wire.dump(event) + b"\n" for event in self.events)
        yield HAR, wire.dump(har(self.events, self.blobs))
        yield VIEWER, viewer(self.meta, self.events).encode()
        yield from self.blobs.items()

    def zipped(self) -> bytes:
        """Return the archive as a zip file."""
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w") as archive:
            for name, content in self.files():
                is_packed = name.startswith("pictures/") or name == TRACE
                archive.writestr(name, content, zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED)
        return written.getvalue()


def recording_of(recorder: SessionRecorder, more: Mapping[str, bytes] | None = None) -> Recording:
    """Return what a recorder holds, without secrets; takes as long as there is content.

    Args:
      more: further files by their names.
    """
    names, blobs, events = FileNames(), dict(more or {}), list[dict[str, Any]]()
    for entry in recorder.journal.entries():
        plain = recorder.plain(entry)
        if entry.blob is not None:
            plain["file"] = names.next(entry.kind)
            blobs[plain["file"]] = entry.blob
        events.append(plain)
    return Recording(meta_of(recorder), events, blobs)


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
      OSError: it can't be read.
    """
    try:
        files = dict(_files_in_folder(path) if path.is_dir() else _files_in_zip(path))
        meta = wire.load(files.pop(META))
        events = sorted((wire.load(line) for line in files.pop(EVENTS).splitlines()), key=lambda event: event["t"])
    except (KeyError, TypeError, zipfile.BadZipFile, AgentBrowserError, ValueError):
        raise BadRecording(f"{path} is no recording: expected a zip of recording/export, or its directory") from None
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise BadRecording(f"{path} has the format {meta.get('format')}; this version reads format {FORMAT}")
    return Recording(meta, events, {name: blob for name, blob in files.items() if name not in (HAR, VIEWER)})


def unpack(recording: Recording, folder: Path) -> None:
    """Write the files of an archive into a directory, which is made if needed. Only names of ours are written.

    Raises:
      OSError: a file can't be written.
    """
    for name, content in recording.files():
        if _OWN_NAME.fullmatch(name):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def _files_in_folder(path: Path) -> Iterable[tuple[str, bytes]]:
    for file in sorted(path.rglob("*")):
        if file.is_file():
            yield file.relative_to(path).as_posix(), file.read_bytes()


def _files_in_zip(path: Path) -> Iterable[tuple[str, bytes]]:
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            yield name, archive.read(name)
