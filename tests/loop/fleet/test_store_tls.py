"""The shared store over TLS: an authority that the URL names, and none that is not trusted."""

import contextlib
import ssl
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest
import trio

from agentbrowser.config import Config
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.sessions import shared_store
from agentbrowser.server.sessions.shared_store import open_shared_store
from agentbrowser.server.sessions.store import StoreUnavailable
from tests.certificates import Certificate, make_certificate
from tests.loop.fleet.test_shared_store import anyone, row
from tests.valkey import Valkey


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allow for a busy machine: the door's handshakes run in the same loop."""
    monkeypatch.setattr(shared_store, "_ANSWER_TIMEOUT_S", 30.0)


OWNER = Owner("token-name", b"over-tls")


async def copy(source: trio.abc.ReceiveStream, sink: trio.abc.SendStream) -> None:
    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        async for chunk in source:
            await sink.send_all(chunk)


async def forward(valkey: Valkey, client: trio.SSLStream[trio.SocketStream]) -> None:
    """Forward the plain text of a client, since PyPI's Valkey has no TLS."""
    async with await trio.open_tcp_stream("127.0.0.1", valkey.port) as store, trio.open_nursery() as nursery:
        nursery.start_soon(copy, client, store)
        await copy(store, client)
        nursery.cancel_scope.cancel()


@contextlib.asynccontextmanager
async def tls_port(valkey: Valkey, certificate: Certificate) -> AsyncIterator[int]:
    """Run a door with TLS before the store, and yield its port."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate.cert, certificate.key)

    async def door(stream: trio.SSLStream[trio.SocketStream]) -> None:
        with contextlib.suppress(trio.BrokenResourceError):  # a client that refuses the certificate
            await stream.do_handshake()
            await forward(valkey, stream)

    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_ssl_over_tcp, door, 0, context, host="127.0.0.1")
        listeners = await nursery.start(serve)
        yield int(listeners[0].transport_listener.socket.getsockname()[1])
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("scheme", ["rediss", "valkeys"])
async def test_a_session_is_saved_over_tls(scheme: str, valkey: Valkey, key_file: str, tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path, "store")
    async with tls_port(valkey, certificate) as port:
        url = f"{scheme}://127.0.0.1:{port}?ssl_ca_certs={certificate.cert}"
        async with open_shared_store(Config(state_url=url, state_key_file=key_file)) as store:
            await store.release([row(OWNER, proof=scheme.encode())])
            claimed = await store.claim(OWNER, "session-id", lambda proof, _: proof == scheme.encode())
            assert claimed is not None


async def test_a_store_of_another_authority_is_not_used(valkey: Valkey, key_file: str, tmp_path: Path) -> None:
    async with tls_port(valkey, make_certificate(tmp_path, "store")) as port:
        other = make_certificate(tmp_path, "other")
        url = f"rediss://127.0.0.1:{port}?ssl_ca_certs={other.cert}"
        async with open_shared_store(Config(state_url=url, state_key_file=key_file)) as store:
            with pytest.raises(StoreUnavailable) as failed:
                await store.claim(OWNER, "session-id", anyone)
    assert "CERTIFICATE_VERIFY_FAILED" in failed.value.details["cause"]
