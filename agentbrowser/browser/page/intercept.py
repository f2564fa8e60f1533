"""Request interception: rules that abort a request, mock its response, or pause it for the client."""

import asyncio
import base64
import contextlib
import itertools
import time
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
from playwright.async_api import Request, Route

from agentbrowser.browser import faults
from agentbrowser.browser.events import network_events
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.policy import globs
from agentbrowser.policy.redaction import REDACTED, redact_address, redact_body, redact_headers
from agentbrowser.policy.urls import is_browsers_own
from agentbrowser.protocol.errors import InvalidParams, ResourceLimitExceeded
from agentbrowser.protocol.registry import TabState
from agentbrowser.protocol.types.network import AbortReason, InterceptRule, MockResponse, Overrides, RequestPattern

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.tabs import Tabs

log = structlog.get_logger("agentbrowser.browser")

ANSWER_TIMEOUT_S: Final = 10.0
"""Time limit for the client's decision on a request."""
MAX_RULES: Final = 100
MAX_RESPONSES: Final = 16 * 1024 * 1024
"""Characters of the responses of all rules: they stay until the rules are cleared."""
MAX_PAUSED: Final = 200
"""Limit on paused requests; further ones continue without a pause."""

_HOLD_S: Final = 0.005
"""Time for which a request looks for its rule before others are served, for as long."""

_EVERYTHING: Final = "**/*"
_EVERY_URL: Final = "**"


@attrs.frozen(eq=False)
class PausedRequest:
    """A request that waits for the client's decision."""

    route: Route
    intercept_id: str
    timer: asyncio.TimerHandle


@attrs.define(eq=False)
class Interception:
    """Interception rules of one client; the newest rule that applies to a request decides.

    Requests are intercepted only while there are rules, because interception disables the browser's cache. Redirects,
    and requests that a service worker answers or makes, are never intercepted.
    """

    tabs: "Tabs"
    _rules: dict[str, InterceptRule] = attrs.field(factory=dict, init=False)
    _globs: dict[str, list[globs.Glob]] = attrs.field(factory=dict, init=False)
    """URL patterns of each rule, compiled: those of all rules are more than a cache holds."""
    _paused: dict[str, PausedRequest] = attrs.field(factory=dict, init=False)
    _listeners: dict["Context", Any] = attrs.field(factory=dict, init=False)
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    _deciding: asyncio.Lock = attrs.field(factory=asyncio.Lock, init=False)
    """One request at a time looks for its rule."""
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)

    async def add(self, rule: InterceptRule) -> str:
        """Add a rule and return its id. [asyncio]

        Raises:
          InvalidParams: a pattern is malformed, or the patterns together are too long.
          PageNotFound, ContextNotFound: the rule names a page or context that does not exist.
          ResourceLimitExceeded: there are `MAX_RULES` rules already, or their responses are too long.
        """
        compiled = _compiled(rule)
        if rule.only_page is not None:
            await self.tabs.tab(rule.only_page, TabState.ALIVE)
        if rule.only_context is not None:
            await self.tabs.resolve_context(rule.only_context, None)
        if (current := len(self._rules)) >= MAX_RULES:
            message = f"This client already has {MAX_RULES} interceptions; clear some first."
            raise ResourceLimitExceeded(message, resource="interceptions", limit=MAX_RULES, current=current)
        if (size := sum(map(_length, (rule, *self._rules.values())))) > MAX_RESPONSES:
            message = f"The responses of all rules have more than {MAX_RESPONSES} characters; clear some first."
            raise ResourceLimitExceeded(message, resource="interceptions", limit=MAX_RESPONSES, current=size)
        intercept_id = f"intercept-{next(self._numbers)}"
        self._rules[intercept_id], self._globs[intercept_id] = rule, compiled
        try:
            for context in self.tabs.contexts:
                await self.attach(context)
        except BaseException:  # no client has the id of this rule
            self._rules.pop(intercept_id, None)
            self._globs.pop(intercept_id, None)
            self.tabs.run_in_background(self._detach_all())
            raise
        return intercept_id

    async def clear(self, intercept_id: str | None) -> None:
        """Remove a rule, or all of them, and continue the requests that they paused. [asyncio]

        Raises:
          InvalidParams: there is no such rule.
        """
        if intercept_id is not None and intercept_id not in self._rules:
            expected = "an id that network/intercept returned and that was not cleared"
            raise InvalidParams("There is no such interception.", path="interceptId", expected=expected)
        for one in [intercept_id] if intercept_id else list(self._rules):
            del self._rules[one], self._globs[one]
        for request_id, paused in list(self._paused.items()):
            if paused.intercept_id not in self._rules:
                self._resume(request_id)
        if not self._rules:
            await self._detach_all()

    async def attach(self, context: "Context") -> None:
        """Intercept the requests of a context, if there are rules. [asyncio]"""
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
        """Forget a context that is gone."""
        self._listeners.pop(context, None)

    def reset_lock(self) -> None:
        """Replace the locks, which belong to a dead event loop."""
        self._lock, self._deciding = asyncio.Lock(), asyncio.Lock()

    async def close(self) -> None:
        """Remove all rules, once all contexts are closed. [asyncio]"""
        self._rules.clear()
        self._globs.clear()
        for request_id in list(self._paused):
            if paused := self._take(request_id):
                await _give_up(paused.route)

    async def fulfill(self, request_id: str, response: MockResponse) -> None:
        """Answer a paused request. [asyncio]"""
        with self._answering(request_id) as route:
            await _respond(route, response)

    async def abort(self, request_id: str, reason: AbortReason) -> None:
        """Abort a paused request. [asyncio]"""
        with self._answering(request_id) as route:
            await route.abort(reason)

    async def resume(self, request_id: str, overrides: Overrides) -> None:
        """Continue a paused request, changed or not. [asyncio]"""
        with self._answering(request_id) as route:
            url = _restored(overrides.url, redact_address(route.request.url))
            _check_scheme(route.request.url, url)
            await route.continue_(
                url=url,
                method=overrides.method,
                headers=_restored_headers(overrides.headers, route.request.headers),
                post_data=_restored(overrides.post_data, redact_body(route.request.post_data_buffer)),
            )

    @contextlib.contextmanager
    def _answering(self, request_id: str) -> Iterator[Route]:
        """Yield a paused request to answer; keep it paused if the answer fails.

        Raises:
          InvalidParams: the request is not paused, or not any more.
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
        try:
            async with _given_up_on_failure(route):
                async with self._deciding:
                    applicable = await self._applicable(route.request, page_id, context_id)
                await self._apply(applicable, route, page_id)
        except faults.VENDOR_ERRORS as error:  # its page is probably gone
            log.info("interception_failed", error=type(error).__name__)

    async def _applicable(self, request: Request, page_id: str, context_id: str) -> str | None:
        """Return the newest rule for a request. [asyncio]

        The patterns of all rules are work that grows with them, so that other clients are served in between.
        """
        began_s = time.monotonic()
        for intercept_id, rule in reversed(list(self._rules.items())):
            if rule.only_page not in (None, page_id) or rule.only_context not in (None, context_id):
                continue
            for pattern, glob in zip(rule.patterns, self._globs.get(intercept_id, ()), strict=False):  # cleared: none
                if _matches(pattern, glob, request):
                    return intercept_id
                if (held_s := time.monotonic() - began_s) > _HOLD_S:
                    await asyncio.sleep(held_s)
                    began_s = time.monotonic()
        return None

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


def _length(rule: InterceptRule) -> int:
    """Return the number of characters of a rule's response."""
    response = rule.response
    return (
        0 if response is None else len(response.body) + sum(map(len, (*response.headers, *response.headers.values())))
    )


