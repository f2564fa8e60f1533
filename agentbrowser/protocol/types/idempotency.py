"""Idempotency keys."""

from typing import Final

import attrs

from agentbrowser.protocol.types.fields import field

KEY: Final = "idempotencyKey"


@attrs.frozen(kw_only=True)
class Repeatable:
    """Common params of all requests.

    A repetition with the same key, method and params gets the first reply, without acting again. The session keeps the
    latest 256 replies.
    """

    idempotency_key: str | None = field(default=None, minimum=1, maximum=128)
