"""Text from pages in results: quoted on one line, or fenced with a nonce that it does not contain."""

import json
import secrets
from collections.abc import Callable, Iterator
from typing import Any, Final

import attrs

from agentbrowser.protocol.unseen import one_line, visible

_NONCE_BYTES: Final = 4
TAG: Final = "page-text"


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


def fenced(text: str, new_nonce: Callable[[], str] = lambda: secrets.token_hex(_NONCE_BYTES)) -> str:
    """Return a text of several lines between two tags with a nonce. The text does not contain the nonce."""
    text = visible(text)
    nonce = new_nonce()
    while nonce in text:
        nonce = new_nonce()
    return f"<{TAG} {nonce}>\n{text}\n</{TAG} {nonce}>"


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
