"""Arguments of tool calls: what a model is forgiven, and what is refused with the accepted names."""

from types import SimpleNamespace
from typing import Any

import pytest

from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.tools import looks
from agentbrowser.tools.arguments import checked
from agentbrowser.tools.steps import dialog_params, is_dialog, wire_step
from agentbrowser.tools.table import BY_NAME

FILL = {"do": "fill", "on": "@a"}


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("browser_tabs", None, {}),
        ("browser_tabs", "", {}),
        ("browser_tabs", {"close": None}, {}),
        ("browser_look", {"max_tokens": "500", "cursor": ""}, {"max_tokens": 500}),
        ("browser_screenshot", {"full": "true"}, {"full": True}),
        ("browser_act", '{"steps": [{"do": "back"}]}', {"steps": [{"do": "back"}]}),
        ("browser_act", {"steps": '[{"do": "back"}]'}, {"steps": [{"do": "back"}]}),
        ("browser_act", {"steps": [FILL | {"value": 7}]}, {"steps": [FILL | {"value": "7"}]}),
        ("browser_act", {"steps": [FILL | {"value": "", "expect": ""}]}, {"steps": [FILL | {"value": ""}]}),
        ("browser_act", {"steps": [FILL | {"value": None}]}, {"steps": [FILL]}),
        ("browser_act", {"steps": {"do": "back"}}, {"steps": [{"do": "back"}]}),
        ("browser_act", {"steps": '{"do": "back"}'}, {"steps": [{"do": "back"}]}),
        ("browser_extract", {"fields": "price: number"}, {"fields": ["price: number"]}),
    ],
)
def test_unambiguous_arguments_are_accepted(name: str, given: Any, read: dict[str, Any]) -> None:
    assert checked(BY_NAME[name], given) == read


@pytest.mark.parametrize(
    ("name", "given", "path"),
    [
        ("browser_navigate", {}, "url"),
        ("browser_navigate", "[1]", "arguments"),
        ("browser_navigate", {"URL": "x"}, "URL"),
        ("browser_look", {"show": "html"}, "show"),
        ("browser_look", {"max_tokens": True}, "max_tokens"),
        ("browser_look", "[" * 100_000, "arguments"),
        ("browser_act", {"steps": "[" * 100_000}, "steps[0]"),
        ("browser_emulate", '{"latitude": NaN}', "latitude"),
        ("browser_emulate", {"latitude": "-Infinity"}, "latitude"),
        ("browser_act", {"steps": []}, "steps"),
        ("browser_act", {"steps": [{"do": "back"}] * 1001}, "steps"),
        ("browser_act", {"steps": f'[{{"do": "type", "value": "{"x" * 300_000}"}}]'}, "steps"),
        ("browser_look", {"x" * 4_000_000: 1}, "x" * 100),
        ("browser_act", {"steps": ["click"]}, "steps[0]"),
        ("browser_extract", {"fields": {"tea": "string"}}, "fields"),
        ("browser_act", {"steps": [{"do": "smash"}]}, "steps[0].do"),
        ("browser_act", {"steps": [{"do": "back"}, {"on": "@a"}]}, "steps[1].do"),
    ],
)
def test_a_wrong_argument_is_named(name: str, given: Any, path: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        checked(BY_NAME[name], given)
    assert refused.value.details["path"] == path


def test_an_empty_list_is_no_missing_one() -> None:
    with pytest.raises(InvalidParams, match="steps must be at least one item, got none"):
        checked(BY_NAME["browser_act"], {"steps": []})
    with pytest.raises(InvalidParams, match="steps must be of type array, got nothing"):
        checked(BY_NAME["browser_act"], {})


@pytest.mark.parametrize("cursor", ["t", "t-1", "t²", "t" + "9" * 5000])
def test_a_cursor_of_no_text_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidParams, match="cursor must be"):
        looks._position(cursor)


@pytest.mark.parametrize("given", [-5, 0, 1, 99])
def test_fewer_tokens_than_a_look_can_keep_to_are_refused(given: int) -> None:
    call: Any = SimpleNamespace(arguments={"max_tokens": given})
    with pytest.raises(InvalidParams, match=f"max_tokens must be at least 100, got {given}"):
        looks._tokens(call)


def test_the_least_tokens_are_kept_to() -> None:
    call: Any = SimpleNamespace(arguments={"max_tokens": 100})
    assert looks._tokens(call) == 100


def test_a_misspelt_argument_gets_the_nearest_name() -> None:
    with pytest.raises(InvalidParams) as refused:
        checked(BY_NAME["browser_look"], {"max_token": 5})
    assert refused.value.recovery_hint == "Did you mean max_tokens?"


STEP_NAMES = [("text", "value"), ("key", "value"), ("url", "value"), ("ref", "on"), ("element", "on"), ("x", None)]


