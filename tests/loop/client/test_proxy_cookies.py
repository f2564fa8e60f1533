"""Cookies of a proxy: a client that reconnects sends them, so that it reaches the node of its session."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

import pytest
import trio

import agentbrowser
from agentbrowser.client import Reconnect, aio, blocking
from agentbrowser.client.connection.cookies import MAX_COOKIES, ProxyCookies
from agentbrowser.protocol import wire
from agentbrowser.server.gate import accept
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.handshake import switch_protocols
from agentbrowser.server.gate.head import Head
from agentbrowser.server.gate.socket import Socket
from tests.loop import raw_websocket

AGAIN = Reconnect(max_attempts=8, base_ms=1)
LIMIT_S = 60


def kept(*values: str) -> str | None:
    """Return the header after a response that sets these cookies."""
    cookies = ProxyCookies()
    cookies.accept([(b"Set-Cookie", value.encode("latin-1")) for value in values])
    return cookies.header()


@pytest.mark.parametrize(
    ("values", "header"),
    [
        (["NODE=a; path=/; HttpOnly"], "NODE=a"),
        (["NODE=a", "NODE=b", "OTHER=c"], "NODE=b; OTHER=c"),
        (["NODE=a", "NODE=; Expires=Thu, 01-Jan-1970 00:00:01 GMT; path=/"], None),
        (["NODE=a", "NODE=a; Max-Age=0"], None),
        (["NODE=a; Max-Age=3600; Expires=Wed, 25 Nov 2076 10:00:00 GMT"], "NODE=a"),
        (["NODE=a\r\nX-AGENT-Token: b", "NO DE=a", "=a", "nothing", "NODE=é"], None),
        (["NODE=" + "a" * 5000], None),
    ],
)
def test_what_a_response_sets_is_kept(values: list[str], header: str | None) -> None:
    assert kept(*values) == header


def test_cookies_are_bounded_and_hidden() -> None:
    cookies = ProxyCookies()
    cookies.accept((b"set-cookie", f"c{number}=secret".encode()) for number in range(50))
    assert (cookies.header() or "").count("=") == MAX_COOKIES
    assert "secret" not in repr(cookies)


async def with_trio(url: str, done: Callable[[], bool]) -> None:
    async with agentbrowser.connect(url, reconnect=AGAIN) as browser:
        while not done():  # noqa: ASYNC110 - the server's count
            await trio.sleep(0.01)
        del browser


async def with_asyncio(url: str, done: Callable[[], bool]) -> None:
    async def run() -> None:
        async with aio.connect(url, reconnect=AGAIN):
            while not done():  # noqa: ASYNC110 - the server's count
                await asyncio.sleep(0.01)

    await trio.to_thread.run_sync(asyncio.run, run())


async def with_neither(url: str, done: Callable[[], bool]) -> None:
    def run() -> None:
        with blocking.connect(url, reconnect=AGAIN):
            while not done():
                trio.from_thread.check_cancelled()
                time.sleep(0.01)

    await trio.to_thread.run_sync(run)


@pytest.mark.parametrize("client", [with_trio, with_asyncio, with_neither])
async def test_a_client_that_reconnects_sends_the_cookie_until_its_node_goes_away(
    client: Callable[[str, Callable[[], bool]], Awaitable[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Sequence[bytes]] = []
    codes = [1011, 1001, None]  # a failure of the node; its shutdown; and then it stays

    def setting(head: Head) -> bytes:
        sent.append(head.values(b"cookie"))
        return switch_protocols(head).replace(b"\r\n\r\n", b"\r\nSet-Cookie: NODE=b; path=/; HttpOnly\r\n\r\n")

    async def serve(socket: Socket, grant: Grant) -> None:
        code = codes[len(sent) - 1] if len(sent) <= len(codes) else None
        while True:
            request = wire.parse(await socket.receive())
            assert isinstance(request, wire.Request)
            await socket.send(wire.encode(wire.Reply(request.id, {"sessionSecret": "A" * 22})))
            if code is not None:
                await socket.close(code, "over")

    monkeypatch.setattr(accept, "switch_protocols", setting)
    with trio.fail_after(LIMIT_S):
        async with raw_websocket.open_gate(serve) as gate:
            await client(f"ws://127.0.0.1:{gate.port}", lambda: len(sent) >= 3)
    assert sent == [[], [b"NODE=b"], []]
