"""Selectors for Playwright, without its own extensions: plain CSS, plain XPath, or text."""

import re
import sys
from typing import Final

from agentbrowser.protocol.errors import InvalidParams

_QUOTES: Final = frozenset("\"'`")
_ROLE: Final = re.compile(r"[A-Za-z][A-Za-z-]{0,63}")
_ESCAPE: Final = re.compile(r"\\(?:([0-9A-Fa-f]{1,6})\s?|(.))", re.DOTALL)
# The only CSS extension of Playwright with a regular expression, which could run in the page for ever.
_PATTERN: Final = ":text-matches"


def css(value: str) -> str:
    """Return a CSS selector for Playwright's ``css=`` engine.

    Raises:
      InvalidParams: it chains engines with ``>>``, or holds a regular expression.
    """
    _refuse_chain(value)
    if _PATTERN in _ESCAPE.sub(_unescaped, value).lower():
        raise _refused("value", "a CSS selector without regular expressions", _PATTERN)
    return f"css={value}"


def xpath(value: str) -> str:
    """Return an XPath expression for Playwright's ``xpath=`` engine.

    Raises:
      InvalidParams: it chains engines with ``>>``.
    """
    _refuse_chain(value)
    return f"xpath={value}"


def role(value: str) -> str:
    """Return an ARIA role, which Playwright puts into its own selector unescaped.

    Raises:
      InvalidParams: it is more than a word.
    """
    if not _ROLE.fullmatch(value):
        raise _refused("role", "an ARIA role", value[:60])
    return value.lower()


def _refuse_chain(value: str) -> None:
    if ">>" in _unquoted(value):
        raise _refused("value", "one selector without >>", ">>")


def _unquoted(value: str) -> str:
    """Return the text outside of quotes, by the rules of Playwright's splitter: three quotes, escapes everywhere."""
    bare: list[str] = []
    quote = None
    characters = iter(value)
    for character in characters:
        if character == "\\":
            next(characters, "")
            character = " "
        if quote is None:
            bare.append(character)
            quote = character if character in _QUOTES else None
        elif character == quote:
            quote = None
    return "".join(bare)


def _unescaped(escape: "re.Match[str]") -> str:
    code, character = escape.groups()
    return character or chr(min(int(code, 16), sys.maxunicode))


def _refused(field: str, expected: str, got: str) -> InvalidParams:
    path = f"selector.{field}"
    return InvalidParams(f"{path} must be {expected}.", path=path, expected=expected, got=got)
