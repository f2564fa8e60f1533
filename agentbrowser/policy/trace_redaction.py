"""Redaction of Playwright's traces: fields for secrets, typed text, storage, values of scripts, bodies, credentials.

It takes linear time, in steps that let other threads run: a search holds them all until it is done.
"""

import json
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import attrs

from agentbrowser.long_work import give_way
from agentbrowser.policy.redaction import REDACTED, redact_headers

_ACTIONS: Final = ".trace"
_NETWORK: Final = ".network"

# The attributes of an element are a flat object; a quote within a text has a backslash before it, so no text matches.
_TEXT: Final = rb'"(?:[^"\\]++|\\.)*+"'
_FIELD: Final = re.compile(
    rb'(?i)(\["(?:input|textarea)",)(\{(?:[^"{}]++|' + _TEXT + rb")*+\})(," + _TEXT + rb")?",
)
_FIELD_BEGIN: Final = re.compile(rb'(?i)\["(?:input|textarea)",\{')
_SNAPSHOT: Final = b'{"type":"frame-snapshot"'
_CALL: Final = (b'{"type":"before"', b'{"type":"log"', b'{"type":"after"')
"""Lines of a call: its params, its log, its result."""
_MARKUP: Final = re.compile(rb'(?i)(<(?:input|textarea)\b)(?:[^"\\]++|\\[^n])*+')
"""Field in a line of Playwright's call log, to the end of the line."""
_MARKUP_BEGIN: Final = re.compile(rb"(?i)<(?:input|textarea)\b")
_LONGEST_BEGIN: Final = 32
"""More bytes than a begin of either pattern has, with the one behind it."""
_STEP: Final = 64 * 1024
"""Bytes of a line that are searched at a time."""
_VALUES: Final = ("__playwright_value_", "value")
"""Attributes with the present value, and the one that the document came with."""
_CREDENTIALS: Final = re.compile(r"(?i)(^|\s)(current-password|new-password|one-time-code|cc-[a-z-]+)(\s|$)")
_PASSWORD_WORDS: Final = re.compile(r"(?i)passw|passphrase|passcode|pwd")
_OTHER_TYPES: Final = frozenset(
    {"button", "checkbox", "color", "date", "datetime-local", "email", "file", "hidden", "image", "month", "number"}
    | {"radio", "range", "reset", "search", "submit", "tel", "time", "url", "week"}
)
"""Types of fields that are no text fields. A field of any other type is one: browsers take an unknown type for text."""
_DRAWN: Final = re.compile(r"(?i)text/css|image/|font/|audio/|video/|application/(x-)?font")
"""Types of the bodies with which a snapshot of a document is drawn."""


_TYPED: Final = {
    **dict.fromkeys(("type", "keyboardType", "keyboardInsertText"), "text"),
    **dict.fromkeys(("press", "keyboardPress", "keyboardDown", "keyboardUp"), "key"),
    "fill": "value",
}
"""Param with typed text, by method: the trace does not say whether it came into a field for a secret. Snapshots show
what other fields hold."""
_CHARACTER: Final = re.compile(r"(?:Shift\+)?.", re.DOTALL)
_QUOTED: Final = re.compile(r'\(".*"\)', re.DOTALL)
"""Argument in a call log: ``fill("text")``."""
_EVALUATION: Final = re.compile(r"evaluateExpression|evalOnSelector|waitForFunction")
"""Scripts, also our own, which read and write storage; their values are left out, as in recordings."""

_SERIALIZED: Final = {"value": {"s": REDACTED}, "handles": []}
"""A text in the form of Playwright's arguments of scripts."""

_LEAST_VALUE: Final = 4
"""Characters of a value that is hardly that of another field by chance."""
_IDENTIFYING: Final = ("name", "id", "placeholder", "aria-label")


@attrs.define
class _KnownFields:
    """Fields for secrets in all snapshots of a trace: "show password" makes one a plain text field."""

    values: set[str] = attrs.field(factory=set)
    names: set[tuple[str | None, ...]] = attrs.field(factory=set)

    def note(self, line: bytes) -> None:
        """Note the fields for secrets in a snapshot."""
        for field in _found(line, _FIELD_BEGIN, _FIELD):
            attributes: dict[str, str] = json.loads(field[2])
            if _is_secret(attributes):
                self.names.add(_named(attributes))
                self.values |= {value for name in _VALUES if len(value := attributes.get(name, "")) >= _LEAST_VALUE}

    def holds(self, attributes: dict[str, str]) -> bool:
        """Return True if a field is one for a secret, or was or will be one, or has the value of one."""
        if _is_secret(attributes) or any(attributes.get(name) in self.values for name in _VALUES):
            return True
        return any(name := _named(attributes)) and name in self.names


