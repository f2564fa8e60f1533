"""browser/*: choose the default context's settings, and close all that the client owns."""

from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser.config import BrowserName
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import Scope, composite, method
from agentbrowser.protocol.types.context import ContextOptions
from agentbrowser.protocol.types.fields import field, milliseconds
from agentbrowser.protocol.types.page import Nothing, Viewport

if TYPE_CHECKING:
    from agentbrowser.browser.tabs import Tabs
    from agentbrowser.server.corridor.dispatch import Call

_OPERATORS_OPTION: Final = {
    "proxy": "none: everything goes through the server's own proxy",
    "userDataDir": "none: every client gets a fresh context",
    "cdpUrl": "none: the server launches its browser itself",
    "downloadsPath": "none: downloads are kept in a private directory",
    "executablePath": "--executable-path",
    "env": "none: the browser gets the server's own environment",
}
_HARMLESS_ARGS: Final = ("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--headless", "--window-size=")


@attrs.frozen(kw_only=True)
class LaunchParams:
    """Settings that a client may choose; only the operator sets paths, programs and proxies."""

    browser: BrowserName | None = None
    channel: str | None = field(default=None, maximum=100)
    headless: bool | None = None
    viewport: Viewport | None = None
    user_agent: str | None = field(default=None, minimum=1, maximum=1000)
    locale: str | None = field(default=None, maximum=35)
    timezone_id: str | None = field(default=None, maximum=64)
    timeout_ms: int | None = milliseconds()
    args: list[str] | None = field(default=None, maximum=100)
    env: Any = None
    proxy: Any = None
    user_data_dir: Any = None
    cdp_url: Any = None
    downloads_path: Any = None
    executable_path: Any = None


@attrs.frozen(kw_only=True)
class LaunchResult:
    """The browser that the client uses from now on.

    ``unchanged`` names the settings that did not take effect, since the default context is in use and has others.
    """

    browser_id: str
    browser: str
    version: str
    default_context: str
    unchanged: list[str] | None = None


@method("browser/launch", LaunchParams, scope=Scope.STANDARD, in_session=True)
async def launch(tabs: "Tabs", params: LaunchParams) -> LaunchResult:
    """Start the browser if needed, and set the options of the client's default context. [asyncio]

    Once the default context is in use, it keeps its settings.

    Raises:
      InvalidParams: only the operator may set a parameter.
    """
    _refuse_operators(params)
    _refuse_other_browser(tabs, params)
    tabs.engine.recovery.retry_now()
    options = ContextOptions(
        viewport=params.viewport, user_agent=params.user_agent, locale=params.locale, timezone_id=params.timezone_id
    )
    in_effect = unstructure(await tabs.contexts.launch(options))
    unchanged = [name for name, value in unstructure(options).items() if in_effect.get(name) != value]
    engine = tabs.engine
    return LaunchResult(
        browser_id=engine.name,
        browser=engine.name,
        version=engine.version,
        default_context=tabs.default_context,
        unchanged=unchanged or None,
    )


def _refuse_operators(params: LaunchParams) -> None:
    for name, option in _OPERATORS_OPTION.items():
        if getattr(params, _python_name(name)) is not None:
            raise _refused(name, f"absent; the operator's option is {option}")
    for index, argument in enumerate(params.args or ()):
        if not argument.startswith(_HARMLESS_ARGS):
            raise _refused(f"args[{index}]", f"{' or '.join(_HARMLESS_ARGS)}, of which none has an effect")


def _python_name(wire: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in wire)


def _refuse_other_browser(tabs: "Tabs", params: LaunchParams) -> None:
    config = tabs.config
    if params.browser not in (None, config.browser):
        raise _refused("browser", f'"{config.browser}", as the operator started the server (--browser)')
    if params.channel not in (None, config.browser):
        raise _refused("channel", "absent; the operator's option is --executable-path")
    if params.headless not in (None, config.headless):
        raise _refused(
            "headless", f"{str(config.headless).lower()}; the operator's options are --headless and --headed"
        )


def _refused(path: str, expected: str) -> InvalidParams:
    return InvalidParams(f"{path} is not for a client to set; expected {expected}.", path=path, expected=expected)


@attrs.frozen(kw_only=True)
class BrowserCloseParams:
    """The browser to close; there is only one."""

    browser_id: str | None = None


@composite("browser/close", BrowserCloseParams, scope=Scope.STANDARD, in_session=True)
async def close(call: "Call", params: BrowserCloseParams) -> Nothing:
    """Close all pages and contexts of this client; later requests open new ones. [trio]"""
    await call.session.end()
    return Nothing()
