"""Plain data to typed values and back: strict, in wire names, with the path of what does not fit."""

from typing import Any, ClassVar, Literal

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser import methods
from agentbrowser.methods.action import ClickParams, DragParams
from agentbrowser.protocol.codec import structure, structure_params, unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.fields import camel, field, milliseconds
from agentbrowser.protocol.types.selector import SELECTORS, Css, Ref, Role, Selector, describe


@attrs.frozen(kw_only=True)
class Point:
    x: float
    y: float


@attrs.frozen(kw_only=True)
class Options:
    timeout_ms: int | None = milliseconds()
    button: Literal["left", "right"] = "left"


@attrs.frozen(kw_only=True)
class Params:
    selector: Selector
    page_id: str | None = None
    options: Options = Options()
    target: Selector | Point | None = None
    values: str | list[str] = "one"
    amount: float | Literal["page"] = 3.0
    number: int = field(default=4, minimum=1, maximum=9)
    words: list[str] = field(factory=list, maximum=2)
    pairs: dict[str, str] = attrs.field(factory=dict)
    include_web_mcp: bool = field(default=False, wire="includeWebMCP")
    code: str = field(default="aa", pattern="[a-z]{2}")


@attrs.frozen(kw_only=True)
class Nested(Params):
    parts: list[Options] = attrs.field(factory=list)


@attrs.frozen(kw_only=True)
class Closed:
    refuses_unknown: ClassVar[bool] = True
    page_id: str | None = None


CSS = {"type": "css", "value": "#a"}
SELECTOR = 'a selector: "@ref", CSS, or an object with a type'


