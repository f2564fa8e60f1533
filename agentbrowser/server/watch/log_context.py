"""Log context of a task: its connection, session, request and page, by names that contain no secret."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any, Final

from structlog.contextvars import bind_contextvars, get_contextvars

_NUMBERS: Final[Iterator[int]] = itertools.count(1)


def bind_connection() -> None:
    """Number the connection that the present task serves."""
    bind_contextvars(connection=next(_NUMBERS))


def bind_request(id_: Any, method: str, session: int) -> None:
    """Name the request that the present task answers, and the session that it is for, by its number."""
    bind_contextvars(request=id_, method=method, session=session)


def bind_page(page_id: str | None) -> None:
    """Name the page that the present task works on, if there is one."""
    if page_id is not None:
        bind_contextvars(page=page_id)


def present() -> Mapping[str, Any]:
    """Return what the present task is about."""
    return get_contextvars()
