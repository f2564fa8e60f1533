"""Interfering with a client's requests: stopped, answered in a server's place, or shown to the client to decide."""

import asyncio
import base64
import contextlib
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
from playwright.async_api import Request, Route

from agentbrowser.browser import faults
from agentbrowser.browser.events import network_events
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.policy import globs
from agentbrowser.protocol.errors import InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.network import AbortReason, InterceptRule, MockResponse, Overrides, RequestPattern

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.tabs import Tabs

log = structlog.get_logger("agentbrowser.browser")

ANSWER_TIMEOUT_S: Final = 10.0
"""How long a request waits for its client."""
MAX_RULES: Final = 100
MAX_PAUSED: Final = 200
"""Requests beyond which the next ones go on without being shown."""

_EVERYTHING: Final = "**/*"


@attrs.frozen(eq=False)
class PausedRequest:
    """A request that waits for the client's word."""

    route: Route
    intercept_id: str
    timer: asyncio.TimerHandle


@attrs.define(eq=False)
class Interception:
    """The rules of one client, of which the newest that is applicable a request decides.

    Requests are looked at only while there are rules, since that switches the browser's cache off. Redirections, and
    requests that a service worker answers or makes, are never looked at.
    """

    tabs: "Tabs"
    _rules: dict[str, InterceptRule] = attrs.field(factory=dict, init=False)
    _paused: dict[str, PausedRequest] = attrs.field(factory=dict, init=False)
    _listeners: dict["Context", Any] = attrs.field(factory=dict, init=False)
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)

    async def add(self, rule: InterceptRule) -> str:
        """Hold to a rule from now on, and return its id. [asyncio]

        Raises:
          InvalidParams: a pattern means nothing.
          PageNotFound, ContextNotFound: the rule is applicable one that does not exist.
          ResourceLimitExceeded: there are `MAX_RULES` already.
        """
        _check_patterns(rule)
        if rule.only_page is not None:
            await self.tabs.tab(rule.only_page, TabState.ALIVE)
        if rule.only_context is not None:
            await self.tabs.resolve_context(rule.only_context, None)
        if (current := len(self._rules)) >= MAX_RULES:
            message = f"This client already has {MAX_RULES} interceptions; clear some first."
            raise ResourceLimitExceeded(message, resource="interceptions", limit=MAX_RULES, current=current)
        intercept_id = f"intercept-{next(self._numbers)}"
        self._rules[intercept_id] = rule
        for context in self.tabs.contexts:
            await self.attach(context)
        return intercept_id

    async def clear(self, intercept_id: str | None) -> None:
        """Give up a rule, or all of them; what waits because of it goes on. [asyncio]

        Raises:
          InvalidParams: there is no such rule.
        """
        if intercept_id is not None and intercept_id not in self._rules:
            expected = "an id that network/intercept returned and that was not cleared"
            raise InvalidParams("There is no such interception.", path="interceptId", expected=expected)
        for one in [intercept_id] if intercept_id else list(self._rules):
            del self._rules[one]
        for request_id, paused in list(self._paused.items()):
            if paused.intercept_id not in self._rules:
                self._resume(request_id)
        if not self._rules:
            await self._detach_all()

    async def attach(self, context: "Context") -> None:
        """Look at the requests of a context, if there are rules. [asyncio]"""
        async with self._lock:
            if self._rules and context not in self._listeners:
                look = safe_listener(lambda route: self.tabs.run_in_background(self._decide(route, context.id)))
                self._listeners[context] = look
                with faults.mapped():
                    await context.browser_context.route(_EVERYTHING, look)

    async def _detach_all(self) -> None:
        async with self._lock:
            while self._listeners and not self._rules:
                context, look = self._listeners.popitem()
                with contextlib.suppress(*faults.VENDOR_ERRORS):
                    await context.browser_context.unroute(_EVERYTHING, look)

    def forget(self, context: "Context") -> None:
        """Let go of a context that is gone."""
        self._listeners.pop(context, None)

    def reset_lock(self) -> None:
        """Let go of a lock of a loop that has ended."""
        self._lock = asyncio.Lock()

    def close(self) -> None:
        """Give up all rules, once all contexts are gone."""
        self._rules.clear()
        for request_id in list(self._paused):
            self._take(request_id)

    async def fulfill(self, request_id: str, response: MockResponse) -> None:
        """Answer a request that waits. [asyncio]"""
        with self._answering(request_id) as route:
            await _respond(route, response)

    async def abort(self, request_id: str, reason: AbortReason) -> None:
        """Let a request that waits fail. [asyncio]"""
        with self._answering(request_id) as route:
            await route.abort(reason)

    async def resume(self, request_id: str, overrides: Overrides) -> None:
        """Let a request that waits go on, changed or not. [asyncio]"""
        with self._answering(request_id) as route:
            _check_scheme(route.request.url, overrides.url)
            await route.continue_(
                url=overrides.url, method=overrides.method, headers=overrides.headers, post_data=overrides.post_data
            )

    @contextlib.contextmanager
    def _answering(self, request_id: str) -> Iterator[Route]:
        """Take a request out of those that wait, unless it can't be answered as it should be.

        Raises:
          InvalidParams: it does not wait, or no more.
        """
        paused = self._take(request_id)
        if paused is None:
            expected = f"the id of an intercepted request that has waited for less than {ANSWER_TIMEOUT_S:g} s"
            raise InvalidParams("No such request waits for an answer.", path="requestId", expected=expected)
        try:
            with faults.mapped():
                yield paused.route
        except BaseException:
            self._pause(request_id, paused.route, paused.intercept_id)
            raise

    async def _decide(self, route: Route, context_id: str) -> None:
        page = network_events.page_of(route.request)
        tab = self.tabs.tab_of(page)
        page_id = tab.id if tab else ""
        applicable = [one for one, rule in self._rules.items() if _applies(rule, route.request, page_id, context_id)]
        try:
            await self._apply(applicable[-1] if applicable else None, route, page_id)
        except faults.VENDOR_ERRORS as error:  # most likely its page went away
            log.info("interception_failed", error=type(error).__name__)

    async def _apply(self, intercept_id: str | None, route: Route, page_id: str) -> None:
        match self._rules.get(intercept_id or ""):
            case InterceptRule(handler="abort"):
                await route.abort("blockedbyclient")
            case InterceptRule(handler="respond", response=MockResponse() as response):
                await _respond(route, response)
            case InterceptRule(handler="callback") if len(self._paused) < MAX_PAUSED:
                self._ask(intercept_id or "", route, page_id)
            case _:
                await route.continue_()

    def _ask(self, intercept_id: str, route: Route, page_id: str) -> None:
        self._pause(self.tabs.request_ids.of(route.request), route, intercept_id)
        self.tabs.emit(network_events.intercepted_event(self.tabs, page_id, route.request))

    def _pause(self, request_id: str, route: Route, intercept_id: str) -> None:
        timer = asyncio.get_running_loop().call_later(ANSWER_TIMEOUT_S, self._resume, request_id)
        self._paused[request_id] = PausedRequest(route, intercept_id, timer)

    def _take(self, request_id: str) -> PausedRequest | None:
        paused = self._paused.pop(request_id, None)
        if paused is not None:
            paused.timer.cancel()
        return paused

    def _resume(self, request_id: str) -> None:
        paused = self._take(request_id)
        if paused is not None:
            self.tabs.run_in_background(_continue(paused.route))


