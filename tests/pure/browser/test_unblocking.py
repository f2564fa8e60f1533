"""Decision to give up a page that does not answer: not while what it is asked through is slow."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.async_api import Error

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


def test_a_page_that_hangs_is_given_up_even_where_the_browser_refuses_to_stop_its_loading(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So it is with a page whose next document waits behind a dialog that nobody can answer any more."""
    for name in ("_ANSWER_TIMEOUT_S", "_STEP_TIMEOUT_S"):
        monkeypatch.setattr(scripts, name, 0.001)
    given_up = list[bool]()

    async def send(method: str, _: object = None) -> None:
        if method == "Page.stopLoading":
            raise Error("Protocol error (Page.stopLoading): Not attached to an active page")
        await asyncio.Event().wait()

    async def cdp() -> Any:
        return SimpleNamespace(send=send)

    async def give_up(tab: Any, session: Any) -> None:
        given_up.append(True)

    async def run() -> None:
        tabs = SimpleNamespace(run_in_background=lambda work: background.append(asyncio.ensure_future(work)))
        tab: Any = SimpleNamespace(
            tabs=tabs, cdp=cdp, dialog=None, is_chromium=True, crash_signal=SimpleNamespace(is_set=False)
        )
        await scripts.unblock(tab)
        await asyncio.gather(*background)

    background = list[Any]()
    monkeypatch.setattr(scripts, "_wait_or_give_up", give_up)
    asyncio.run(run())
    assert given_up == [True]
