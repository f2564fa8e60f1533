"""Recorded network of a replay: every request of a page gets its recorded answer, and none reaches the network."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urljoin

import attrs
from playwright.async_api import BrowserContext, Error, Route

from agentbrowser.browser.recording.event_streams import repeat_streams
from agentbrowser.browser.recording.page_clock import PageClock
from agentbrowser.policy.redaction import REDACTED, redact_address

_LONGEST_DELAY_S: Final = 5.0
_SAME_REQUEST_MS: Final = 1000
"""A request that is earlier or later by so much gets its answer after the recorded delay, not at the recorded time."""
_LATE_S: Final = 1.0
"""Time for which the clock waits for a page that is late."""
_LOADED: Final = frozenset({"document", "script", "stylesheet"})
_LEFT_OUT: Final = frozenset({"content-encoding", "content-length", "transfer-encoding", "set-cookie"})
_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
_MAX_REDIRECTS: Final = 20
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


@attrs.define(kw_only=True, eq=False)
class _Answer:
    exchange: Mapping[str, Any]
    body: bytes
    is_repeated: bool = False
    """True once it was given: its recorded time is over."""

    @property
    def status(self) -> int:
        response = self.exchange.get("response") or {}
        return int(response.get("status", 0))

    @property
    def headers(self) -> dict[str, str]:
        given = (self.exchange.get("response") or {}).get("headers") or {}
        return {name: value for name, value in given.items() if name not in _LEFT_OUT and value != REDACTED}

    @property
    def time_ms(self) -> int:
        return int((self.exchange.get("response") or self.exchange.get("failed") or self.exchange["request"])["t"])

    def due_ms(self, asked_ms: int) -> int:
        """Return when it is due for a request of that time."""
        recorded_ms = int(self.exchange["request"]["t"])
        is_in_time = abs(asked_ms - recorded_ms) < _SAME_REQUEST_MS and not self.is_repeated
        return self.time_ms if is_in_time else asked_ms + max(0, self.time_ms - recorded_ms)

    @property
    def is_of_loading(self) -> bool:
        """Return True if a document needs it before its scripts run on."""
        return bool(self.status) and self.exchange["request"].get("resourceType") in _LOADED


@attrs.define(eq=False)
class ReplayNetwork:
    """Answers of a recording by method and URL, in their order; the last one is repeated.

    An answer is given at its recorded time on the clock of the pages. The clock waits for a page that is late to
    request its documents and scripts, so that the scripts run at the time at which they ran.

    Args:
      exchanges: requests of the recording with their answers.
      blobs: bodies by the names of their files.
      streams: entries of event streams.
      seed: seed of the pages' random numbers.
      is_closed: False to answer nothing, and only pin clock and random numbers.
    """

    exchanges: Iterable[Mapping[str, Any]]
    blobs: Mapping[str, bytes]
    streams: Iterable[Mapping[str, Any]] = ()
    seed: int = 1
    is_closed: bool = True
    clock: PageClock = attrs.field(factory=PageClock, init=False)
    missing: list[str] = attrs.field(factory=list, init=False)
    """Requests without a recorded answer, as method and URL."""
    _documents: dict[str, str] = attrs.field(factory=dict, init=False)
    """Targets of the redirects of documents."""
    _answers: dict[tuple[str, str], list[_Answer]] = attrs.field(factory=dict, init=False)
    _awaited: list[_Answer] = attrs.field(factory=list, init=False)
    """Answers that pages have not requested yet and cannot load without, in order of time."""
    _until_ms: int | None = attrs.field(default=None, init=False)
    """Time at which the clock stops, if nothing is awaited before."""
    _impatience: asyncio.TimerHandle | None = attrs.field(default=None, init=False)
    _sharing: asyncio.Future[None] | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        for exchange in self.exchanges:
            request, body = exchange["request"], exchange.get("body")
            answer = _Answer(exchange=exchange, body=self.blobs.get(body["file"], b"") if body else b"")
            self._answers.setdefault((request["method"], request["url"]), []).append(answer)
            if self.is_closed and answer.is_of_loading:
                self._awaited.append(answer)
            if answer.status in _REDIRECTS and request.get("resourceType") == "document":
                self._documents[request["url"]] = urljoin(request["url"], answer.headers.get("location", ""))
        self._awaited.sort(key=lambda answer: answer.time_ms)

    def final_url(self, url: str) -> str:
        """Return the URL that a recorded document's redirects lead to: a replay reaches it one document later."""
        for _ in range(_MAX_REDIRECTS):
            known = self._documents.get(url)
            if known is None:
                break
            url = known
        return url

    async def install(self, context: BrowserContext) -> None:
        """Answer the requests of a context, and pin the clock of its pages. [asyncio]"""
        await self.clock.install(context)
        await context.add_init_script(SEEDED_RANDOM % self.seed)
        if self.is_closed:
            await repeat_streams(context, self.streams)
            await context.route("**/*", lambda route: self._answer(route))  # Playwright marks what it is given

    async def run_clock(self, from_ms: int, until_ms: int | None) -> None:
        """Run the clock of the pages from a time on, and stop it at another one. [asyncio]"""
        self._awaited = [one for one in self._awaited if one.time_ms > from_ms]
        self._until_ms = until_ms
        self._go_on(from_ms)
        await self.clock.share()

    def _go_on(self, from_ms: int) -> None:
        """Run the clock until the next answer that pages have to request first. [asyncio]"""
        if self._impatience is not None:
            self._impatience.cancel()
        until_ms = self._until_ms
        if self._awaited and until_ms is not None and self._awaited[0].time_ms < until_ms:
            until_ms = self._awaited[0].time_ms
            wait_s = max(0, until_ms - from_ms) / 1000 + _LATE_S
            self._impatience = asyncio.get_running_loop().call_later(wait_s, self._no_longer_await, self._awaited[0])
        self.clock.run(from_ms, until_ms)

    def _no_longer_await(self, answer: _Answer) -> None:
        """Let the clock pass an answer that pages have requested, or do not request."""
        if answer in self._awaited:
            is_first = answer is self._awaited[0]
            self._awaited.remove(answer)
            if is_first:
                self._go_on(self.clock.time_ms)
                # A document that is about to go does not answer.
                self._sharing = asyncio.ensure_future(self.clock.share())

    async def _answer(self, route: Route) -> None:
        request = route.request
        url = redact_address(request.url)
        answer = self._next(request.method, url)
        try:
            if answer is None:
                self.missing.append(f"{request.method} {url}")
                await route.abort("blockedbyclient")
            elif answer.status:  # a page may also have left its body unread, which counts as a failure
                await self._wait_until_due(answer)
                await self._fulfill(route, answer, url)
            elif "failed" in answer.exchange:
                await self._wait_until_due(answer)
                await route.abort("failed")
            # Otherwise it had no answer when the recording ended: it gets none.
        except Error:
            return  # the page is gone

    async def _wait_until_due(self, answer: _Answer) -> None:
        """Wait until an answer is due on the clock of the pages. [asyncio]"""
        asked_ms = self.clock.time_ms
        due_ms, answer.is_repeated = answer.due_ms(asked_ms), True
        await self.clock.wait_for(due_ms, _LONGEST_DELAY_S)
        self._no_longer_await(answer)

    def _next(self, method: str, url: str) -> _Answer | None:
        known = self._answers.get((method, url), [])
        return known.pop(0) if len(known) > 1 else next(iter(known), None)

    async def _fulfill(self, route: Route, answer: _Answer, url: str) -> None:
        if answer.status in _REDIRECTS and route.request.resource_type == "document":
            # The browser would send the request that follows a redirect without asking.
            target = urljoin(url, answer.headers.get("location", ""))
            page = f"<script>location.replace({target!r})</script>"
            headers = {"content-type": "text/html", "server-timing": self.clock.header}
            await route.fulfill(status=200, headers=headers, body=page)
            return
        for _ in range(_MAX_REDIRECTS):
            if answer.status not in _REDIRECTS:
                break
            url = urljoin(url, answer.headers.get("location", ""))
            following = self._next("GET", redact_address(url))
            if following is None:
                break
            self._no_longer_await(following)
            answer = following
        headers = {**answer.headers, "server-timing": self.clock.header}
        await route.fulfill(status=answer.status, headers=headers, body=answer.body)
