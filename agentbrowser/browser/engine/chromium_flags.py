"""Options of a browser launch: Chromium's flags, the sandbox and the environment."""

import os
from typing import Any, Final

from agentbrowser.config import BrowserName, Config

# Of several such switches the last one counts, so Playwright's own lists are repeated here.
FEATURES: Final = (
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,WebMCP",
    # Without the first, timers and forms wait after a click for the next frame, which is never shown.
    "--disable-features=DeferRendererTasksAfterInput,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion",
)
"""Features that differ from Chromium's defaults."""

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


def launch_options(name: BrowserName, config: Config) -> dict[str, Any]:
    """Return the options for Playwright's ``BrowserType.launch``, without path and timeout."""
    return {
        "headless": config.headless,
        "args": (*PROXY, *FEATURES) if name == "chromium" else (),
        "chromium_sandbox": not (config.no_sandbox or _is_root()),
        # By default our signals end the browser, before the requests under way are answered.
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
        "env": _environment(),
    }


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _environment() -> dict[str, str | float | bool]:
    """Return the environment without our settings, one of which is the token."""
    return {name: value for name, value in os.environ.items() if not name.startswith("AGENT_")}
