"""Chromium's features: which are on and off, against what it would choose."""

from typing import Final

# Of several such switches the last one counts, so what Playwright asks for is in ours too.
CHROMIUM_ARGS: Final = (
    "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies,WebMCP",
    # Without the first, timers and forms wait behind a click for the next picture, which nobody looks at.
    "--disable-features=DeferRendererTasksAfterInput,"
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "LensOverlay,MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,"
    "TcpPortRandomizationWin,OptimizationHints,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
    "msForceBrowserSignIn,msEdgeUpdateLaunchServicesPreferredVersion",
)
