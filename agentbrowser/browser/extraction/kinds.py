"""What a text looks like: money, a date, a rating, an address; by how it is written alone."""

import re
from functools import lru_cache
from typing import Final

CURRENCY: Final = (
    r"(?:US\$|A\$|C\$|R\$|CA\$|AU\$|HK\$|[$€£¥₹₽₩₺₴฿円元]|\b(?:usd|eur|gbp|chf|jpy|pln|sek|nok|dkk|czk|inr|cad|"
    r"aud|cny|huf|brl|rub|try)\b|"
    r"zł|\bkr\b|kč|\bfr\.|\beuros?\b|\bft\b|\blei\b|руб)"
)
_MONTH: Final = (
    r"(?:jan|feb|mar|mär|maer|apr|may|mai|maj|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez|janv|févr|fevr|mars|avr|"
    r"juin|juil|août|aout|déc|ene|abr|"
    r"ago|dic|gen|mag|giu|lug|set|ott|mei|mrt|paź|wrz|sie|lip|cze|kwi|sty|lut|gru|lis|out|dez|fev)\w*\.?"
)
_SHAPES: Final[dict[str, str]] = {
    "money": rf"(?:{CURRENCY}\s?[-−]?\d)|(?:\d[\d.,\s'’]*\s?(?:[kKmM]\s?)?{CURRENCY})|(?:\d,-)|(?:\d,–)",
    "percent": r"\d\s?%",
    "date": rf"\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|(?<![\d.])\d{{1,2}}[-/.]\s?\d{{1,2}}[-/.]\s?\d{{2,4}}(?![.\d]*\d)|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+)?{_MONTH}|"
    rf"\b{_MONTH}\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?|\d{{4}})\b|\d{{4}}年|\d{{1,2}}月\d{{1,2}}日|^{_MONTH}\s+\d{{4}}$",
    "ago": r"\b(?:\d+|an?|one)\s?(?:s|m|min|h|hr|d|w|mo|y|second|minute|hour|day|week|month|year)s?\s+ago\b|"
    r"\bvor\s+(?:\d+|ein)|\bil y a\b|\bhace\s+\d|"
    r"\b\d+\s+\w+\s+fa\b|\bgeleden\b|\byesterday\b|\btoday\b|\bgestern\b|\bheute\b|\bhier\b|\bayer\b|"
    r"\bjust now\b|前$",
    "time": r"^\D{0,12}\b[0-2]?\d(?:[:h][0-5]\d(?::\d\d)?\b(?:\s?(?:am|pm|uhr))?|\.[0-5]\d\s?(?:am|pm|"
    r"uhr))\D{0,6}$",
    "duration": r"\b\d+\s?(?:h|hr|hrs|std|min|mins|minutes|hours|minuten|stunden|heures|horas|ore|m|weeks?|"
    r"days?|months?|wochen?|tage?|monate?|semaines?|jours?|mois|semanas?|dias?|meses|settimane?|giorni|mesi|"
    r"weken|dagen)\b",
    "rating": r"\b\d(?:[.,]\d{1,2})?\s?(?:/|out of|von|sur|de|su|van|av|of|z)\s?(?:5|10)\b|★|⭐|\bstars?\b|"
    r"\bsterne?\b|étoiles?|estrellas|stelle",
    "email": r"^\W*(?:mailto:)?[\w.+-]+@[\w-]+\.[\w.-]+\W*$",
    "phone": r"^(?:[^\W\d]{1,10}[.:]*\s+)?(?:\+|00|\(?0\)?|\(\d{3}\))[\d\s()/.-]{6,}\d\W*$|"
    r"^(?:1[-. ])?\d{3}[-. ]\d{3,4}[-. ]\d{4}$|^tel:",
    "url": r"^(?:https?://|www\.)\S+$|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|de|fr|io|dev|it|es|eu|nl|uk|jp|pl|"
    r"example|test)(?:/\S*)?$",
    "code": r"^#?(?=\S*\d)[A-Z0-9][A-Z0-9._/-]{2,24}$",
    "number": r"^[-−–+(]?\s?\d[\d.,\s'’]*(?:k|m|mio|mrd|tsd|bn)?\)?$",
    "integer": r"^\d{1,3}(?:[.,\s'’]?\d{3})*$",
    "version": r"^\D{0,10}?\bv?\d+(?:\.\d+){1,3}(?:[-+.]?[a-z]+[.\d]*)?$",
    "year": r"^(?:19|20)\d{2}$",
    "period": r"^\D{0,16}\b(?:1\d|20)\d{2}\b\D{0,16}$|^\D{0,16}\b\d{2,4}\s?[-–—/]\s?\d{2,4}\D{0,12}$|"
    r"\b\d{1,2}(?:st|nd|rd|th|\.|e|º)?\s?(?:century|jahrhundert|siècle|siglo|secolo|eeuw|século)",
    "address": r"^\d{1,5}[a-z]?\s+(?-i:[A-Z])[\w’'.]+(?:\s+(?-i:[A-Z#\d])[\w’'.]*)+$|"
    r"\d+\s?[a-z]?,?\s+\d{4,5}\b|\b(?:street|st\.|avenue|ave\.|road|rd\.|strasse|straße|str\.|rue|"
    r"calle|via|platz|weg|gasse|laan|straat|ulica|ul\.)\b",
}
_VOCABULARIES: Final[dict[str, str]] = {
    "status": r"operational|degraded|down|up|online|offline|active|inactive|enabled|disabled|open|closed|"
    r"pending|paid|unpaid|overdue|shipped|"
    r"delivered|delayed|on time|boarding|cancel\w*|in progress|in transit|done|todo|completed?|failed|passed|"
    r"success|error|running|stopped|queued|"
    r"draft|published|approved|rejected|resolved|solved|new|processing|returned|refunded|aktiv|inaktiv|offen|"
    r"geschlossen|bezahlt|versandt|"
    r"geliefert|zugestellt|storniert|in bearbeitung|erledigt|pünktlich|verspätet|entfällt|actif|inactif|ouvert|"
    r"fermé|payée?|expédiée?|livrée?|"
    r"annulée?|en cours|terminée?|en attente|activo|abierto|cerrado|pagado|enviado|entregado|cancelado|"
    r"pendiente|en curso|a tiempo|retrasado.*|"
    r"attivo|aperto|chiuso|pagat[oa]|spedito|consegnato|annullato|in corso|completato|in attesa|in orario|"
    r"betaald|verzonden|geleverd|geannuleerd",
    "level": r"beginner|intermediate|advanced|expert|basic|easy|medium|hard|junior|senior|mid|lead|anfänger|"
    r"fortgeschritten\w*|einfach|mittel|schwer|"
    r"débutant|intermédiaire|avancé|facile|moyen|difficile|inicial|intermedio|avanzado|fácil|media|medio|"
    r"difícil|principiante|[abc][12]",
    "priority": r"high|medium|low|urgent|critical|normal|hoch|mittel|niedrig|haute?|moyenne?|basse?|alta|media|"
    r"baja|bassa|p[0-4]",
    "type": r"full[- ]?time|part[- ]?time|contract|temporary|permanent|freelance|internship|apprenticeship|"
    r"vollzeit|teilzeit|befristet|unbefristet|"
    r"minijob|temps plein|temps partiel|cdi|cdd|stage|alternance|tiempo completo|jornada completa|media jornada|"
    r"tempo pieno|part-time|"
    r"fulltime|parttime|voltijd|deeltijd|hybrid|remote|on-?site",
    "weather": r"sunny|cloud\w*|partly cloudy|rain\w*|snow\w*|clear|fog\w*|storm\w*|showers?|sonnig|bewölkt|"
    r"regen|heiter|wolkig|schnee|ensoleillé|"
    r"nuageux|pluie|soleado|nublado|lluvia|sereno|nuvoloso|pioggia|晴れ.*|くもり.*|曇り.*|雨.*|雪.*",
    "color": r"black|white|red|blue|green|yellow|gr[ae]y|brown|orange|purple|pink|silver|gold|schwarz|weiß|rot|"
    r"blau|grün|gelb|grau|braun|noir|blanc|"
    r"rouge|bleu|vert|jaune|gris|negro|blanco|rojo|azul|verde|nero|bianco|rosso|blu|zwart|wit|rood|blauw|groen",
}
_WORDS_OF: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _VOCABULARIES.items()}
VOCABULARIES: Final = frozenset(_VOCABULARIES)
_PERSON: Final = re.compile(
    r"(?:(?:Dr|Prof|Mr|Mrs|Ms)\.?\s+)*[A-ZÀ-Ž][\w.'’-]*(?:\s+(?:van|de|von|der|den|di|da|le|la|"
    r"[A-ZÀ-Ž][\w.'’-]*)){1,3}"
)
_PLACE: Final = re.compile(r"[A-ZÀ-Ž][\w'’.-]+(?:[ -][\w'’.-]+){0,2}, [A-ZÀ-Ž][\w'’.-]*(?: [A-ZÀ-Ž\d][\w'’.-]*){0,2}")
_COMPANY: Final = re.compile(
    r"\b(?:gmbh|inc|ltd|ag|s\.?a\.?|bv|b\.v\.|s\.?l\.?|llc|plc|corp|kg|oy|ab|s\.?r\.?l\.?|group|co|sas|labs?|"
    r"holding)\.?$",
    re.IGNORECASE,
)

