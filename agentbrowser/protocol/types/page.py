"""Pages as the wire shows them, and what a client may ask of a page or context when it is made."""

from typing import ClassVar, Literal

import attrs

from agentbrowser.protocol.types.fields import constraints, field

WaitUntil = Literal["load", "domcontentloaded", "networkidle", "commit"]
PageStatus = Literal["loading", "ready", "error"]


@attrs.frozen(kw_only=True)
class Viewport:
    """The size of a page's visible part, in CSS pixels."""

    width: int = attrs.field(metadata=constraints(minimum=1, maximum=16_384))
    height: int = attrs.field(metadata=constraints(minimum=1, maximum=16_384))


@attrs.frozen(kw_only=True)
class Geolocation:
    """A place on earth: degrees, and the accuracy in metres."""

    latitude: float = attrs.field(metadata=constraints(minimum=-90, maximum=90))
    longitude: float = attrs.field(metadata=constraints(minimum=-180, maximum=180))
    accuracy: float = field(default=0, minimum=0)


@attrs.frozen(kw_only=True)
class Dialog:
    """A dialog that a page has opened."""

    type: str
    message: str
    default_value: str | None = None


@attrs.frozen(kw_only=True)
class PageInfo:
    """One tab."""

    schema_name: ClassVar[str] = "Page"

    id: str
    url: str
    title: str
    viewport: Viewport
    status: PageStatus


@attrs.frozen(kw_only=True)
class ListedPage(PageInfo):
    """One tab, with where it came from and the dialog it is showing."""

    context_id: str
    opener: str | None = None
    dialog: Dialog | None = None


@attrs.frozen(kw_only=True)
class PageOptions:
    """What a page may be told to be when it is made; None leaves the browser's own."""

    viewport: Viewport | None = None
    user_agent: str | None = field(default=None, minimum=1, maximum=1000)
    locale: str | None = field(default=None, pattern=r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
    timezone: str | None = field(default=None, pattern=r"[A-Za-z0-9_+/-]{1,64}")
    geolocation: Geolocation | None = None
    permissions: list[str] | None = field(default=None, maximum=30)
    """For all pages of its context, so they need the scope of context/create."""
    offline: bool | None = None


@attrs.frozen(kw_only=True)
class MoveResult:
    """Where the page is now; ``navigated`` is false when there was nowhere to go."""

    url: str
    title: str
    navigated: bool


@attrs.frozen
class Nothing:
    """The result of a method with nothing to say: ``{}``."""
