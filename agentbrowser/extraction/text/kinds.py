"""Kinds of texts by their form: money, a date, a rating, an address."""

import re
from collections.abc import Iterable
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.lexicon import WORDS_OF_KINDS

CURRENCY: Final = (
    r"(?:US\$|A\$|C\$|R\$|CA\$|AU\$|HK\$|NZ\$|NT\$|S\$|[$€£¥₹₽₩₺₴฿₫₱₪₦₸円元원]|(?<![^\W\d_])(?:(?:usd|eur|gbp|chf|jpy|pln|"
    r"sek|nok|dkk|czk|inr|aud|cny|huf|brl|nzd|sgd|hkd|zar|mxn|krw|thb|ils|uah|aed)\b|(?-i:CAD|RUB|TRY|RON|BGN|PHP|IDR|"
    r"MYR|CLP|ARS|COP|PEN|TL|RM|Rs|Rp)\b|kr\b|fr\.|euros?\b|ft\b|lei\b)|"
    r"zł|kč|руб|грн)"
)
_MONTH: Final = (
    r"(?:(?:jan|feb|mar|mär|apr|may|mai|maj|jun|jul|aug|sep|sept|oct|okt|nov|dec|dez|des|janv|févr|fevr|mars|avr|juin|"
    r"juil|août|aout|déc|ene|abr|ago|dic|gen|mag|giu|lug|ott|mei|mrt|paź|wrz|sie|lip|cze|kwi|sty|lut|gru|lis|fev|янв|"
    r"фев|мар|апр|мая|июн|июл|авг|сен|сент|окт|ноя|нояб|дек|oca|şub|nis|haz|tem|ağu|eyl|eki|kas|ara)\b\.?|"
    r"(?:set|out)(?:\.|(?=\s+(?:de\s+)?\d{4}))|"
    r"(?:januar|februar|märz|maerz|april|juni|juli|august|september|oktober|november|dezember|januari|februari|"
    r"january|february|march|june|july|october|december|augusti|marts|desember|maart|augustus|janvier|février|avril|"
    r"juillet|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|"
    r"noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|"
    r"março|maio|junho|julho|setembro|outubro|novembro|dezembro|stycz|lutego|marca|kwiet|maja|czerw|lipca|sierp|"
    r"wrześ|październik|listopad|grud|tammikuu|helmikuu|maaliskuu|huhtikuu|toukokuu|kesäkuu|heinäkuu|elokuu|syyskuu|"
    r"lokakuu|marraskuu|joulukuu|ledna|února|března|dubna|května|června|července|srpna|září|října|prosince|ocak|şubat|"
    r"mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık|январ|феврал|март|апрел|июн|июл|август|сентябр|"
    r"октябр|ноябр|декабр)\w*)"
)
_SPAN: Final = (
    r"(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|sekunden?|minuten|stunden?|std|tage?n?|wochen?|"
    r"monate?n?|jahre?n?|nächte?|nacht|heures?|jours?|semaines?|mois|ans|nuits?|segundos|minutos?|horas?|días?|dias?|"
    r"semanas?|mes(?:es)?|años?|anos?|noches?|noites?|minuti|or[ae]|giorn[oi]|settiman[ae]|mes[ei]|ann[io]|nott[ei]|uur|"
    r"uren|dag(?:en)?|weken|maand(?:en)?|nacht(?:en)?|nights?|godz\w*|minut\w*|dni|dzień|tygodni\w*|miesi\w*|lat|noc\w*|"
    r"timm\w*|tim|timer?|dagar?|dage|veck\w*|uger?|uker?|månad\w*|måned\w*|nätter|nætter|netter|minuuttia|tuntia?|päivää?|"
    r"viikkoa?|kuukautta|yötä|hodin\w*|hod|dní|dny|týdn\w*|měsíc\w*|nocí|saat|dakika|dk|gün|hafta|ay|gece|час\w*|мин\w*|"
    r"дн\w+|день|недел\w*|месяц\w*|ноч\w*)"
)
FREE: Final = r"\b(?:free|gratis|kostenlos\w*|kostenfrei\w*|versandkostenfrei|gratuit\w*|offert\w*)\b"
"""Words for what costs nothing."""
_SHAPES: Final[dict[str, str]] = {
    "money": rf"(?:{CURRENCY}\s?[-−]?\d)|(?:\d[\d.,\s'’]*\s?(?:(?:k|m|bn|mio\.?|mln|mrd\.?|million|milliarden)\s?)?"
    rf"{CURRENCY})|(?:\d[,:][-–](?!\d))",
    "percent": r"\d\s?[%％]",
    "date": r"\b\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|(?<![\d.])\d{1,2}[-/.]\s?\d{1,2}[-/.]\s?\d{2,4}(?![.\d]*\d)|"
    r"\d{4}年|\d{1,2}月\d{1,2}日|^\D{0,12}(?:0?[1-9]|1[0-2])[/.](?:19|20)\d{2}$",
    "ago": r"^\d{1,3}(?:[hdwy]|mo|min)$|\d\s?(?:秒|分|分钟|時間|小时|日|天|週間|周|か月|ヶ月|个月|年)前|"
    r"^(?:昨日|今日|昨天|今天|刚刚)",
    "time": r"^\D{0,12}\b[0-2]?\d(?:[:h][0-5]\d(?::\d\d)?\b(?:\s?(?:am|pm|uhr))?|(?:[.:][0-5]\d)?\s?(?:am|pm|a\.m\.|"
    r"p\.m\.|uhr|uur|gmt|utc|bst|c?est|cet)(?!\w))\D{0,6}$|^(?:kl\.?|klo|klokken|godz\.?|um|à|alle|om)\s?[0-2]?\d(?:[.:h][0-5]\d)?$|"
    r"^\D{0,6}[0-2]?\d[時点](?:[0-5]?\d分|半)?$",
    "duration": rf"\b\d+\s?(?:h|min|{_SPAN})\b|\bh\s?\d+\s?m\b|^\d{{1,3}}m(?:\s?\d\d?s)?$|\b\d+\s?t\.?\s\d+\s?min|"
    r"\d\s?(?:時間|分間?|秒|小时|分钟|日間|泊|か月|ヶ月|週間|ч)(?!前)(?![^\W\d_])",
    "rating": r"\b\d{1,2}(?:[.,]\d{1,2})?\s?"
    r"(?:/|out of|von|sur|de|su|van|av|af|of|z)\s?(?:5|10)\b(?![/.-]\d)|★|⭐|\bstars?\b|"
    r"\bsterne?\b|étoiles?|estrellas|estrelas|stelle|sterren|gwiazd|stjärn|stjern|tähteä|hvězd|yıldız|звезд",
    "email": r"^\W*(?:mailto:)?[\w.+-]+@[\w-]+\.[\w.-]+\W*$",
    "phone": r"^(?:[^\W\d]{1,10}[.:]*\s+)?(?:\+|00|\(?0\)?|\(\d{2,5}\))[\d\s()/.-]{6,}\d\W*$|"
    r"^(?:1[-. ])?\d{3}[-. ]\d{3,4}[-. ]\d{4}$|^tel:|"
    r"^(?=(?:\D?\d){9,11}$)\d{2,4}(?: \d{2,4})* (?:\d\d|\d{4})(?: \d{2,4})*$",
    "url": r"^(?:https?://|www\.)\S+$|^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|de|fr|io|dev|it|es|eu|nl|uk|jp|pl|"
    r"example|test)(?:/\S*)?$",
    "code": r"^#?(?=\S*\d)[A-Z0-9][A-Z0-9._/-]{2,24}$",
    "number": r"^[-−–+(]?\s?\d[\d.,\s'’]*(?:k|m|mio|mrd|tsd|bn)?\)?$",
    "integer": r"^\d{1,3}(?:[.,\s'’]?\d{3})*$",
    "version": r"^\D{0,10}?\b(?!\d{1,2}\.\d{1,2}\.(?:19|20)\d\d\b)(?:v\.?\s?\d+(?:\.\d+){0,3}|\d+(?:\.\d+){2,3}|"
    r"(?<=[^\W\d_] )\d+(?:\.\d+){1,3}|\d+\.\d+(?=[-+.]?[a-z]))(?:[-+.]?[a-z]+[.\d]*)?$",
    "year": r"^(?:19|20)\d{2}$",
    "period": r"^\D{0,16}\b(?:1\d|20)\d{2}\b\D{0,16}$|^\D{0,16}\b\d{2,4}\s?[-–—/]\s?\d{2,4}\D{0,12}$|"
    r"\b\d{1,2}(?:st|nd|rd|th|\.|e|º)?\s?(?:century|jahrhundert|siècle|siglo|secolo|eeuw|século)",
    "address": r"^\d{1,5}[a-z]?\s+(?-i:[A-Z])[\w’'.]+(?:\s+(?-i:[A-Z#\d])[\w’'.]*)+$|"
    r"\d+\s?[a-z]?,?\s+\d{4,5}\b|\b(?:street|st\.|avenue|ave\.|road|rd\.|strasse|straße|str\.|rue|"
    r"calle|via|platz|weg|gasse|laan|straat|ulica|ul\.)\b",
}
_DATE_IN_WORDS: Final = re.compile(
    rf"\b\d{{1,2}}(?:(?:st|nd|rd|th|er|\.|º)?\s+(?:de\s+)?|-){_MONTH}|"
    rf"\b{_MONTH}\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?(?!\w)|\d{{4}}\b)|^{_MONTH}\s+\d{{4}}$",
    re.IGNORECASE,
)
_AGO_IN_WORDS: Final = re.compile(
    rf"\b(?:\d+|an?|one)\s?(?:s|m|h|d|w|mo|y|{_SPAN})\.?\s+"
    r"(?:ago|fa|geleden|temu|sitten|önce|назад|sedan|siden)\b|"
    rf"\b(?:vor|hace|há|il y a|před)\s+(?:\d+|ein\w*|un[ea]?|um)\s?(?:s|m|h|j|d|min|{_SPAN})\b(?!\s+\d)|"
    r"\b(?:yesterday|today|gestern|heute|aujourd.hui|ayer|hoy|ieri|oggi|ontem|hoje|gisteren|vandaag|wczoraj|dzisiaj|dziś|"
    r"igår|idag|i går|i dag|eilen|tänään|včera|dnes|dün|bugün|вчера|сегодня|just now|gerade eben)\b|"
    r"^hier(?=$|\W+(?:à\b|\d))",
    re.IGNORECASE,
)
_RUNS: Final = re.compile(r"[^\W\d_]+")
_BEGINNING: Final = 3
_MONTHS: Final = frozenset(name[:_BEGINNING] for name in re.findall(r"[^\W\d_]{3,}", _MONTH))
"""Beginnings of the names of months: a text without them needs no slow search for dates."""
_AGO: Final = frozenset((
    "ago", "fa", "gel", "tem", "sit", "önc", "наз", "sed", "sid", "vor", "hac", "há", "il", "pře", "yes", "tod",
    "ges", "heu", "auj", "aye", "hoy", "ier", "ogg", "ont", "hoj", "gis", "van", "wcz", "dzi", "igå", "ida", "i",
    "eil", "tän", "vče", "dne", "dün", "bug", "вче", "сег", "jus", "ger", "hie",
))  # fmt: skip
"""Beginnings of the words of relative dates."""
_CURRENCIES: Final = frozenset(name[:_BEGINNING].lower() for name in re.findall("[A-Za-z]{2,}", CURRENCY))
_SPANS: Final = frozenset(("h", "m", "t", *(name[:2] for name in _SPAN.removeprefix("(?:").split("|"))))
"""Beginnings of the letters of currencies and durations."""
_RATED: Final = ("5", "10", "st", "gwiazd", "yildiz")
"""Texts of which every rating contains one."""
_FOLDED: Final = re.compile("[ıİſ]")
"""Letters that patterns take for others, and lower case does not."""
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
_KINDS_OF_WORDS: Final[dict[str, list[str]]] = {}
"""More words of these vocabularies, with their kinds: by look-up, since patterns try each of their words."""
for _kind, _names in WORDS_OF_KINDS.items():
    for _name in dict.fromkeys(_names):
        _KINDS_OF_WORDS.setdefault(_name, []).append(_kind)
