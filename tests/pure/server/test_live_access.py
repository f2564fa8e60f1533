"""Rights at the live view: a link, which an agent receives itself, gives no more than the agent has."""

from collections.abc import Awaitable, Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
import trio
import trio.testing

from agentbrowser.live.access import MAX_KEPT, MAX_WATCHERS, MAX_WATCHERS_OF_OWNER, Access, AccessBook
from agentbrowser.live.watcher import MAX_ANSWERS, Watcher
from agentbrowser.policy.approvals import NO_RULES, ApprovalRule, ApprovalRules
from agentbrowser.protocol.errors import ApprovalDenied, ScopeDenied
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.corridor.outbox import OwnerShare
from agentbrowser.server.gate.auth import Owner
from agentbrowser.server.gate.frame_meter import Intake
from agentbrowser.server.gate.head import Refusal
from agentbrowser.server.gate.socket import PeerGone

SESSION: Any = SimpleNamespace(scope=Scope.STANDARD)
BY_LINK = Access(name="whoever has the link")
OPERATOR = Access(name="the operator", may_approve=True)


def rules(action: Any, mode: Any = "required") -> ApprovalRules:
    return ApprovalRules(mode=mode, rules=(ApprovalRule(name="never-pay", action=action),))


@pytest.mark.parametrize("action", ["deny", "require"])
def test_by_a_link_nothing_is_done_that_rules_would_judge(action: str) -> None:
    with pytest.raises(ApprovalDenied, match="Not by a link") as refused:
        BY_LINK.check_input("action/click", Scope.STANDARD, SESSION, rules(action))
    assert refused.value.details["rule"] == "never-pay"
    OPERATOR.check_input("action/click", Scope.STANDARD, SESSION, rules(action))


@pytest.mark.parametrize("those", [NO_RULES, rules("allow"), rules("deny", mode="audit")])
def test_by_a_link_a_page_is_taken_over_where_no_rule_stops_actions(those: ApprovalRules) -> None:
    BY_LINK.check_input("action/click", Scope.STANDARD, SESSION, those)


def test_by_a_link_files_need_the_scope_of_uploads() -> None:
    with pytest.raises(ScopeDenied, match="action/upload needs the scope full"):
        BY_LINK.check_input("action/upload", Scope.FULL, SESSION, NO_RULES)
    OPERATOR.check_input("action/upload", Scope.FULL, SESSION, NO_RULES)


async def test_a_takeover_by_a_link_ends_at_the_first_input_under_rules_that_refuse_it() -> None:
    """A reload changed a rule from allow to deny: a page that was taken over before went on being clicked."""
    sent: list[Any] = []

    async def run(work: Callable[..., Awaitable[None]], *args: Any) -> None:
        await work(*args)

    async def release() -> None:
        stream.holder = None

    approvals = SimpleNamespace(rules=rules("allow"))
    view: Any = SimpleNamespace(approvals=approvals, portal=SimpleNamespace(run=run))
    watcher = Watcher(socket=cast("Any", None), access=BY_LINK, view=view)
    stream: Any = SimpleNamespace(
        session=SimpleNamespace(scope=Scope.STANDARD, audit=None),
        page_id="page-1",
        holder=watcher,
        watchers={},
        release=release,
        note_input=lambda: None,
        view=SimpleNamespace(send=sent.append),
    )
    watcher.stream = stream
    click = {"do": "input", "event": {"kind": "mouse"}}
    await watcher._obey(click)
    assert sent == [{"kind": "mouse"}]
    approvals.rules = rules("deny")
    with pytest.raises(ApprovalDenied):
        await watcher._obey(click)
    assert stream.holder is None
    await watcher._obey(click)
    assert len(sent) == 1


class Flood:
    """A socket whose peer has sent commands without end of time, before it leaves."""

    def __init__(self, *commands: str) -> None:
        self.commands = list(commands)
        self.intake = Intake()

    async def receive(self) -> str:
        if not self.commands:
            raise PeerGone(None)
        return self.commands.pop()


async def test_a_flood_of_commands_leaves_turns_of_the_loop_to_others() -> None:
    """Small commands by a link of an agent's own held the loop for 3.1 s, one received piece after another."""
    socket, share, left = Flood(*['{"do": "nothing"}'] * 200), OwnerShare(), list[int]()
    view: Any = SimpleNamespace(share_of=lambda access: share)
    watcher = Watcher(socket=cast("Any", socket), access=BY_LINK, view=view)

    async def look() -> None:
        while socket.commands:
            left.append(len(socket.commands))
            await trio.lowlevel.checkpoint()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(look)
        nursery.start_soon(watcher._receive)
    assert len(left) > 20


