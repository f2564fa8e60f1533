"""Files that verbs read and write, on behalf of the user: paths are relative to the folder of the verb."""

import os
from pathlib import Path
from typing import Final

from agentbrowser.protocol.errors import ActionFailed, InvalidParams

_PRIVATE = 0o600
_PUBLIC = 0o666
_MAX_READ_BYTES = 1024 * 1024
_OBEYED_BY_SHELLS: Final = str.maketrans(dict.fromkeys("$`\\\"';&|<>!", "_"))
_LEADING: Final = ("-", ".")
"""Beginnings of options, and of files that shells hide and programs read at their start."""


def path_in(cwd: str, name: str) -> Path:
    """Return a path that a verb names."""
    return Path(cwd, os.path.expanduser(name))


def target(cwd: str, name: str) -> Path:
    """Return the path of a file to write.

    Raises:
      InvalidParams: it is ``-``, which means standard output to other commands.
    """
    if name == "-":
        raise InvalidParams("The file can't be written to standard output: name it, or write ./- for a file called -.")
    return path_in(cwd, name)


def read_text(path: Path) -> str:
    """Return the text of a file. Blocks.

    Raises:
      InvalidParams: it can't be read, or is larger than 1 MiB.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_READ_BYTES + 1)
        if len(content) > _MAX_READ_BYTES:
            raise InvalidParams(f"{path} is larger than {_MAX_READ_BYTES} bytes.")
        return content.decode()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidParams(f"{path} can't be read: {_reason(error)}.") from None


def decoded(source: str, content: bytes) -> str:
    """Return the text of an argument or of standard input.

    Raises:
      InvalidParams: it is not UTF-8: a password with other letters in their place would be typed, and refused.
    """
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise InvalidParams(f"{source} can't be read: {_reason(error)}.") from None


def write(path: Path, content: bytes, *, is_private: bool = False) -> Path:
    """Write a file that the verb names, and return its path. Blocks.

    Args:
      is_private: only its owner can read it; an earlier one stays as it was if this one can't be written whole.

    Raises:
      ActionFailed: it can't be written.
    """
    try:
        if is_private and (path.is_file() or not path.exists()):
            _replace(path.resolve(), content)
        else:
            _write_in_place(path, content)
    except OSError as error:
        raise _unwritten(path, error) from None
    return path


def _write_in_place(path: Path, content: bytes) -> None:
    is_new = not os.path.lexists(path)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PUBLIC)
    try:
        with open(descriptor, "wb") as file:
            file.write(content)
    except OSError:  # the disk is full
        if is_new:
            path.unlink(missing_ok=True)
        raise


def _replace(path: Path, content: bytes) -> None:
    fresh = path.with_name(f".{path.name}.new")
    try:
        fresh.unlink(missing_ok=True)
        with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE), "wb") as file:
            file.write(content)
        os.replace(fresh, path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def write_new(folder: str, name: str, content: bytes, *, is_numbered: bool = False) -> Path:
    """Write a file under a name that is free, and return its path: ``name.csv``, else ``name-1.csv``. Blocks.

    A page may have chosen the name. Its reader has a shell: in double quotes, that runs what is in ``$(...)``.

    Args:
      is_numbered: begin with 1, not with the name itself.

    Raises:
      ActionFailed: it can't be written.
    """
    name = name.translate(_OBEYED_BY_SHELLS)
    name = f"_{name[1:]}" if name.startswith(_LEADING) else name
    stem, dot, extension = name.rpartition(".") if "." in name[1:] else (name, "", "")
    number = int(is_numbered)
    while True:
        path = Path(folder, f"{stem}-{number}{dot}{extension}" if number else name)
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PUBLIC)
        except FileExistsError:
            number += 1
            continue
        except OSError as error:
            raise _unwritten(path, error) from None
        try:
            with open(descriptor, "wb") as file:
                file.write(content)
        except OSError as error:  # the disk is full
            path.unlink(missing_ok=True)
            raise _unwritten(path, error) from None
        return path


def below(root: Path, path: Path) -> str:
    """Return the path of a file to upload relative to the upload root, without links.

    Raises:
      InvalidParams: it is not below it, or is no file.
    """
    real = Path(os.path.realpath(path))
    if not real.is_file():
        raise InvalidParams(f"{path} is no file.")
    if not real.is_relative_to(root):
        raise InvalidParams(f"{path} is not below the upload root {root} (AGENT_UPLOAD_ROOT).")
    return str(real.relative_to(root))


def _unwritten(path: Path, error: OSError) -> ActionFailed:
    return ActionFailed(f"{path} can't be written: {_reason(error)}.")


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else "it is no text in UTF-8"
