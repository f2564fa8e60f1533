"""What has become of a client's pages, for the errors of those who still ask for one."""

from typing import Final

import attrs

from agentbrowser.protocol.errors import PageNotFound

_REMEMBERED: Final = 1000


@attrs.define(eq=False)
class ClosedPages:
    """The pages that ever were, the last thousand of them."""

    _became: dict[str, str] = attrs.field(factory=dict, init=False)

    def note(self, page_id: str, became: str = "was closed") -> None:
        """Remember a page, and what will be said of it once it is gone."""
        self._became[page_id] = became
        if len(self._became) > _REMEMBERED:
            del self._became[next(iter(self._became))]

    def knows(self, page_id: str) -> bool:
        """Tell whether there ever was such a page."""
        return page_id in self._became

    def missing(self, page_id: str | None) -> PageNotFound:
        """Return the error for a page that is not there."""
        became = self._became.get(page_id or "", "is not known")
        return PageNotFound(f"The page {page_id} {became}.", page_id=page_id)
