"""The protocol as an OpenRPC document: every method, notification, type and error, from what their blocks declare."""

from collections.abc import Mapping
from typing import Any, Final

from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.jsonschema import Schema, SchemaBuilder, schema_name, summary_of, to_markdown
from agentbrowser.protocol.registry import Event, Method, Scope
from agentbrowser.protocol.types.idempotency import Repeatable
from agentbrowser.protocol.types.stream import StreamReference

OPENRPC_VERSION: Final = "1.3.2"


def document(methods: Mapping[str, Method[..., Any]], events: Mapping[str, Event], version: str) -> dict[str, Any]:
    """Return the OpenRPC document.

    What OpenRPC has no word for is said with ``x-``: the scope that a method needs, whether ``agent/act`` takes it as a
    step, whether it only looks, its params as one object, the params that every method takes, what stands for
    a text that is streamed, the scopes, and the notifications that the server sends.
    """
    shapes = SchemaBuilder()
    return {
        "openrpc": OPENRPC_VERSION,
        "info": {
            "title": "agentbrowser",
            "version": version,
            "description": "Lets an AI agent control a real browser, by JSON-RPC 2.0 over one WebSocket.",
            "license": {"name": "Apache-2.0"},
        },
        "methods": [_method(methods[name], shapes) for name in sorted(methods)],
        "x-params": _params(Repeatable, shapes),
        "x-streamed": shapes.of(StreamReference),
        "x-scopes": [scope.word for scope in Scope],
        "x-notifications": [_notification(events[name], shapes) for name in sorted(events)],
        "components": {"schemas": shapes.definitions, "errors": _errors()},
    }


def _method(method: Method[..., Any], shapes: SchemaBuilder) -> dict[str, Any]:
    return {
        "name": method.name,
        "summary": to_markdown(method.summary),
        "tags": [{"name": method.name.partition("/")[0]}],
        "paramStructure": "by-name",
        "params": _params(method.params, shapes),
        "result": {"name": "result", "schema": shapes.of(method.result)},
        "x-scope": method.scope.word,
        "x-step": method.step,
        "x-observes": method.observes,
        "x-params": shapes.of(method.params),
    }


def _params(kind: Any, shapes: SchemaBuilder) -> list[dict[str, Any]]:
    path = shapes.of(kind)["$ref"]
    schema = shapes.definitions[schema_name(kind)]
    required = schema.get("required", ())
    return [
        {"name": name, "required": name in required, "schema": {"$ref": f"{path}/properties/{name}"}}
        for name in sorted(schema["properties"], key=lambda name: name not in required)
    ]


def _notification(event: Event, shapes: SchemaBuilder) -> Schema:
    return {
        "name": event.name,
        "summary": summary_of(event.params),
        "params": shapes.of(event.params),
    }


def error_kinds() -> list[type[AgentBrowserError]]:
    """Return the classes of the errors of the wire, by code."""
    kinds = AgentBrowserError.__subclasses__()
    coded = [kind for kind in kinds if kind.__module__ == AgentBrowserError.__module__]
    return sorted(coded, key=lambda kind: kind.code)


def _errors() -> dict[str, Any]:
    return {
        kind.__name__: {"code": kind.code, "message": summary_of(kind), "data": {"retryable": kind.retryable}}
        for kind in error_kinds()
    }
