"""action/*: the thirteen actions on an element."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.methods.agent_observe import FollowingLook
from agentbrowser.protocol.registry import Scope, page_method
from agentbrowser.protocol.types.action import (
    ActionOptions,
    ActionResult,
    ClickOptions,
    FileUpload,
    HoverOptions,
    Offset,
    Point,
    ScrollOptions,
    TypeOptions,
)
from agentbrowser.protocol.types.fields import constraints, typed_text, uploadable
from agentbrowser.protocol.types.selector import Selector, parse_optional_selector, parse_selector

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.frozen(kw_only=True)
class ActionElementParams:
    """The element to act on."""

    selector: Selector = attrs.field(converter=parse_selector)
    options: ActionOptions = ActionOptions()
    page_id: str | None = None
    """The page; the active one when absent."""
    observe: FollowingLook | None = None
    """``changes`` to report as text what the action has changed; or params of ``agent/observe``."""


@attrs.frozen(kw_only=True)
class ClickParams:
    """The element to click, and the options of the click."""

    selector: Selector = attrs.field(converter=parse_selector)
    options: ClickOptions = ClickOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/click", ClickParams, scope=Scope.STANDARD, step=True)
async def click(tab: "Tab", params: ClickParams) -> ActionResult:
    """Click the element. [asyncio]

    Raises:
      ElementNotFound: nothing matches before the deadline.
      ElementNotVisible, ElementNotEnabled: it exists, but can't be clicked.
    """
    return await tab.actions.click(params.selector, params.options)


@page_method("action/dblclick", ClickParams, scope=Scope.STANDARD, step=True)
async def dblclick(tab: "Tab", params: ClickParams) -> ActionResult:
    """Click the element twice. [asyncio]"""
    return await tab.actions.dblclick(params.selector, params.options)


@attrs.frozen(kw_only=True)
class HoverParams:
    """The element to hover, and the options of the hover."""

    selector: Selector = attrs.field(converter=parse_selector)
    options: HoverOptions = HoverOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/hover", HoverParams, scope=Scope.STANDARD, step=True)
async def hover(tab: "Tab", params: HoverParams) -> ActionResult:
    """Move the pointer over the element. [asyncio]"""
    return await tab.actions.hover(params.selector, params.options, params.options.position)


@page_method("action/check", ActionElementParams, scope=Scope.STANDARD, step=True)
async def check(tab: "Tab", params: ActionElementParams) -> ActionResult:
    """Check a checkbox, radio button or switch. [asyncio]"""
    return await tab.actions.check(params.selector, params.options)


@page_method("action/uncheck", ActionElementParams, scope=Scope.STANDARD, step=True)
async def uncheck(tab: "Tab", params: ActionElementParams) -> ActionResult:
    """Uncheck a checkbox or switch. [asyncio]"""
    return await tab.actions.uncheck(params.selector, params.options)


@page_method("action/clear", ActionElementParams, scope=Scope.STANDARD, step=True)
async def clear(tab: "Tab", params: ActionElementParams) -> ActionResult:
    """Empty a field. [asyncio]"""
    return await tab.actions.clear(params.selector, params.options)


@attrs.frozen(kw_only=True)
class FillParams:
    """The field to fill, and its new value."""

    selector: Selector = attrs.field(converter=parse_selector)
    value: str = attrs.field(metadata=typed_text())
    """``{{secret:name}}`` stands for a secret of the operator's, in frames of its origins."""
    options: ActionOptions = ActionOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/fill", FillParams, scope=Scope.STANDARD, step=True)
async def fill(tab: "Tab", params: FillParams) -> ActionResult:
    """Replace the value of a field. [asyncio]

    Raises:
      ActionFailed: the field holds another value afterwards, or the element is no field.
      ScopeDenied: a secret is not for the origin of the field's frame; nothing is written.
    """
    return await tab.actions.fill(params.selector, params.value, params.options)


@attrs.frozen(kw_only=True)
class TypeParams:
    """The element to type into, and the text."""

    selector: Selector = attrs.field(converter=parse_selector)
    text: str = attrs.field(metadata=typed_text())
    """``{{secret:name}}`` as in ``action/fill``."""
    options: TypeOptions = TypeOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/type", TypeParams, scope=Scope.STANDARD, step=True)
async def type_(tab: "Tab", params: TypeParams) -> ActionResult:
    """Type text character by character, after the field's present value. [asyncio]

    Raises:
      ScopeDenied: as in ``action/fill``.
    """
    return await tab.actions.type(params.selector, params.text, params.options)


@attrs.frozen(kw_only=True)
class PressParams:
    """The key, ``Enter`` or ``Control+a``, and the element to press it in: the focused one when absent."""

    key: str = attrs.field(metadata=constraints(minimum=1, maximum=100))
    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    options: ActionOptions = ActionOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/press", PressParams, scope=Scope.STANDARD, step=True)
async def press(tab: "Tab", params: PressParams) -> ActionResult:
    """Press a key or a combination of keys. [asyncio]"""
    return await tab.actions.press(params.key, params.selector, params.options)


@attrs.frozen(kw_only=True)
class ScrollParams:
    """The element to scroll to, or with options to scroll, itself or its nearest container; the page when absent."""

    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    options: ScrollOptions = ScrollOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/scroll", ScrollParams, scope=Scope.STANDARD, step=True)
async def scroll(tab: "Tab", params: ScrollParams) -> ActionResult:
    """Scroll the page or an element; with a selector alone, scroll until its element is in view. [asyncio]"""
    return await tab.actions.scroll(params.selector, params.options)


@attrs.frozen(kw_only=True)
class SelectParams:
    """The ``<select>``, and the options to choose, each by its value or else by its label."""

    selector: Selector = attrs.field(converter=parse_selector)
    values: str | list[str]
    options: ActionOptions = ActionOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/select", SelectParams, scope=Scope.STANDARD, step=True)
async def select(tab: "Tab", params: SelectParams) -> ActionResult:
    """Choose options. [asyncio]

    Raises:
      ActionFailed: there is no such option; the reason lists some existing ones.
    """
    values = [params.values] if isinstance(params.values, str) else params.values
    return await tab.actions.select(params.selector, values, params.options)


@attrs.frozen(kw_only=True)
class UploadParams:
    """The file input, or what opens its file chooser, and the new files."""

    selector: Selector = attrs.field(converter=parse_selector)
    files: list[FileUpload] = attrs.field(metadata=uploadable())
    options: ActionOptions = ActionOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/upload", UploadParams, scope=Scope.FULL, step=True)
async def upload(tab: "Tab", params: UploadParams) -> ActionResult:
    """Set the files of a file input, or of the one whose file chooser a click on the element opens. [asyncio]

    Raises:
      ActionFailed: the click has opened no file chooser.
    """
    return await tab.actions.upload(params.selector, params.files, params.options)


def _parse_target(given: Selector | Point | Offset | str) -> Selector | Point | Offset:
    return given if isinstance(given, Point | Offset) else parse_selector(given)


@attrs.frozen(kw_only=True)
class DragParams:
    """The element to drag, and the target: an element, a point of the viewport, or a distance from where it is."""

    source: Selector = attrs.field(converter=parse_selector)
    target: Selector | Point | Offset = attrs.field(converter=_parse_target)
    options: ActionOptions = ActionOptions()
    page_id: str | None = None
    observe: FollowingLook | None = None


@page_method("action/drag", DragParams, scope=Scope.STANDARD, step=True)
async def drag(tab: "Tab", params: DragParams) -> ActionResult:
    """Drag an element and drop it. [asyncio]"""
    return await tab.actions.drag(params.source, params.target, params.options)
