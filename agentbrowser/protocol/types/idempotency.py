"""What makes a request one that can be repeated."""

from typing import Final

import attrs

from agentbrowser.protocol.types.fields import field

KEY: Final = "idempotencyKey"


@attrs.frozen(kw_only=True)
class Repeatable:
    """What the params of any request may hold besides the method's own.

    A repeat with the same key, method and params gets what the first one got, without acting again; the session
    remembers the latest 256.
    """

    idempotency_key: str | None = field(default=None, minimum=1, maximum=128)
