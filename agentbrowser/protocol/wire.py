"""JSON-RPC 2.0 messages: parsing and encoding. Sans-I/O, both directions, used by the server and the client.

`parse` is strict: it reports the error of a message with its id, and never guesses.
"""

import itertools
import math
import re
from collections.abc import Iterator
from typing import Any, Final, TypeVar, cast

import attrs
import msgspec

from agentbrowser.protocol.errors import AgentBrowserError, InvalidRequest, ParseError

Id = int | str
T = TypeVar("T")

MAX_DEPTH: Final = 64
MAX_STRUCTURE: Final = 200_000
MAX_ID_LENGTH: Final = 128
MAX_KEY_LENGTH: Final = 128
_MAX_ID: Final = 2**53
_PART: Final = 65_536
"""Characters of a part of a long text."""

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_KEY = re.compile(rf"\s*({_STRING})\s*:\s*")
_AFTER_VALUE = re.compile(r"\s*[,}]")
_BRACKET = re.compile(r"[\[\]{}]")

_KINDS: Final = {bool: "boolean", str: "string", int: "number", float: "number", list: "array", dict: "object"}

_members = msgspec.json.Decoder(dict[str, msgspec.Raw])
_whole = msgspec.json.Decoder(msgspec.Raw)
_items = msgspec.json.Decoder(list[msgspec.Raw])
_any = msgspec.json.Decoder()
_encoder = msgspec.json.Encoder()
_sorted_encoder = msgspec.json.Encoder(order="sorted")


class _Head(msgspec.Struct):
    """Id and method of a request; the decoder skips the other members, whatever their size."""

    id: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    method: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_head = msgspec.json.Decoder(_Head)


@attrs.frozen
class Request:
    """A call with a reply."""

    id: Id
    method: str
    params: Any = None


@attrs.frozen
class Notification:
    """A call without a reply."""

    method: str
    params: Any = None


@attrs.frozen
class Reply:
    """The result of the request with that id."""

    id: Id
    result: Any


@attrs.frozen
class ErrorReply:
    """The error of the request with that id, or of a message without a readable id."""

    id: Id | None
    error: AgentBrowserError


Message = Request | Notification | Reply | ErrorReply


class BadMessage(Exception):
    """A text is not a valid message; ``error_reply`` is the reply to it."""

    def __init__(self, error: AgentBrowserError, id_: Id | None = None) -> None:
        super().__init__(error.message)
        self.error_reply = ErrorReply(id_, error)


def parse(text: str) -> Message:
    """Parse a message.

    Raises:
      BadMessage: the text is not JSON, or not a JSON-RPC 2.0 message; it holds the reply.
    """
    is_crowded = text.count(",") > MAX_STRUCTURE
    if is_crowded:  # a million members take a second, and a place in memory each
        _refuse_crowd(text)
    members = _top_level(text)
    id_ = _id(members["id"]) if "id" in members and not _is_error_without_id(members) else None
    try:
        if "method" in members and not is_crowded:  # a server's result may be large
            check_structure(text)
        return _message(members, id_)
    except InvalidRequest as error:
        raise BadMessage(error, id_) from None


def encode(message: Message) -> bytes:
    """Return the message as UTF-8 JSON."""
    match message:
        case Request(id_, method, params):
            body: dict[str, Any] = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
        case Notification(method, params):
            body = {"jsonrpc": "2.0", "method": method, "params": params}
        case Reply(id_, result):
            body = {"jsonrpc": "2.0", "id": id_, "result": result}
        case ErrorReply(id_, error):
            body = {"jsonrpc": "2.0", "id": id_, "error": error.to_wire()}
    if body.get("params", ...) is None:
        del body["params"]
    return dump(body)


def dump(value: Any) -> bytes:
    """Return plain data as UTF-8 JSON; a lone surrogate becomes U+FFFD, NaN and infinities become null."""
    try:
        return _encoder.encode(value)
    except UnicodeEncodeError:
        return _encoder.encode(well_formed(value))


def encoded(value: T) -> T:
    """Return plain data as its JSON, which `dump` includes as it is: nothing else may look into it."""
    return cast("T", msgspec.Raw(dump(value)))


def as_encoded(text: str) -> Any:
    """Return JSON, checked, for `dump` to include as it is: decoding takes 100 times as long. A string is decoded.

    Raises:
      ValueError, RecursionError: it is no JSON, or nested too deeply.
    """
    return _any.decode(text) if text.startswith('"') else _whole.decode(text)


