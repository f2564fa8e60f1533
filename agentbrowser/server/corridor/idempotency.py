"""Requests with an idempotency key, ``params.idempotencyKey``: a repeat gets what the first one got, and does not act.

In a session that outlives its connection, so does the request, within its deadline.

A repeat has the same key, method and params. While the first is under way, it waits for it. Remembered are results,
errors that are not retryable, and that a request was cut short when it may have acted (it ran out of time, or its
connection ended); not what the client itself has cancelled, nor what was refused before it began: then the repeat runs.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import attrs
import trio

from agentbrowser.protocol.codec import structure
from agentbrowser.protocol.errors import AgentBrowserError, Cancelled, ExecutionContextDestroyed, Timeout
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.idempotency import KEY, Repeatable
from agentbrowser.server.corridor import dispatch
from agentbrowser.server.corridor.idempotency_records import Answer, Entry, digest_of
from agentbrowser.server.corridor.job import Job, allowed
from agentbrowser.server.corridor.job import prepare as prepare_job
from agentbrowser.server.sessions.session import Session

_LOOK_FIRST: Final = "Observe the page to see what has happened; to ask for it again, use a new idempotencyKey."


@attrs.define(eq=False, kw_only=True)
class Keyed:
    """A request with a key: the first under it, which has a job, or one that waits for the first."""

    session: Session
    name: str
    params: Mapping[str, Any]
    key: str
    _digest: bytes = attrs.field(init=False)
    _entry: Entry = attrs.field(init=False)
    _job: Job | None = attrs.field(default=None, init=False)
    _is_recalled: bool = attrs.field(default=False, init=False)
    _is_carried: bool = attrs.field(default=False, init=False)
    """Whether it runs apart from the connection, and leaves its lanes there."""

    def __attrs_post_init__(self) -> None:
        self._digest = digest_of(self.name, self.params)
        self._begin()

    def _begin(self) -> None:
        """Take the request up if nothing is known of its key."""
        repeats = self.session.repeats
        entry = repeats.find(self.key, self._digest)
        if entry is None:
            repeats.check_room()
            self._job = prepare_job(self.session, self.name, self.params)
            entry = repeats.begin(self.key, self._digest)
        self._entry = entry

    async def run(self, arrived: float) -> Any:
        """Return the result of the request, or of the one that it repeats, as plain data. [trio]

        Raises:
          AgentBrowserError: whatever went wrong, then or now.
        """
        while self._job is None:
            await self._entry.over.wait()
            if self._entry.answer is not None:
                return self._entry.answer.again()
            self._begin()  # the one before has done nothing
            arrived = trio.current_time()
        job, stay = self._job, self.session.stay
        if stay is None:
            return await self._first(job, arrived)
        self._is_carried = True
        return await stay.carry(partial(self._carried, job, arrived), lambda: self._is_recalled)

    async def _carried(self, job: Job, arrived: float) -> Any:
        try:
            return await self._first(job, arrived)
        finally:
            job.leave()

    async def _first(self, job: Job, arrived: float) -> Any:
        answer = None
        try:
            result = self.session.masks.plain(await dispatch.run(self.session, job, arrived))
            answer = Answer.of(result)
        except Exception as error:
            fault = self.session.masks.error(dispatch.explain(error))
            answer = _lasting(job, fault)
            raise fault from error
        except trio.Cancelled:
            if _may_have_acted(job) and not self._is_recalled:
                answer = Answer.of(_interrupted())
            raise
        finally:
            self.session.repeats.end(self._entry, answer)
        return result

    def recall(self, session: Session) -> None:
        """Note that the client has cancelled it."""
        self._is_recalled = True
        if self._job is not None:
            self._job.recall(session)

    def leave(self) -> None:
        """Give up its place in its lanes."""
        if self._job is not None and not self._is_carried:
            self._job.leave()


def prepare(session: Session, name: str, raw: Any) -> Job | Keyed:
    """Check a request as `job.prepare` does, unless it is the repeat of one. Runs in the reader.

    Raises:
      AgentBrowserError: the request is refused, for the reason that the class names.
    """
    if not raw or KEY not in raw:
        return prepare_job(session, name, raw)
    allowed(session, name)
    key = structure(Repeatable, raw).idempotency_key
    params = {name: value for name, value in raw.items() if name != KEY}
    if key is None:
        return prepare_job(session, name, params)
    return Keyed(session=session, name=name, params=params, key=key)


def _lasting(job: Job, fault: AgentBrowserError) -> Answer | None:
    """Return what to remember of an error; nothing if it says that the request did nothing and may be tried again."""
    if not fault.retryable:
        return Answer.of(fault)
    if isinstance(fault, Timeout | ExecutionContextDestroyed) and _may_have_acted(job):
        again = type(fault)(fault.message, retryable=False, hint=_LOOK_FIRST)
        again.details = fault.details
        return Answer.of(again)
    return None


def _may_have_acted(job: Job) -> bool:
    return job.started and job.method.scope > Scope.READONLY


def _interrupted() -> Cancelled:
    return Cancelled(
        "The connection ended while the request ran; it may have acted before it stopped.", hint=_LOOK_FIRST
    )
