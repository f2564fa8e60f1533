"""TLS of the gate: the operator's certificate, and the handshake of a connection."""

import contextlib
import ssl
from pathlib import Path
from typing import Final

import trio

from agentbrowser.config import Config
from agentbrowser.server.gate.byte_stream import TlsStream, peek
from agentbrowser.server.gate.head import Refusal

_HANDSHAKE_TURNS: Final = 3
_OUTDATED: Final = (9, 10)
"""Codes of OpenSSL for a certificate that is not valid yet, and for one that has expired."""
_HANDSHAKE: Final = b"\x16"
"""First byte of every TLS connection: the type of a handshake record."""


def read_certificate(config: Config) -> ssl.SSLContext | None:
    """Return the TLS settings of a server with this configuration; None without a certificate.

    Raises:
      ValueError: the certificate or its key can't be used; the text names the setting.
    """
    if config.tls_cert is None:
        if config.tls_key is not None:
            raise ValueError("tls_key needs tls_cert, the certificate that it belongs to")
        return None
    _check_readable("tls_cert", config.tls_cert)
    if config.tls_key is not None:
        _check_readable("tls_key", config.tls_key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(config.tls_cert, config.tls_key, password=_refuse_password)
    except ssl.SSLError as error:
        raise ValueError(f"tls_cert {config.tls_cert}: {_reason(error)}") from None
    return context


def client_refusal(config: Config) -> str | None:
    """Return the reason why clients refuse the certificate today, such as that it has expired; None if they take it.

    Python reads the dates of a certificate in a handshake only: this one is in memory, with the certificate itself as
    the authority.
    """
    try:
        context = read_certificate(config)
        if context is None or config.tls_cert is None:
            return None
        client = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        client.check_hostname = False
        client.verify_flags |= ssl.VerifyFlags.VERIFY_X509_PARTIAL_CHAIN
        client.load_verify_locations(config.tls_cert)
        to_server, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
        sides = client.wrap_bio(to_client, to_server), context.wrap_bio(to_server, to_client, server_side=True)
        for side in sides * _HANDSHAKE_TURNS:
            with contextlib.suppress(ssl.SSLWantReadError):
                side.do_handshake()
    except ssl.SSLCertVerificationError as error:
        return error.verify_message if error.verify_code in _OUTDATED else None
    except ssl.SSLError:
        return "no cipher is known for its kind of key"
    except (OSError, ValueError) as error:  # the file has changed since the server has read it
        return str(error)
    return None


def _check_readable(name: str, path: str) -> None:
    try:
        Path(path).read_bytes()
    except OSError as error:
        raise ValueError(f"{name} {path} can't be read: {error.strerror}") from None


def _refuse_password() -> str:
    # Without this, OpenSSL would ask for the password on the terminal, and the server would wait.
    raise ValueError("the key of tls_cert is encrypted; a server needs it without a password")


def _reason(error: ssl.SSLError) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return "tls_key is the key of another certificate"
    return "a certificate and its private key in PEM are needed, in one file or with tls_key"


async def secure(tcp: trio.SocketStream, context: ssl.SSLContext, timeout_s: float) -> TlsStream:
    """Return the encrypted stream of an accepted connection.

    Raises:
      Refusal: the peer speaks plain HTTP.
      trio.BrokenResourceError: the handshake failed, or took too long.
    """
    with trio.move_on_after(timeout_s):
        if await peek(tcp) not in (_HANDSHAKE, b""):
            raise Refusal(400, "This port speaks TLS only: use wss:// or https://.")
        stream = TlsStream(tcp, context)
        await stream.do_handshake()
        return stream
    raise trio.BrokenResourceError("the TLS handshake took too long")
