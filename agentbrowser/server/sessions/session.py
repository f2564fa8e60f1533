"""Session of one client: its scope, pages and subscriptions."""

import itertools
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs
import structlog

from agentbrowser.browser.capacity import PageQuota
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
from agentbrowser.protocol.published import OURS, reshape_event
from agentbrowser.protocol.registry import Method, Scope
from agentbrowser.protocol.types.event import NetworkEvent, PageEvent, Queued, Report
from agentbrowser.protocol.types.snapshot import SessionSnapshot
from agentbrowser.recorder.session_recorder import Recordings, SessionRecorder
from agentbrowser.server.corridor.admission import Admission
from agentbrowser.server.corridor.approvals import Approvals
from agentbrowser.server.corridor.lanes import Lanes
from agentbrowser.server.corridor.outbox import OwnerShare
from agentbrowser.server.corridor.streams import ReplyStreams
from agentbrowser.server.corridor.work_gate import WorkGate
from agentbrowser.server.egress.proxy import SessionProxy
from agentbrowser.server.gate.auth import Grant, Owner
from agentbrowser.server.gate.rate_limit import RateLimit
from agentbrowser.server.sessions.handoffs import Handoffs
from agentbrowser.server.sessions.idempotency_records import IdempotencyRecords
from agentbrowser.server.sessions.lease import SessionLease
from agentbrowser.server.sessions.request_log import RequestLog
from agentbrowser.server.watch import log_context
from agentbrowser.server.watch.audit_log import AuditLog

if TYPE_CHECKING:
    from agentbrowser.server.sessions.binding import SessionBinding

log = structlog.get_logger("agentbrowser.session")

_NUMBERS: Final = itertools.count(1)
Notify = Callable[[str, dict[str, Any]], None]
SendNotification = Callable[[str, dict[str, Any]], bool]


