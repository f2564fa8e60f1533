"""Query: a description in words, parsed into words, role and ordinal."""

import re
from collections.abc import Callable
from typing import Final

import attrs

from agentbrowser.browser.semantic.dates import NamedDate, named_date
from agentbrowser.browser.semantic.synonyms import ACTION_VERBS, OTHER_ACTION_VERBS
from agentbrowser.browser.semantic.words import is_compound, joined, split, split_described, stem

FIELDS: Final = "textbox searchbox combobox spinbutton"
_ROLES_OF_WORDS: Final[dict[str, tuple[str, ...]]] = {
    word: tuple(roles.split())
    for words, roles in {
        "button btn knopf schaltflache taste bouton boton": "button",
        "link hyperlink anchor lien enlace": "link",
        "box field input entry textfield bar feld eingabefeld champ campo": FIELDS,
        "textbox textfeld": "textbox searchbox",
        "textarea": "textbox",
        "dropdown combobox select picklist auswahlliste": "combobox listbox",
        "list listbox liste lista": "combobox listbox",
        "checkbox tickbox kastchen kontrollkastchen": "checkbox switch menuitemcheckbox",
        "toggle switch schalter": "switch checkbox button",
        "radio": "radio menuitemradio",
        "tab reiter onglet": "tab",
        "menu": "menu menubar button combobox",
        "slider range regler": "slider",
        "spinner stepper spinbutton": "spinbutton",
        "option choice": "option menuitem radio",
        "icon": "button link img",
        "picture image photo thumbnail": "img",
        "menuitem": "menuitem menuitemcheckbox menuitemradio option",
        "menuitemcheckbox": "menuitemcheckbox",
        "menuitemradio": "menuitemradio",
        "treeitem": "treeitem",
        "listitem": "listitem option menuitem",
        "cell gridcell": "gridcell cell",
        "columnheader header heading": "columnheader heading",
        "uploader": "button",
    }.items()
    for word in words.split()
}
_ROLES: Final = {word: frozenset(roles) for word, roles in _ROLES_OF_WORDS.items()}
_FIRST_ROLES: Final = {word: roles[0] for word, roles in _ROLES_OF_WORDS.items()}
ROLE_WORDS: Final = frozenset(_ROLES)
_ALSO_ACTS: Final = frozenset({"select", "list", "picture", "toggle", "switch"})
"""Role words that are verbs when they come first of several, but in "the switch of Eve" and the like."""
_OF: Final = frozenset({"of", "for", "in"})
_GLUED: Final = re.compile(r"(\w{3,}?)s?(feld|knopf|taste|schaltflache|schalter|kastchen|liste|regler)")
"""German compounds: "Suchfeld" is a search field."""
_SIMILAR_ROLES: Final = tuple(
    frozenset(roles.split())
    for roles in (
        "button link tab menuitem option gridcell generic img",
        FIELDS,
        "checkbox switch radio button menuitemcheckbox menuitemradio option",
        "combobox listbox menu",
    )
)
"""Groups of roles that are easily confused."""

_RELATED_ROLE_SCORE: Final = 0.85
_OTHER_ROLE_SCORE: Final = 0.5
_IMPLIED_ROLE_SCORE: Final = 0.85

_ORDINAL_WORDS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS: Final = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)} | {"last": -1}
_NTH: Final = re.compile(r"(\d{1,4})(?:st|nd|rd|th)")
_QUOTED: Final = re.compile(r"[\"“”«»]([^\"“”«»]+)[\"“”«»]")
_MAX_WORDS: Final = 25
"""Maximum number of words that are read."""
_NEGATION: Final = re.compile(
    r"\b(?:don['’]?t|do not|not|never|no(?= \w)|nicht|keine?[nrms]?|ne|pas|non(?![,-])|nunca|não|niet|inte)\b",
    re.IGNORECASE,
)
_PROPER_NAME: Final = re.compile(r"(?<=[\w,;] )[A-Z]\w+")
_NUMBERED_NAME: Final = re.compile(r"\b([A-Z]\w+) (\d+)\b")

_NOISE_WORDS: Final = """
a about an and are as at be by called for from go i in into is it its labeled labelled me my named of on or our please
read reading say saying says so that the there this titled to what where which with you your
das dem den der des die ein eine einen el la las le les los un une
"""
_NOISE: Final = frozenset(_NOISE_WORDS.split())
_PLACE_WORDS: Final = "at below by for from in inside near of on that under which with within"
_PLACES: Final = frozenset(_PLACE_WORDS.split())
"""Words that begin the place of the element; the element itself stands before them."""
_DETERMINER_WORDS: Final = "a an the my our your this that these all every its her his their"
_DETERMINERS: Final = frozenset(_DETERMINER_WORDS.split())
_PARTICLE_WORDS: Final = "away back down in off on out over up"
_PARTICLES: Final = frozenset(_PARTICLE_WORDS.split())
"""Particles that an object may separate from their verb: "turn autoplay off"."""
_MAX_APART: Final = 5

