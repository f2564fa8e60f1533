"""Daemon of the user: accepts verbs on a Unix socket, one for each connection, and ends when it is idle.

The order of its end is what makes a race harmless: it removes its socket and frees its lock, then it closes connections
whose verb has not begun. A client that has got no byte sends its verb to the next daemon.
"""

import contextlib
import os
import secrets
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Final

import attrs
import structlog
import trio

from agentbrowser import __version__
from agentbrowser.cli.verbs.client import ACCEPTED, MAX_STDIN_BYTES, REJECTED, REPLACED
from agentbrowser.cli.verbs.runtime_dir import DAEMON_LOCK, SOCKET, TOKEN, create
from agentbrowser.nursery import open_quiet_nursery

log = structlog.get_logger("agentbrowser.verbs")

_BACKLOG: Final = 128
_READ_TIMEOUT_S: Final = 10.0
_DRAIN_TIMEOUT_S: Final = 5.0
"""Time for running verbs to finish when the daemon is replaced or ended."""
_FIRST_VERB_TIMEOUT_S: Final = 30.0
_LOCK_TIMEOUT_S: Final = 5.0
_MAX_PID_CHARS: Final = 20
_LOCK_POLL_S: Final = 0.02
_SIGN_OF_LIFE_S: Final = 5.0
"""Pause between the bytes that keep a client waiting: it gives up a daemon that is silent, such as a stopped one."""
_MAX_HEAD_BYTES: Final = 1024 * 1024
_TOKEN_BYTES: Final = 24


class CannotServe(Exception):
    """Another daemon has the directory; the text is one line."""


@attrs.frozen(kw_only=True)
class VerbRequest:
    """A verb that a client has sent."""

    token: str = attrs.field(repr=False)
    version: str
    session: str
    """The session that the client's environment names; empty for the default one."""
    cwd: str
    variables: dict[str, str] = attrs.field(repr=False)
    """AGENT_* variables of the client."""
    words: list[str]
    stdin: bytes = attrs.field(repr=False)


@attrs.define(eq=False)
class Daemon:
    """Accept loop for verbs.

    Args:
      run: runs a verb, and returns its exit code and output; called concurrently. [trio]
      idle_s: time without a verb after which the daemon ends.
    """

    directory: str
    _run: Callable[[VerbRequest], Awaitable[tuple[int, bytes]]]
    _idle_s: float
    _ending: trio.Event = attrs.field(factory=trio.Event, init=False)
    _running: int = attrs.field(default=0, init=False)
    _has_run: bool = attrs.field(default=False, init=False)
    _changed: trio.Event = attrs.field(factory=trio.Event, init=False)
    """Set at the end of a verb."""
    _idle_since: float = attrs.field(factory=trio.current_time, init=False)
    _finished: trio.Event = attrs.field(factory=trio.Event, init=False)
    """Set when no verb runs after the end has begun."""
    _token: str = attrs.field(default="", init=False, repr=False)
    _release: Callable[[], None] = attrs.field(default=lambda: None, init=False)

    async def serve(self, on_listening: Callable[[], None] = lambda: None) -> None:
        """Serve until the daemon is idle, replaced or ended. [trio]

        Raises:
          CannotServe: another daemon serves the directory.
          BadRuntimeDir: the directory can't be trusted.
          OSError: it can't be written.
        """
        create(self.directory)
        async with _locked(f"{self.directory}/{DAEMON_LOCK}") as self._release:
            self._token = _own_token(f"{self.directory}/{TOKEN}")
            with _listening(f"{self.directory}/{SOCKET}") as listener:
                on_listening()
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(self._end_when_idle)
                    nursery.start_soon(trio.serve_listeners, self._serve_client, [listener])
                    await self._ending.wait()
                    with trio.move_on_after(_DRAIN_TIMEOUT_S):
                        await self._finished.wait()
                    nursery.cancel_scope.cancel()

    def end(self) -> None:
        """Stop accepting verbs, and end once those that run are done."""
        if not self._ending.is_set():
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{self.directory}/{SOCKET}")
            self._release()
            self._ending.set()
            if not self._running:
                self._finished.set()

    async def _end_when_idle(self) -> None:
        while True:
            # The verb that has started the daemon is on its way.
            idle_s = self._idle_s if self._has_run else max(self._idle_s, _FIRST_VERB_TIMEOUT_S)
            with trio.move_on_at(self._idle_since + idle_s):
                await self._changed.wait()
            if self._changed.is_set():
                self._changed = trio.Event()
            elif not self._running:
                log.info("idle", idle_s=self._idle_s)
                return self.end()
            else:
                await self._changed.wait()

    async def _serve_client(self, stream: trio.SocketStream) -> None:
        """Serve one client; whatever becomes of it, the daemon continues."""
        with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError, trio.TooSlowError, ValueError):
            async with stream:
                with trio.fail_after(_READ_TIMEOUT_S):
                    request = await _received(stream)
                await self._answer(stream, request)

    async def _answer(self, stream: trio.SocketStream, request: VerbRequest) -> None:
        if not secrets.compare_digest(request.token.encode(), self._token.encode()):
            return await stream.send_all(REJECTED)
        if request.version != __version__:
            log.info("replaced", by=request.version)
            self.end()
            return await stream.send_all(REPLACED)
        if self._ending.is_set():
            return
        self._running += 1
        try:
            await stream.send_all(ACCEPTED)
            async with open_quiet_nursery() as nursery:
                nursery.start_soon(_cancel_at_hang_up, stream, nursery.cancel_scope)
                code, output = await self._run_audibly(stream, request)
                nursery.cancel_scope.cancel()
                with trio.CancelScope(shield=True):
                    await stream.send_all(b"%d %d\n" % (code, len(output)) + output)
        finally:
            self._running -= 1
            self._has_run, self._idle_since = True, trio.current_time()
            self._changed.set()
            if self._ending.is_set() and not self._running:
                self._finished.set()

    async def _run_audibly(self, stream: trio.SocketStream, request: VerbRequest) -> tuple[int, bytes]:
        """Run a verb, and let its client know that it runs. [trio]"""
        async with open_quiet_nursery() as nursery:
            nursery.start_soon(_repeat_accepted, stream)
            answer = await self._run(request)
            nursery.cancel_scope.cancel()
        return answer


