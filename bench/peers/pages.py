"""Test pages of the comparison: one that counts actions, and four for observation."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.pages import ACTIONS
from bench.program import open_site

READ: Final = ("form", "shop", "table", "article")
_TESTS: Final = Path(__file__).parents[2] / "tests" / "browser" / "pages"

# The counters of the page for actions, and what the operations have to add to them.
_NONE: Final = '{"clicks":0,"hovers":0,"inputs":0,"changes":0}'
COUNTS: Final = f"JSON.parse(document.querySelector('#shown').value || '{_NONE}')"
NAME: Final = "document.querySelector('#name').value"
ADDED: Final = {
    "click by css": {"clicks": 1},
    "click by role": {"clicks": 1},
    "click by ref": {"clicks": 1},
    "fill": {"inputs": 1},
    "ten steps": {"clicks": 3, "hovers": 1, "inputs": 1, "changes": 4},
}

# What a program that knows the shop's markup would evaluate there; ours is given the schema alone.
SHOP_SCRIPT: Final = """[...document.querySelectorAll("article")].map((card) => ({
  name: card.querySelector("h3").innerText,
  price: parseFloat(card.querySelector("p").innerText),
}))"""


@contextlib.contextmanager
def open_pages() -> Iterator[str]:
    """Serve the pages; yield their base URL."""
    texts = {f"/{kind}": (_TESTS / f"fold_{kind}.html").read_bytes() for kind in READ} | {"/actions": ACTIONS}
    with open_site(lambda path: texts.get(path, b"")) as url:
        yield f"{url}/"
