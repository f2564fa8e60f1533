"""Taking secrets that a client has used out of all that it is told. Pure, and nothing is done before one is used.

This keeps a page that shows what it was given from telling the agent. It is no boundary against a page, or a script of
the client's, that spells the secret in a way of its own, backwards or letter by letter.
"""

import base64
import re
from collections.abc import Iterable, Iterator
from html.entities import codepoint2name
from typing import Any, Final

import attrs

from agentbrowser.policy.urls import REDACTED
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError

_LEAST_CUT: Final = 6
"""Characters, and half of the value, that tell the beginning of a secret at the end of a text that was cut."""
_LEAST_DIGITS: Final = 6
"""Numbers with fewer are too common to be taken for a secret."""
_LEAST_FILE: Final = 1024
"""A longer text that is base64 holds a file, in which short values turn up by chance."""
_SURE_IN_FILE: Final = 8
"""Characters that do not."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_ALWAYS_RAW: Final = re.compile(r"[A-Za-z0-9]+")
_ENDS: Final = re.compile(r"…|\.\.\.|\Z")
_BLANK: Final = (
    r"(?:\s|\+|%(?:25)*(?:20|09|0A|0D|C2%(?:25)*A0)|&(?:amp;)*(?:nbsp|#0*(?:9|10|13|32|160)|#x0*(?:9|A|D|20|A0));"
    r"|\\+(?:[nrt]|u00(?:20|09|0A|0D|A0)))+"
)


@attrs.define(eq=False)
class SecretMasker:
    """The secrets that are to be taken out."""

    _values: list[str] = attrs.field(factory=list, init=False, repr=False)
    _whole: re.Pattern[str] | None = attrs.field(default=None, init=False, repr=False)
    _anchors: tuple[str, ...] = attrs.field(default=(), init=False, repr=False)
    """Of each value a part that every spelling has: a text without any of these need not be searched."""

    @property
    def active(self) -> bool:
        """Whether there is anything to take out."""
        return self._whole is not None

    def add(self, values: Iterable[str]) -> None:
        """Take these out too from now on."""
        new = [value for one in values if (value := one.strip()) not in self._values]
        if new:
            self._values = sorted({*self._values, *new}, key=len, reverse=True)
            self._whole = re.compile("|".join(map(_pattern, self._values)), re.IGNORECASE)
            self._anchors = tuple(
                max(_ALWAYS_RAW.findall(value), key=len, default="").lower() for value in self._values
            )

    def reply(self, message: wire.Reply | wire.ErrorReply) -> wire.Reply | wire.ErrorReply:
        """Return a reply without the secrets; its id stays."""
        if isinstance(message, wire.ErrorReply):
            return wire.ErrorReply(message.id, self.error(message.error))
        return wire.Reply(message.id, self.plain(message.result))

    def error(self, error: AgentBrowserError) -> AgentBrowserError:
        """Return an error without the secrets."""
        return AgentBrowserError.from_wire(self.plain(error.to_wire())) if self.active else error

    def plain(self, value: Any) -> Any:
        """Return plain data without the secrets."""
        if not self.active:
            return value
        if isinstance(value, str):
            return self._text_or_file(value) if _is_base64(value) else self.text(value)
        if isinstance(value, dict):
            return {self._key(key): self.plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.plain(item) for item in value]
        return REDACTED if self._is_number(value) else value

    def text(self, text: str) -> str:
        """Return a text without the secrets, however they are spelled, nor the beginning of one where it was cut."""
        if self._whole is None:
            return text
        lowered = text.lower()
        if any(anchor in lowered for anchor in self._anchors):
            text = self._whole.sub(REDACTED, text)
        return self._without_beginnings(text)

    def _key(self, key: Any) -> Any:
        # The names of the protocol are letters, and a client has to know them; nothing else about them is secret.
        if not isinstance(key, str) or (key.isalpha() and key.lower() not in map(str.lower, self._values)):
            return key
        return self.text(key)

    def _is_number(self, value: Any) -> bool:
        if type(value) not in (int, float) or value != value or value in (float("inf"), float("-inf")):
            return False
        digits = str(int(value)) if value == int(value) else str(value)
        return len(digits) >= _LEAST_DIGITS and digits in self._values

    def _text_or_file(self, text: str) -> str:
        """Return a text without the secrets, or the base64 of one without them; other files are left alone."""
        if len(text) < _LEAST_FILE or any(len(value) >= _SURE_IN_FILE and value in text for value in self._values):
            clean = self.text(text)
            if clean != text:
                return clean
        try:
            content = base64.b64decode(text).decode()
        except UnicodeDecodeError:
            return text
        clean = self.text(content)
        return text if clean == content else base64.b64encode(clean.encode()).decode()

    def _without_beginnings(self, text: str) -> str:
        pieces, kept = [], 0
        for end in _ENDS.finditer(text):
            start = min(
                (start for value in self._values for start in _beginning(value, text, kept, end.start())), default=None
            )
            if start is not None:
                pieces += [text[kept:start], REDACTED]
                kept = end.start()
        return "".join([*pieces, text[kept:]]) if pieces else text


def _beginning(value: str, text: str, start: int, end: int) -> Iterator[int]:
    """Yield where the beginning of the value is that the text has before ``end``, if it has one there."""
    least = max(_LEAST_CUT, len(value) // 2)
    tail = text[max(start, end - len(value) + 1) : end].lower()
    lowered = value.lower()
    if lowered[:least] not in tail:
        return
    for length in range(min(len(tail), len(value) - 1), least - 1, -1):
        if tail.endswith(lowered[:length]):
            yield end - length
            return


def _pattern(value: str) -> str:
    """Return the pattern of a value in all its spellings: raw, in URLs, HTML and JSON, also within each other."""
    return _BLANK.join("".join(map(_spellings, word)) for word in value.split())


def _spellings(character: str) -> str:
    if _ALWAYS_RAW.fullmatch(character):
        return character
    code = ord(character)
    in_url = "".join(f"%(?:25)*{byte:02X}" for byte in character.encode("utf-8", "replace"))
    names = [codepoint2name[code]] if code in codepoint2name else []
    entity = "|".join([f"#0*{code}", f"#x0*{code:x}", *names, *(["apos"] if character == "'" else [])])
    units = character.encode("utf-16-be", "surrogatepass")
    in_json = "".join(rf"\\+u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
    raw = r"\\+" if character == "\\" else re.escape(character)
    short = rf"|\\+x{code:02x}" if code < 256 else ""
    return rf"(?:\\*(?:{raw}|{in_url}|&(?:amp;)*(?:{entity});)|{in_json}{short})"


def _is_base64(text: str) -> bool:
    return len(text) % 4 == 0 and _BASE64.fullmatch(text) is not None
