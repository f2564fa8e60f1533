"""Format strings of console messages."""

import pytest

from agentbrowser.browser.events.console_format import formatted

CASES = [
    (["%s is %s", "Ada", "in"], "Ada is in"),
    (["%s", "a", "b", "{c: 1}"], "a b {c: 1}"),
    (["%d %i %d", "4.7", "-12px", "x"], "4 -12 NaN"),
    (["%f %f %f %f", "1.50", "2", "-Infinity", "{}"], "1.5 2 -Infinity NaN"),
    (["%o and %O", "{a: 1}", "[1, 2]"], "{a: 1} and [1, 2]"),
    (["%cred%c plain", "color: red", ""], "red plain"),
    (["100%% of %s", "it"], "100% of it"),
    (["100%%"], "100%%"),
    (["%s and %s", "one"], "one and %s"),
    (["50% of", "%s"], "50% of %s"),
    (["%x %s", "a"], "%x a"),
    (["[%s] started", "worker"], "[worker] started"),
    (["{a: %s}", "b"], "{a: %s} b"),
    (["%s", "%s", "x"], "%s x"),
    ([], ""),
]


@pytest.mark.parametrize(("arguments", "text"), CASES, ids=lambda case: str(case)[:40])
def test_a_format_string_is_filled_in_as_a_browser_does(arguments: list[str], text: str) -> None:
    assert formatted(arguments) == text
