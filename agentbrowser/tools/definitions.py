"""Tool definitions in the form of each model's API."""

from collections.abc import Collection
from typing import Any

from agentbrowser.tools.table import tools_of


def json_schema(groups: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the tools as ``{name, description, inputSchema}``, with the arguments as JSON Schema."""
    return [
        {"name": tool.name, "description": tool.description, "inputSchema": tool.schema} for tool in tools_of(groups)
    ]


def openai(groups: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the tools for ``tools`` of OpenAI's Responses API; `openai_chat` is for Chat Completions."""
    return [{"type": "function", **function} for function in _functions(groups)]


def openai_chat(groups: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the tools for ``tools`` of OpenAI's Chat Completions, which many other servers accept too."""
    return [{"type": "function", "function": function} for function in _functions(groups)]


def anthropic(groups: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the tools for ``tools`` of Anthropic's Messages API."""
    return [
        {"name": tool.name, "description": tool.description, "input_schema": tool.schema} for tool in tools_of(groups)
    ]


def gemini(groups: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the tools for ``tools`` of Gemini's API."""
    return [{"functionDeclarations": _functions(groups)}]


def _functions(groups: Collection[str]) -> list[dict[str, Any]]:
    return [
        {"name": tool.name, "description": tool.description, "parameters": tool.schema} for tool in tools_of(groups)
    ]
