"""Days and times: which texts can name one, and which say that there is none."""

import re
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.kinds import is_weekday, kinds_of
from agentbrowser.extraction.text.words import plain

_NO_DAY: Final = re.compile(
    r"(not|no|none|does not|doesn't|without|pending|unknown|tb[acd]|nicht|noch nicht|kein\w*|ohne|pas|aucune?|sans|non|"
    r"sin|ningun[ao]?|pendiente|senza|nessun[ao]?|sem|nenhuma?|pendente|niet|geen|ej|inte|ikke|ingen|nie|brak|bez)\b"
)
_WITHOUT_DIGITS: Final = frozenset(map(plain, (
    "never", "nie", "jamais", "nunca", "mai", "nooit", "aldrig", "nigdy", "present", "now", "ongoing", "current",
    "heute", "jetzt", "hoy", "oggi", "nu", "tomorrow", "morgen", "demain", "mañana", "domani", "idag", "i dag",
    "immediately", "sofort", "actualidad", "presente", "attuale", "en cours", "laufend", "obecnie", "atual",
)))  # fmt: skip
"""Times without a number, such as the end of what goes on."""


def names_no_day(text: str, has_date_format: bool) -> bool:
    """Return True for a text that is no day: "Not scheduled".

    Args:
      has_date_format: true where the schema asks for the format of a date, so that "Never" is none either.
    """
    if any(map(str.isnumeric, text)) or "ago" in kinds_of(text):
        return False
    folded = plain(text)
    if has_date_format:
        return not any(map(is_weekday, folded.split()))
    return _NO_DAY.match(folded) is not None


@memoize
def may_be_day(text: str) -> bool:
    """Return True for a text that can name a day or a time: it has a number, or is one of the few without."""
    if any(map(str.isnumeric, text)) or "ago" in kinds_of(text):
        return True
    folded = plain(text)
    return folded in _WITHOUT_DIGITS or any(map(is_weekday, folded.split()))
