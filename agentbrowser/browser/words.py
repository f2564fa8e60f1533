"""Words as a ranker compares them: split, without accents and endings, and alike where they mean the same."""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

_SAME: Final = (
    "login signin logon",
    "logout signout logoff",
    "signup register registration enroll",
    "search find lookup",
    "cart basket trolley shoppingcart shoppingbasket shoppingbag",
    "delete remove erase",
    "next forward",
    "previous back prev prior backward",
    "close dismiss x",
    "submit send",
    "compose newmail newemail newmessage",
    "mail email",
    "phone telephone mobile cellphone tel",
    "password pwd passcode passphrase",
    "zip postcode postal",
    "surname lastname familyname",
    "firstname givenname forename",
    "picture image photo pic",
    "settings preferences prefs gear cog",
    "ok okay confirm",
    "cancel abort",
    "accept agree allow consent",
    "reject decline deny refuse",
    "edit modify",
    "add create",
    "increase plus increment",
    "decrease minus decrement",
    "download export",
    "upload attach",
    "buy purchase",
    "home homepage",
    "help support",
    "menu navigation nav hamburger",
    "like thumbsup upvote",
    "dislike thumbsdown downvote",
    "publish post",
    "captions subtitles",
    "fullscreen maximize",
    "quantity qty",
    "username userid",
    "birthday birthdate dateofbirth dob",
    "pick choose select",
    "reload refresh",
    "undo revert",
    "expand unfold",
    "collapse fold",
    "favorite favourite star bookmark",
    "info information",
    "organisation organization company",
    "color colour",
)
"""Words that stand for each other."""
_AKIN: Final = (
    "delete trash bin",
    "add create new plus insert",
    "compose new write",
    "next continue proceed",
    "submit continue save apply ok done",
    "buy order checkout",
    "account profile",
    "name title",
    "mail message",
    "mode theme",
    "picture avatar icon",
    "edit change update",
    "increase more up",
    "decrease less fewer down",
    "cancel discard close",
    "close hide",
    "quantity amount number count",
    "transfer payment pay",
    "article story news headline post",
    "event appointment meeting",
    "show view open display see",
    "settings options configure",
    "play start resume",
    "help question faq chat contact",
    "search filter",
    "reply answer respond",
    "share send",
    "signup join subscribe",
    "home start",
    "surname last",
    "firstname first",
    "street address",
    "trip journey travel",
    "movie film video",
    "reject only necessary",
)
"""Words that one may be used for the other, and may also mean something else."""
_OPPOSITE: Final = (
    ("login", "logout"),
    ("login", "signup"),
    ("accept", "reject"),
    ("next", "previous"),
    ("increase", "decrease"),
    ("open", "close"),
    ("expand", "collapse"),
    ("show", "hide"),
    ("like", "dislike"),
    ("add", "delete"),
    ("follow", "unfollow"),
    ("subscribe", "unsubscribe"),
    ("mute", "unmute"),
    ("enable", "disable"),
    ("lock", "unlock"),
    ("check", "uncheck"),
    ("play", "pause"),
    ("start", "stop"),
    ("undo", "redo"),
    ("upload", "download"),
    ("save", "discard"),
    ("firstname", "surname"),
)
"""Words that never stand for each other; synonyms included."""
_WHOLE: Final = "checkbox textbox dropdown textarea combobox listbox wishlist newsletter"
_COMPOUNDS: Final = frozenset(word for group in (*_SAME, _WHOLE) for word in group.split() if len(word) > 4)

SAME: Final = 0.9
AKIN: Final = 0.6
_BEGINS: Final = 0.75
_MISSPELT: Final = 0.8
_LONG: Final = 5
"""From how many letters on the beginning of a word, or all but one of its letters, tell which it is."""

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD: Final = re.compile(r"[^\W_]+|[×✕✖+]")
_DIGITS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SIGNS: Final = {"×": "close", "✕": "close", "✖": "close", "+": "plus"} | {
    word: str(digit) for digit, word in enumerate(_DIGITS)
}


@lru_cache(maxsize=32768)
def split(text: str) -> tuple[str, ...]:
    """Return the words of a text in small letters, camel case taken apart, accents and possessives left out."""
    spaced = _CAMEL.sub(" ", re.sub(r"['’]s\b", "", text))
    plain = spaced.lower() if spaced.isascii() else _without_accents(spaced)
    words: list[str] = _WORD.findall(plain.replace("e-mail", "email"))
    return tuple(_SIGNS.get(word, word) for word in words)


def _without_accents(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def join(words: Sequence[str], known: frozenset[str]) -> list[str]:
    """Return the words with neighbours made one where that is a word: ``log in`` is ``login``."""
    joined: list[str] = []
    for word in words:
        if joined and ((whole := joined[-1] + word) in _COMPOUNDS or whole in known):
            joined[-1] = whole
        else:
            joined.append(word)
    return joined


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without the endings of English plurals, participles and gerunds."""
    for ending, put in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word.removesuffix(ending) + put
            break
    for ending in ("ing", "ed"):
        root = word.removesuffix(ending)
        if root != word and len(root) >= 3 and re.search("[aeiouy]", root):
            word = root[:-1] if len(root) > 3 and root[-1] == root[-2] and root[-1] not in "lsz" else root
            break
    return word.removesuffix("e") if len(word) > 3 else word


def _groups(lists: Iterable[str]) -> dict[str, frozenset[int]]:
    groups: dict[str, frozenset[int]] = {}
    for number, words in enumerate(lists):
        for word in map(stem, words.split()):
            groups[word] = groups.get(word, frozenset()) | {number}
    return groups


_SAME_GROUPS: Final = _groups(_SAME)
_AKIN_GROUPS: Final = _groups(_AKIN)


@lru_cache(maxsize=65536)
def likeness(one: str, other: str) -> float:
    """Return how near two stems are in meaning, from 0 to 1."""
    if one == other:
        return 1.0
    if _meet(_SAME_GROUPS, one, other):
        return SAME
    if _is_misspelt(one, other):
        return _MISSPELT
    if min(len(one), len(other)) >= _LONG and (one.startswith(other) or other.startswith(one)):
        return _BEGINS
    return AKIN if _meet(_AKIN_GROUPS, one, other) else 0.0


def _meet(groups: dict[str, frozenset[int]], one: str, other: str) -> bool:
    return not groups.get(one, frozenset()).isdisjoint(groups.get(other, frozenset()))


def opposed(one: str, other: str) -> bool:
    """Tell whether two stems say the contrary of each other."""
    return _sides(one) & {-side for side in _sides(other)} != set()


@lru_cache(maxsize=4096)
def _sides(word: str) -> frozenset[int]:
    """Return the pairs of opposites that a word is in: the number of the pair, negative for its second half."""
    alike = {word} | {other for other, groups in _SAME_GROUPS.items() if groups & _SAME_GROUPS.get(word, frozenset())}
    return frozenset(
        sign * number
        for number, pair in enumerate(_OPPOSITE, 1)
        for sign, side in zip((1, -1), pair, strict=True)
        if stem(side) in alike
    )


def _is_misspelt(one: str, other: str) -> bool:
    """Tell whether a letter too many, too few or another, or two letters swapped, is all that differs."""
    if min(len(one), len(other)) < _LONG or abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    if any(word.isdigit() for word in (one, other)):
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    head, tail = one[start:], other[start:]
    is_swapped = head[:2] == tail[1::-1] and head[2:] == tail[2:]
    return is_swapped or head[1:] == tail[1:] or head[1:] == tail or head == tail[1:]
