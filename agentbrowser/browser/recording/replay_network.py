"""Recorded network of a replay: every request of a page gets its recorded answer, and none reaches the network."""

import asyncio
import contextlib
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urljoin

import attrs
from playwright.async_api import BrowserContext, Error, Route

from agentbrowser.policy.redaction import REDACTED, redact_address
from agentbrowser.protocol.types.event import now_ms

_LONGEST_DELAY_S: Final = 5.0
_LEFT_OUT: Final = frozenset({"content-encoding", "content-length", "transfer-encoding", "set-cookie"})
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS: Final = 20
# These run before the scripts of each document. The clock runs on from the recorded time of the first request, and
# jumps over what is cut from a pause. It does not stand still: pages wait for it to go on.
_CLOCK: Final = """(() => {
  let offset = %d;
  const Real = Date;
  Object.defineProperty(globalThis, Symbol.for("agentbrowser.clock"), { value: (present) => { offset = present } });
  const now = () => Real.now() - offset;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given, made) => Reflect.construct(target, given.length ? given : [now()], made),
    apply: () => new Real(now()).toString(),
    get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
  });
  const origin = performance.timeOrigin;
  Object.defineProperty(performance, "timeOrigin", { get: () => origin - offset, configurable: true });
  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format");
  const { formatToParts } = Intl.DateTimeFormat.prototype;
  Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
    ...format,
    get() {
      const bound = format.get.call(this);
      return (date) => bound(date === undefined ? now() : date);
    },
  });
  Intl.DateTimeFormat.prototype.formatToParts = function (date) {
    return formatToParts.call(this, date === undefined ? now() : date);
  };
})()"""
_JUMP: Final = 'globalThis[Symbol.for("agentbrowser.clock")]?.(%d)'
_JUMP_TIMEOUT_S: Final = 1.0
SEEDED_RANDOM: Final = """(() => {
  let seed = %d;
  Math.random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
})()"""
"""Random numbers of pages from a seed, which a recording with bodies and its replays share."""


@attrs.frozen(kw_only=True)
class _Answer:
    exchange: Mapping[str, Any]
    body: bytes

    @property
    def status(self) -> int:
        response = self.exchange.get("response") or {}
        return int(response.get("status", 0))

    @property
    def headers(self) -> dict[str, str]:
        given = (self.exchange.get("response") or {}).get("headers") or {}
        return {name: value for name, value in given.items() if name not in _LEFT_OUT and value != REDACTED}

    @property
    def delay_s(self) -> float:
        request = self.exchange["request"]
        took_ms = float((self.exchange.get("response") or request)["t"] - request["t"])
        return min(_LONGEST_DELAY_S, max(0.0, took_ms / 1000))


@attrs.define(eq=False)
class ReplayNetwork:
    """Answers of a recording by method and URL, in their order; the last one is repeated.

    Args:
      exchanges: requests of the recording with their answers.
      blobs: bodies by the names of their files.
      seed: seed of the pages' random numbers.
      is_closed: False to answer nothing, and only pin clock and random numbers.
    """

    exchanges: Iterable[Mapping[str, Any]]
    blobs: Mapping[str, bytes]
    seed: int = 1
    is_closed: bool = True
    missing: list[str] = attrs.field(factory=list, init=False)
    """Requests without a recorded answer, as method and URL."""
    _documents: dict[str, str] = attrs.field(factory=dict, init=False)
    """Targets of the redirects of documents."""
    _offset_ms: int | None = attrs.field(default=None, init=False)
    """Present time minus the time of the pages' clock."""
    _contexts: list[BrowserContext] = attrs.field(factory=list, init=False)
    _answers: dict[tuple[str, str], list[_Answer]] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        for exchange in self.exchanges:
            request, body = exchange["request"], exchange.get("body")
            answer = _Answer(exchange=exchange, body=self.blobs.get(body["file"], b"") if body else b"")
            self._answers.setdefault((request["method"], request["url"]), []).append(answer)
            if answer.status in _REDIRECTS and request.get("resourceType") == "document":
                self._documents[request["url"]] = urljoin(request["url"], answer.headers.get("location", ""))

    def final_url(self, url: str) -> str:
        """Return the URL that a recorded document's redirects lead to: a replay reaches it one document later."""
        for _ in range(_MAX_REDIRECTS):
            known = self._documents.get(url)
            if known is None:
                break
            url = known
        return url

    def start_clock(self, time_ms: int) -> None:
        """Start the clock of the pages at this time, unless it runs already."""
        if self._offset_ms is None:
            self._offset_ms = now_ms() - time_ms

    async def install(self, context: BrowserContext) -> None:
        """Answer the requests of a context, and pin the clock of its pages. [asyncio]"""
        self._contexts.append(context)
        await context.add_init_script(_CLOCK % (self._offset_ms or 0))
        await context.add_init_script(SEEDED_RANDOM % self.seed)
        if self.is_closed:
            await context.route("**/*", lambda route: self._answer(route))  # Playwright marks what it is given

    async def skip(self, skipped_s: float) -> None:
        """Move the clock of all pages on, by the time that was cut from a pause. [asyncio]"""
        self._offset_ms = (self._offset_ms or 0) - round(skipped_s * 1000)
        script = _JUMP % self._offset_ms
        for context in self._contexts:
            with contextlib.suppress(Error):  # the context is closed
                await context.add_init_script(script)
        frames = [frame for context in self._contexts for page in context.pages for frame in page.frames]
        with contextlib.suppress(TimeoutError):  # a page that is busy keeps its clock
            async with asyncio.timeout(_JUMP_TIMEOUT_S):
                await asyncio.gather(*(frame.evaluate(script) for frame in frames), return_exceptions=True)

    async def _answer(self, route: Route) -> None:
        request = route.request
        url = redact_address(request.url)
        answer = self._next(request.method, url)
        try:
            if answer is None:
                self.missing.append(f"{request.method} {url}")
                await route.abort("blockedbyclient")
            elif "failed" in answer.exchange:
                await route.abort("failed")
            elif answer.status:
                await asyncio.sleep(answer.delay_s)
                await self._fulfill(route, answer, url)
            # Otherwise it had no answer when the recording ended, such as a stream of events: it gets none.
        except Error:
            return  # the page is gone

    def _next(self, method: str, url: str) -> _Answer | None:
        known = self._answers.get((method, url), [])
        return known.pop(0) if len(known) > 1 else next(iter(known), None)

    async def _fulfill(self, route: Route, answer: _Answer, url: str) -> None:
        if answer.status in _REDIRECTS and route.request.resource_type == "document":
            # The browser would send the request that follows a redirect without asking.
            target = urljoin(url, answer.headers.get("location", ""))
            page = f"<script>location.replace({target!r})</script>"
            await route.fulfill(status=200, content_type="text/html", body=page)
            return
        for _ in range(_MAX_REDIRECTS):
            if answer.status not in _REDIRECTS:
                break
            url = urljoin(url, answer.headers.get("location", ""))
            following = self._next("GET", redact_address(url))
            if following is None:
                break
            answer = following
        await route.fulfill(status=answer.status, headers=answer.headers, body=answer.body)
