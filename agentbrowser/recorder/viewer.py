"""Viewer of a recording: one HTML page that opens from disk, with the entries inside and the pictures beside it."""

from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from typing import Any, Final

from agentbrowser.protocol import wire

_FILES: Final = {"style": "viewer.css", "script": "viewer.js"}


def viewer_pieces(meta: Mapping[str, Any], entries: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the page for a recording in pieces.

    Args:
      entries: the entries as JSON.
    """
    files = resources.files("agentbrowser.recorder").joinpath("viewer_page")
    page = files.joinpath("viewer.html").read_text(encoding="utf-8")
    for name in ("style", "data", "script"):
        before, _, page = page.partition(f"<!--{name}-->")
        yield before.encode()
        if name == "data":
            yield from _data(meta, entries)
        else:
            yield files.joinpath(_FILES[name]).read_bytes()
    yield page.encode()


def _data(meta: Mapping[str, Any], entries: Iterable[bytes]) -> Iterator[bytes]:
    yield b'{"meta":' + _inert(wire.dump(dict(meta))) + b',"events":['
    mark = b""
    for entry in entries:
        yield mark + _inert(entry)
        mark = b","
    yield b"]}"


def _inert(json: bytes) -> bytes:
    """Return JSON that can't end its script element: what pages say is in it."""
    shown = json.replace(b"<", rb"\u003c")
    return shown.replace("\u2028".encode(), rb"\u2028").replace("\u2029".encode(), rb"\u2029")
