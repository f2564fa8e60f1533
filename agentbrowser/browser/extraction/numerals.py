"""Numbers as people write them: separators of several locales, signs, shares, shortened thousands, stars, words."""

import re
from collections.abc import Iterable
from typing import Final, Literal

import attrs

Mark = Literal[".", ","]

_SPACE: Final = "[ \u00a0\u202f\u2009]"
_DIGITS: Final = rf"\d+(?:(?:[.,'’]|{_SPACE}(?=\d{{3}}(?!\d)))\d+)*"
_NUMBER: Final = re.compile(
    rf"(?P<open>\()?(?P<sign>[-−–+]?)\s?(?P<currency>(?:[A-Z]{{1,3}})?[$€£¥₹₽₩₺₴]\s?)?(?P<inner>[-−–]?)"
    rf"(?P<digits>(?<![\d.,])(?:{_DIGITS}|[.,]\d+))"
    rf"(?:\s?(?P<scale>thousand|million|millionen|millions|billion|billions|mrd|mio|mln|mill|tsd|mil|milliarden|bn|tn|"
    rf"[kKMB]|万|億|千)(?![\w²³]))?(?P<rest>\s?%)?(?P<close>\s?[$€£¥]?\))?",
    re.IGNORECASE,
)
_SCALES: Final = {
    **dict.fromkeys(("k", "tsd", "thousand", "千", "mil"), 1e3),
    **dict.fromkeys(("m", "mio", "mln", "mill", "million", "millions", "millionen"), 1e6),
    **dict.fromkeys(("b", "bn", "billion", "billions", "mrd", "milliarden"), 1e9),
    "tn": 1e12,
    "万": 1e4,
    "億": 1e8,
}
_WORDS: Final = {
    word: number
    for number, said in enumerate(
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
    for word in said.split()
}
_FULL_STARS: Final = "★⭐🌟"
_STARS: Final = re.compile(rf"^\s*([{_FULL_STARS}]+)(½)?\ufe0f?\s*(☆*)\s*(?:\D.*)?$", re.DOTALL)
_OUT_OF: Final = re.compile(r"\s*(?:/|out of|von|sur|de|of|su|van|z|av|auf)\s*", re.IGNORECASE)


@attrs.frozen
class Number:
    """A number with where it stands in its text."""

    value: float
    start: int
    end: int


def decimal_mark(texts: Iterable[str], language: str = "") -> Mark:
    """Return the mark before the decimals in these texts, the language's when they do not show it."""
    votes = {".": 0, ",": 0}
    for text in texts:
        for found in re.finditer(_DIGITS, text):
            if (mark := _shown_mark(found[0])) is not None:
                votes[mark] += 1
    if votes["."] != votes[","]:
        return "." if votes["."] > votes[","] else ","
    return _mark_of(language)


def _mark_of(language: str) -> Mark:
    tongue, _, place = language.lower().partition("-")
    if (tongue, place) in (("de", "ch"), ("de", "li"), ("es", "mx"), ("it", "ch"), ("fr", "ch")):
        return "."
    return "," if tongue in _COMMA_TONGUES else "."


_COMMA_TONGUES: Final = frozenset(
    [
        "de",
        "fr",
        "es",
        "it",
        "pt",
        "nl",
        "pl",
        "sv",
        "da",
        "nb",
        "nn",
        "no",
        "fi",
        "cs",
        "sk",
        "ru",
        "uk",
        "tr",
        "el",
        "hu",
        "ro",
        "bg",
        "hr",
        "sl",
        "sr",
        "et",
        "lv",
        "lt",
        "id",
        "vi",
        "ca",
        "is",
    ]
)


def _shown_mark(digits: str) -> Mark | None:
    """Return the decimal mark if the digits leave no doubt."""
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


def numbers_in(text: str, mark: Mark) -> list[Number]:
    """Return the numbers of a text, in order."""
    found = [Number(_value(one, mark), one.start(), one.end()) for one in _NUMBER.finditer(text)]
    return [
        one
        for place, one in enumerate(found)
        if not place or not _OUT_OF.fullmatch(text[found[place - 1].end : one.start])
    ]


def _value(found: "re.Match[str]", mark: Mark) -> float:
    value = _digits_value(found["digits"], mark)
    scale = (found["scale"] or "").lower()
    value *= _SCALES.get(scale, 1)
    sign = (found["sign"] or "") + (found["inner"] or "")
    before = found.string[: found.start("sign")]
    if (sign and sign[0] in "-−–" and not re.search(r"[\w%)]$", before.rstrip() if sign[0] == "–" else before)) or (
        found["open"] and found["close"] and (found["currency"] or re.search(r"[.,]\d\d$", found["digits"]))
    ):
        value = -value
    return round(value, 10)


def _digits_value(digits: str, mark: Mark) -> float:
    shown = _shown_mark(digits) or mark
    clean = re.sub(rf"{_SPACE}|['’]", "", digits)
    other = "," if shown == "." else "."
    clean = clean.replace(other, "").replace(shown, ".")
    return float(clean if clean.count(".") <= 1 else clean.replace(".", ""))


def stars(text: str) -> float | None:
    """Return how many stars are drawn, if the text is stars."""
    found = None if any(map(str.isdigit, text)) else _STARS.match(text)
    return len(found[1]) + (0.5 if found[2] else 0) if found else None


def spelt(text: str) -> float | None:
    """Return the number that is written as a word, if there is one."""
    for word in re.findall(r"[^\W\d_]+", text.lower()):
        if word in _WORDS:
            return float(_WORDS[word])
    return None
