"""What a description asks for: words, the role of the element, and which of several it is to be."""

import re
from collections.abc import Callable
from typing import Final

import attrs

from agentbrowser.browser.words import join, split, stem

_FIELDS: Final = "textbox searchbox combobox spinbutton"
_ROLES: Final[dict[str, frozenset[str]]] = {
    word: frozenset(roles.split())
    for words, roles in {
        "button btn": "button",
        "link hyperlink anchor": "link",
        "box field input entry textfield bar": _FIELDS,
        "textbox": "textbox searchbox",
        "textarea": "textbox",
        "dropdown combobox select picklist": "combobox listbox",
        "list listbox": "combobox listbox",
        "checkbox tickbox": "checkbox switch menuitemcheckbox",
        "toggle switch": "switch checkbox button",
        "radio": "radio menuitemradio",
        "tab": "tab",
        "menu": "menu menubar button combobox",
        "slider range": "slider",
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
_KIN: Final = tuple(
    frozenset(roles.split())
    for roles in (
        "button link tab menuitem option gridcell generic img",
        _FIELDS,
        "checkbox switch radio button menuitemcheckbox menuitemradio option",
        "combobox listbox menu",
    )
)
"""Roles that look so much alike that one is taken for the other."""

_RELATED: Final = 0.85
_OTHER: Final = 0.5

_ORDINAL_WORDS: Final = "first second third fourth fifth sixth seventh eighth ninth tenth"
_ORDINALS: Final = {word: number for number, word in enumerate(_ORDINAL_WORDS.split(), 1)} | {"last": -1}
_NTH: Final = re.compile(r"(\d{1,4})(?:st|nd|rd|th)")
_QUOTED: Final = re.compile(r"[\"“”«»]([^\"“”«»]+)[\"“”«»]")
_MOST: Final = 25
"""How many words of a description are read."""
_PROPER: Final = re.compile(r"(?<=[\w,;] )[A-Z]\w+")

_NOISE_WORDS: Final = """
a an and are at by called for from go i in into is it its labeled labelled me my named of on or our please read reading
say saying says that the there this titled to what where which with you your
"""
_NOISE: Final = frozenset(_NOISE_WORDS.split())
_PLACE_WORDS: Final = "at below by for from in inside near of on that under which with within"
_PLACES: Final = frozenset(_PLACE_WORDS.split())
"""What begins to say where the element is; what it is stands before."""


@attrs.frozen
class Wanted:
    """A description, taken apart."""

    words: tuple[str, ...]
    """Stems of what its name or surroundings should have."""
    said: tuple[str, ...]
    """Stems of all that it says."""
    core: frozenset[str]
    """Those that say most: the last before it is said where the element is, and the verb at the beginning."""
    last: str | None
    """The last of the core, which may be the kind of thing that the others tell apart: "dentist appointment"."""
    proper: frozenset[str]
    """Those that are written like names: "Bob", within the sentence."""
    roles: frozenset[str] | None
    """What its role should be; None for anything."""
    role_words: tuple[str, ...]
    """Stems of the words that tell a role, which may be in the name too."""
    nth: int | None
    """Which of equals it is, from 1; negative from the end."""

    def suits(self, role: str) -> float:
        """Return how well a role fits, from 0 to 1."""
        if self.roles is None or role in self.roles:
            return 1.0
        return _RELATED if any(role in kin and not kin.isdisjoint(self.roles) for kin in _KIN) else _OTHER


def parse(description: str, known: frozenset[str], is_name: Callable[[str], bool], *, ordinals: bool) -> Wanted:
    """Take a description apart.

    Args:
      known: the words that are on the page, before stemming.
      is_name: tells whether a word that says nothing elsewhere is all of a name here.
      ordinals: whether "first" and "last" count elements, or are words as any other.
    """
    quoted = [word for text in _QUOTED.findall(description) for word in join(split(text), known)]
    said = join(split(_QUOTED.sub(" ", description.replace("searchbox", "search box"))), known)
    nth, said = _ordinal(said) if ordinals else (None, said)
    said = said[:_MOST]
    what = _what(said)
    head = _head(what) or _head(said)
    roles = [word for word in said if word in ROLE_WORDS]
    words, core = (_contents(part, is_name) for part in (said, what))
    ends = core[-1:] if head else core[:1] + core[-1:]
    return Wanted(
        words=tuple(map(stem, [*words, *quoted][:_MOST])),
        said=tuple(map(stem, [*said, *quoted][:_MOST])),
        core=frozenset(map(stem, ends)),
        last=stem(core[-1]) if core else None,
        proper=frozenset(stem(word) for name in _PROPER.findall(description) for word in split(name)),
        roles=_ROLES[head] if head else None,
        role_words=tuple(map(stem, roles)),
        nth=nth,
    )


def _contents(said: list[str], is_name: Callable[[str], bool]) -> list[str]:
    return [word for word in said if word not in ROLE_WORDS and (word not in _NOISE or is_name(word))]


def is_noise(word: str) -> bool:
    """Tell whether a word says next to nothing by itself."""
    return word in _NOISE


def _what(said: list[str]) -> list[str]:
    """Return what is said before it is said where the element is."""
    end = next((index for index, word in enumerate(said) if word in _PLACES and index), len(said))
    return said[:end]


def _head(said: list[str]) -> str | None:
    """Return the word that tells the role: the last of those that can, but of a radio button, the first."""
    roles = [word for word in said if word in ROLE_WORDS]
    return ("radio" if "radio" in roles else roles[-1]) if roles else None


def _ordinal(said: list[str]) -> tuple[int | None, list[str]]:
    for index, word in enumerate(said):
        nth = _ORDINALS.get(word)
        if nth is None and (match := _NTH.fullmatch(word)):
            nth = int(match[1])
        if nth:
            return nth, said[:index] + said[index + 1 :]
    return None, said
