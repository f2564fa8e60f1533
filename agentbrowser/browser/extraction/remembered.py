"""Remembering what was found of short texts, which pages repeat; long ones fill the memory and hardly come again."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, Final, ParamSpec, TypeVar

_LONGEST: Final = 120
_MOST: Final = 20_000

_Rest = ParamSpec("_Rest")
_Found = TypeVar("_Found")


def remembered(
    function: Callable[Concatenate[str, _Rest], _Found],
) -> Callable[Concatenate[str, _Rest], _Found]:
    """Return the function of a text, so that it remembers what it has found of the latest short ones."""
    known = lru_cache(maxsize=_MOST)(function)

    @wraps(function)
    def told(text: str, /, *args: _Rest.args, **kwargs: _Rest.kwargs) -> _Found:
        return known(text, *args, **kwargs) if len(text) <= _LONGEST else function(text, *args, **kwargs)  # type: ignore[arg-type]

    return told
