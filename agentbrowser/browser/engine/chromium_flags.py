"""Options of a browser launch: Chromium's flags, the sandbox and the environment; and the flags of a joined browser."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Browser, BrowserType, Dialog, Error, TimeoutError

from agentbrowser.browser.engine.driver_dirs import DriverDir
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched

# Of several such switches the last one counts, so Playwright's own lists are repeated here.
FEATURES: Final = (
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,WebMCP",
    # Without the first, timers and forms wait after a click for the next frame, which is never shown.
    "--disable-features=DeferRendererTasksAfterInput,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion",
    # The middle button would paste what was selected last, in any page and session: a secret, too.
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4,"
    "middleClickPasteAllowed=false",
    # The headless shell names no language by itself, unlike any browser of a person; some sites refuse that.
    "--accept-lang=en-US,en",
)
"""Features that differ from Chromium's defaults."""

NO_WINDOW: Final = (
    # Full Chromium would ask which screen, account or identity to share. Nobody sees it, and the page takes no input.
    "--disable-blink-features=GetDisplayMedia,FedCm,"
    "WebIdentityDigitalCredentials,WebIdentityDigitalCredentialsCreation",
)
"""Features that need a person at the browser's window."""

PROXY: Final = (
    # QUIC, and WebRTC's UDP, bypass a proxy. The second switch is for the headless shell, the third for Chrome.
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # The proxy resolves names. No quotes in here, since no shell would remove them.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # A proxy for what has none of its own: nothing listens on that port.
    "--proxy-server=socks5://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
)
"""Flags that leave the proxy as the only way to the network."""


SERVER_SETTINGS: Final = ("AGENT_", "OTEL_")
"""Beginnings of environment variables: the server's, one of which is the token, and telemetry's, with a key."""

_READABLE: Final = "--enable-automation"
"""Flag without which Chromium does not report its flags."""

_JOIN_TIMEOUT_S: Final = 15.0
"""Limit of joining, within that of a request: each page of the browser has to answer."""


async def open_browser(kind: BrowserType, path: str, config: Config, folder: DriverDir, timeout_s: float) -> Browser:
    """Launch the browser with this path, or join the one with this URL. [asyncio]

    Args:
      folder: the directories of a launched browser: downloads, traces, and programs that it starts.

    Raises:
      Error: the browser does not start.
      BrowserNotLaunched: no browser or not all of its pages answer, or it lacks a flag; it stays as it was.
    """
    if config.browser_url is not None:
        return await _join(kind, path, min(timeout_s, _JOIN_TIMEOUT_S))
    options = launch_options(kind.name, config)
    folders: dict[str, Any] = {"downloads_path": folder.downloads, "traces_dir": folder.traces}
    env = _environment(folder.programs)
    return await kind.launch(executable_path=path, timeout=timeout_s * 1000, env=env, **folders, **options)


async def _join(kind: BrowserType, url: str, timeout_s: float) -> Browser:
    """Connect to a browser that another program has started with the flags of `PROXY`."""
    try:
        # By default, Playwright takes the downloads of the browser's own pages, and emulates their focus and media.
        browser = await kind.connect_over_cdp(url, timeout=timeout_s * 1000, no_defaults=True)
    except TimeoutError as error:
        text = f"The browser at {url} can't be joined: not all of its pages answered within {timeout_s:g} s."
        hint = "Answer the open dialog of a page in it, or close a page whose script never ends."
        raise BrowserNotLaunched(text, hint=hint, retryable=True) from error
    except Error as error:
        hint = f"Start it with --remote-debugging-port and {_shown((_READABLE, *PROXY))}"
        raise BrowserNotLaunched(f"No browser answers at {url}.", hint=hint) from error
    for context in browser.contexts:
        context.on("dialog", _leave_open)
    missing = [flag for flag in (_READABLE, *PROXY) if flag not in await _flags(browser)]
    if missing:
        await browser.close()  # disconnects
        text = f"The browser at {url} could get past the wall, since it was started without {len(missing)} flags."
        raise BrowserNotLaunched(text, retryable=False, hint=f"Start it with {_shown(missing)}", missing=missing)
    return browser


def _leave_open(dialog: Dialog) -> None:
    """Leave a dialog of another program's page alone: where nobody listens, Playwright answers it."""


async def _flags(browser: Browser) -> list[str]:
    session = await browser.new_browser_cdp_session()
    try:
        return list((await session.send("Browser.getBrowserCommandLine"))["arguments"])
    except Error:  # it does not report them
        return []
    finally:
        await session.detach()


def _shown(flags: Sequence[str]) -> str:
    return f"{shlex.join(flags)}."


def launch_options(name: str, config: Config) -> dict[str, Any]:
    """Return the options for Playwright's ``BrowserType.launch``, without those of `open_browser`."""
    return {
        "headless": config.headless,
        "args": (*PROXY, *FEATURES, *(NO_WINDOW if config.headless else ())) if name == "chromium" else (),
        "chromium_sandbox": not (config.no_sandbox or is_root()),
        # By default our signals end the browser, before the requests under way are answered.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
    }


def is_root() -> bool:
    """Return True if this process runs as root."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _environment(programs: Path) -> dict[str, str | float | bool]:
    """Return the environment without the settings of the server, and with programs that come first."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(SERVER_SETTINGS)}
    return {**kept, "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', os.defpath)}"}
