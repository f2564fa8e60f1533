"""Sessions against a model of them: whatever clients do, each event comes once, and nothing is open that should not."""

import random

import pytest
import trio
import trio.testing
from trio.testing import MockClock

from tests.loop.scripted_server import Guest, Inn, open_inn
from tests.loop.sessions.test_sessions import back, is_unknown, log

TTL_S = 100
STEPS = 40


class Client:
    """A client with one session, and what it must find."""

    def __init__(self, inn: Inn, rng: random.Random) -> None:
        self.inn, self.rng = inn, rng
        self.secret = ""
        self.index = -1
        self.guest: Guest | None = None
        self.lost_s = 0.0
        self.logged = self.heard = 0

    async def begin(self) -> None:
        self.guest = await self.inn.guest()
        self.secret = (await self.guest.initialize())["sessionSecret"]
        self.index, self.logged, self.heard = len(self.inn.opened) - 1, 0, 0

    async def lose(self) -> None:
        if self.guest is not None:
            await self.guest.hang_up()
            self.guest, self.lost_s = None, trio.current_time()

    async def come_back(self) -> None:
        """Resume, or take over from itself; and hear all that it has not."""
        old, is_over = self.guest, self.guest is None and trio.current_time() - self.lost_s >= TTL_S
        guest, told = await back(self.inn, self.secret, lastEvent=self.heard)
        if is_over:
            assert is_unknown(told)
            await guest.hang_up()
            return await self.begin()
        assert told["restored"] == "warm"
        assert "missed" not in told
        if old is not None:
            with trio.fail_after(10):
                await old.gone.wait()
            assert old.code == 4001
        self.guest = guest
        await self.listen()

    async def listen(self) -> None:
        while self.guest is not None and self.heard < self.logged:
            note = (await self.guest.note())["params"]
            assert (note["seq"], note["text"]) == (self.heard + 1, str(self.heard + 1))
            self.heard += 1

    async def say(self) -> None:
        """Have a page log something, which the client hears now, or some time."""
        if self.guest is None and trio.current_time() - self.lost_s >= TTL_S:
            return
        self.logged += 1
        log(self.inn, str(self.logged), of=self.index)
        if self.rng.random() < 0.5:
            await self.listen()

    async def wait(self) -> None:
        await trio.sleep(self.rng.choice([1, 30, 101]))

    @property
    def is_open(self) -> bool:
        return self.guest is not None or trio.current_time() - self.lost_s < TTL_S


@pytest.mark.parametrize("seed", range(12))
async def test_sessions_do_as_their_model(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock, seed: int
) -> None:
    rng = random.Random(seed)
    async with open_inn(monkeypatch, session_ttl_s=TTL_S) as inn:
        clients = [Client(inn, rng) for _ in range(3)]
        for client in clients:
            await client.begin()
        for _ in range(STEPS):
            client = rng.choice(clients)
            await rng.choice([client.lose, client.come_back, client.say, client.wait])()
            await trio.testing.wait_all_tasks_blocked()
            assert inn.open_pages == sum(one.is_open for one in clients)
            assert inn.server.sessions.parked == sum(one.is_open and one.guest is None for one in clients)
