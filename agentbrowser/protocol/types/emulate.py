"""What a page or a context can be made to believe."""

import attrs

from agentbrowser.protocol.types.fields import constraints, field

_PRINTABLE = r"[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?"


@attrs.frozen(kw_only=True)
class Screen:
    """What a page is shown on: its size in CSS pixels, and the kind of device."""

    width: int = attrs.field(metadata=constraints(minimum=1, maximum=16_384))
    height: int = attrs.field(metadata=constraints(minimum=1, maximum=16_384))
    device_scale_factor: float = field(default=1.0, minimum=0.1, maximum=10)
    """How many of the device's pixels a CSS pixel is wide."""
    is_mobile: bool = False
    """Whether pages are laid out as on a phone: by their ``<meta name=viewport>``, upright if that is longer."""
    has_touch: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether only the size is special."""
        return self.device_scale_factor == 1 and not self.is_mobile and not self.has_touch


@attrs.frozen(kw_only=True)
class UserAgent:
    """What a browser says it is."""

    user_agent: str = attrs.field(metadata=constraints(maximum=1000, pattern=_PRINTABLE))
    platform: str | None = field(default=None, maximum=100, pattern=_PRINTABLE)
    """What ``navigator.platform`` says."""
    accept_language: str | None = field(default=None, maximum=200, pattern=r"[A-Za-z0-9*,;=. -]+")
    """Languages, the preferred one first: ``de-DE,de,en``."""
