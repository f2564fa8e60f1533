"""The browser's side of the wall: every context has a door of the server as its proxy, and that this holds is tried."""

import asyncio
import socket
import time
from typing import Any, Final

import attrs
import structlog
from playwright.async_api import Browser, Page

from agentbrowser.errors import BrowserNotLaunched

log = structlog.get_logger("agentbrowser.browser")

_TRIAL_TIMEOUT_S: Final = 10.0
_DENIED: Final = "ERR_SOCKS_CONNECTION_FAILED"

CHROMIUM_ARGS: Final = (
    # QUIC, and WebRTC's UDP, would go past a proxy.
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Names are for the door to resolve. No quotes in there: there is no shell to take them away.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # For whatever has no door of its own, one that is walled up: nothing listens on that port.
    "--proxy-server=socks5://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
)


def through(port: int) -> Any:
    """Return what makes a door a context's only way out, as Playwright's ``proxy``. Without the bypass rule, Chromium
    would go to loopback by itself."""
    return {"server": f"socks5://127.0.0.1:{port}", "bypass": "<-loopback>"}


@attrs.frozen
class Trial:
    """A try to get past the wall, made with every browser before anybody else may use it.

    Args:
      port: a door.
      spy: listens on a port that no door leads to; nobody ever accepts what comes there.
    """

    port: int
    spy: socket.socket

    async def run(self, browser: Browser) -> None:
        """Try to reach the spy. [asyncio]

        Raises:
          BrowserNotLaunched: it was reached, or the door was not asked.
        """
        began_s = time.perf_counter()
        context = await browser.new_context(proxy=through(self.port))
        try:
            said = await self._try(await context.new_page())
        finally:
            await context.close()
        if said is None or (browser.browser_type.name == "chromium" and _DENIED not in said):
            log.error("wall_does_not_hold", said=said)
            hint = "Use a browser that honours its proxy settings; policies of the system may overrule them."
            raise BrowserNotLaunched("The browser gets past the wall, so it is not used.", hint=hint, retryable=False)
        log.info("wall_holds", duration_ms=round((time.perf_counter() - began_s) * 1000))

    async def _try(self, page: Page) -> str | None:
        """Return what the browser says of the spy's page; None if it came there."""
        visit = asyncio.ensure_future(page.goto(f"http://127.0.0.1:{self.spy.getsockname()[1]}/", timeout=0))
        arrival = asyncio.ensure_future(asyncio.get_running_loop().sock_accept(self.spy))
        both = (visit, arrival)
        try:
            await asyncio.wait(both, timeout=_TRIAL_TIMEOUT_S, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in both:
                one.cancel()
            said, came = await asyncio.gather(*both, return_exceptions=True)
        if isinstance(came, tuple):
            came[0].close()
            return None
        return str(said)
