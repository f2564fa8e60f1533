"""Clock of the pages of a replay: recorded time, which stops where a recorded step had ended.

A replay is slower or faster than the recorded run. If the clock of its pages were that of the machine, a message that
leaves after four seconds would be there in one look and be gone in the other. So timers and dates of pages follow this
clock. It runs at the pace of the machine from the recorded begin of a step to the time at which its look read the page,
or without a look to its recorded end, and stops there until the step is over. Frames of animations and
``performance.now()`` stay those of the machine.
"""

import asyncio
import contextlib
from typing import Final

import attrs
from playwright.async_api import BrowserContext

from agentbrowser.protocol.types.event import now_ms

# It runs before the scripts of each document. A change of the clock that passes timers fires them one by one, each at
# its own time, as timers often set the next one; `set` returns when they are done.
_CLOCK: Final = """(() => {
  const MOST_FIRINGS = 500;
  const [entry] = performance.getEntriesByType("navigation");
  const timing = entry?.serverTiming.find(({ name }) => name === "agentbrowser-clock");
  const given = timing?.description.split(", ").map(Number);
  let [offset, limit] = given ?? [%s];
  let floor = 0;
  let stepped = null;
  let changes = 0;
  const Real = Date;
  const startTimer = setTimeout.bind(globalThis);
  const stopTimer = clearTimeout.bind(globalThis);
  const target = () => Math.min(Real.now() - offset, limit);
  const now = () => stepped ?? Math.max(floor, target());
  globalThis.Date = new Proxy(Real, {
    construct: (self, given, made) => Reflect.construct(self, given.length ? given : [now()], made),
    apply: () => new Real(now()).toString(),
    get: (self, name) => (name === "now" ? now : Reflect.get(self, name)),
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

  const timers = new Map();
  let lastId = 0;
  const arm = (timer) => { timer.native = startTimer(check, Math.max(0, timer.due - now()), timer); };
  const check = (timer) => {
    if (stepped !== null) return; // the change of the clock fires it, or arms it again
    if (timer.due - now() <= 1) fire(timer);
    else if (timer.due <= limit) arm(timer);
  };
  const fire = (timer) => {
    if (timer.every === null) timers.delete(timer.id);
    else {
      timer.due += timer.every;
      if (stepped === null) arm(timer);
    }
    if (typeof timer.run === "function") timer.run.apply(globalThis, timer.given);
    else startTimer(timer.run, 0);
  };
  const add = (run, ms, given, isRepeated) => {
    const delay = Math.max(1, Number(ms) || 0);
    const timer = { id: ++lastId, run, given, due: now() + delay, every: isRepeated ? delay : null };
    timers.set(timer.id, timer);
    arm(timer);
    return timer.id;
  };
  const remove = (id) => {
    const timer = timers.get(Number(id));
    if (timer === undefined) return;
    timers.delete(timer.id);
    stopTimer(timer.native);
  };
  globalThis.setTimeout = function setTimeout(run, ms, ...given) { return add(run, ms, given, false); };
  globalThis.setInterval = function setInterval(run, ms, ...given) { return add(run, ms, given, true); };
  globalThis.clearTimeout = function clearTimeout(id) { remove(id); };
  globalThis.clearInterval = function clearInterval(id) { remove(id); };

  const inOrder = () => [...timers.values()].sort((one, other) => one.due - other.due);
  const set = async (newOffset, newLimit) => {
    const change = ++changes;
    floor = now();
    offset = newOffset;
    limit = newLimit;
    for (let left = MOST_FIRINGS; left > 0; left -= 1) {
      const next = inOrder()[0];
      if (next === undefined || next.due > target()) break;
      stepped = Math.max(floor, next.due);
      await new Promise((done) => startTimer(done, 0));
      if (change !== changes) return;
      if (timers.get(next.id) === next) fire(next);
    }
    floor = Math.max(floor, stepped ?? 0);
    stepped = null;
    for (const timer of inOrder()) {
      if (timer.every !== null && timer.due < now()) timer.due = now() + timer.every;
      stopTimer(timer.native);
      arm(timer);
    }
  };
  const begin = (...state) => { if (given === undefined) [offset, limit] = state; };
  Object.defineProperty(globalThis, Symbol.for("agentbrowser.clock"), { value: { set, begin } });
})()"""
_CALL: Final = 'globalThis[Symbol.for("agentbrowser.clock")]?.%s(%s)'
_SHARE_TIMEOUT_S: Final = 1.0


@attrs.define(eq=False)
class PageClock:
    """Clock of all pages of a replay. Its times are those of the recording, in ms since 1970."""

    _offset_ms: int = attrs.field(default=0, init=False)
    """Present time minus the time of the clock, while it runs."""
    _limit_ms: int | None = attrs.field(default=None, init=False)
    """Time at which the clock stops."""
    _floor_ms: int | None = attrs.field(default=None, init=False)
    """Time that it has shown; None before its start."""
    _changed: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    _contexts: list[BrowserContext] = attrs.field(factory=list, init=False)

    @property
    def is_started(self) -> bool:
        """Return True once it has run."""
        return self._floor_ms is not None

    @property
    def time_ms(self) -> int:
        """Return the time of the clock."""
        running = now_ms() - self._offset_ms
        limited = running if self._limit_ms is None else min(running, self._limit_ms)
        return limited if self._floor_ms is None else max(self._floor_ms, limited)

    async def install(self, context: BrowserContext) -> None:
        """Give a context's pages this clock. [asyncio]"""
        self._contexts.append(context)
        await context.add_init_script(_CLOCK % self._state)

    def run(self, from_ms: int, until_ms: int | None) -> None:
        """Run from a time on, and stop at another one; the clock is never turned back. `share` sets the pages'."""
        begin_ms = from_ms if self._floor_ms is None else max(from_ms, self.time_ms)
        self._floor_ms, self._offset_ms = begin_ms, now_ms() - begin_ms
        self._limit_ms = until_ms
        self._changed.set()

    async def wait_for(self, time_ms: int, longest_s: float) -> None:
        """Wait until the clock shows a time, but not longer than that. [asyncio]"""
        loop = asyncio.get_running_loop()
        end_s = loop.time() + longest_s
        while (left_ms := time_ms - self.time_ms) > 0 and (rest_s := end_s - loop.time()) > 0:
            is_held = self._limit_ms is not None and self._limit_ms < time_ms
            self._changed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(rest_s if is_held else min(rest_s, left_ms / 1000)):
                    await self._changed.wait()

    @property
    def header(self) -> str:
        """Return a value of ``Server-Timing``, by which a document that is just answered gets this clock.

        Chromium delivers no other message to a document that is about to come.
        """
        return f'agentbrowser-clock;desc="{self._state}"'

    @property
    def _state(self) -> str:
        return f"{self._offset_ms}, {'Infinity' if self._limit_ms is None else self._limit_ms}"

    async def share(self) -> None:
        """Set the clock of all documents, and of those to come. [asyncio]

        Pages whose timers it passes have fired them when this returns, unless they are busy or about to go.
        """
        frames = [frame for context in self._contexts for page in context.pages for frame in page.frames]
        setting = [frame.evaluate(_CALL % ("set", self._state)) for frame in frames]
        setting += [context.add_init_script(_CALL % ("begin", self._state)) for context in self._contexts]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(_SHARE_TIMEOUT_S):
                await asyncio.gather(*setting, return_exceptions=True)
