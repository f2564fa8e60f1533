"""observe/*: seven plain observations of a page. agent/observe has a file of its own."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, page_method
from agentbrowser.protocol.types.fields import field, milliseconds
from agentbrowser.protocol.types.observe import (
    STATE_PROPERTIES,
    AccessibilityOptions,
    AccessibilityResult,
    AriaSnapshotResult,
    ContentFormat,
    ContentResult,
    DomOptions,
    DomResult,
    ElementProperty,
    ElementResult,
    PdfOptions,
    PdfResult,
    ScreenshotOptions,
    ScreenshotResult,
)
from agentbrowser.protocol.types.selector import Selector, parse_optional_selector, parse_selector

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


@attrs.frozen(kw_only=True)
class ScreenshotParams:
    """The area of the screenshot: the viewport, the whole document, a part of it, or one element."""

    options: ScreenshotOptions = attrs.field(factory=ScreenshotOptions)
    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    """The element to capture; excludes ``clip`` and ``full_page``."""
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("observe/screenshot", ScreenshotParams, scope=Scope.READONLY)
async def screenshot(tab: "Tab", params: ScreenshotParams) -> ScreenshotResult:
    """Take a screenshot. [asyncio]

    Raises:
      InvalidParams: the options exclude each other, or the clip is outside of what there is.
      ResourceLimitExceeded: the image would be larger than 16,384 pixels on a side or 50 megapixels.
    """
    return await tab.screenshots.screenshot(params.options, params.selector, params.timeout_ms)


@attrs.frozen(kw_only=True)
class AccessibilityParams:
    """The part of the accessibility tree to return."""

    options: AccessibilityOptions = attrs.field(factory=AccessibilityOptions)
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("observe/accessibility", AccessibilityParams, scope=Scope.READONLY)
async def accessibility(tab: "Tab", params: AccessibilityParams) -> AccessibilityResult:
    """Return the browser's own accessibility tree. [asyncio]

    Raises:
      ResourceLimitExceeded: the document or the root is too large for one tree.
      ActionFailed: the engine does not show its tree (any but Chromium).
    """
    return await tab.accessibility.tree(params.options, params.timeout_ms)


@attrs.frozen(kw_only=True)
class AriaSnapshotOptions:
    """Options of the outline."""

    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class AriaSnapshotParams:
    """The element to outline; the whole page when absent."""

    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    options: AriaSnapshotOptions | None = None
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("observe/ariaSnapshot", AriaSnapshotParams, scope=Scope.READONLY)
async def aria_snapshot(tab: "Tab", params: AriaSnapshotParams) -> AriaSnapshotResult:
    """Return an outline of the page by roles and names. [asyncio]

    Raises:
      ResourceLimitExceeded: the document or the element is too large for one outline.
    """
    inner_ms = params.options.timeout_ms if params.options else None
    return await tab.accessibility.outline(params.selector, params.timeout_ms or inner_ms)


@attrs.frozen(kw_only=True)
class DomParams:
    """The part of the document to return, and the options."""

    options: DomOptions = attrs.field(factory=DomOptions)
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("observe/dom", DomParams, scope=Scope.READONLY)
async def dom(tab: "Tab", params: DomParams) -> DomResult:
    """Return the document as it is now, as HTML and as text. [asyncio]

    Raises:
      ResourceLimitExceeded: it is larger than 8 MB.
    """
    return await tab.content.dom(params.options, params.timeout_ms)


@attrs.frozen(kw_only=True)
class ContentParams:
    """The format, and the element to read; the whole page when absent."""

    format: ContentFormat = "markdown"
    selector: Selector | None = attrs.field(default=None, converter=parse_optional_selector)
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("observe/content", ContentParams, scope=Scope.READONLY)
async def content(tab: "Tab", params: ContentParams) -> ContentResult:
    """Return the content of the page. [asyncio]

    Raises:
      ResourceLimitExceeded: it is larger than 8 MB.
    """
    return await tab.content.read(params.format, params.selector, params.timeout_ms)


@attrs.frozen(kw_only=True)
class ObserveElementParams:
    """An element, and the properties to return."""

    selector: Selector = attrs.field(converter=parse_selector)
    properties: list[ElementProperty] = field(factory=lambda: list(STATE_PROPERTIES), maximum=20)
    """All but the computed style when absent."""
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("observe/element", ObserveElementParams, scope=Scope.READONLY)
async def element(tab: "Tab", params: ObserveElementParams) -> ElementResult:
    """Return the state of an element at once; a missing one is ``found: false``. [asyncio]

    Raises:
      SelectorAmbiguous: several elements match.
    """
    return await tab.content.element(params.selector, params.properties)


@attrs.frozen(kw_only=True)
class PdfParams:
    """The layout of the page on paper."""

    options: PdfOptions = attrs.field(factory=PdfOptions)
    page_id: str | None = None
    timeout_ms: int | None = milliseconds()


@page_method("observe/pdf", PdfParams, scope=Scope.READONLY)
async def pdf(tab: "Tab", params: PdfParams) -> PdfResult:
    """Print the page to a PDF. [asyncio]

    Raises:
      ActionFailed: the browser can't print (any but a headless Chromium), or has no room between the margins.
    """
    return await tab.screenshots.pdf(params.options)
