"""Access to a session proxy: the processes of our own user, as far as the system can tell."""

import errno
import os
import socket
import sys
from collections.abc import Iterator
from typing import Final

import pytest
import trio

from agentbrowser.server.egress import proxy
from agentbrowser.server.gate import peer_uid
from agentbrowser.server.gate.peer_uid import belongs_to_other_user
from tests.loop.egress_door import GRANTED, open_doorway, open_spy

on_linux = pytest.mark.skipif(sys.platform != "linux", reason="no other system tells")
as_root = pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can be somebody else")

# Connects as another user, sends a greeting, and says what comes back.
_OTHER: Final = """
import encodings.idna, os, socket, sys
os.setgid(65534); os.setuid(65534)
with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as made:
    made.settimeout(10)
    try:
        made.sendall(bytes((5, 1, 0)))
        print(made.recv(2).hex() or "closed")
    except ConnectionError:
        print("closed")
"""


@pytest.fixture
def pair() -> Iterator[tuple[socket.socket, socket.socket]]:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as theirs,
        listener.accept()[0] as ours,
    ):
        yield ours, theirs


@on_linux
def test_our_own_process_is_no_stranger(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    assert peer_uid._socket_owner(theirs.getsockname(), theirs.getpeername()) == (
        os.geteuid(),
        os.fstat(theirs.fileno()).st_ino,
    )
    assert not belongs_to_other_user(ours)


@on_linux
def test_another_user_is_a_stranger(pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert belongs_to_other_user(pair[0])


@on_linux
def test_who_has_left_is_a_stranger(pair: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = pair
    theirs.close()
    assert belongs_to_other_user(ours)


@pytest.mark.parametrize("missing", ["netlink", "answers", "refused"])
def test_where_the_system_can_t_tell_nobody_is_a_stranger(
    pair: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    def owner(*_: object) -> None:
        if missing == "refused":
            raise OSError(errno.EPERM, "not permitted")

    if missing == "netlink":
        monkeypatch.delattr(socket, "AF_NETLINK", raising=False)
    else:
        monkeypatch.setattr(peer_uid, "_socket_owner", owner)
    assert not belongs_to_other_user(pair[0])


@on_linux
@as_root
async def test_a_door_is_closed_to_other_users() -> None:
    async with open_spy() as spy, open_doorway(private_open=True) as doorway:
        port = str(doorway.door.port)
        said = await trio.run_process([sys.executable, "-c", _OTHER, port], capture_stdout=True)
        assert said.stdout.decode().strip() == "closed"
        assert await doorway.ask("127.0.0.1", spy.port) == GRANTED
        await doorway.empty()


async def test_a_stranger_is_let_go_before_it_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proxy, "belongs_to_other_user", lambda _: True)
    async with open_doorway(private_open=True) as doorway, doorway.guest() as guest:
        with pytest.raises(trio.BrokenResourceError):
            await guest.rest()
        await doorway.empty()
