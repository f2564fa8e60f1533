"""Names of files that pages suggest, made harmless for whoever puts them to use."""

import re
import unicodedata
from typing import Final

MAX_NAME_BYTES: Final = 255
NAMELESS: Final = "download"

_RESERVED: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|\Z)")  # devices, on Windows
_MARKS: Final = str.maketrans(dict.fromkeys('<>:"|?*', "_"))
_HIDDEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode's categories of characters that don't show, or change how others show."""


def safe_name(suggested: str) -> str:
    """Return a name without path, hidden characters or meaning to any system, of at most `MAX_NAME_BYTES` in UTF-8."""
    last = re.split(r"[/\\]", suggested)[-1]
    shown = "".join(one for one in last if unicodedata.category(one) not in _HIDDEN)
    name = shown.translate(_MARKS).strip(" ").rstrip(" .")
    if not name.strip("."):
        return NAMELESS
    return _cut(f"_{name}" if _RESERVED.match(name) else name)


def _cut(name: str) -> str:
    """Return as much of a name as fits, with its extension if that is a short one."""
    if len(name.encode()) <= MAX_NAME_BYTES:
        return name
    stem, dot, extension = name.rpartition(".")
    ending = f"{dot}{extension}".encode() if stem and len(extension.encode()) <= 20 else b""
    begun = (stem if ending else name).encode()[: MAX_NAME_BYTES - len(ending)].decode(errors="ignore")
    return begun + ending.decode()
