"""Journal of a client: its latest console messages and responses, new tabs and downloads, and the states it keeps."""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakSet

import attrs

from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import ResourceLimitExceeded
from agentbrowser.protocol.types.event import ConsoleEvent, DownloadEvent, NetworkEvent, PageEvent
from agentbrowser.tools.untrusted import quoted

if TYPE_CHECKING:
    from agentbrowser.tools.human import OpenHandoff

_ENTRIES: Final = 500
_NAMES: Final = frozenset(f"notifications/{kind}" for kind in ("console", "network", "page", "download"))
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_MAX_METHOD: Final = 40
_MAX_TEXT: Final = 500
DIALOG_TIMEOUT_MS: Final = 60_000
MAX_STATES: Final = 20
MAX_STATES_BYTES: Final = 32 * 1024 * 1024
"""Bytes of all states of a client, with their names."""
MAX_OWNER_BYTES: Final = 64 * 1024 * 1024
"""Bytes of the states of all clients of an owner, which are in the memory of the server that all owners share."""


@attrs.define(eq=False)
class Journal:
    """Latest events of one client, collected from its first tool call on."""

    console: deque[tuple[str, str]] = attrs.field(factory=lambda: deque(maxlen=_ENTRIES), init=False)
    """Tab and line of each message, the oldest first."""
    network: deque[tuple[str, str]] = attrs.field(factory=lambda: deque(maxlen=_ENTRIES), init=False)
    _arrivals: dict[str, PageEvent | DownloadEvent] = attrs.field(factory=dict, init=False)
    """Tabs that pages have opened, and downloads, by their ids; those that no answer has named yet."""
    _reported: deque[str] = attrs.field(factory=lambda: deque(maxlen=_ENTRIES), init=False)
    states: dict[str, bytes] = attrs.field(factory=dict, init=False, repr=False)
    """Storage states that the client keeps under a name, as JSON: parsed, they take many times as much."""
    of_owner: "WeakSet[Journal]" = attrs.field(factory=WeakSet, init=False, repr=False)
    """Journals of all clients of the same owner."""
    handoffs: "dict[str, OpenHandoff]" = attrs.field(factory=dict, init=False, repr=False)
    """Open handoffs by their questions: the same question, asked again, waits on."""
    _subscription: Any = attrs.field(default=None, init=False)
    _is_started: bool = attrs.field(default=False, init=False)

    async def start(self, browser: Any) -> None:
        """Subscribe to the events, once, and keep dialogs open for as long as a model thinks."""
        if self._is_started:
            return
        self._is_started = True
        try:
            self._subscription = self._subscription or await browser.connection.subscribe(_NAMES)
            await browser.request("events/subscribe", {"events": ["dialog"], "dialogTimeout": DIALOG_TIMEOUT_MS})
        except BaseException:
            self._is_started = False
            raise

    def keep_state(self, name: str, state: Any) -> None:
        """Keep a state; it takes the place of an earlier one of its name.

        Raises:
          ResourceLimitExceeded: there are `MAX_STATES` others, or all would take more than `MAX_STATES_BYTES`, or those
            of the owner more than `MAX_OWNER_BYTES`.
        """
        encoded = wire.dump(state)
        kept = {**self.states, name: encoded}
        size = _size(kept)
        of_all = size + sum(_size(one.states) for one in self.of_owner if one is not self)
        for resource, limit, current in (
            ("states", MAX_STATES, len(kept)),
            ("bytes", MAX_STATES_BYTES, size),
            ("bytes with those of your other sessions", MAX_OWNER_BYTES, of_all),
        ):
            if current > limit:
                message = f"The states would be {current} {resource}, and may be {limit}."
                hint = "Save under a name that is kept already, whose state is replaced; or end another session."
                raise ResourceLimitExceeded(message, resource="states", limit=limit, current=current, hint=hint)
        self.states[name] = encoded

    async def lines(self, kind: str, tab: str) -> list[str]:
        """Return the lines of a tab, ``console`` or ``network``."""
        await self._read()
        entries = self.console if kind == "console" else self.network
        return [line for line_tab, line in entries if line_tab == tab]

    async def arrivals(self, reported: Iterable[str] = ()) -> list[PageEvent | DownloadEvent]:
        """Return the tabs that pages have opened, and the downloads, each once.

        Args:
          reported: ids of those that the answer names anyway.
        """
        await self._read()
        self._reported.extend(reported)
        new = [event for id_, event in self._arrivals.items() if id_ not in self._reported]
        self._reported.extend(self._arrivals)
        self._arrivals.clear()
        return new

    async def _read(self) -> None:
        if self._subscription is not None:
            self._add(await self._subscription.unread())

    def _add(self, events: Iterable[Any]) -> None:
        for event in events:
            if isinstance(event, PageEvent):
                self._note_page(event)
            elif isinstance(event, DownloadEvent) and event.download_id not in self._reported:
                self._arrivals[event.download_id] = event
            elif isinstance(event, ConsoleEvent):
                self.console.append((event.page_id, _console_line(event)))
            elif isinstance(event, NetworkEvent) and event.type in ("response", "failed"):
                self.network.append((event.page_id, network_line(event)))

    def _note_page(self, event: PageEvent) -> None:
        if event.type == "created" and event.opener is not None and event.page_id not in self._reported:
            self._arrivals[event.page_id] = event
        elif event.type == "close":
            self._arrivals.pop(event.page_id, None)
        elif isinstance(known := self._arrivals.get(event.page_id), PageEvent):
            self._arrivals[event.page_id] = attrs.evolve(known, url=event.url or known.url)


def _size(states: Mapping[str, bytes]) -> int:
    return sum(len(name.encode("utf-8", "replace")) + len(data) for name, data in states.items())


def arrival_line(event: PageEvent | DownloadEvent) -> str:
    """Return the words for a tab that a page has opened, or for a download."""
    if isinstance(event, PageEvent):
        return f"opened tab {event.page_id} {quoted(event.url or '')}"
    return f"download {event.download_id} {quoted(event.suggested_filename)} {event.state}"


def _console_line(event: ConsoleEvent) -> str:
    where = f" at {quoted(event.url, 120)}:{event.line}" if event.url and event.line is not None else ""
    return f"{event.level} {quoted(event.text, _MAX_TEXT)}{where}"


def network_line(event: NetworkEvent) -> str:
    """Return a response or a failure as a line, in which the words of the page are quoted."""
    outcome = f"failed {quoted(event.error or '')}" if event.type == "failed" else str(event.status)
    method = event.method if event.method in _METHODS else quoted(event.method, _MAX_METHOD)  # a page may invent one
    return f"{outcome} {method} {event.resource_type} {quoted(event.url, _MAX_TEXT)}"
