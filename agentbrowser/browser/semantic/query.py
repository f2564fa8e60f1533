"""What a description asks for: words, the role of the element, and which of several it is to be."""

import re
from collections.abc import Callable
from typing import Final

import attrs

from agentbrowser.browser.semantic.synonyms import ACTION_VERBS, OTHER_ACTION_VERBS
from agentbrowser.browser.semantic.words import is_compound, joined, split, stem

FIELDS: Final = "textbox searchbox combobox spinbutton"
_ROLES: Final[dict[str, frozenset[str]]] = {
    word: frozenset(roles.split())
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
        "cell": "gridcell cell",
        "header heading": "columnheader heading",
        "uploader": "button",
    }.items()
    for word in words.split()
}
ROLE_WORDS: Final = frozenset(_ROLES)
_ALSO_ACTS: Final = frozenset({"select", "list", "picture", "toggle", "switch"})
"""Words of roles that are what is to be done when they are said first of several."""
_GLUED: Final = re.compile(r"(\w{3,}?)s?(feld|knopf|taste|schaltflache|schalter|kastchen|liste|regler)")
"""German writes "Suchfeld" in one word."""
_SIMILAR_ROLES: Final = tuple(
    frozenset(roles.split())
    for roles in (
        "button link tab menuitem option gridcell generic img",
        FIELDS,
        "checkbox switch radio button menuitemcheckbox menuitemradio option",
        "combobox listbox menu",
    )
)
"""Roles that look so much alike that one is taken for the other."""

_RELATED: Final = 0.85
_OTHER: Final = 0.5
_IMPLIED: Final = 0.85

_ORDINAL_WORDS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS: Final = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)} | {"last": -1}
_NTH: Final = re.compile(r"(\d{1,4})(?:st|nd|rd|th)")
_QUOTED: Final = re.compile(r"[\"“”«»]([^\"“”«»]+)[\"“”«»]")
_MOST: Final = 25
"""How many words of a description are read."""
_PROPER: Final = re.compile(r"(?<=[\w,;] )[A-Z]\w+")

_NOISE_WORDS: Final = """
a about an and are as at be by called for from go i in into is it its labeled labelled me my named of on or our please
read reading say saying says so that the there this titled to what where which with you your
das dem den der des die ein eine einen el la las le les los un une
"""
_NOISE: Final = frozenset(_NOISE_WORDS.split())
_PLACE_WORDS: Final = "at below by for from in inside near of on that under which with within"
_PLACES: Final = frozenset(_PLACE_WORDS.split())
"""What begins to say where the element is; what it is stands before."""
_DETERMINER_WORDS: Final = "a an the my our your this that these all every its her his their"
_DETERMINERS: Final = frozenset(_DETERMINER_WORDS.split())
_PARTICLE_WORDS: Final = "away back down in off on out over up"
_PARTICLES: Final = frozenset(_PARTICLE_WORDS.split())
"""What a verb may be parted from by its object: "turn autoplay off"."""
_APART: Final = 5

CLEAR_VERBS: Final = frozenset(map(stem, ACTION_VERBS))
VERBS: Final = CLEAR_VERBS | frozenset(map(stem, OTHER_ACTION_VERBS.split()))
_TYPING: Final = frozenset({"type", "fill", "input"})
_HEADS: Final = """
number code address name date title subject amount email phone password zip city street country username surname
firstname birthday cardnumber cvc expiry expiration expires coupon quantity
"""
_FIELD_HEADS: Final = frozenset(map(stem, _HEADS.split()))
"""Nouns that are mostly of a field, when they come last and nothing is said to be done."""


@attrs.frozen
class SemanticQuery:
    """A description, taken apart."""

    words: tuple[str, ...]
    """Stems of what its name or surroundings should have."""
    parts: dict[str, tuple[str, ...]]
    """What the words were made of that are said in several: "start date"."""
    said: tuple[str, ...]
    """Stems of all that it says."""
    excluded: frozenset[str]
    """Stems of what it says the element is without."""
    core: frozenset[str]
    """Those that say most: the last before it is said where the element is, and the verb at the beginning."""
    last: str | None
    """The last of the core, which may be the kind of thing that the others tell apart: "dentist appointment"."""
    verb: str | None
    """What is to be done, if that is said first: a known verb, or a word that an article follows."""
    nouns: frozenset[str]
    """What an article stands before, and not before a role: "the post" is nothing to be done."""
    proper: frozenset[str]
    """Those that are written like names: "Bob", within the sentence."""
    values: frozenset[str]
    """Those that come after "to", which may be what is to be put in: "set the quantity to 3"."""
    roles: frozenset[str] | None
    """What its role should be; None for anything."""
    implied: str | None
    """``field`` or ``act`` when no role is said, but the words are of one."""
    role_words: tuple[str, ...]
    """Stems of the words that tell a role, which may be in the name too."""
    nth: int | None
    """Which of equals it is, from 1; negative from the end."""

    def role_score(self, role: str) -> float:
        """Return how well a role fits, from 0 to 1."""
        if self.roles is None:
            is_unlike = self.implied is not None and (role in FIELDS.split()) != (self.implied == "field")
            return _IMPLIED if is_unlike else 1.0
        if role in self.roles:
            return 1.0
        return (
            _RELATED
            if any(role in related and not related.isdisjoint(self.roles) for related in _SIMILAR_ROLES)
            else _OTHER
        )


