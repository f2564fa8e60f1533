"""Helpers of the tests of faults: a client that counts its answers, and a look at all that might be left behind."""

import contextlib
import gc
import json
import os
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
import trio

from agentbrowser.client.connection.transport import ConnectionLost, Transport
from agentbrowser.nursery import open_quiet_nursery
from agentbrowser.server.app import Server
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.memory_transport import memory_pair
from tests.browser.processes import alive, children, driver_dirs

SOON_S: Final = 20.0
"""No bound of the protocol's, but of a machine that does other things too."""


@attrs.define(eq=False)
class Talker:
    """A client that writes down every answer."""

    transport: Transport
    answers: dict[Any, list[dict[str, Any]]] = attrs.field(factory=dict)
    events: list[dict[str, Any]] = attrs.field(factory=list)
    _news: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def run(self) -> None:
        """Take in what the server says."""
        with contextlib.suppress(ConnectionLost):
            while True:
                message = json.loads(await self.transport.receive())
                if "id" in message:
                    self.answers[message["id"]].append(message)
                else:
                    self.events.append(message)
                self._news.unpark_all()

    async def begin(self, method: str, **params: Any) -> int:
        """Send a request and return its id."""
        id_ = len(self.answers)
        self.answers[id_] = []
        message = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        await self.transport.send(json.dumps(message).encode())
        return id_

    async def answer(self, id_: int) -> dict[str, Any]:
        """Return the answer to a request."""
        await self.until(lambda: bool(self.answers[id_]))
        return self.answers[id_][0]

    async def error(self, id_: int) -> dict[str, Any]:
        """Return the error of a request, which must fail."""
        error: dict[str, Any] = (await self.answer(id_))["error"]
        return error

    async def ask(self, method: str, **params: Any) -> Any:
        """Return the result of a request, which must not fail."""
        answer = await self.answer(await self.begin(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    async def fail(self, method: str, **params: Any) -> dict[str, Any]:
        """Return the error of a request."""
        return await self.error(await self.begin(method, **params))

    async def event(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return the first event of that kind with those fields, once it has come."""

        def found() -> list[dict[str, Any]]:
            told = [one["params"] for one in self.events if one["method"] == f"notifications/{kind}"]
            return [one for one in told if fields.items() <= one.items()]

        await self.until(lambda: bool(found()))
        return found()[0]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Return when what the server has said makes it true."""
        with trio.fail_after(3 * SOON_S):
            while not condition():
                await self._news.park()

    async def begun(self, *ids: int) -> None:
        """Return when the server has read the requests: it answers in the order of arrival."""
        await self.ask("page/list")
        assert not [id_ for id_ in ids if self.answers[id_]]


@contextlib.asynccontextmanager
async def talking(server: Server) -> AsyncIterator[Talker]:
    """Be a client in memory, of which every request must have been answered once at the end."""
    peer, transport = memory_pair()
    talker = Talker(transport)
    async with open_quiet_nursery() as nursery:
        nursery.start_soon(server.serve, peer, Grant(server.config.scope, "memory"))
        nursery.start_soon(talker.run)
        yield talker
        await talker.until(lambda: all(talker.answers.values()))
        assert {id_: len(got) for id_, got in talker.answers.items() if len(got) != 1} == {}
        await transport.close()


async def true(condition: Callable[[], bool]) -> None:
    """Return when something has come true that gives no event."""
    with trio.fail_after(3 * SOON_S):
        while not condition():  # noqa: ASYNC110 - processes give none
            await trio.sleep(0.01)


def renderers(browser_pid: int | None) -> set[int]:
    """Return the processes of a browser in which pages run; none if it does not run."""
    # Not below the pid 0: these are all processes of the machine.
    processes = set[int]() if browser_pid is None else _below(browser_pid)
    return {pid for pid in processes if b"--type=renderer" in _file(pid, "cmdline")}


def _below(pid: int) -> set[int]:
    own = children(pid)
    return own.union(*map(_below, own))


def _file(pid: int, name: str) -> bytes:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/{name}").read_bytes()
    return b""


def living_in(folder: Path) -> set[int]:
    """Return the processes whose temporary files are in the folder, whoever their parent is."""
    word = str(folder).encode()
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
    return {pid for pid in pids if alive(pid) and (word in _file(pid, "cmdline") or word in _file(pid, "environ"))}


@pytest.fixture
def clean(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Give the directory for temporary files, and check that no process, thread, descriptor or file is left behind."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    before = _held()
    yield tmp_path
    end_s = time.monotonic() + 3 * SOON_S
    if _left(before, tmp_path):
        gc.collect()  # closes what is in a cycle
    while (left := _left(before, tmp_path)) and time.monotonic() < end_s:
        time.sleep(0.02)
    assert left == {}


def _held() -> dict[str, dict[int, str]]:
    """Return the names of this process's threads and descriptors by their numbers, without Trio's idle threads."""
    threads = {one.ident or 0: one.name for one in threading.enumerate() if not one.name.startswith("Trio thread")}
    descriptors = {int(number): os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}
    return {"threads": threads, "descriptors": descriptors}


def _left(before: dict[str, dict[int, str]], folder: Path) -> dict[str, Any]:
    """Return what is left behind: threads and descriptors if they are more than before, with the names of the new ones.

    Other tests' servers run on in this process. Idle, they close what they hold but open nothing, so the counts stay
    comparable.
    """
    grown = {
        kind: [name for number, name in now.items() if before[kind].get(number) != name]
        for kind, now in _held().items()
        if len(now) > len(before[kind])
    }
    return grown | {name: some for name, some in (("pids", living_in(folder)), ("files", driver_dirs(folder))) if some}
