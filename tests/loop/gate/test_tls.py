"""TLS of the gate: who connects, who is refused, and a certificate that changes under open connections."""

import ssl
from collections.abc import AsyncIterator
from pathlib import Path

import attrs
import pytest
import structlog.testing
import trio
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec

import agentbrowser
from agentbrowser.cli.settings import unusable_certificate
from agentbrowser.client import ConnectionLost, Reconnect
from agentbrowser.config import Config
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.server.gate.byte_stream import abort
from agentbrowser.server.gate.tls import client_refusal
from tests.certificates import Certificate, make_certificate
from tests.loop.gate.test_mount import echo as echo_body
from tests.loop.raw_websocket import TEXT, Knocker, Wire, open_gate, upgrade, welcome

ONCE = Reconnect(max_attempts=0)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> tuple[Certificate, Certificate]:
    folder = tmp_path_factory.mktemp("certificates")
    return make_certificate(folder, "first"), make_certificate(folder, "second")


@pytest.fixture
async def gate(certificates: tuple[Certificate, Certificate]) -> AsyncIterator[Knocker]:
    async with open_gate(tls_cert=certificates[0].cert, tls_key=certificates[0].key) as knocker:
        yield knocker


async def encrypted(port: int, trusted: Certificate) -> tuple[Wire, int]:
    """Return a connection, and the serial number of the certificate that the server has shown."""
    context = ssl.create_default_context(cafile=trusted.cert)
    tcp = await trio.open_tcp_stream("127.0.0.1", port)
    stream = trio.SSLStream(tcp, context, server_hostname="127.0.0.1")
    await stream.do_handshake()
    shown = x509.load_der_x509_certificate(stream.getpeercert(binary_form=True))
    return Wire(HalfCloseable(stream)), shown.serial_number


@attrs.frozen
class HalfCloseable(trio.abc.HalfCloseableStream):
    """Client's stream for `Wire`, which never ends its own side first."""

    stream: trio.SSLStream[trio.SocketStream]

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self.stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self.stream.wait_send_all_might_not_block()

    async def receive_some(self, max_bytes: int | None = None) -> bytes | bytearray:
        return await self.stream.receive_some(max_bytes)

    async def send_eof(self) -> None:
        raise NotImplementedError

    async def aclose(self) -> None:
        await self.stream.aclose()


async def test_the_client_connects_to_a_server_whose_authority_it_names(
    certificates: tuple[Certificate, Certificate],
) -> None:
    first, second = certificates
    async with open_gate(welcome, tls_cert=first.cert, tls_key=first.key) as gate:
        url = f"wss://127.0.0.1:{gate.port}"
        async with agentbrowser.connect(url, ca_file=first.cert) as browser:
            assert await browser.request("page/list") == {}
        for ca_file in (None, second.cert):
            with pytest.raises(ConnectionLost, match=r"certificate of wss://127.* is not trusted: ") as caught:
                async with agentbrowser.connect(url, ca_file=ca_file, reconnect=ONCE):
                    pytest.fail("trusted")
            assert not caught.value.retryable
            assert "ca_file" in (caught.value.recovery_hint or "")
        with pytest.raises(ConnectionLost, match=r"\(400\): This port speaks TLS only: use wss://"):
            async with agentbrowser.connect(f"ws://127.0.0.1:{gate.port}", reconnect=ONCE):
                pytest.fail("connected without TLS")
    with pytest.raises(InvalidParams, match="certificates in PEM"):
        async with agentbrowser.connect(url, ca_file=first.key):
            pytest.fail("connected")


async def test_a_server_without_tls_is_reported_as_one() -> None:
    async with open_gate() as gate:
        with pytest.raises(ConnectionLost, match="answers without TLS") as caught:
            async with agentbrowser.connect(f"wss://127.0.0.1:{gate.port}", reconnect=ONCE):
                pytest.fail("connected by TLS")
    assert "ws://" in (caught.value.recovery_hint or "")


