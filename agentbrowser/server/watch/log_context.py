"""Log context of a task: its connection, session, request and page, identified without secrets."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Final

from structlog.contextvars import bind_contextvars, get_contextvars

_NUMBERS: Final[Iterator[int]] = itertools.count(1)


def bind_connection() -> None:
    """Add a number for the connection to the current task's log context."""
    bind_contextvars(connection=next(_NUMBERS))


def bind_request(id_: Any, method: str, session: int) -> None:
    """Add the request and the number of its session to the current task's log context."""
    bind_contextvars(request=id_, method=method, session=session)


def bind_page(page_id: str | None) -> None:
    """Add the page, if there is one, to the current task's log context."""
    if page_id is not None:
        bind_contextvars(page=page_id)


def present() -> Mapping[str, Any]:
    """Return the current task's log context."""
    return get_contextvars()
