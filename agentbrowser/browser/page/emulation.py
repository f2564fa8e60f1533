"""Emulation of other environments, for one page or a whole context: user agent, geolocation, offline."""

import asyncio
import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs
from playwright.async_api import Error

from agentbrowser.browser import faults
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams
from agentbrowser.protocol.types.emulate import UserAgent
from agentbrowser.protocol.types.page import Geolocation, PageOptions

if TYPE_CHECKING:
    from agentbrowser.browser.contexts import Context
    from agentbrowser.browser.tab import Tab

_ANSWER_TIMEOUT_S: Final = 1.0
_USER_AGENT: Final = "User-Agent"
_TIMEZONE: Final = "a timezone of IANA's, such as Europe/Berlin"
# The browser's errors for settings that it does not know, of contexts and of pages: the setting, and what is accepted.
_SETTING_ERRORS: Final = {
    "Unknown permission": ("permissions", "permissions of the browser, such as geolocation or clipboard-read"),
    "Invalid timezone ID": ("timezoneId", _TIMEZONE),
    "Invalid timezone id": ("timezone", _TIMEZONE),
    "Invalid locale name": ("locale", "a language tag such as de-DE"),
    "options.isMobile is not supported": ("isMobile", "false, on this browser"),
}
_SETTING_ERROR: Final = re.compile("|".join(_SETTING_ERRORS))


@contextlib.contextmanager
def setting_errors_mapped(under: str = "") -> Iterator[None]:
    """Raise the browser's error for a setting as InvalidParams; ``under`` is the prefix of its path."""
    try:
        yield
    except Error as error:
        rejected = _SETTING_ERROR.search(str(error))
        if rejected is None:
            raise
        name, expected = _SETTING_ERRORS[rejected[0]]
        path = under + name
        raise InvalidParams(f"{path} must be {expected}.", path=path, expected=expected) from None


async def apply(tab: "Tab", options: PageOptions | None, source: "Tab | None" = None) -> None:
    """Apply options to the page, and the screen of another one; permissions apply in the whole context. [asyncio]

    Raises:
      InvalidParams: the browser does not know a setting, or can't do this for a single page.
    """
    if options is not None:
        await _apply_options(tab, options)
    if source is not None:
        await _take_screen(tab, source)


async def _apply_options(tab: "Tab", options: PageOptions) -> None:
    if options.viewport is not None:
        await tab.page.set_viewport_size({"width": options.viewport.width, "height": options.viewport.height})
    if options.permissions is not None:
        await tab.context.emulation.grant(options.permissions)
    if options.user_agent is not None:  # else requests have the agent of `Emulation.set_user_agent`
        await tab.page.set_extra_http_headers({_USER_AGENT: options.user_agent})
    commands = _commands(options)
    if not commands:
        return
    if not tab.is_chromium:
        raise InvalidParams("Only Chromium can emulate this for one page; use context/create.", path="params")
    session = await tab.cdp()
    for method, arguments in commands:
        await session.send(method, arguments)


async def _take_screen(tab: "Tab", source: "Tab") -> None:
    screen, size = source.screenshots.screenshotter.screen, source.page.viewport_size
    if screen is not None:
        await tab.screenshots.screenshotter.set_screen(screen)
    elif size is not None and size != tab.page.viewport_size:
        await tab.page.set_viewport_size(size)


