"""Topic of a query: the requested items and the excluded ones, by the instruction and the descriptions."""

import re
from itertools import pairwise
from typing import Final

import attrs

from agentbrowser.extraction.caching import cached
from agentbrowser.extraction.text.words import Words, coverage, words

_CLAUSE: Final = re.compile(r"[,;()]|\s[-–—]\s|[.]\s")
_NOT: Final = re.compile(
    r"\b(?:not|without|except|excluding|excludes?|leave out|leaving out|other than|nicht|kein\w*|ohne|außer|sans|"
    r"hors|sauf|pas|sin|salvo|excepto|menos|sem|exceto|não|senza|tranne|eccetto|non|niet|geen|zonder|behalve|utan|inte|ej|"
    r"ikke|uden|uten|unntatt|undtagen|bez|nie|oprócz|kromě|ilman|paitsi|hariç)\b|以外|除く|ではなく|なし",
    re.IGNORECASE,
)
_EVERY: Final = re.compile(
    r"\b(?:all|every|each|alle|jede[rs]?|tous|toutes|chaque|todos|todas|cada|tutti|tutte|ogni|elke|wszystkie|każdy)\b|"
    r"すべて|全て|所有|全部",
    re.IGNORECASE,
)
_ASIDE: Final = frozenset((
    "sidebar", "side", "left", "right", "lateral", "aside", "seitenleiste", "seitenspalte", "randspalte", "laterale",
    "zijbalk", "sidopanel", "sidebjelke", "sidekolonne", "サイドバー",
))  # fmt: skip
_CARDS: Final = frozenset((
    "card", "tile", "kpi", "figure", "stat", "kachel", "kacheln", "karte", "karten", "kort", "tarjeta", "carte",
    "tuile", "cartao", "scheda", "schede", "riquadro", "kafelek", "kafelki", "karta", "karty",
))  # fmt: skip
_TABLES: Final = frozenset((
    "table", "tabelle", "tabla", "tabela", "tableau", "tabella", "tabel", "tabell", "tabulka", "taulukko", "表",
))  # fmt: skip
_ORDINALS: Final = {
    word: place
    for place, names in (
        (0, "first 1st erste ersten première premier primera primera primeira prima eerste första"),
        (1, "second 2nd zweite zweiten deuxième segunda segundo seconda secondo tweede andra"),
        (2, "third 3rd dritte dritten troisième tercera terceira terza derde tredje"),
        (3, "fourth 4th vierte vierten quatrième cuarta quarta vierde fjärde"),
        (-1, "last bottom final letzte letzten dernière dernier última ultima laatste sista"),
    )
    for word in names.split()
}
_COUNTS: Final = frozenset("123456789")
_LETTERS: Final = re.compile(r"[^\W_]+")
_LEAST_EXCLUDED: Final = 0.4
_LEAST_NAMED: Final = 0.9
_NOTHING: Final = words("")


@attrs.frozen(eq=False, slots=False)
class QueryTopic:
    """Words for the requested items."""

    about: Words
    without: Words = _NOTHING
    """Words for the excluded items."""
    is_table: bool = False
    table: int | None = None
    """Place of the requested table among the tables of the page, if the topic counts them; -1 for the last."""
    is_of_every: bool = False
    """True if the topic asks for all items, whatever states it names beside."""

    @classmethod
    def of(cls, *texts: str | None, is_table: bool = False) -> "QueryTopic":
        """Return the topic of texts. Words after "not", "without" and the like name excluded items."""
        included: list[str] = []
        excluded: list[str] = []
        for clause in (clause for text in texts if text for clause in _CLAUSE.split(text)):
            found = _NOT.search(clause)
            included.append(clause[: found.start()] if found else clause)
            excluded.append(clause[found.end() :] if found else "")
        about = words(" ".join(included))
        known = {word.stem for word in about.all}
        without = Words(tuple(word for word in words(" ".join(excluded)).all if word.stem not in known))
        wanted = " ".join(included)
        return cls(about, without, is_table, _table_in(wanted), _EVERY.search(wanted) is not None)

    @cached
    def places(self) -> tuple[bool, bool, bool]:
        """Return three flags: the topic mentions a sidebar, cards, a table."""
        stems = {word.stem for word in self.about.all}
        return bool(stems & _ASIDE), bool(stems & _CARDS), bool(stems & _TABLES)

    def excludes(self, text: str) -> bool:
        """Return True if a text names nothing but excluded items: "Sponsored"."""
        phrase = words(text)
        return coverage(phrase, self.without) >= _LEAST_EXCLUDED and coverage(phrase, self._all) >= _LEAST_NAMED

    @cached
    def _all(self) -> Words:
        return Words((*self.about.all, *self.without.all))


def _table_in(text: str) -> int | None:
    """Return the place of a table that a text counts: 1 for "the second table" or "table 2"; None if it counts none."""
    found = _LETTERS.findall(text.lower())
    counted = (int(place) - 1 for table, place in pairwise(found) if place in _COUNTS and _is_table(table))
    if (numbered := next(counted, None)) is not None:
        return numbered
    places = (_ORDINALS[word] for word, table in pairwise(found) if word in _ORDINALS and _is_table(table))
    return next(places, None)


def _is_table(word: str) -> bool:
    return not _TABLES.isdisjoint(one.stem for one in words(word).all)
