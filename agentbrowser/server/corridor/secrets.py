"""Resolution of the secrets that a request names, and the check of the client's right to them."""

from typing import TYPE_CHECKING, Any

from agentbrowser.policy.secrets import Secret, SecretStore, names_in
from agentbrowser.protocol.codec import marked_fields
from agentbrowser.protocol.errors import InvalidParams, ScopeDenied
from agentbrowser.protocol.types.fields import HOLDS_SECRETS

if TYPE_CHECKING:
    from agentbrowser.server.sessions.session import Session


def secrets_in(session: "Session", method: str, params: Any) -> tuple[Secret, ...]:
    """Return the secrets that params name.

    Raises:
      InvalidParams: there is no secret of that name.
      ScopeDenied: the operator denies the secret to connections of this scope.
    """
    marked = marked_fields(params, HOLDS_SECRETS)
    named = [(wire, name) for wire, field in marked for name in names_in(getattr(params, field))]
    return tuple(_secret(session, method, wire, name) for wire, name in named)


def _secret(session: "Session", method: str, path: str, name: str) -> Secret:
    secret_store = session.config.secrets or SecretStore()
    secret = secret_store.find(name)
    if secret is None:
        known = [one.name for one in secret_store.secrets if session.scope in one.scopes]
        expected = f"one of {', '.join(known)}" if known else "text without {{secret:…}}, since no secret is available"
        message = f"{path} names the secret {name[:64]!r}, which does not exist."
        raise InvalidParams(message, path=path, expected=expected, got=name[:64])
    if session.scope not in secret.scopes:
        raise ScopeDenied(
            f"The secret {name} is not for connections of scope {session.scope.word}.",
            method=method,
            secret=name,
            required=" or ".join(scope.word for scope in sorted(secret.scopes)),
            granted=session.scope.word,
            hint="Ask the operator for a token with that scope.",
        )
    return secret
