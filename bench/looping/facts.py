"""Facts of the pages: words that a person sees, at first and after each action; and the words of a look."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import attrs

from tests.browser.sites.looks import TextLook

PAGES: Final = Path(__file__).parent / "pages"
# All that a person can read on the page: texts, also of shadow roots and the site's own frames, values and labels.
VISIBLE: Final = """(() => {
  const parts = [document.title];
  const read = (root) => {
    for (const element of root.querySelectorAll("*")) {
      parts.push(element.value, element.placeholder, element.ariaLabel, element.alt, element.title);
      if (element.shadowRoot) {
        for (const child of element.shadowRoot.children) parts.push(child.innerText);
        read(element.shadowRoot);
      }
      if (element.tagName === "IFRAME" && element.contentDocument?.body) {
        parts.push(element.contentDocument.body.innerText);
        read(element.contentDocument);
      }
    }
  };
  parts.push(document.body.innerText);
  read(document);
  return parts.filter((part) => typeof part === "string" && part).join("\\n");
})()"""

_OUTLINE: Final = re.compile(r"^\s*- '?(?:/\w+:|\w+(?=[\s:]|$)):?\s?")
_URL: Final = re.compile(r"^\s*- /url:")
_MARKS: Final = re.compile(r"\s?\[[a-z]+(?:=[^\]]*)?(?:, [a-z]+=[^\],]*)*\]:?")
_NOISE: Final = re.compile(r"[\s\"'\\]+")


@attrs.frozen(kw_only=True)
class Action:
    """An action on a page, and the facts that it makes visible some time later."""

    do: str
    role: str
    name: str
    after_ms: int
    facts: list[str]
    value: str | None = None


@attrs.frozen
class FactPage:
    """A page, the facts on it, and actions in order."""

    page: str
    facts: list[str]
    actions: list[Action]


def read_pages(count: int | None = None) -> list[FactPage]:
    """Return so many pages, evenly chosen; all by default."""
    listed: list[dict[str, Any]] = json.loads((PAGES / "facts.json").read_text(encoding="utf-8"))
    pages = [
        FactPage(one["page"], [fact["text"] for fact in one["facts"]], [Action(**action) for action in one["actions"]])
        for one in listed
    ]
    if count is None or count >= len(pages):
        return pages
    return [pages[number * len(pages) // count] for number in range(count)]


def words_of_text(look: str) -> str:
    """Return the words of a look of ours: everything in quotes."""
    return TextLook.of(look).words


def words_of_outline(look: str) -> str:
    """Return the words of an indented outline, without roles, refs and attributes."""
    lines = (_OUTLINE.sub("", line) for line in look.splitlines() if not _URL.match(line))
    return "\n".join(_MARKS.sub("", line) for line in lines)


def present(facts: Iterable[str], words: str) -> set[str]:
    """Return those facts that stand in the words, whatever the white space, the quotes and the case."""
    text = _solid(words)
    return {fact for fact in facts if _solid(fact) in text}


def _solid(text: str) -> str:
    return _NOISE.sub("", text).casefold()


WordsOf = Callable[[str], str]
