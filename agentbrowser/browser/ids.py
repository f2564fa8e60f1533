"""Ids on the wire: of browser objects that have none of their own, and of pages that existed before."""

import itertools
from collections.abc import Iterator, MutableMapping
from typing import Final, Generic, TypeVar
from weakref import WeakKeyDictionary

import attrs

from agentbrowser.protocol.errors import PageNotFound

ObjectT = TypeVar("ObjectT")

_MAX_PAGES: Final = 1000
LOST: Final = "was lost with its browser"
"""Reason of a page that a client may open anew."""
_NEW_SESSION_HINT: Final = (
    "The session may be new, as after a restart of the server: pages of earlier sessions are gone. "
    "Call page/list for the pages that are open, or page/create."
)


@attrs.define(eq=False)
class Ids(Generic[ObjectT]):
    """Unique ids for objects of one kind; an object keeps its id for its lifetime."""

    prefix: str
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    _ids: MutableMapping[ObjectT, str] = attrs.field(factory=WeakKeyDictionary, init=False)

    def of(self, item: ObjectT) -> str:
        """Return the object's id."""
        known = self._ids.get(item)
        if known is None:
            known = self._ids[item] = f"{self.prefix}-{next(self._numbers)}"
        return known


@attrs.define(eq=False)
class ClosedPages:
    """Ids of a client's last thousand pages, with the reason for the error once a page is gone."""

    _reasons: dict[str, str] = attrs.field(factory=dict, init=False)

    def note(self, page_id: str, reason: str = "was closed") -> None:
        """Remember a page, and why it will be missing once it is gone."""
        self._reasons[page_id] = reason
        if len(self._reasons) > _MAX_PAGES:
            del self._reasons[next(iter(self._reasons))]

    def has_stayed(self, page_id: str) -> bool:
        """Return True if a page ever had this id, and was not lost, maybe before its creation was reported."""
        return page_id in self._reasons and not self.is_lost(page_id)

    def is_lost(self, page_id: str | None) -> bool:
        """Return True if the page was lost with its browser."""
        return self._reasons.get(page_id or "") == LOST

    def not_found(self, page_id: str | None) -> PageNotFound:
        """Return the error for a page that does not exist."""
        if page_id is None:
            return PageNotFound("No page is open.", hint="Call page/create.")
        reason = self._reasons.get(page_id)
        if reason is None:
            message = f"This session has no page {page_id}. It may be one of an earlier session."
            return PageNotFound(message, page_id=page_id, hint=_NEW_SESSION_HINT)
        return PageNotFound(f"The page {page_id} {reason}.", page_id=page_id)
