"""Remembering what was found of short texts, which pages repeat; long ones fill the memory and hardly come again."""

from collections.abc import Callable
from typing import Final, TypeVar

_LONGEST: Final = 120
_MOST: Final = 20_000

_Found = TypeVar("_Found")


class _Memory(dict[str, _Found]):
    """What a function has returned for short texts: a dictionary, since nothing else is as quick to ask."""

    def __init__(self, function: Callable[[str], _Found], most: int) -> None:
        super().__init__()
        self.function = function
        self.most = most

    def __missing__(self, text: str) -> _Found:
        found = self.function(text)
        if len(text) <= _LONGEST:
            if len(self) >= self.most:
                self.clear()
            self[text] = found
        return found


def remembered(function: Callable[[str], _Found], most: int = _MOST) -> Callable[[str], _Found]:
    """Return the function of a text, so that it remembers what it has found of short ones until these are too many."""
    return _Memory(function, most).__getitem__
