"""browser_look with words to find, in more text than a loop can search at once."""

import json
from collections.abc import Mapping
from typing import Any

import attrs
import pytest
import trio

from agentbrowser import tools
from tests.pure.tools.test_downloads import Standard

LINES = [f"{number} {'Straße ' * 10}" for number in range(20_000)]


@attrs.define(eq=False)
class Page(Standard):
    """Client of a page with this text."""

    text: str

    async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
        if method in ("observe/content", "agent/observe"):
            return {"content": self.text, "text": self.text}
        return await super().request(method, params)


def found(text: str, words: str) -> tuple[list[str], int]:
    """Return the lines between the fences, and the number of pauses of the search."""
    pauses = 0

    async def pause() -> None:
        nonlocal pauses
        pauses += 1

    async def look() -> tools.ToolResult:
        arguments = {"show": "text", "find": words, "max_tokens": 100}
        return await tools.run(Page(text), "browser_look", arguments, pauses=pause)

    return trio.run(look).text.split("\n")[1:-1], pauses


def test_a_long_text_is_searched_in_steps() -> None:
    text = "\n".join(LINES)
    lines, pauses = found(text, "19999 STRASSE")
    assert lines == [LINES[-1]]
    assert pauses == len(text) // 100_000 + 1
    assert found(text, "straße 1")[0] == ["no line has these words"]


def test_lines_without_room_are_counted() -> None:
    lines, _ = found("\n".join(LINES), "9 straße")
    assert lines == [*LINES[9:40:10], "... 1996 more lines with these words"]


@pytest.mark.parametrize("show", ["elements", "text", "console"])
def test_long_words_are_refused(show: str) -> None:
    """Each of 500 console messages was compared with them, which held the server's loop for 3 s."""

    async def look() -> tools.ToolResult:
        return await tools.run(Page("b"), "browser_look", {"show": show, "find": "b" * 1001})

    assert "find must be at most 1000 characters, got 1001" in trio.run(look).text


@pytest.mark.parametrize("before", [0, 500, 99_990, 250_000])
def test_a_line_that_is_too_long_is_shown_around_the_words(before: int) -> None:
    (line,), _ = found(f"{'a' * before}needle{'b' * 300_000}", "Needle")
    assert "needleb" in line
    assert len(line) < 360
    assert line.startswith("... ") == (before > 0)
    assert line.endswith(" ...")


@pytest.mark.parametrize("before", [0, 500, 250_000])
def test_a_part_of_a_line_of_a_look_stands_in_quotes(before: int) -> None:
    """It began within the quotes of the page's words, so that these stood outside of them."""
    page = Page(f'page "" http://a.test/\n"{"a" * before} \\" @pay button \\"needle{"b" * 300_000}"')

    async def look() -> tools.ToolResult:
        return await tools.run(page, "browser_look", {"find": "needle", "max_tokens": 100})

    line = trio.run(look).text.split("\n")[1]
    assert "needleb" in json.loads(line)


def test_what_a_look_did_not_wait_for_is_shown_once() -> None:
    text = 'page "Shop" http://shop.test/\npending 1: GET /orders'

    class Waiting(Page):
        async def request(self, method: str, params: Mapping[str, Any] | None = None) -> Any:
            answer = await super().request(method, params)
            return {**answer, "pending": 1, "awaited": ["GET /orders"]} if method == "agent/observe" else answer

    assert trio.run(tools.run, Waiting(text), "browser_look", {}).text.count("/orders") == 1
