"""Numbers as people write them: separators of several locales, signs, percentages, scales, stars, words."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Final, Literal

import attrs

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.words import plain

Mark = Literal[".", ","]

_SPACE: Final = "[ \u00a0\u202f\u2009]"
_DIGITS: Final = rf"\d+(?:(?:[.,'’]|{_SPACE}(?=\d{{3}}(?!\d)))\d+)*"
_NUMBER: Final = re.compile(
    rf"(?P<open>\()?(?P<sign>[-−–+]?)\s?(?P<currency>(?:[A-Z]{{1,3}})?[$€£¥₹₽₩₺₴]\s?)?(?P<inner>[-−–]?)"
    rf"(?P<digits>(?<![\d.,])(?:{_DIGITS}|[.,]\d+))"
    rf"(?:\s?(?P<scale>thousand|million|millionen|millions|billion|billions|trillion|mrd|mio|mln|mill|tsd|mil|milliarden|bn|tn|"
    rf"lakh|crores?|[kKMBT])(?![\w²³]|\.\w)|\s?(?P<wide>[万萬만億亿억千]))?(?P<rest>\s?%)?(?P<close>\s?[$€£¥]?\))?",
    re.IGNORECASE,
)
_ALL_DIGITS: Final = re.compile(_DIGITS)
_SEVENS: Final = str.maketrans("123456789", "777777777")
"""Digits that decide no decimal mark, as a leading 0 does, in place of which one is read for all."""
_NO_THOUSANDS: Final = re.compile(
    r"\.(?:\d{1,2}|\d{4,})\.|\.\d+\.(?:\d{1,2}|\d{4,})(?!\d)|,(?:\d|\d{4,}),|,\d+,(?:\d{1,2}|\d{4,})(?!\d)"
)
"""Digits in groups that are no thousands: 127.0.0.1, 1.2.3, 30.08.1910. In India, groups have two digits: 1,29,999."""
_MARKS_OF_THOUSANDS: Final = re.compile(rf"{_SPACE}|['’]")
_BEFORE: Final = re.compile(r"[\w%)]$")
_MANY: Final = 1000
"""Least number that no one writes before "m" for millions: 1480m, 1,480m."""
_NEAR: Final = 4
"""Length of the text before a sign that decides whether it is a minus."""
_COLON: Final = re.compile(r"(?<=\d):(?=\d\d\s?(?:kr|sek|nok|dkk)\b)|(?<=kr\s\d{2}):(?=\d\d(?!\d))", re.IGNORECASE)
"""The colon before the hundredths of an amount in Swedish: 79:50 kr."""
_SECONDS: Final = re.compile(r"\s?\d+\s?s")
_IN_THOUSANDS: Final = re.compile(
    r"(?:€|eur|kr|zł|pln|r\$|kč|₺)\.?\s?\d{1,3}(?P<before>[.,])\d{3}(?!\d|[.,]\d)|"
    r"[$£]\s?\d{2,3}(?P<long>[.,])\d{3}(?!\d|[.,]\d)|"
    r"(?<![\d.,])\d{1,3}(?P<behind>[.,])\d{3}(?:,[-–])?\s?(?:€|eur|kr|zł|pln|r\$|kč|₺)",
    re.IGNORECASE,
)
"""An amount of money with one separator before three digits: money has no thousandths, ..."""
_PER_VOLUME: Final = re.compile(r"/\s?(?:l|kwh|gal)\b|\b(?:lit(?:er|re)|kwh|gallon)", re.IGNORECASE)
"""... except prices of fuel."""
_CENTS: Final = re.compile(r"[.,]\d\d$")
_SCALES: Final = {
    **dict.fromkeys(("k", "tsd", "thousand", "千", "mil"), 1e3),
    **dict.fromkeys(("m", "mio", "mln", "mill", "million", "millions", "millionen"), 1e6),
    **dict.fromkeys(("b", "bn", "billion", "billions", "mrd", "milliarden"), 1e9),
    **dict.fromkeys(("t", "tn", "trillion"), 1e12),
    **dict.fromkeys("万萬만", 1e4),
    **dict.fromkeys("億亿억", 1e8),
    "lakh": 1e5,
    **dict.fromkeys(("crore", "crores"), 1e7),
}
_WORDS: Final = {
    word: number
    for number, names in enumerate(
        (
            "zero null cero zéro keine none no",
            "one ein eins eine un una uno une",
            "two zwei deux dos due twee",
            "three drei trois tres tre drie",
            "four vier quatre cuatro quattro",
            "five fünf cinq cinco cinque vijf",
            "six sechs seis sei zes",
            "seven sieben sept siete sette",
            "eight acht huit ocho otto",
            "nine neun neuf nueve nove",
            "ten zehn dix diez dieci tien",
        )
    )
    for word in names.split()
}
_FULL_STARS: Final = "★⭐🌟"
_STARS: Final = re.compile(rf"^\s*([{_FULL_STARS}]+)(½)?\ufe0f?\s*(☆*)\s*(?:\D.*)?$", re.DOTALL)
_OUT_OF: Final = re.compile(r"\s*(?:/|out of|von|sur|de|of|su|van|z|av|auf)\s*", re.IGNORECASE)


@attrs.frozen
class Number:
    """A number with its position in its text."""

    value: float
    start: int
    end: int


def decimal_mark(texts: Sequence[str], language: str) -> Mark:
    """Return the decimal mark of texts; the language's if they do not show it."""
    joined = "".join(texts)
    forms = _ALL_DIGITS.findall("\n".join(texts).translate(_SEVENS)) if "." in joined or "," in joined else []
    shown: Counter[Mark | None] = Counter()
    for form, count in Counter(forms).items():
        shown[_shown_mark(form)] += count
    if shown["."] != shown[","]:
        return "." if shown["."] > shown[","] else ","
    found = _IN_THOUSANDS.search(joined) if "." in joined or "," in joined else None
    if found and not _PER_VOLUME.search(joined):
        return "," if "." in found.groups() else "."
    return _mark_of(language)


