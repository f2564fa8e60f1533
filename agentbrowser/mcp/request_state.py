"""Codec of ``requestState``: hexadecimal digits that a client returns unchanged, or its call is rejected.

The SDK puts expiry, tool, and digest of the arguments beside the id of the suspended call, and checks them. The id is
good for one answer (`RunningCalls`). Nothing in it is secret, so it is authenticated and not encrypted.
"""

import hmac
import secrets
from typing import Final

import attrs
from mcp.server.request_state import InvalidRequestState, RequestStateSecurity

_DIGEST: Final = "sha256"
_DIGEST_BYTES: Final = 32


@attrs.frozen
class HmacCodec:
    """HMAC before its payload, both as hexadecimal digits, under a key that this object alone knows."""

    _key: bytes = attrs.field(factory=lambda: secrets.token_bytes(_DIGEST_BYTES), repr=False)

    def seal(self, payload: bytes) -> str:
        """Return a payload with its HMAC."""
        return (self._sum(payload) + payload).hex()

    def unseal(self, token: str) -> bytes:
        """Return the payload of a token.

        Raises:
          InvalidRequestState: this object did not make it.
        """
        try:
            sealed = bytes.fromhex(token)
        except ValueError:
            raise InvalidRequestState("malformed") from None
        digest, payload = sealed[:_DIGEST_BYTES], sealed[_DIGEST_BYTES:]
        if sealed.hex() != token or not hmac.compare_digest(digest, self._sum(payload)):
            raise InvalidRequestState("seal")
        return payload

    def _sum(self, payload: bytes) -> bytes:
        return hmac.digest(self._key, payload, _DIGEST)


def security(ttl_s: float) -> RequestStateSecurity:
    """Return the protection of states that are good for this time, in this process."""
    return RequestStateSecurity(codec=HmacCodec(), ttl=ttl_s)
