"""Random kills of drivers and browsers under load: is a request lost, doubled, or one of another owner disturbed?

Several owners send requests on plain sockets. Every few seconds, the driver or the browser of one of them is killed.
Each request must have exactly one reply. An owner whose browser was not killed must get no error; one whose browser
was killed only those that permit a retry.

Run: python -m bench.kills [--seconds 600] [--smoke]
"""

import argparse
import contextlib
import itertools
import json
import os
import random
import signal
import sys
import time
from collections import Counter, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from agentbrowser.client.connection.websocket import WebSocketTransport, open_websocket
from bench.neighbours import open_tokens_file
from bench.program import Program, children, open_program, open_shop, write_line

OWNERS: Final = tuple(f"owner{number}-of-the-kills" for number in range(3))
_CLIENTS: Final = 2
_WORKERS: Final = 3
_PAUSE_S: Final = (1.0, 4.0)
"""Shortest and longest time between two kills."""
_LIMIT_S: Final = 45.0
"""A request without a reply for so long is lost."""
_RECOVERY_S: Final = 60.0
_METHODS: Final[Sequence[tuple[str, dict[str, Any]]]] = (
    ("page/list", {}),
    ("context/list", {}),
    ("observe/content", {"format": "text"}),
    ("agent/observe", {}),
    ("script/evaluate", {"expression": "new Promise(done => setTimeout(done, 50, 1))"}),
    ("action/click", {"selector": {"type": "css", "value": "#counter"}}),
    ("page/reload", {}),
)


@attrs.define
class Outcome:
    """Counts of one run."""

    requests: int = 0
    kills: Counter[str] = attrs.field(factory=Counter)
    lost: list[str] = attrs.field(factory=list)
    doubled: int = 0
    errors: Counter[str] = attrs.field(factory=Counter)
    """Errors of owners whose browser was killed, which permit a retry."""
    wrong: Counter[str] = attrs.field(factory=Counter)
    """Errors of these that permit none."""
    disturbed: Counter[str] = attrs.field(factory=Counter)
    """Errors of other owners."""
    slowest_s: float = 0.0

    @property
    def is_right(self) -> bool:
        """True if every request was answered once, and only owners of killed browsers got errors."""
        return not (self.lost or self.doubled or self.wrong or self.disturbed)


@attrs.define(eq=False)
class Owner:
    """One owner: its token and its processes."""

    token: str
    browser: int = 0
    driver: int = 0
    killed_s: float = -_RECOVERY_S * 2
    """Time of the last kill."""


@attrs.define(eq=False)
class Client:
    """A client on a plain socket, which counts the replies to each id."""

    owner: Owner
    socket: WebSocketTransport
    outcome: Outcome
    replies: Counter[int] = attrs.field(factory=Counter)
    _waiting: dict[int, tuple[trio.Event, list[dict[str, Any]]]] = attrs.field(factory=dict)
    _ids: Any = attrs.field(factory=lambda: itertools.count(1))

    async def read(self) -> None:
        """Receive replies until cancelled. [trio]"""
        while True:
            message = json.loads(await self.socket.receive())
            if (number := message.get("id")) is None:
                continue
            self.replies[number] += 1
            if (waiting := self._waiting.pop(number, None)) is not None:
                waiting[1].append(message)
                waiting[0].set()

    async def call(self, method: str, params: dict[str, Any]) -> dict[str, Any] | None:
        """Return the reply to a request; None if there is none in time. [trio]"""
        number, replied = next(self._ids), trio.Event()
        received: list[dict[str, Any]] = []
        self._waiting[number] = replied, received
        self.outcome.requests += 1
        began_s = time.monotonic()
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        try:
            await self.socket.send(json.dumps(request).encode())
        except BaseException:  # such as the end of the run: what was not sent has no reply
            del self._waiting[number]
            raise
        with trio.move_on_after(_LIMIT_S):
            await replied.wait()
        self.outcome.slowest_s = max(self.outcome.slowest_s, time.monotonic() - began_s)
        if not received:
            self.outcome.lost.append(method)
            return None
        if (error := received[0].get("error")) is not None:
            self._count(method, error)
        return received[0]

    def _count(self, method: str, error: dict[str, Any]) -> None:
        name = f"{method}: {error['code']} {error['message'][:60]}"
        if time.monotonic() - self.owner.killed_s > _RECOVERY_S:
            self.outcome.disturbed[name] += 1
        elif error["data"]["retryable"]:
            self.outcome.errors[f"{error['code']}"] += 1
        else:
            self.outcome.wrong[name] += 1

    async def work(self, url: str) -> None:
        """Open a page and send requests for it, again and again until cancelled. [trio]"""
        while True:
            opened = await self.call("page/create", {"url": url, "timeout": 30_000})
            if opened is None or "error" in opened:
                await trio.sleep(0.1)
                continue
            page = opened["result"]["id"]
            for method, params in random.choices(_METHODS, k=50):
                answer = await self.call(method, {**params, "pageId": page} if "list" not in method else params)
                if answer is None or "error" in answer:
                    break
            else:
                await self.call("page/close", {"pageId": page})


