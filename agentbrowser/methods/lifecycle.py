"""initialize and shutdown, both optional: a client may call any method at once."""

from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

import attrs

from agentbrowser import __version__
from agentbrowser.policy.subscriptions import DEFAULT, Subscriptions
from agentbrowser.protocol.errors import AlreadyInitialized, InvalidParams
from agentbrowser.protocol.published import OURS, PYTHON, TYPESCRIPT
from agentbrowser.protocol.registry import METHODS, Scope, composite
from agentbrowser.protocol.types.event import EventKind
from agentbrowser.protocol.types.fields import constraints, field
from agentbrowser.protocol.types.page import Nothing
from agentbrowser.protocol.types.stream import MIN_FRAME_BYTES

if TYPE_CHECKING:
    from agentbrowser.server.corridor.dispatch import Call

PROTOCOL_VERSION: Final = "0.9.0"
Restored = Literal["warm", "cold"]

_BAP_CLIENT: Final = "bap-client"
_BAP_PYTHON_VERSION: Final = "0.2.0"
"""Protocol version of the published client for Python; the one for TypeScript has a later one."""
_BAP_FRAME_BYTES: Final = 4 * 1024 * 1024
"""Message limit of the published BAP clients, which they do not announce."""


@attrs.frozen(kw_only=True)
class ClientInfo:
    """Name and version of the client."""

    name: str = attrs.field(metadata=constraints(maximum=200))
    version: str = field(default="", maximum=100)


@attrs.frozen(kw_only=True)
class ClientCapabilities:
    """The client's capabilities; ``events`` subscribes to these kinds at once.

    A result of more than ``max_message_size`` bytes is streamed if ``streaming`` is true, and rejected otherwise.
    Without ``approves``, a connection of scope privileged is not asked to approve the requests of others.
    ``compression`` marks a published BAP client; there is none.
    """

    events: list[EventKind] | None = None
    streaming: bool = False
    max_message_size: int | None = field(default=None, minimum=MIN_FRAME_BYTES)
    approves: bool = True
    compression: bool | None = None


@attrs.frozen(kw_only=True)
class InitializeParams:
    """The client's side of the handshake."""

    protocol_version: str | None = field(default=None, maximum=20)
    client_info: ClientInfo | None = None
    capabilities: ClientCapabilities = ClientCapabilities()
    session_id: str | None = field(default=None, pattern=r"[A-Za-z0-9._-]{1,128}")
    """An id for the session, which then outlives the connection: the client resumes it by the same id."""
    session_secret: str | None = field(default=None, minimum=1, maximum=200)
    """The secret from the first answer under that id: proof that the session is the client's."""
    last_event: int | None = field(default=None, minimum=0)
    """The ``seq`` of the last event that the client has received: later ones are replayed."""


@attrs.frozen(kw_only=True)
class ServerInfo:
    """Name and version of the server."""

    name: str
    version: str


@attrs.frozen(kw_only=True)
class Features:
    """Features of the server besides its methods."""

    auto_wait: bool
    semantic_selectors: bool
    multi_page: bool
    cancellation: bool
    tracing: bool
    storage_state: bool
    network_interception: bool
    streaming: bool
    idempotency_keys: bool
    sessions: bool
    """True if a client can resume its session by a ``session_id``."""


@attrs.frozen(kw_only=True)
class Limits:
    """The server's limits: counts, bytes, and milliseconds for ``max_timeout`` and ``session_ttl``."""

    max_pages: int
    max_contexts: int
    max_timeout: int
    max_message_size: int
    max_in_flight: int
    session_ttl: int
    """Time that a disconnected session is kept."""


@attrs.frozen(kw_only=True)
class ServerCapabilities:
    """Capabilities of the server for this connection."""

    browsers: list[str]
    events: list[str]
    observations: list[str]
    actions: list[str]
    methods: list[str]
    scopes: list[str]
    features: Features
    limits: Limits
    scope: str


@attrs.frozen(kw_only=True)
class InitializeResult:
    """The server's side of the handshake."""

    protocol_version: str
    server_info: ServerInfo
    capabilities: ServerCapabilities
    session_id: str | None = None
    session_secret: str | None = None
    """Secret for resuming the session by its id; None if the client returned without it."""
    restored: Restored | None = None
    """``warm``: pages, refs and subscriptions are intact; ``cold``: pages were opened anew under the same ids, with
    cookies and storage, and earlier refs are invalid. None: the session is new."""
    missed: int | None = None
    """The number of missed events that are lost; the others are replayed."""