def parse(description: str, known: frozenset[str], is_name: Callable[[str], bool], *, ordinals: bool) -> SemanticQuery:
    """Take a description apart.

    Args:
      known: the words that are on the page, before stemming.
      is_name: tells whether a word that says nothing elsewhere is all of a name here.
      ordinals: whether "first" and "last" count elements, or are words as any other.
    """
    quoted = joined([word for text in _QUOTED.findall(description) for word in split(text)], known)
    pairs = joined(_plain(_QUOTED.sub(" ", description)), known)
    parts = {stem(word): tuple(map(stem, part)) for word, part in (*pairs, *quoted) if len(part) > 1}
    said = [word for word, _ in pairs]
    nth, said = _ordinal(said) if ordinals else (None, said)
    said, excluded = _without(said[:_MOST])
    what = _what(said)
    roles = [word for word in said if _is_role(word, said)]
    head = _head(what, roles) or _head(said, roles)
    words, core = (_contents(part, roles, is_name) for part in (said, what))
    ends = core[-1:] if head else core[:1] + core[-1:]
    verb = _verb(said, core)
    last = stem(core[-1]) if core else None
    everything = [*words, *(word for word, _ in quoted)][:_MOST]
    return SemanticQuery(
        words=tuple(map(stem, everything)),
        parts=parts,
        said=tuple(map(stem, [*said, *(word for word, _ in quoted)][:_MOST])),
        excluded=frozenset(map(stem, excluded)),
        core=frozenset(map(stem, ends)),
        last=last,
        verb=verb,
        nouns=_nouns(said),
        proper=_proper(description),
        values=frozenset(map(stem, said[said.index("to") :] if "to" in said else ())),
        roles=_ROLES[head] if head else None,
        implied=_implied(said, verb, last),
        role_words=tuple(map(stem, roles)),
        nth=nth,
    )


def _plain(text: str) -> list[str]:
    """Return the words of a description, with those that are glued or parted as they are elsewhere."""
    words: list[str] = []
    for word in split(text.replace("searchbox", "search box")):
        glued = _GLUED.fullmatch(word)
        words += glued.groups() if glued else [word]
    return _reunited(words)


def _reunited(words: list[str]) -> list[str]:
    """Put a verb and its particle together: "throw the draft away"."""
    for index, word in enumerate(words):
        for end in range(index + 2, min(index + _APART, len(words))):
            if words[end] in _PARTICLES and is_compound(word + words[end]):
                return [*words[: index + 1], words[end], *words[index + 1 : end], *words[end + 1 :]]
    return words


def _without(said: list[str]) -> tuple[list[str], list[str]]:
    """Return what is said, and of it what comes after "without" or "not"."""
    start = next((index for index, word in enumerate(said) if index and word in ("without", "not")), len(said))
    return said[:start] or said, said[start + 1 :]


def _is_role(word: str, said: list[str]) -> bool:
    return word in ROLE_WORDS and not (word in _ALSO_ACTS and len(said) > 1 and said[0] == word)


def _contents(said: list[str], roles: list[str], is_name: Callable[[str], bool]) -> list[str]:
    return [word for word in said if word not in roles and (word not in _NOISE or is_name(word))]


def _verb(said: list[str], core: list[str]) -> str | None:
    """Return what is to be done, if it is said."""
    if len(said) < 2 or not core or said[0] != core[0]:
        return None
    return stem(said[0]) if said[1] in _DETERMINERS or stem(said[0]) in VERBS else None


def _proper(description: str) -> frozenset[str]:
    words = description.split()
    if len(words) > 2 and all(word[:1].isupper() for word in words):
        return frozenset()  # all is written like a title
    return frozenset(stem(word) for name in _PROPER.findall(description) for word in split(name))


def _nouns(said: list[str]) -> frozenset[str]:
    threes = zip(said, said[1:], [*said[2:], ""], strict=False)
    return frozenset(stem(word) for before, word, after in threes if before in _DETERMINERS and after not in ROLE_WORDS)


def _implied(said: list[str], verb: str | None, last: str | None) -> str | None:
    if said and said[0] in _TYPING:
        return "field"
    if verb is not None:
        is_act = verb in VERBS and (said[1] in _DETERMINERS or last not in _FIELD_HEADS)
        return "act" if is_act else None  # "post title" may be a field
    return "field" if last in _FIELD_HEADS else None


def is_noise(word: str) -> bool:
    """Tell whether a word says next to nothing by itself."""
    return word in _NOISE


def _what(said: list[str]) -> list[str]:
    """Return what is said before it is said where the element is."""
    end = next((index for index, word in enumerate(said) if word in _PLACES and index), len(said))
    return said[:end]


def _head(said: list[str], roles: list[str]) -> str | None:
    """Return the word that tells the role: the last of those that can, but of a radio button, the first."""
    heads = [word for word in said if word in roles]
    return ("radio" if "radio" in heads else heads[-1]) if heads else None


def _ordinal(said: list[str]) -> tuple[int | None, list[str]]:
    for index, word in enumerate(said):
        nth = _ORDINALS.get(word)
        if nth is None and (match := _NTH.fullmatch(word)):
            nth = int(match[1])
        if nth:
            return nth, said[:index] + said[index + 1 :]
    return None, said
