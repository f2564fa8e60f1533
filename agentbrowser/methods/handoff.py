"""handoff/request: a person takes the page over and hands it back, or picks one of several answers."""

import functools
from typing import TYPE_CHECKING, ClassVar, Final

import attrs
import trio

from agentbrowser.methods.page import WaitForParams
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams, ServerBusy
from agentbrowser.protocol.registry import Scope, composite, event
from agentbrowser.protocol.types.fields import field
from agentbrowser.protocol.types.handoff import HandoffChanges, HandoffNotice, HandoffResult, HandoffUntil

if TYPE_CHECKING:
    from agentbrowser.browser.tab import Tab
    from agentbrowser.server.corridor.dispatch import Call
    from agentbrowser.server.sessions.handoffs import Handoff

event("notifications/handoff")(HandoffNotice)

_MAX_MS: Final = 3_600_000
_MAX_CHOICE: Final = 200
_STATE_TIMEOUT_S: Final = 3.0
_AGENT: Final = "the agent"


@attrs.frozen(kw_only=True)
class HandoffParams:
    """A request for a person; or, with ``handoff_id``, for the result of an earlier one."""

    own_clock: ClassVar[bool] = True
    longest_s: ClassVar[float] = _MAX_MS / 1000

    reason: str | None = field(default=None, minimum=1, maximum=200)
    """Why a person is needed, in a few words; required without a ``handoff_id``."""
    instructions: str = field(default="", maximum=2000)
    choices: list[str] | None = field(default=None, maximum=20)
    """Answers of which the person can pick one in place of handing the page back, of at most 200 characters each."""
    page_id: str | None = None
    until: HandoffUntil | None = None
    """Ends the handoff with ``done`` once it holds, whatever the person does."""
    timeout_ms: int = field(default=300_000, wire="timeout", minimum=1, maximum=_MAX_MS)
    """Longest wait of this request; a new handoff ends then, unless ``wait`` is false: then it lasts as long."""
    wait: bool = True
    """False to return at once with the link, and to ask for the result by the id later."""
    handoff_id: str | None = field(default=None, minimum=1, maximum=128)
    withdraw: bool = False
    """True to end the handoff of ``handoff_id``, unless it is over."""

    def check(self) -> None:
        """Reject a new handoff without a reason, conditions that are not exactly one, and a withdrawal of none."""
        if self.withdraw and self.handoff_id is None:
            expected = "a handoffId with withdraw"
            raise InvalidParams(f"handoffId must be {expected}.", path="handoffId", expected=expected, got="nothing")
        if self.handoff_id is None and self.reason is None:
            expected = "a text, unless handoffId is given"
            raise InvalidParams(f"reason must be {expected}.", path="reason", expected=expected, got="nothing")
        for index, choice in enumerate(self.choices or ()):
            if not 1 <= len(choice) <= _MAX_CHOICE:
                path, expected = f"choices[{index}]", f"a text of 1 to {_MAX_CHOICE} characters"
                raise InvalidParams(f"{path} must be {expected}.", path=path, expected=expected, got=choice[:100])
        if self.until is not None:
            self.until.check()


@attrs.frozen(kw_only=True)
class _StateParams:
    page_id: str


@composite("handoff/request", HandoffParams, scope=Scope.STANDARD, free=True)
async def request(call: "Call", params: HandoffParams) -> HandoffResult:
    """Ask a person to take the page over, and wait until it is handed back or the condition holds. [trio]

    Looks at the page continue meanwhile; actions on it are refused with PageHeld while the person has it.

    Raises:
      PageNotFound: there is no page.
      InvalidParams: there is no such handoff.
      ActionFailed: the server has no live view.
      ServerBusy: the server is shutting down.
    """
    handoffs = call.session.handoffs
    if params.handoff_id is None:
        handoff = await _begin(call, params)
        if not params.wait:
            return _pending(handoff)
    else:
        handoff = handoffs.find(call.session, params.handoff_id)
        if params.withdraw:
            handoffs.end(handoff, "declined", _AGENT)
        with trio.move_on_after(params.timeout_ms / 1000 if params.wait else 0):
            await handoff.over.wait()
        if handoff.outcome is None:
            return _pending(handoff)
    try:
        await handoff.over.wait()
        if handoff.is_cut_off:
            raise ServerBusy.at_shutdown()
    except trio.Cancelled:
        handoffs.end(handoff, "declined", _AGENT)
        raise
    finally:
        handoffs.forget(handoff)
    assert handoff.outcome is not None
    return HandoffResult(
        outcome=handoff.outcome,
        handoff_id=handoff.id,
        by=handoff.by,
        answer=handoff.answer,
        took_ms=handoff.took_ms,
        changes=await _changes(call, handoff),
    )


async def _begin(call: "Call", params: HandoffParams) -> "Handoff":
    """Begin a handoff, and notify the client of it. [trio]"""
    page_id = params.page_id or call.session.resolve_page()
    before = await call.serve(page_id, _state, _StateParams(page_id=page_id))
    condition = None
    if (until := params.until) is not None:
        wait = WaitForParams(
            url=until.url, text=until.text, selector=until.selector, page_id=page_id, timeout_ms=params.timeout_ms
        )
        condition = functools.partial(call.serve, page_id, _met, wait)
    handoff = call.session.handoffs.begin(
        condition,
        session=call.session,
        page_id=page_id,
        reason=params.reason or "",
        instructions=params.instructions,
        choices=tuple(params.choices or ()),
        expires_s=trio.current_time() + params.timeout_ms / 1000,
        before=before,
    )
    notice = HandoffNotice(
        handoff_id=handoff.id,
        page_id=page_id,
        reason=handoff.reason,
        instructions=handoff.instructions,
        expires_at=handoff.expires_at_ms,
        link=handoff.link,
    )
    call.session.send_notification(f"{call.session.dialect}/handoff", unstructure(notice))
    return handoff


def _pending(handoff: "Handoff") -> HandoffResult:
    took_ms = round((trio.current_time() - handoff.started_s) * 1000)
    return HandoffResult(outcome="pending", handoff_id=handoff.id, took_ms=took_ms, link=handoff.link)


async def _changes(call: "Call", handoff: "Handoff") -> HandoffChanges | None:
    """Return what has changed; None if the page is gone or does not answer. [trio]"""
    with trio.move_on_after(_STATE_TIMEOUT_S):
        try:
            url, cookies = await call.serve(handoff.page_id, _state, _StateParams(page_id=handoff.page_id))
        except AgentBrowserError:
            return None
        _, before = handoff.before
        names = sorted({name for (name, site), value in cookies.items() if before.get((name, site)) != value})
        return HandoffChanges(url=url, logged_in=names or None)
    return None


async def _state(tab: "Tab", _: _StateParams) -> tuple[str, dict[tuple[str, str], bytes]]:
    """Return the URL of a page, and digests of its context's cookies by name and site. [asyncio]"""
    return tab.page.url, await tab.context.storage.cookie_digests()


async def _met(tab: "Tab", params: WaitForParams) -> int:
    return await tab.wait_for_condition(params)
