"""Published clients find in results and events what their types declare."""

from typing import Any

from agentbrowser.protocol.published import OURS, PYTHON, TYPESCRIPT, reshape_event, reshape_result


def result(dialect: str, method: str, **plain: Any) -> Any:
    return reshape_result(method, plain, dialect)


def test_the_published_clients_get_the_shapes_that_they_declare() -> None:
    seen: list[dict[str, Any]] = [
        {"ref": "@f2.buy", "selector": {"type": "ref", "value": "@f2.buy"}},
        {"selector": {"type": "css"}},
        {},
    ]
    look = {"interactiveElements": seen, "changes": {"added": seen[:1], "updated": [], "removed": []}}
    assert "'ref': '@f2.buy'}" not in str(result(OURS, "agent/act", postObservation=look)["postObservation"])
    for dialect in (PYTHON, TYPESCRIPT):
        seen[0]["selector"] = {"type": "ref", "value": "@f2.buy"}
        result(dialect, "agent/act", results=[], preObservation=None, postObservation=look)
        assert seen[0]["selector"] == {"type": "ref", "value": "@f2.buy", "ref": "@f2.buy"}
    assert result(PYTHON, "observe/accessibility", tree=[{"role": "main"}]) == {"tree": [{"role": "main"}]}
    assert result(TYPESCRIPT, "observe/accessibility", tree=[{"role": "main"}]) == {"tree": {"role": "main"}}
    assert result(TYPESCRIPT, "observe/accessibility", tree=[]) == {"tree": {"role": "none"}}
    timed = {"type": "response", "timing": {"startTime": 1.0}}
    assert [reshape_event("network", timed, one) for one in (PYTHON, TYPESCRIPT)] == [timed, {"type": "response"}]
