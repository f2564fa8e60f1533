"""Rests: what the cursors of looks continue with."""

from collections.abc import Iterable, Mapping
from typing import Final

import attrs

from agentbrowser.browser.observe.look.blocks import Block, Delivered

_MAX_RESTS: Final = 64
"""Number of cursors that stay valid."""


@attrs.frozen(kw_only=True)
class Rest:
    """Blocks that a client has received of a look; its cursor continues with the others."""

    documents: Mapping[str, str]
    """Ids of the documents, by the ref prefix of their frames."""
    delivered: Mapping[str, Delivered]
    behind: str | None = None
    """Cursor of the fold that the look lists."""

    def is_of(self, documents: Mapping[str, str]) -> bool:
        """Return True if the documents are those of the look, apart from frames that came or went."""
        return all(documents.get(prefix, id_) == id_ for prefix, id_ in self.documents.items())


@attrs.define(eq=False)
class Rests:
    """The latest rests, by their cursors."""

    _rests: dict[str, Rest] = attrs.field(factory=dict, init=False)
    _count: int = attrs.field(default=0, init=False)

    def get(self, cursor: str) -> Rest | None:
        """Return the rest that a cursor continues with; None if it is no cursor of this page."""
        return self._rests.get(cursor)

    def after(
        self, before: Rest | None, blocks: Iterable[Block], documents: Mapping[str, str], behind: str | None
    ) -> str:
        """Return the cursor after some more blocks were delivered."""
        delivered = {prefix: dict(known) for prefix, known in before.delivered.items()} if before else {}
        for block in blocks:
            delivered.setdefault(block.prefix, {})[str(block.id)] = block.done
        self._count += 1
        cursor = f"w{self._count}"
        self._rests[cursor] = Rest(documents=documents, delivered=delivered, behind=behind)
        while len(self._rests) > _MAX_RESTS:
            del self._rests[next(iter(self._rests))]
        return cursor
