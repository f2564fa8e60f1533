"""A limit on what pages write to the console, kept in the pages themselves: what is written can't be stopped later."""

import secrets
from typing import Final

import attrs
from playwright.async_api import ConsoleMessage

from agentbrowser.browser.scripts.bundle import PROGRAMS

LINES_A_SECOND: Final = 300
"""Of each document: more than are told, for looking a function up counts as a line, and some libraries look twice."""


@attrs.frozen
class Gag:
    """What goes into a client's pages, and how to tell what it says from what the pages say."""

    _mark: str = attrs.field(factory=lambda: secrets.token_hex(16), init=False)

    @property
    def script(self) -> str:
        """What runs in every document before the page's own scripts."""
        return f"{PROGRAMS['console_throttle']}('{self._mark}', {LINES_A_SECOND})"

    def muted(self, message: ConsoleMessage) -> int:
        """Return how many lines the message says were not written; 0 if it is a page's own."""
        text = message.text
        return int(text.removeprefix(f"{self._mark} ")) if text.startswith(self._mark) else 0
