"""Properties that are told once, when they are first asked for."""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar, overload

_LONGEST: Final = 120
_MOST: Final = 20_000

_Told = TypeVar("_Told")
_Found = TypeVar("_Found")


class cached(Generic[_Told]):  # noqa: N801 - used as a decorator, like property
    """A property that is kept once it is told: `functools.cached_property`, without its lock before Python 3.12."""

    def __init__(self, function: Callable[[Any], _Told]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, it: None, owner: type) -> "cached[_Told]": ...
    @overload
    def __get__(self, it: object, owner: type) -> _Told: ...
    def __get__(self, it: object, owner: type) -> "cached[_Told] | _Told":
        if it is None:
            return self
        told = it.__dict__[self.name] = self.function(it)
        return told


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


def memoize(function: Callable[[str], _Found], most: int = _MOST) -> Callable[[str], _Found]:
    """Return the function of a text, so that it remembers what it has found of short ones until these are too many."""
    return _Memory(function, most).__getitem__
