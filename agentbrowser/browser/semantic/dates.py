"""Dates in descriptions and names: another day is never meant, however many words two dates share."""

from functools import lru_cache
from typing import Final

import attrs

from agentbrowser.browser.semantic.words import split
from agentbrowser.extraction.text.kinds import date_in

_LAST_DAY: Final = 31
_BEGINNINGS: Final = (
    *("jan ene gen", "feb fev", "mar mrt", "apr avr abr", "may mai mag mei maj", "jun juin giu", "jul juil lug"),
    *("aug aou ago", "sep set", "oct okt ott out", "nov", "dec dez dic des"),
)
_DAYS: Final = (
    *("mon tue wed thu fri sat sun", "die mit don fre sam son", "lun mar mer jeu ven dim", "mie jue vie sab dom"),
    *("gio", "maa din woe vri zat zon", "seg ter qua qui sex"),
)
_WEEKDAYS: Final = frozenset(" ".join(_DAYS).split())
_MONTHS: Final = {
    beginning: number for number, beginnings in enumerate(_BEGINNINGS, 1) for beginning in beginnings.split()
}


@attrs.frozen
class NamedDate:
    """A date whose month is a word; each part is None if it is not there, or not known."""

    month: int
    day: int | None
    year: int | None

    def differs(self, other: "NamedDate | None") -> bool:
        """Return True if both have a part that is another one."""
        if other is None:
            return False
        pairs = ((self.month, other.month), (self.day, other.day), (self.year, other.year))
        return any(one is not None and two is not None and one != two for one, two in pairs)


@lru_cache(maxsize=4096)
def named_date(text: str) -> NamedDate | None:
    """Return the first date of a text, if its month is a word in a language of which this module has the months."""
    date = date_in(text) if any(map(str.isdigit, text)) else None
    words = split(date) if date else ()
    month = next((found for word in words if (found := _MONTHS.get(word[:4], _MONTHS.get(word[:3])))), None)
    if month is None:
        return None
    digits = ("".join(filter(str.isdigit, word)) for word in words if word[:1].isdigit())
    numbers = [int(number) for number in digits]
    day = next((number for number in numbers if number <= _LAST_DAY), None)
    return NamedDate(month, day, next((number for number in numbers if number > _LAST_DAY), None))


def is_part_of_date(word: str) -> bool:
    """Return True for a number, a month or a day of the week."""
    return any(map(str.isdigit, word)) or word[:4] in _MONTHS or word[:3] in _MONTHS or word[:3] in _WEEKDAYS
