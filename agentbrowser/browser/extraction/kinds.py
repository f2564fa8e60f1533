"""What a text looks like: money, a date, a rating, an address; by how it is written alone."""

import re
from functools import lru_cache
from typing import Final

CURRENCY: Final = (
    r"(?:US\$|A\$|C\$|R\$|CA\$|AU\$|HK\$|[$€£¥₹₽₩₺₴฿円元]|\b(?:usd|eur|gbp|chf|jpy|pln|sek|nok|dkk|czk|inr|cad|aud|cny|huf|brl|rub|try)\b|"
    r"zł|\bkr\b|kč|\bfr\.|\beuros?\b|\bft\b|\blei\b|руб)"
)
_MONTH: Final = (
    r"(?:jan|feb|mar|mär|maer|apr|may|mai|maj|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez|janv|févr|fevr|mars|avr|juin|juil|août|aout|déc|ene|abr|"
    r"ago|dic|gen|mag|giu|lug|set|ott|mei|mrt|paź|wrz|sie|lip|cze|kwi|sty|lut|gru|lis|out|dez|fev)\w*\.?"
)
_SHAPES: Final[dict[str, str]] = {
    "money": rf"(?:{CURRENCY}\s?[-−]?\d)|(?:\d[\d.,\s'’]*\s?(?:[kKmM]\s?)?{CURRENCY})|(?:\d,-)|(?:\d,–)",
    "percent": r"\d\s?%",
    "date": rf"\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\b\d{{1,2}}[-/.]\s?\d{{1,2}}[-/.]\s?\d{{2,4}}\b|\b\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+)?{_MONTH}|"
    rf"\b{_MONTH}\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?|\d{{4}})\b|\d{{4}}年|\d{{1,2}}月\d{{1,2}}日|^{_MONTH}\s+\d{{4}}$",
    "ago": r"\b(?:\d+|an?|one)\s?(?:s|m|min|h|hr|d|w|mo|y|second|minute|hour|day|week|month|year)s?\s+ago\b|\bvor\s+(?:\d+|ein)|\bil y a\b|\bhace\s+\d|"
    r"\b\d+\s+\w+\s+fa\b|\bgeleden\b|\byesterday\b|\btoday\b|\bgestern\b|\bheute\b|\bhier\b|\bayer\b|\bjust now\b|前$",
    "time": r"^\D{0,12}\b\d{1,2}[:.h]\d{2}\b(?:\s?(?:am|pm|uhr))?\D{0,6}$",
    "duration": r"\b\d+\s?(?:h|hr|hrs|std|min|mins|minutes|hours|minuten|stunden|heures|horas|ore|m|weeks?|days?|months?|wochen?|tage?|monate?|semaines?|jours?|mois|semanas?|dias?|meses|settimane?|giorni|mesi|weken|dagen)\b",
    "rating": r"\b\d(?:[.,]\d{1,2})?\s?(?:/|out of|von|sur|de|su|van|av|of|z)\s?(?:5|10)\b|★|⭐|\bstars?\b|\bsterne?\b|étoiles?|estrellas|stelle",
    "email": r"^\W*(?:mailto:)?[\w.+-]+@[\w-]+\.[\w.-]+\W*$",
    "phone": r"^\D{0,12}(?:\+|00|\(?0\)?|\(\d{3}\))[\d\s()/.-]{6,}\d\W*$|^\d{3}[-. ]\d{3,4}[-. ]\d{4}$|^tel:",
    "url": r"^(?:https?://|www\.)\S+$|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|de|fr|io|dev|it|es|eu|nl|uk|jp|pl|example|test)(?:/\S*)?$",
    "code": r"^#?(?=\S*\d)[A-Z0-9][A-Z0-9._/-]{2,24}$",
    "number": r"^[-−–+(]?\s?\d[\d.,\s'’]*(?:k|m|mio|mrd|tsd|bn)?\)?$",
    "integer": r"^\d{1,3}(?:[.,\s'’]?\d{3})*$",
    "year": r"^(?:19|20)\d{2}$",
    "address": r"\d+\s?[a-z]?,?\s+\d{4,5}\b|\b(?:street|st\.|avenue|ave\.|road|rd\.|strasse|straße|str\.|rue|calle|via|platz|weg|gasse|laan|straat|ulica|ul\.)\b",
}
_COMPILED: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _SHAPES.items()}
_LONGEST: Final = 120


@lru_cache(maxsize=50_000)
def kinds_of(text: str) -> frozenset[str]:
    """Return what a text looks like; nothing for long ones."""
    if len(text) > _LONGEST:
        return frozenset()
    return frozenset(name for name, pattern in _COMPILED.items() if pattern.search(text))


_DATE: Final = re.compile(
    rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+)?{_MONTH}(?:\s+(?:de\s+)?\d{{4}})?|"
    rf"{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?",
    re.IGNORECASE,
)


def date_in(text: str) -> str | None:
    """Return the first date in a text, as it is written."""
    found = _DATE.search(text)
    return found[0] if found else None


_CURRENCY: Final = re.compile(CURRENCY, re.IGNORECASE)


def currency_in(text: str) -> str | None:
    """Return the currency that a text names, as it is written."""
    found = _CURRENCY.search(text)
    return found[0].strip() if found else None
