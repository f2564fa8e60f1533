"""What the client says of itself on every connection, and what it keeps to get its session back."""

import secrets
from typing import Any, Final

import attrs

from agentbrowser import __version__
from agentbrowser.protocol.types.stream import MIN_FRAME_BYTES

PROTOCOL_VERSION: Final = "0.9.0"
MAX_FRAME_BYTES: Final = 4 * 1024 * 1024
"""The largest message the client asks for: a larger result comes in pieces, between which others get their turn."""


@attrs.define(kw_only=True)
class SessionKey:
    """What it takes to come back to a session, also from another process: its name, and the secret the server gave."""

    id: str = attrs.field(factory=lambda: secrets.token_urlsafe(16))
    secret: str | None = attrs.field(default=None, repr=False)
    last_event: int | None = None
    """The number of the latest event that was heard; the server goes on with the next."""


@attrs.define(eq=False, kw_only=True)
class Hello:
    """An introduction that can be repeated."""

    session: SessionKey = attrs.field(factory=SessionKey)
    ends_session: bool = True
    """Whether the session is over once the client leaves."""
    answer: Any = attrs.field(default=None, init=False)
    """What the server has said of itself, as plain data."""
    max_frame_bytes: int = attrs.field(default=MAX_FRAME_BYTES, validator=attrs.validators.ge(MIN_FRAME_BYTES))

    def params(self) -> dict[str, Any]:
        """Return the params of ``initialize``."""
        said = {
            "protocolVersion": PROTOCOL_VERSION,
            "clientInfo": {"name": "agentbrowser-python", "version": __version__},
            "capabilities": {"streaming": True, "maxMessageSize": self.max_frame_bytes},
            "sessionId": self.session.id,
            "sessionSecret": self.session.secret,
            "lastEvent": self.session.last_event,
        }
        return {name: value for name, value in said.items() if value is not None}

    def heard(self, answer: Any) -> None:
        """Keep what the server has answered; events that follow at once are counted by it."""
        self.answer = answer
        self.session.secret = answer.get("sessionSecret") or self.session.secret
        if self.restored != "warm":
            self.session.last_event = None

    @property
    def restored(self) -> str | None:
        """How much of the session the server had kept; None where it began anew."""
        restored = self.answer.get("restored")
        return None if restored is None else str(restored)

    @property
    def max_message_bytes(self) -> int | None:
        """What the server takes at most as one message; None where it has not said so."""
        limits = ((self.answer or {}).get("capabilities") or {}).get("limits") or {}
        return limits.get("maxMessageSize")

    def begin_anew(self) -> None:
        """Ask for a new session from now on: the server does not know this one any more."""
        self.session.secret = self.session.last_event = None

    def is_news(self, number: Any) -> bool:
        """Note the number of an event; return False if it was heard before. Where nothing is kept they have none."""
        if type(number) is not int:
            return True
        if self.session.last_event is not None and number <= self.session.last_event:
            return False
        self.session.last_event = number
        return True
