"""The params of the thirteen actions, as they come from the wire."""

from typing import Any

import pytest

from agentbrowser.methods import action
from agentbrowser.protocol.codec import structure, unstructure
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.registry import METHODS, Scope
from agentbrowser.protocol.types.action import ActionDialog, ActionResult, ClickOptions, Offset, Point
from agentbrowser.protocol.types.selector import Css

A = {"type": "css", "value": "a"}


def test_all_actions_are_steps_and_only_upload_exceeds_standard() -> None:
    actions = {name: method for name, method in METHODS.items() if name.startswith("action/")}
    pointing = {"action/click", "action/dblclick", "action/hover", "action/drag", "action/scroll"}
    writing = {"action/fill", "action/clear", "action/type", "action/press"}
    assert set(actions) == pointing | writing | {"action/check", "action/uncheck", "action/select", "action/upload"}
    assert all(method.step and not method.free for method in actions.values())
    assert [name for name, method in actions.items() if method.scope is not Scope.STANDARD] == ["action/upload"]
    assert METHODS["action/upload"].scope is Scope.FULL


def test_options_are_optional() -> None:
    absent: list[dict[str, Any]] = [{}, {"options": None}, {"options": {}}]
    for params in absent:
        assert structure(action.ClickParams, {"selector": A, **params}).options == ClickOptions()
    said = {
        "timeout": 100,
        "noWaitAfter": True,
        "clickCount": 2,
        "modifiers": ["Alt", "ControlOrMeta"],
        "position": {"x": 1, "y": 2},
    }
    options = structure(action.ClickParams, {"selector": A, "options": said}).options
    assert (options.timeout_ms, options.no_wait_after, options.click_count) == (100, True, 2)
    assert (options.modifiers, options.position) == (["Alt", "ControlOrMeta"], Point(x=1, y=2))


def test_a_drag_ends_on_an_element_at_a_point_or_at_a_distance() -> None:
    assert structure(action.DragParams, {"source": A, "target": A}).target == Css("a")
    assert structure(action.DragParams, {"source": A, "target": {"x": 1, "y": 2}}).target == Point(x=1, y=2)
    assert structure(action.DragParams, {"source": A, "target": {"dx": -1, "dy": 2}}).target == Offset(dx=-1, dy=2)


@pytest.mark.parametrize("amount", [0, 20.5, "page", "toElement"])
def test_scroll_amounts_are_bounded(amount: Any) -> None:
    params = structure(action.ScrollParams, {"options": {"amount": amount}})
    assert (params.selector, params.options.amount) == (None, amount)


@pytest.mark.parametrize(
    ("kind", "params", "path"),
    [
        (action.ClickParams, {"selector": A, "options": {"button": "back"}}, "options.button"),
        (action.ClickParams, {"selector": A, "options": {"modifiers": ["Hyper"]}}, "options.modifiers[0]"),
        (action.ClickParams, {"selector": A, "options": {"clickCount": 0}}, "options.clickCount"),
        (action.ActionElementParams, {"selector": A, "options": {"timeout": 0}}, "options.timeout"),
        (action.FillParams, {"selector": A}, "value"),
        (action.FillParams, {"selector": A, "value": 7}, "value"),
        (action.PressParams, {"key": ""}, "key"),
        (action.ScrollParams, {"options": {"amount": "screen"}}, "options.amount"),
        (action.ScrollParams, {"options": {"amount": -1}}, "options.amount"),
        (action.SelectParams, {"selector": A, "values": [1]}, "values[0]"),
        (action.DragParams, {"source": A, "target": {"dx": 1}}, "target.dy"),
        (action.DragParams, {"source": A, "target": {"x": 1, "dy": 1}}, "target.y"),
        (action.UploadParams, {"selector": A, "files": [{"name": "", "buffer": ""}]}, "files[0].name"),
    ],
)
def test_invalid_params_are_rejected(kind: Any, params: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidParams) as caught:
        structure(kind, params)
    assert caught.value.details["path"] == path


def test_a_result_omits_effects_that_did_not_happen() -> None:
    assert unstructure(ActionResult(url="http://a/", navigated=False)) == {"url": "http://a/", "navigated": False}
    dialog = ActionDialog(type="alert", message="m", answered="open")
    full = ActionResult(url="u", navigated=True, dialog=dialog, no_effect=True, value=["a"])
    assert unstructure(full) == {
        "url": "u",
        "navigated": True,
        "dialog": {"type": "alert", "message": "m", "answered": "open"},
        "value": ["a"],
        "noEffect": True,
    }
