"""Files that pages have the client download."""

from typing import Final

import attrs

PART_BYTES: Final = 1024 * 1024
MAX_PART_BYTES: Final = 6 * 1024 * 1024
"""As much as 8 MiB of base64 hold."""


@attrs.frozen(kw_only=True)
class DownloadPart:
    """Some bytes of a downloaded file."""

    data: str
    """In base64."""
    offset: int
    size: int
    """Of the whole file, in bytes."""
    eof: bool
    """Whether the file ends with this part."""
    suggested_filename: str
