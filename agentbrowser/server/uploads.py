"""Files of the operator's that clients may upload: those below one directory, and nothing that only looks so."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from agentbrowser.errors import InvalidParams

MAX_BYTES: Final = 10 * 1024 * 1024
_LONGEST: Final = 1000
_EXPECTED: Final = "the path of a file below the operator's upload root, such as forms/photo.png, without links"
_DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# A FIFO that nobody writes to would hold up its reader for ever.
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_upload(root: Path, relative: str, *, path: str, max_bytes: int = MAX_BYTES) -> bytes:
    """Return what is in a file. Blocks.

    Each directory on the way is opened from the one before, so that no link that is made meanwhile leads elsewhere.

    Args:
      root: a directory of the operator's choice.
      relative: where the file is below it.
      path: the place of ``relative`` in the params, in wire names.

    Raises:
      InvalidParams: it is no regular file there, leads through a link or out of the root, or is too large.
    """
    parts = _parts(relative, path)
    try:
        with _opened(root, parts[:-1]) as folder:
            return _read(os.open(parts[-1], _FILE, dir_fd=folder), path, max_bytes)
    except OSError:
        # Why is not said: it would tell what there is outside.
        raise _refused(path, "none that can be read") from None


def _parts(relative: str, path: str) -> list[str]:
    parts = relative.split("/")
    if len(relative) > _LONGEST or not {"", ".", ".."}.isdisjoint(parts) or "\0" in relative or "\\" in relative:
        raise _refused(path, "another path")
    return parts


@contextmanager
def _opened(root: Path, parts: list[str]) -> Iterator[int]:
    """Open a directory below the root, one component after the other, through no link."""
    folder = os.open(root, _DIRECTORY)
    try:
        for part in parts:
            inner = os.open(part, _DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _read(file: int, path: str, max_bytes: int) -> bytes:
    """Return what is in an open file, and close it."""
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise _refused(path, "no regular file")
        with open(file, "rb", closefd=False) as opened:
            content = opened.read(max_bytes + 1)  # and not by its size, since it may grow
    finally:
        os.close(file)
    if len(content) > max_bytes:
        raise _refused(path, f"a file of more than {max_bytes} bytes")
    return content


def _refused(path: str, got: str) -> InvalidParams:
    return InvalidParams(f"{path} must be {_EXPECTED}; got {got}.", path=path, expected=_EXPECTED, got=got)
