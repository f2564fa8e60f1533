"""Jobs: requests that were checked and have their place in the lanes."""

from functools import cache
from typing import TYPE_CHECKING, Any, Final

import attrs

from agentbrowser.methods import METHODS
from agentbrowser.policy import urls
from agentbrowser.policy.secrets import Secret
from agentbrowser.protocol.codec import structure, wire_fields
from agentbrowser.protocol.errors import MethodNotFound, NotInitialized, ScopeDenied, ServerBusy
from agentbrowser.protocol.registry import Method
from agentbrowser.protocol.types.fields import NAVIGABLE
from agentbrowser.server.corridor.lanes import Turn
from agentbrowser.server.corridor.secrets import secrets_in
from agentbrowser.server.corridor.uploads import check_uploads
from agentbrowser.server.corridor.url_checks import Judge

if TYPE_CHECKING:
    from agentbrowser.server.sessions.session import Session

SESSION_LANE: Final = "session"
"""The lane of what changes the session itself; pages have other names."""
OWN_CLOCK_MARGIN_S: Final = 1.0
"""What a request gets beyond the time its action may take, so that the action's own, better error comes first.

The client's first page, and perhaps the browser, are made in another time: that of a request that names none.
"""


@attrs.define(eq=False, kw_only=True)
class Job:
    """A request that has passed every check which needs no browser."""

    method: Method[..., Any]
    params: Any
    page_id: str | None = None
    names_page: bool = False
    """Whether the page is one that the job is to open."""
    opens_private: bool = False
    """Whether it takes the client to its private network, which is open to its pages from then on."""
    secrets: tuple[Secret, ...] = ()
    """What of the operator's it names."""
    turn: Turn | None = None
    timeout_s: float
    started: bool = False
    """Whether it has had its turn, and may have acted."""

    def recall(self, session: "Session") -> None:
        """Note that the client has cancelled it: what arrives from now on does not mean its page."""
        self.unname(session)

    def unname(self, session: "Session") -> None:
        """Take the name back that the job had for the page it was to open."""
        if self.names_page:
            session.drop(self.page_id)

    def leave(self) -> None:
        """Give up the job's place in its lanes."""
        if self.turn is not None:
            self.turn.leave()


def prepare(session: "Session", name: str, raw: Any, *, as_step: bool = False) -> Job:
    """Check a request and take its place in the lanes. Runs in the reader: the order of arrival is decided here.

    Raises:
      AgentBrowserError: the request is refused, for the reason that the class names.
    """
    method = allowed(session, name)
    params = structure(method.params, {} if raw is None else raw)
    if hasattr(params, "check"):
        params.check()
    params, opens_private = _check_urls(session, params)
    check_uploads(params, session.config.upload_root)
    job = Job(
        method=method,
        params=params,
        secrets=secrets_in(session, name, params),
        timeout_s=_timeout_s(session, params),
        opens_private=opens_private,
    )
    _place(session, job)
    if not as_step and (lanes := _lanes(job)):
        job.turn = session.lanes.take(lanes)
    return job


def allowed(session: "Session", name: str) -> Method[..., Any]:
    """Return the method of that name, if the client may call it now.

    Raises:
      MethodNotFound, ScopeDenied, NotInitialized, ServerBusy: there is none, or it may not.
    """
    method = METHODS.get(name)
    if method is None:
        raise MethodNotFound(f"There is no method {name[:100]}.", hint="Call initialize for the list of methods.")
    _check_open(session, method)
    check_scope(session, method)
    return method


def _lanes(job: Job) -> frozenset[str]:
    """Return the lanes that the job waits in: those of its pages, or the session's own."""
    if job.method.in_session:
        return frozenset({SESSION_LANE})
    if job.page_id is None or job.method.free:
        return frozenset()
    return pages_of(job.params) | {job.page_id}


def _check_open(session: "Session", method: Method[..., Any]) -> None:
    if session.draining:
        raise ServerBusy("The server is shutting down.", hint="Connect again in a moment.")
    if session.ended and method.name != "initialize":
        raise NotInitialized("The session was shut down.")


def check_scope(session: "Session", method: Method[..., Any]) -> None:
    required = session.scope_for(method)
    if session.scope < required:
        raise ScopeDenied(
            f"{method.name} needs the scope {required.word}; this connection has {session.scope.word}.",
            method=method.name,
            required=required.word,
            granted=session.scope.word,
            hint="Ask the operator for a token with that scope.",
        )


@cache
def _navigable_fields(kind: Any) -> tuple[tuple[str, str], ...]:
    return tuple((wire, one.name) for wire, one in wire_fields(kind).items() if one.metadata.get(NAVIGABLE))


def _check_urls(session: "Session", params: Any) -> tuple[Any, bool]:
    """Return the params with their URLs as the policy read them, since what the browser gets is what was judged.

    Returns: the params, and whether they take the client to its private network.
    """
    kind: Any = type(params)
    given = [(wire, name, getattr(params, name)) for wire, name in _navigable_fields(kind)]
    judged = {name: urls.check_url(url, session.rules, path=wire) for wire, name, url in given if url is not None}
    opens_private = any(map(urls.names_private_host, judged.values()))
    judge = Judge(session.rules, session.private_open or opens_private)
    return judge.read(attrs.evolve(params, **judged) if judged else params), opens_private


def _timeout_s(session: "Session", params: Any) -> float:
    """Return the seconds from arrival in which the request must be over."""
    options = getattr(params, "options", None)
    asked_ms = getattr(params, "timeout_ms", None) or getattr(options, "timeout_ms", None)
    if asked_ms is None:
        return session.config.request_timeout_s
    asked_s = float(min(asked_ms / 1000, session.config.max_timeout_s))
    if not (getattr(params, "own_clock", False) or hasattr(options, "timeout_ms")):
        return asked_s
    is_made = session.active is not None and session.active != session.fresh
    return asked_s + (OWN_CLOCK_MARGIN_S if is_made else session.config.request_timeout_s)


def _place(session: "Session", job: Job) -> None:
    """Decide which page the job is about, and put its id into the params."""
    bound = hasattr(job.params, "page_id")
    if not bound:
        if job.method.focus:
            job.page_id = session.active = session.name_page()
            job.names_page = True
        return
    job.page_id = job.params.page_id
    if job.page_id is None:
        job.page_id = session.active if job.method.free else session.meant()
        job.params = attrs.evolve(job.params, page_id=job.page_id)
    elif job.method.focus:
        session.focus(job.page_id)


def pages_of(params: Any) -> frozenset[str]:
    """Return the pages that the steps and the observations of a sequence name."""
    steps = [step.params for step in getattr(params, "steps", ())]
    looks = [getattr(params, name, None) for name in ("pre_observe", "post_observe")]
    named = [part.get("pageId") for part in [*steps, *looks] if isinstance(part, dict)]
    return frozenset(page_id for page_id in named if isinstance(page_id, str))
