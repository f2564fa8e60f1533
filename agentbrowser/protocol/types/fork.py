"""Result of session/fork."""

from typing import Literal

import attrs


@attrs.frozen(kw_only=True)
class NotCloned:
    """Part of a page that its copy lacks."""

    what: Literal["databases", "passwords", "files", "fields", "frames", "url", "scripts"]
    count: int
    reason: str


@attrs.frozen(kw_only=True)
class ForkResult:
    """The copy, which is not the active page, in a context of its own; destroy the context to drop it."""

    page_id: str
    context_id: str
    url: str
    not_cloned: list[NotCloned]
