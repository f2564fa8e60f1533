"""Tool definitions in the form of each model's API.

Their elements are of type Any: each SDK has types of its own for them, and a type checker accepts no other ones.
"""

from collections.abc import Collection
from typing import Any

from agentbrowser.tools.table import tools_of


def json_schema(groups: Collection[str] = ()) -> list[dict[str, Any]]:
    """Return the tools as ``{name, description, inputSchema}``, with the arguments as JSON Schema."""
    return _named(groups, "inputSchema")


def openai(groups: Collection[str] = ()) -> list[Any]:
    """Return the tools for ``tools`` of OpenAI's Responses API; `openai_chat` is for Chat Completions.

    Without ``strict`` this API requires every argument, also the optional ones.
    """
    return [{"type": "function", "strict": False, **function} for function in _named(groups, "parameters")]


def openai_chat(groups: Collection[str] = ()) -> list[Any]:
    """Return the tools for ``tools`` of OpenAI's Chat Completions, which many other servers accept too."""
    return [{"type": "function", "function": function} for function in _named(groups, "parameters")]


def anthropic(groups: Collection[str] = ()) -> list[Any]:
    """Return the tools for ``tools`` of Anthropic's Messages API."""
    return _named(groups, "input_schema")


def gemini(groups: Collection[str] = ()) -> list[Any]:
    """Return the tools for ``tools`` of Gemini's API."""
    return [{"functionDeclarations": _named(groups, "parameters")}]


def _named(groups: Collection[str], schema: str) -> list[dict[str, Any]]:
    """Return the tools with the schema of their arguments under this name."""
    return [{"name": tool.name, "description": tool.description, schema: tool.schema} for tool in tools_of(groups)]
