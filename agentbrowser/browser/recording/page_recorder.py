"""Recording of one client's pages: small pictures after actions, off the request path, and bodies of responses.

A picture costs the browser as much as a cheap action. So it is taken when the page has been idle for a moment; during
uninterrupted actions, one every few seconds.
"""

import asyncio
import contextlib
import io
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

import attrs
from PIL import Image
from playwright.async_api import BrowserContext, Frame, Page, Request

from agentbrowser.browser import faults
from agentbrowser.browser.events.page_events import safe_listener
from agentbrowser.browser.page.frame_tree import FRAME_UNAVAILABLE
from agentbrowser.browser.page.secrets import secret_locators
from agentbrowser.browser.recording.event_streams import KIND as STREAM
from agentbrowser.browser.recording.event_streams import record_streams
from agentbrowser.browser.recording.fork import fork
from agentbrowser.browser.recording.replay_network import SEEDED_RANDOM, ReplayNetwork
from agentbrowser.protocol.types.event import now_ms
from agentbrowser.protocol.types.fork import ForkResult
from agentbrowser.recorder.masks import recorded_result
from agentbrowser.recorder.steps import LOOK

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.browser.tabs import Tabs
    from agentbrowser.protocol.types.event import Report

RECORDED_KINDS: Final = frozenset({"console", "network"})
"""Kinds of events that a page sends for the recorder only; the others are sent anyway."""
_IDLE_S: Final = 0.25
_LONGEST_WAIT_S: Final = 3.0
_TIMEOUT_S: Final = 2.0
_WIDTH: Final = 640
_MAX_FRAMES: Final = 20
"""With more frames, none is searched for secrets, and no picture is taken."""
_MAX_BODY_BYTES: Final = 2 * 1024 * 1024
_NO_BODY: Final = frozenset({204, 205, 304})
_NEVER_KEPT: Final = frozenset({"media", "eventsource", "websocket"})


@attrs.define(eq=False)
class _DuePicture:
    first_s: float
    last_s: float


