"""One watcher: a tab of a person's browser at the live view, with its choice of a page and its commands."""

import contextlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog
import trio

from agentbrowser.browser.live.screencast import Picture
from agentbrowser.browser.portal import PortalClosed
from agentbrowser.live.access import Access
from agentbrowser.live.outlet import Outlet, encoded
from agentbrowser.live.page_stream import PageStream
from agentbrowser.methods import METHODS
from agentbrowser.policy.redaction import redact_details
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams
from agentbrowser.server.gate import message_parser
from agentbrowser.server.gate.socket import PeerGone, Socket
from agentbrowser.server.sessions.handoffs import Outcome

if TYPE_CHECKING:
    from agentbrowser.live.view import LiveView
    from agentbrowser.server.sessions.session import Session

log = structlog.get_logger("agentbrowser.live")

_OVER: Final = (4003, "this access is over")
MAX_PARTS: Final = 1000
"""Brackets and commas of a command: the largest has some files, whose contents are texts."""
MAX_ANSWERS: Final = 4
"""Answers to dialogs and file choosers that are under way; further ones are dropped, as input that nobody takes."""


@attrs.define(eq=False)
class Watcher:
    """A person who watches a page, and may take it over."""

    socket: Socket
    access: Access
    view: "LiveView"
    outlet: Outlet = attrs.field(factory=Outlet, init=False)
    stream: PageStream | None = attrs.field(default=None, init=False)
    """Stream of the chosen page."""
    shown_s: float = attrs.field(default=0.0, init=False)
    """Time of the last picture."""
    _answers: int = attrs.field(default=0, init=False)
    """Number of answers that are under way."""
    _choice: int = attrs.field(default=0, init=False)
    """Number of the present choice, which marks its pictures."""
    _scope: trio.CancelScope = attrs.field(factory=trio.CancelScope, init=False)
    _nursery: trio.Nursery = attrs.field(init=False)
    _reason: tuple[int, str] = attrs.field(default=_OVER, init=False)
    """Close code and reason."""

    async def serve(self) -> None:
        """Serve the person until it leaves. [trio]"""
        log.info("watcher_came", remote=self.socket.remote, name=self.access.name)
        try:
            with self._scope:
                async with trio.open_nursery() as self._nursery:
                    self.view.join(self)
                    self._nursery.start_soon(self._send)
                    self._greet()
                    await self._receive()
                    self._nursery.cancel_scope.cancel()
        finally:
            self.view.watchers.pop(self, None)
            await self._unwatch()
            log.info("watcher_left", remote=self.socket.remote)
        if self._scope.cancelled_caught:
            await self.socket.close(*self._reason)

    def leave(self, reason: tuple[int, str] = _OVER) -> None:
        """End the person's access, with a close code and its reason."""
        self._reason = reason
        self._scope.cancel()

    def check(self) -> None:
        """End the person's access when its token or its handoff is over."""
        if self.access.is_over:
            self.leave()

    def show(self, picture: Picture) -> None:
        """Send a picture of the chosen page."""
        self.shown_s = trio.current_time()
        self.outlet.put_picture(self._choice, picture)

    def _put_line(self, kind: str, **facts: Any) -> None:
        self.outlet.put_line(encoded({"kind": kind, **facts}))

    def _greet(self) -> None:
        rights = {"name": self.access.name, "mayApprove": self.access.may_approve, "idleSeconds": self.view.idle_s}
        self.outlet.put_state("rights", rights)
        self.view.report_approvals()
        self.view.report_handoffs()
        self._nursery.start_soon(self.view.report_sessions)

    async def _send(self) -> None:
        try:
            await self.outlet.run(self.socket)
        except PeerGone:
            self._nursery.cancel_scope.cancel()

    async def _receive(self) -> None:
        share = self.view.share_of(self.access)
        while True:
            try:
                text = await self.socket.receive()
            except PeerGone:
                return
            size = len(text)
            self.socket.intake.count(kept=size)
            try:
                await share.take_turn()
                await self._obey(await message_parser.parse_with(command_of, text))
            except AgentBrowserError as error:
                details = redact_details(error.details)
                failure = {"error": type(error).__name__, "message": error.message, "details": details}
                self._put_line("failure", **failure)
            except PortalClosed:
                self._put_line("failure", message="The browser is lost.")
            finally:
                del text  # it may be large, and the next one may be long in coming
                self.socket.intake.count(kept=-size)

    async def _obey(self, command: Mapping[str, Any]) -> None:
        match command.get("do"):
            case "watch":
                await self._watch(command.get("session"), command.get("page"), command.get("choice"))
            case "approve":
                self.view.decide(self.access, command.get("request"), command.get("decision"))
            case "decline":
                await self._end_handoff(command.get("handoff"), "declined")
            case "finish":
                await self._end_handoff(command.get("handoff"), "done", command.get("choice"))
            case "take" if self.stream is not None:
                await self._take(self.stream)
            case "back":
                await self.hand_back("handed back")
            case "input" | "dialog" | "files" as kind:
                if self.stream is not None and self.stream.holder is self:
                    await self._input(kind, self.stream, command)
            case _:
                words = "watch, take, back, input, dialog, files, approve, finish or decline"
                raise InvalidParams(f"do must be {words}.", path="do", expected=words)

    async def _watch(self, number: Any, page_id: Any, choice: Any) -> None:
        await self._unwatch()
        self.outlet.clear()
        self._choice = choice if type(choice) is int and 0 <= choice < 2**32 else 0
        session = self.view.find(self.access, number)
        if session is None or not isinstance(page_id, str) or not session.has(page_id):
            raise InvalidParams("This page is not open any more.", path="page", expected="a page of the list")
        stream = self.stream = self.view.stream(session, page_id)
        try:
            await stream.join(self)
        except BaseException:
            await self._unwatch()
            raise
        self.report_holder()

    async def _unwatch(self) -> None:
        stream, self.stream = self.stream, None
        if stream is not None:
            is_mine = stream.holder is self
            with self._audited("back", stream.session, stream.page_id) if is_mine else contextlib.nullcontext():
                await self.view.leave(stream, self)
            _report_holder(stream)

    # Takeover

    async def _take(self, stream: PageStream) -> None:
        handoffs = [one for one in self.view.handoffs_for(self.access) if stream.shows(one.session, one.page_id)]
        with self._audited("take", stream.session, stream.page_id):
            self._check_input("action/click", stream.session)
            await stream.take(self, handoffs[0].reason if handoffs else "taken over on the live view")
        _report_holder(stream)

    async def hand_back(self, why: str) -> None:
        """Give the page back to the agent, and end its handoffs. [trio]"""
        stream = self.stream
        if stream is None or stream.holder is not self:
            return
        await self._release(stream)
        self.view.end_handoffs(self.access, stream.session, stream.page_id)
        self._put_line("notice", text=f"The page is the agent's again: {why}.")

    async def _release(self, stream: PageStream) -> None:
        with self._audited("back", stream.session, stream.page_id):
            await stream.release()
        _report_holder(stream)

    async def _end_handoff(self, id_: Any, outcome: Outcome, choice: Any = None) -> None:
        """Answer a handoff; a page that the person has for it goes back first. [trio]

        Args:
          choice: number of the picked answer.
        """
        for handoff in self.view.handoffs_for(self.access):
            if handoff.id == id_:
                stream = self.stream
                if stream is not None and stream.holder is self and stream.shows(handoff.session, handoff.page_id):
                    await self._release(stream)
                is_one = type(choice) is int and choice in range(len(handoff.choices))
                picked = handoff.choices[choice] if is_one else None
                with self._audited("answer" if outcome == "done" else "decline", handoff.session, handoff.page_id):
                    self.view.handoffs.end(handoff, outcome, self.access.name, picked)

    def _check_input(self, method: str, session: "Session") -> None:
        self.access.check_input(method, METHODS[method].scope, session, self.view.approvals.rules)

    async def _check_still(self, stream: PageStream) -> None:
        """Check that the person may still have a page: a reload may have changed the rules since. [trio]

        Raises:
          ApprovalDenied, ScopeDenied: the page was given back to the agent; its handoffs stay open.
        """
        try:
            self._check_input("action/click", stream.session)
        except AgentBrowserError:
            await self._release(stream)
            raise

    @contextlib.contextmanager
    def _audited(self, act: str, session: "Session", page_id: str) -> Iterator[None]:
        """Record in the audit log what a person does, and how it ended."""
        since_s, error = trio.current_time(), None
        try:
            yield
        except AgentBrowserError as failed:
            error = failed
            raise
        finally:
            if session.audit is not None:
                session.audit.record(
                    token=session.token,
                    session=session.name,
                    page=page_id,
                    method=f"live/{act}",
                    by=self.access.name,
                    duration_s=trio.current_time() - since_s,
                    error=error,
                )

    async def _input(self, kind: str, stream: PageStream, command: Mapping[str, Any]) -> None:
        stream.note_input()
        view = stream.view
        if kind == "input":
            await self._check_still(stream)
            event = command.get("event")
            await self.view.portal.run(partial(_sent, view.send), event if isinstance(event, dict) else {})
        elif kind == "dialog":
            text = command.get("text")
            with self._audited("dialog", stream.session, stream.page_id):
                self._check_input("dialog/handle", stream.session)
            shown = command.get("dialog")
            number = shown.get("number") if isinstance(shown, dict) else None
            answer = partial(view.answer_dialog, self.view.dialog(number))
            is_accepted = command.get("accept") is True
            self._start(partial(answer, accept=is_accepted, text=text if isinstance(text, str) else None))
        else:
            files = command.get("files")
            with self._audited("files", stream.session, stream.page_id):
                self._check_input("action/upload", stream.session)
            number = command.get("number")
            if type(number) is not int:
                raise InvalidParams("number must be that of a request for files.", path="number", expected="a number")
            self._start(partial(view.choose_files, number, files if isinstance(files, list) else []))

    def _start(self, answer: Callable[[], Awaitable[None]]) -> None:
        """Give an answer, which may last, while further input is received."""
        if self._answers < MAX_ANSWERS:
            self._answers += 1
            self._nursery.start_soon(self._run, answer)

    async def _run(self, answer: Callable[[], Awaitable[None]]) -> None:
        try:
            await self.view.portal.run(answer)
            await self.view.report_sessions()
        except (AgentBrowserError, PortalClosed) as error:
            self._put_line("failure", message=str(error))
        finally:
            self._answers -= 1

    def report_holder(self) -> None:
        """Send who has the chosen page."""
        if (stream := self.stream) is None:
            return
        held = stream.held
        facts = {"isMe": stream.holder is self, "hasTouch": stream.has_touch}
        shown = held and {"name": held.name, "since": held.since_ms, **facts}
        self.outlet.put_state("holder", shown)

    def report_page(self, listed: "Mapping[Session, Mapping[str, Any]]") -> None:
        """Send the state of the chosen page, as it is in a listing."""
        if (stream := self.stream) is not None:
            pages = listed.get(stream.session, {}).get("pages", ())
            page = next((one for one in pages if one["id"] == stream.page_id), None)
            self.outlet.put_state("page", page)


def _report_holder(stream: PageStream) -> None:
    for watcher in stream.watchers:
        watcher.report_holder()


async def _sent(send: Any, event: Mapping[str, Any]) -> None:
    send(event)


def command_of(text: str) -> Mapping[str, Any]:
    """Return the command of a message.

    Raises:
      InvalidRequest: it has more than `MAX_PARTS` parts, or is too deep.
      InvalidParams: it is no JSON object.
    """
    wire.check_structure(text, MAX_PARTS)
    try:
        command = wire.load(text)
    except ValueError:
        command = None
    if not isinstance(command, dict):
        raise InvalidParams("A command is a JSON object.", path="do", expected="a JSON object")
    return command
