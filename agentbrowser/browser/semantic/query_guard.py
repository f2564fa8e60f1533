"""Refusal of selectors that would reveal masked values: CSS, XPath and text match what no answer shows."""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any, Final, TypeVar

import attrs

from agentbrowser.browser.page import secrets
from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.protocol.errors import ActionFailed, ExecutionContextDestroyed, FrameNotFound
from agentbrowser.protocol.types.action import ActionResult
from agentbrowser.protocol.types.selector import (
    Css,
    Label,
    Placeholder,
    Role,
    Selector,
    Text,
    XPath,
    describe,
    selectors_in,
)

ResultT = TypeVar("ResultT")

_GONE: Final = (ExecutionContextDestroyed, FrameNotFound)
_REASON: Final = "a selector asks for a masked value"
_HINT: Final = (
    "Use a ref, or an attribute with fixed text; narrow a test of [value] by the type of the field; give a whole text, "
    "with exact."
)


@attrs.define
class _Request:
    """Selectors of a request that may ask for masked values, and the documents that were checked for them."""

    asked: list[Selector] = attrs.field(factory=list)
    documents: list[str | None] = attrs.field(factory=list)


_request: ContextVar[_Request | None] = ContextVar("request", default=None)


async def guarded(tab: Any, handler: Callable[[Any, Any], Awaitable[ResultT]], params: Any) -> ResultT:
    """Run a page's handler, unless selectors in the params ask for masked values. [asyncio]

    The document is checked before and after, since the values may arrive while the request waits; not again behind a
    dialog, when it would not answer, and not one that an action has led to. `guard_search` checks those between. A role
    is checked only where Playwright looks for it: our own search, which finds most, leaves the values out of names.

    Raises:
      ActionFailed: a selector would match by a part of a masked value.
    """
    request = _Request([one for one in selectors_in(params) if _may_ask(tab, one)])
    _request.set(request)
    if not request.asked:
        return await handler(tab, params)
    if tab.secrets.masks.active or not all(isinstance(one, Role) for one in request.asked):
        request.documents.append(await _check(tab, request.asked, None))
    try:
        result = await handler(tab, params)
    except Exception:
        await _check_again(tab, request, None)
        raise
    has_led_elsewhere = isinstance(result, ActionResult) and result.navigated
    await _check_again(tab, request, searched_document() if has_led_elsewhere else None)
    return result


def is_guarded(tab: PageSurface, selector: Selector) -> bool:
    """Return True if a selector of the request may match by a masked value; those made of its words are left out."""
    request = _request.get()
    return (request is None or selector in request.asked) and _may_ask(tab, selector)


async def guard_search(tab: PageSurface, selector: Selector) -> None:
    """Check the document in which a selector is looked for: before, and again once it is found. [asyncio]

    Raises:
      ActionFailed: it would match by a part of a masked value.
    """
    if is_guarded(tab, selector):
        document = await _check(tab, [selector], None)
        if (request := _request.get()) is not None:
            request.documents.append(document)


def searched_document() -> str | None:
    """Return the document that was checked last for the selectors of the request; None if none was."""
    request = _request.get()
    return request.documents[-1] if request and request.documents else None


def is_refusal(error: BaseException) -> bool:
    """Return True if a selector was refused: the same in the next document would reveal what is in this one."""
    return isinstance(error, ActionFailed) and error.details.get("reason") == _REASON


async def _check_again(tab: Any, request: _Request, document: str | None) -> None:
    if request.documents and tab.dialog is None:
        await _check(tab, request.asked, document)


def _may_ask(tab: Any, selector: Selector) -> bool:
    """Return True if a selector may match by a masked value; few do in pages without the operator's secrets."""
    has_secrets = tab.secrets.masks.active
    match selector:
        case _ if not tab.is_chromium:
            return False
        case Css(value=value):
            return has_secrets or ("[" in value and ("value" in value.lower() or "\\" in value))
        case XPath(value=value):
            return has_secrets or "@" in value or "attribute" in value
        case Role(name=name):
            return bool(name)  # to Playwright, the name of a row or a link has the values of its fields
        case Text() | Label() | Placeholder():
            return bool(has_secrets)
    return False


async def _check(tab: PageSurface, asked: list[Selector], document: str | None) -> str | None:
    """Check the selected frame, and return its document; another one than before is not checked."""
    world = tab.isolated_worlds.of(tab.frame)
    try:
        queries = [describe(one) for one in asked]
        known = await secrets.known_in(tab, tab.frame)
        answer = await world.call("asksForSecrets", {"queries": queries, "secrets": known})
    except _GONE:
        return None
    if answer["asks"] and document in (None, answer["document"]):
        message = "The selector would match by a part of a value that is masked; nothing was reported."
        raise ActionFailed(message, reason=_REASON, selector=queries[0], hint=_HINT)
    return str(answer["document"])
