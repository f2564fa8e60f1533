"""Contexts as the wire shows them: cookie jars with settings of their own."""

from typing import Any, Literal

import attrs

from agentbrowser.protocol.types.fields import field
from agentbrowser.protocol.types.page import Geolocation, Viewport
from agentbrowser.protocol.types.storage import StorageState

ColorScheme = Literal["light", "dark", "no-preference"]


@attrs.frozen(kw_only=True)
class ContextOptions:
    """What a context may be told to be when it is made; None leaves the browser's own."""

    viewport: Viewport | None = None
    user_agent: str | None = field(default=None, minimum=1, maximum=1000)
    locale: str | None = field(default=None, maximum=35)
    timezone_id: str | None = field(default=None, also="timezone", maximum=64)
    geolocation: Geolocation | None = None
    """Grants the permission to ask for it as well."""
    permissions: list[str] | None = field(default=None, maximum=30)
    color_scheme: ColorScheme | None = None
    offline: bool | None = None
    storage_state: StorageState | None = None

    def settings(self) -> dict[str, Any]:
        """Return all but the storage as keywords of Playwright's ``new_context``."""
        plain = attrs.asdict(self, filter=lambda one, value: value is not None and one.name != "storage_state")
        if self.geolocation is not None:
            plain["permissions"] = sorted({*(self.permissions or ()), "geolocation"})
        return plain


@attrs.frozen(kw_only=True)
class ContextEntry:
    """A context in a list: its pages, when it was made (ms since 1970), and what it was told to be."""

    id: str
    page_count: int
    created: int
    options: ContextOptions | None = None
    """As they were given, without the storage."""