_COMPILED: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _SHAPES.items()}
_LONGEST: Final = 120
_WORD_LONG: Final = 40


@lru_cache(maxsize=50_000)
def kinds_of(text: str) -> frozenset[str]:
    """Return what a text looks like; nothing for long ones."""
    if len(text) > _LONGEST:
        return frozenset()
    found = {name for name, pattern in _COMPILED.items() if pattern.search(text)}
    if not text[:1].isdigit() and len(text) < _WORD_LONG:
        found |= {f"{name} word" for name, pattern in _WORDS_OF.items() if pattern.fullmatch(text)}
        found |= {
            name
            for name, fits in (
                ("person", _PERSON.fullmatch(text)),
                ("company", _COMPANY.search(text)),
                ("place", _PLACE.fullmatch(text)),
            )
            if fits
        }
    return frozenset(found)


_DATE: Final = re.compile(
    rf"\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}|\d{{1,2}}(?:st|nd|rd|th|er|\.|"
    rf"º)?\s+(?:de\s+)?{_MONTH}(?:\s+(?:de\s+)?\d{{4}})?|"
    rf"{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?",
    re.IGNORECASE,
)


_WEEKDAY: Final = re.compile(
    r"(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim|mie|jue|vie|sab|dom|gio|"
    r"ma|wo|vr|za|zo|seg|ter|qua|qui|sex)"
    r"(?:[a-zäéì]*(?:day|tag|di|dag|rdi|dì|feira)|[a-z]{0,3})[.,]?",
    re.IGNORECASE,
)


def is_weekday(text: str) -> bool:
    """Tell whether a word is the name of a day."""
    return _WEEKDAY.fullmatch(text) is not None


def date_in(text: str) -> str | None:
    """Return the first date in a text, as it is written."""
    found = _DATE.search(text)
    return found[0] if found else None


_CURRENCY: Final = re.compile(CURRENCY, re.IGNORECASE)


def currency_in(text: str) -> str | None:
    """Return the currency that a text names, as it is written."""
    found = _CURRENCY.search(text)
    return found[0].strip() if found else None
