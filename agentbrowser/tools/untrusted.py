"""Text from pages in results: quoted on one line, or fenced with a nonce that it does not contain."""

import json
import re
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import attrs

from agentbrowser.protocol.unseen import UNSEEN

_NONCE_BYTES: Final = 4
TAG: Final = "page-text"
_BLANK: Final = re.compile(f"[{UNSEEN}]")
_OBEYED: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f"
    f"{UNSEEN}]"
)
"""Characters that a terminal obeys or that hide words: controls but tab and new line, marks of direction, tags, and
what has no picture, but for the joiners that scripts and emojis need."""


def quoted(text: str, limit: int = 300) -> str:
    """Return a text in double quotes, on one line, with invisible characters escaped."""
    return as_json(text if len(text) <= limit else f"{text[: limit - 1]}…")


def as_json(value: Any, limit: int | None = None) -> str:
    """Return a value as JSON on one line, in which only printable characters stand as they are.

    Args:
      limit: number of characters of the result, of which the last is an ellipsis if more was cut off. Only with a limit
        does the work not grow with the value.
    """
    text = one_line(json_text(value) if limit is None else _beginning(value, limit + 1))
    return text if limit is None or len(text) <= limit else f"{text[: limit - 1]}…"


def json_text(value: Any) -> str:
    """Return a value as JSON on one line, in which characters of any kind stand as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def one_line(text: str) -> str:
    """Return a sentence of ours that may cite a page, without line breaks, which would let it forge a line.

    Letters and marks that nobody sees are escaped, too.
    """
    is_plain = text.isprintable() and _BLANK.search(text) is None
    return text if is_plain else text.translate(_escapes(text))


def fenced(text: str, new_nonce: Callable[[], str] = lambda: secrets.token_hex(_NONCE_BYTES)) -> str:
    """Return a text of several lines between two tags with a nonce. The text does not contain the nonce."""
    text = visible(text)
    nonce = new_nonce()
    while nonce in text:
        nonce = new_nonce()
    return f"<{TAG} {nonce}>\n{text}\n</{TAG} {nonce}>"


def visible(text: str) -> str:
    """Return a text of several lines, or JSON, in which the characters that a terminal obeys are escaped as in JSON."""
    return text.translate(_escapes(_OBEYED.findall(text)))


def _beginning(value: Any, limit: int) -> str:
    """Return the JSON of a value up to the piece that reaches the limit; the rest of the value is not looked at."""
    pieces, length, rest = list[str](), 0, [iter((value,))]
    while rest and length < limit:
        one = next(rest[-1], _END)
        if one is _END:
            rest.pop()
        elif isinstance(one, dict | list | tuple):
            rest.append(_members(one, limit))
        else:
            pieces.append(
                one.text if isinstance(one, _Json) else json_text(one[:limit] if isinstance(one, str) else one)
            )
            length += len(pieces[-1])
    return "".join(pieces)[:limit]


def _members(value: dict[Any, Any] | list[Any] | tuple[Any, ...], limit: int) -> Iterator[Any]:
    """Yield what is in an object or an array, with the JSON between."""
    before, end = ("{", "}") if isinstance(value, dict) else ("[", "]")
    for one in value:
        yield _Json(before)
        if isinstance(value, dict):
            yield _Json(f"{json_text(str(one)[:limit])}:")
        yield value[one] if isinstance(value, dict) else one
        before = ","
    yield _Json(end if value else before + end)


@attrs.frozen
class _Json:
    text: str


_END: Final = object()


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