async def test_plain_http_is_answered_encrypted_and_ends_in_order(
    gate: Knocker, certificates: tuple[Certificate, Certificate]
) -> None:
    for target, status in (("/health", b"200"), ("/nothing", b"404")):
        wire, _ = await encrypted(gate.port, certificates[0])
        async with wire.stream:
            await wire.send(f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{gate.port}\r\n\r\n".encode())
            assert (await wire.head()).startswith(b"HTTP/1.1 " + status)
            while await wire.stream.receive_some():  # a stream that is cut short would raise
                pass


async def test_a_mount_is_answered_encrypted_with_our_origin_only(
    gate: Knocker, certificates: tuple[Certificate, Certificate]
) -> None:
    gate.gate.mounts[b"/mcp"] = echo_body
    for scheme, status in (("https", b"200"), ("http", b"403")):
        wire, _ = await encrypted(gate.port, certificates[0])
        async with wire.stream:
            host, headers = f"127.0.0.1:{gate.port}", "Content-Type: application/json\r\nContent-Length: 2"
            head = f"POST /mcp HTTP/1.1\r\nHost: {host}\r\nOrigin: {scheme}://{host}\r\n{headers}\r\n\r\n"
            await wire.send(f"{head}{{".encode())
            await wire.send(b"}")
            assert (await wire.head()).startswith(b"HTTP/1.1 " + status)
            assert (b"{}" in await wire.rest()) is (scheme == "https")


async def test_who_does_not_speak_tls_hurts_nobody(
    gate: Knocker, certificates: tuple[Certificate, Certificate]
) -> None:
    wire, _ = await encrypted(gate.port, certificates[0])
    async with wire.stream:
        await wire.send(upgrade(gate.port))
        await wire.head()
        plain = await gate.ask(upgrade(gate.port))
        assert plain.startswith(b"HTTP/1.1 400 ")
        assert b"use wss:// or https://" in plain
        assert await gate.ask(b"\x16\x03\x01\x00\x05hello") == b""
        large = "x" * 300_000
        await wire.say(large)
        assert await wire.hear() == (TEXT, large.encode())


async def test_a_handshake_that_does_not_end_is_cut(certificates: tuple[Certificate, Certificate]) -> None:
    first = certificates[0]
    async with open_gate(tls_cert=first.cert, tls_key=first.key, head_timeout_s=0.05) as gate:
        for begun in (b"", b"\x16\x03\x01"):
            wire = await gate.connect()
            async with wire.stream:
                await wire.send(begun)
                assert await wire.rest() == b""


async def test_a_reload_shows_the_new_certificate_and_drops_nobody(
    gate: Knocker, certificates: tuple[Certificate, Certificate]
) -> None:
    first, second = certificates
    before = gate.gate.config
    wire, shown = await encrypted(gate.port, first)
    async with wire.stream:
        await wire.send(upgrade(gate.port))
        await wire.head()
        for unusable in (attrs.evolve(before, tls_key=second.key), Config(port=0)):
            with pytest.raises(ValueError, match=r"tls_key is the key of another|can't be added or removed"):
                gate.gate.reload(unusable)
        gate.gate.reload(attrs.evolve(before, tls_cert=second.cert, tls_key=second.key))
        later, shown_later = await encrypted(gate.port, second)
        await later.stream.aclose()
        assert (shown, shown_later) == (first.serial, second.serial)
        await wire.say("still here")
        assert await wire.hear() == (TEXT, b"still here")


async def test_a_stream_that_is_dropped_is_reset(gate: Knocker, certificates: tuple[Certificate, Certificate]) -> None:
    """A peer that sends what no WebSocket may is closed with its code, as it is without TLS."""
    wire, _ = await encrypted(gate.port, certificates[0])
    async with wire.stream:
        await wire.send(upgrade(gate.port))
        await wire.head()
        await wire.send(b"\xff\xff")
        assert (await wire.hear())[1][:2] == (1002).to_bytes(2, "big")
        assert await wire.rest() == b""


def test_a_certificate_that_can_not_be_used_is_named(
    tmp_path: Path, certificates: tuple[Certificate, Certificate]
) -> None:
    first, second = certificates
    encrypted_key = make_certificate(tmp_path, "encrypted", password=b"secret")
    bad: dict[str, tuple[str | None, str | None]] = {
        "--tls-key needs --tls-cert": (None, first.key),
        "--tls-cert /nowhere/cert.pem can't be read": ("/nowhere/cert.pem", None),
        "--tls-key /nowhere/key.pem can't be read": (first.cert, "/nowhere/key.pem"),
        "--tls-key is the key of another certificate": (first.cert, second.key),
        "a certificate and its private key in PEM are needed": (first.cert, None),
        "is encrypted": (encrypted_key.cert, encrypted_key.key),
    }
    for expected, (cert, key) in bad.items():
        assert expected in (unusable_certificate(Config(tls_cert=cert, tls_key=key)) or "")
    assert unusable_certificate(Config(tls_cert=first.cert, tls_key=first.key)) is None


@pytest.mark.parametrize("proxies", [(), ("127.0.0.1",)])
async def test_a_connection_that_is_reset_before_its_first_byte_is_no_failure(
    certificates: tuple[Certificate, Certificate], proxies: tuple[str, ...]
) -> None:
    first = certificates[0]
    with structlog.testing.capture_logs() as logs:
        async with open_gate(tls_cert=first.cert, tls_key=first.key, trusted_proxies=proxies) as gate:
            await abort((await gate.connect()).stream)
            while not logs:  # noqa: ASYNC110 - a log reports nothing
                await trio.sleep(0.01)
    assert [entry["event"] for entry in logs] == ["connection_lost"]


def test_a_certificate_that_has_expired_or_is_not_valid_yet_is_recognized(tmp_path: Path) -> None:
    for name, age_days, reason in (("old", 3, "expired"), ("early", -3, "not yet valid"), ("good", 0, "None")):
        made = make_certificate(tmp_path, name, age_days=age_days)
        assert reason in str(client_refusal(Config(tls_cert=made.cert, tls_key=made.key)))
    assert client_refusal(Config()) is None


def test_a_certificate_that_no_client_can_use_or_that_has_just_gone_is_reported(tmp_path: Path) -> None:
    foreign = make_certificate(tmp_path, "foreign", curve=ec.SECP256K1())
    config = Config(tls_cert=foreign.cert, tls_key=foreign.key)
    assert unusable_certificate(config) is None
    assert client_refusal(config) == "no cipher is known for its kind of key"
    Path(foreign.cert).unlink()  # as in the midst of a renewal: a reload must not end the server
    assert "can't be read" in str(client_refusal(config))
