"""Making one page believe it is somewhere or something else, without a context of its own."""

from typing import TYPE_CHECKING, Any

from agentbrowser.errors import InvalidParams
from agentbrowser.types.page import PageOptions

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab


async def apply(tab: "Tab", options: PageOptions) -> None:
    """Apply the options to the page; permissions go to its origin's whole context. [asyncio]

    Raises:
      InvalidParams: the engine can't do it for a single page.
    """
    if options.viewport is not None:
        await tab.page.set_viewport_size({"width": options.viewport.width, "height": options.viewport.height})
    if options.permissions is not None:
        await tab.page.context.grant_permissions(options.permissions)
    commands = _commands(options)
    if not commands:
        return
    if not tab.is_chromium:
        raise InvalidParams("Only Chromium can emulate this for one page; use context/create.", path="params")
    session = await tab.cdp()
    for method, arguments in commands:
        await session.send(method, arguments)


def _commands(options: PageOptions) -> list[tuple[str, dict[str, Any]]]:
    commands: list[tuple[str, dict[str, Any]]] = []
    if options.user_agent is not None:
        commands.append(("Emulation.setUserAgentOverride", {"userAgent": options.user_agent}))
    if options.locale is not None:
        commands.append(("Emulation.setLocaleOverride", {"locale": options.locale.replace("-", "_")}))
    if options.timezone is not None:
        commands.append(("Emulation.setTimezoneOverride", {"timezoneId": options.timezone}))
    if (place := options.geolocation) is not None:
        where = {"latitude": place.latitude, "longitude": place.longitude, "accuracy": place.accuracy}
        commands.append(("Emulation.setGeolocationOverride", where))
    if options.offline is not None:
        offline = {"offline": options.offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
        commands += [("Network.enable", {}), ("Network.emulateNetworkConditions", offline)]
    return commands
