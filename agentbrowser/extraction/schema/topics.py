"""What the things are that are asked for, and which are not: read from what an instruction or a description says."""

import re
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
_SAID: Final = 0.4
_MEANT: Final = 0.9
_NOTHING: Final = words("")


@attrs.frozen(eq=False, slots=False)
class Topic:
    """What is said of the things that are asked for."""

    about: Words
    without: Words = _NOTHING
    """What is said of those that are not meant."""
    is_table: bool = False

    @classmethod
    def of(cls, *said: str | None, is_table: bool = False) -> "Topic":
        """Return what texts speak of, "not" and the like taken for what they mean."""
        meant: list[str] = []
        others: list[str] = []
        for clause in (clause for text in said if text for clause in _CLAUSE.split(text)):
            found = _NOT.search(clause)
            meant.append(clause[: found.start()] if found else clause)
            others.append(clause[found.end() :] if found else "")
        about = words(" ".join(meant))
        known = {word.stem for word in about.all}
        without = Words(tuple(word for word in words(" ".join(others)).all if word.stem not in known))
        return cls(about, without, is_table)

    @cached
    def places(self) -> tuple[bool, bool, bool]:
        """Whether it speaks of what stands beside the rest, of cards, of a table."""
        stems = {word.stem for word in self.about.all}
        return bool(stems & _ASIDE), bool(stems & _CARDS), bool(stems & _TABLES)

    def excludes(self, text: str) -> bool:
        """Tell whether a text says nothing but what is not meant: "Sponsored"."""
        said = words(text)
        return coverage(said, self.without) >= _SAID and coverage(said, self._all) >= _MEANT

    @cached
    def _all(self) -> Words:
        return Words((*self.about.all, *self.without.all))
