"""Yes and no, as pages write them: words of several languages, marks, states of stock."""

import re
from typing import Final

from agentbrowser.extraction.caching import memoize
from agentbrowser.extraction.text.words import plain

_YES: Final = frozenset((
    "yes", "true", "y", "on", "ja", "oui", "si", "sì", "sí", "sim", "tak", "да", "はい", "有", "あり", "available",
    "active", "enabled", "checked", "included", "instock", "in-stock", "lieferbar", "vorrätig", "verfügbar",
    "vorhanden", "disponible", "disponibile", "disponível", "beschikbaar", "dostępny", "paid", "bezahlt", "open",
    "offen", "solved", "gelöst", "verified", "inbegriffen", "enthalten", "inclus", "incluido", "incluso", "aktiv",
    "actif", "activo", "attivo", "igen", "kyllä", "evet", "ναι", "online", "done", "complete", "completed", "erledigt",
    "remote", "new", "pinned",
))  # fmt: skip
_NO: Final = frozenset((
    "no", "false", "n", "off", "nein", "non", "não", "nie", "нет", "いいえ", "無", "なし", "unavailable", "inactive",
    "disabled", "unchecked", "excluded", "ausverkauft", "vergriffen", "épuisé", "agotado", "esaurito", "esgotado",
    "uitverkocht", "wyprzedany", "niedostępny", "indisponible", "unpaid", "unbezahlt", "closed", "offline", "nee",
    "nei", "nej", "inaktiv", "inactif", "inactivo", "inattivo", "backorder", "none", "nicht", "pending", "open-not",
    "hayır",
))  # fmt: skip
_YES_PHRASE: Final = re.compile(
    r"\b(in stock|on stock|auf lager|en stock|in magazzino|op voorraad|na stanie|w magazynie|i lager|em estoque|"
    r"ships|sofort lieferbar|"
    r"noch \d+|only \d+ left|\d+ left|\d+ (in stock|auf lager|en stock|verfugbar|available|disponibles?|"
    r"disponibili)|"
    r"nog \d+|encore \d+|quedan \d+|restam \d+|ancora \d+|"
    r"\d+ (places|spots|seats|plaatsen|platze) (left|free|vrij|frei)|"
    r"ready to ship|immediately available|add to (cart|basket)|en existencia|lagernd|lieferbar|verfugbar|"
    r"disponible|disponibile|"
    r"disponivel|available)\b|在庫あり"
)
_NO_PHRASE: Final = re.compile(
    r"\b(out of stock|sold out|not available|no longer available|currently unavailable|unavailable|"
    r"nicht (auf lager|verfugbar|"
    r"lieferbar|vorratig)|ausverkauft|vergriffen|completo|complet|ausgebucht|fully booked|booked out|full(?!-)|"
    r"volzet|volgeboekt|lotado|rupture( de stock)?|epuise|indisponible|agotado|sin (stock|existencias)|"
    r"no disponible|"
    r"non disponibile|esaurito|esgotado|indisponivel|niet (op voorraad|beschikbaar|leverbaar)|uitverkocht|brak|"
    r"niedostepn[ya]|"
    r"slut( i lager)?|ej i lager|utsolgt|non disponible|backorder(ed)?|pre-?order|0 (left|in stock|available|"
    r"auf lager|en stock))\b|在庫なし|売り切れ|品切れ"
)
_YES_MARK: Final = frozenset("✓✔✅☑●◯○🟢👍")
_NO_MARK: Final = frozenset("✗✘✕✖❌×☒⛔–—-🔴")
_YES_CLASS: Final = re.compile(r"\b(yes|check|checked|ok|true|tick|on|active|success|available|in-?stock)\b")
_NO_CLASS: Final = re.compile(r"\b(no|cross|times|false|off|inactive|x|unavailable|out(-of-stock)?|none)\b")


@memoize
def truth(text: str) -> bool | None:
    """Return the truth value of a text; None if it has none."""
    folded = plain(text).strip(" .!()\"'")
    if not folded:
        return None
    if _NO_PHRASE.search(folded):
        return False
    if _YES_PHRASE.search(folded):
        return True
    return _of_words(text.strip(), folded)


def _of_words(text: str, folded: str) -> bool | None:
    if folded in _PLAIN_YES or text[0] in _YES_MARK:
        return True
    if folded in _PLAIN_NO or (text[0] in _NO_MARK and len(text) <= 2):
        return False
    if len(folded) > 40:
        return None
    first, *rest = re.split(r"[\s,;:(]+", folded)
    if first in _PLAIN_YES or first in _PLAIN_NO:
        return first in _PLAIN_YES
    return _SWITCHED.get(rest[-1]) if rest else None  # "2FA off"


_SWITCHED: Final = {"on": True, "off": False, "enabled": True, "disabled": False}
_PLAIN_YES: Final = frozenset(map(plain, _YES))
_PLAIN_NO: Final = frozenset(map(plain, _NO))


@memoize
def is_plain(text: str) -> bool:
    """Return True if a text is a plain yes or no, without a state such as "sold out"."""
    folded = plain(text).strip(" .!()\"'")
    return folded in _TO_ANYTHING or text.strip()[:1] in _YES_MARK | _NO_MARK


_TO_ANYTHING: Final = frozenset(map(plain, (
    "yes", "no", "true", "false", "y", "n", "on", "off", "ja", "nein", "oui", "non", "si", "sì", "sí", "sim", "não",
    "tak", "nie", "nee", "da", "нет", "да",
)))  # fmt: skip


def truth_of_class(names: str) -> bool | None:
    """Return the truth value of the class names of an icon; None if they have none."""
    folded = plain(names).replace("_", "-")
    if _NO_CLASS.search(folded):
        return False
    return True if _YES_CLASS.search(folded) else None
