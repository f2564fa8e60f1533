"""Words of clients and pages in exported tests: they are literals or comments, and never code."""

import ast
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrowser.recorder.archive import Recording
from agentbrowser.recorder.export.blocking import agentbrowser_python
from agentbrowser.recorder.export.items import TestPlan
from agentbrowser.recorder.export.plan import plan_of
from agentbrowser.recorder.export.playwright import playwright_python, playwright_typescript
from agentbrowser.recorder.steps import steps_of

MARK = "evil"
_PARTS = ["\n", "\r", "\u2028", "\u2029", "\x85", "\v", "\f", "\0", "\u202e", '"', '"""', "'", "`", "\\", "${"]
_PARTS += [
    "{",
    "}",
    " ",
    "        ",
    "#",
    "//",
    "*/",
    ";",
    ":",
    ",",
    "(",
    ")",
    "[",
    "]",
    "=",
    "a",
    "1",
    "\ud800",
    "\U000e0041",
]
_edges = st.lists(st.sampled_from(_PARTS), max_size=6).map("".join)
hostile = st.tuples(_edges, _edges).map(lambda edges: f"{edges[0]}{MARK}(){edges[1]}")
_TS_WORDS = re.compile(r'"(?:[^"\\\n\r\u2028\u2029]|\\.)*"|//[^\n\r\u2028\u2029]*')
_SELECTORS = ("css", "xpath", "text", "label", "placeholder", "testId")


def request(method: str, params: Any = None, result: Any = None, **more: Any) -> dict[str, Any]:
    return {"kind": "request", "method": method, "params": params or {}, "result": result or {}, "page": "p1", **more}


def recording(words: str) -> Recording:
    """Return a recording with words in each field that a client or a page fills."""
    failed = {"error": {"code": -32012, "message": words}}
    point = {"x": 5, "y": 6, words: words}
    quoted = words.replace("\\", "").replace('"', "").replace("\n", "")
    look = f'page "{quoted}" http://shop.example/\n# "{quoted}"\n@a button "{quoted}"\n@b textbox ~"{quoted}"'
    selectors: list[Any] = [{"type": kind, "value": words, words: words} for kind in _SELECTORS]
    selectors += [words, f"@{words}", "@a", "@b", {"type": "role", "role": words, "name": words}]
    selectors += [{"type": "semantic", "description": words}, {"type": "coordinates", "x": 1, "y": 2, words: 3}]
    acted = [
        {"action": "action/fill", "params": {"selector": "#a", "value": words}, "expect": {"value": words, words: 1}},
        {"action": words, "params": {"selector": words, words: words}},
        {"action": "action/click", "params": {"selector": "#b", words: words}, "expect": {"text": words, "url": words}},
    ]
    outcomes: list[Any] = [{"step": n, "success": n != 1, "error": failed["error"]} for n in range(3)]
    located = {"kind": "locator", "page": "p1", "ref": "@a", "css": words, "role": words, "name": words}
    row = {"role": words, "words": [words], "path": words, "isOnly": True}
    size = {"width": 800, "height": 600, words: words}
    events = [
        request("page/create", {"url": f"http://shop.example/{words}", "locale": words, "timezone": words,
                                "userAgent": words, "viewport": size}, {"id": "p1", "url": words}),
        request("agent/observe", {}, {"text": look}),
        {**located, "isOnly": True, "frames": [words]},
        request("action/click", {"selector": "@a"}),
        {**located, "isOnly": False, "row": row},
        request("action/click", {"selector": "@a"}),
        {**located, "isOnly": False, "row": {**row, "role": None, "css": words, "isOnly": False}},
        request("action/click", {"selector": "@a"}),
        *[request("action/click", {"selector": one, "options": {"position": point, words: 1}}) for one in selectors],
        *[request(f"action/{name}", {"selector": "#a", key: words})
          for name, key in (("fill", "value"), ("type", "text"), ("press", "key"), ("select", "values"))],
        request("action/click", {"selector": "#a", "options": {"button": words, "modifiers": [words, {words: words}]}}),
        request("action/drag", {"source": "#a", "target": {"x": 1, "y": words, words: words}}),
        request("action/drag", {"source": "#a", "target": words}),
        request("action/upload", {"selector": words}),
        request("action/scroll", {"selector": words, "options": {"amount": words}}),
        request("emulate/setViewport", size),
        request("emulate/setGeolocation", {words: {words: [words, None, True, 1.5]}}),
        request("frame/switch", {"selector": words}),
        request("page/waitFor", {"text": words}),
        request("page/waitFor", {"textGone": words}),
        request("page/waitFor", {"url": words}),
        request("page/navigate", {"url": words}, {"url": words, "navigated": True}),
        request("action/click", {"selector": "#a"}, {"dialog": {"answered": "open"}}),
        request("dialog/handle", {"action": "accept", "promptText": words}),
        request("agent/act", {"steps": acted}, {"results": outcomes}),
        request("action/click", {"selector": "#a"}, {"newPages": [{"pageId": words}, {"pageId": f"{words}2"}]}),
        request("session/fork", {}, {"pageId": f"{words}3"}),
        request("action/click", {"selector": words}, **failed),
        request(f"page/x{words}", {}, **failed),
        request(f"page/{words}", {}),
        request(f"emulate/{words}", {words: words}),
        request(f"context/{words}", {}),
    ]  # fmt: skip
    timed = [{"t": number * 10, "ms": 11, **one} for number, one in enumerate(events)]
    return Recording({"id": words}, timed, {})


