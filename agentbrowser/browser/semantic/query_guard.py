"""Refusal of selectors that would reveal masked values: CSS, XPath and text match what no answer shows."""

import math
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeVar

from agentbrowser.browser.page import secrets
from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.protocol.errors import ActionFailed, ExecutionContextDestroyed, FrameNotFound
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

_AT_ONCE_S: Final = 0.1
_GONE: Final = (ExecutionContextDestroyed, FrameNotFound)
_HINT: Final = (
    "Use a ref, or an attribute with fixed text; narrow a test of [value] by the type of the field; give a whole text, "
    "with exact."
)


async def guarded(tab: Any, handler: Callable[[Any, Any], Awaitable[ResultT]], params: Any) -> ResultT:
    """Run a page's handler, unless selectors in the params ask for masked values. [asyncio]

    The document is checked before and after, since the values may arrive while the request waits. It is not asked again
    while it stands still behind a dialog, when it would not answer, and where a role was found at once, as most are.

    Raises:
      ActionFailed: a selector would match by a part of a masked value.
    """
    asked = [one for one in selectors_in(params) if _may_ask(one, has_secrets=tab.secrets.masks.active)]
    if not asked or not tab.is_chromium:
        return await handler(tab, params)
    document = await _check(tab, asked, None)
    is_role = not tab.secrets.masks.active and all(isinstance(one, Role) for one in asked)
    at_once_s = time.monotonic() + _AT_ONCE_S if is_role else -math.inf
    try:
        result = await handler(tab, params)
    except Exception:
        if tab.dialog is None and time.monotonic() > at_once_s:
            await _check(tab, asked, document)
        raise
    if tab.dialog is None and time.monotonic() > at_once_s:
        await _check(tab, asked, document)
    return result


def _may_ask(selector: Selector, *, has_secrets: bool) -> bool:
    """Return True if a selector may match by a masked value; few do in pages without the operator's secrets."""
    match selector:
        case Css(value=value):
            return has_secrets or ("[" in value and ("value" in value.lower() or "\\" in value))
        case XPath(value=value):
            return has_secrets or "@" in value or "attribute" in value
        case Role(name=name):
            return bool(name)  # to Playwright, the name of a row or a link has the values of its fields
        case Text() | Label() | Placeholder():
            return has_secrets
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
        reason = "a selector asks for a masked value"
        message = "The selector would match by a part of a value that is masked; nothing was reported."
        raise ActionFailed(message, reason=reason, selector=queries[0], hint=_HINT)
    return str(answer["document"])
