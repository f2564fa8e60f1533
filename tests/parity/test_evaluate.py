"""Parity of evaluation in the main world: after the titles of page-evaluate."""

from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Page

from tests.parity.ours import OurPage
from tests.parity.pair import PairThread
from tests.parity.scenario import Scenario
from tests.parity.verdict import every, judge

# Values that JSON can hold: others are null or an error with us, as protocol.md says.
RETURNED = {
    "a number": ("7 * 3", None),
    "a text": ("'a\\u00e9\\u{1f600}'", None),
    "an array with holes": ("[1, undefined, 2].filter(Boolean)", None),
    "a nested object": ("({a: {b: [1, {c: null}]}})", None),
    "the argument of a function": ("given => given.a + given.b", {"a": 1, "b": 2}),
    "an argument with unusual keys": ("given => given", {"toJSON": 1, "": 2, "a b": [True, None]}),
    "an async function": ("async () => { await null; return 5 }", None),
    "a promise": ("new Promise(done => setTimeout(done, 5, 'later'))", None),
    "a global of the page": ("mark", None),
    "a function of the page": ("double(21)", None),
    "a change of the page": ("document.body.dataset.x = 'new'", None),
    "an object of a class of the page": ("new Point(1, 2)", None),
}
SPOILT = {
    "Array.prototype.toJSON": "Array.prototype.toJSON = () => 'spoilt'",
    "JSON.stringify": "JSON.stringify = () => 'spoilt'",
}
FAILED = {
    "a thrown error": "(() => { throw new Error('no') })()",
    "a rejected promise": "Promise.reject(new Error('no'))",
    "an unknown name": "nothing_of_that_name",
    "wrong syntax": "1 +",
}
HTML = """<p id=b>text</p><script>var mark = 'page'; function double(n) { return n * 2 }
window.Point = class { constructor(x, y) { this.x = x; this.y = y } }</script>"""


def theirs(source: str, argument: Any) -> Callable[[Page], Awaitable[object]]:
    return lambda page: page.evaluate(source, argument)


def ours(source: str, argument: Any) -> Callable[[OurPage], Awaitable[object]]:
    async def evaluate(page: OurPage) -> object:
        return (await page(("script/evaluate", {"expression": source, "arg": argument, "world": "main"})))["value"]

    return evaluate


SCENARIOS = [
    *(
        Scenario(f"evaluate returns {title}", HTML, theirs(*call), ours(*call), "document.body.dataset.x ?? null")
        for title, call in RETURNED.items()
    ),
    *(
        Scenario(
            f"evaluate on a page that has changed {title}",
            f"<script>{script}</script>",
            theirs("[1, {a: [2]}]", None),
            ours("[1, {a: [2]}]", None),
        )
        for title, script in SPOILT.items()
    ),
    *(
        Scenario(f"evaluate fails with {title}", HTML, theirs(source, None), ours(source, None), error="ActionFailed")
        for title, source in FAILED.items()
    ),
]


@every(SCENARIOS)
def test_page_sees_the_same(pair: PairThread, scenario: Scenario) -> None:
    judge(pair, scenario)