def _commands(options: PageOptions) -> list[tuple[str, dict[str, Any]]]:
    commands: list[tuple[str, dict[str, Any]]] = []
    if options.user_agent is not None or options.locale is not None:
        # An empty user agent stays that of the context. Sites choose their language by the header.
        accepted = {} if options.locale is None else {"acceptLanguage": options.locale.replace("_", "-")}
        commands.append(("Emulation.setUserAgentOverride", {"userAgent": options.user_agent or "", **accepted}))
    if options.locale is not None:
        commands.append(("Emulation.setLocaleOverride", {"locale": options.locale.replace("-", "_")}))
    if options.timezone is not None:
        commands.append(("Emulation.setTimezoneOverride", {"timezoneId": options.timezone}))
    if (location := options.geolocation) is not None:
        arguments = {"latitude": location.latitude, "longitude": location.longitude, "accuracy": location.accuracy}
        commands.append(("Emulation.setGeolocationOverride", arguments))
    if options.offline is not None:
        offline = {"offline": options.offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        commands += [("Network.enable", {}), ("Network.emulateNetworkConditions", offline)]
    return commands


@attrs.define(eq=False)
class Emulation:
    """Emulation for all pages of a context, including later ones."""

    context: "Context"
    _user_agent: UserAgent | None = attrs.field(default=None, init=False)
    _granted: set[str] = attrs.field(factory=set, init=False)
    """Permissions of all sites, besides those that the context was made with."""

    async def set_user_agent(self, user_agent: UserAgent) -> None:
        """Change the user agent of all pages, in the header and in ``navigator``. [asyncio]

        Raises:
          InvalidParams: the engine can do this only for a new context.
        """
        if self.context.tabs.engine.name != "chromium":
            raise InvalidParams(
                "Only Chromium can change the user agent of open pages; use context/create.", path="params"
            )
        self._user_agent = user_agent
        await asyncio.gather(self._set_header(user_agent.user_agent), *map(self.apply_to, self.context.open_tabs))

    async def _set_header(self, value: str) -> None:
        """Set the header of all requests: a popup sends its first one before its page can be emulated. [asyncio]"""
        with contextlib.suppress(TimeoutError, Error):
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                await self.context.browser_context.set_extra_http_headers({_USER_AGENT: value})

    async def grant(self, permissions: Sequence[str]) -> None:
        """Grant permissions to all sites. [asyncio]"""
        context = self.context.browser_context
        try:
            await context.grant_permissions(permissions)
        except Error:
            # Playwright keeps a name that the browser does not know, and would fail with it at each later grant.
            await context.clear_permissions()
            at_first = self.context.options.settings().get("permissions", ())
            await context.grant_permissions([*at_first, *self._granted])
            raise
        self._granted.update(permissions)

    async def set_geolocation(self, location: Geolocation) -> None:
        """Set the geolocation of the context, and grant all sites access to it. [asyncio]"""
        with faults.mapped():
            await self.grant(["geolocation"])
            await self.context.browser_context.set_geolocation(
                {"latitude": location.latitude, "longitude": location.longitude, "accuracy": location.accuracy}
            )

    async def set_offline(self, offline: bool) -> None:
        """Emulate being offline, or end that. [asyncio]"""
        with faults.mapped():
            await self.context.browser_context.set_offline(offline)

    async def apply_to(self, tab: "Tab") -> None:
        """Apply the emulation to a page. [asyncio]"""
        if self._user_agent is None:
            return
        # A busy or blocked page handles the command as soon as it can.
        with contextlib.suppress(TimeoutError, Error, AgentBrowserError):
            async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                session = await tab.cdp()
                override = session.send("Emulation.setUserAgentOverride", _user_agent_override(self._user_agent))
                await asyncio.gather(override, tab.page.set_extra_http_headers({}))  # without an agent of its own

    async def apply_to_popup(self, tab: "Tab") -> None:
        """Apply the emulation to a popup, and its opener's screen, unless only the size is emulated. [asyncio]"""
        opener = self.context.tabs.find(tab.opener)
        if opener is not None and (screen := opener.screenshots.screenshotter.screen) is not None:
            with contextlib.suppress(TimeoutError, Error, AgentBrowserError):
                async with asyncio.timeout(_ANSWER_TIMEOUT_S):
                    await tab.screenshots.screenshotter.set_screen(screen)
        await self.apply_to(tab)


def _user_agent_override(user_agent: UserAgent) -> dict[str, str]:
    override = {"userAgent": user_agent.user_agent}
    if user_agent.platform is not None:
        override["platform"] = user_agent.platform
    if user_agent.accept_language is not None:
        # Chromium derives the weights of the languages from their order.
        languages = [language.partition(";")[0].strip() for language in user_agent.accept_language.split(",")]
        override["acceptLanguage"] = ",".join(filter(None, languages))
    return override