async def test_few_answers_of_a_person_are_under_way() -> None:
    begun, view = [], SimpleNamespace(answer_dialog=None)

    async def run(work: object) -> None:
        begun.append(work)
        await trio.sleep_forever()

    approvals, portal = SimpleNamespace(rules=NO_RULES), SimpleNamespace(run=run)
    live: Any = SimpleNamespace(approvals=approvals, portal=portal, dialog=lambda number: None)
    watcher = Watcher(socket=cast("Any", None), access=OPERATOR, view=live)
    session = SimpleNamespace(scope=Scope.STANDARD, audit=None)
    view.answer_dialog = view.choose_files = len
    stream: Any = SimpleNamespace(session=session, page_id="", holder=watcher, note_input=lambda: None, view=view)
    watcher.stream = stream
    async with trio.open_nursery() as watcher._nursery:
        for _ in range(100):
            await watcher._obey({"do": "dialog"})
            await watcher._obey({"do": "files", "number": 1})
        await trio.testing.wait_all_tasks_blocked()
        assert len(begun) == MAX_ANSWERS
        watcher._nursery.cancel_scope.cancel()
    assert watcher._answers == 0


@pytest.mark.parametrize(
    ("choice", "answer"), [(1, "no"), (1.0, None), ("1", None), (2, None), (-1, None), (None, None)]
)
async def test_only_a_number_picks_an_answer(choice: Any, answer: str | None) -> None:
    picked = list[str | None]()
    handoffs = SimpleNamespace(end=lambda handoff, outcome, by, answer: picked.append(answer))
    session = SimpleNamespace(audit=None)
    asked = SimpleNamespace(id="handoff-1", choices=("yes", "no"), session=session, page_id="page-1")
    live: Any = SimpleNamespace(handoffs=handoffs, handoffs_for=lambda access: [asked])
    watcher = Watcher(socket=cast("Any", None), access=BY_LINK, view=live)
    await watcher._obey({"do": "finish", "handoff": "handoff-1", "choice": choice})
    assert picked == [answer]


AGENT, OTHER = Owner("agent", b"a"), Owner("other", b"o")


def head_with(header: bytes, value: str) -> Any:
    return SimpleNamespace(
        peer=None,
        sole=lambda name: value.encode() if name == header else None,
        values=lambda name: [value.encode()] if name == header else [],
    )


def keyring() -> Any:
    return SimpleNamespace(wrong_token=lambda peer: Refusal(401, "The token is wrong."))


def log_in(book: AccessBook, link: str) -> str:
    key, _ = book.log_in(head_with(b"authorization", f"Link {link}"), keyring())
    return key


def is_admitted(book: AccessBook, key: str) -> bool:
    try:
        book.admit(head_with(b"sec-websocket-protocol", f"key.{key}"), keyring())
    except Refusal:
        return False
    return True


async def test_links_and_keys_of_an_owner_go_for_newer_ones_of_that_owner_only() -> None:
    book = AccessBook()
    mine = Access(name="the operator", may_approve=True, made_by=OTHER)
    of_my_token = Access(name="a person with the link", made_by=OTHER)
    key = log_in(book, book.create_link(mine))
    link = book.create_link(mine)
    for flooding in (Access(name="a person with the link", made_by=AGENT), of_my_token):
        first = log_in(book, book.create_link(flooding))
        for _ in range(MAX_KEPT):
            book.create_link(flooding)
        for _ in range(MAX_KEPT):
            log_in(book, book.create_link(flooding))
        assert not is_admitted(book, first)
        assert is_admitted(book, key)
    assert is_admitted(book, log_in(book, link))


async def test_links_of_handoffs_that_are_over_take_no_place() -> None:
    book = AccessBook()
    handoff: Any = SimpleNamespace(outcome=None)
    kept = book.create_link(Access(name="x", made_by=AGENT))
    for _ in range(3 * MAX_KEPT):
        handoff = SimpleNamespace(outcome=None)
        book.create_link(Access(name="x", made_by=AGENT, handoff=handoff))
        handoff.outcome = "declined"
    assert log_in(book, kept)


def test_the_places_of_watchers_are_limited_for_each_owner() -> None:
    by_link, operator = Access(name="x", made_by=AGENT), Access(name="x", may_approve=True, made_by=AGENT)
    present = [by_link] * MAX_WATCHERS_OF_OWNER
    assert not by_link.has_room_among(present)
    assert by_link.has_room_among(present[1:])
    assert operator.has_room_among(present)
    assert Access(name="x", made_by=OTHER).has_room_among(present)


def test_links_of_all_owners_leave_the_places_of_operators() -> None:
    present = [Access(name="x", made_by=Owner(str(number), b"t")) for number in range(MAX_WATCHERS)]
    assert not Access(name="x", made_by=AGENT).has_room_among(present)
    assert Access(name="x", may_approve=True, made_by=AGENT).has_room_among(present)
