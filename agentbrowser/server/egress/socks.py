"""SOCKS 5 messages (RFC 1928): CONNECT without authentication only. Sans-I/O."""

import ipaddress
from typing import Final

import attrs

_VERSION: Final = 5
_CONNECT: Final = 1
_NO_AUTHENTICATION: Final = 0
_IPV4, _NAME, _IPV6 = 1, 3, 4
_ADDRESS_BYTES: Final = {_IPV4: 4, _IPV6: 16}

NO_AUTHENTICATION: Final = bytes((_VERSION, _NO_AUTHENTICATION))
"""Answer to a greeting."""
_NOTHING_ACCEPTABLE: Final = bytes((_VERSION, 0xFF))


def reply(code: int) -> bytes:
    """Return the answer to a request; its address is all zeros, since clients ignore it."""
    return bytes((_VERSION, code, 0, _IPV4, 0, 0, 0, 0, 0, 0))


GRANTED: Final = reply(0)
FAILED: Final = reply(1)
DENIED: Final = reply(2)
UNREACHABLE: Final = reply(4)
REFUSED: Final = reply(5)
_NO_SUCH_COMMAND: Final = reply(7)
_NO_SUCH_ADDRESS: Final = reply(8)


class Malformed(Exception):
    """Protocol violation by the client; ``answer`` is the last message to it."""

    def __init__(self, why: str, answer: bytes = b"") -> None:
        super().__init__(why)
        self.answer = answer


@attrs.frozen
class Destination:
    """Destination of a connection: the host as in a URL, an IPv6 address in brackets."""

    host: str
    port: int


def read_greeting(data: bytes) -> int | None:
    """Return the length of the greeting at the start of the data; None while it is incomplete.

    Raises:
      Malformed: the data is not a greeting, or offers no supported method.
    """
    if data and data[0] != _VERSION:
        raise Malformed("it does not speak SOCKS 5")
    if len(data) < 2 or len(data) < 2 + data[1]:
        return None
    length = 2 + data[1]
    if _NO_AUTHENTICATION not in data[2:length]:
        raise Malformed("it offers no greeting without authentication", _NOTHING_ACCEPTABLE)
    return length


def read_request(data: bytes) -> tuple[Destination, int] | None:
    """Return the destination of the request at the start of the data, and its length; None while it is incomplete.

    Raises:
      Malformed: the data is not a request, or requests something other than a connection.
    """
    _check_head(data[:4])
    if len(data) < 5:
        return None
    start, size = (5, data[4]) if data[3] == _NAME else (4, _ADDRESS_BYTES[data[3]])
    length = start + size + 2
    if len(data) < length:
        return None
    port = int.from_bytes(data[length - 2 : length], "big")
    return Destination(_host(data[3], data[start : start + size]), port), length


def _check_head(head: bytes) -> None:
    if head[:1] not in (b"", bytes((_VERSION,))) or head[2:3] not in (b"", b"\0"):
        raise Malformed("its request is no SOCKS 5", FAILED)
    if head[1:2] not in (b"", bytes((_CONNECT,))):
        raise Malformed(f"it asks for command {head[1]}", _NO_SUCH_COMMAND)
    if len(head) == 4 and head[3] != _NAME and head[3] not in _ADDRESS_BYTES:
        raise Malformed(f"it uses the address type {head[3]}", _NO_SUCH_ADDRESS)


def _host(kind: int, raw: bytes) -> str:
    if kind == _NAME:
        name = raw.decode("ascii", "backslashreplace")  # no host has a backslash, so the rules refuse the name
        # Chromium also sends IPv6 addresses as names, without brackets.
        return f"[{name}]" if ":" in name and not name.startswith("[") else name
    address = str(ipaddress.ip_address(raw))
    return f"[{address}]" if kind == _IPV6 else address