@pytest.mark.parametrize(("name", "ours"), STEP_NAMES)
def test_an_argument_of_a_step_of_another_tool_gets_our_name(name: str, ours: str | None) -> None:
    with pytest.raises(InvalidParams) as refused:
        checked(BY_NAME["browser_act"], {"steps": [{"do": "fill", "on": "@a", name: "b"}]})
    assert refused.value.recovery_hint == (ours and f"Did you mean {ours}?")


@pytest.mark.parametrize(
    ("tool", "name", "ours"),
    [("screenshot", "ref", "of"), ("screenshot", "full_page", "full"), ("evaluate", "script", "expression")],
)
def test_an_argument_of_another_tool_gets_our_name(tool: str, name: str, ours: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        checked(BY_NAME[f"browser_{tool}"], {name: "b"})
    assert refused.value.recovery_hint == f"Did you mean {ours}?"


def with_ref(action: str, **params: Any) -> dict[str, Any]:
    return {"action": action, "params": {"selector": REF, **params}}


def wait_for(**condition: Any) -> dict[str, Any]:
    return {"action": "page/waitFor", "params": condition}


def scroll_by(**options: Any) -> dict[str, Any]:
    return {"action": "action/scroll", "params": {"options": options}}


WORDS = {"type": "semantic", "description": "the blue one"}
CSS = {"type": "css", "value": "#a"}
REF = {"type": "ref", "value": "@a"}
RIGHT = {"button": "right"}
AT = {"position": {"x": 30, "y": 40}}
WAITS = "gone, a time up to 20s such as 2s or 500ms, or left out"
POINTS = "left out, or a point in the element such as at 9,9"
READ = {"waitUntil": "domcontentloaded"}


@pytest.mark.parametrize(
    ("step", "wire"),
    [
        ({"do": "click", "on": "@a button"}, with_ref("action/click")),
        ({"do": "hover", "on": "the blue one"}, {"action": "action/hover", "params": {"selector": WORDS}}),
        ({"do": "check", "on": "css=#a"}, {"action": "action/check", "params": {"selector": CSS}}),
        ({"do": "rightclick", "on": "@a"}, with_ref("action/click", options=RIGHT)),
        ({"do": "fill", "on": "@a", "value": ""}, with_ref("action/fill", value="")),
        ({"do": "click", "on": "@a", "value": ""}, with_ref("action/click")),
        ({"do": "press", "value": "Enter"}, {"action": "action/press", "params": {"key": "Enter"}}),
        ({"do": "scroll"}, scroll_by(direction="down", amount="page")),
        ({"do": "scroll", "value": "up"}, scroll_by(direction="up", amount="page")),
        ({"do": "scroll", "value": "bottom"}, scroll_by(direction="down", amount=1_000_000)),
        ({"do": "scroll", "value": "Top"}, scroll_by(direction="up", amount=1_000_000)),
        (
            {"do": "scroll", "on": "@list"},
            {"action": "action/scroll", "params": {"selector": {"type": "ref", "value": "@list"}}},
        ),
        ({"do": "scroll", "value": "-600px"}, scroll_by(direction="up", amount=600)),
        ({"do": "scroll", "value": "left page"}, scroll_by(direction="left", amount="page")),
        ({"do": "select", "on": "@a", "value": "Meal, Wifi"}, with_ref("action/select", values="Meal, Wifi")),
        ({"do": "select", "on": "@a", "value": "[x"}, with_ref("action/select", values="[x")),
        ({"do": "select", "on": "@a", "value": "[]"}, with_ref("action/select", values="[]")),
        ({"do": "select", "on": "@a", "value": '["Meal", 2]'}, with_ref("action/select", values=["Meal", "2"])),
        ({"do": "type", "on": "@a", "value": "x"}, with_ref("action/type", text="x")),
        ({"do": "upload", "on": "@a", "value": "a.txt"}, with_ref("action/upload", files=[{"path": "a.txt"}])),
        ({"do": "wait"}, wait_for(idle=True)),
        ({"do": "wait", "value": ""}, wait_for(idle=True)),
        ({"do": "wait", "on": "Loading", "value": ""}, wait_for(text="Loading")),
        ({"do": "wait", "on": "Loading", "value": "gone"}, wait_for(textGone="Loading")),
        ({"do": "wait", "on": "@a"}, wait_for(selector=REF, state="visible")),
        ({"do": "wait", "value": "1.5 s"}, wait_for(duration=1500)),
        ({"do": "wait", "on": "Loaded", "value": "500ms"}, wait_for(text="Loaded", timeout=500)),
        ({"do": "dblclick", "on": "@a", "value": "at 30, 40"}, with_ref("action/dblclick", options=AT)),
        ({"do": "rightclick", "on": "@a", "value": "at 30,40"}, with_ref("action/click", options=RIGHT | AT)),
        ({"do": "wait", "on": "url:/done"}, wait_for(url="/done")),
        (
            {"do": "goto", "value": "https://a.example"},
            {"action": "page/navigate", "params": {"url": "https://a.example", **READ}},
        ),
        ({"do": "back", "expect": "url: /home"}, {"action": "page/goBack", "params": READ, "expect": {"url": "/home"}}),
        ({"do": "back", "expect": "Home"}, {"action": "page/goBack", "params": READ, "expect": {"text": "Home"}}),
    ],
)
def test_a_step_becomes_one_of_the_protocol(step: dict[str, str], wire: dict[str, Any]) -> None:
    assert wire_step(0, step) == wire


def test_several_options_are_a_list_or_its_text_and_other_values_are_no_list() -> None:
    act, options = BY_NAME["browser_act"], ["Meal", "Wifi"]
    (step,) = checked(act, {"steps": [{"do": "select", "on": "@a", "value": options}]})["steps"]
    assert wire_step(0, step) == with_ref("action/select", values=options)
    with pytest.raises(InvalidParams, match="of type string, got array"):
        checked(act, {"steps": [{"do": "fill", "on": "@a", "value": options}]})


@pytest.mark.parametrize(
    ("step", "path"),
    [
        ({"do": "click"}, "steps[3].on"),
        ({"do": "fill", "on": "@a"}, "steps[3].value"),
        ({"do": "type", "on": "@a"}, "steps[3].value"),
        ({"do": "select", "on": "@a", "value": ""}, "steps[3].value"),
        ({"do": "scroll", "value": "a bit"}, "steps[3].value"),
        ({"do": "scroll", "value": "--5"}, "steps[3].value"),
        ({"do": "scroll", "value": "9" * 5000}, "steps[3].value"),
    ],
)
def test_a_step_without_what_it_needs_is_named(step: dict[str, str], path: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        wire_step(3, step)
    assert refused.value.details["path"] == path


@pytest.mark.parametrize(
    ("step", "name"),
    [
        ({"do": "check", "on": "@a", "value": "false"}, "value"),
        ({"do": "back", "value": "2"}, "value"),
        ({"do": "back", "on": "@a"}, "on"),
        ({"do": "goto", "on": "@a", "value": "/b"}, "on"),
        ({"do": "dialog", "on": "OK", "value": "dismiss"}, "on"),
    ],
)
def test_a_field_that_a_verb_does_not_take_is_refused(step: dict[str, str], name: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        _ = is_dialog(3, step) or wire_step(3, step)
    assert refused.value.message == f"steps[3].{name} does not fit {step['do']}."
    assert refused.value.details == {"path": f"steps[3].{name}", "expected": f"no {name}"}
    assert (refused.value.recovery_hint or "").startswith(f"{name} is for ")
    assert step["do"] not in (refused.value.recovery_hint or "")


@pytest.mark.parametrize(
    ("step", "path", "expected"),
    [
        ({"do": "wait", "value": "Order placed"}, "steps[0].value", WAITS),
        ({"do": "wait", "on": "Order", "value": "500"}, "steps[0].value", WAITS),
        ({"do": "wait", "value": "21s"}, "steps[0].value", WAITS),
        ({"do": "click", "on": "Map", "value": "30,40"}, "steps[0].value", POINTS),
        ({"do": "wait", "value": "gone"}, "steps[0].on", "given"),
        (
            {"do": "wait", "on": "url:/a", "value": "gone"},
            "steps[0].value",
            "a time such as 2s, or left out, for a URL",
        ),
    ],
)
def test_a_value_that_its_verb_can_not_read_is_refused(step: dict[str, str], path: str, expected: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        wire_step(0, step)
    assert refused.value.details == {"path": path, "expected": expected}


def test_a_dialog_takes_no_expectation() -> None:
    assert is_dialog(0, {"do": "dialog", "value": "dismiss"})
    assert not is_dialog(0, {"do": "click", "on": "Sign", "expect": "Signed"})
    with pytest.raises(InvalidParams) as refused:
        is_dialog(1, {"do": "dialog", "expect": "Signed"})
    assert refused.value.details["path"] == "steps[1].expect"


def test_a_dialog_is_accepted_unless_it_is_dismissed() -> None:
    assert dialog_params({"do": "dialog"}) == {"action": "accept"}
    assert dialog_params({"do": "dialog", "value": ""}) == {"action": "accept"}
    assert dialog_params({"do": "dialog", "value": "accept"}) == {"action": "accept"}
    assert dialog_params({"do": "dialog", "value": "dismiss"}) == {"action": "dismiss"}
    assert dialog_params({"do": "dialog", "value": "Ada"}) == {"action": "accept", "promptText": "Ada"}
