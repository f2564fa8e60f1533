"""Handoffs of a session, without a live view: how many are kept."""

from typing import TYPE_CHECKING, cast

import pytest
import trio

from agentbrowser.protocol.errors import InvalidParams, ServerBusy
from agentbrowser.server.sessions.handoffs import MAX_OPEN, MAX_OVER, Handoff, Handoffs

if TYPE_CHECKING:
    from agentbrowser.server.sessions.session import Session


async def test_handoffs_that_are_over_and_that_nobody_asks_for_are_forgotten(autojump_clock: trio.abc.Clock) -> None:
    session = cast("Session", object())
    async with trio.open_nursery() as nursery:
        handoffs = Handoffs(nursery=nursery)

        def begin() -> Handoff:
            facts = {"reason": "a login", "instructions": "", "expires_s": trio.current_time() + 60}
            return handoffs.begin(None, session=session, page_id="p", **facts)

        begun = []
        for _ in range(2 * MAX_OVER):
            begun.append(begin())
            handoffs.end(begun[-1], "declined", "a person")
        assert handoffs.find(session, begun[-1].id) is begun[-1]
        with pytest.raises(InvalidParams, match="There is no handoff"):
            handoffs.find(session, begun[0].id)
        for _ in range(MAX_OPEN):
            begin()
        with pytest.raises(ServerBusy):
            begin()
        handoffs.stop()
        assert [one.is_cut_off for one in begun[-1:]] == [False]
        handoffs.end_all(session)
