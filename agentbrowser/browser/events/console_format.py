"""Format strings of console messages, filled in as a browser does (the Console Standard, section 2.2)."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final

# Methods that do not format: `dir`, `table`, `count`, timers.
FORMATTED: Final = frozenset(
    {"log", "debug", "info", "warning", "error", "trace", "assert", "startGroup", "startGroupCollapsed"}
)
_SPECIFIER: Final = re.compile(r"%([sdifoOc%])")
_INTEGER: Final = re.compile(r"\s*([+-]?\d+)")
_FLOAT: Final = re.compile(r"\s*([+-]?(?:Infinity|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))")
# The vendor's preview of an object; it does not say which arguments are text.
_OBJECT: Final = re.compile(r"\{[\w$]+: .*\}|JSHandle@.*", re.DOTALL)


def formatted(arguments: Sequence[str]) -> str:
    """Return the text of a console message.

    Args:
      arguments: each argument as text; objects as previews.
    """
    if len(arguments) < 2 or _OBJECT.fullmatch(arguments[0]):
        return " ".join(arguments)
    rest = iter(arguments[1:])
    text = _SPECIFIER.sub(lambda found: _filled(found, rest), arguments[0])
    return " ".join((text, *rest))


def _filled(specifier: re.Match[str], rest: Iterator[str]) -> str:
    """Return the text in place of a specifier; the specifier itself if no argument is left."""
    kind = specifier[1]
    if kind == "%":
        return "%"
    argument = next(rest, None)
    if argument is None:
        return specifier[0]
    match kind:
        case "c":
            return ""  # a style
        case "d" | "i":
            found = _INTEGER.match(argument)
            return str(int(found[1])) if found else "NaN"
        case "f":
            return _float_text(argument)
        case _:
            return argument


def _float_text(argument: str) -> str:
    found = _FLOAT.match(argument)
    number = float(found[1]) if found else math.nan
    if not math.isfinite(number):
        return "NaN" if math.isnan(number) else "Infinity" if number > 0 else "-Infinity"
    return str(int(number)) if number.is_integer() and abs(number) < 1e21 else repr(number)
