"""Emulated screens and user agents."""

from typing import Final

import attrs

from agentbrowser.protocol.types.fields import constraints, field

PRINTABLE: Final = r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?"
"""Text of a header."""
MAX_SIDE: Final = 16_384
MIN_SCALE: Final = 0.1
MAX_SCALE: Final = 10


@attrs.frozen(kw_only=True)
class Screen:
    """Emulated screen: its size in CSS pixels, and the kind of device."""

    width: int
    height: int
    device_scale_factor: float = 1.0
    """Device pixels per CSS pixel."""
    is_mobile: bool = False
    has_touch: bool = False

    def is_like(self, other: "Screen") -> bool:
        """Return True if the screens differ in their size at most."""
        return attrs.evolve(self, width=other.width, height=other.height) == other

    @property
    def is_plain(self) -> bool:
        """Return True if only the size is emulated."""
        return self.device_scale_factor == 1 and not self.is_mobile and not self.has_touch


@attrs.frozen(kw_only=True)
class UserAgent:
    """Emulated user agent."""

    user_agent: str = attrs.field(metadata=constraints(maximum=1000, pattern=PRINTABLE))
    platform: str | None = field(default=None, maximum=100, pattern=PRINTABLE)
    """Value of ``navigator.platform``."""
    accept_language: str | None = field(default=None, maximum=200, pattern=r"[A-Za-z0-9*,;=. -]+")
    """Accepted languages, the preferred one first: ``de-DE,de,en``."""
