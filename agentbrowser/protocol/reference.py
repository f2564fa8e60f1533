"""Method reference in Markdown: every method, event, error and type, generated from the registry."""

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from agentbrowser.protocol import openrpc, types
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.jsonschema import Schema, referenced_name, schema_name, summary_of, to_markdown
from agentbrowser.protocol.registry import Event, Method

_HEAD: Final = """\
# Methods, events, errors and types

Every method, event, error and type of the protocol, with params, results and errors.
[`protocol.md`](protocol.md) has the rules that hold for all of them. `rpc.discover`
returns the same as an OpenRPC document. `python -m agentbrowser.protocol.generate --write` writes this page.

[Methods](#methods) · [Events](#events) · [Errors](#errors) · [Types](#types)

Any request may also hold `idempotencyKey` (1 to 128 characters): a repeat with the same key, method and params gets the
same answer without acting again; and `_meta`, whose `traceparent` names the trace that it belongs to.

A name in Python is in `agentbrowser.methods` for a method, and in `agentbrowser.protocol.types` for a type.

## Errors of every request

A method lists its own errors. Besides these:

- *every request*: `InvalidRequest`, `MethodNotFound`, `InvalidParams`, `ScopeDenied`, `NotInitialized`, `ServerBusy`,
  `Timeout`, `Cancelled`, `InternalError`; `ResourceLimitExceeded` where the answer is too large for the client;
  `ApprovalDenied`, `ApprovalTimeout` and `ApprovalRequired` where the operator has rules for approvals
- *browser*: `BrowserNotLaunched`, `TargetClosed`
- *page*: `PageNotFound`, `FrameNotFound`, `ExecutionContextDestroyed`
- *context*: `ContextNotFound`
- *selector*: `ElementNotFound`, `SelectorAmbiguous`, `ElementChanged`
- *action*: `ElementNotVisible`, `ElementNotEnabled`, `ActionFailed`
- *URL*: `DomainNotAllowed`

## Methods
"""
_EVENTS: Final = """\
## Events

Notifications that the server sends; [`protocol.md`](protocol.md#15-events-streams-approvals) has their rules.
"""
_USUAL: Final = {
    "pageId": "The page; the active one when absent.",
    "contextId": "The context; that of the page when absent.",
    "timeout": "Deadline in milliseconds; the server's default when absent.",
}
"""Descriptions of the fields that mean the same in every method."""
_WITHOUT_SECTION: Final = ("Nothing", "Repeatable")
_RAISES: Final = re.compile(r"^\s*Raises:\n(.*?)(?:\n\s*\n|\Z)", re.DOTALL | re.MULTILINE)
_RAISED: Final = re.compile(r"\s*((?:[A-Z]\w+(?:, )?)+): (.+)")
_UNITS: Final = {
    "string": ("Length", " characters"),
    "array": ("Items", " items"),
    "integer": ("imum", ""),
    "number": ("imum", ""),
}


def reference(methods: Mapping[str, Method[..., Any]], events: Mapping[str, Event], version: str) -> str:
    """Return the reference."""
    return "\n".join(_Reference(methods, openrpc.document(methods, events, version)).lines()).rstrip() + "\n"


