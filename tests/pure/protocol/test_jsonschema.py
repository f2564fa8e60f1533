"""The contract: what is generated from the registry says what the codec does, and all of it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agentbrowser.cli.settings import SETTINGS
from agentbrowser.methods import EVENTS, METHODS
from agentbrowser.protocol import errors, generate, openrpc, wire
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import AgentBrowserError, InvalidParams
from agentbrowser.protocol.generate import GeneratedFile, method_table, setting_values, settings_table, with_tables
from agentbrowser.protocol.jsonschema import SchemaBuilder, schema_name
from agentbrowser.protocol.reference import error_table
from agentbrowser.protocol.types.fields import constraints, field
from agentbrowser.protocol.types.selector import SELECTORS
from tests.pure.wild import fits, instances, resolve

DOCUMENT = openrpc.document(METHODS, EVENTS, "1.2.3")
SCHEMAS = DOCUMENT["components"]["schemas"]
NAMES = sorted(METHODS)
KINDS = {
    kind.code: kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, AgentBrowserError) and kind is not AgentBrowserError
}
CODES = sorted(KINDS, reverse=True)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_params_survive_the_wire_and_fit_their_schema(name: str, data: st.DataObject) -> None:
    kind: Any = METHODS[name].params
    params = data.draw(instances(kind))
    plain = wire.load(wire.dump(unstructure(params)))
    assert structure(kind, plain) == params
    assert fits(plain, SCHEMAS[schema_name(kind)], DOCUMENT)


@pytest.mark.parametrize("name", NAMES)
def test_the_schema_and_the_codec_agree_on_what_is_required(name: str) -> None:
    kind: Any = METHODS[name].params
    try:
        structure(kind, {})
    except InvalidParams:
        taken = False
    else:
        taken = True
    assert fits({}, SCHEMAS[schema_name(kind)], DOCUMENT) is taken


def test_the_document_is_json_with_every_method_and_notification() -> None:
    assert wire.load(wire.dump(DOCUMENT)) == DOCUMENT
    assert DOCUMENT["openrpc"].startswith("1.3.")
    assert DOCUMENT["info"]["version"] == "1.2.3"
    assert [one["name"] for one in DOCUMENT["methods"]] == NAMES
    assert [one["name"] for one in DOCUMENT["x-notifications"]] == sorted(EVENTS)
    for one in DOCUMENT["methods"]:
        method = METHODS[one["name"]]
        assert (one["x-scope"], one["x-step"], one["summary"] != "") == (method.scope.word, method.step, True)


def test_every_reference_has_a_definition() -> None:
    references = list(_references(DOCUMENT))
    assert references
    for reference in references:
        assert isinstance(resolve(reference, DOCUMENT), dict)


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _references(item)


def test_every_type_has_a_description() -> None:
    assert [name for name, one in SCHEMAS.items() if not one["description"]] == []


def test_params_are_listed_by_name_with_the_required_ones_first() -> None:
    fill = next(one for one in DOCUMENT["methods"] if one["name"] == "action/fill")
    assert [(one["name"], one["required"]) for one in fill["params"]][:2] == [("selector", True), ("value", True)]
    assert {one["name"]: one["required"] for one in fill["params"]}["pageId"] is False
    assert resolve(fill["params"][0]["schema"]["$ref"], DOCUMENT) == {"$ref": "#/components/schemas/Selector"}
    assert fill["result"]["schema"] == {"$ref": "#/components/schemas/ActionResult"}


def test_selectors_are_distinguished_by_their_type() -> None:
    text, *objects = SCHEMAS["Selector"]["oneOf"]
    assert (text["type"], objects) == ("string", SCHEMAS["SelectorObject"]["oneOf"])
    choices = [resolve(one["$ref"], DOCUMENT) for one in objects]
    assert [one["properties"]["type"]["const"] for one in choices] == [kind.type for kind in SELECTORS]
    assert fits({"type": "ref", "ref": "@a"}, SCHEMAS["Selector"], DOCUMENT)
    assert not fits({"type": "css", "ref": "@a"}, SCHEMAS["Selector"], DOCUMENT)
    assert not fits({"value": "a"}, SCHEMAS["Selector"], DOCUMENT)


def test_text_may_stand_in_place_of_every_selector_of_a_request() -> None:
    """Else the types of the TypeScript client refuse what the server accepts."""
    schemas = SchemaBuilder()
    for method in METHODS.values():
        schemas.of(method.params)
    assert "Selector" in schemas.definitions
    assert "SelectorObject" not in schemas.definitions


def test_errors_are_listed_by_name() -> None:
    listed = DOCUMENT["components"]["errors"]
    assert listed["ElementNotFound"]["code"] == -32012
    assert listed["ElementNotFound"]["data"] == {"retryable": True}
    codes = [one["code"] for one in listed.values()]
    assert codes == sorted(set(codes))


@attrs.frozen(kw_only=True)
class Sample:
    """A sample.

    With more to say.
    """

    refuses_unknown = True

    word: str = attrs.field(metadata=constraints(pattern="[ab]+"))
    count: int = field(default=3, minimum=1, maximum=9)
    names: list[str] | None = field(default=None, maximum=5)
    either: str | list[str] = field(default="x", maximum=7)
    inner: "Sample | None" = None


def test_the_schema_of_a_class() -> None:
    shapes = SchemaBuilder()
    assert shapes.of(Sample) == {"$ref": "#/components/schemas/Sample"}
    assert shapes.definitions["Sample"] == {
        "type": "object",
        "description": "A sample.",
        "properties": {
            "word": {"type": "string", "pattern": "^(?:[ab]+)$"},
            "count": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3},
            "names": {"type": "array", "items": {"type": "string"}, "maxItems": 5},
            "either": {
                "anyOf": [
                    {"type": "string", "maxLength": 7},
                    {"type": "array", "items": {"type": "string"}, "maxItems": 7},
                ],
                "default": "x",
            },
            "inner": {"$ref": "#/components/schemas/Sample"},
        },
        "required": ["word"],
        "additionalProperties": False,
    }


def test_two_classes_of_one_name_are_rejected() -> None:
    shapes = SchemaBuilder()
    shapes.of(Sample)
    with pytest.raises(TypeError, match="both Sample"):
        shapes.of(attrs.make_class("Sample", []))
    with pytest.raises(TypeError, match="no schema"):
        shapes.of(set[int])


def test_the_table_of_methods_has_each_one_under_its_scope() -> None:
    rows = dict(re.findall(r"^\| (?:`([a-z]*)/`|\(none\)) \| (.*) \|$", method_table(), re.MULTILINE))
    listed = {
        (f"{area}/{short}" if area else short, scope)
        for area, cell in rows.items()
        for scope, names in (part.split(": ") for part in cell.split("; ") if ": " in part)
        for short in re.findall(r"`([^`]+)`", names)
    }
    assert listed == {(name, method.scope.word) for name, method in METHODS.items()}


def test_the_error_table_matches_the_classes() -> None:
    rows = error_table(KINDS[code] for code in CODES).splitlines()[2:]
    assert [int(row.split("|")[1]) for row in rows] == CODES
    assert all(f"`{KINDS[int(row.split('|')[1])].__name__}`" in row for row in rows)
    assert "| -32002 | `AlreadyInitialized` | `initialize` was called a second time. | no |  |" in rows
    assert (
        "Details: selector, waitedMs, and for words candidates (at most 5). | yes, after 500 ms | Observe the page"
        in rows[CODES.index(-32012)]
    )
    assert "| yes | Observe the page" in rows[CODES.index(-32016)]


def test_the_table_of_settings_has_a_row_for_each() -> None:
    rows = settings_table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [setting.flag for setting in SETTINGS]
    assert "| `--headless` / `--headed` | `AGENT_HEADLESS` | yes, no | yes |" in settings_table()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("private-network", "`allow`, `ask-first`, `deny`"),
        ("headless", "yes, no"),
        ("port", "number, 0 to 65,535"),
        ("max-pages", "number, at least 1"),
        ("request-timeout", "seconds, 0.01 to 300"),
        ("max-memory", "bytes, at least 67,108,864"),
        ("allowed-domains", "list"),
        ("token-file", "file"),
        ("token", "text"),
    ],
)
def test_the_values_of_a_setting_are_those_that_it_accepts(name: str, values: str) -> None:
    (setting,) = (one for one in SETTINGS if one.name == name)
    assert setting_values(setting) == values


TABLES = {"methods": method_table, "settings": settings_table}


def page(tables: dict[str, str]) -> str:
    """Return a text with these tables in their places."""
    places = [f"<!-- {name} -->\n{table}\n<!-- /{name} -->" for name, table in tables.items()]
    return "\n\n".join(["before", *places, "after"])


def run(monkeypatch: pytest.MonkeyPatch, path: Path, *flags: str) -> tuple[int, str]:
    """Run the command on one file."""
    monkeypatch.setattr(generate, "TARGETS", (GeneratedFile(path, lambda text: with_tables(text, TABLES)),))
    result = CliRunner().invoke(generate.main, flags)
    return result.exit_code, result.output


def test_check_names_stale_files_and_write_updates_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "README.md"
    path.write_text(page(dict.fromkeys(TABLES, "old")))
    code, output = run(monkeypatch, path, "--check")
    assert (code, "README.md is stale" in output) == (1, True)
    assert "old" in path.read_text()
    code, output = run(monkeypatch, path, "--write")
    assert (code, "README.md was written" in output) == (0, True)
    assert path.read_text() == page({name: table() for name, table in TABLES.items()})
    assert run(monkeypatch, path, "--check") == (0, "")
    assert run(monkeypatch, path, "--write") == (0, "")


def test_a_file_without_markers_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    code, output = run(monkeypatch, tmp_path / "none.md", "--check")
    assert (code, "none.md: there is no <!-- methods -->" in output) == (1, True)


@pytest.mark.parametrize("flags", [[], ["--write", "--check"]])
def test_the_command_requires_exactly_one_flag(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, flags: list[str]
) -> None:
    assert run(monkeypatch, tmp_path / "x", *flags)[0] == 2


def test_patterns_mean_the_same_in_python_and_javascript() -> None:
    written = json.dumps(generate.json_schema())
    patterns = [str(json.loads(f'"{one}"')) for one in re.findall(r'"pattern": "((?:[^"\\]|\\.)*)"', written)]
    assert "^(?:[0-9]{1,9})$" in patterns
    # Python takes letters and digits of any script for these, JavaScript ASCII only.
    assert [one for one in patterns if re.search(r"\\[dws]", one, re.IGNORECASE)] == []