@composite("initialize", InitializeParams, scope=Scope.READONLY, free=True, in_session=True)
async def initialize(call: "Call", params: InitializeParams) -> InitializeResult:
    """Introduce the client, and return the capabilities of the server. [trio]

    Raises:
      AlreadyInitialized: the session is open already.
      InvalidParams: there is no such session, or the secret is wrong.
      ServerBusy: the store of sessions does not answer.
    """
    session = call.session
    if session.initialized:
        raise AlreadyInitialized("The session is initialized already.", hint="Go on; or call shutdown first.")
    entered = None
    if params.session_id is not None:
        agree = partial(_agree, params=params)
        entered = await call.binding.enter(params.session_id, params.session_secret, params.last_event, agree)
        session = entered.session
    else:
        _check_nameless(params)
        await _agree(session, params)
    session.initialized, session.ended = True, False
    result = InitializeResult(
        protocol_version=PROTOCOL_VERSION,
        server_info=ServerInfo(name="agentbrowser", version=__version__),
        capabilities=_capabilities(session),
    )
    if entered is None:
        return result
    return attrs.evolve(
        result,
        session_id=params.session_id,
        session_secret=entered.secret,
        restored=entered.restored,
        missed=entered.missed,
    )


def _check_nameless(params: InitializeParams) -> None:
    for path, given in (("sessionSecret", params.session_secret), ("lastEvent", params.last_event)):
        if given is not None:
            raise InvalidParams(f"{path} needs a sessionId.", path="sessionId", expected="that of the session")


async def _agree(session: Any, params: InitializeParams) -> None:
    """Apply the capabilities that the client announces; those that it leaves out stay as they were."""
    announced = params.capabilities
    if announced != ClientCapabilities() or _is_bap(params):
        session.streams.agree(_frame_bytes(params), accepted=announced.streaming)
        session.approves = announced.approves
    if params.client_info is not None:
        session.ignores_unknown = _is_bap(params)
        session.dialect = _dialect(params)
    if announced.events is not None:
        await session.set_subscriptions(Subscriptions.of(announced.events))


def _frame_bytes(params: InitializeParams) -> int | None:
    """Return the client's message limit; None: messages of any size."""
    if params.capabilities.max_message_size is not None:
        return params.capabilities.max_message_size
    return _BAP_FRAME_BYTES if _is_bap(params) else None


def _is_bap(params: InitializeParams) -> bool:
    is_named = params.client_info is not None and params.client_info.name.startswith(_BAP_CLIENT)
    return is_named or params.capabilities.compression is not None  # their users may set another name


def _dialect(params: InitializeParams) -> str:
    """Return the area of the names of events that the client listens to."""
    if not _is_bap(params):
        return OURS
    is_typescript = params.protocol_version not in (None, _BAP_PYTHON_VERSION)
    return TYPESCRIPT if is_typescript and params.capabilities.compression is not None else PYTHON


def announces_bap(raw: dict[str, Any]) -> bool:
    """Return True if unchecked params of ``initialize`` are those of a published BAP client."""
    info, capabilities = raw.get("clientInfo"), raw.get("capabilities")
    name = info.get("name") if isinstance(info, dict) else None
    is_named = isinstance(name, str) and name.startswith(_BAP_CLIENT)
    return is_named or (isinstance(capabilities, dict) and capabilities.get("compression") is not None)


def _capabilities(session: Any) -> ServerCapabilities:
    config = session.config
    return ServerCapabilities(
        browsers=[config.browser],
        events=sorted(get_args(EventKind)),
        observations=_named("observe/"),
        actions=_named("action/"),
        methods=sorted(name for name, method in METHODS.items() if session.scope_for(method) <= session.scope),
        scopes=[scope.word for scope in Scope],
        features=Features(
            auto_wait=True,
            semantic_selectors=True,
            multi_page=True,
            cancellation=True,
            tracing=True,
            storage_state=True,
            network_interception=True,
            streaming=True,
            idempotency_keys=True,
            sessions=config.session_ttl_s > 0 and config.max_parked > 0,
        ),
        limits=Limits(
            max_pages=config.max_pages,
            max_contexts=config.max_contexts,
            max_timeout=round(config.max_timeout_s * 1000),
            max_message_size=config.max_message_bytes,
            max_in_flight=config.max_in_flight,
            session_ttl=round(config.session_ttl_s * 1000),
        ),
        scope=session.scope.word,
    )


def _named(prefix: str) -> list[str]:
    return sorted(name.removeprefix(prefix) for name in METHODS if name.startswith(prefix))


@attrs.frozen(kw_only=True)
class ShutdownParams:
    """Options for the end of the session."""

    save_state: bool = False
    """True to save cookies, storage and page URLs under the session's id; needs --state-dir or --state-url."""
    close_pages: bool = True
    """False to keep the session, which needs an id, as if the connection had been lost."""


@composite("shutdown", ShutdownParams, scope=Scope.READONLY, free=True, in_session=True)
async def shutdown(call: "Call", params: ShutdownParams) -> Nothing:
    """End the session; the connection stays, and ``initialize`` may follow. [trio]

    Raises:
      InvalidParams: the pages, or the state, can't be kept.
      ServerBusy: the store of sessions does not answer; the session goes on.
    """
    if not params.close_pages:
        call.binding.park()
        return Nothing()
    session = call.session
    await call.release(keep=params.save_state)
    session.initialized, session.ended = False, True
    await session.end()
    await session.set_subscriptions(DEFAULT)
    session.forget_client()
    return Nothing()
