"""Published clients find in results and events what their types declare."""

from typing import Any

import pytest

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
    timed = {"type": "response", "resourceType": "image", "timing": {"startTime": 1.0}}
    untimed = {"type": "response", "resourceType": "image"}
    assert [reshape_event("network", timed, one) for one in (PYTHON, TYPESCRIPT)] == [timed, untimed]


def test_the_published_clients_get_the_resource_types_that_they_declare() -> None:
    ping = {"type": "request", "resourceType": "ping"}
    assert reshape_event("network", ping, OURS) == ping
    for dialect in (PYTHON, TYPESCRIPT):
        assert reshape_event("network", ping, dialect) == {"type": "request", "resourceType": "other"}


def test_the_published_client_for_typescript_gets_status_and_headers_of_a_navigation_without_a_response() -> None:
    for dialect, added in ((OURS, {}), (PYTHON, {}), (TYPESCRIPT, {"status": 0, "headers": {}})):
        assert result(dialect, "page/navigate", url="about:blank") == {"url": "about:blank", **added}
    answered = {"url": "http://a.example/", "status": 404, "headers": {"server": "a"}}
    assert result(TYPESCRIPT, "page/navigate", **answered) == answered


@pytest.mark.parametrize(
    ("type_", "level"), [("log", "log"), ("warning", "warn"), ("assert", "error"), ("info", "info"), ("table", "log")]
)
def test_the_published_clients_get_their_levels_of_console_messages(type_: str, level: str) -> None:
    event = {"type": type_, "level": "warning"}
    shaped = [reshape_event("console", event, one) for one in (OURS, PYTHON, TYPESCRIPT)]
    assert shaped == [event, {"type": type_, "level": level}, {"type": type_, "level": level}]


def test_the_published_client_for_typescript_gets_the_page_events_that_it_declares() -> None:
    events = [{"type": "load"}, {"type": "created"}, {"type": "crashed"}, {"type": "error", "reason": "r"}]
    assert [reshape_event("page", one, PYTHON) for one in events] == events
    load, created, crashed, failed = [reshape_event("page", one, TYPESCRIPT) for one in events]
    assert (load, created) == ({"type": "load"}, None)
    assert crashed == {"type": "error", "error": "The page has crashed."}
    assert failed == {"type": "error", "reason": "r", "error": "r"}
