"""The parts of requests and results that a recording may hold."""

from typing import Any

import pytest

from agentbrowser.policy.urls import REDACTED
from agentbrowser.recorder.masks import has_recordable_result, recorded_params, recorded_result

FIELD = {"type": "css", "value": "#field"}


def params(method: str, given: dict[str, Any], result: Any = None, size: int = 100) -> dict[str, Any]:
    return recorded_params(method, given, result, size)


def test_text_is_recorded_where_the_page_reports_the_value_of_the_field() -> None:
    assert params("action/fill", {"value": "mug"}, {"value": "mug"})["value"] == "mug"
    assert params("action/type", {"text": "mug"}, {"value": "a mug"})["text"] == "mug"


@pytest.mark.parametrize("result", [None, {}, {"url": "http://a/", "navigated": True}, {"value": None}])
def test_text_is_masked_where_the_page_reports_no_value(result: Any) -> None:
    assert params("action/fill", {"value": "hunter2"}, result)["value"] == REDACTED
    assert params("action/type", {"text": "hunter2"}, result)["text"] == REDACTED


def test_names_of_secrets_stay() -> None:
    assert params("action/fill", {"value": "{{secret:bank}}"})["value"] == "{{secret:bank}}"
    assert params("action/fill", {"value": "{{secret:bank}} hunter2"})["value"] == REDACTED


def test_keys_that_type_are_masked_as_a_password_can_be_pressed() -> None:
    def recorded(key: str) -> str:
        return str(params("action/press", {"key": key}, {"url": "http://a/"})["key"])

    typing = ["x", "\n", "Shift+P", "Shift++", "KeyP", "Shift+KeyP", "Digit4", "Numpad4", "NumpadAdd", "Minus", "Space"]
    assert [key for key in typing if recorded(key) != REDACTED] == []
    for key in ("Enter", "NumpadEnter", "Control+a", "Control+Shift+KeyP", "Shift+Tab", "F4", "ArrowUp", "PageDown"):
        assert recorded(key) == key


def test_expected_values_are_recorded_where_the_page_has_shown_them() -> None:
    fill = {"selector": FIELD, "value": "hunter2"}
    steps = [{"action": "action/fill", "params": fill, "expect": {"value": "hunter2"}}]
    error = {"code": -32010, "data": {"details": {"expected": {"value": "hunter2"}, "got": {"value": None}}}}
    failed = {"results": [{"step": 0, "success": False, "result": {}, "error": error}]}
    assert "hunter2" not in str([params("agent/act", {"steps": steps}, failed), recorded_result(failed)])
    met = {"results": [{"step": 0, "success": True, "result": {"value": "hunter2"}}]}
    assert params("agent/act", {"steps": steps}, met)["steps"] == steps


def test_each_step_of_a_sequence_is_masked_by_its_own_result() -> None:
    steps: list[Any] = [
        {"action": "action/fill", "params": {"selector": FIELD, "value": "me"}},
        {"action": "action/fill", "params": {"selector": FIELD, "value": "hunter2"}},
        {"action": "action/click", "params": {"selector": FIELD}},
    ]
    results = [{"step": 0, "result": {"value": "me"}}, {"step": 1, "result": {}}, {"step": 2, "result": {}}]
    recorded = params("agent/act", {"steps": steps}, {"results": results})["steps"]
    assert [step["params"].get("value") for step in recorded] == ["me", REDACTED, None]
    assert steps[1]["params"]["value"] == "hunter2", "the request itself is unchanged"


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("initialize", {"sessionSecret": "hunter2"}),
        ("storage/setCookies", {"cookies": [{"name": "sid", "value": "hunter2"}]}),
        ("context/create", {"options": {"storageState": {"cookies": ["hunter2"]}}}),
        ("page/create", {"storageState": {"cookies": ["hunter2"]}}),
        ("action/upload", {"files": [{"buffer": "hunter2"}]}),
        ("network/fulfill", {"body": "hunter2"}),
        ("dialog/handle", {"promptText": "hunter2"}),
        ("page/navigate", {"url": "http://a/?token=hunter2"}),
        ("script/evaluate", {"expression": "login('password=hunter2')"}),
    ],
)
def test_state_files_and_named_secrets_are_left_out(method: str, given: dict[str, Any]) -> None:
    assert "hunter2" not in str(params(method, given))


def test_the_number_of_the_files_of_an_upload_is_recorded() -> None:
    given = {"selector": "#a", "files": [{"name": "hunter2.txt", "path": "/hunter2"}, {"buffer": "hunter2"}]}
    masked = {"selector": "#a", "files": ["[REDACTED]", "[REDACTED]"]}
    assert params("action/upload", given) == masked
    steps = [{"action": "action/upload", "params": given}]
    assert params("agent/act", {"steps": steps}) == {"steps": [{"action": "action/upload", "params": masked}]}


def test_large_params_are_named_only() -> None:
    assert params("action/fill", {"value": "x"}, {"value": "x"}, size=70_000) == {"omitted": ["value"]}


def test_results_with_state_or_files_are_not_recorded() -> None:
    left_out = ("initialize", "storage/getState", "download/read", "trace/stop", "script/evaluate", "observe/dom")
    assert not any(has_recordable_result(method, 100) for method in left_out)
    assert has_recordable_result("agent/observe", 100)
    assert not has_recordable_result("agent/observe", 1_000_000)


def test_results_have_neither_images_nor_secrets() -> None:
    result = {"url": "http://a/?token=hunter2", "screenshot": {"data": "A" * 2000}, "text": "password: hunter2", "n": 3}
    recorded = recorded_result(result)
    assert "hunter2" not in str(recorded)
    assert "AAAA" not in str(recorded)
    assert recorded["n"] == 3