@attrs.define
class _PrivateCalls:
    """Calls whose params, logs or results hold typed text or values of scripts."""

    typing: set[str] = attrs.field(factory=set)
    evaluations: set[str] = attrs.field(factory=set)

    def redacted(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return the line of a call without typed text, values of scripts, and state of the browser."""
        id_, method, params = entry["callId"], entry.get("method", ""), entry.get("params") or {}
        if (name := _TYPED.get(method)) is not None and (name != "key" or _CHARACTER.fullmatch(params[name])):
            self.typing.add(id_)
            params[name] = REDACTED
        if _EVALUATION.match(method):
            self.evaluations.add(id_)
            if "arg" in params:
                params["arg"] = _SERIALIZED
        result = entry.get("result") or {}
        if id_ in self.evaluations and "value" in result:
            result["value"] = _SERIALIZED["value"]
        if id_ in self.typing:
            for texts in (entry, entry.get("error") or {}):
                for key in ("message", "stack"):
                    if isinstance(text := texts.get(key), str):
                        texts[key] = _QUOTED.sub(f'("{REDACTED}")', text)
        for part in (params, params.get("storageState") or {}, result):  # also of our own calls
            for cookie in part.get("cookies", ()):
                cookie["value"] = REDACTED
            if "origins" in part:
                part["origins"] = []
        return entry


def redact_archive(source: Path, target: Path) -> None:
    """Write the trace of one zip file into another, without secrets; what pages show, and how, stays."""
    with zipfile.ZipFile(source) as read, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as written:
        names, bodies, known, calls = read.namelist(), _Bodies(), _KnownFields(), _PrivateCalls()
        for name in names:
            if name.endswith(_NETWORK):
                with written.open(name, "w", force_zip64=True) as output:
                    for line in _redacted_network(read, name, bodies):
                        output.write(line)
        for name in names:
            if name.endswith(_ACTIONS):
                with read.open(name) as lines:
                    for line in lines:
                        if line.startswith(_SNAPSHOT):
                            known.note(line)
        for name in names:
            if name.endswith(_ACTIONS):
                with read.open(name) as lines, written.open(name, "w", force_zip64=True) as output:
                    for line in lines:
                        output.write(_redacted_action(line, known, calls))
            elif not name.endswith(_NETWORK) and (name not in bodies.left_out or name in bodies.drawn):
                give_way()
                written.writestr(name, read.read(name))


@attrs.define
class _Bodies:
    """Files of the bodies of requests and responses."""

    left_out: set[str] = attrs.field(factory=set)
    drawn: set[str] = attrs.field(factory=set)
    """Those with which a snapshot is drawn, also where another request or response has the same body."""


def _found(line: bytes, begin: re.Pattern[bytes], pattern: re.Pattern[bytes]) -> Iterator[re.Match[bytes]]:
    """Yield the matches of a pattern in a line, whose begins are searched in steps: a snapshot has many megabytes."""
    at = 0
    while at < len(line):
        give_way()
        end = at + _STEP
        first = begin.search(line, at, end + _LONGEST_BEGIN)
        found = None if first is None else pattern.match(line, first.start())
        if found is not None:
            yield found
            at = found.end()
        else:
            at = end if first is None else first.end()


def _replaced(
    line: bytes, begin: re.Pattern[bytes], pattern: re.Pattern[bytes], new: Callable[[re.Match[bytes]], bytes]
) -> bytes:
    pieces, kept = list[bytes](), 0
    for found in _found(line, begin, pattern):
        pieces += [line[kept : found.start()], new(found)]
        kept = found.end()
    return b"".join([*pieces, line[kept:]]) if pieces else line


def _redacted_action(line: bytes, known: _KnownFields, calls: _PrivateCalls) -> bytes:
    if line.startswith(_SNAPSHOT):
        return _replaced(line, _FIELD_BEGIN, _FIELD, lambda found: _redacted_field(known, found))
    is_call = line.startswith(_CALL)
    line = _replaced(line, _MARKUP_BEGIN, _MARKUP, lambda found: found[1] + f" {REDACTED}>".encode())
    return json.dumps(calls.redacted(json.loads(line))).encode() + b"\n" if is_call else line


def _redacted_field(known: _KnownFields, found: re.Match[bytes]) -> bytes:
    attributes: dict[str, str] = json.loads(found[2])
    if not known.holds(attributes):
        return found[0]
    shown = {name: REDACTED if name in _VALUES and value else value for name, value in attributes.items()}
    text = b"" if found[3] is None else f',"{REDACTED}"'.encode()
    return found[1] + json.dumps(shown).encode() + text


def _is_secret(attributes: dict[str, str]) -> bool:
    """Return True if a field is for a password, a code or a card, by its attributes, as in ``secret_fields.js``."""
    kind = attributes.get("type", "").lower()
    called = f"{attributes.get('name', '')} {attributes.get('id', '')}"
    if kind == "password" or (kind not in _OTHER_TYPES and _PASSWORD_WORDS.search(called)):
        return True
    return _CREDENTIALS.search(attributes.get("autocomplete", "")) is not None


def _named(attributes: dict[str, str]) -> tuple[str | None, ...]:
    return tuple(map(attributes.get, _IDENTIFYING))


def _redacted_network(archive: zipfile.ZipFile, name: str, bodies: _Bodies) -> Iterator[bytes]:
    """Yield the lines of a file of requests, and add the files of the bodies."""
    with archive.open(name) as lines:
        for line in lines:
            give_way()
            entry: dict[str, Any] = json.loads(line)
            snapshot = entry.get("snapshot", {})
            snapshot.pop("_webSocketMessages", None)
            for message in (snapshot.get("request", {}), snapshot.get("response", {})):
                message["cookies"] = []
                shown = [redact_headers({one["name"]: one["value"]}) for one in message.get("headers", ())]
                message["headers"] = [{"name": key, "value": value} for one in shown for key, value in one.items()]
            if (body := snapshot.get("request", {}).get("postData")) is not None:
                bodies.left_out.add(body.get("_file", ""))
                snapshot["request"]["postData"] = {"mimeType": body["mimeType"], "text": REDACTED, "params": []}
            received = snapshot.get("response", {}).get("content", {})
            if _DRAWN.match(received.get("mimeType", "")) is not None:
                bodies.drawn.add(received.get("_file", ""))
            else:
                bodies.left_out.add(received.pop("_file", ""))
                received.pop("text", None)
            yield json.dumps(entry).encode() + b"\n"
