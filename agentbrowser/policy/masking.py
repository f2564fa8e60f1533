"""Masking of used secrets in everything that a client receives. Pure, and free until a secret is used.

Masking hides a secret that a page displays. It is no boundary against a page or a client's script that encodes the
secret in an unknown way, such as backwards or letter by letter.
"""

import base64
import bisect
import codecs
import contextlib
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from html.entities import codepoint2name
from typing import Any, Final

import attrs

from agentbrowser.policy.interruptions import STEP, interrupted_spans, redacted, spans, visible
from agentbrowser.policy.urls import REDACTED
from agentbrowser.protocol import wire
from agentbrowser.protocol.errors import AgentBrowserError

_MIN_PREFIX_LENGTH: Final = 6
"""Length of a recognizable beginning of a secret before a truncation; also at least half of the value."""
_MIN_DIGITS: Final = 6
"""Shorter numbers are too common to count as a secret."""
_MIN_FILE_LENGTH: Final = 1024
"""Base64 from this length on counts as a file, in which short values occur by chance."""
_MIN_LENGTH_IN_FILE: Final = 8
"""Length of values that do not occur in files by chance."""

_MIN_DIGITS_IN_GROUPS: Final = 8
"""Numbers that pages show in groups, such as those of cards and accounts, have at least so many digits."""

_BASE64: Final = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_ALWAYS_RAW: Final = re.compile(r"[A-Za-z0-9]+")
_TRUNCATION: Final = re.compile(r"…|\.\.\.")
_BACKSLASH_IN_URL: Final = "(?:%(?:25)*5C){1,15}+"
"""Backslashes of nested JSON in a URL: a bound on their number keeps the time of a search proportional to the text."""
_BLANK: Final = (
    r"(?:[\s_]|\+|%(?:25)*(?:20|09|0A|0D|C2%(?:25)*A0)|&(?:amp;)*(?:nbsp|#0*(?:9|10|13|32|160)|#x0*(?:9|A|D|20|A0));"
    rf"|(?:\\++|{_BACKSLASH_IN_URL})(?:[nrt]|u00(?:20|09|0A|0D|A0)))+"
)
_NOT_IN_GROUPS: Final = re.compile(r"[\s-]+")
_DROPPED_BLANKS: Final = re.compile(r"[\t\n\r]+")
"""Blanks that browsers drop from URLs and from fields of one line."""
_NOT_IN_FILE_NAMES: Final = frozenset('/\\:*?"<>|~')
"""Characters in whose place browsers put underscores in the names of downloads."""
_BEHIND_COLON: Final = re.compile(r":.")
_BACKSLASHES: Final = re.compile(r"(\\+)")
_MAX_CHARACTERS_ON_LOOP: Final = 20_000
_MAX_WORK_ON_LOOP: Final = 100_000
"""Characters times values: a search tries each value at each character."""
FILE_MARGIN: Final = 65536
"""Bytes around a range of a file in which a secret of the range begins or ends."""


