"""Text from pages in results: quoted on one line, or fenced with a nonce that it does not contain."""

import json
import re
import secrets
from collections.abc import Callable
from typing import Any, Final

_NONCE_BYTES: Final = 4
TAG: Final = "page-text"
_OBEYED: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)
"""Characters that a terminal obeys or that hide words: controls but tab and new line, marks of direction, and tags."""


def quoted(text: str, limit: int = 300) -> str:
    """Return a text in double quotes, on one line, with invisible characters escaped."""
    return as_json(text if len(text) <= limit else f"{text[: limit - 1]}…")


def as_json(value: Any) -> str:
    """Return a value as JSON on one line, in which only printable characters stand as they are."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if text.isprintable() else "".join(map(_escaped, text))


def one_line(text: str) -> str:
    """Return a sentence of ours that may cite a page, without the line breaks that would let it forge a line."""
    return text if text.isprintable() else "".join(map(_escaped, text))


def fenced(text: str, new_nonce: Callable[[], str] = lambda: secrets.token_hex(_NONCE_BYTES)) -> str:
    """Return a text of several lines between two tags with a nonce. The text does not contain the nonce."""
    text = visible(text)
    nonce = new_nonce()
    while nonce in text:
        nonce = new_nonce()
    return f"<{TAG} {nonce}>\n{text}\n</{TAG} {nonce}>"


def visible(text: str) -> str:
    """Return a text of several lines, or JSON, in which the characters that a terminal obeys are escaped as in JSON."""
    return _OBEYED.sub(lambda one: _escaped(one[0]), text)


def _escaped(character: str) -> str:
    if character.isprintable():
        return character
    code = ord(character)
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
