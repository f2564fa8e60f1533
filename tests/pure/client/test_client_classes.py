"""Classes as schemas of what is extracted, selectors as strings, and keywords that keep up with the protocol."""

import enum
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from pathlib import Path
from typing import Annotated, Any, Literal, get_type_hints

import attrs
import pytest

from agentbrowser.client import ExtractionFailed, at, options, step
from agentbrowser.client.extraction import schema_of, to_instance
from agentbrowser.client.selectors import parse_step, upload_of
from agentbrowser.methods import action, agent_act, agent_observe, page
from agentbrowser.protocol.codec import unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.action import ActionOptions, ClickOptions, FileUpload, ScrollOptions, TypeOptions
from agentbrowser.protocol.types.observe import ScreenshotOptions
from agentbrowser.protocol.types.selector import Css, Ref, Text


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


class Nothing(enum.Enum):
    pass


@attrs.frozen
class Maker:
    name: str
    """Its maker."""
    town: str | None


@attrs.frozen
class Boat:
    """A boat for sale."""

    name: str
    price: float
    """In euros."""
    berths: int | None = None
    is_sold: bool = False
    size: Size | None = None
    colour: Literal["red", "blue"] = "red"
    flag: Annotated[str | None, "Which country it sails under."] = None
    maker: Maker | None = attrs.field(default=None, metadata={"description": "The shipyard."})
    tags: list[str] = attrs.field(factory=list)


@dataclass
class Row:
    title: str
    count: int = dataclass_field(default=0, metadata={"description": "How many."})


def test_an_attrs_class_becomes_an_object_schema() -> None:
    assert unstructure(schema_of(Boat)) == {
        "type": "object",
        "description": "A boat for sale.",
        "required": ["name", "price"],
        "properties": {
            "name": {"type": "string"},
            "price": {"type": "number", "description": "In euros."},
            "berths": {"type": "integer"},
            "is_sold": {"type": "boolean"},
            "size": {"type": "string", "enum": ["small", "large"]},
            "colour": {"type": "string", "enum": ["red", "blue"]},
            "flag": {"type": "string", "description": "Which country it sails under."},
            "maker": {
                "type": "object",
                "description": "The shipyard.",
                "required": ["name"],
                "properties": {
                    "name": {"type": "string", "description": "Its maker."},
                    "town": {"type": "string"},
                },
            },
            "tags": {"type": "array", "items": {"type": "string"}},
        },
    }


def test_a_list_of_a_dataclass_becomes_an_array_schema() -> None:
    assert unstructure(schema_of(list[Row])) == {
        "type": "array",
        "items": {
            "type": "object",
            "required": ["title"],
            "properties": {"title": {"type": "string"}, "count": {"type": "integer", "description": "How many."}},
        },
    }


@pytest.mark.parametrize(
    "kind", [bytes, dict[str, int], str | int, object, Literal[b"x"], Literal[1, "a"], Nothing, [1], list]
)
def test_a_type_without_a_schema_is_a_type_error(kind: Any) -> None:
    with pytest.raises(TypeError, match="can't be extracted"):
        schema_of(kind)


def test_data_becomes_instances() -> None:
    data = {"name": "Ada", "price": 3, "size": "large", "maker": {"name": "Yard", "town": None}, "tags": ["old"]}
    assert to_instance(Boat, data) == Boat("Ada", 3.0, size=Size.LARGE, maker=Maker("Yard", None), tags=["old"])
    assert isinstance(to_instance(Boat, data).price, float)
    assert to_instance(list[Row], [{"title": "a"}, {"title": "b", "count": 2}]) == [Row("a"), Row("b", 2)]
    assert to_instance(list[Boat], []) == []


def test_a_missing_required_field_is_named() -> None:
    with pytest.raises(ExtractionFailed, match="price") as caught:
        to_instance(Boat, {"name": "Ada", "price": None})
    assert caught.value.details == {"missing": "price"}


