"""Durations, as people and machines write them."""

import re
from typing import Final

_SPAN: Final = re.compile(
    r"(?<![\d.,])(?:(\d+)\s?(?:d|days?|tage?|jours?|d[ií]as?|giorn[io]|dag(?:e|ar|en)?|dni)\.?,?\s+)?"
    r"(\d+(?:[.,]\d+)?)\s?(?:h|hr|std|tim|godz|hod|t|hours?|stunden?|heures?|horas?|or[ae]|uur|timm?ar?)\.?"
    r"(?:\s*(?:(?:and|und|et|y|e|en|og|och|i)\s)?(\d+)\s?(?:m|min\w*|mn|\')?\.?)?(?!\w)",
    re.IGNORECASE,
)
"""Days, hours and minutes."""
_MACHINE_SPAN: Final = re.compile(r"P(?:(\d+)D)?T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?")
_CLOCK: Final = re.compile(r"\s*(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)\s*")
_UNITS: Final = {
    # "Min" at the beginning means minimum.
    "minutes": re.compile(r"\bmin(?:s|ut\w*)\b|(?<=\W)min\b|\bmn\b"),
    "hours": re.compile(r"\b(?:hours?|hrs?)\b"),
    "seconds": re.compile(r"\bsec(?:ond)?s?\b"),
}
_PER_MINUTE: Final = {"hours": 1 / 60, "seconds": 60.0}


def duration_in(text: str, name: str, full_text: str) -> float | None:
    """Return a duration in the unit of a field, by default minutes: "2 h 15 min", "PT2H15M".

    Args:
      name: the name of the field, whose unit takes precedence.
      full_text: the name and description of the field.
    """
    if found := _MACHINE_SPAN.fullmatch(text):
        days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
        whole = days * 1440 + hours * 60 + minutes + seconds / 60
        return whole * _PER_MINUTE.get(_unit(name, full_text), 1.0)
    if (clock := _CLOCK.fullmatch(text)) and (unit := _unit(name, full_text)):
        return _by_clock(clock, unit)
    spoken = _SPAN.search(text)
    if not spoken or _unit(name, full_text) != "minutes":
        return None
    days, hours, minutes = (float((part or "0").replace(",", ".")) for part in spoken.groups())
    return days * 1440 + hours * 60 + minutes


def _by_clock(clock: re.Match[str], unit: str) -> float | None:
    hours, first, last = (float(part or 0) for part in clock.groups())
    if clock[1] is None:  # 4:05 is minutes and seconds, or hours and minutes
        return {"seconds": first * 60 + last, "hours": first + last / 60}.get(unit)
    return (hours * 60 + first + last / 60) * _PER_MINUTE.get(unit, 1.0)


def is_unclear_clock(text: str, name: str, full_text: str) -> bool:
    """Return True for a duration in minutes that is written as 4:05: minutes and seconds, or hours and minutes."""
    clock = _CLOCK.fullmatch(text)
    return clock is not None and clock[1] is None and _unit(name, full_text) == "minutes"


def _unit(name: str, full_text: str) -> str:
    return next((unit for text in (name, full_text) for unit, pattern in _UNITS.items() if pattern.search(text)), "")
