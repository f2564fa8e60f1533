"""The watch over the browser thread, with a thread that is played."""

from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock

from agentbrowser.browser.engine import recovery
from agentbrowser.browser.engine.pool import EnginePool
from agentbrowser.config import Config
from agentbrowser.protocol.errors import BrowserNotLaunched
from agentbrowser.server.gate.http import ServerStatus
from agentbrowser.server.watch.supervisor import Supervisor, ThreadLost


@attrs.define(eq=False)
class Thread:
    """A thread that lives as often as ``lives`` says, in which the browser starts but for the first ``failures``."""

    lives: int
    failures: int = 0
    alive: bool = False
    reopened: int = 0
    dies: trio.Event = attrs.field(factory=trio.Event)
    cleanup: Any = None

    async def wait_dead(self) -> None:
        if self.lives > 0:
            self.lives -= 1
            self.alive = False
            return
        await trio.sleep_forever()

    async def reopen(self) -> None:
        assert not self.alive, "a thread that lives would be waited for for ever"
        self.alive = True
        self.reopened += 1

    async def run(self, work: Any) -> None:
        if self.failures:
            self.failures -= 1
            raise BrowserNotLaunched("The driver did not start in time.")

    def call_in_asyncio(self, *news: Any) -> None: ...

    def call_in_trio(self, *news: Any) -> None: ...

    def thread_stack(self) -> str:
        return ""


def watch(thread: Thread) -> Supervisor:
    return Supervisor(thread, EnginePool(Config()), ServerStatus(state="ready"))  # type: ignore[arg-type]


async def test_a_thread_in_which_no_browser_can_be_had_at_first_is_kept(autojump_clock: MockClock) -> None:
    thread = Thread(lives=1, failures=1)
    supervisor = watch(thread)
    with trio.move_on_after(60):
        await supervisor.run()
    assert (thread.reopened, supervisor.status.state) == (1, "ready")


async def test_a_thread_that_dies_again_and_again_is_replaced_ever_later_and_then_given_up(
    autojump_clock: MockClock,
) -> None:
    thread = Thread(lives=100)
    supervisor = watch(thread)
    supervisor.backoff.clock = trio.current_time
    began_s = trio.current_time()
    with pytest.raises(ThreadLost, match="again and again"):
        await supervisor.run()
    assert thread.reopened == recovery.MAX_FAILURES - 1
    assert trio.current_time() - began_s == pytest.approx(0 + 0.5 + 1 + 2)
