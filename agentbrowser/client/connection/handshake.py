"""Handshake of each connection (``initialize``), with the session key that resumes a session."""

import secrets
from typing import Any, Final

import attrs

from agentbrowser import __version__
from agentbrowser.client.connection.transport import ConnectionLost
from agentbrowser.protocol.types.stream import MIN_FRAME_BYTES

PROTOCOL_VERSION: Final = "0.9.0"
MAX_FRAME_BYTES: Final = 4 * 1024 * 1024
"""Largest message that the client accepts; the server streams larger results in chunks, between other messages."""

NO_APPROVER: Final = {"approves": False}
"""Capability of a client that decides on no requests of others."""


@attrs.define(kw_only=True)
class SessionKey:
    """Id and secret of a session, which resume it, also from another process."""

    id: str = attrs.field(factory=lambda: secrets.token_urlsafe(16))
    secret: str | None = attrs.field(default=None, repr=False)
    last_event: int | None = None
    """Number of the last received event; the server replays from the next one."""


@attrs.define(eq=False, kw_only=True)
class Handshake:
    """The ``initialize`` request of a session, which is repeated on each connection."""

    session: SessionKey = attrs.field(factory=SessionKey)
    ends_session: bool = True
    """True if closing the client ends the session."""
    approves: bool = True
    """True if the client may be asked to approve the requests of others."""
    answer: Any = attrs.field(default=None, init=False)
    """Result of the latest ``initialize``, as plain data."""
    max_frame_bytes: int = attrs.field(default=MAX_FRAME_BYTES, validator=attrs.validators.ge(MIN_FRAME_BYTES))

    def params(self) -> dict[str, Any]:
        """Return the params of ``initialize``."""
        params = {
            "protocolVersion": PROTOCOL_VERSION,
            "clientInfo": {"name": "agentbrowser-python", "version": __version__},
            "capabilities": {
                "streaming": True,
                "maxMessageSize": self.max_frame_bytes,
                **({} if self.approves else NO_APPROVER),
            },
            "sessionId": self.session.id,
            "sessionSecret": self.session.secret,
            "lastEvent": self.session.last_event,
        }
        return {name: value for name, value in params.items() if value is not None}

    def accept(self, answer: Any) -> None:
        """Store the result of ``initialize``, before the events that follow it are numbered.

        Raises:
          ConnectionLost: another kind of server has sent it.
        """
        if not isinstance(answer, dict):
            raise ConnectionLost("The server does not answer as agentbrowser does.", retryable=False)
        self.answer = answer
        self.session.secret = answer.get("sessionSecret") or self.session.secret
        if self.restored != "warm":
            self.session.last_event = None

    @property
    def restored(self) -> str | None:
        """Return ``warm`` or ``cold`` if the server restored the session; None for a new one."""
        restored = self.answer.get("restored")
        return None if restored is None else str(restored)

    @property
    def max_message_bytes(self) -> int | None:
        """Return the largest message that the server accepts; None if it has announced no limit."""
        limits = ((self.answer or {}).get("capabilities") or {}).get("limits") or {}
        return limits.get("maxMessageSize")

    def start_new_session(self) -> None:
        """Request a new session from now on, as the server has forgotten this one."""
        self.session.secret = self.session.last_event = None

    def accept_event(self, number: Any) -> bool:
        """Record the number of an event; return False for a duplicate. Events of unnamed sessions have no number."""
        if type(number) is not int:
            return True
        if self.session.last_event is not None and number <= self.session.last_event:
            return False
        self.session.last_event = number
        return True
