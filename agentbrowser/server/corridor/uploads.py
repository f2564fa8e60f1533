"""Uploads of the operator's files, all below one directory; links out of it are rejected."""

import base64
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.config import Config
from agentbrowser.protocol.codec import marked_fields
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.action import FileUpload
from agentbrowser.protocol.types.fields import UPLOADABLE

_EXPECTED: Final = "the path of a file below the operator's upload root (--upload-root), such as forms/photo.png"
if os.name == "posix":
    _NO_LINK: Final = os.O_NOFOLLOW | os.O_CLOEXEC
    _DIRECTORY: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
    # A FIFO without a writer would block its reader for ever.
    _FILE: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | _NO_LINK


def check_uploads(params: Any, root: Path | None) -> None:
    """Check that each file is given in one way, by path only if the operator allows that. Opens no file.

    Raises:
      InvalidParams: a file is given otherwise.
    """
    for where, file in _files(params):
        if (invalid := file.invalid_field()) is not None:
            field, expected, got = invalid
            raise InvalidParams.at(f"{where}.{field}", expected, got)
        if file.path is not None and root is None:
            hint = "Ask the operator to set --upload-root (AGENT_UPLOAD_ROOT)."
            raise InvalidParams.at(f"{where}.path", "absent, since this server has no upload root", "a path", hint=hint)
        if file.path is not None:
            _names(file.path, f"{where}.path")


def reads_files(params: Any) -> bool:
    """Return True if params name files by path."""
    return any(file.path is not None for _, file in _files(params))


async def with_contents(params: Any, config: Config) -> Any:
    """Return the params with the contents of the files that they name by path. [trio]

    Raises:
      InvalidParams: a file can't be read, or all together exceed the message limit.

    Cancel: the reading thread is abandoned, since a file system may hang.
    """
    if not reads_files(params):
        return params
    read = partial(_read_all, params, config.upload_root or Path(), config.max_message_bytes)
    return await trio.to_thread.run_sync(read, abandon_on_cancel=True)


def _read_all(params: Any, root: Path, max_bytes: int) -> Any:
    changes: dict[str, list[FileUpload]] = {}
    for wire, name in marked_fields(params, UPLOADABLE):
        changes[name] = []
        for index, file in enumerate(getattr(params, name)):
            if file.path is not None:
                content = read_upload(root, file.path, path=f"{wire}[{index}].path", max_bytes=max_bytes)
                max_bytes -= len(content)
                file = _filled(file, content)
            changes[name].append(file)
    return attrs.evolve(params, **changes)


def _filled(file: FileUpload, content: bytes) -> FileUpload:
    return attrs.evolve(file, name=file.name or file.path, path=None, buffer=base64.b64encode(content).decode())


def _files(params: Any) -> Iterator[tuple[str, FileUpload]]:
    """Yield the files of the params, each with its path in them."""
    for wire, name in marked_fields(params, UPLOADABLE):
        for index, file in enumerate(getattr(params, name)):
            yield f"{wire}[{index}]", file


def read_upload(root: Path, relative: str, *, path: str, max_bytes: int) -> bytes:
    """Return the contents of a file. Blocks.

    Each directory is opened relative to its parent, so that a link made meanwhile leads nowhere else.

    Args:
      root: the operator's upload directory.
      relative: the path of the file below it.
      path: the path of ``relative`` in the params, in wire names.

    Raises:
      InvalidParams: it is no regular file, leads through a link or out of the root, or is too large.
    """
    *folders, name = _names(relative, path)
    try:
        with _opened(root, folders) as folder:
            return _read(os.open(name, _FILE, dir_fd=folder), path, max_bytes)
    except FileNotFoundError:
        raise InvalidParams.at(path, _EXPECTED, "one that is not there") from None
    except OSError:
        raise InvalidParams.at(path, _EXPECTED, "one that leads through a link, or can't be read") from None


def _names(relative: str, path: str) -> list[str]:
    names = relative.split("/")
    if not {"", ".", ".."}.isdisjoint(names) or "\0" in relative or "\\" in relative:
        raise InvalidParams.at(path, _EXPECTED, "one that is absolute, or has more in it than names")
    return names


@contextmanager
def _opened(root: Path, folders: list[str]) -> Iterator[int]:
    """Open a directory below the root component by component, following no link."""
    folder = os.open(root, _DIRECTORY)
    try:
        for name in folders:
            inner = os.open(name, _DIRECTORY | _NO_LINK, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _read(file: int, path: str, max_bytes: int) -> bytes:
    """Return the contents of an open file, and close it."""
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise InvalidParams.at(path, _EXPECTED, "one of something that is no file")
        with open(file, "rb", closefd=False) as opened:
            content = opened.read(max_bytes + 1)  # not by its size, since the file may grow
    finally:
        os.close(file)
    if len(content) > max_bytes:
        raise InvalidParams.at(path, f"that of a file of at most {max_bytes} bytes", "a larger one")
    return content
