"""The browser's side of the wall: every context has a door of the server as its proxy, and that this holds is tried."""

import asyncio
import contextlib
import socket
import time
from typing import Any, Final

import attrs
import structlog
from playwright.async_api import Browser, Page

from agentbrowser.protocol.errors import BrowserNotLaunched

log = structlog.get_logger("agentbrowser.browser")

_TRIAL_TIMEOUT_S: Final = 3.0
_DENIED: Final = "ERR_SOCKS_CONNECTION_FAILED"

CHROMIUM_ARGS: Final = (
    # QUIC, and WebRTC's UDP, would go past a proxy. The second switch is the headless shell's, the third Chrome's.
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Names are for the door to resolve. No quotes in there: there is no shell to take them away.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # For whatever has no door of its own, one that is walled up: nothing listens on that port.
    "--proxy-server=socks5://127.0.0.1:1",
    "--proxy-bypass-list=<-loopback>",
)


# Fetches a URL, and looks for a way for a call, which begins with asking the server named. Ends with both.
_TRIAL: Final = """async ([url, urls]) => {
    const peer = new RTCPeerConnection({iceServers: [{urls}]});
    const gathered = new Promise(done => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState == "complete" && done();
    });
    peer.createDataChannel("");
    const fetched = fetch(url, {mode: "no-cors"}).catch(() => {});
    await peer.setLocalDescription(await peer.createOffer());
    await Promise.all([gathered, fetched]);
}"""


def through(port: int) -> Any:
    """Return what makes a door a context's only way out, as Playwright's ``proxy``. Without the bypass rule, Chromium
    would go to loopback by itself."""
    return {"server": f"socks5://127.0.0.1:{port}", "bypass": "<-loopback>"}


@attrs.frozen
class ProxyCheck:
    """A try to get past the wall, made with every browser before anybody else may use it.

    Args:
      port: a door.
      spy: listens on a port that no door leads to; nobody else ever accepts what comes there.
      udp_spy: the same by UDP, for which there are no doors.
    """

    port: int
    spy: socket.socket
    udp_spy: socket.socket

    async def run(self, browser: Browser) -> None:
        """Try to reach the spies. [asyncio]

        Raises:
          BrowserNotLaunched: it was reached, or the door was not asked.
        """
        began_s = time.perf_counter()
        context = await browser.new_context(proxy=through(self.port))
        try:
            said = await self._try(await context.new_page())
        finally:
            await context.close()
        reached = self._reached()
        if reached or (browser.browser_type.name == "chromium" and _DENIED not in said):
            log.error("wall_does_not_hold", reached=reached, said=said)
            hint = "Use a browser that honours its proxy settings; policies of the system may overrule them."
            raise BrowserNotLaunched("The browser gets past the wall, so it is not used.", hint=hint, retryable=False)
        log.info("wall_holds", duration_ms=round((time.perf_counter() - began_s) * 1000))

    async def _try(self, page: Page) -> list[str]:
        """Return what the browser says of requests that failed."""
        failures: list[str] = []
        page.on("requestfailed", lambda request: failures.append(str(request.failure).removeprefix("net::")))
        tcp, udp = (one.getsockname()[1] for one in (self.spy, self.udp_spy))
        with contextlib.suppress(TimeoutError):  # an answer is waited for, which no spy gives
            async with asyncio.timeout(_TRIAL_TIMEOUT_S):
                await page.evaluate(_TRIAL, [f"http://127.0.0.1:{tcp}/", f"stun:127.0.0.1:{udp}"])
        return failures

    def _reached(self) -> list[str]:
        """Return the spies that were reached, and forget what has come there."""
        reached = []
        with contextlib.suppress(BlockingIOError):
            while True:
                self.spy.accept()[0].close()
                reached.append("tcp")
        with contextlib.suppress(BlockingIOError):
            while self.udp_spy.recv(2048):
                reached.append("udp")
        return reached