@attrs.define(eq=False)
class SecretMasker:
    """Masker of the used secrets."""

    _values: list[str] = attrs.field(factory=list, init=False, repr=False)
    _whole: re.Pattern[str] | None = attrs.field(default=None, init=False, repr=False)
    _anchors: tuple[str, ...] = attrs.field(default=(), init=False, repr=False)
    """A part of each value that every encoding contains: a text without any of these needs no search."""
    _beginnings: dict[str, int] = attrs.field(factory=dict, init=False, repr=False)
    """First half of each value in lower case, and the most characters between its start and a truncation."""
    _names: frozenset[str] = attrs.field(default=frozenset(), init=False, repr=False)
    """The values in lower case."""
    _parts_of_names: tuple[str, ...] = attrs.field(default=(), init=False, repr=False)
    """The values that are too long to occur in a name by chance, in lower case."""
    _numbers: frozenset[str] = attrs.field(default=frozenset(), init=False, repr=False)
    """The values as numbers without groups and leading zeros."""
    _in_files: re.Pattern[str] | None = attrs.field(default=None, init=False, repr=False)
    """Pattern of the values that do not occur in files by chance."""

    @property
    def active(self) -> bool:
        """Return True if there are secrets to mask."""
        return self._whole is not None

    def add(self, values: Iterable[str]) -> None:
        """Mask these values from now on."""
        new = [value for one in values if (value := one.strip()) not in self._values]
        if new:
            self._values = sorted({*self._values, *new}, key=len, reverse=True)
            self._whole = re.compile("|".join(map(_pattern, self._values)), re.IGNORECASE)
            self._anchors = tuple(map(_anchor, self._values))
            halves = {value: max(_MIN_PREFIX_LENGTH, len(value) // 2) for value in reversed(self._values)}
            self._beginnings = {
                _lowered(value)[:half]: len(value) - 1 for value, half in halves.items() if half < len(value)
            }
            self._names = frozenset(value.lower() for value in self._values)
            self._parts_of_names = tuple(name for name in self._names if len(name) >= _MIN_LENGTH_IN_FILE)
            self._numbers = frozenset((_grouped(value) or value).lstrip("0") for value in self._values)
            long = [value for value in self._values if len(value) >= _MIN_LENGTH_IN_FILE]
            self._in_files = re.compile("|".join(map(_pattern, long)), re.IGNORECASE) if long else None

    def reply(self, message: wire.Reply | wire.ErrorReply) -> wire.Reply | wire.ErrorReply:
        """Return a masked reply; its id stays."""
        if isinstance(message, wire.ErrorReply):
            return wire.ErrorReply(message.id, self.error(message.error))
        return wire.Reply(message.id, self.plain(message.result))

    def is_quick(self, value: Any) -> bool:
        """Return True if the texts of plain data are masked quickly enough for a loop."""
        if not self.active:
            return True
        room = min(_MAX_CHARACTERS_ON_LOOP, _MAX_WORK_ON_LOOP // len(self._values))
        return _room_left(value, room) > 0

    def error(self, error: AgentBrowserError) -> AgentBrowserError:
        """Return a masked error."""
        return AgentBrowserError.from_wire(self.plain(error.to_wire())) if self.active else error

    def plain(self, value: Any) -> Any:
        """Return masked plain data."""
        if not self.active:
            return value
        if isinstance(value, str):
            return self._text_or_file(value) if _is_base64(value) else self.text(value)
        if isinstance(value, dict):
            return {self._key(key): self.plain(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.plain(item) for item in value]
        if wire.is_encoded(value):
            return self.plain(wire.decoded(value))
        return REDACTED if self._is_number(value) else value

    def texts(self, value: Any) -> Any:
        """Return plain data with masked texts; numbers and other values stay."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {key: self.texts(item) for key, item in value.items()}
        return [self.texts(item) for item in value] if isinstance(value, list) else value

    def part_of_file(self, data: bytes, start: int, end: int) -> bytes:
        """Return a range of the data in which each byte of a secret is an asterisk, so that sizes stay.

        Values are found in UTF-8 and UTF-16, as they are or encoded, and not in compressed files. `FILE_MARGIN` bytes
        on both sides of the range show a secret of which the range has only a part.
        """
        return _starred(self._whole, data)[start:end]

    def text(self, text: str) -> str:
        """Return a text without the secrets in any known encoding, nor the beginning of one at a truncation.

        Behind the first half of a value, everything up to the truncation is masked: if only the right letters were, a
        client that knows the half could guess the rest letter by letter, and see which of its guesses is masked.
        """
        if self._whole is None:
            return text
        lowered = _lowered(text)
        if any(anchor in lowered for anchor in self._anchors):
            text = redacted(text, spans(self._whole, text))
            lowered = _lowered(text)
        text = redacted(text, self._beginnings_in(lowered))
        return redacted(text, interrupted_spans(text, self._values_in))

    def holders(self, texts: Sequence[str]) -> list[int]:
        """Return the indexes of the texts that hold a secret, whole or together with the texts beside them."""
        if self._whole is None:
            return []
        plain = list(map(visible, texts))
        found: set[int] = set()
        for joint in ("", "\n"):  # the next text goes on with a word, or begins the next one
            joined = joint.join(plain)
            ends = list(itertools.accumulate(len(text) + len(joint) for text in plain))
            for start, end in spans(self._whole, joined):
                found.update(range(bisect.bisect_right(ends, start), bisect.bisect_left(ends, end) + 1))
        return sorted(found)

    def _key(self, key: Any) -> Any:
        # Field names of the protocol consist of letters, are public, and must stay readable.
        if isinstance(key, str) and (not key.isalpha() or self._is_in_name(key.lower())):
            return self.text(key)
        return key

    def _is_in_name(self, name: str) -> bool:
        return name in self._names or any(part in name for part in self._parts_of_names)

    def _is_number(self, value: Any) -> bool:
        if type(value) not in (int, float) or value != value or value in (float("inf"), float("-inf")):
            return False
        digits = str(int(value)) if value == int(value) else str(value)
        return len(digits) >= _MIN_DIGITS and digits in self._numbers

    def _text_or_file(self, text: str) -> str:
        """Return a masked text, or a text or a file in base64 without secrets in it."""
        if len(text) < _MIN_FILE_LENGTH or any(
            len(value) >= _MIN_LENGTH_IN_FILE and value in text for value in self._values
        ):
            clean = self.text(text)
            if clean != text:
                return clean
        pieces = list(map(base64.b64decode, wire.parts(text)))
        with contextlib.suppress(UnicodeDecodeError):
            decoder = codecs.getincrementaldecoder("utf-8")()
            content = "".join(map(decoder.decode, pieces)) + decoder.decode(b"", final=True)
            if (clean := self.text(content)) != content:
                return base64.b64encode(clean.encode()).decode()
        data = b"".join(pieces)
        pattern = self._whole if len(text) < _MIN_FILE_LENGTH else self._in_files
        bare = data.replace(b"\0", b"").lower()
        if not any(anchor.encode() in bare for anchor in self._anchors):
            return text
        return base64.b64encode(_starred(pattern, data)).decode()

    def _values_in(self, text: str, is_end: bool) -> Iterator[tuple[int, int]]:
        """Yield start and end of each value in a part of a text, and of a beginning if that is the end of the text."""
        lowered = _lowered(text)
        if self._whole is not None and any(anchor in lowered for anchor in self._anchors):
            yield from spans(self._whole, text)
        if is_end:
            yield from self._beginnings_in(lowered)

    def _beginnings_in(self, lowered: str) -> Iterator[tuple[int, int]]:
        """Yield start and end of each beginning of a value before a truncation, in a text in lower case."""
        present = [beginning for beginning in self._beginnings.items() if beginning[0] in lowered]
        found = [(_next_beginning(lowered, *beginning, 0), beginning) for beginning in present]
        while nearest := min((place for place, _ in found if place is not None), default=None):
            end, start = nearest
            yield start, end
            found = [
                (_next_beginning(lowered, *beginning, end), beginning) if place[1] < end else (place, beginning)
                for place, beginning in found
                if place is not None
            ]


def _grouped(value: str) -> str:
    """Return the letters and digits of a number that pages show in groups; nothing for any other value."""
    bare = _NOT_IN_GROUPS.sub("", value)
    is_number = _ALWAYS_RAW.fullmatch(bare) and sum(map(str.isdigit, bare)) >= _MIN_DIGITS_IN_GROUPS
    return bare if is_number else ""


def _anchor(value: str) -> str:
    """Return a part of a value that all its spellings contain."""
    if bare := _grouped(value):
        return bare[0].lower()
    return max(_ALWAYS_RAW.findall(_BEHIND_COLON.sub(":", value)), key=len, default="").lower()


def _next_beginning(lowered: str, half: str, longest: int, at: int) -> tuple[int, int] | None:
    """Return the end and the start of the next beginning of a value; None if there is none.

    It takes time in proportion to the text, whatever a page repeats: from one start, it goes to the next truncation,
    and from there back to the first start that is near enough.
    """
    while (start := lowered.find(half, at)) >= 0:
        behind = start + len(half)
        truncation = _TRUNCATION.search(lowered, behind, behind + STEP)
        end = truncation.start() if truncation else min(len(lowered), behind + STEP)
        if end - start <= longest:
            return end, start
        at = max(start + 1, end - longest - 2)  # 2 more: the step may have cut the three dots
    return None


def _lowered(text: str) -> str:
    """Return the text in lower case with each character in its place, in steps that let other threads run.

    `str.lower` makes two characters of one, and knows two small sigmas.
    """
    return "".join(part.replace("İ", "i").lower().replace("ς", "σ") for part in wire.parts(text))


def _room_left(value: Any, room: int) -> int:
    """Return the room that is left after the texts of plain data; 0 or less as soon as there is none."""
    if isinstance(value, str):
        return room - len(value)
    if isinstance(value, dict):
        room -= sum(map(len, value))
        value = value.values()
    elif not isinstance(value, list | tuple):
        return room - len(bytes(value)) if wire.is_encoded(value) else room
    for item in value:
        if room <= 0:
            break
        room = _room_left(item, room - 1)
    return room


def _starred(pattern: re.Pattern[str] | None, data: bytes) -> bytes:
    """Return the data with asterisks in place of each match in UTF-8 or UTF-16, whatever else the data is."""
    if pattern is not None:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            data = _starred_in(pattern, data, encoding)
    return data


def _starred_in(pattern: re.Pattern[str], data: bytes, encoding: str) -> bytes:
    """Return the data with asterisks in place of each match in an encoding."""
    width = 1 if encoding == "utf-8" else 2
    errors = "surrogateescape" if width == 1 else "surrogatepass"
    for at in range(width):
        whole = len(data) - (len(data) - at) % width
        text = data[at:whole].decode(encoding, errors)
        pieces, kept = list[str](), 0
        for start, end in spans(pattern, text):
            pieces += [text[kept:start], "*" * (len(text[start:end].encode(encoding, errors)) // width)]
            kept = end
        data = data[:at] + "".join([*pieces, text[kept:]]).encode(encoding, errors) + data[whole:]
    return data


def _pattern(value: str) -> str:
    """Return the pattern of a value in all encodings: raw, URL, HTML and JSON, also nested.

    A search takes time in proportion to the text: a match begins at the first of several backslashes, and no part of
    the pattern tries fewer backslashes than there are.
    """
    if bare := _grouped(value):
        return f"(?:{_BLANK}|-)?".join(bare)
    words = ["".join(map(_encodings, filter(None, _BACKSLASHES.split(word)))) for word in value.split()]
    # After a backslash of the value, the one of an escaped blank has already matched.
    blanks = [rf"(?:{_BLANK}|[nrt])" if word.endswith("\\") else _BLANK for word in value.split()]
    for place, blank in enumerate(re.findall(r"\s+", value.strip())):
        blanks[place] = f"(?:{blanks[place]})?" if _DROPPED_BLANKS.fullmatch(blank) else blanks[place]
    pattern = "".join(piece for pair in zip(words, blanks, strict=True) for piece in pair)[: -len(blanks[-1])]
    return pattern if _ALWAYS_RAW.match(value) else rf"(?<!\\){pattern}"


def _encodings(part: str) -> str:
    """Return the pattern of several backslashes, or of other characters."""
    if part.startswith("\\"):
        count = len(part)
        in_url = rf"(?:%(?:25)*5C){{{count},{count * 15}}}+"
        return (
            rf"(?:\\{{{count},}}+(?!u005c|x5c)|{in_url}|(?:\\*+(?:{_escaped(part[0])})|\\++(?:u005c|x5c)|_){{{count}}})"
        )
    first, *others = part.split(":")
    # Playwright drops the character behind the colon of a text that a page throws, and a space comes in its place.
    split = (rf"(?:{_encoding(':')}{''.join(map(_encoding, other[:1]))}|: ){_plain(other[1:])}" for other in others)
    return "".join((_plain(first), *split))


def _plain(part: str) -> str:
    return "".join(map(_encoding, part))


def _encoding(character: str) -> str:
    if _ALWAYS_RAW.fullmatch(character):
        return character
    # A backslash before has taken those of the escape with it.
    in_json = rf"(?:\\++|(?<=\\)|{_BACKSLASH_IN_URL})(?:{'|'.join(map(_json_escape, _cases(character)))})"
    in_name = "|_" if character in _NOT_IN_FILE_NAMES else ""
    raw = rf"{re.escape(character)}|{_escaped(character)}{in_name}"
    longer = "".join(f"|{_plain(one)}" for one in _all_cases(character) if len(one) > 1)
    return rf"(?:(?:\\*+|{_BACKSLASH_IN_URL})(?:{raw})|{in_json}{longer})"


def _cases(character: str) -> list[str]:
    """Return a character in both cases: what its codes are differs beyond ASCII."""
    return [one for one in _all_cases(character) if len(one) == 1]


def _all_cases(character: str) -> list[str]:
    """Return a character in both cases, of which one may have several characters: that of ß is SS."""
    return sorted({character, character.lower(), character.upper()})


def _json_escape(character: str) -> str:
    """Return the pattern of a character's escape in JSON or JavaScript, behind its first backslash."""
    code = ord(character)
    units = character.encode("utf-16-be", "surrogatepass").hex()
    in_json = rf"(?:\\++|{_BACKSLASH_IN_URL})".join(f"u{units[at : at + 4]}" for at in range(0, len(units), 4))
    return f"{in_json}|x{code:02x}" if code < 256 else in_json


def _escaped(character: str) -> str:
    """Return the pattern of a character in URL and HTML encoding."""
    return "|".join(map(_escape, _cases(character)))


def _escape(character: str) -> str:
    code = ord(character)
    in_url = "".join(f"%(?:25)*{byte:02X}" for byte in character.encode("utf-8", "replace"))
    names = [codepoint2name[code]] if code in codepoint2name else []
    entity = "|".join([f"#0*{code}", f"#x0*{code:x}", *names, *(["apos"] if character == "'" else [])])
    return rf"{in_url}|&(?:amp;)*(?:{entity});"


def _is_base64(text: str) -> bool:
    return bool(text) and len(text) % 4 == 0 and all(map(_BASE64.fullmatch, wire.parts(text)))