async def connect(stack: contextlib.AsyncExitStack, url: str, owner: Owner, outcome: Outcome) -> Client:
    """Connect a client of an owner, until the stack is closed. [trio]"""
    return Client(owner, await stack.enter_async_context(open_websocket(url, owner.token)), outcome)


def find_processes(program: Program, owner: Owner, others: Sequence[Owner]) -> bool:
    """Find the driver and the browser of an owner: those that no other owner has. Return True if both run."""
    taken = {other.browser for other in others if other is not owner}
    for driver in children(program.pid):
        for browser in children(driver):
            if browser not in taken and _is_browser(browser):
                owner.driver, owner.browser = driver, browser
                return True
    return False


def _is_browser(pid: int) -> bool:
    try:
        return b"remote-debugging" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


async def run(seconds: float, seed: int) -> Outcome:
    """Kill at random for so long, and return the counts. [trio]"""
    outcome, owners = Outcome(), [Owner(token) for token in OWNERS]
    async with contextlib.AsyncExitStack() as stack:
        tokens = stack.enter_context(open_tokens_file({token: token for token in OWNERS}))
        shop = stack.enter_context(open_shop())
        program = await stack.enter_async_context(open_program("--tokens-file", tokens))
        clients = [await connect(stack, program.url, owner, outcome) for owner in owners for _ in range(_CLIENTS)]
        nursery = await stack.enter_async_context(trio.open_nursery())
        for client in clients:
            nursery.start_soon(client.read)
        for client, owner in zip(clients[::_CLIENTS], owners, strict=True):
            await client.call("page/create", {"timeout": 60_000})
            assert find_processes(program, owner, owners), "the owner has a browser"
        async with trio.open_nursery() as working:
            for client in clients:
                for _ in range(_WORKERS):
                    working.start_soon(client.work, f"{shop}20")
            with trio.move_on_after(seconds):
                await _kill_at_random(program, owners, outcome, random.Random(seed))
            working.cancel_scope.cancel()  # what is under way gets its reply below
        await _wait_for_replies(clients, outcome)
        nursery.cancel_scope.cancel()
    outcome.doubled = sum(count > 1 for client in clients for count in client.replies.values())
    return outcome


async def _kill_at_random(program: Program, owners: Sequence[Owner], outcome: Outcome, chance: random.Random) -> None:
    recent: deque[Owner] = deque(maxlen=1)
    while True:
        await trio.sleep(chance.uniform(*_PAUSE_S))
        # The processes of an owner are known while those of all others are.
        owner = recent[0] if recent and chance.random() < 0.5 else chance.choice(owners)
        with trio.move_on_after(_RECOVERY_S):
            while not find_processes(program, owner, owners):  # noqa: ASYNC110
                await trio.sleep(0.05)
        part = chance.choice(("driver", "browser"))
        owner.killed_s = time.monotonic()
        with contextlib.suppress(ProcessLookupError):
            os.kill(owner.driver if part == "driver" else owner.browser, signal.SIGKILL)
        outcome.kills[part] += 1
        with trio.move_on_after(_RECOVERY_S):
            gone = owner.browser
            while _is_browser(gone) or not find_processes(program, owner, owners):  # noqa: ASYNC110
                await trio.sleep(0.05)
        owner.killed_s = time.monotonic()
        recent.append(owner)


async def _wait_for_replies(clients: Sequence[Client], outcome: Outcome) -> None:
    """Wait until the requests of cancelled workers are answered too."""
    with trio.move_on_after(_LIMIT_S):
        while any(client._waiting for client in clients):  # noqa: ASYNC110
            await trio.sleep(0.1)
    outcome.lost += ["under way at the end" for client in clients for _ in client._waiting]


def main() -> None:
    """Print the counts; fail unless every request had one reply, and only the owners of killed browsers noticed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="a few kills, to check that the benchmark works")
    options = parser.parse_args()
    outcome = trio.run(run, 5.0 if options.smoke else options.seconds, options.seed)
    write_line("kills", {**attrs.asdict(outcome), "lost": len(outcome.lost), "seconds": options.seconds})
    counts = (
        f"{len(outcome.lost)} lost, {outcome.doubled} doubled, {outcome.disturbed.total()} of other owners disturbed"
    )
    print(f"{outcome.requests} requests, {outcome.kills.total()} kills: {counts}")
    sys.exit(not outcome.is_right)


if __name__ == "__main__":
    main()