@attrs.define(eq=False, kw_only=True)
class Session:
    """State of one client, from its first message to its last; with a `SessionLease`, over several connections.

    A request without a page id acts on the active page. The reader resolves it when a request *arrives*, so the
    session chooses the ids of new pages. The browser thread opens the pages under these ids.
    """

    scope: Scope
    config: Config
    """The server's settings, lowered by the client's token."""
    rules: UrlRules
    """URL rules of this client: the server's, narrowed by its token."""
    rate_limit: RateLimit | None = None
    """Rate limit, shared with all clients of the same token."""
    portal: Portal
    tabs: Tabs
    ids: Iterator[str]
    number: int = attrs.field(factory=lambda: next(_NUMBERS), init=False)
    """Number of the session in the log."""
    lanes: Lanes = attrs.field(factory=Lanes, init=False)
    streams: ReplyStreams = attrs.field(factory=ReplyStreams, init=False)
    masks: SecretMasker = attrs.field(factory=SecretMasker, init=False)
    """Masks of the secrets that the client has used, for all that it receives."""
    request_log: RequestLog = attrs.field(
        default=attrs.Factory(lambda session: RequestLog(session.masks), takes_self=True), init=False
    )
    """Its latest requests, for the persons who watch it."""
    used_secret_names: set[str] = attrs.field(factory=set, init=False)
    """Names of the used secrets; snapshots keep them with the pages."""
    share: OwnerShare = attrs.field(factory=OwnerShare)
    """Share of the client's owner in the turns of the loop and in memory."""
    idempotency: IdempotencyRecords = attrs.field(
        default=attrs.Factory(lambda session: IdempotencyRecords(session.share.answers), takes_self=True), init=False
    )
    notify: Notify = lambda kind, params: None
    """Sends an event; set by the `SessionBinding`."""
    send_notification: SendNotification = lambda name, params: False
    """Sends another notification by its full name, if there is room; set by the `SessionBinding`."""
    binding: "SessionBinding | None" = None
    """Binding to the client's connection; None while there is none."""
    lease: SessionLease | None = None
    """Lease of a session with an id; None: the session ends with its connection."""
    session_proxy: SessionProxy | None = None
    """Network proxy of the session's pages; None without a browser of its own."""
    approvals: Approvals = attrs.field(factory=Approvals)
    handoffs: Handoffs = attrs.field(factory=Handoffs)
    """Requests for a person."""
    audit: AuditLog | None = None
    name: str = attrs.field(default=attrs.Factory(lambda session: str(session.number), takes_self=True), init=False)
    """Id for persons and in the audit log: that of its lease, also once it has ended; without one, its number."""
    recorder: SessionRecorder | None = None
    """Flight recorder of the session; None if the operator has turned it off."""
    recordings: Callable[[], Iterable[SessionRecorder]] = tuple
    """Returns the recordings of the client's owner."""
    owner: Owner = Owner("")
    """Token of the client."""
    admission: Admission | None = None
    """Queue for requests while the server is full; None without one."""
    work_gate: WorkGate | None = None
    """Limit on the requests of all clients that work in browsers at once; None without one."""
    approved: set[str] = attrs.field(factory=set, init=False)
    """Names of the rules that an approver has approved until the session ends."""
    subscriptions: Subscriptions = DEFAULT
    dialect: str = OURS
    """Prefix of the names of events."""
    ignores_unknown: bool = False
    """True if unknown params are ignored instead of refused."""
    approves: bool = True
    """True if the client may be asked to approve the requests of others, if its scope permits."""
    initialized: bool = False
    ended: bool = False
    life: int = 0
    """Number of times that it was ended: a request opens nothing in a later life than the one it came in."""
    draining: bool = False
    private_open: bool = False
    active: str | None = None
    fresh: str | None = None
    """Id of the client's first page until the browser has opened it."""
    _pages: dict[str, None] = attrs.field(factory=dict, init=False)

    @property
    def token(self) -> str:
        """Return the name of the client's token, which another token may have got later."""
        return self.owner.name

    @property
    def kinds(self) -> frozenset[str]:
        """Return the kinds of events that the client is subscribed to."""
        return self.subscriptions.kinds

    def scope_for(self, method: Method[..., Any]) -> Scope:
        """Return the scope that a method requires; settings or a pending approval request may lower it."""
        lowered = (method.name == "page/navigate" and self.config.readonly_navigation) or (
            method.name == "approval/respond" and self.approvals.may_respond(self)
        )
        if method.name == "live/link" and self.token == "open" and not self.config.has_tokens:
            return Scope.STANDARD  # the operator has no token either
        return Scope.READONLY if lowered else method.scope

    def has(self, page_id: str | None) -> bool:
        """Return True if the page is open in the browser."""
        return page_id in self._pages

    def resolve_page(self) -> str:
        """Return the active page's id, or a new id if there is no page."""
        if self.active is None:
            self.active = self.fresh = self.name_page()
        return self.active

    def name_page(self) -> str:
        """Return an unused page id."""
        return next(self.ids)

    def prepare_restore(self, snapshot: SessionSnapshot) -> None:
        """Mask the secrets of a snapshot that will be restored, also in pixels; before its pages are opened."""
        known = [one for one in (self.config.secrets or SecretStore()).secrets if one.name in snapshot.secrets]
        self.add_secrets(known)
        self.tabs.secrets.remember(known)

    def focus(self, page_id: str) -> None:
        """Make a page the active one, if it is open."""
        if page_id in self._pages:
            self.active = page_id
            if self.lease is not None and self.lease.snapshot is not None:
                self.lease.snapshot = attrs.evolve(self.lease.snapshot, active=page_id)

    def add_secrets(self, secrets: Iterable[Secret]) -> None:
        """Mask secrets in everything that the client receives from now on."""
        new = [secret for secret in secrets if secret.name not in self.used_secret_names]
        if new:
            self.masks.add(secret.value for secret in new)
            self.used_secret_names.update(secret.name for secret in new)
            if self.lease is not None and self.lease.snapshot is not None:
                self.lease.snapshot = attrs.evolve(self.lease.snapshot, secrets=sorted(self.used_secret_names))

    def reload_secrets(self, store: SecretStore) -> None:
        """Replace the secrets that requests may name from now on; those that were used stay masked."""
        earlier = self.config.secrets or SecretStore()
        self.config = attrs.evolve(self.config, secrets=store)
        self.masks.add(secret.value for secret in store.secrets if secret.name in self.used_secret_names)
        # The browser thread may still need the earlier ones, for requests that were checked before.
        self.tabs.secrets.vault = SecretStore((*store.secrets, *earlier.secrets))

    def drop(self, page_id: str | None) -> None:
        """Remove a closed page; the last opened of the others replaces it as the active one."""
        self._pages.pop(page_id or "", None)
        if self.active == page_id:
            self.active = next(reversed(self._pages), None)

    def receive_events(self, events: list[Report], dropped: Mapping[str, int]) -> None:
        """Process events of the browser thread, and send those that the client is subscribed to. [trio]"""
        for kind, count in dropped.items():
            self._send("dropped", {"kind": kind, "count": count})
        for event in events:
            if isinstance(event, PageEvent):
                self._track_pages(event)
            elif isinstance(event, NetworkEvent) and self.session_proxy is not None:
                event = self.session_proxy.denial_log.named(event)
            if self.subscriptions.wants(event, self.masks.text):
                self._send(event.kind, unstructure(redact_event(event)))

    def _send(self, kind: str, params: dict[str, Any]) -> None:
        shaped = reshape_event(kind, params, self.dialect)
        if shaped is not None:
            self.notify(kind, shaped if self.lease is None else self.lease.backlog.add(kind, shaped))

    def hold_events(self) -> None:
        """Stop sending events; with a `SessionLease` the backlog keeps them."""
        self.notify = lambda kind, params: None

    def mute(self) -> None:
        """Stop sending events and notifications."""
        self.hold_events()
        self.send_notification = lambda name, params: False

    def park_events(self) -> None:
        """Stop sending, and keep the unsent events in the backlog."""
        self.mute()
        if self.lease is not None:
            self.lease.last_sent = self.lease.cursor

    def _track_pages(self, event: PageEvent) -> None:
        if event.type == "created":
            self._pages[event.page_id] = None
            if event.page_id == self.fresh:
                self.fresh = None
        elif event.type == "close":
            self.drop(event.page_id)
            self.handoffs.end_page(self, event.page_id)

    async def set_subscriptions(self, subscriptions: Subscriptions) -> None:
        """Replace the subscriptions, also in the browser thread. [trio]"""
        self.subscriptions = subscriptions
        await self.portal.run(_listen, self.tabs, subscriptions)

    def notify_queued(self, position: int) -> None:
        """Notify the client of its request's position in the admission queue."""
        self.notify("queued", unstructure(Queued(position=position, id=log_context.present().get("request"))))

    def forget_client(self) -> None:
        """Reset the client's capabilities, approvals and idempotency records."""
        self.streams.agree()
        self.approved.clear()
        self.idempotency.clear()
        self.dialect, self.ignores_unknown, self.approves = OURS, False, True

    async def end(self) -> None:
        """Close the client's pages and contexts, also those still being opened. [trio]"""
        self.life += 1
        self.private_open = False
        self.handoffs.end_all(self)
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