def identifiers(code: str) -> set[str]:
    """Return the names of Python code: variables, attributes, keywords, imports and functions."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        for name in ("id", "attr", "arg", "name", "module", "asname"):
            if isinstance(value := getattr(node, name, None), str):
                found.add(value)
    return found


def statements(code: str) -> list[type[ast.stmt]]:
    return [type(one) for one in ast.parse(code).body]


@cache
def usual_statements(write: Callable[[TestPlan], str]) -> list[type[ast.stmt]]:
    """Return the kinds of statements of a test with harmless words, which are the same for each example."""
    return statements(write(plan_of(recording("plain"))))


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(hostile)
def test_words_in_any_field_are_no_code_of_an_exported_test(words: str) -> None:
    plan = plan_of(recording(words))
    for write in (playwright_python, agentbrowser_python):
        made = write(plan)
        assert not [name for name in identifiers(made) if MARK in name]
        assert statements(made) == usual_statements(write)
    typescript = _TS_WORDS.sub("", playwright_typescript(plan))
    assert MARK not in typescript


@pytest.mark.parametrize("end", ["\n", "\r", "\u2028", "\u2029", "\x85", "\v", "\f"])
def test_the_name_of_an_unknown_method_ends_no_comment(end: str) -> None:
    failed = {"code": -32601, "message": f"unknown{end}{MARK}()"}
    events = [
        {"t": 0, "ms": 1, **request("page/create", {"url": "http://shop.example/"}, {"id": "p1"})},
        {"t": 9, "ms": 1, **request(f"page/x{end}{MARK}()", error=failed)},
        {"t": 19, "ms": 1, **request("page/reload", error=failed)},
        {"t": 29, "ms": 1, **request("agent/act", {"steps": [{"action": f"x{end}{MARK}()"}]},
                                     {"results": [{"step": 0, "success": False}]})},
    ]  # fmt: skip
    steps = steps_of(Recording({}, events, {}))
    assert [step.method for step in steps] == ["page/create", "page/reload", "agent/act"]
    plan = plan_of(Recording({"id": f"rec{end}{MARK}()"}, events, {}))
    for write in (playwright_python, agentbrowser_python, playwright_typescript):
        marked = [line for line in re.split("[\n\r\u2028\u2029\x85\v\f]", write(plan)) if MARK in line]
        assert len(marked) == 3
        comment = re.compile(r"\s*(#|//) left out: |(\"\"\"|// )Test of the recording ")
        assert all(map(comment.match, marked)), marked


def test_keys_of_objects_are_literals_in_typescript() -> None:
    point = {"x": 5, "y": 6, "z: evil(), w": 1, "\u2028": None}
    done = request("action/click", {"selector": "#b", "options": {"position": point}})
    events = [{"t": 0, "ms": 1, **request("page/create", {}, {"id": "p1"})}, {"t": 9, "ms": 1, **done}]
    made = playwright_typescript(plan_of(Recording({}, events, {})))
    assert r'click({ position: { x: 5, y: 6, "z: evil(), w": 1, "\u2028": null } });' in made
