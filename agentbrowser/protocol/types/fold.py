"""Folds: templates of repeated rows."""

import attrs

from agentbrowser.protocol.types.selector import Selector


@attrs.frozen(kw_only=True)
class TemplateElement:
    """An element of the folded rows: its ref in the last listed row, and the common part of its names."""

    ref: str | None = None
    role: str
    name: str | None = None
    """The common name; if the names differ, their common beginning and end around ``…``."""


@attrs.frozen(kw_only=True)
class Fold:
    """Similar rows. The first ones are listed as ordinary elements; the cursor lists the others."""

    selector: Selector | None = None
    """Selector of the rows' container; absent if it is in another frame than the observed one."""
    role: str | None = None
    name: str | None = None
    count: int
    """Number of rows."""
    shown: int
    """Number of listed rows."""
    template: list[TemplateElement]
    cursor: str
    """``cursor`` for an observation that lists only the elements of the folded rows."""

    @property
    def anchor(self) -> str:
        """Return the ref of the listed element that the fold follows."""
        return f"@{self.cursor.partition('@')[2]}"
