"""Errors for selectors that match nothing."""

import pytest

from agentbrowser.browser.act.locate import not_found
from agentbrowser.browser.deadline import Deadline
from agentbrowser.protocol.types.selector import Css, Selector, Text


@pytest.mark.parametrize("value", ["Full name", "Save", "full name", "Don't save", "Übernehmen", "Row 2"])
def test_css_that_looks_like_words_gets_a_hint(value: str) -> None:
    hint = not_found(Css(value=value), Deadline(1)).recovery_hint or ""
    assert hint.startswith("A selector that is a text is read as CSS.")


@pytest.mark.parametrize(
    "selector",
    [
        Css(value="button"),
        Css(value="#save"),
        Css(value="div > span"),
        Css(value="my-element"),
        Text(value="Full name"),
    ],
)
def test_another_selector_gets_the_hint_of_its_error(selector: Selector) -> None:
    hint = not_found(selector, Deadline(1)).recovery_hint or ""
    assert hint.startswith("Observe the page again")
