"""How long something takes, as people and machines write it."""

import re
from typing import Final

_SPAN: Final = re.compile(
    r"(?<![\d.,])(?:(\d+)\s?(?:d|days?|tage?|jours?|d[ií]as?|giorn[io]|dag(?:e|ar|en)?|dni)\.?,?\s+)?"
    r"(\d+(?:[.,]\d+)?)\s?(?:h|hr|std|tim|godz|hod|t|hours?|stunden?|heures?|horas?|or[ae]|uur|timm?ar?)\.?"
    r"(?:\s*(?:(?:and|und|et|y|e|en|og|och|i)\s)?(\d+)\s?(?:m|min\w*|mn|\')?\.?)?(?!\w)",
    re.IGNORECASE,
)
"""So many days, hours and minutes."""
_MACHINE_SPAN: Final = re.compile(r"P(?:(\d+)D)?T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?")
_UNITS: Final = {
    # "Min" at the beginning is the least of something.
    "minutes": re.compile(r"\bmin(?:s|ut\w*)\b|(?<=\W)min\b|\bmn\b"),
    "hours": re.compile(r"\b(?:hours?|hrs?)\b"),
    "seconds": re.compile(r"\bsec(?:ond)?s?\b"),
}
_PER_MINUTE: Final = {"hours": 1 / 60, "seconds": 60.0}


def time_taken(text: str, called: str, said: str) -> float | None:
    """Return how long something takes in what is asked for, minutes or else: "2 h 15 min", "PT2H15M".

    Args:
      called: the name of what is asked for, which says the unit before what else is said of it.
    """
    if found := _MACHINE_SPAN.fullmatch(text):
        days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
        whole = days * 1440 + hours * 60 + minutes + seconds / 60
        return whole * _PER_MINUTE.get(_unit(called, said), 1.0)
    spoken = _SPAN.search(text)
    if not spoken or _unit(called, said) != "minutes":
        return None
    days, hours, minutes = (float((part or "0").replace(",", ".")) for part in spoken.groups())
    return days * 1440 + hours * 60 + minutes


def _unit(called: str, said: str) -> str:
    return next((unit for text in (called, said) for unit, asked in _UNITS.items() if asked.search(text)), "")
