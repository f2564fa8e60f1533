"""A tool call: the browser that it acts on, its arguments, and the tab that it means."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, Protocol

import attrs

from agentbrowser.tools.journal import Journal, arrival_line

_LAUNCH_TIMEOUT_MS: Final = 45_000
"""Time for a new tab: more than the 30 s that its browser has to start, whose error would be lost otherwise."""


class ToolBrowser(Protocol):
    """What a tool needs of a client: `agentbrowser.client.Browser`, of Trio or of asyncio."""

    @property
    def connection(self) -> Any:
        """Return the connection, which subscribes to events."""
        ...

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data."""
        ...


@attrs.frozen(kw_only=True)
class Question:
    """A question of the model to the user."""

    text: str
    choices: Sequence[str] = ()
    link: str | None = attrs.field(default=None, repr=False)
    """Link by which the user can take the page over instead; good for one use."""
    handed_back: Callable[[], Awaitable[None]] | None = attrs.field(default=None, eq=False, repr=False)
    """Waits until the user has handed the page back, or has declined; then an answer is no longer needed."""


class Declined(Enum):
    """Answer of a user who does not want to answer; None stands for a user who was not reached."""

    DECLINED = "declined"


DECLINED: Final = Declined.DECLINED
Answer = str | Declined | None
Ask = Callable[[Question], Awaitable[Answer]]
"""Asks the user; returns the answer, `DECLINED` if the user refuses to give one, or None if there is none."""
Show = Callable[[str], Awaitable[None]]
"""Shows the user a message."""
Pause = Callable[[], Awaitable[None]]
"""Lets the loop do other work."""


@attrs.frozen(kw_only=True)
class ToolCall:
    """A call of a tool with checked arguments."""

    browser: ToolBrowser
    arguments: Mapping[str, Any]
    journal: Journal
    ask_user: Ask | None = None
    """None if nobody can be asked."""
    show: Show | None = None
    pauses: Pause | None = None

    async def pause(self) -> None:
        """Let others use the loop, if this one has others."""
        if self.pauses is not None:
            await self.pauses()

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method of the protocol."""
        return await self.browser.request(method, params)

    async def since_then(self) -> list[str]:
        """Return the lines of tabs and downloads that came after the last answer."""
        return [f"since then: {arrival_line(event)}" for event in await self.journal.arrivals()]

    async def tab(self) -> str:
        """Return the id of the tab of this call: the named one, else the one that is active now.

        It is resolved once, so that all requests of a call mean one tab, whatever other calls do meanwhile.
        """
        if named := self.arguments.get("tab"):
            return str(named)
        listed = await self.request("page/list")
        if active := listed.get("activePage"):
            return str(active)
        if listed["pages"]:
            return str(listed["pages"][-1]["id"])
        return await self.new_tab()

    async def new_tab(self) -> str:
        """Open a tab, and return its id. The first one launches the browser."""
        return str((await self.request("page/create", {"timeout": _LAUNCH_TIMEOUT_MS}))["id"])

    def named_tab(self) -> dict[str, str]:
        """Return the params that name the tab of a call of one request; none for the tab that is active then."""
        named = self.arguments.get("tab")
        return {"pageId": str(named)} if named else {}
