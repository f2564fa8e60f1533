"""The lists of what a script has gathered, which it tells once however many columns have them."""

from collections.abc import Sequence
from typing import Any


def unpacked(gathered: dict[str, Any]) -> dict[str, Any]:
    """Return what was gathered with every list where it belongs."""
    series = [_series(one) for one in gathered["series"]]
    for group in gathered["groups"]:
        every = list(range(group["rows"]))
        for column in group["columns"]:
            column["texts"], column["spots"] = series[column["texts"]], series[column["spots"]]
            column.setdefault("rows", every)
    return gathered


def _series(told: list[Any]) -> Sequence[Any]:
    """Return a list, or all of it where it is told as a first number, a step and a count, or a text and a count."""
    match told:
        case [[first, step, count]]:
            return range(first, first + step * count, step)
        case [[text, count]]:
            return [text] * count
    return told
