"""Spelling of calls, literals and patterns in the languages of exported tests. Pure."""

import json
import re
from typing import Any, Final

import attrs

from agentbrowser.policy.redaction import REDACTED
from agentbrowser.recorder.export.items import Reading, ReadWords, SiteUrl, Withheld

_ESCAPED: Final = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
"""Controls, line ends of TypeScript, marks of direction, and halves of characters, which no file can hold."""
_IDENTIFIER: Final = re.compile(r"[A-Za-z]\w*", re.ASCII)
_MASKED: Final = re.compile(rf"{re.escape(REDACTED)}|%5BREDACTED%5D")


class NotRepeatable(Exception):
    """Item that a test can't repeat in its language, with the reason."""


@attrs.frozen
class Code:
    """Expression that is code already."""

    text: str


@attrs.frozen(kw_only=True)
class Dialect:
    """Spelling of calls in one language."""

    is_python: bool

    def name(self, camel: str) -> str:
        """Return a method's or option's name."""
        return re.sub(r"[A-Z]", lambda one: f"_{one[0].lower()}", camel) if self.is_python else camel

    def literal(self, value: Any) -> str:
        """Return a value as source text."""
        if isinstance(value, Code):
            return value.text
        if isinstance(value, Withheld):
            return f"withheld({quote(value.variable)})"
        if isinstance(value, ReadWords):
            return value.variable
        if isinstance(value, SiteUrl):
            return f"BASE_URL + {quote(value.path)}"
        if isinstance(value, bool):
            return str(value) if self.is_python else str(value).lower()
        if isinstance(value, dict):
            pairs = [f"{self._key(key)}: {self.literal(one)}" for key, one in value.items()]
            return "{" + ", ".join(pairs) + "}" if self.is_python else "{ " + ", ".join(pairs) + " }"
        if isinstance(value, list | tuple):
            return "[" + ", ".join(map(self.literal, value)) + "]"
        if value is None and not self.is_python:
            return "null"
        return quote(value) if isinstance(value, str) else repr(value)

    def _key(self, key: str) -> str:
        """Return a key of an object: a recording may hold any text as a key, which is no code."""
        return key if not self.is_python and _IDENTIFIER.fullmatch(key) else quote(key)

    def comment(self, text: str) -> str:
        """Return a comment of one line."""
        words = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
        return f"{'#' if self.is_python else '//'} {words}"

    def call(self, target: str, name: str, /, *args: Any, **options: Any) -> str:
        """Return a call as source text."""
        return f"{target}.{self.name(name)}({self.arguments(*args, **options)})"

    def arguments(self, *args: Any, **options: Any) -> str:
        """Return the arguments of a call as source text."""
        words = [self.literal(one) for one in args]
        if options and self.is_python:
            words += [f"{self.name(key)}={self.literal(one)}" for key, one in options.items()]
        elif options:
            words.append(self.literal(options))
        return ", ".join(words)

    def pattern(self, expression: str) -> Code:
        """Return a regular expression as source text."""
        return Code(f"re.compile({quote(expression)})" if self.is_python else f"new RegExp({quote(expression)})")

    def statement(self, code: str) -> str:
        """Return a call as a statement."""
        return code if self.is_python else f"await {code};"

    def failure(self, reason: str) -> str:
        """Return a statement that fails, for what a person has to complete."""
        message = quote(f"TODO: {reason}")
        return f"raise AssertionError({message})" if self.is_python else f"throw new Error({message});"

    def assigned(self, name: str, code: str) -> str:
        """Return an assignment of a call's result to a new variable."""
        return f"{name} = {code}" if self.is_python else f"const {name} = await {code};"


def quote(text: str) -> str:
    """Return text as a literal of Python and of TypeScript."""
    return _ESCAPED.sub(lambda one: f"\\u{ord(one[0]):04x}", json.dumps(text, ensure_ascii=False))


def name_of(recording: str) -> str:
    """Return the id of a recording for a comment or docstring: letters, digits and hyphens."""
    return re.sub(r"[^\w-]+", "_", recording, flags=re.ASCII)[:100]


def words_pattern(text: str) -> str:
    """Return a regular expression for words as a look joins them: of several elements, and with marks of styles."""
    return r"\W*".join(re.findall(r"\w+", text))


def reading_pattern(reading: Reading) -> str:
    """Return a regular expression whose group is the words that are read: letters as recorded, and any digits."""
    words = "".join(r"\d+" if part.isdigit() else re.escape(part) for part in re.split(r"(\d+)", reading.words))
    return r"\W*".join(filter(None, [words_pattern(reading.before), f"({words})", words_pattern(reading.after)]))


def url_glob(text: str) -> str:
    """Return a glob for a URL, in which masked values fit anything."""
    return "**".join(re.sub(r"[*{},\\]", r"\\\g<0>", part) for part in _MASKED.split(text))


def url_pattern(text: str) -> str:
    """Return a regular expression for a part of a URL, or for a glob with ``*``; masked values fit anything."""
    masked = [re.escape(part) for part in _MASKED.split(text)]
    return ".*".join(masked).replace(r"\*\*", ".*").replace(r"\*", ".*")
