"""Keyword options of the client's methods; a test compares each with the protocol class of the same fields."""

from typing import Any, Literal, TypedDict

from agentbrowser.methods.agent_observe import ObserveParams
from agentbrowser.protocol.types.action import Button, Direction, Modifier, Point
from agentbrowser.protocol.types.annotations import AnnotateOptions
from agentbrowser.protocol.types.observe import Clip, ImageFormat, SettleOptions
from agentbrowser.protocol.types.page import Geolocation, Viewport, WaitUntil
from agentbrowser.protocol.types.selector import Selector
from agentbrowser.protocol.types.storage import StorageState


class ActionKeywords(TypedDict, total=False):
    """Keywords of `ActionOptions`, and of every action."""

    idempotency_key: str | None
    """A repetition with the same key gets the first reply, without acting again."""
    observe: Literal["changes"] | ObserveParams | None
    """``changes`` for an observation of what the action changed, as text; or what to observe after it."""

    timeout_ms: int | None
    force: bool
    no_wait_after: bool
    trial: bool


class HoverKeywords(ActionKeywords, total=False):
    """Keywords of `HoverOptions`."""

    position: Point | None


class ClickKeywords(ActionKeywords, total=False):
    """Keywords of `ClickOptions`."""

    button: Button
    click_count: int | None
    modifiers: list[Modifier]
    position: Point | None


class TypeKeywords(ActionKeywords, total=False):
    """Keywords of `TypeOptions`."""

    delay_ms: int
    clear: bool


class ScrollKeywords(ActionKeywords, total=False):
    """Keywords of `ScrollOptions`."""

    direction: Direction | None
    amount: float | Literal["page", "toElement"] | None


class MoveKeywords(TypedDict, total=False):
    """Keywords of `page.MoveParams`, and the idempotency key."""

    wait_until: WaitUntil
    idempotency_key: str | None
    timeout_ms: int | None


class PageKeywords(TypedDict, total=False):
    """Keywords of `page.PageCreateParams`."""

    viewport: Viewport | None
    user_agent: str | None
    locale: str | None
    timezone: str | None
    geolocation: Geolocation | None
    permissions: list[str] | None
    offline: bool | None
    context_id: str | None
    storage_state: StorageState | None
    timeout_ms: int | None


class ObserveKeywords(TypedDict, total=False):
    """Keywords of `agent_observe.ObserveParams`."""

    include_metadata: bool
    include_interactive_elements: bool
    include_accessibility: bool
    include_screenshot: bool
    include_bounds: bool
    include_webmcp_tools: bool
    max_elements: int
    cursor: str | None
    fold: bool | None
    filter_roles: list[str] | None
    viewport_only: bool
    stable_refs: bool
    refresh_refs: bool
    include_ref_history: bool
    annotate_screenshot: bool | AnnotateOptions
    response_tier: Literal["full", "interactive", "minimal"]
    text: Literal["none", "brief", "full"]
    max_tokens: int | None
    incremental: bool
    settle: bool | SettleOptions
    timeout_ms: int | None


class ScreenshotKeywords(TypedDict, total=False):
    """Keywords of `ScreenshotOptions`."""

    full_page: bool
    clip: Clip | None
    format: ImageFormat
    quality: int | None
    scale: Literal["css", "device"]
    mask: list[Selector]


class SequenceKeywords(TypedDict, total=False):
    """Keywords of `agent_act.ActParams`."""

    stop_on_first_error: bool
    continue_on_condition_fail: bool
    pre_observe: bool | dict[str, Any]
    post_observe: bool | Literal["changes"] | dict[str, Any]
    idempotency_key: str | None
    timeout_ms: int | None
