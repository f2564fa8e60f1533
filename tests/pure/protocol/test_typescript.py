"""What is generated for TypeScript: that it holds everything, and how a type becomes an interface and a schema."""

import re
from typing import Any, Literal

import attrs

from agentbrowser.methods import EVENTS, METHODS
from agentbrowser.protocol import generate, typescript
from agentbrowser.protocol.errors import AgentBrowserError
from agentbrowser.protocol.jsonschema import SchemaBuilder
from agentbrowser.protocol.registry import Scope
from agentbrowser.protocol.types.fields import constraints, field

DOCUMENT = generate.document()
TYPES = typescript.types(DOCUMENT)
SCHEMAS = typescript.schemas(DOCUMENT)
TABLES = typescript.tables(DOCUMENT)
ERRORS = typescript.errors(DOCUMENT)


@attrs.frozen(kw_only=True)
class Tree:
    """A tree. */"""

    refuses_unknown = True

    name: str = attrs.field(metadata=constraints(minimum=1, maximum=9, pattern="[a-z]+"))
    """What it is called."""
    size: int = field(default=3, minimum=0)
    kind: Literal["oak", "elm"] | bool | None = None
    marks: dict[str, float] = attrs.field(factory=dict)
    notes: Any = None
    branches: "list[Tree] | None" = field(default=None, maximum=2)


def made() -> dict[str, Any]:
    shapes = SchemaBuilder()
    shapes.of(Tree)
    empty: dict[str, Any] = {"methods": [], "x-notifications": [], "x-scopes": ["readonly"]}
    return {**empty, "components": {"schemas": shapes.definitions}}


def test_the_interface_of_a_class() -> None:
    text = typescript.types(made())
    expected = """/** A tree. *\\/ */
export interface Tree {
  /** What it is called. */
  name: string;
  /** Default: `3`. */
  size?: number;
  kind?: "oak" | "elm" | boolean;
  marks?: Record<string, number>;
  notes?: unknown;
  branches?: Tree[];
}
"""
    assert expected in text


def test_the_schema_of_a_class() -> None:
    text = typescript.schemas(made())
    expected = """export const Tree: z.ZodType<t.Tree> = z.strictObject({
  name: text(1, 9).regex(new RegExp("^(?:[a-z]+)$", 'u')),
  size: maybe(z.int().min(0)),
  kind: maybe(z.union([z.enum(["oak", "elm"]), z.boolean()])),
  marks: maybe(z.record(z.string(), z.number())),
  notes: maybe(z.unknown()),
  branches: maybe(z.lazy(() => list(Tree, 0, 2))),
});
"""
    assert expected in text


def test_every_type_has_an_interface_and_a_schema() -> None:
    names = set(DOCUMENT["components"]["schemas"])
    assert set(re.findall(r"^export const (\w+)", SCHEMAS, re.M)) == names
    assert set(re.findall(r"^export (?:interface|type) (\w+)", TYPES, re.M)) >= names


def test_a_schema_comes_before_its_dependents() -> None:
    known: set[str] = set()
    for block in re.split(r"\n(?=export const )", SCHEMAS)[1:]:
        (name,) = re.findall(r"^export const (\w+)", block)
        used = set(re.findall(r"\b([A-Z]\w+)", block.replace(f"t.{name}", "").replace("z.ZodType", "")))
        late = {word for line in block.splitlines() if "z.lazy" in line for word in re.findall(r"\b([A-Z]\w+)", line)}
        assert not (used - late - known - {name}) & set(DOCUMENT["components"]["schemas"])
        known.add(name)


def test_every_method_is_in_the_tables() -> None:
    rows = re.findall(r'^  "([\w./]+)": \{ scope: "(\w+)", step: (\w+), observes: (\w+)', TABLES, re.M)
    assert rows == [
        (name, method.scope.word, str(method.step).lower(), str(method.observes).lower())
        for name, method in sorted(METHODS.items())
    ]
    assert all(f'"{name}": ' in TYPES and f'"{name}": s.' in TABLES for name in EVENTS)
    assert str([scope.word for scope in Scope]).replace("'", '"') in TABLES


def test_only_methods_without_side_effects_observe() -> None:
    observing = {name for name, method in METHODS.items() if method.observes}
    assert {"agent/observe", "agent/extract", "observe/screenshot", "page/list"} <= observing
    # A part of a download is larger than the answers that are kept under a key: it is read again.
    assert {"download/list", "download/read", "recording/get", "storage/getState"} <= observing
    assert not {"initialize", "shutdown", "events/subscribe", "page/activate", "action/click"} & observing
    assert not {"recording/export", "trace/stop"} & observing  # the first may stop a trace


def test_every_error_has_a_class() -> None:
    classes = dict(re.findall(r"^export class (\w+) .*\n.*code: number = (-\d+);", ERRORS, re.M))
    kinds = [kind for kind in AgentBrowserError.__subclasses__() if kind.__module__ == AgentBrowserError.__module__]
    assert classes == {kind.__name__: str(kind.code) for kind in kinds}


def test_generated_files_do_not_depend_on_the_time() -> None:
    assert [target.name for target in generate.TARGETS if target.refresh(write=False)] == []
