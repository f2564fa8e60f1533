"""Random pages: no script of ours fails on one, and a look has each word that shows and none that does not."""

import random
import re
from typing import Any, Final

import attrs
import pytest

from agentbrowser.client import Browser
from agentbrowser.methods import page
from tests.browser.site import Site

_ROLES: Final = (
    *("button", "link", "checkbox", "option", "heading", "img", "switch", "listbox", "row", "cell", "tab", "menuitem"),
    *("listitem", "group", "table", "region", "navigation", "dialog", "none", "alert", "tree", "treeitem", "figure"),
)
_STYLES: Final = (
    *("display:contents", "display:inline-block", "display:flex", "display:grid", "float:left", "cursor:pointer"),
    *("white-space:pre", "position:sticky;top:0", "position:relative", "columns:2"),
)
# No element whose start tag closes an element around it, so that words stay where they are written.
_PLAIN: Final = (
    *("<div@>{}</div>", "<span@>{}</span>", "<b@>{}</b>", "<h2@>{}</h2>", "<label@>{}</label>", "<nav@>{}</nav>"),
    *("<main@>{}</main>", "<aside@>{}</aside>", "<header@>{}</header>", "<footer@>{}</footer>", "<pre@>{}</pre>"),
    *("<fieldset@><legend@>{}</legend>{}</fieldset>", "<details open@><summary@>{}</summary>{}</details>"),
    *("<figure@>{}<figcaption>{}</figcaption></figure>", "<my-part@>{}</my-part>", "<output@>{}</output>"),
    *("<ul@><li@>{}</li><li@>{}</li></ul>", "<dl@><dt>{}</dt><dd@>{}</dd></dl>", "<dialog open@>{}</dialog>"),
    *("<table@><tr@><th>{}</th><td>{}</td></tr><tr@><td@>{}</td><td>{}</td></tr></table>", "<code@>{}</code>"),
)
_FIELDS: Final = (
    *("<input@>", "<input type=checkbox@>", "<input type=radio@>", "<input type=date@>", "<input type=image@>"),
    *("<textarea@></textarea>", "<select@><option>One<option>Two</select>", "<progress value=.5@></progress>"),
)
_HIDING: Final = (
    *("<div hidden>{}</div>", "<div style=display:none>{}</div>", "<div style=visibility:hidden>{}</div>"),
    *("<dialog>{}</dialog>", "<template>{}</template>", "<details><summary></summary>{}</details>"),
)
_READS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("agent/observe", {"responseTier": "full", "format": "both"}),
    ("agent/observe", {"incremental": True, "format": "text"}),
    ("observe/content", {"format": "markdown"}),
    ("observe/content", {"format": "html"}),
    ("agent/extract", {"mode": "single", "schema": {"type": "object", "properties": {"name": {"type": "string"}}}}),
    (
        "agent/extract",
        {
            "mode": "list",
            "schema": {"type": "array", "items": {"type": "object", "properties": {"price": {"type": "number"}}}},
        },
    ),
)
_WORD: Final = re.compile(r"(?:word|hidden)\d{9}")


@attrs.define
class RandomPage:
    """A page of nested elements, and what shows of it."""

    chance: random.Random
    words: set[str] = attrs.field(factory=set)
    """Words that a person sees."""

    def part(self, depth: int, *, is_shown: bool) -> str:
        """Return markup with words in it."""
        kind = self.chance.random()
        if depth == 0 or kind < 0.2:
            return self._word(is_shown=is_shown)
        if kind < 0.3:
            tag = self.chance.choice(("a href=#", "button"))
            return f"<{tag}{self._attributes()}>{self._word(is_shown=is_shown)}</{tag[:6].split()[0]}>"
        if kind < 0.4:
            return self._filled(self.chance.choice(_FIELDS), depth, is_shown=is_shown)
        if kind < 0.5:
            return self._filled(self.chance.choice(_HIDING), depth, is_shown=False)
        if kind < 0.6:  # of a component without a slot, what is in its shadow root shows alone
            has_slot = self.chance.random() < 0.5
            inside = self.part(depth - 1, is_shown=is_shown) + ("<slot></slot>" if has_slot else "")
            root = f"<template shadowrootmode=open>{inside}</template>"
            return f"<div{self._attributes()}>{root}{self.part(depth - 1, is_shown=is_shown and has_slot)}</div>"
        return self._filled(self.chance.choice(_PLAIN), depth, is_shown=is_shown)

    def _filled(self, markup: str, depth: int, *, is_shown: bool) -> str:
        for _ in range(markup.count("@")):
            markup = markup.replace("@", self._attributes(), 1)
        for _ in range(markup.count("{}")):
            markup = markup.replace("{}", f" {self.part(depth - 1, is_shown=is_shown)} ", 1)
        return markup

    def _attributes(self) -> str:
        chance = self.chance
        chosen = [
            (0.15, f"role={chance.choice(_ROLES)}"),
            (0.15, f"style='{chance.choice(_STYLES)}'"),
            (0.08, "onclick=''"),
            (0.06, "tabindex=0"),
            (0.05, "aria-label=Label"),
            (0.05, "title=Title"),
        ]
        return "".join(f" {attribute}" for share, attribute in chosen if chance.random() < share)

    def _word(self, *, is_shown: bool) -> str:
        number = f"{self.chance.randrange(10**9):09}"
        if not is_shown:
            return f"hidden{number}"
        self.words.add(f"word{number}")
        return f"word{number}"


@pytest.mark.parametrize("seed", range(12))
async def test_a_look_has_every_word_that_shows_and_no_other(browser: Browser, site: Site, seed: int) -> None:
    made = RandomPage(random.Random(seed))
    body = " ".join(made.part(5, is_shown=True) for _ in range(8))
    await browser.call(page.navigate, url=site.html("/", body))
    whole = {"format": "text", "text": "full", "maxElements": 2000, "maxTokens": 100_000, "fold": False}
    look = await browser.request("agent/observe", whole)
    assert made.words
    assert set(_WORD.findall(look["text"])) == made.words
    for method, params in _READS:
        await browser.request(method, params)
