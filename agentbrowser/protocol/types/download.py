"""Downloaded files."""

from typing import Final

import attrs

PART_BYTES: Final = 1024 * 1024
MAX_PART_BYTES: Final = 6 * 1024 * 1024
"""Equal to 8 MiB of base64."""


@attrs.frozen(kw_only=True)
class DownloadPart:
    """A part of a downloaded file."""

    data: str
    """Bytes in base64."""
    offset: int
    size: int
    """Size of the whole file in bytes."""
    eof: bool
    """True if this part is the last one."""
    suggested_filename: str
