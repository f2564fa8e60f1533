"""WebSocket handshake: the 101 response to a request head."""

import base64
import binascii
from typing import Final

from wsproto.utilities import generate_accept_token

from agentbrowser.server.gate.head import Head, Refusal

SUBPROTOCOLS: Final = (b"agentbrowser", b"jsonrpc")
"""Subprotocols that the response echoes; others are ignored, as are all extensions."""


def switch_protocols(head: Head) -> bytes:
    """Return the 101 response to an upgrade request.

    Raises:
      Refusal: the request is for anything but a WebSocket of version 13.
    """
    if head.method != b"GET" or (head.sole(b"upgrade") or b"").lower() != b"websocket":
        raise Refusal(400, "The only upgrade here is GET to websocket.")
    if b"upgrade" not in _tokens(head, b"connection"):
        raise Refusal(400, "The header Connection must say Upgrade.")
    if head.sole(b"sec-websocket-version") != b"13":
        raise Refusal(426, "The WebSocket version spoken here is 13.", ("Sec-WebSocket-Version: 13",))
    lines = [
        b"HTTP/1.1 101 Switching Protocols",
        b"Upgrade: websocket",
        b"Connection: Upgrade",
        b"Sec-WebSocket-Accept: " + generate_accept_token(_key(head)),
        *(b"Sec-WebSocket-Protocol: " + name for name in _subprotocol(head)),
    ]
    return b"\r\n".join(lines) + b"\r\n\r\n"


def _key(head: Head) -> bytes:
    key = head.sole(b"sec-websocket-key") or b""
    try:
        nonce = base64.b64decode(key, validate=True)
    except binascii.Error:
        nonce = b""
    if len(nonce) != 16:
        raise Refusal(400, "The header Sec-WebSocket-Key must be 16 bytes in base64.")
    return key


def _subprotocol(head: Head) -> list[bytes]:
    offered = _tokens(head, b"sec-websocket-protocol")
    return [name for name in offered if name in SUBPROTOCOLS][:1]


def _tokens(head: Head, name: bytes) -> list[bytes]:
    return [token.strip().lower() for value in head.values(name) for token in value.split(b",")]
