"""CDP sessions and CDP ids of frames."""

import asyncio
import contextlib
import secrets
from collections.abc import Iterator
from typing import Any, Final
from weakref import WeakKeyDictionary, WeakSet

import attrs
from playwright.async_api import CDPSession, Error, Frame

from agentbrowser.browser.page.surface import PageSurface
from agentbrowser.protocol.errors import FrameNotFound

_ATTEMPTS: Final = 3

# For an isolated world: returns true if this frame has received the event of that name since the first call.
_LISTEN = "name => addEventListener(name, () => { globalThis[name] = true }, { capture: true, once: true })"
_HAS_RECEIVED = "name => globalThis[name] === true"
_DISPATCH = "name => void dispatchEvent(new Event(name))"


@attrs.frozen(eq=False)
class FrameSession:
    """CDP session and CDP id of a frame. Frames of other processes have sessions of their own."""

    session: CDPSession
    frame_id: str
    is_root: bool
    """True for the topmost frame of the session."""

    async def isolated_world(self, name: str) -> int:
        """Return the execution context of the isolated world of that name in the current document. [asyncio]"""
        arguments = {"frameId": self.frame_id, "worldName": name}
        return int((await self.session.send("Page.createIsolatedWorld", arguments))["executionContextId"])

    async def main_world(self) -> int | None:
        """Return the execution context of the page's own scripts; None for a command's default. [asyncio]"""
        if self.is_root:
            return None
        contexts: list[dict[str, Any]] = []

        def note(event: dict[str, Any]) -> None:
            contexts.append(event["context"])

        self.session.on("Runtime.executionContextCreated", note)
        try:
            await self.session.send("Runtime.enable")  # emits all contexts before it returns
            await self.session.send("Runtime.disable")
        finally:
            self.session.remove_listener("Runtime.executionContextCreated", note)
        matching = [
            context["id"]
            for context in contexts
            if context["auxData"] == {"isDefault": True, "type": "default", "frameId": self.frame_id}
        ]
        if not matching:
            raise FrameNotFound("The frame is gone.")
        return int(matching[0])


@attrs.frozen(eq=False)
class FrameSessions:
    """Sessions of one page's frames. A session with another process is kept while its frame lives there."""

    tab: PageSurface
    _sessions: WeakKeyDictionary[Frame, CDPSession] = attrs.field(factory=WeakKeyDictionary, init=False)
    _unbuffered: WeakSet[CDPSession] = attrs.field(factory=WeakSet, init=False)

    async def session(self, frame: Frame) -> tuple[CDPSession, Frame]:
        """Return a session with a frame's process, and the topmost frame of the session. [asyncio]"""
        root = frame
        while (parent := root.parent_frame) is not None:
            if session := await self._own_session(root):
                return session, root
            root = parent
        return await self.tab.cdp(), root

    @property
    def of_processes(self) -> list[CDPSession]:
        """Return the sessions with other processes that are open."""
        return list(self._sessions.values())

    async def unbuffer(self, session: CDPSession) -> None:
        """Deliver mouse moves to a session's frames at once, instead of with the next frame that is drawn. [asyncio]

        Source: Chromium's InspectorOverlayAgent requests this, since pages are not drawn while a debugger pauses them.
        """
        if session not in self._unbuffered:
            with contextlib.suppress(Error):
                await asyncio.gather(session.send("DOM.enable"), session.send("Overlay.enable"))
                self._unbuffered.add(session)

    async def buffer(self) -> None:
        """Deliver mouse moves with drawn frames again, for pages that follow a drag by them. [asyncio]"""
        while self._unbuffered:
            session = self._unbuffered.pop()
            with contextlib.suppress(Error):
                await asyncio.gather(session.send("Overlay.disable"), session.send("DOM.disable"))

    async def _own_session(self, frame: Frame) -> CDPSession | None:
        if frame in self._sessions:
            return self._sessions[frame]
        try:
            made = await self.tab.page.context.new_cdp_session(frame)
        except Error:  # the frame is in its parent's process
            return None
        kept = self._sessions.setdefault(frame, made)
        if kept is not made:  # another call was faster
            with contextlib.suppress(Error):
                await made.detach()
        return kept

    async def find(self, frame: Frame) -> FrameSession:
        """Return the current session and id of a frame. [asyncio]

        Raises:
          FrameNotFound: the frame is gone.
        """
        for _ in range(_ATTEMPTS):
            session, root = await self.session(frame)
            before = frame.url, frame.name
            try:
                tree = (await session.send("Page.getFrameTree"))["frameTree"]
            except Error:
                if self._sessions.pop(root, None) is None:
                    raise
                continue  # the frame has left the process of that session
            frame_id = tree["frame"]["id"] if root is frame else await _match_frame(session, tree, frame, before)
            return FrameSession(session, frame_id, is_root=root is frame)
        raise FrameNotFound("The frame is gone.")


async def _match_frame(session: CDPSession, tree: dict[str, Any], frame: Frame, before: tuple[str, str]) -> str:
    """Return the CDP id of a frame: the only one with its URL and name, or the one that receives a probe event.

    Args:
      before: its URL and name before the tree was requested. If they have changed since, the tree may be older than
        the change, and show another frame with them.
    """
    frames = list(_descendants(tree))
    matches = [
        frame_info["id"]
        for frame_info in frames
        if frame_info["url"] + frame_info.get("urlFragment", "") == frame.url
        and frame_info.get("name", "") == frame.name
    ]
    if len(matches) == 1 and before == (frame.url, frame.name):
        return str(matches[0])
    # Both sides mostly list frames in the same order, so the first candidate is probably right.
    same = [other for other in frame.page.frames if (other.url, other.name) == (frame.url, frame.name)]
    position = same.index(frame) if frame in same else 0
    others = [frame_info["id"] for frame_info in frames if frame_info["id"] not in matches]
    return await _probe(session, [*matches[position:], *matches[:position], *others], frame)


def _descendants(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for child in tree.get("childFrames", ()):
        yield child["frame"]
        yield from _descendants(child)


async def _probe(session: CDPSession, candidates: list[str], frame: Frame) -> str:
    for frame_id in candidates:
        name = f"agentbrowser-{secrets.token_hex(8)}"
        await _evaluate_in(session, frame_id, _LISTEN, name)
        await frame.evaluate(_DISPATCH, name)
        if await _evaluate_in(session, frame_id, _HAS_RECEIVED, name):
            return frame_id
    raise FrameNotFound("The frame is gone.")


async def _evaluate_in(session: CDPSession, frame_id: str, function: str, name: str) -> bool:
    try:
        context = await FrameSession(session, frame_id, is_root=False).isolated_world("agentbrowser")
        call = {"expression": f"({function})('{name}')", "contextId": context}
        return (await session.send("Runtime.evaluate", call))["result"].get("value") is True
    except Error:  # that frame is gone; the wanted one may be another
        return False
