"""Characters that nobody sees, or that a terminal obeys. Looks, results for models and logs escape them.

It has a module of its own as the browser side writes looks, clients write results of tools, and the server its logs.
"""

import re
from collections.abc import Iterable
from typing import Final

UNSEEN: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0e\uffa0\U000e0100-\U000e01ef"
"""Members of a set of a regular expression: letters that look like blanks, with which a word looks like a sentence,
and marks without a picture, such as variation selectors, rows of which hold hidden words. U+FE0F is not one of them:
emojis need it.
"""
_BLANK: Final = re.compile(f"[{UNSEEN}]")
_OBEYED: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
    f"{UNSEEN}]"
)
"""Characters that a terminal obeys or that hide words: controls but tab and new line, marks of direction, tags, and
what has no picture, but for the joiners that scripts and emojis need."""


def visible(text: str) -> str:
    """Return a text of several lines, or JSON, in which the characters that a terminal obeys are escaped as in JSON."""
    return text.translate(_escapes(_OBEYED.findall(text)))


def one_line(text: str) -> str:
    """Return a sentence of ours that may cite a page, without line breaks, which would let it forge a line.

    Letters and marks that nobody sees are escaped, too.
    """
    is_plain = text.isprintable() and _BLANK.search(text) is None
    return text if is_plain else text.translate(_escapes(text))


def _escapes(characters: Iterable[str]) -> dict[int, str]:
    return {ord(one): _escaped(one) for one in set(characters)}


def _escaped(character: str) -> str:
    if character.isprintable() and not _BLANK.match(character):
        return character
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