def decoded(value: Any) -> Any:
    """Return plain data with its encoded parts decoded: itself, or a member."""
    whole = {name: decoded(item) for name, item in value.items()} if isinstance(value, dict) else value
    return load(bytes(whole)) if is_encoded(whole) else whole


def is_encoded(value: Any) -> bool:
    """Return True for JSON that `dump` includes as it is."""
    return isinstance(value, msgspec.Raw)


def dump_strictly(value: Any) -> bytes:
    """Return plain data as UTF-8 JSON.

    Raises:
      UnicodeEncodeError: a text holds a lone surrogate.
      ValueError: a number is not finite.
      TypeError: the value is no plain data.
    """
    data = _encoder.encode(value)
    if b"null" in data and _is_infinite(value):  # the encoder writes null for it
        raise ValueError("NaN and infinities are no JSON.")
    return data


def dump_sorted(value: Any) -> bytes:
    """Return plain data as UTF-8 JSON with the members of objects in the order of their names; see `dump`."""
    try:
        return _sorted_encoder.encode(value)
    except UnicodeEncodeError:
        return _sorted_encoder.encode(well_formed(value))


def size_with_long_texts(value: Any, limit: int) -> int | None:
    """Return the size of plain data as JSON if one of its members is a text longer than the limit; None otherwise.

    It lets other threads run in between: `dump` would hold them up, for 4 ms with a text of 8 MB.
    """
    members = value if isinstance(value, dict) else {}
    long = {name: text for name, text in members.items() if isinstance(text, str) and len(text) > limit}
    if not long:
        return None
    return len(dump({**members, **dict.fromkeys(long, "")})) + sum(text_size(text) - 2 for text in long.values())


def text_size(text: str) -> int:
    """Return the size of a text as JSON, in bytes."""
    return 2 + sum(len(dump(part)) - 2 for part in parts(text))


def parts(text: str) -> Iterator[str]:
    """Split a text into parts, each of which takes a step of work less than 0.1 ms."""
    return (text[start : start + _PART] for start in range(0, len(text), _PART))


def _is_infinite(value: Any) -> bool:
    """Return True if a value holds a number that is not finite."""
    if isinstance(value, float):
        return not math.isfinite(value)
    members = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return any(map(_is_infinite, members))


def load(text: str | bytes) -> Any:
    """Return the plain data of a JSON text.

    Raises:
      ValueError: the text is not JSON.
    """
    return _any.decode(text)


def load_items(text: str) -> Iterator[Any]:
    """Return the items of a JSON array one after another, in steps that let other threads run.

    Raises:
      ValueError: the text is not JSON, or not an array.
    """
    return map(_any.decode, _items.decode(text))


def _top_level(text: str) -> dict[str, msgspec.Raw]:
    try:
        members = _members.decode(text)
    except msgspec.ValidationError as error:
        raise BadMessage(_not_an_object(text)) from error
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadMessage(ParseError(f"The message is not valid JSON: {error}.")) from error
    except RecursionError as error:
        raise BadMessage(_too_deep()) from error
    if any(len(key) > MAX_KEY_LENGTH for key in members):  # a pattern finds the keys in the text
        message = f"The message holds a key of more than {MAX_KEY_LENGTH} characters."
        raise BadMessage(InvalidRequest(message, path="", expected="jsonrpc, id, method and params"))
    if _repeats_a_key(text, members):
        raise BadMessage(InvalidRequest("The message holds a key twice.", path="", expected="each key once"))
    return members


def _not_an_object(text: str) -> AgentBrowserError:
    try:
        value = bytes(_whole.decode(text))
        if value.startswith(b"["):
            return InvalidRequest("Batches are not supported; send each request in a message of its own.", got="array")
        kind = kind_of(_any.decode(value))
    except RecursionError:
        return _too_deep()
    except (msgspec.DecodeError, UnicodeError) as error:
        return ParseError(f"The message is not valid JSON: {error}.")
    return InvalidRequest("The message is not a JSON object.", expected="object", got=kind)


def _refuse_crowd(text: str) -> None:
    """Raise BadMessage for a request of too many parts, before any part of it is kept."""
    try:
        head = _head.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return  # the one that decodes the members reports it
    if head.method is msgspec.UNSET:
        return
    try:
        check_structure(text)
    except InvalidRequest as error:
        raise BadMessage(error, None if head.id is msgspec.UNSET else _id(head.id)) from None


