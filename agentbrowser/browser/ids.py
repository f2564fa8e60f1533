"""Names for things of the browser that have none of their own on the wire."""

import itertools
from collections.abc import Iterator, MutableMapping
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

import attrs

ThingT = TypeVar("ThingT")


@attrs.define(eq=False)
class Ids(Generic[ThingT]):
    """An id for each thing of one kind that a client is told of, unique and the same for the thing's life."""

    prefix: str
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1), init=False)
    _known: MutableMapping[ThingT, str] = attrs.field(factory=WeakKeyDictionary, init=False)

    def of(self, thing: ThingT) -> str:
        """Return its id."""
        known = self._known.get(thing)
        if known is None:
            known = self._known[thing] = f"{self.prefix}-{next(self._numbers)}"
        return known