@pytest.mark.parametrize(
    ("given_", "path", "expected", "got"),
    [
        ({}, "selector", SELECTOR, "nothing"),
        ({"selector": None}, "selector", SELECTOR, "null"),
        ({"selector": 7}, "selector", SELECTOR, "7"),
        ({"selector": ""}, "selector", SELECTOR, "an empty string"),
        ({"selector": " "}, "selector", SELECTOR, "blanks"),
        ({"selector": "x" * 10_001}, "selector", "at most 10000 characters", "10001 characters"),
        ({"target": ""}, "target", SELECTOR, "an empty string"),
        ({"target": 7}, "target", f"{SELECTOR} or an object with x, y", "7"),
        ({"selector": {}}, "selector.type", None, "nothing"),
        ({"selector": {"type": "csss", "value": "x"}}, "selector.type", None, '"csss"'),
        ({"selector": {"type": "css"}}, "selector.value", "a string", "nothing"),
        (
            {"selector": {"type": "css", "value": ""}},
            "selector.value",
            "between 1 and 10000 characters",
            "0 characters",
        ),
        ({"selector": {"type": "css", "value": "x" * 10_001}}, "selector.value", None, "10001 characters"),
        ({"selector": {"type": "role", "role": "b", "exact": 1}}, "selector.exact", "a boolean", "number"),
        ({"pageId": 7}, "pageId", "a string", "7"),
        ({"options": []}, "options", "an object", "array"),
        ({"options": {"timeout": 0}}, "options.timeout", "between 1 and 300000", "0"),
        ({"options": {"timeout": "5"}}, "options.timeout", "an integer", '"5"'),
        ({"options": {"timeout": 1.5}}, "options.timeout", "an integer", "1.5"),
        ({"options": {"timeout": True}}, "options.timeout", "an integer", "boolean"),
        ({"options": {"button": "both"}}, "options.button", '"left" or "right"', '"both"'),
        ({"options": {"button": ["left"]}}, "options.button", '"left" or "right"', "array"),
        ({"values": 7}, "values", "a string or an array", "7"),
        ({"values": ["a", 7]}, "values[1]", "a string", "number"),
        ({"amount": "pages"}, "amount", 'a number or "page"', '"pages"'),
        ({"target": {"x": 1}}, "target.y", "a number", "nothing"),
        ({"number": 10}, "number", "between 1 and 9", "10"),
        ({"words": "ab"}, "words", "an array", "string"),
        ({"words": ["a", "b", "c"]}, "words", "at most 2 items", "3 items"),
        ({"pairs": {"a": 1}}, "pairs.a", "a string", "number"),
        ({"includeWebMCP": "yes"}, "includeWebMCP", "a boolean", "string"),
        ({"code": "A1"}, "code", "of the form [a-z]{2}", '"A1"'),
    ],
)
def test_an_invalid_value_is_named(given_: dict[str, Any], path: str, expected: str | None, got: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        structure(Params, given_ if "selector" in given_ or not given_ else {"selector": CSS, **given_})
    details = caught.value.details
    assert (details["path"], details["got"]) == (path, got)
    assert expected in (None, details["expected"])
    assert path in caught.value.message


@pytest.mark.parametrize(
    ("kind", "given_", "path", "expected"),
    [
        (methods.dialog.handle.params, {}, "action", '"accept" or "dismiss" or "disarm"'),
        (methods.action.select.params, {"selector": "x"}, "values", "a string or an array"),
        (
            methods.action.drag.params,
            {"source": "x"},
            "target",
            f"{SELECTOR} or an object with x, y or an object with dx, dy",
        ),
        (methods.agent_extract.extract.params, {}, "schema", "an object with type"),
        (methods.storage.set_state.params, {}, "state", "an object"),
    ],
    ids=["choices", "a union", "a union of objects", "an object", "an object without required fields"],
)
def test_a_missing_value_is_named_with_what_is_accepted(
    kind: Any, given_: dict[str, Any], path: str, expected: str
) -> None:
    with pytest.raises(InvalidParams) as caught:
        structure(kind, given_)
    details = caught.value.details
    assert (details["path"], details["expected"], details["got"]) == (path, expected, "nothing")


def test_a_valid_value_is_typed() -> None:
    made = structure(
        Params,
        {
            "selector": CSS,
            "pageId": "p",
            "options": {"timeout": 5.0, "button": "right"},
            "target": {"x": 1, "y": 2.5},
            "values": ["a"],
            "amount": "page",
            "includeWebMCP": True,
            "unknown": 1,
        },
    )
    assert made == Params(
        selector=Css("#a"),
        page_id="p",
        options=Options(timeout_ms=5, button="right"),
        target=Point(x=1, y=2.5),
        values=["a"],
        amount="page",
        include_web_mcp=True,
    )


def test_null_for_an_optional_field_is_its_default() -> None:
    nulls = {"pageId": None, "options": None, "target": None, "values": None, "number": None, "words": None}
    assert structure(Params, {"selector": CSS, **nulls}) == Params(selector=Css("#a"))


def test_a_ref_may_be_given_under_its_second_name() -> None:
    assert structure(Params, {"selector": {"type": "ref", "ref": "@a"}}).selector == Ref("@a")
    assert structure(Params, {"selector": {"type": "ref", "value": "@a"}}).selector == Ref("@a")


def test_a_selector_may_be_text() -> None:
    made = structure(Params, {"selector": "@a", "target": "ul > li"})
    assert (made.selector, made.target) == (Ref("@a"), Css("ul > li"))
    assert structure(Params, {"selector": "#a", "values": "@a"}).values == "@a"
    assert ClickParams(selector="@a") == ClickParams(selector=Ref("@a"))
    assert DragParams(source="#a", target="@b") == DragParams(source=Css("#a"), target=Ref("@b"))


@pytest.mark.parametrize(
    ("given_", "path", "nearest"),
    [
        ({"page_id": "p"}, "page_id", "pageId"),
        ({"options": {"timeOut": 300}}, "options.timeOut", "options.timeout"),
        ({"timeout": 300}, "timeout", "options.timeout"),
        ({"options": {"Button": "left"}}, "options.Button", "options.button"),
        ({"target": {"x": 1, "y": 2, "z": 3}}, "target.z", None),
        ({"selector": {"type": "css", "value": "a", "exact": True}}, "selector.exact", None),
        ({"parts": [{}, {"buton": "left"}]}, "parts[1].buton", "parts[1].button"),
        ({"x" * 900: 1}, "x" * 60, None),
    ],
)
def test_an_unknown_field_is_refused_with_the_nearest_one(
    given_: dict[str, Any], path: str, nearest: str | None
) -> None:
    with pytest.raises(InvalidParams) as caught:
        structure_params(Nested, {"selector": CSS, **given_})
    details = caught.value.details
    assert (details["path"], details.get("nearest")) == (path, nearest)
    assert path in caught.value.message
    assert details["expected"].startswith("one of ")
    assert details["expected"].removeprefix("one of ") in caught.value.message
    assert nearest is None or nearest in (caught.value.recovery_hint or "")


def test_known_fields_under_all_their_names_are_accepted() -> None:
    refs = [{"type": "ref", "ref": "@a"}, {"type": "ref", "value": "@a"}, {"type": "ref", "ref": "@a", "value": "@b"}]
    assert [structure_params(Params, {"selector": ref}).selector for ref in refs] == [Ref("@a"), Ref("@a"), Ref("@b")]
    assert structure_params(Params, {"selector": CSS, "pairs": {"any": "key"}}).pairs == {"any": "key"}


def test_results_may_have_unknown_fields() -> None:
    assert structure(Options, {"button": "left", "added": {"later": 1}}) == Options()


def test_a_strict_class_rejects_unknown_fields() -> None:
    with pytest.raises(InvalidParams) as caught:
        structure(Closed, {"pageId": "p", "proxy": "x"})
    assert caught.value.details["path"] == "proxy"


def test_unstructured_data_omits_none() -> None:
    plain = unstructure(Params(selector=Role("button", name="Send"), target=Point(x=1, y=2)))
    assert plain["selector"] == {"type": "role", "role": "button", "name": "Send", "exact": False}
    assert plain["target"] == {"x": 1, "y": 2}
    assert "pageId" not in plain
    assert plain["includeWebMCP"] is False


@given(st.sampled_from(SELECTORS), st.data())
def test_every_selector_survives_the_wire(kind: Any, data: Any) -> None:
    texts = st.text(min_size=1, max_size=30)
    values = {str: texts, float: st.floats(-1e5, 1e5), bool: st.booleans()}
    made = kind(**{one.name: data.draw(values.get(one.type, st.none() | texts)) for one in attrs.fields(kind)})
    assert structure(Params, {"selector": unstructure(made)}).selector == made
    assert describe(made)["type"] == kind.type


@given(st.from_regex(r"[a-z]{1,6}(_[a-z]{1,6}){0,3}", fullmatch=True))
def test_wire_names_are_camel_case(name: str) -> None:
    assert camel(name).lower() == name.replace("_", "")
    assert "_" not in camel(name)
