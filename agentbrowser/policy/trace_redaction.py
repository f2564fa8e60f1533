"""Redaction of Playwright's traces: fields for secrets, typed text, storage, values of scripts, bodies, credentials.

It takes linear time.
"""

import functools
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs

from agentbrowser.policy.redaction import REDACTED, redact_headers

_ACTIONS: Final = ".trace"
_NETWORK: Final = ".network"

# The attributes of an element are a flat object; a quote within a text has a backslash before it, so no text matches.
_TEXT: Final = rb'"(?:[^"\\]++|\\.)*+"'
_FIELD: Final = re.compile(
    rb'(?i)(\["(?:input|textarea)",)(\{(?:[^"{}]++|' + _TEXT + rb")*+\})(," + _TEXT + rb")?",
)
_SNAPSHOT: Final = b'{"type":"frame-snapshot"'
_CALL: Final = (b'{"type":"before"', b'{"type":"log"', b'{"type":"after"')
"""Lines of a call: its params, its log, its result."""
_MARKUP: Final = re.compile(rb'(?i)(<(?:input|textarea)\b)(?:[^"\\]++|\\[^n])*+')
"""Field in a line of Playwright's call log, to the end of the line."""
_REDACTED_MARKUP: Final = rf"\1 {REDACTED}>".encode()
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
        for field in _FIELD.finditer(line):
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
        names = read.namelist()
        bodies: set[str] = set()
        networks = {name: b"".join(_redacted_network(read, name, bodies)) for name in names if name.endswith(_NETWORK)}
        left = b"".join(networks.values())
        known, calls = _KnownFields(), _PrivateCalls()
        for name in names:
            if name.endswith(_ACTIONS):
                with read.open(name) as lines:
                    for line in lines:
                        if line.startswith(_SNAPSHOT):
                            known.note(line)
        for name in names:
            if name.endswith(_ACTIONS):
                # Line by line: a search holds all threads until it is done.
                with read.open(name) as lines, written.open(name, "w", force_zip64=True) as output:
                    for line in lines:
                        output.write(_redacted_action(line, known, calls))
            elif name in networks:
                written.writestr(name, networks[name])
            elif name not in bodies or name.encode() in left:
                written.writestr(name, read.read(name))


def _redacted_action(line: bytes, known: _KnownFields, calls: _PrivateCalls) -> bytes:
    if line.startswith(_SNAPSHOT):
        return _FIELD.sub(functools.partial(_redacted_field, known), line)
    is_call = line.startswith(_CALL)
    line = _MARKUP.sub(_REDACTED_MARKUP, line)
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


def _redacted_network(archive: zipfile.ZipFile, name: str, bodies: set[str]) -> Iterator[bytes]:
    """Yield the lines of a file of requests, and add the files of the bodies that are left out."""
    with archive.open(name) as lines:
        for line in lines:
            entry: dict[str, Any] = json.loads(line)
            snapshot = entry.get("snapshot", {})
            snapshot.pop("_webSocketMessages", None)
            for message in (snapshot.get("request", {}), snapshot.get("response", {})):
                message["cookies"] = []
                shown = [redact_headers({one["name"]: one["value"]}) for one in message.get("headers", ())]
                message["headers"] = [{"name": key, "value": value} for one in shown for key, value in one.items()]
            if (body := snapshot.get("request", {}).get("postData")) is not None:
                bodies.add(body.get("_file", ""))
                snapshot["request"]["postData"] = {"mimeType": body["mimeType"], "text": REDACTED, "params": []}
            received = snapshot.get("response", {}).get("content", {})
            if _DRAWN.match(received.get("mimeType", "")) is None:
                bodies.add(received.pop("_file", ""))
                received.pop("text", None)
            yield json.dumps(entry).encode() + b"\n"
