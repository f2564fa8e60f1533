"""Clients behind proxies: their addresses come from trusted peers only, and wrong tokens count for each of them."""

import ipaddress
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest
import structlog

from agentbrowser.server.gate import auth
from agentbrowser.server.gate.auth import FAILURES_PER_MINUTE, Grant
from agentbrowser.server.gate.head import Head
from agentbrowser.server.gate.proxied import TrustedProxies
from agentbrowser.server.gate.socket import Socket
from tests.certificates import make_certificate
from tests.loop.raw_websocket import open_gate, upgrade

TOKEN = "the-only-right-token"
SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"


def proxy_header(host: str, port: int = 4711, command: int = 0x21, fields: bytes = b"") -> bytes:
    """Return the header that a proxy sends before the bytes of its client."""
    address = ipaddress.ip_address(host)
    family = 0x11 if address.version == 4 else 0x21
    body = address.packed * 2 + struct.pack("!HH", port, 443) + fields
    return SIGNATURE + struct.pack("!BBH", command, family, len(body)) + body


async def remotes(headers: Sequence[bytes], trusted: tuple[str, ...]) -> list[str]:
    """Return the addresses of the clients that a gate has accepted after these bytes."""
    seen: list[str] = []

    async def serve(socket: Socket, grant: Grant) -> None:
        seen.append(socket.remote)

    async with open_gate(serve, trusted_proxies=trusted) as knocker:
        for header in headers:
            assert await knocker.status(header + upgrade(knocker.port)) in (101, 400)
    return [remote for remote in seen if not remote.startswith("127.0.0.1:")]


async def test_a_trusted_proxy_names_its_client() -> None:
    headers = [proxy_header("203.0.113.7"), proxy_header("2001:db8::7", fields=b"\x04\0\x01x")]
    assert await remotes(headers, ("127.0.0.0/8",)) == ["203.0.113.7:4711", "2001:db8::7:4711"]
    assert await remotes(headers, ("10.0.0.0/8",)) == []
    assert await remotes(headers, ()) == []


@pytest.mark.parametrize(
    "header",
    [
        SIGNATURE[:11] + b"X" + bytes(4),
        SIGNATURE + struct.pack("!BBH", 0x11, 0x11, 12) + bytes(12),
        SIGNATURE + struct.pack("!BBH", 0x21, 0x11, 4) + bytes(4),
        SIGNATURE + struct.pack("!BBH", 0x21, 0x31, 216) + bytes(216),
        SIGNATURE + struct.pack("!BBH", 0x21, 0x11, 60000),
    ],
    ids=["signature", "version", "short", "unix", "long"],
)
async def test_a_malformed_header_is_refused(header: bytes) -> None:
    async with open_gate(trusted_proxies=("127.0.0.1",)) as knocker:
        assert await knocker.status(header + upgrade(knocker.port)) == 400


async def test_a_health_check_of_the_proxy_itself_needs_no_client() -> None:
    local = SIGNATURE + struct.pack("!BBH", 0x20, 0, 0)
    async with open_gate(trusted_proxies=("127.0.0.1",)) as knocker:
        for header in (local, b""):
            request = header + b"GET /balance HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % knocker.port
            assert await knocker.status(request) == 200


async def test_a_header_that_does_not_end_is_given_up() -> None:
    async with open_gate(trusted_proxies=("127.0.0.1",), head_timeout_s=0.05) as knocker:
        assert await knocker.status(proxy_header("203.0.113.7")[:20]) == 408


@pytest.mark.parametrize(
    ("source", "forwarded", "client"),
    [
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["198.51.100.1, 203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["198.51.100.1", "203.0.113.7, 10.0.0.2"], "203.0.113.7"),
        ("10.0.0.1", ["203.0.113.7:80"], "203.0.113.7"),
        ("10.0.0.1", ["[2001:db8::7]:80"], "2001:db8::7"),
        ("::ffff:10.0.0.1", ["203.0.113.7"], "203.0.113.7"),
        ("10.0.0.1", ["unknown"], "10.0.0.1"),
        ("10.0.0.1", [", , "], "10.0.0.1"),
        ("203.0.113.7", ["198.51.100.1"], "203.0.113.7"),
    ],
)
def test_the_last_address_that_is_no_proxy_is_the_client(source: str, forwarded: list[str], client: str) -> None:
    headers = tuple((b"x-forwarded-for", value.encode()) for value in forwarded)
    head = Head(b"GET", b"/", headers, b"", b"", source)
    assert TrustedProxies.of(["10.0.0.0/8"]).client_of(head, (source, 0))[0] == client


async def leave(socket: Socket, grant: Grant) -> None:
    """Serve nothing, so that the gate closes the connection."""


async def test_wrong_tokens_count_for_the_real_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auth, "GUESS_DELAY_S", 0.0)
    async with open_gate(leave, token=TOKEN, trusted_proxies=("127.0.0.1",)) as knocker:

        async def status(client: str, token: str = "wrong-wrong-wrong") -> int:
            return await knocker.status(proxy_header(client) + upgrade(knocker.port, f"X-AGENT-Token: {token}"))

        assert [await status("203.0.113.7") for _ in range(FAILURES_PER_MINUTE + 1)][-2:] == [401, 429]
        with structlog.testing.capture_logs() as logs:
            assert await status("203.0.113.8") == 401
        assert [one["remote"] for one in logs if one["event"] == "refused"] == ["203.0.113.8:4711"]
        assert await status("203.0.113.7", TOKEN) == 101


async def test_the_header_comes_before_the_encryption(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path, "site")
    async with open_gate(trusted_proxies=("127.0.0.1",), tls_cert=certificate.cert, tls_key=certificate.key) as knocker:
        answer = await knocker.ask(proxy_header("203.0.113.7") + upgrade(knocker.port))
        assert b"speaks TLS only" in answer  # and not that the header is malformed