def test_a_string_is_a_ref_or_css() -> None:
    assert at("@submit") == Ref("@submit")
    assert at("a.more > b") == Css("a.more > b")
    assert at(Text("@home")) == Text("@home")


def test_an_upload_is_a_path_or_a_name_and_bytes(tmp_path: Path) -> None:
    (tmp_path / "plan.txt").write_bytes(b"hull")
    plan = FileUpload(name="plan.txt", mime_type="text/plain", buffer="aHVsbA==")
    assert upload_of(tmp_path / "plan.txt") == upload_of(str(tmp_path / "plan.txt")) == plan
    assert upload_of(("plan.txt", b"hull")) == plan
    assert upload_of(("raw", b"\xff")) == FileUpload(name="raw", mime_type="application/octet-stream", buffer="/w==")
    assert upload_of(plan) is plan
    with pytest.raises(FileNotFoundError):
        upload_of(tmp_path / "gone")
    with pytest.raises(InvalidParams, match=r"files must be a path, .* got bytes"):
        upload_of(b"hull")  # type: ignore[arg-type]


def test_a_mapping_is_the_schema_of_plain_data() -> None:
    given = {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}}
    assert unstructure(schema_of(given)) == given
    assert to_instance(given, [{"name": "Ada"}]) == [{"name": "Ada"}]
    with pytest.raises(InvalidParams, match="type must be") as caught:
        schema_of({"type": "list"})
    assert caught.value.details["path"] == "schema.type"
    with pytest.raises(InvalidParams, match="requird is not known: did you mean required"):
        schema_of({**given, "requird": ["name"]})


def test_a_choice_may_be_none() -> None:
    assert schema_of(Literal["a", None]).enum == ["a"]


def test_an_invalid_step_is_named() -> None:
    with pytest.raises(InvalidParams, match=r"steps\[3\]\.action") as caught:
        parse_step(3, {"params": {}})
    assert caught.value.details == {"path": "steps[3].action", "expected": "a string", "got": "nothing"}
    with pytest.raises(InvalidParams, match="on_error is not known: did you mean onError") as caught:
        parse_step(3, {"action": "action/click", "on_error": "skip"})  # ignored, the sequence would stop
    assert (caught.value.details["path"], caught.value.details["nearest"]) == ("steps[3].on_error", "steps[3].onError")
    with pytest.raises(InvalidParams, match=r"steps\[3\].*object"):
        parse_step(3, "click")  # type: ignore[arg-type]


def test_a_step_is_built_from_a_method_and_its_params() -> None:
    filled = step(action.fill, selector=at("@name"), value="Ada")
    assert (filled.action, filled.params["selector"]) == ("action/fill", {"type": "ref", "value": "@name"})
    assert filled.params["value"] == "Ada"


@pytest.mark.parametrize(
    ("keywords", "kind", "said_otherwise"),
    [
        (options.ActionKeywords, ActionOptions, set()),
        (options.ClickKeywords, ClickOptions, set()),
        (options.TypeKeywords, TypeOptions, set()),
        (options.ScrollKeywords, ScrollOptions, set()),
        (options.MoveKeywords, page.reload.params, {"page_id"}),
        (options.ScreenshotKeywords, ScreenshotOptions, set()),
        (options.PageKeywords, page.create.params, {"url"}),
        (options.ObserveKeywords, agent_observe.observe.params, {"page_id", "format"}),
        (options.SequenceKeywords, agent_act.act.params, {"page_id", "steps"}),
    ],
)
def test_the_keywords_match_the_protocol_classes(keywords: Any, kind: Any, said_otherwise: set[str]) -> None:
    attrs.resolve_types(kind)
    fields = {field.name: field.type for field in attrs.fields(kind) if field.name not in said_otherwise}
    extras = {"idempotency_key", "observe"} - fields.keys()
    assert {name: kind for name, kind in get_type_hints(keywords).items() if name not in extras} == fields
