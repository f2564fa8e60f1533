"""Properties that are told once, when they are first asked for."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

_Told = TypeVar("_Told")


class lazy(Generic[_Told]):  # noqa: N801 - used as a decorator, like property
    """A property that is kept once it is told: `functools.cached_property`, without its lock before Python 3.12."""

    def __init__(self, function: Callable[[Any], _Told]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, it: None, owner: type) -> "lazy[_Told]": ...
    @overload
    def __get__(self, it: object, owner: type) -> _Told: ...
    def __get__(self, it: object, owner: type) -> "lazy[_Told] | _Told":
        if it is None:
            return self
        told = it.__dict__[self.name] = self.function(it)
        return told
