"""Messages of event streams (``EventSource``): recorded with bodies, and repeated in a replay at their times."""

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final

from playwright.async_api import BrowserContext, Page

from agentbrowser.browser import faults
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.policy.redaction import redact_address

if TYPE_CHECKING:
    from agentbrowser.browser.recording.page_recorder import PageRecorder

KIND: Final = "stream"
_MAX_MESSAGE: Final = 262_144
_MAX_STREAMS: Final = 1000
"""Streams of one page that are recorded: a page may open them in a loop."""
# It runs behind the clock of the pages, whose timers deliver the messages. A document gets the messages of the recorded
# stream that was requested last by then.
_STREAMS: Final = """((streams) => {
  const LATE_MS = 10_000; // a page that opens the stream so late gets its earlier messages, too
  const startTimer = setTimeout;
  const stopTimer = clearTimeout;
  globalThis.EventSource = class EventSource extends EventTarget {
    #timers = [];
    constructor(url, { withCredentials = false } = {}) {
      super();
      Object.assign(this, { withCredentials, readyState: 0, onopen: null, onmessage: null, onerror: null });
      this.url = new URL(url, document.baseURI).href;
      const known = streams.filter((stream) => stream.url === this.url);
      const stream = known.findLast(({ asked }) => asked <= Date.now() + 1000) ?? known[0];
      if (stream === undefined) return;
      if (stream.opened !== null) {
        this.#at(stream.opened, () => { this.readyState = 1; this.#send(new Event("open")); });
      }
      const isLate = Date.now() - stream.asked < LATE_MS;
      for (const { t, event, data, id } of stream.messages.filter(({ t }) => isLate || t > Date.now())) {
        const given = { data, lastEventId: id, origin: new URL(this.url).origin };
        this.#at(t, () => this.#send(new MessageEvent(event || "message", given)));
      }
    }
    #at(time, run) { this.#timers.push(startTimer(run, time - Date.now())); }
    #send(event) {
      this.dispatchEvent(event);
      if (["open", "message", "error"].includes(event.type)) this[`on${event.type}`]?.(event);
    }
    close() {
      this.readyState = 2;
      for (const timer of this.#timers) stopTimer(timer);
    }
    static CONNECTING = 0;
    static OPEN = 1;
    static CLOSED = 2;
  };
})(%s)"""


async def record_streams(recorder: "PageRecorder", page: Page) -> None:
    """Record the messages of a page's event streams from now on. [asyncio]"""
    addresses: dict[str, str] = {}

    def add(stream: str, type_: str, **fields: Any) -> None:
        recorder.note_stream(page, stream=stream, url=addresses[stream], type=type_, **fields)

    def requested(event: dict[str, Any]) -> None:
        if event.get("type") == "EventSource" and len(addresses) < _MAX_STREAMS:
            addresses[event["requestId"]] = redact_address(event["request"]["url"])
            add(event["requestId"], "request")

    def answered(event: dict[str, Any]) -> None:
        if event["requestId"] in addresses:
            add(event["requestId"], "response")

    def received(event: dict[str, Any]) -> None:
        if event["requestId"] in addresses and len(event["data"]) <= _MAX_MESSAGE:
            add(event["requestId"], "message", event=event["eventName"], data=event["data"], id=event["eventId"])

    try:
        session = await page.context.new_cdp_session(page)
        session.on("Network.requestWillBeSent", safe_listener(requested))
        session.on("Network.responseReceived", safe_listener(answered))
        session.on("Network.eventSourceMessageReceived", safe_listener(received))
        await session.send("Network.enable")
    except faults.VENDOR_ERRORS:
        return  # the page is gone, or the engine is not Chromium


async def repeat_streams(context: BrowserContext, events: Iterable[Mapping[str, Any]]) -> None:
    """Give the pages of a context the recorded messages of their event streams. [asyncio]"""
    streams: dict[str, dict[str, Any]] = {}
    for event in events:
        stream = streams.setdefault(
            event["stream"], {"url": event["url"], "asked": event["t"], "opened": None, "messages": []}
        )
        if event["type"] == "response":
            stream["opened"] = event["t"]
        elif event["type"] == "message":
            stream["messages"].append({name: event[name] for name in ("t", "event", "data", "id")})
    if streams:
        await context.add_init_script(_STREAMS % json.dumps(list(streams.values())))
