"""emulate/*: emulation of screens, user agents, locations and being offline."""

from typing import TYPE_CHECKING, Final, Literal

import attrs

from agentbrowser.protocol.registry import Scope, composite, page_method
from agentbrowser.protocol.types.emulate import MAX_SCALE, MAX_SIDE, MIN_SCALE, Screen, UserAgent
from agentbrowser.protocol.types.fields import constraints, field, milliseconds
from agentbrowser.protocol.types.page import Geolocation

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.page.emulation import Emulation
    from agentbrowser.browser.tab import Tab
    from agentbrowser.server.corridor.dispatch import Call


_SCREEN: Final = frozenset(one.name for one in attrs.fields(Screen))


@attrs.frozen(kw_only=True)
class EmulateResult:
    """The scope of the emulation: one page, or a context with all its present and later pages."""

    applies_to: Literal["page", "context"]
    page_id: str | None = None
    context_id: str | None = None


@attrs.frozen(kw_only=True)
class ViewportParams:
    """The emulated screen. Each call replaces all properties; absent ones are those of the page's context."""

    width: int = attrs.field(metadata=constraints(minimum=1, maximum=MAX_SIDE))
    height: int = attrs.field(metadata=constraints(minimum=1, maximum=MAX_SIDE))
    device_scale_factor: float | None = field(default=None, minimum=MIN_SCALE, maximum=MAX_SCALE)
    """Device pixels per CSS pixel; 1 without a context's own."""
    is_mobile: bool | None = None
    """True for the layout of a phone: by ``<meta name=viewport>``, in portrait if the height is larger."""
    has_touch: bool | None = None
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("emulate/setViewport", ViewportParams, scope=Scope.STANDARD)
async def set_viewport(tab: "Tab", params: ViewportParams) -> EmulateResult:
    """Emulate another screen. [asyncio]

    Touch support that a document detects while loading changes with the next document. A page that this one opens
    gets the same screen soon after its first request, unless only the size is emulated. Pages of a context with touch
    keep that.
    """
    given = attrs.asdict(params, filter=lambda one, value: value is not None and one.name in _SCREEN)
    await tab.set_screen(attrs.evolve(tab.context.options.screen, **given))
    return EmulateResult(applies_to="page", page_id=tab.id)


@attrs.frozen(kw_only=True)
class UserAgentParams(UserAgent):
    """A user agent, for the pages of the context or of the page's context."""

    context_id: str | None = None
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@composite("emulate/setUserAgent", UserAgentParams, scope=Scope.FULL)
async def set_user_agent(call: "Call", params: UserAgentParams) -> EmulateResult:
    """Emulate a user agent: its header and the navigator, at once. [trio]

    A popup has both only after its own first request.
    """
    return await _emulate(call, params.context_id, lambda emulation: emulation.set_user_agent(params))


@attrs.frozen(kw_only=True)
class GeolocationParams(Geolocation):
    """A place, for the pages of the context or of the page's context."""

    context_id: str | None = None
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@composite("emulate/setGeolocation", GeolocationParams, scope=Scope.FULL)
async def set_geolocation(call: "Call", params: GeolocationParams) -> EmulateResult:
    """Emulate a location, and grant the pages the permission to read it. [trio]"""
    return await _emulate(call, params.context_id, lambda emulation: emulation.set_geolocation(params))


@attrs.frozen(kw_only=True)
class OfflineParams:
    """True to emulate being offline, for the pages of the context or of the page's context."""

    offline: bool
    context_id: str | None = None
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@composite("emulate/setOffline", OfflineParams, scope=Scope.FULL)
async def set_offline(call: "Call", params: OfflineParams) -> EmulateResult:
    """Emulate being offline, or stop it. [trio]"""
    return await _emulate(call, params.context_id, lambda emulation: emulation.set_offline(params.offline))


async def _emulate(
    call: "Call", context_id: str | None, work: "Callable[[Emulation], Awaitable[None]]"
) -> EmulateResult:
    """Apply an emulation to the context, in the page's lane but without opening the page. [trio]"""

    async def work_and_name(context: "Context") -> str:
        await work(context.emulation)
        return context.id

    return EmulateResult(applies_to="context", context_id=await call.in_context(context_id, work_and_name))
