"""network/*: interfere with the requests of pages."""

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
    """The name of the interception, for network/clear."""

    intercept_id: str


@method("network/intercept", InterceptRule, scope=Scope.PRIVILEGED)
async def intercept(tabs: "Tabs", params: InterceptRule) -> InterceptResult:
    """Stop requests, answer them, or have the client asked, from now on. [asyncio]

    Of several interceptions that are about a request the newest decides. With the handler ``callback`` the client gets
    notifications/network of type ``intercepted``, subscribed or not; what it does not answer in 10 s goes on.

    Raises:
      PageNotFound, ContextNotFound: the page or context named does not exist.
      ResourceLimitExceeded: the client has too many interceptions.
    """
    return InterceptResult(intercept_id=await tabs.interception.add(params))


@attrs.frozen(kw_only=True)
class FulfillParams:
    """A request that waits, and what to answer in the server's place."""

    request_id: str = attrs.field(metadata=constraints(maximum=100))
    response: MockResponse

    def invalid_field(self) -> InvalidField | None:
        """Say what is wrong with the response."""
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
    """A request that waits, and how it is to fail."""

    request_id: str = attrs.field(metadata=constraints(maximum=100))
    reason: AbortReason = "blockedbyclient"


@method("network/abort", AbortParams, scope=Scope.PRIVILEGED, free=True)
async def abort(tabs: "Tabs", params: AbortParams) -> Nothing:
    """Let an intercepted request fail. [asyncio]

    Raises:
      InvalidParams: no such request waits, or no more.
    """
    await tabs.interception.abort(params.request_id, params.reason)
    return Nothing()


@attrs.frozen(kw_only=True)
class ContinueParams:
    """A request that waits, and what to change in it."""

    request_id: str = attrs.field(metadata=constraints(maximum=100))
    overrides: Overrides = Overrides()


@method("network/continue", ContinueParams, scope=Scope.PRIVILEGED, free=True)
async def resume(tabs: "Tabs", params: ContinueParams) -> Nothing:
    """Let an intercepted request go on, changed or not. [asyncio]

    Raises:
      InvalidParams: no such request waits, or no more; or its new URL has another scheme, or is refused.
      DomainNotAllowed: the new URL's host is not in the allowlist.
    """
    await tabs.interception.resume(params.request_id, params.overrides)
    return Nothing()


@attrs.frozen(kw_only=True)
class ClearParams:
    """The interception to give up; all of them when absent."""

    intercept_id: str | None = field(default=None, maximum=100)


@method("network/clear", ClearParams, scope=Scope.PRIVILEGED, free=True)
async def clear(tabs: "Tabs", params: ClearParams) -> Nothing:
    """Interfere no more; requests that wait go on. [asyncio]

    Raises:
      InvalidParams: there is no such interception.
    """
    await tabs.interception.clear(params.intercept_id)
    return Nothing()
