"""context/*: cookie jars with settings of their own, beside the default one."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, method
from agentbrowser.protocol.types.context import ContextEntry, ContextOptions
from agentbrowser.protocol.types.fields import constraints, field, milliseconds

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs


@attrs.frozen(kw_only=True)
class ContextCreateParams:
    """A context to make, under an id of the client's choice or one of ours."""

    context_id: str | None = field(default=None, pattern=r"[A-Za-z0-9-]{1,64}")
    options: ContextOptions = ContextOptions()
    timeout_ms: int | None = milliseconds()


@attrs.frozen(kw_only=True)
class CreateResult:
    """The context that was made."""

    context_id: str


@method("context/create", ContextCreateParams, scope=Scope.FULL)
async def create(tabs: "Tabs", params: ContextCreateParams) -> CreateResult:
    """Make a context, which shares no cookie or storage with any other. [asyncio]

    Raises:
      InvalidParams: the id is taken, or the browser does not know a setting.
      ResourceLimitExceeded: the client has as many contexts as it may have.
    """
    context = await tabs.contexts.create(params.context_id, params.options)
    return CreateResult(context_id=context.id)


@attrs.frozen(kw_only=True)
class ContextListParams:
    """Nothing is needed."""


@attrs.frozen(kw_only=True)
class ContextLimits:
    """How many contexts the client may have, and has."""

    max_contexts: int
    current_count: int


@attrs.frozen(kw_only=True)
class ContextListResult:
    """The client's contexts in the order they were made; the default one is among them once it was needed."""

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
    """How many pages went with it."""

    pages_destroyed: int


@method("context/destroy", DestroyParams, scope=Scope.FULL)
async def destroy(tabs: "Tabs", params: DestroyParams) -> DestroyResult:
    """Close a context with its pages and forget its storage; the default one is made anew on the next need. [asyncio]

    Raises:
      ContextNotFound: there is none of that id.
    """
    return DestroyResult(pages_destroyed=await tabs.contexts.destroy(params.context_id))
