"""context/*: browser contexts with their own storage and settings, beside the default one."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, method
from agentbrowser.protocol.types.context import ContextEntry, ContextOptions
from agentbrowser.protocol.types.fields import constraints, field, milliseconds

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs


@attrs.frozen(kw_only=True)
class ContextCreateParams:
    """A context to create, under an id of the client's or the server's choice."""

    context_id: str | None = field(default=None, pattern=r"[A-Za-z0-9-]{1,64}")
    options: ContextOptions = ContextOptions()
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class CreateResult:
    """The new context."""

    context_id: str


@method("context/create", ContextCreateParams, scope=Scope.FULL)
async def create(tabs: "Tabs", params: ContextCreateParams) -> CreateResult:
    """Create a context, which shares no cookies or storage with any other. [asyncio]

    Raises:
      InvalidParams: the id is taken, or the browser does not know a setting.
      ResourceLimitExceeded: the client has as many contexts as it may have.
    """
    context = await tabs.contexts.create(params.context_id, params.options)
    return CreateResult(context_id=context.id)


@attrs.frozen(kw_only=True)
class ContextListParams:
    """No parameters."""


@attrs.frozen(kw_only=True)
class ContextLimits:
    """The limit of the client's contexts, and their present number."""

    max_contexts: int
    current_count: int


@attrs.frozen(kw_only=True)
class ContextListResult:
    """The client's contexts in order of creation, with the default one once it has been used."""

    contexts: list[ContextEntry]
    limits: ContextLimits


@method("context/list", ContextListParams, scope=Scope.READONLY)
async def list_contexts(tabs: "Tabs", params: ContextListParams) -> ContextListResult:
    """List the client's contexts. [asyncio]"""
    contexts = tabs.contexts.describe()
    limits = ContextLimits(max_contexts=tabs.config.max_contexts, current_count=len(contexts))
    return ContextListResult(contexts=contexts, limits=limits)


@attrs.frozen(kw_only=True)
class DestroyParams:
    """A context to close."""

    context_id: str = attrs.field(metadata=constraints(minimum=1))
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class DestroyResult:
    """The number of pages closed with the context."""

    pages_destroyed: int


@method("context/destroy", DestroyParams, scope=Scope.FULL)
async def destroy(tabs: "Tabs", params: DestroyParams) -> DestroyResult:
    """Close a context with its pages and delete its storage; the default one is created anew on demand. [asyncio]

    Raises:
      ContextNotFound: there is none of that id.
    """
    return DestroyResult(pages_destroyed=await tabs.contexts.destroy(params.context_id))