VOCABULARIES: Final = frozenset(_VOCABULARIES) | {kind.removesuffix(" word") for kind in WORDS_OF_KINDS}
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

PATTERNS: Final = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _SHAPES.items()}
_ANCHORED: Final = frozenset(("time", "email", "phone", "url", "code", "number", "integer", "version", "year"))
"""The shapes whose patterns all begin where the text does."""
_TESTS: Final = {name: pattern.match if name in _ANCHORED else pattern.search for name, pattern in PATTERNS.items()}
_WITHOUT_DIGITS: Final = {name: _TESTS[name] for name in ("ago", "rating", "email", "url", "address", "phone")}
"""The shapes that a text without a digit may have."""
_LONGEST: Final = 120
_WORD_LONG: Final = 40


@memoize
def kinds_of(text: str) -> frozenset[str]:
    """Return the kinds of a text; none for long ones."""
    if len(text) > _LONGEST:
        return frozenset()
    has_digit = any(map(str.isdigit, text))
    lowered = text.lower()
    begun = {run[:_BEGINNING] for run in _RUNS.findall(lowered)} if not _FOLDED.search(text) else _MONTHS | _AGO
    tests = _TESTS if has_digit else _WITHOUT_DIGITS
    hopeless = _hopeless(lowered, begun) if text.isascii() else ()
    found = {name for name, fits in tests.items() if name not in hopeless and fits(text)}
    if has_digit and not begun.isdisjoint(_MONTHS) and _DATE_IN_WORDS.search(text):
        found.add("date")
    if not begun.isdisjoint(_AGO) and _AGO_IN_WORDS.search(text):
        found.add("ago")
    if not text[:1].isdigit() and len(text) < _WORD_LONG:
        found |= {f"{name} word" for name, pattern in _WORDS_OF.items() if pattern.fullmatch(text)}
        found.update(_KINDS_OF_WORDS.get(text.replace("İ", "i").lower(), ()))
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