def _mark_of(language: str) -> Mark:
    tongue, _, place = language.lower().partition("-")
    if (tongue, place) in (("de", "ch"), ("de", "li"), ("es", "mx"), ("it", "ch"), ("fr", "ch")):
        return "."
    return "," if tongue in _COMMA_TONGUES else "."


_COMMA_TONGUES: Final = frozenset((
    "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "nb", "nn", "no", "fi", "cs", "sk", "ru", "uk", "tr", "el",
    "hu", "ro", "bg", "hr", "sl", "sr", "et", "lv", "lt", "id", "vi", "ca", "is",
))  # fmt: skip


def _shown_mark(digits: str) -> Mark | None:
    """Return the decimal mark of digits; None if it is ambiguous."""
    last = max(digits.rfind("."), digits.rfind(","))
    if last < 0:
        return None
    mark, tail = digits[last], digits[last + 1 :]
    other = "," if mark == "." else "."
    if other in digits[:last]:
        return mark  # type: ignore[return-value]
    if digits.count(mark) > 1:
        return other  # type: ignore[return-value]
    head = digits[:last]
    if len(tail) != 3 or len(head) > 3 or head.startswith("0") or " " in head or "'" in head:
        return mark  # type: ignore[return-value]
    return None


def numbers_in(text: str, mark: Mark) -> Sequence[Number]:
    """Return the numbers of a text, in order."""
    return _NUMBERS[mark](text)


def _numbers(mark: Mark, text: str) -> Sequence[Number]:
    if ":" in text:
        text = _COLON.sub(mark, text)
    found = [
        Number(_value(one, mark), one.start(), one.end())
        for one in _NUMBER.finditer(text)
        if not _NO_THOUSANDS.search(one["digits"])
    ]
    return tuple(
        one
        for place, one in enumerate(found)
        if not place or not _OUT_OF.fullmatch(text[found[place - 1].end : one.start])
    )


