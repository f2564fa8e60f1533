"""Caching of properties, and of functions of short texts."""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar, overload

_LONGEST: Final = 120
_MOST: Final = 20_000
_ENTRY: Final = 30
"""Characters that an entry counts for beside its text."""

_Value = TypeVar("_Value")
_Found = TypeVar("_Found")


class cached(Generic[_Value]):  # noqa: N801 - used as a decorator, like property
    """Cached property: `functools.cached_property`, without its lock before Python 3.12."""

    def __init__(self, function: Callable[[Any], _Value]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "cached[_Value]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> _Value: ...
    def __get__(self, instance: object, owner: type) -> "cached[_Value] | _Value":
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.function(instance)
        return value


class _Memory(dict[str, _Found]):
    """Results of a function for short texts: a dictionary, whose ``__getitem__`` is the fastest cached function."""

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
    """Return a function of a text with a cache of its results for short texts, which is cleared when it is full.

    Pages repeat short texts; long ones fill the memory and hardly occur again.
    """
    return _Memory(function, most).__getitem__


class _SizedMemory(dict[str, _Found]):
    """Results of a function for texts of any length, as long as all of them together are short enough."""

    def __init__(self, function: Callable[[str], _Found], most: int) -> None:
        super().__init__()
        self.function = function
        self.left = self.most = most

    def __missing__(self, text: str) -> _Found:
        found = self.function(text)
        size = len(text) + _ENTRY
        if size > self.left:
            self.clear()
            self.left = self.most
        if size <= self.left:
            self.left -= size
            self[text] = found
        return found


def memoize_within(most: int) -> Callable[[Callable[[str], _Found]], Callable[[str], _Found]]:
    """Return a decorator like `memoize`, for a function whose results grow with the text.

    Args:
      most: characters of all texts together; each counts for some more.
    """
    return lambda function: _SizedMemory(function, most).__getitem__
