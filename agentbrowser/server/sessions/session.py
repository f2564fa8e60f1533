"""Session of one client: its scope, its pages, its subscriptions."""

import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog

from agentbrowser.browser.engine.engine import Engine
from agentbrowser.browser.portal import EventBridge, Portal
from agentbrowser.browser.tabs import Tabs
from agentbrowser.config import Config
from agentbrowser.policy.masking import SecretMasker
from agentbrowser.policy.redaction import redact_event
from agentbrowser.policy.secrets import Secret, SecretStore
from agentbrowser.policy.subscriptions import DEFAULT, Subscriptions
from agentbrowser.policy.urls import UrlRules
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.registry import Method, Scope
from agentbrowser.protocol.types.event import NetworkEvent, PageEvent, Queued, Report
from agentbrowser.protocol.types.snapshot import SessionSnapshot
from agentbrowser.server.corridor.admission import Admission
from agentbrowser.server.corridor.approvals import Approvals
from agentbrowser.server.corridor.idempotency_records import IdempotencyRecords
from agentbrowser.server.corridor.lanes import Lanes
from agentbrowser.server.corridor.streams import ReplyStreams
from agentbrowser.server.egress.proxy import SessionProxy
from agentbrowser.server.gate.auth import Grant
from agentbrowser.server.gate.rate_limit import RateLimit
from agentbrowser.server.sessions.lease import SessionLease
from agentbrowser.server.watch import log_context

if TYPE_CHECKING:
    from agentbrowser.server.sessions.binding import SessionBinding

log = structlog.get_logger("agentbrowser.session")

DIALECTS: Final = ("notifications",)
_NUMBERS: Final = itertools.count(1)
Notify = Callable[[str, dict[str, Any]], None]
Tell = Callable[[str, dict[str, Any]], bool]


