"""Refusal of selectors that would reveal masked values: CSS, XPath and text match what no answer shows."""

from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
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

_GONE: Final = (ExecutionContextDestroyed, FrameNotFound)
_HINT: Final = (
    "Use a ref, or an attribute with fixed text; narrow a test of [value] by the type of the field; give a whole text, "
    "with exact."
)
_searched: ContextVar[list[str | None] | None] = ContextVar("searched", default=None)
"""Documents in which Playwright has looked for a role, of the request that runs."""


async def guarded(tab: Any, handler: Callable[[Any, Any], Awaitable[ResultT]], params: Any) -> ResultT:
    """Run a page's handler, unless selectors in the params ask for masked values. [asyncio]

    The document is checked before and after, since the values may arrive while the request waits; not again behind a
    dialog, when it would not answer. A role is checked by `guard_role`, only where Playwright looks for it: our own
    search, which finds most, leaves the values out of names.

    Raises:
      ActionFailed: a selector would match by a part of a masked value.
    """
    asked = [one for one in selectors_in(params) if _may_ask(one, has_secrets=tab.secrets.masks.active)]
    if not asked or not tab.is_chromium:
        return await handler(tab, params)
    is_role = not tab.secrets.masks.active and all(isinstance(one, Role) for one in asked)
    documents = [] if is_role else [await _check(tab, asked, None)]
    _searched.set(documents)
    try:
        result = await handler(tab, params)
    except Exception:
        await _check_again(tab, asked, documents)
        raise
    await _check_again(tab, asked, documents)
    return result


async def guard_role(tab: PageSurface, role: Role) -> None:
    """Check the document before Playwright looks for a role in it. [asyncio]

    Raises:
      ActionFailed: the name would match by a part of a masked value.
    """
    if tab.is_chromium and role.name:
        document = await _check(tab, [role], None)
        if (documents := _searched.get()) is not None:
            documents.append(document)


async def _check_again(tab: Any, asked: list[Selector], documents: Sequence[str | None]) -> None:
    if documents and tab.dialog is None:
        await _check(tab, asked, documents[-1])


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
