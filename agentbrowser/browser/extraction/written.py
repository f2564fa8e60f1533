"""In which of its forms a value is asked for: as the page shows it, or as its markup has it for machines."""

import re
from typing import Final

from agentbrowser.browser.extraction.wishes import Wish

_ISO: Final = re.compile(r"\biso\b|yyyy|8601|machine|\btimestamp\b|\bdatetime\b|\btime element")
_ATTRIBUTE: Final = re.compile(r"\bat+ribut|属性")
_SHOWN: Final = re.compile(r"\b(?:shown|displayed|display|visible|angezeigt|affichée?|mostrad[ao]|visad|vist)\b")


def wants_iso(wish: Wish) -> bool:
    """Tell whether a date is asked for as machines write it."""
    return wish.format in ("date", "date-time") or bool(_ISO.search(wish.said))


def wants_markup(wish: Wish) -> bool:
    """Tell whether what an attribute says is asked for."""
    return bool(_ATTRIBUTE.search(wish.said))


def wants_shown(wish: Wish) -> bool:
    """Tell whether what the page shows is asked for."""
    return bool(_SHOWN.search(wish.said))
