"""Tool definitions: their size in tokens, and the forms of each API."""

import json
import warnings
from typing import Any, TypedDict

import pytest

from agentbrowser import tools
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.tools.steps import _PARAMS
from agentbrowser.tools.table import GROUPS, TOOLS, VERBS, tools_of

MAX_CORE_TOKENS = 1_000
MAX_TOKENS = 1_500


def tokens(definitions: Any) -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the package uses an old function of importlib
        bpe_openai = pytest.importorskip("bpe_openai")
    text = json.dumps(definitions, ensure_ascii=False, separators=(",", ":"))
    return len(bpe_openai.get_encoding("o200k_base").encode(text))


def test_definitions_stay_small() -> None:
    assert 500 < tokens(tools.json_schema()) <= MAX_CORE_TOKENS
    assert tokens(tools.json_schema(GROUPS)) <= MAX_TOKENS


def test_core_tools_are_seven() -> None:
    names = ["navigate", "look", "act", "extract", "screenshot", "tabs", "ask_human"]
    assert [tool.name for tool in tools_of()] == [f"browser_{name}" for name in names]
    assert {tool.name for tool in TOOLS if tool.is_read_only} == {
        "browser_look",
        "browser_extract",
        "browser_screenshot",
    }


def test_a_verb_of_the_definition_is_a_verb_that_runs() -> None:
    assert set(VERBS) == {*_PARAMS, "dialog"}
    assert len(VERBS) == 18


@pytest.mark.parametrize("tool", TOOLS, ids=lambda tool: tool.name)
def test_no_schema_has_alternatives_for_which_hosts_drop_a_tool(tool: tools.table.Tool) -> None:
    assert tool.schema.keys() <= {"type", "properties", "required"}
    assert set(tool.required) <= set(tool.properties)


def test_each_api_gets_the_same_tools_in_its_own_form() -> None:
    names = [tool.name for tool in tools_of(("evaluate",))]
    assert [one["name"] for one in tools.openai(("evaluate",))] == names
    assert [one["function"]["name"] for one in tools.openai_chat(("evaluate",))] == names
    assert [one["name"] for one in tools.gemini(("evaluate",))[0]["functionDeclarations"]] == names
    schemas = [one["input_schema"] for one in tools.anthropic(("evaluate",))]
    assert schemas == [one["parameters"] for one in tools.openai(("evaluate",))]
    assert schemas == [one["inputSchema"] for one in tools.json_schema(("evaluate",))]


def test_optional_arguments_stay_optional_in_the_responses_api() -> None:
    assert {one["strict"] for one in tools.openai()} == {False}


def test_a_type_checker_accepts_definitions_as_those_of_an_sdk() -> None:
    class ToolParam(TypedDict):
        name: str

    for definitions in (tools.anthropic(), tools.openai()):
        params: list[ToolParam] = definitions
        assert [one["name"] for one in params] == [tool.name for tool in tools_of()]


def test_an_unknown_group_is_refused() -> None:
    with pytest.raises(InvalidParams, match="evaluate, state, emulate"):
        tools.openai(("vision",))