CLEAR_VERBS: Final = frozenset(map(stem, ACTION_VERBS))
VERBS: Final = CLEAR_VERBS | frozenset(map(stem, OTHER_ACTION_VERBS.split()))
_TYPING_VERBS: Final = frozenset({"type", "fill", "input"})
_HEADS: Final = """
number code address name date title subject amount email phone password zip city street country username surname
firstname birthday cardnumber cvc expiry expiration expires coupon quantity
"""
_FIELD_HEADS: Final = frozenset(map(stem, _HEADS.split()))
"""Nouns that usually name a field, when they come last and there is no verb."""


@attrs.frozen
class SemanticQuery:
    """A parsed description."""

    words: tuple[str, ...]
    """Stems that the name or the surroundings should contain."""
    parts: dict[str, tuple[str, ...]]
    """Parts of each word that is written in several: "start date"."""
    described: tuple[str, ...]
    """Stems of all words."""
    excluded: frozenset[str]
    """Stems that the element must not have ("without")."""
    core: frozenset[str]
    """Most significant stems: the last one before the place, and the verb at the beginning."""
    last: str | None
    """Last stem of the core, which may be the generic part: "dentist appointment"."""
    verb: str | None
    """Verb, if it comes first: a known verb, or a word before an article."""
    nouns: frozenset[str]
    """Stems after an article that are no role: "the post" is no verb."""
    proper: frozenset[str]
    """Proper names: capitalised words within the sentence, such as "Bob"."""
    numbered: tuple[tuple[str, str], ...]
    """Names of things with their numbers, such as "Chair 2"."""
    date: NamedDate | None
    """Date whose month is a word, such as "December 24"."""
    values: frozenset[str]
    """Stems after "to", which may be a value: "set the quantity to 3"."""
    roles: frozenset[str] | None
    """Acceptable roles; None for any."""
    role: str | None
    """The role that its word means first: a switch may also be a checkbox."""
    implied: str | None
    """``field`` or ``act`` if the words imply it without a role."""
    role_words: tuple[str, ...]
    """Stems of the role words, which may be in the name too."""
    before_place: tuple[str, ...] | None
    """Stems before the place, without role words: none in "the menu of Bob"; None if there is no place."""
    is_negated: bool
    """True if it says not to do something, as the names of some buttons do."""
    nth: int | None
    """Ordinal among equal matches, from 1; negative from the end."""

    def role_score(self, role: str) -> float:
        """Return the score of a role, from 0 to 1."""
        if self.roles is None:
            is_unlike = self.implied is not None and (role in FIELDS.split()) != (self.implied == "field")
            return _IMPLIED_ROLE_SCORE if is_unlike else 1.0
        if role in self.roles:
            return 1.0
        return (
            _RELATED_ROLE_SCORE
            if any(role in related and not related.isdisjoint(self.roles) for related in _SIMILAR_ROLES)
            else _OTHER_ROLE_SCORE
        )


def parse(description: str, known: frozenset[str], is_name: Callable[[str], bool], *, ordinals: bool) -> SemanticQuery:
    """Parse a description.

    Args:
      known: the words that are on the page, before stemming.
      is_name: returns True if a noise word, or the word for a symbol, is a whole name on this page.
      ordinals: count elements by "first" and "last", instead of reading them as words.
    """
    quoted = joined([word for text in _QUOTED.findall(description) for word in split_described(text, is_name)], known)
    pairs = joined(_plain(_QUOTED.sub(" ", description), is_name), known)
    parts = {stem(word): tuple(map(stem, part)) for word, part in (*pairs, *quoted) if len(part) > 1}
    described = [word for word, _ in pairs]
    nth, described = _ordinal(described) if ordinals else (None, described)
    described, excluded = _without(described[:_MAX_WORDS])
    what = _before_place(described)
    roles = [word for word in described if _is_role(word, described)]
    head = _head(what, roles) or _head(described, roles)
    words, core = (_contents(part, roles, is_name) for part in (described, what))
    ends = core[-1:] if head else core[:1] + core[-1:]
    verb = _verb(described, core)
    last = stem(core[-1]) if core else None
    everything = [*words, *(word for word, _ in quoted)][:_MAX_WORDS]
    return SemanticQuery(
        words=tuple(map(stem, everything)),
        parts=parts,
        described=tuple(map(stem, [*described, *(word for word, _ in quoted)][:_MAX_WORDS])),
        excluded=frozenset(map(stem, excluded)),
        core=frozenset(map(stem, ends)),
        last=last,
        verb=verb,
        nouns=_nouns(described),
        proper=_proper(description),
        numbered=tuple(pair for pair in _NUMBERED_NAME.findall(description) if stem(pair[0].lower()) not in VERBS),
        date=named_date(description),
        values=frozenset(map(stem, described[described.index("to") :] if "to" in described else ())),
        roles=_ROLES[head] if head else None,
        role=_FIRST_ROLES[head] if head else None,
        implied=_implied(described, verb, last),
        role_words=tuple(map(stem, roles)),
        before_place=tuple(map(stem, core)) if len(what) < len(described) else None,
        is_negated=is_negated(description),
        nth=nth,
    )


