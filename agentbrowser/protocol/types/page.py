"""Pages, and the options of new pages."""

from typing import ClassVar, Final, Literal

import attrs

from agentbrowser.protocol.types.emulate import PRINTABLE
from agentbrowser.protocol.types.fields import constraints, field

LOCALE: Final = r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*"
WaitUntil = Literal["load", "domcontentloaded", "networkidle", "commit"]
PageStatus = Literal["loading", "ready", "error"]


@attrs.frozen(kw_only=True)
class Viewport:
    """Size of a page's viewport, in CSS pixels."""

    width: int = attrs.field(metadata=constraints(minimum=1, maximum=16_384))
    height: int = attrs.field(metadata=constraints(minimum=1, maximum=16_384))


@attrs.frozen(kw_only=True)
class Geolocation:
    """Geographic position in degrees, and its accuracy in metres."""

    latitude: float = attrs.field(metadata=constraints(minimum=-90, maximum=90))
    longitude: float = attrs.field(metadata=constraints(minimum=-180, maximum=180))
    accuracy: float = field(default=0, minimum=0)


@attrs.frozen(kw_only=True)
class Dialog:
    """Dialog that a page opened."""

    type: str
    message: str
    default_value: str | None = None


@attrs.frozen(kw_only=True)
class PageInfo:
    """A page."""

    schema_name: ClassVar[str] = "Page"

    id: str
    url: str
    title: str
    viewport: Viewport
    status: PageStatus
    dialog: Dialog | None = None
    """Its open dialog."""


@attrs.frozen(kw_only=True)
class ListedPage(PageInfo):
    """A page in a list, with its context and its opener."""

    context_id: str
    opener: str | None = None


@attrs.frozen(kw_only=True)
class PageOptions:
    """Options of a new page; None keeps the browser's default."""

    viewport: Viewport | None = None
    user_agent: str | None = field(default=None, maximum=1000, pattern=PRINTABLE)
    locale: str | None = field(default=None, pattern=LOCALE)
    timezone: str | None = field(default=None, pattern=r"[A-Za-z0-9_+/-]{1,64}")
    geolocation: Geolocation | None = None
    permissions: list[str] | None = field(default=None, maximum=30)
    """Permissions of all pages of the context, which require the scope of context/create."""
    offline: bool | None = None


@attrs.frozen
class Nothing:
    """Empty result: ``{}``."""


@attrs.frozen(kw_only=True)
class WaitForResult:
    """Outcome of a wait, and its time in ms."""

    outcome: Literal["met"]
    elapsed_ms: int = attrs.field(metadata=constraints(wire="elapsed"))
