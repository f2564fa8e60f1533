"""Browser contexts: cookie jars with their own settings."""

from typing import Any, Literal

import attrs

from agentbrowser.protocol.types.emulate import MAX_SCALE, MIN_SCALE, PRINTABLE, Screen
from agentbrowser.protocol.types.fields import field
from agentbrowser.protocol.types.page import LOCALE, Geolocation, Viewport
from agentbrowser.protocol.types.storage import StorageState

ColorScheme = Literal["light", "dark", "no-preference"]


@attrs.frozen(kw_only=True)
class ContextOptions:
    """Options of a new context; None keeps the browser's default."""

    viewport: Viewport | None = None
    device_scale_factor: float | None = field(default=None, minimum=MIN_SCALE, maximum=MAX_SCALE)
    """Device pixels per CSS pixel."""
    is_mobile: bool | None = None
    """True for the layout of a phone: by ``<meta name=viewport>``, in portrait if the height is larger."""
    has_touch: bool | None = None
    """True for touch, which the pages keep on every screen."""
    user_agent: str | None = field(default=None, maximum=1000, pattern=PRINTABLE)
    locale: str | None = field(default=None, maximum=35, pattern=LOCALE)
    timezone_id: str | None = field(default=None, also="timezone", maximum=64)
    geolocation: Geolocation | None = None
    """Emulated position; also grants the permission ``geolocation``."""
    permissions: list[str] | None = field(default=None, maximum=30)
    color_scheme: ColorScheme | None = None
    offline: bool | None = None
    storage_state: StorageState | None = None

    @property
    def screen(self) -> Screen:
        """Return the screen of new pages."""
        size = self.viewport or Viewport(width=1280, height=720)
        return Screen(
            width=size.width,
            height=size.height,
            device_scale_factor=self.device_scale_factor or 1,
            is_mobile=bool(self.is_mobile),
            has_touch=bool(self.has_touch),
        )

    def settings(self) -> dict[str, Any]:
        """Return the options without the storage, as keywords of Playwright's ``new_context``."""
        plain = attrs.asdict(self, filter=lambda one, value: value is not None and one.name != "storage_state")
        if self.geolocation is not None:
            plain["permissions"] = sorted({*(self.permissions or ()), "geolocation"})
        return plain


@attrs.frozen(kw_only=True)
class ContextEntry:
    """A context in a list: page count, creation time (ms since 1970) and options."""

    id: str
    page_count: int
    created: int
    options: ContextOptions | None = None
    """Options at the creation, without the storage."""
