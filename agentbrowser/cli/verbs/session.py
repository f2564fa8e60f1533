"""Named session of a shell agent: a client of the embedded server, with pages and cookies of its own."""

from collections.abc import Mapping
from typing import Any, Final

import attrs

from agentbrowser.client.browser import Browser
from agentbrowser.client.connection.connection import ClientConnection
from agentbrowser.mcp.link import BrowserLink
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.tools.arguments import checked
from agentbrowser.tools.calls import ToolCall
from agentbrowser.tools.dispatch import HANDLERS
from agentbrowser.tools.journal import Journal
from agentbrowser.tools.results import ToolResult
from agentbrowser.tools.table import BY_NAME

_MAX_TIMEOUT_MS: Final = 300_000
"""Maximum of the protocol."""
_CLOCKS_OF_STEP: Final = 3
"""A step waits for its element to exist, then to become actionable, then for its expected outcome."""
_LARGE: Final = ("data", "screenshot")
_NEED_NO_PAGE: Final = ("open", "tabs", "state")
NEW_SESSION: Final = (
    "hint: this session is new: pages and logins of an earlier one are gone; `agentbrowser open URL` opens a page"
)
"""Hint for a verb that expects a page: the daemon or its browser, with all that was open, may have ended meanwhile."""


@attrs.define(eq=False)
class VerbSession:
    """A session, which opens its client when a verb first needs it."""

    link: BrowserLink
    _browser: Browser | None = attrs.field(default=None, init=False)
    _journal: Journal = attrs.field(factory=Journal, init=False)
    _is_new: bool = attrs.field(default=False, init=False)
    _launches: int = attrs.field(default=0, init=False)
    """Number of browsers launched before the end of the last verb."""

    async def open(self, timeout_s: float | None = None) -> "ToolRunner":
        """Return the runner of tools for one verb, whose requests get the timeout of the verb. [trio]"""
        browser = await self.link.browser()
        if browser is not self._browser:
            self._browser, self._journal, self._is_new = browser, Journal(), True
        await self._journal.start(browser)
        timeout_ms = None if timeout_s is None else round(timeout_s * 1000)
        return ToolRunner(RecordingBrowser(browser, timeout_ms), self._journal)

    def surprises(self, verb: str, launches: int) -> bool:
        """Return True if a verb that has run expected a page, and is the first one in a new client or browser.

        Args:
          launches: number of browsers launched so far.
        """
        if launches != self._launches:
            self._is_new, self._launches = True, launches
        if not self._is_new or (verb in _NEED_NO_PAGE and verb != "open"):
            return False
        self._is_new = False
        return verb != "open"

    async def close(self) -> bool:
        """Close the client and its pages; return False if it was not open. [trio]"""
        if (browser := self.link.current) is None:
            return False
        assert isinstance(browser.connection, ClientConnection)
        await browser.connection.aclose()
        return True


@attrs.define(eq=False)
class RecordingBrowser:
    """Client that keeps the results of the requests of one verb, and the error of a step."""

    browser: Browser
    _timeout_ms: int | None = None
    results: dict[str, Any] = attrs.field(factory=dict, init=False)
    """The latest result of each method, without images."""
    step_error: AgentBrowserError | None = attrs.field(default=None, init=False)

    @property
    def connection(self) -> Any:
        """Return the connection, which subscribes to events."""
        return self.browser.connection

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        """Call a method by its wire name with plain data, and return plain data. [trio]"""
        if params is not None and self._timeout_ms is not None:
            params = with_timeout(method, params, self._timeout_ms)
        try:
            result = await self.browser.request(method, params)
        except AgentBrowserError as error:
            # Of the errors that a tool shows as a line, the first is the reason of its failure.
            self.step_error = self.step_error or error
            raise
        for step in result.get("results", ()) if method == "agent/act" else ():
            if (failed := step.get("error")) is not None:
                self.step_error = AgentBrowserError.from_wire(failed)
        self.results[method] = {
            name: value for name, value in result.items() if name not in _LARGE or method == "agent/extract"
        }
        return result


def with_timeout(method: str, params: Mapping[str, Any], timeout_ms: int) -> Mapping[str, Any]:
    """Return the params of a request with the timeout of a verb: that of its script, or of each step."""
    if method == "script/evaluate":
        return {**params, "timeout": timeout_ms}
    if method != "agent/act":
        return params
    steps = [_step_with_timeout(step, timeout_ms) for step in params["steps"]]
    total_ms = params["timeout"] + len(steps) * _CLOCKS_OF_STEP * timeout_ms
    return {**params, "steps": steps, "timeout": min(total_ms, _MAX_TIMEOUT_MS)}


def _step_with_timeout(step: Mapping[str, Any], timeout_ms: int) -> dict[str, Any]:
    timeout, given = {"timeout": timeout_ms}, step["params"]
    is_action = step["action"].startswith("action/")
    more = {"options": {**given.get("options", {}), **timeout}} if is_action else timeout
    expect = {"expect": {**step["expect"], **timeout}} if "expect" in step else {}
    return {**step, "params": {**given, **more}, **expect}


@attrs.define(eq=False)
class ToolRunner:
    """Runs the tools for models on a client, and raises their errors."""

    client: RecordingBrowser
    _journal: Journal

    @property
    def browser(self) -> Browser:
        """Return the client itself."""
        return self.client.browser

    def call(self, arguments: Mapping[str, Any]) -> ToolCall:
        """Return a call with these arguments, of which None counts as missing."""
        given = {key: value for key, value in arguments.items() if value is not None}
        return ToolCall(browser=self.client, arguments=given, journal=self._journal)

    async def run(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run a tool. [trio]

        Raises:
          AgentBrowserError: the error of the tool.
        """
        call = self.call(arguments)
        return await HANDLERS[name](attrs.evolve(call, arguments=checked(BY_NAME[name], call.arguments)))