def _hopeless(text: str, begun: Iterable[str]) -> list[str]:
    """Return the kinds with slow patterns that an ASCII text in lower case cannot have.

    Args:
      begun: the beginnings of its runs of letters.
    """
    hopeless = []
    if "$" not in text and ",-" not in text and ":-" not in text and _CURRENCIES.isdisjoint(begun):
        hopeless.append("money")
    if _SPANS.isdisjoint([run[:2] for run in begun]):
        hopeless.append("duration")
    if not any(map(text.__contains__, _RATED)):
        hopeless.append("rating")
    if "@" not in text:
        hopeless.append("email")
    if "%" not in text:
        hopeless.append("percent")
    return hopeless


def without_ago(text: str) -> str:
    """Return a text without relative dates."""
    return _AGO_IN_WORDS.sub("", text)


DATE: Final = re.compile(
    rf"\d{{4}}-\d{{2}}-\d{{2}}|(?:\d{{1,2}}\.\d{{1,2}}\.|\d{{1,2}}/\d{{1,2}}/)\d{{2,4}}|\d{{1,2}}-{_MONTH}-\d{{2,4}}|"
    rf"\d{{1,2}}(?:st|nd|rd|th|er|\.|"
    rf"º)?\s+(?:de\s+)?{_MONTH}(?:\s+(?:de\s+)?\d{{4}})?|"
    rf"{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?!\d)(?:,?\s+\d{{4}})?|{_MONTH}\s+(?:de\s+)?\d{{4}}(?!\d)",
    re.IGNORECASE,
)
"""A date, as it is written in sentences."""
TIME: Final = re.compile(
    r"(?<![\d.,:/-])[0-2]?\d(?:[:h][0-5]\d(?![\d:])(?:\s?(?:[ap]\.?m\b\.?|uhr))?|"
    r"(?:\.[0-5]\d)?\s?(?:[ap]\.?m\b\.?|uhr\b)|\s?h\s?[0-5]\d\b)",
    re.IGNORECASE,
)
"""A time of day, as it is written in sentences."""