def _plain(text: str, is_name: Callable[[str], bool]) -> list[str]:
    """Return the words of a description, with compounds and separated words unified."""
    words: list[str] = []
    for word in split_described(text.replace("searchbox", "search box"), is_name):
        glued = _GLUED.fullmatch(word)
        words += glued.groups() if glued else [word]
    return _reunited(words)


def _reunited(words: list[str]) -> list[str]:
    """Join a verb and its particle: "throw the draft away"."""
    for index, word in enumerate(words):
        if index and words[index - 1] in _DETERMINERS:
            continue  # "turn the switch of Bob off" is about a switch
        for end in range(index + 2, min(index + _MAX_APART, len(words))):
            if words[end] in _PARTICLES and is_compound(word + words[end]):
                return [*words[: index + 1], words[end], *words[index + 1 : end], *words[end + 1 :]]
    return words


def _without(described: list[str]) -> tuple[list[str], list[str]]:
    """Return the words before and after "without" or "not"."""
    start = next(
        (index for index, word in enumerate(described) if index and word in ("without", "not")), len(described)
    )
    return described[:start] or described, described[start + 1 :]


def _is_role(word: str, described: list[str]) -> bool:
    is_act = word in _ALSO_ACTS and len(described) > 1 and described[0] == word and described[1] not in _OF
    return word in ROLE_WORDS and not is_act


def _contents(described: list[str], roles: list[str], is_name: Callable[[str], bool]) -> list[str]:
    return [word for word in described if word not in roles and (word not in _NOISE or is_name(word))]


def _verb(described: list[str], core: list[str]) -> str | None:
    """Return the verb, if there is one."""
    if len(described) < 2 or not core or described[0] != core[0]:
        return None
    return stem(described[0]) if described[1] in _DETERMINERS or stem(described[0]) in VERBS else None


def _proper(description: str) -> frozenset[str]:
    words = description.split()
    if len(words) > 2 and all(word[:1].isupper() for word in words):
        return frozenset()  # capitalised like a title
    return frozenset(stem(word) for name in _PROPER_NAME.findall(description) for word in split(name))


def _nouns(described: list[str]) -> frozenset[str]:
    threes = zip(described, described[1:], [*described[2:], ""], strict=False)
    return frozenset(stem(word) for before, word, after in threes if before in _DETERMINERS and after not in ROLE_WORDS)


def _implied(described: list[str], verb: str | None, last: str | None) -> str | None:
    if described and described[0] in _TYPING_VERBS:
        return "field"
    if verb is not None:
        is_act = verb in VERBS and (described[1] in _DETERMINERS or last not in _FIELD_HEADS)
        return "act" if is_act else None  # "post title" may be a field
    return "field" if last in _FIELD_HEADS else None


def is_negated(text: str) -> bool:
    """Return True for a text with a word such as "not": "Don't save", "Nicht speichern"."""
    return _NEGATION.search(text) is not None


def is_ordinal(word: str) -> bool:
    """Return True for a stem that counts, such as "first"."""
    return word in _ORDINALS or _NTH.fullmatch(word) is not None


def is_noise(word: str) -> bool:
    """Return True for a word without a meaning of its own."""
    return word in _NOISE


def _before_place(described: list[str]) -> list[str]:
    """Return the words before the place of the element."""
    end = next((index for index, word in enumerate(described) if word in _PLACES and index), len(described))
    return described[:end]


def _head(described: list[str], roles: list[str]) -> str | None:
    """Return the word that decides the role: the last possible one, but for a radio button the first."""
    heads = [word for word in described if word in roles]
    return ("radio" if "radio" in heads else heads[-1]) if heads else None


def _ordinal(described: list[str]) -> tuple[int | None, list[str]]:
    for index, word in enumerate(described):
        nth = _ORDINALS.get(word)
        if nth is None and (match := _NTH.fullmatch(word)):
            nth = int(match[1])
        if nth:
            return nth, described[:index] + described[index + 1 :]
    return None, described