def _repeats_a_key(text: str, members: dict[str, msgspec.Raw]) -> bool:
    # Each key has at least two quotes. If the text has only the quotes of the decoded keys and values, no key is lost.
    if text.count('"') == 2 * len(members) + sum(bytes(value).count(b'"') for value in members.values()):
        return False
    # The decoder keeps the last of equal keys, so each value in the text must be the decoded one.
    position = text.index("{") + 1
    for _ in range(len(members)):
        key = _KEY.match(text, position)
        if key is None:
            return True
        value = str(members[_any.decode(key[1])], "utf-8")
        after = _AFTER_VALUE.match(text, key.end() + len(value)) if text.startswith(value, key.end()) else None
        if after is None:
            return True
        position = after.end()
    return bool(members) and text[position - 1] != "}"


def check_structure(text: str, max_parts: int = MAX_STRUCTURE) -> None:
    """Check the depth of a JSON text, and its number of brackets and commas, before any part of it is kept.

    Raises:
      InvalidRequest: it is deeper than `MAX_DEPTH`, or has too many parts.
    """
    opened = text.count("[") + text.count("{")
    if opened <= MAX_DEPTH and text.count(",") <= max_parts:
        return
    # The count includes brackets and commas in strings: count again without the strings. Escapes go first: a pattern
    # that steps over them takes 3 s for 9 MB.
    text = text.replace(r"\\", "").replace(r"\"", "")
    if text.count('"') > 4 * (max_parts + 1):  # a part has a string at most, and its key
        raise _too_many_parts(max_parts)
    outside = "".join(text.split('"')[::2])
    if sum(map(outside.count, "[]{},")) > max_parts:
        raise _too_many_parts(max_parts)
    steps = (1 if bracket in "[{" else -1 for bracket in _BRACKET.findall(outside))
    if max(itertools.accumulate(steps), default=0) > MAX_DEPTH:
        raise _too_deep()


def check_id(text: str) -> None:
    """Check the id of a request; a text that is no object is left to its parser.

    Raises:
      BadMessage: it is no id.
    """
    try:
        head = _head.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return
    if head.id is not msgspec.UNSET and head.method is not msgspec.UNSET:
        _id(head.id)


def _too_many_parts(most: int) -> InvalidRequest:
    return InvalidRequest(f"The message has more than {most} parts.")


def _too_deep() -> InvalidRequest:
    return InvalidRequest(f"The message is nested deeper than {MAX_DEPTH} levels.", expected=f"{MAX_DEPTH} levels")


def _id(raw: msgspec.Raw) -> Id:
    value = _value(raw)
    if isinstance(value, str) and len(value) <= MAX_ID_LENGTH:
        return value
    if type(value) is int and abs(value) < _MAX_ID:
        return value
    expected = f"an integer below 2^53 or a string of at most {MAX_ID_LENGTH} characters"
    raise BadMessage(InvalidRequest(f"The id must be {expected}.", path="id", expected=expected, got=kind_of(value)))


def _is_error_without_id(members: dict[str, msgspec.Raw]) -> bool:
    return "error" in members and "method" not in members and _value(members["id"]) is None


def _message(members: dict[str, msgspec.Raw], id_: Id | None) -> Message:
    if _value(members.get("jsonrpc")) != "2.0":
        raise InvalidRequest('The message must say "jsonrpc": "2.0".', path="jsonrpc", expected='"2.0"')
    if "method" not in members:
        return _reply(members, id_)
    method = _value(members["method"])
    if not isinstance(method, str):
        raise InvalidRequest("The method must be a string.", path="method", expected="string", got=kind_of(method))
    params = _value(members.get("params"))
    if params is not None and not isinstance(params, dict):
        raise InvalidRequest("The params must be an object.", path="params", expected="object", got=kind_of(params))
    return Notification(method, params) if id_ is None else Request(id_, method, params)


def _reply(members: dict[str, msgspec.Raw], id_: Id | None) -> Message:
    if "result" in members and id_ is not None:
        return Reply(id_, _value(members["result"]))
    error = _value(members.get("error"))
    if isinstance(error, dict):
        return ErrorReply(id_, AgentBrowserError.from_wire(error))
    raise InvalidRequest("The message has no method.", path="method", expected="string", got="nothing")


def _value(raw: msgspec.Raw | None) -> Any:
    if raw is None:
        return None
    try:
        return _any.decode(raw)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadMessage(ParseError(f"The message is not valid JSON: {error}.")) from error


def kind_of(value: Any) -> str:
    """Return the JSON type of a value for an error message: ``string``, ``number`` …"""
    return "null" if value is None else _KINDS.get(type(value), type(value).__name__)


def well_formed(value: Any) -> Any:
    """Return plain data with U+FFFD in place of each lone surrogate."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, dict):
        return {well_formed(key): well_formed(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [well_formed(item) for item in value]
    return value