def _restored(value: str | None, shown: str | None) -> str | None:
    """Return None, which means unchanged, for a value that the event has shown redacted."""
    return None if value == shown else value


def _restored_headers(headers: dict[str, str] | None, sent: dict[str, str]) -> dict[str, str] | None:
    """Return the headers with the request's own values for those that the event has shown redacted.

    A redacted header that the request has not is left out: the browser adds its cookies itself.
    """
    if headers is None:
        return None
    shown = redact_headers(sent)
    unchanged = {name: sent[name.lower()] for name, value in headers.items() if value == shown.get(name.lower())}
    return {name: value for name, value in {**headers, **unchanged}.items() if value != REDACTED}


async def _continue(route: Route) -> None:
    with contextlib.suppress(*faults.VENDOR_ERRORS):  # its page is gone
        async with _given_up_on_failure(route):
            await route.continue_()


@contextlib.asynccontextmanager
async def _given_up_on_failure(route: Route) -> AsyncIterator[None]:
    """Give up a request whose answer fails or is cancelled."""
    try:
        yield
    except BaseException:
        await _give_up(route)
        raise


async def _give_up(route: Route) -> None:
    """End Playwright's task for a request that gets no answer from us: it would wait for one until it is collected."""
    with contextlib.suppress(*faults.VENDOR_ERRORS):
        await route.fallback()


async def _respond(route: Route, response: MockResponse) -> None:
    body: str | bytes = response.body
    if response.body_encoding == "base64":
        body = base64.b64decode(response.body)
    await route.fulfill(status=response.status, headers=response.headers, body=body, content_type=response.content_type)


def _compiled(rule: InterceptRule) -> list[globs.Glob]:
    """Return the URL patterns of a rule, compiled."""
    length = 0
    globs_of_rule = [_EVERY_URL if one.url_pattern is None else one.url_pattern for one in rule.patterns]
    for index, glob in enumerate(globs_of_rule):
        try:
            length += globs.check(glob)
        except InvalidParams as refused:
            raise refused.with_details(path=f"patterns[{index}].urlPattern") from None
    if length > globs.MAX_EXPANDED:
        expected = f"URL patterns of at most {globs.MAX_EXPANDED} characters together with their braces expanded"
        message = f"A rule must have {expected}."
        raise InvalidParams(message, path="patterns", expected=expected, got=f"{length} characters")
    return [globs.compiled(glob) for glob in globs_of_rule]


def _check_scheme(url: str, instead: str | None) -> None:
    scheme = url.partition(":")[0]
    if instead is not None and instead.partition(":")[0] != scheme:
        expected = f"a URL that begins with {scheme}:, as the request's own"
        raise InvalidParams(f"The URL must be {expected}.", path="overrides.url", expected=expected)


def _matches(pattern: RequestPattern, glob: globs.Glob, request: Request) -> bool:
    return (
        not is_browsers_own(request.url)  # a response of the client's could be a script of the PDF viewer
        and pattern.resource_type in (None, request.resource_type)
        and (pattern.method is None or pattern.method.upper() == request.method)
        and globs.matches(glob, request.url)
    )
