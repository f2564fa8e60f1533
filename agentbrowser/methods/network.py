"""network/*: interception of the requests of pages."""

from typing import TYPE_CHECKING

import attrs

from agentbrowser.protocol.registry import Scope, method
from agentbrowser.protocol.types.fields import InvalidField, constraints, field
from agentbrowser.protocol.types.network import AbortReason, InterceptRule, MockResponse, Overrides
from agentbrowser.protocol.types.page import Nothing

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs


@attrs.frozen(kw_only=True)
class InterceptResult:
    """The id of the intercept rule, for network/clear."""

    intercept_id: str


@method("network/intercept", InterceptRule, scope=Scope.PRIVILEGED)
async def intercept(tabs: "Tabs", params: InterceptRule) -> InterceptResult:
    """Intercept requests from now on: block them, answer them, or ask the client. [asyncio]

    The newest of several matching rules decides. With the handler ``callback`` the client receives
    notifications/network of type ``intercepted``, subscribed or not; a request without an answer in 10 s continues.

    Raises:
      PageNotFound, ContextNotFound: the page or context named does not exist.
      ResourceLimitExceeded: the client has too many intercept rules.
    """
    return InterceptResult(intercept_id=await tabs.interception.add(params))


@attrs.frozen(kw_only=True)
class FulfillParams:
    """A paused request, and the response to it."""

    request_id: str = attrs.field(metadata=constraints(maximum=100))
    response: MockResponse

    def invalid_field(self) -> InvalidField | None:
        """Return the invalid field of the response, if there is one."""
        return self.response.invalid_field()


@method("network/fulfill", FulfillParams, scope=Scope.PRIVILEGED, free=True)
async def fulfill(tabs: "Tabs", params: FulfillParams) -> Nothing:
    """Answer an intercepted request. [asyncio]

    Raises:
      InvalidParams: no such request waits, or no more.
    """
    await tabs.interception.fulfill(params.request_id, params.response)
    return Nothing()


@attrs.frozen(kw_only=True)
class AbortParams:
    """A paused request, and the error to fail it with."""

    request_id: str = attrs.field(metadata=constraints(maximum=100))
    reason: AbortReason = "blockedbyclient"


@method("network/abort", AbortParams, scope=Scope.PRIVILEGED, free=True)
async def abort(tabs: "Tabs", params: AbortParams) -> Nothing:
    """Fail an intercepted request. [asyncio]

    Raises:
      InvalidParams: no such request waits, or no more.
    """
    await tabs.interception.abort(params.request_id, params.reason)
    return Nothing()


@attrs.frozen(kw_only=True)
class ContinueParams:
    """A paused request, and the changes to it."""

    request_id: str = attrs.field(metadata=constraints(maximum=100))
    overrides: Overrides = Overrides()


@method("network/continue", ContinueParams, scope=Scope.PRIVILEGED, free=True)
async def resume(tabs: "Tabs", params: ContinueParams) -> Nothing:
    """Continue an intercepted request, changed or not. [asyncio]

    Raises:
      InvalidParams: no such request waits, or no more; or its new URL has another scheme, or is refused.
      DomainNotAllowed: the new URL's host is not in the allowlist.
    """
    await tabs.interception.resume(params.request_id, params.overrides)
    return Nothing()


@attrs.frozen(kw_only=True)
class ClearParams:
    """The intercept rule to remove; all of them when absent."""

    intercept_id: str | None = field(default=None, maximum=100)


@method("network/clear", ClearParams, scope=Scope.PRIVILEGED, free=True)
async def clear(tabs: "Tabs", params: ClearParams) -> Nothing:
    """Remove an intercept rule, or all; paused requests continue. [asyncio]

    Raises:
      InvalidParams: there is no such rule.
    """
    await tabs.interception.clear(params.intercept_id)
    return Nothing()
