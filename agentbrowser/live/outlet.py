"""Outlet of one watcher: states of which the latest counts, lines in order, and the latest picture."""

import json
from collections import deque
from collections.abc import Mapping
from typing import Any, Final

import attrs
import trio

from agentbrowser.browser.live.screencast import Picture
from agentbrowser.server.gate.socket import Socket

MAX_LINES: Final = 300
"""Lines that wait for a slow watcher; the oldest are dropped, and counted."""
_INTERVAL_S: Final = 0.2
"""Interval of lines, and of states that may wait: each message to each of twenty watchers takes time from the agent."""


@attrs.define(eq=False)
class Outlet:
    """What one watcher has not received yet. It has a limit, so that a slow watcher holds nothing up."""

    _states: dict[str, Any] = attrs.field(factory=dict, init=False)
    _lines: deque[str] = attrs.field(factory=lambda: deque(maxlen=MAX_LINES), init=False)
    _dropped: int = attrs.field(default=0, init=False)
    _picture: tuple[int, Picture] | None = attrs.field(default=None, init=False)
    _due_s: float = attrs.field(default=0.0, init=False)
    """Time at which what waits may be sent."""
    _changed: trio.Event = attrs.field(factory=trio.Event, init=False)

    @property
    def wants_picture(self) -> bool:
        """Return True if the last picture is on its way."""
        return self._picture is None

    def put_state(self, name: str, value: Any, *, may_wait: bool = False) -> None:
        """Replace a state; one that may not wait is sent at once, with all others."""
        self._wake()
        self._states[name] = value
        if not may_wait:
            self._due_s = 0.0
            self._changed.set()

    def put_line(self, line: str) -> None:
        """Add an encoded line."""
        self._wake()
        self._dropped += len(self._lines) == MAX_LINES
        self._lines.append(line)

    def _wake(self) -> None:
        """Wake the sender, unless something waits already, with which more goes."""
        if not (self._states or self._lines):
            self._changed.set()

    def put_picture(self, number: int, picture: Picture) -> None:
        """Replace the picture, with the number of the watcher's choice that it belongs to."""
        self._picture = number, picture
        self._changed.set()

    def clear(self) -> None:
        """Drop what belongs to the page that was watched before."""
        self._lines.clear()
        self._picture, self._dropped = None, 0

    async def run(self, socket: Socket) -> None:
        """Send everything until the peer leaves. [trio]

        Raises:
          PeerGone: it has left.
        """
        while True:
            with trio.move_on_at(self._due_s if self._states or self._lines else float("inf")):
                await self._changed.wait()
            self._changed = trio.Event()
            if (self._states or self._lines) and trio.current_time() >= self._due_s:
                self._due_s = trio.current_time() + _INTERVAL_S
                states, lines, dropped = encoded(self._states), ",".join(self._lines), self._dropped
                self._states, self._dropped = {}, 0
                self._lines.clear()
                message = f'{{"states":{states},"lines":[{lines}],"dropped":{dropped}}}'
                await socket.send(message.encode("utf-8", "replace"))
            if self._picture is not None:
                (number, picture), self._picture = self._picture, None
                await socket.send_binary(_head(number, picture) + picture.jpeg)


def _head(number: int, picture: Picture) -> bytes:
    """Return the head of a picture: choice, width and height, as three numbers of four bytes."""
    return b"".join(value.to_bytes(4, "big") for value in (number, max(0, picture.width), max(0, picture.height)))


def encoded(message: Mapping[str, Any]) -> str:
    """Return a line or a message as JSON; a line of a page is encoded once for all its watchers."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))
