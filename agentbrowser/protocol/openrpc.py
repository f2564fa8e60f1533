"""OpenRPC document of the protocol: every method, notification, type and error, from the registry."""

from collections.abc import Mapping
from typing import Any, Final

from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.jsonschema import Schema, SchemaBuilder, references_in, schema_name, summary_of, to_markdown
from agentbrowser.protocol.registry import Event, Method, Scope
from agentbrowser.protocol.types.idempotency import Repeatable
from agentbrowser.protocol.types.stream import StreamReference

OPENRPC_VERSION: Final = "1.3.2"


def document(methods: Mapping[str, Method[..., Any]], events: Mapping[str, Event], version: str) -> dict[str, Any]:
    """Return the OpenRPC document.

    Members with ``x-`` extend OpenRPC. A method has the scope that it needs, ``x-step`` (``agent/act`` accepts it),
    ``x-observes`` (no side effects), and its params as one object. The document has the params of every method, the
    reference that replaces a streamed text, the scopes, and the notifications of the server.
    """
    builder = SchemaBuilder()
    document: dict[str, Any] = {
        "openrpc": OPENRPC_VERSION,
        "info": {
            "title": "agentbrowser",
            "version": version,
            "description": "Lets an AI agent control a real browser, by JSON-RPC 2.0 over one WebSocket.",
            "license": {"name": "Apache-2.0"},
        },
        "methods": [_method(methods[name], builder) for name in sorted(methods)],
        "x-params": _params(Repeatable, builder),
        "x-streamed": builder.of(StreamReference),
        "x-scopes": [scope.word for scope in Scope],
        "x-notifications": [_notification(events[name], builder) for name in sorted(events)],
        "components": {"schemas": builder.definitions, "errors": _errors()},
    }
    results = [method["result"]["schema"] for method in document["methods"]]
    sent = [document["x-streamed"], *(event["params"] for event in document["x-notifications"])]
    builder.close(builder.reached_from(references_in([results, sent])))
    return document


def _method(method: Method[..., Any], builder: SchemaBuilder) -> dict[str, Any]:
    return {
        "name": method.name,
        "summary": to_markdown(method.summary),
        "tags": [{"name": method.name.partition("/")[0]}],
        "paramStructure": "by-name",
        "params": _params(method.params, builder),
        "result": {"name": "result", "schema": builder.of(method.result)},
        "x-scope": method.scope.word,
        "x-step": method.step,
        "x-observes": method.observes,
        "x-params": builder.of(method.params),
    }


def _params(kind: Any, builder: SchemaBuilder) -> list[dict[str, Any]]:
    path = builder.of(kind)["$ref"]
    schema = builder.definitions[schema_name(kind)]
    required = schema.get("required", ())
    return [
        {"name": name, "required": name in required, "schema": {"$ref": f"{path}/properties/{name}"}}
        for name in sorted(schema["properties"], key=lambda name: name not in required)
    ]


def _notification(event: Event, builder: SchemaBuilder) -> Schema:
    return {
        "name": event.name,
        "summary": summary_of(event.params),
        "params": builder.of(event.params),
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