def _page_ids() -> Iterator[str]:
    """Return the page ids of one session: a random part, so that none is that of another session, and a number.

    The ids are taken in two threads: `map` and `count` step without running Python code in between.
    """
    return map(f"page-{secrets.token_hex(3)}-{{}}".format, itertools.count(1))


def open_session(
    *,
    grant: Grant,
    config: Config,
    portal: Portal,
    engine: Engine,
    approvals: Approvals,
    handoffs: Handoffs,
    admission: Admission,
    work_gate: WorkGate,
    share: OwnerShare,
    session_proxy: SessionProxy,
    audit: AuditLog | None,
    recordings: Recordings | None,
    recorder: SessionRecorder | None,
) -> Session:
    """Return a new session, which opens nothing in the browser before the first request for a page.

    Args:
      config: the server's settings, which the grant may narrow.
    """
    config = grant.settings(config)
    ids = _page_ids()
    feed: EventBridge[Report] = EventBridge(lambda events, dropped: session.receive_events(events, dropped))
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
        page_quota=grant.page_quota or PageQuota(),
        recorder=recorder,
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
        handoffs=handoffs,
        admission=admission,
        work_gate=work_gate,
        share=share,
        session_proxy=session_proxy,
        audit=audit,
        owner=grant.owner,
        recorder=recorder,
    )
    if recorder is not None and recordings is not None:
        masks = session.masks  # the recorder outlives the session, and holds nothing else of it
        recorder.mask = lambda value: masks.texts(value) if masks.active else value
        recordings.add(grant.owner, recorder)
        session.recordings = lambda: recordings.of(grant.owner) if grant.owner.is_proven else [recorder]
    return session


def _emit(feed: EventBridge[Report], tabs: Tabs, event: Report) -> None:
    """Forward vital events and subscribed ones; the others never cross to Trio."""
    tabs.contexts.snapshots.notice(event)
    tabs.page_recorder.note_event(event)
    tabs.contexts.taps.deliver(event)
    vital = _is_vital(event)
    if vital or tabs.subscriptions.wants(event, tabs.secrets.masks.text):
        feed.put(event, event.kind, even_if_full=vital)


def _is_vital(event: Report) -> bool:
    """Return True if the list of pages or an intercepted request depends on the event; such events are few."""
    if isinstance(event, NetworkEvent):
        return event.type == "intercepted"
    return isinstance(event, PageEvent) and event.type in ("created", "close")
