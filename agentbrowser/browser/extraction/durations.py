"""How long something takes, as people and machines write it."""

import re
from typing import Final

_SPAN: Final = re.compile(
    r"(?:^P(?:\d+D)?T)?(\d+)\s?(?:h|hr|std|tim|godz|hod|t|hours?|stunden?|heures?|horas?|or[ae]|uur|timm?ar?)\.?"
    r"(?:\s*(?:(?:and|und|et|y|e|en|og|och|i)\s)?(\d+)\s?(?:m|min\w*|mn|\')?\.?)?(?!\w)",
    re.IGNORECASE,
)
"""So many hours and minutes."""
_MACHINE_SPAN: Final = re.compile(r"P(?:(\d+)D)?T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?")
_IN_MINUTES: Final = re.compile(r"\bmin(?:s|ut\w*)?\b|\bmn\b")


def time_taken(text: str, asked: str) -> float | None:
    """Return how long something takes in what is asked for, minutes or else: "2 h 15 min", "PT2H15M"."""
    if found := _MACHINE_SPAN.fullmatch(text):
        days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
        whole = days * 1440 + hours * 60 + minutes + seconds / 60
        return whole / 60 if "hour" in asked else whole * 60 if "second" in asked else whole
    if not _IN_MINUTES.search(asked) or not (spoken := _SPAN.search(text)):
        return None
    return float(spoken[1]) * 60 + float(spoken[2] or 0)
