"""The agent of docs/agents.md, with a scripted model that reads only what the tools return."""

import contextlib
import re
import sys
import types
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import agentbrowser
from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.protocol.registry import Scope
from tests.browser.site import Site

PAGE = (Path(agentbrowser.__file__).parent / "docs/agents.md").read_text(encoding="utf-8")
(AGENT, *_) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
MAX_LINES = 46
"""Forty lines, and the empty ones between functions."""


@pytest.fixture
def config() -> Config:
    return Config(port=0, scope=Scope.FULL, drain_timeout_s=1, private_network="allow")


class ScriptedModel:
    """A model that plays one script; it finds the refs in the results."""

    def __init__(self, url: str) -> None:
        self.url, self.messages, self.tools = url, self, [dict[str, Any]()]

    async def create(self, *, messages: list[Any], tools: list[dict[str, Any]], **_: Any) -> Any:
        self.tools = tools
        turn = len(messages) // 2
        if turn == 0:
            return self.call(turn, "browser_navigate", url=self.url)
        (result,) = messages[-1]["content"]
        text = result["content"][0]["text"]
        match turn:
            case 1:
                assert result["tool_use_id"] == "call-0"
                field, button = re.findall(r"(@\w+) (?:textbox|button)", text)
                steps = [{"do": "fill", "on": field, "value": "Ada"}, {"do": "click", "on": button}]
                return self.call(turn, "browser_act", steps=steps)
            case 2:
                self.greeting = re.findall(r'"(Hello.*?)"', text)[0]
                return self.call(turn, "browser_screenshot")
            case _:
                image = result["content"][1]["source"]
                assert image["media_type"] == "image/jpeg"
                return self.reply(SimpleNamespace(type="text", text=f"It says {self.greeting}."))

    def call(self, turn: int, name: str, **arguments: Any) -> Any:
        assert name in [tool["name"] for tool in self.tools]
        return self.reply(SimpleNamespace(type="tool_use", id=f"call-{turn}", name=name, input=arguments))

    def reply(self, block: Any) -> Any:
        return SimpleNamespace(content=[block])


async def test_the_agent_of_the_page_does_its_task(
    browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = site.html(
        "/hello",
        "<label>Name <input id=n></label><button onclick=\"o.textContent = 'Hello ' + n.value\">Go</button>"
        "<p id=o role=status>",
    )
    vendor = types.ModuleType("anthropic")
    vendor.__dict__["AsyncAnthropic"] = lambda: ScriptedModel(url)
    monkeypatch.setitem(sys.modules, "anthropic", vendor)

    @contextlib.asynccontextmanager
    async def connect(_: str) -> AsyncIterator[Browser]:
        yield browser

    monkeypatch.setattr(agentbrowser, "connect", connect, raising=False)
    program: dict[str, Any] = {"__name__": "agent"}
    exec(AGENT, program)
    assert await program["main"]("What does it say to Ada?") == "It says Hello Ada."
    assert len(AGENT.splitlines()) <= MAX_LINES