async def _continue(route: Route) -> None:
    with contextlib.suppress(*faults.VENDOR_ERRORS):  # its page went away
        await route.continue_()


async def _respond(route: Route, response: MockResponse) -> None:
    body: str | bytes = response.body
    if response.body_encoding == "base64":
        body = base64.b64decode(response.body)
    await route.fulfill(status=response.status, headers=response.headers, body=body, content_type=response.content_type)


def _check_patterns(rule: InterceptRule) -> None:
    for index, pattern in enumerate(rule.patterns):
        try:
            globs.compiled(pattern.url_pattern or "")
        except InvalidParams as refused:
            raise refused.with_details(path=f"patterns[{index}].urlPattern") from None


def _check_scheme(url: str, instead: str | None) -> None:
    scheme = url.partition(":")[0]
    if instead is not None and instead.partition(":")[0] != scheme:
        expected = f"a URL that begins with {scheme}:, as the request's own"
        raise InvalidParams(f"The URL must be {expected}.", path="overrides.url", expected=expected)


def _applies(rule: InterceptRule, request: Request, page_id: str, context_id: str) -> bool:
    return (
        rule.only_page in (None, page_id)
        and rule.only_context in (None, context_id)
        and any(_matches(pattern, request) for pattern in rule.patterns)
    )


def _matches(pattern: RequestPattern, request: Request) -> bool:
    return (
        pattern.resource_type in (None, request.resource_type)
        and (pattern.method is None or pattern.method.upper() == request.method)
        and (pattern.url_pattern is None or globs.matches(pattern.url_pattern, request.url))
    )