@attrs.define(eq=False, kw_only=True)
class Session:
    """One client, from its first message to its last; with a `SessionLease`, over several connections.

    The active page is the one that a request means when it names none. It is decided when a request *arrives*, in
    the reader, so the session names the pages that the client asks for, and the browser thread makes them under
    those names.
    """

    scope: Scope
    config: Config
    """The server's settings, with what the client's token lowers."""
    rules: UrlRules
    """Those that hold for this client, its session proxy's: the server's, narrowed by its token."""
    rate_limit: RateLimit | None = None
    """How fast the client may ask, with the others that have its token."""
    portal: Portal
    tabs: Tabs
    ids: Iterator[int]
    number: int = attrs.field(factory=lambda: next(_NUMBERS), init=False)
    """What the log calls it."""
    lanes: Lanes = attrs.field(factory=Lanes, init=False)
    streams: ReplyStreams = attrs.field(factory=ReplyStreams, init=False)
    masks: SecretMasker = attrs.field(factory=SecretMasker, init=False)
    """What the client is not told: the secrets that it has used."""
    entrusted: set[str] = attrs.field(factory=set, init=False)
    """Their names, which outlive it where the pages do."""
    idempotency: IdempotencyRecords = attrs.field(factory=IdempotencyRecords, init=False)
    notify: Notify = lambda kind, params: None
    """Sends an event; the seat sets it."""
    tell: Tell = lambda name, params: False
    """Sends another notification under its whole name, if there is room; the seat sets it."""
    binding: "SessionBinding | None" = None
    """Where its client sits; None while it has none."""
    lease: SessionLease | None = None
    """None: it ends with its connection."""
    session_proxy: SessionProxy | None = None
    """Its pages' way out; None without a browser of its own."""
    approvals: Approvals = attrs.field(factory=Approvals)
    admission: Admission | None = None
    """The queue for when the server is full; None without one."""
    approved: set[str] = attrs.field(factory=set, init=False)
    """The rules whose requests an approver has let pass until the session ends."""
    subscriptions: Subscriptions = DEFAULT
    dialects: tuple[str, ...] = DIALECTS
    """What the names of notifications begin with; each is sent once in each dialect."""
    initialized: bool = False
    ended: bool = False
    draining: bool = False
    private_open: bool = False
    active: str | None = None
    fresh: str | None = None
    """The page that was named for a client that had none, until the browser has made it."""
    _pages: dict[str, None] = attrs.field(factory=dict, init=False)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of events that the client wants to be told of."""
        return self.subscriptions.kinds

    def scope_for(self, method: Method[..., Any]) -> Scope:
        """Return the scope that a method needs here: the operator, or a question to this client, may lower it."""
        lowered = (method.name == "page/navigate" and self.config.readonly_navigation) or (
            method.name == "approval/respond" and self.approvals.may_respond(self)
        )
        return Scope.READONLY if lowered else method.scope

    def has(self, page_id: str | None) -> bool:
        """Tell whether the browser has made a page of that name, and has it still."""
        return page_id in self._pages

    def resolve_page(self) -> str:
        """Return the page that a request means which names none, naming a new one if there is none."""
        if self.active is None:
            self.active = self.fresh = self.name_page()
        return self.active

    def name_page(self) -> str:
        """Return an id for a page that is about to be opened."""
        return f"page-{next(self.ids)}"

    def expect(self, picture: SessionSnapshot) -> None:
        """Be ready for the pages of a picture, which are yet to be opened."""
        self._skip_pages(page.page_id for page in picture.pages)
        self.entrust(one for one in (self.config.secrets or SecretStore()).secrets if one.name in picture.secrets)

    def _skip_pages(self, page_ids: Iterable[str]) -> None:
        """Give no page the id of one of these."""
        last = max((int(name[5:]) for name in page_ids if re.fullmatch(r"page-[0-9]{1,6}", name)), default=0)
        while last > 0 and next(self.ids) < last:
            pass

    def focus(self, page_id: str) -> None:
        """Make a page the active one, if there is such a page."""
        if page_id in self._pages:
            self.active = page_id
            if self.lease is not None and self.lease.picture is not None:
                self.lease.picture = attrs.evolve(self.lease.picture, active=page_id)

    def entrust(self, secrets: Iterable[Secret]) -> None:
        """Take secrets out of all that the client is told from now on, for its pages get them."""
        new = [secret for secret in secrets if secret.name not in self.entrusted]
        if new:
            self.masks.add(secret.value for secret in new)
            self.entrusted.update(secret.name for secret in new)
            if self.lease is not None and self.lease.picture is not None:
                self.lease.picture = attrs.evolve(self.lease.picture, secrets=sorted(self.entrusted))

    def drop(self, page_id: str | None) -> None:
        """Forget a page that is gone; the one opened last before it becomes the active one."""
        self._pages.pop(page_id or "", None)
        if self.active == page_id:
            self.active = next(reversed(self._pages), None)

    def hear(self, events: list[Report], dropped: Mapping[str, int]) -> None:
        """Take in what the browser thread reports, and tell the client what it wants to know. [trio]"""
        for kind, count in dropped.items():
            self._send("dropped", {"kind": kind, "count": count})
        for event in events:
            if isinstance(event, PageEvent):
                self._track_pages(event)
            if self.subscriptions.wants(event):
                self._send(event.kind, unstructure(redact_event(event)))

    def _send(self, kind: str, params: dict[str, Any]) -> None:
        self.notify(kind, params if self.lease is None else self.lease.backlog.add(kind, params))

    def hold_events(self) -> None:
        """Send no events for now; with a `SessionLease` they are kept."""
        self.notify = lambda kind, params: None

    def mute(self) -> None:
        """Send nothing any more."""
        self.hold_events()
        self.tell = lambda name, params: False

    def park_events(self) -> None:
        """Send nothing any more, and keep what there is to say."""
        self.mute()
        if self.lease is not None:
            self.lease.heard = self.lease.cursor

    def _track_pages(self, event: PageEvent) -> None:
        if event.type == "created":
            self._pages[event.page_id] = None
            if event.page_id == self.fresh:
                self.fresh = None
        elif event.type == "close":
            self.drop(event.page_id)

    async def want(self, subscriptions: Subscriptions) -> None:
        """Have the client told of just these events. [trio]"""
        self.subscriptions = subscriptions
        await self.portal.run(_listen, self.tabs, subscriptions)

    def notify_queued(self, position: int) -> None:
        """Tell the client that the present request waits for room."""
        self.notify("queued", unstructure(Queued(position=position, id=log_context.present().get("request"))))

    def forget_client(self) -> None:
        """Forget what the client has said of itself, and what was agreed with it."""
        self.streams.agree()
        self.approved.clear()
        self.idempotency.clear()
        self.dialects = DIALECTS

    async def end(self) -> None:
        """Close all that the client has in the browser, and what is being made for it. [trio]"""
        self.private_open = False
        await self.portal.run(_close, self.tabs, self.lease is None)
        self._pages.clear()
        self.active = self.fresh = None


async def _close(tabs: Tabs, is_over: bool) -> None:
    if is_over:
        tabs.contexts.snapshots.end()
    await tabs.close()
    if not is_over:
        tabs.contexts.snapshots.renew()


async def _listen(tabs: Tabs, subscriptions: Subscriptions) -> None:
    tabs.listen(subscriptions)


def open_session(
    *,
    grant: Grant,
    config: Config,
    portal: Portal,
    engine: Engine,
    approvals: Approvals,
    admission: Admission,
    session_proxy: SessionProxy,
) -> Session:
    """Return a new session; nothing is made in the browser before the first need.

    Args:
      config: the server's, which the grant may narrow.
    """
    config = grant.settings(config)
    ids = itertools.count(1)
    feed: EventBridge[Report] = EventBridge(lambda events, dropped: session.hear(events, dropped))
    tabs = Tabs(
        engine=engine,
        config=config,
        new_proxy_listener=session_proxy.egress.listen,
        serve_proxy=lambda listener: portal.call_in_trio(session_proxy.open, listener),
        rules=session_proxy.rules,
        ids=ids,
        emit=lambda event: _emit(feed, tabs, event),
        on_refused=lambda *refused: portal.call_in_trio(lambda: session_proxy.denial_log.refuse_document(*refused)),
        accepts_downloads=grant.scope >= Scope.STANDARD,
    )
    session = Session(
        scope=grant.scope,
        config=config,
        rules=session_proxy.rules,
        rate_limit=grant.rate_limit,
        portal=portal,
        tabs=tabs,
        ids=ids,
        approvals=approvals,
        admission=admission,
        session_proxy=session_proxy,
    )
    return session


def _emit(feed: EventBridge[Report], tabs: Tabs, event: Report) -> None:
    """Send on what the session must know, and what the client wants to, without a wish for the rest to cross."""
    tabs.contexts.snapshots.notice(event)
    vital = _is_vital(event)
    if vital or tabs.subscriptions.wants(event):
        feed.put(event, event.kind, even_if_full=vital)


def _is_vital(event: Report) -> bool:
    """Tell whether the session's book of pages, or a request that waits, hangs on it; of neither there are many."""
    if isinstance(event, NetworkEvent):
        return event.type == "intercepted"
    return isinstance(event, PageEvent) and event.type in ("created", "close")