def error_table(kinds: Iterable[type[AgentBrowserError]]) -> str:
    """Return the errors as a Markdown table: code, name, meaning, retryable, hint."""
    rows = [
        (f"{kind.code}", f"`{kind.__name__}`", summary_of(kind), _retry(kind), kind.recovery_hint or "")
        for kind in kinds
    ]
    return table(("code", "name", "when", "retryable", "hint"), rows)


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Return a Markdown table."""
    cells = [head, *([cell.replace("|", r"\|") for cell in row] for row in rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


def _retry(kind: type[AgentBrowserError]) -> str:
    pause = f", after {kind.retry_after_ms} ms" if kind.retry_after_ms else ""
    return f"yes{pause}" if kind.retryable else "no"


@attrs.frozen
class _Reference:
    methods: Mapping[str, Method[..., Any]]
    document: dict[str, Any]

    @property
    def schemas(self) -> dict[str, Schema]:
        found: dict[str, Schema] = self.document["components"]["schemas"]
        return found

    def lines(self) -> Iterator[str]:
        yield _HEAD
        rows = [(_link(name, f"`{name}`"), one.scope.word, to_markdown(one.summary)) for name, one in self._sorted()]
        yield table(("method", "scope", "what it does"), rows) + "\n"
        described_by = {one["name"]: one for one in self.document["methods"]}
        for name, method in self._sorted():
            yield from self._method(method, referenced_name(described_by[name]["x-params"]), described_by[name])
        yield _EVENTS
        for event in self.document["x-notifications"]:
            yield f"### {event['name']}\n\n{event['summary']}\n"
            yield self._fields(referenced_name(event["params"])) + "\n"
        yield "## Errors\n\n" + error_table(reversed(openrpc.error_kinds())) + "\n"
        yield "## Types\n"
        classes = _classes_of_types()
        for name in sorted(self._types()):
            python = f" In Python `{classes[name]}`." if name in classes else ""
            yield f"### {name}\n\n{self.schemas[name]['description']}{python}\n"
            yield self._type(self.schemas[name], name) + "\n"

    def _sorted(self) -> list[tuple[str, Method[..., Any]]]:
        return sorted(self.methods.items())

    def _method(self, method: Method[..., Any], params: str, said: Mapping[str, Any]) -> Iterator[str]:
        summary, further = _text_of(method)
        yield f"### {method.name}\n\n{summary}\n"
        if further:
            yield f"{further}\n"
        step = " May be a step of `agent/act`." if method.step else ""
        python = f" In Python `{_python_name(method.handler)}`."
        yield f"Scope `{method.scope.word}`. {_turn(method, self.schemas[params])}{step}{python}\n"
        yield self._fields(params, _USUAL) + "\n"
        yield f"Returns {self._returned(said['result']['schema'])}.\n"
        yield f"Errors of {_joined(self._groups(method, self.schemas[params]))}{self._own(method)}\n"

    def _returned(self, schema: Schema) -> str:
        return "`{}`" if "$ref" in schema and referenced_name(schema) in _WITHOUT_SECTION else self._spelled(schema)

    def _own(self, method: Method[..., Any]) -> str:
        raised = [f"- `{'`, `'.join(names.split(', '))}`: {to_markdown(when)}" for names, when in _raises(method)]
        return ":\n\n" + "\n".join(raised) if raised else "."

    def _groups(self, method: Method[..., Any], params: Schema) -> Iterator[str]:
        fields: dict[str, Schema] = params["properties"]
        yield "*every request*"
        if not method.composite or {"pageId", "contextId"} & fields.keys():
            yield "*browser*"
        for group, belongs in (
            ("*page*", "pageId" in fields),
            ("*context*", "contextId" in fields),
            ("*selector*", self._selects(fields)),
            ("*action*", method.name.startswith("action/")),
            ("*URL*", any(field.get("format") == "uri" for field in fields.values())),
        ):
            if belongs:
                yield group

    def _selects(self, fields: Mapping[str, Schema]) -> bool:
        options = fields.get("options", {})
        inner = self.schemas[referenced_name(options)]["properties"] if "$ref" in options else {}
        return any("Selector" in self._spelled(field) for field in (*fields.values(), *inner.values()))

    def _types(self) -> set[str]:
        """Return the types that need a section of their own: all but the params of methods and events."""
        shown = {referenced_name(one["x-params"]) for one in self.document["methods"]}
        shown |= {referenced_name(one["params"]) for one in self.document["x-notifications"]}
        return {name for name in self.schemas if name not in shown and name not in _WITHOUT_SECTION}

    def _type(self, schema: Schema, name: str) -> str:
        if "oneOf" not in schema:
            return self._fields(name)
        return f"One of {' | '.join(map(self._kind, schema['oneOf']))}."

    def _fields(self, name: str, usual: Mapping[str, str] = MappingProxyType({})) -> str:
        schema = self.schemas[name]
        either = [one["required"][0] for one in schema.get("anyOf", ())]
        need = dict.fromkeys(schema.get("required", ()), "*required*") | dict.fromkeys(either, "*one of these*")
        rows = [
            (f"`{field}`", self._kind(one), _default(one) or need.get(field, ""), _meaning(field, one, usual))
            for field, one in schema.get("properties", {}).items()
        ]
        return table(("field", "type", "default", "meaning"), rows) if rows else "No params."

    def _kind(self, schema: Schema) -> str:
        return ", ".join(part for part in (self._spelled(schema), _bounds(schema)) if part)

    def _spelled(self, schema: Schema) -> str:
        """Return a type in Markdown, with links to the sections of the types in it."""
        if "$ref" in schema:
            return self._linked(referenced_name(schema))
        for either in ("anyOf", "oneOf"):
            if either in schema:
                return " | ".join(self._spelled(one) for one in schema[either])
        if "enum" in schema or "const" in schema:
            return " | ".join(f"`{_json(one)}`" for one in schema.get("enum", [schema.get("const")]))
        if schema.get("type") == "array":
            inner = self._spelled(schema["items"])
            return f"({inner})[]" if "|" in inner else f"{inner}[]"
        return str(schema.get("type", "any"))

    def _linked(self, name: str) -> str:
        for one in self.document["methods"]:
            if referenced_name(one["x-params"]) == name:
                return _link(one["name"], f"params of {one['name']}")
        events = (one["name"] for one in self.document["x-notifications"] if referenced_name(one["params"]) == name)
        return _link(next(events, name), name)


def _python_name(one: Any) -> str:
    """Return the name of a function or class with that of its module."""
    return f"{one.__module__.rpartition('.')[2]}.{one.__name__}"


def _classes_of_types() -> dict[str, str]:
    """Return the classes in `agentbrowser.protocol.types`, by their names in the contract."""
    names = [one.name for one in pkgutil.iter_modules(types.__path__)]
    modules = [importlib.import_module(f"{types.__name__}.{name}") for name in names]
    classes = [one for module in modules for one in vars(module).values() if isinstance(one, type) and attrs.has(one)]
    return {schema_name(one): _python_name(one) for one in classes if one.__module__.startswith(types.__name__)}


def _default(schema: Schema) -> str:
    return f"`{_json(schema['default'])}`" if "default" in schema else ""


def _meaning(field: str, schema: Schema, usual: Mapping[str, str]) -> str:
    return str(schema.get("description") or usual.get(field, ""))


def _turn(method: Method[..., Any], params: Schema) -> str:
    if method.in_session:
        return "Runs in the session's order."
    has_page = "pageId" in params["properties"] or method.focus
    return "Runs in its page's order." if has_page and not method.free else "Runs at once."


def _text_of(method: Method[..., Any]) -> tuple[str, str]:
    """Return the summary of a method, and what its docstring has between that and its sections."""
    rest = (inspect.getdoc(method.handler) or "").partition("\n")[2]
    paragraphs = [one.strip() for one in _RAISES.sub("", rest).split("\n\n")]
    return to_markdown(method.summary), "\n\n".join(to_markdown(one) for one in paragraphs if one)


def _raises(method: Method[..., Any]) -> Iterator[tuple[str, str]]:
    """Yield the errors that the docstring of a method lists: their names, and when they are raised."""
    found = _RAISES.search(inspect.getdoc(method.handler) or "")
    for line in re.split(r"\n(?=  [A-Z])", found[1]) if found else ():
        raised = _RAISED.fullmatch(" ".join(line.split()))
        if raised is None:
            raise ValueError(f"{method.name}: the docstring raises {line!r}")
        yield raised[1], raised[2]


def _bounds(schema: Schema) -> str:
    """Return the bounds of a field in words."""
    if "anyOf" in schema:
        return next(filter(None, map(_bounds, schema["anyOf"])), "")
    ending, unit = _UNITS.get(schema.get("type", ""), ("", ""))
    low, high = schema.get(f"min{ending}"), schema.get(f"max{ending}")
    pattern = schema.get("pattern", "").removeprefix("^(?:").removesuffix(")$")
    pattern = f"pattern `{pattern}`" if pattern else ""
    if low is None and high is None:
        return pattern
    bounds = f"at least {low:,}" if high is None else f"at most {high:,}" if low is None else f"{low:,} to {high:,}"
    return ", ".join(part for part in (bounds + unit, pattern) if part)


def _json(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else f"{value}"


def anchor(heading: str) -> str:
    """Return the anchor that GitHub makes of a heading."""
    return "#" + re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")


def _link(heading: str, text: str) -> str:
    return f"[{text}]({anchor(heading)})"


def _joined(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
