"""Decision to give up a page that does not answer: not while what it is asked through is slow."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from agentbrowser.browser.engine.heartbeat import MAX_TIMEOUTS
from agentbrowser.browser.page import scripts

HANGING = 10**9


def waits(monkeypatch: pytest.MonkeyPatch, *, answers_at: int, is_busy: bool = False, is_slowed: bool = False) -> Any:
    """Ask a page that answers a question of that number; return the number of questions, and if it was given up."""
    monkeypatch.setattr(scripts, "ThreadLoad", lambda pids: SimpleNamespace(is_high=lambda: is_busy))
    asked, closed = list[str](), list[bool]()

    async def send(method: str, _: dict[str, Any]) -> None:
        asked.append(method)
        if len(asked) < answers_at:
            await asyncio.Event().wait()

    async def close() -> None:
        closed.append(True)

    engine = SimpleNamespace(pids=(), pipe=SimpleNamespace(is_slowed=is_slowed))
    tabs = SimpleNamespace(engine=engine, config=SimpleNamespace(heartbeat_timeout_s=0.001))
    tab: Any = SimpleNamespace(tabs=tabs, dialog=None, close_unresponsive=close)
    session: Any = SimpleNamespace(send=send)
    asyncio.run(scripts._wait_or_give_up(tab, session))
    return len(asked), bool(closed)


def test_a_page_that_does_not_answer_in_time_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    assert waits(monkeypatch, answers_at=HANGING) == (1, True)
    assert waits(monkeypatch, answers_at=1) == (1, False)


@pytest.mark.parametrize("slow", ["is_busy", "is_slowed"])
def test_a_page_is_not_given_up_while_its_driver_or_the_loop_is_slow(
    monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    assert waits(monkeypatch, answers_at=3, **{slow: True}) == (3, False)
    assert waits(monkeypatch, answers_at=HANGING, **{slow: True}) == (MAX_TIMEOUTS, True)