async def _repeat_accepted(stream: trio.SocketStream) -> None:
    with contextlib.suppress(trio.BrokenResourceError):  # the client has left: its hang-up cancels the verb
        while True:
            await trio.sleep(_SIGN_OF_LIFE_S)
            await stream.send_all(ACCEPTED)


async def _cancel_at_hang_up(stream: trio.SocketStream, running: trio.CancelScope) -> None:
    """Cancel a verb when its client leaves, such as at Ctrl+C."""
    with contextlib.suppress(trio.BrokenResourceError):
        await stream.receive_some(1)
    running.cancel()


async def _received(stream: trio.SocketStream) -> VerbRequest:
    """Return the request of a client.

    Raises:
      ValueError: it is malformed, or larger than any verb of ours.
      BrokenResourceError: the client has left.
    """
    received = b""
    while b"\n" not in received:
        received += await _some(stream)
        if len(received) > _MAX_HEAD_BYTES:
            raise ValueError
    first, _, received = received.partition(b"\n")
    head_size, stdin_size = map(int, first.split(b" "))
    if not (0 <= head_size <= _MAX_HEAD_BYTES and 0 <= stdin_size <= MAX_STDIN_BYTES):
        raise ValueError
    parts = [received]
    missing = head_size + stdin_size - len(received)
    while missing > 0:
        parts.append(await _some(stream))
        missing -= len(parts[-1])
    received = b"".join(parts)
    head = received[:head_size].decode("utf-8", "surrogateescape").split("\0")
    token, version, session, cwd, count, *rest = head
    return VerbRequest(
        token=token,
        version=version,
        session=session,
        cwd=cwd,
        variables=dict(_pair(variable) for variable in rest[: int(count)]),
        words=rest[int(count) :],
        stdin=received[head_size : head_size + stdin_size],
    )


def _pair(variable: str) -> tuple[str, str]:
    name, _, value = variable.partition("=")
    return name, value


async def _some(stream: trio.SocketStream) -> bytes:
    part = bytes(await stream.receive_some())
    if not part:
        raise trio.BrokenResourceError
    return part


@contextlib.asynccontextmanager
async def _locked(path: str) -> AsyncIterator[Callable[[], None]]:
    """Hold the lock of the directory; yield what frees it early. The system frees it if the process dies.

    Raises:
      CannotServe: another daemon holds it.
    """
    import fcntl

    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        with trio.move_on_after(_LOCK_TIMEOUT_S) as waiting:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:  # an old daemon frees it once its socket is gone
                    await trio.sleep(_LOCK_POLL_S)
        if waiting.cancelled_caught:
            pid = os.pread(lock, _MAX_PID_CHARS, 0).decode()
            raise CannotServe(
                f"a daemon runs already: end it by agentbrowser close --all, or by kill {pid} if its socket is gone"
            )
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
        yield lambda: fcntl.flock(lock, fcntl.LOCK_UN)
    finally:
        os.close(lock)


def _own_token(path: str) -> str:
    """Return the token of the directory; the first daemon makes it, so that clients never read an old one."""
    try:
        with open(path, encoding="ascii") as file:
            if token := file.read():
                return token
    except FileNotFoundError:
        pass
    token = secrets.token_hex(_TOKEN_BYTES)
    fresh = f"{path}.new"
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600), "w") as file:
        file.write(token)
    os.replace(fresh, path)
    return token


@contextlib.contextmanager
def _listening(path: str) -> Iterator[trio.SocketListener]:
    """Listen on a Unix socket; one of a daemon that was killed is replaced."""
    with contextlib.suppress(FileNotFoundError):
        os.unlink(path)
    listener = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        # trio's bind is async; the address is a path, so nothing has to be resolved.
        listener._sock.bind(path)  # type: ignore[attr-defined]
        os.chmod(path, 0o600)
        listener.listen(_BACKLOG)
        yield trio.SocketListener(listener)
    finally:
        listener.close()
