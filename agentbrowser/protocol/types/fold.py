"""Repeated structure, shown as a template: what a fold stands for."""

import attrs

from agentbrowser.protocol.types.selector import Selector


@attrs.frozen(kw_only=True)
class TemplateElement:
    """One element of the rows: that of the last row shown, and what its name has in common with the others."""

    ref: str | None = None
    role: str
    name: str | None = None
    """The name, if all have the same; else how all begin and end, with ``…`` for what differs."""


@attrs.frozen(kw_only=True)
class Fold:
    """Rows that are alike. The first are listed as ordinary elements, the others are listed by the cursor."""

    selector: Selector | None = None
    """Hits the container of the rows; absent for one in a frame other than the one that was looked at."""
    role: str | None = None
    name: str | None = None
    count: int
    """How many rows there are."""
    shown: int
    """How many of them are listed."""
    template: list[TemplateElement]
    cursor: str
    """As the ``cursor`` of an observation: lists the elements of the rows that are not shown, and only those."""