_WEEKDAY: Final = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|mon|tue|tues|wed|thu|thurs?|fri|sat|sun|"
    r"(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|mo|di|mi|do|fr|sa|so|"
    r"(?:maan|dins|woens|donder|vrij|zater|zon)dag|ma|wo|vr|za|zo|"
    r"(?:mån|man|tis|tirs|ons|tors|fre|lör|lør|sön|søn)dag|mån|man|tis?|tir|ons|tors?|fre|lör|lør|sön|søn|"
    r"(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lun|mar|mer|jeu|ven|sam|dim|"
    r"lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|mi[ée]|jue|vie|s[áa]b|dom|"
    r"(?:lune|marte|mercole|giove|vener)d[iì]|sabato|domenica|gio|"
    r"(?:segunda|ter[çc]a|quarta|quinta|sexta)|seg|ter|qua|qui|sex|"
    r"poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|pon|wt|śr|czw|pt|sob|niedz|nd|"
    r"pondělí|úterý|středa|čtvrtek|pátek|neděle|po|út|st|čt|pá|"
    r"(?:maanan|tiis|tors|perjan|lauan|sunnun)tai|keskiviikko|ke|pe|"
    r"pazartesi|salı|çarşamba|perşembe|cuma|cumartesi|pazar|"
    r"понедельник|вторник|сред[ау]|четверг|пятниц[ау]|суббот[ау]|воскресенье|пн|вт|ср|чт|пт|сб|вс|"
    r"[月火水木金土日](?:曜日?)?)[.,:]?",
    re.IGNORECASE,
)
"""Names of the days of the week, full and short, in many languages."""


def is_weekday(text: str) -> bool:
    """Return True if a word is the name of a day of the week."""
    return _WEEKDAY.fullmatch(text) is not None


def date_in(text: str) -> str | None:
    """Return the first date in a text, as it is written."""
    found = DATE.search(text)
    return found[0] if found else None


_CURRENCY: Final = re.compile(CURRENCY, re.IGNORECASE)


def currency_in(text: str) -> str | None:
    """Return the currency that a text names, as it is written."""
    found = _CURRENCY.search(text)
    return found[0].strip() if found else None