@attrs.define(eq=False)
class PageRecorder:
    """Recording of the pages of one client. Everything here runs in the browser thread."""

    tabs: "Tabs"
    network: ReplayNetwork | None = attrs.field(default=None, init=False)
    """Recorded network of a replay."""
    _due: dict["Tab", _DuePicture] = attrs.field(factory=dict, init=False)
    _frame_css: "WeakKeyDictionary[Frame, str]" = attrs.field(factory=WeakKeyDictionary, init=False)
    """Selectors of the elements that embed frames."""
    _preparing: "WeakKeyDictionary[Page, asyncio.Task[None]]" = attrs.field(factory=WeakKeyDictionary, init=False)
    _taking: "asyncio.Task[None] | None" = attrs.field(default=None, init=False)

    @property
    def is_recording(self) -> bool:
        """Return True while there is a recording."""
        return self.tabs.recorder is not None and self.tabs.recorder.is_recording

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of events that are recorded, besides those that pages always send."""
        return RECORDED_KINDS if self.is_recording else frozenset()

    async def attach(self, context: BrowserContext) -> None:
        """Record the bodies of a context's responses, if the operator wants them; in a replay, answer its requests."""
        if self.network is not None:
            await self.network.install(context)
        if self.tabs.recorder is not None and self.tabs.recorder.keeps_bodies:
            await context.add_init_script(SEEDED_RANDOM % self.tabs.recorder.seed)
            context.on(
                "requestfinished",
                safe_listener(lambda request: self.tabs.run_in_background(self._keep_body(request))),
            )
            context.on("page", safe_listener(self._record_streams))

    def _record_streams(self, page: Page) -> None:
        self._preparing[page] = self.tabs.run_in_background(record_streams(self, page))

    async def prepare(self, page: Page) -> None:
        """Wait until the streams of a new page are recorded: its first document may open one at once. [asyncio]"""
        if (preparing := self._preparing.get(page)) is not None:
            await asyncio.wait([preparing])

    async def fork(self, tab: "Tab", page_id: str) -> ForkResult:
        """Copy a page under a new id, as `fork` does. [asyncio]"""
        return await fork(tab, page_id)

    def note_event(self, event: "Report") -> None:
        """Record an event, unless a person has its page: a URL or a message may contain what the person types."""
        if self.tabs.recorder is not None and not self._is_held(getattr(event, "page_id", None)):
            self.tabs.recorder.event(event)

    def note_person(self, tab: "Tab", what: str) -> None:
        """Record that a person has taken a page over, or handed it back; nothing of it is recorded in between."""
        if self.tabs.recorder is not None:
            self.tabs.recorder.note("person", page=tab.id, what=what)

    def note_look(self, tab: "Tab") -> None:
        """Record that a look reads a page now. Its answer comes later, and a timer of the page may fire in between."""
        if self.tabs.recorder is not None:
            self.tabs.recorder.note(LOOK, page=tab.id)

    def note_locator(self, tab: "Tab", ref: str, located: dict[str, Any]) -> None:
        """Record the locator of an element that is acted on. Exported tests find it by that."""
        frame = tab.frame_of(ref)
        if frame.parent_frame is None:
            self._add_locator(tab, ref, located, now_ms())
        else:
            self.tabs.run_in_background(self._note_in_frame(tab, frame, ref, located, now_ms()))

    async def _note_in_frame(self, tab: "Tab", frame: Frame, ref: str, located: dict[str, Any], time_ms: int) -> None:
        """Add the selectors of the frames around an element, the outermost first."""
        path: list[str] = []
        with contextlib.suppress(*FRAME_UNAVAILABLE):
            async with asyncio.timeout(_TIMEOUT_S):
                while (parent := frame.parent_frame) is not None:
                    if frame not in self._frame_css:
                        answer = await tab.isolated_worlds.of(parent).call_with_owner(frame, "ownerCss", None)
                        self._frame_css[frame] = answer["css"]
                    path.insert(0, self._frame_css[frame])
                    frame = parent
            self._add_locator(tab, ref, {**located, "frames": path}, time_ms)

    def _add_locator(self, tab: "Tab", ref: str, located: dict[str, Any], time_ms: int) -> None:
        recorder = self.tabs.recorder
        if recorder is not None and tab.hold.holder is None:
            recorder.note("locator", time_ms, page=tab.id, ref=ref, **recorded_result(located))

    def note_stream(self, page: Page, **fields: Any) -> None:
        """Record what happens on an event stream of a page."""
        tab, recorder = self.tabs.tab_of(page), self.tabs.recorder
        if recorder is not None and tab is not None and tab.hold.holder is None:
            recorder.note(STREAM, page=tab.id, **fields)

    def _is_held(self, page_id: str | None) -> bool:
        tab = self.tabs.find(page_id)
        return tab is not None and tab.hold.holder is not None

    def _is_of_held_page(self, request: Request) -> bool:
        try:
            tab = self.tabs.tab_of(request.frame.page)
        except faults.VENDOR_ERRORS:  # a service worker's request, which belongs to no page
            return False
        return tab is not None and tab.hold.holder is not None

    def note_action(self, tab: "Tab") -> None:
        """Take a picture of a page soon, as an action has just ended on it."""
        if not (self.is_recording and tab.is_chromium):
            return
        now_s = asyncio.get_running_loop().time()
        due = self._due.get(tab)
        if due is None:
            due = self._due[tab] = _DuePicture(now_s, now_s)
            asyncio.get_running_loop().call_later(_IDLE_S, self._check, tab, due)
        due.last_s = now_s

    def _check(self, tab: "Tab", due: _DuePicture) -> None:
        loop = asyncio.get_running_loop()
        now_s = loop.time()
        rest_s = due.last_s + _IDLE_S - now_s
        is_taking = self._taking is not None and not self._taking.done()
        if is_taking or (rest_s > 0 and now_s - due.first_s < _LONGEST_WAIT_S):
            loop.call_later(max(rest_s, 0.05), self._check, tab, due)
            return
        del self._due[tab]
        is_held = tab.hold.holder is not None
        if self.tabs.has(tab) and not tab.crash_signal.is_set and tab.dialog is None and not is_held:
            self._taking = self.tabs.run_in_background(self._take(tab))

    async def _take(self, tab: "Tab") -> None:
        recorder = self.tabs.recorder
        assert recorder is not None
        try:
            async with asyncio.timeout(_TIMEOUT_S):
                if await _shows_secret(tab):
                    recorder.note("pictureSkipped", page=tab.id, reason="the page shows a secret")
                    return
                taken_ms = now_ms()
                image = await tab.screenshots.screenshotter.capture_viewport({"type": "jpeg", "quality": 60})
                if await _shows_secret(tab):  # a field may have been revealed meanwhile
                    return
            if tab.hold.holder is not None:  # since then, too
                return
            recorder.picture(tab.id, await asyncio.to_thread(_small, image), taken_ms)
        except FRAME_UNAVAILABLE:
            recorder.note("pictureSkipped", page=tab.id, reason="the page did not answer")

    async def _keep_body(self, request: Request) -> None:
        recorder = self.tabs.recorder
        if recorder is None or not recorder.is_recording or request.resource_type in _NEVER_KEPT:
            return
        if self._is_of_held_page(request):
            return
        try:
            response = await request.response()
            if response is None or response.status in _NO_BODY or 300 <= response.status < 400:
                return
            if int(response.headers.get("content-length", 0)) <= _MAX_BODY_BYTES:
                body = await response.body()
                if len(body) <= _MAX_BODY_BYTES:
                    recorder.body(self.tabs.request_ids.of(request), body)
        except (ValueError, *FRAME_UNAVAILABLE):
            recorder.note("bodyMissing", requestId=self.tabs.request_ids.of(request))


async def _shows_secret(tab: "Tab") -> bool:
    """Return True if a frame shows a used secret, or the value of a password-like field as plain text. [asyncio]"""
    frames = tab.page.frames
    if len(frames) > _MAX_FRAMES or await secret_locators(tab) != []:
        return True
    for frame in frames:
        if (await tab.isolated_worlds.of(frame).call("showsSecretField"))["isShown"]:
            return True
    return False


def _small(screenshot: bytes) -> bytes:
    """Return a small JPEG of a screenshot."""
    image: Image.Image = Image.open(io.BytesIO(screenshot))
    height = max(1, round(image.height * _WIDTH / image.width))
    image.draft("RGB", (_WIDTH, height))  # decodes at half of the size: a quarter of the work
    if image.width > _WIDTH:
        image = image.resize((_WIDTH, height), Image.Resampling.BILINEAR, reducing_gap=2.0)
    written = io.BytesIO()
    image.convert("RGB").save(written, "JPEG", quality=60)
    return written.getvalue()
