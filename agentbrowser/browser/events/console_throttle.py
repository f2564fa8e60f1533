"""A limit on what pages write to the console, kept in the pages themselves: what is written can't be stopped later."""

import secrets
from pathlib import Path
from typing import Final

import attrs
from playwright.async_api import ConsoleMessage

LINES_A_SECOND: Final = 300
"""Of each document: more than are told, for looking a function up counts as a line, and some libraries look twice."""

_SCRIPT: Final = (Path(__file__).parents[1] / "js" / "gag.js").read_text(encoding="utf-8")


@attrs.frozen
class Gag:
    """What goes into a client's pages, and how to tell what it says from what the pages say."""

    _mark: str = attrs.field(factory=lambda: secrets.token_hex(16), init=False)

    @property
    def script(self) -> str:
        """What runs in every document before the page's own scripts."""
        return _SCRIPT.replace("MARK", f"'{self._mark}'").replace("LIMIT", str(LINES_A_SECOND))

    def muted(self, message: ConsoleMessage) -> int:
        """Return how many lines the message says were not written; 0 if it is a page's own."""
        text = message.text
        return int(text.removeprefix(f"{self._mark} ")) if text.startswith(self._mark) else 0
