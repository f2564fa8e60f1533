"""The proxy of each browser context, and a check of every new browser that nothing bypasses it."""

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

_CHECK_TIMEOUT_S: Final = 3.0
_DENIED: Final = "ERR_SOCKS_CONNECTION_FAILED"
_ABORTED: Final = "ERR_ABORTED"
_ANSWERED: Final = "answered"
_TIMED_OUT: Final = "timed out"

# Fetches a URL, and gathers ICE candidates from a STUN server. Ends when both have ended.
_SCRIPT: Final = """async ([url, urls]) => {
    const peer = new RTCPeerConnection({iceServers: [{urls}]});
    const gathered = new Promise(done => {
        peer.onicegatheringstatechange = () => peer.iceGatheringState == "complete" && done();
    });
    peer.createDataChannel("");
    const fetched = fetch(url, {mode: "no-cors"}).catch(() => {});
    await peer.setLocalDescription(await peer.createOffer());
    await Promise.all([gathered, fetched]);
}"""


def proxy_settings(port: int) -> Any:
    """Return Playwright's ``proxy`` option for a proxy on a local port.

    Without the bypass rule, Chromium would connect to loopback addresses directly.
    """
    return {"server": f"socks5://127.0.0.1:{port}", "bypass": "<-loopback>"}


@attrs.frozen
class ProxyCheck:
    """An attempt to bypass the proxy, made with every browser before a client uses it.

    Args:
      port: the port of a proxy.
      tcp_canary: a listener on a port to which no proxy connects; nothing else accepts connections there.
      udp_canary: the same for UDP, which no proxy forwards.
    """

    port: int
    tcp_canary: socket.socket
    udp_canary: socket.socket

    async def run(self, browser: Browser) -> None:
        """Try to reach the canaries. [asyncio]

        Raises:
          BrowserNotLaunched: the browser reached one, did not ask the proxy, or had no answer of it in time.
        """
        began_s = time.perf_counter()
        context = await browser.new_context(proxy=proxy_settings(self.port))
        try:
            outcomes = await self._try_ways_out(await context.new_page())
        finally:
            await context.close()
        reached = self._reached()
        if not reached and not {_DENIED, _ANSWERED}.intersection(outcomes) and not await self._has_proxy():
            raise BrowserNotLaunched("The browser's proxy has ended with its server.", retryable=True)
        # A busy machine, or one without file descriptors: the fetch was still waiting.
        if not reached and _TIMED_OUT in outcomes and not {*outcomes} - {_TIMED_OUT, _ABORTED}:
            log.warning("proxy_check_timed_out", timeout_s=_CHECK_TIMEOUT_S)
            what = f"The browser is not used: its proxy could not be checked within {_CHECK_TIMEOUT_S:g} s."
            hint = "Try again. If it fails again, the machine lacks processor time or file descriptors."
            raise BrowserNotLaunched(what, hint=hint, retryable=True)
        if reached or (browser.browser_type.name == "chromium" and _DENIED not in outcomes):
            log.error("proxy_bypassed", reached=reached, outcomes=outcomes)
            hint = "Use a browser that honours its proxy settings; policies of the system may overrule them."
            raise BrowserNotLaunched("The browser gets past the wall, so it is not used.", hint=hint, retryable=False)
        log.info("proxy_checked", duration_ms=round((time.perf_counter() - began_s) * 1000))

    async def _has_proxy(self) -> bool:
        """Return True if the proxy still listens: then a browser that can't connect has ignored its settings."""
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        return True

    async def _try_ways_out(self, page: Page) -> list[str]:
        """Return what became of the attempts: the browser's errors, and whether an answer came or the time was over."""
        outcomes: list[str] = []
        page.on("requestfailed", lambda request: outcomes.append(str(request.failure).removeprefix("net::")))
        page.on("response", lambda _: outcomes.append(_ANSWERED))
        tcp, udp = (canary.getsockname()[1] for canary in (self.tcp_canary, self.udp_canary))
        try:
            async with asyncio.timeout(_CHECK_TIMEOUT_S):
                await page.evaluate(_SCRIPT, [f"http://127.0.0.1:{tcp}/", f"stun:127.0.0.1:{udp}"])
        except TimeoutError:  # the STUN request waits for an answer, which no canary gives
            outcomes.append(_TIMED_OUT)
        return outcomes

    def _reached(self) -> list[str]:
        """Return the canaries that the browser reached, and drain them."""
        reached = []
        with contextlib.suppress(BlockingIOError):
            while True:
                self.tcp_canary.accept()[0].close()
                reached.append("tcp")
        with contextlib.suppress(BlockingIOError):
            while self.udp_canary.recv(2048):
                reached.append("udp")
        return reached
