"""Safe file names from the suggestions of pages."""

import re
import unicodedata
from typing import Final

MAX_NAME_BYTES: Final = 255
NAMELESS: Final = "download"

_RESERVED: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])\s*(?:\.|\Z)")  # device names of Windows
_RESERVED_CHARACTERS: Final = str.maketrans(dict.fromkeys('<>:"|?*', "_"))
_INVISIBLE: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
"""Unicode categories of invisible characters, and of those that change how others are displayed."""


def safe_name(suggested: str) -> str:
    """Return a file name without folders, invisible or reserved characters, of at most `MAX_NAME_BYTES` in UTF-8."""
    last = re.split(r"[/\\]", suggested)[-1]
    visible = "".join(one for one in last if unicodedata.category(one) not in _INVISIBLE)
    name = visible.translate(_RESERVED_CHARACTERS).strip(" ").rstrip(" .")
    if not name.strip("."):
        return NAMELESS
    return _cut(f"_{name}" if _RESERVED.match(name) else name)


def _cut(name: str) -> str:
    """Truncate a name, but keep a short extension."""
    if len(name.encode()) <= MAX_NAME_BYTES:
        return name
    stem, dot, extension = name.rpartition(".")
    ending = f"{dot}{extension}".encode() if stem and len(extension.encode()) <= 20 else b""
    beginning = (stem if ending else name).encode()[: MAX_NAME_BYTES - len(ending)].decode(errors="ignore")
    return beginning + ending.decode()
