"""Addresses of clients behind proxies: PROXY protocol v2 and X-Forwarded-For, from trusted peers only."""

import ipaddress
import socket
import struct
from collections.abc import Sequence
from typing import Final, Self

import attrs
import trio

from agentbrowser.policy.networks import Network, read_networks
from agentbrowser.server.gate.byte_stream import peek
from agentbrowser.server.gate.head import Head, Refusal

Address = tuple[str, int]
"""Address and port of a client; port 0 if it is unknown."""

_SIGNATURE: Final = b"\r\n\r\n\0\r\nQUIT\n"
_HEADER: Final = struct.Struct("!12sBBH")
_LOCAL: Final = 0x20
_PROXY: Final = 0x21
_UNKNOWN: Final = 0x00
_FAMILIES: Final = {
    0x11: (socket.AF_INET, struct.Struct("!4s4sHH")),
    0x21: (socket.AF_INET6, struct.Struct("!16s16sHH")),
}
"""TCP over IPv4 and IPv6."""
_MAX_BODY_BYTES: Final = 1024
"""Addresses and additional fields; HAProxy sends 12 or 36 bytes of addresses, and few fields."""


@attrs.frozen
class TrustedProxies:
    """Peers whose statements about their clients are accepted."""

    _networks: tuple[Network, ...] = ()

    @classmethod
    def of(cls, texts: Sequence[str]) -> Self:
        """Return the proxies of a setting.

        Raises:
          ValueError: an entry is no address and no network.
        """
        return cls(read_networks(texts))

    def trusts(self, host: str) -> bool:
        """Return True if the address is that of a proxy."""
        if not self._networks:
            return False
        address = _parse(host)
        return address is not None and any(address in network for network in self._networks)

    async def read_source(self, stream: trio.SocketStream, peer: Address, timeout_s: float) -> Address:
        """Read the PROXY header at the beginning of a proxy's connection, and return the client's address. [trio]

        Without such a header, as for another peer's connection, nothing is read, and the peer is the client.

        Raises:
          Refusal: the header is malformed, or takes too long.
          trio.BrokenResourceError: the peer has disconnected.
        """
        if not self.trusts(peer[0]):
            return peer
        with trio.move_on_after(timeout_s):
            if await peek(stream) != _SIGNATURE[:1]:
                return peer
            signature, command, family, length = _HEADER.unpack(await _exactly(stream, _HEADER.size))
            if signature != _SIGNATURE or command not in (_LOCAL, _PROXY) or length > _MAX_BODY_BYTES:
                raise _malformed()
            body = await _exactly(stream, length)
            return peer if command == _LOCAL or family == _UNKNOWN else _source(family, body)
        raise Refusal(408, "The PROXY header took too long.")

    def client_of(self, head: Head, source: Address) -> Address:
        """Return the client's address: the last one in X-Forwarded-For that is no proxy, if proxies have sent it."""
        client = source
        hops = [hop.strip() for value in head.values(b"x-forwarded-for") for hop in value.decode("ascii").split(",")]
        while hops and self.trusts(client[0]):
            address = _parse(hops.pop())
            if address is None:
                break
            client = str(address), 0
        return client


def _parse(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the address of a text, with or without a port; None if it is none."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _source(family: int, body: bytes) -> Address:
    if family not in _FAMILIES:
        raise _malformed()
    kind, form = _FAMILIES[family]
    if len(body) < form.size:
        raise _malformed()
    source, _, port, _ = form.unpack_from(body)
    return socket.inet_ntop(kind, source), port


async def _exactly(stream: trio.SocketStream, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = await stream.receive_some(count - len(data))
        if not more:
            raise trio.BrokenResourceError("the peer left within its PROXY header")
        data += more
    return data


def _malformed() -> Refusal:
    return Refusal(400, "The PROXY header must be of version 2, with the addresses of a TCP connection.")
