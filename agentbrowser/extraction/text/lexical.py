"""Lexical base of extraction and of semantic selectors: word boundaries, accents, English endings."""

import re
import unicodedata
from collections.abc import Callable
from typing import Final

WORD: Final = r"[^\W_]+"
"""Pattern of a word: letters and digits."""

_CAMEL_CASE: Final = r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_CAMEL_WORDS: Final = re.compile(_CAMEL_CASE)
_CAMEL_PARTS: Final = re.compile(rf"{_CAMEL_CASE}|(?<=[0-9])(?=[A-Z])|(?<=[a-z]{{3}})(?=\d)")

_SIBILANT_ENDINGS: Final = ("sses", "shes", "ches", "xes")
_SINGULAR_ENDINGS: Final = ("ss", "us", "is")
_MIN_PLURAL: Final = 4
_MIN_Y_PLURAL: Final = 6
"""Shortest word in which ``ies`` stands for ``y``: "cities", but not "ties"."""


def split_camel_case(text: str, *, digits: bool = False) -> str:
    """Return the text with spaces inside camel case.

    Args:
      digits: split at digits too, as identifiers have them ("address2Line").
    """
    return (_CAMEL_PARTS if digits else _CAMEL_WORDS).sub(" ", text)


def is_accent(letter: str) -> bool:
    """Return True for a combining accent of the European alphabets."""
    return "\u0300" <= letter <= "\u036f"


def strip_marks(text: str, is_mark: Callable[[str], object] = is_accent) -> str:
    """Return the decomposed text without combining marks."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not is_mark(letter))


def singular(word: str) -> str:
    """Return a word without the ending of an English plural."""
    if len(word) < _MIN_PLURAL or word.endswith(_SINGULAR_ENDINGS):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) >= _MIN_Y_PLURAL else word[:-1]
    if word.endswith(_SIBILANT_ENDINGS):
        return word[:-2]
    return word.removesuffix("s")


def undouble(root: str) -> str:
    """Return the root of a verb without the consonant that its ending doubles: "shipp" is "ship"."""
    return root[:-1] if root[-1] == root[-2] and root[-1] not in "lsz" else root