_MARKS: Final[tuple[Mark, ...]] = (".", ",")
_NUMBERS: Final = {mark: memoize(partial(_numbers, mark)) for mark in _MARKS}


def _value(found: "re.Match[str]", mark: Mark) -> float:
    value = _digits_value(found["digits"], mark)
    if wide := found["wide"]:
        value *= _SCALES[wide]
    elif (scale := found["scale"]) and not _is_unit(found, scale, value):
        value *= _SCALES.get(scale.lower(), 1)
    is_in_brackets = found["open"] and found["close"] and (found["currency"] or _CENTS.search(found["digits"]))
    if is_in_brackets or _is_negative(found):
        value = -value
    return round(value, 10)


def _is_unit(found: "re.Match[str]", scale: str, value: float) -> bool:
    """Return True if a letter is a unit, a note or a house number: 412 m, 3 t, "52m" alone, 4m 12s, but not £1.2m."""
    is_apart = found.string[found.start("scale") - 1].isspace()
    is_letter = scale in ("m", "b") or (scale == "B" and found["digits"].isdecimal())
    is_tonne = scale in ("t", "T")
    is_all = scale == "m" and found.string.strip() == f"{found['digits']}m" and found["digits"].isdecimal()
    is_minutes = scale == "m" and _SECONDS.match(found.string, found.end("scale")) is not None
    is_thousandths = scale == "m" and value >= _MANY
    return not found["currency"] and (is_tonne or is_all or is_minutes or is_thousandths or (is_letter and is_apart))


def _is_negative(found: "re.Match[str]") -> bool:
    sign = found["sign"]
    if not sign or sign not in "-−–":
        return bool(found["inner"])
    before = found.string[max(0, found.start("sign") - _NEAR) : found.start("sign")]
    is_apart = sign == "–" or found.string[found.end("sign")].isspace()  # "54.000 - 62.500" is a span
    return bool(found["inner"]) or not _BEFORE.search(before.rstrip() if is_apart else before)


def _digits_value(digits: str, mark: Mark) -> float:
    shown = _shown_mark(digits) or mark
    clean = _MARKS_OF_THOUSANDS.sub("", digits)
    other = "," if shown == "." else "."
    clean = clean.replace(other, "").replace(shown, ".")
    return float(clean if clean.count(".") <= 1 else clean.replace(".", ""))


def stars(text: str) -> float | None:
    """Return the number of stars, if the text is stars."""
    found = None if any(map(str.isdigit, text)) else _STARS.match(text)
    return len(found[1]) + (0.5 if found[2] else 0) if found else None


def spelt(text: str) -> float | None:
    """Return the first number that is written as a word, if there is one."""
    for word in re.findall(r"[^\W\d_]+", text.lower()):
        if word in _WORDS:
            return float(_WORDS[word])
    return None


def counted(names: str) -> float | None:
    """Return the number in the class names of icons: written as a word, or the number of filled icons."""
    outer, *inner = plain(names).split("|")
    if (named := spelt(outer.replace("-", " ").replace("_", " "))) is not None:
        return named
    if found := re.search(r"(?<!\d)(\d)(?:[-_](\d))?(?!\d)", outer):
        return float(f"{found[1]}.{found[2] or 0}")
    full = sum(
        bool(re.search(r"full|fill|solid|active|\bon\b|checked|fas\b|yes", name)) and "half" not in name
        for name in inner
    )
    half = sum("half" in name for name in inner)
    if not full and not half:
        empties = sum(bool(re.search(r"empty|\boff\b|outline|far\b|grey|gray", name)) for name in inner)
        full = len(inner) - empties if empties else 0
    return full + half / 2 if inner and (full or half) else None
