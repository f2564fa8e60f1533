"""Looks as text for a prompt: a line for each block, with the elements at their positions.

Words of the page stand in double quotes, with line breaks, quotes and invisible characters escaped, so that no page can
forge a line. What is not in quotes is ours::

    page "Orders" https://shop.example/orders
    alert "Your card was declined."
    nav
    @home link "Home" @orders link "Orders"
    main
    # "Orders"
    | "1001 | Shipped | $20" @view link "View"
    "Deliver to" @town textbox "Town" value="Bern"
    ... 12 more elements, 3,400 more characters; cursor w3
"""

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeGuard

import attrs

from agentbrowser.browser.observe import text
from agentbrowser.browser.observe.look.blocks import NEW_LIVE, Block, Omitted
from agentbrowser.protocol.types.content import ContentBlock, ContentPart
from agentbrowser.protocol.types.element import InteractiveElement
from agentbrowser.protocol.types.fold import Fold

_MAX_JOINED: Final = 12
"""Number of elements without words on one line."""
_ROW: Final = "row"
_CELLS: Final = ("cell", "gridcell")
_REGIONS: Final = {
    "alertdialog": "dialog",
    "banner": "header",
    "complementary": "aside",
    "contentinfo": "footer",
    "dialog": "dialog",
    "main": "main",
    "navigation": "nav",
}
_NAMED_REGIONS: Final = {"form": "form", "region": "region"}
_MARKS: Final = {"alert": "alert ", "item": "- ", "row": "| ", "status": "status ", "paragraph": ""}


def in_order(blocks: Iterable[Block]) -> list[Block]:
    """Return the blocks that have any content, new messages first."""
    shown = [block for block in blocks if block.content.parts]
    return sorted(shown, key=lambda block: block.rank >= NEW_LIVE + 1)


def lines_of(
    blocks: Sequence[Block], line_of: Callable[[Block], str], folds: Sequence[Fold], frames: Mapping[str, str]
) -> list[str]:
    """Return the lines of some blocks.

    Args:
      line_of: function that returns the line of a block.
      frames: labels of the frames, by their ids.
    """
    lines: list[str] = []
    here = _Position()
    folded = {fold.anchor: text.fold_line(fold) for fold in folds}
    for block in blocks:
        content = block.content
        heads = list(here.heads(content, frames))
        line = line_of(block)
        joined = 0 if heads or not _is_bare(content) else here.joined
        if joined and joined + len(block.refs) <= _MAX_JOINED and lines:
            lines[-1] += f" {line.removeprefix(_MARKS[content.kind])}"
        else:
            lines += [*heads, line]
            joined = 0
        here.joined = joined + len(block.refs) if _is_bare(content) else 0
        after = [folded[ref] for ref in block.refs if ref in folded]
        if block.rows:
            after.append(f"... {block.rows:,} more row{'s' if block.rows != 1 else ''}")
        if after:
            lines += after
            here.joined = 0
    return lines


@attrs.define
class _Position:
    """Frame and region of the last line."""

    frame: str | None = None
    region: tuple[str | None, str | None] = (None, None)
    joined: int = 0
    """Number of elements without words on the last line."""

    def heads(self, content: ContentBlock, frames: Mapping[str, str]) -> Iterator[str]:
        """Yield the lines that begin another frame or another region."""
        if content.frame_id != self.frame:
            self.frame, self.region = content.frame_id, (None, None)
            label = frames.get(content.frame_id, "") if content.frame_id else "main"
            yield f"frame {'third-party ' if content.third_party else ''}{label}".rstrip()
        region = (content.region, content.region_name)
        if content.kind in ("alert", "status") or region == self.region:
            return
        before, self.region = self.region, region
        title = _region_title(content)
        if title:
            yield title
        elif before[0] is not None and _REGIONS.get(before[0]):
            yield "body"


def _region_title(content: ContentBlock) -> str:
    word = _REGIONS.get(content.region or "")
    name = content.region_name
    if word is None:
        word = _NAMED_REGIONS.get(content.region or "") if name else None
    if word is None:
        return ""
    is_said = content.kind == "heading" and any(part.text == name for part in content.parts)
    return f"{word} {text.quoted(name)}" if name and not is_said else word


def _is_bare(content: ContentBlock) -> bool:
    """Return True for a line of elements without words."""
    is_plain = content.kind == "paragraph" or (content.kind == "item" and len(content.parts) == 1)
    return is_plain and all(part.ref for part in content.parts)


def line_of(content: ContentBlock, elements: Mapping[str, InteractiveElement], unique: Collection[str] = ()) -> str:
    """Return the line of a block.

    Args:
      unique: refs of the elements that need no context, as no other has their role and name.
    """
    has_words = any(part.text for part in content.parts)
    names = {elements[part.ref].name for part in content.parts if part.ref and part.ref in elements}
    said: set[str] = {word for name in names if name for word in name.split()} if content.kind == "row" else set()
    pieces: list[str] = []
    words: list[tuple[int, str]] = []

    def flush() -> None:
        if words:
            pieces.append(_words(words))
            words.clear()

    for part, following in itertools.zip_longest(content.parts, content.parts[1:]):
        element = elements.get(part.ref) if part.ref else None
        if part.text and not part.kind:
            if words and words[-1][0] == (part.cell or 0):
                flush()  # those before are in the element, and not beside it
            words.append((part.cell or 0, part.text))
            continue
        flush()
        if element:
            inner = elements.get(following.ref) if following and following.ref else None
            is_again = element.role in _CELLS and inner is not None and inner.name == element.name
            if is_again or (element.role == _ROW and _is_said(element, content, elements)):
                element = attrs.evolve(element, name=None)
            is_in_said = bool(element.context) and said.issuperset((element.context or "").split())
            is_clear = has_words or is_in_said or element.context in names or element.ref in unique
            pieces.append(text.element_line(element, with_context=not is_clear))
        else:
            pieces.append(_piece(part))
    flush()
    return mark_of(content) + " ".join(pieces)


def _is_said(row: InteractiveElement, content: ContentBlock, elements: Mapping[str, InteractiveElement]) -> bool:
    """Return True if the words and the cells on the line of a row have all words of its name.

    A button "Remove Ada" does not say it: its other words are not the row's.
    """
    named, others = set((row.name or "").split()), list[set[str]]()
    for part in content.parts:
        if part.ref and part.ref != row.ref and part.ref in elements:
            others.append(set((elements[part.ref].name or "").split()))
    texts = (word for part in content.parts if part.text for word in part.text.split())
    return bool(others) and named <= {*texts, *(word for words in others if words <= named for word in words)}


def mark_of(content: ContentBlock) -> str:
    """Return the beginning of a block's line, by its kind."""
    return "#" * min(content.level or 1, 6) + " " if content.kind == "heading" else _MARKS[content.kind]


def words_of(content: ContentBlock) -> str:
    """Return the words of a block without its elements, as plain text with a bar between cells.

    Bars also set off the words in an element from those beside it.
    """
    made, last, was_within = "", None, False
    for part, following in itertools.zip_longest(content.parts, content.parts[1:]):
        words = " ".join(filter(None, (part.text, part.value)))
        if part.omitted:
            words = f"… {part.omitted:,} more characters"
        if not words:
            continue
        is_within = _is_words(part) and _is_words(following) and part.cell == following.cell
        is_set_off = made and (is_within or was_within or last != (part.cell or 0))
        made += f"{' | ' if is_set_off else ' '}{words}"
        last, was_within = part.cell or 0, is_within
    return made.strip()


def _is_words(part: ContentPart | None) -> TypeGuard[ContentPart]:
    return part is not None and part.text is not None and part.kind is None


def _piece(part: ContentPart) -> str:
    """Return the text of an image, or of an omission."""
    if not part.kind:
        return f"… {part.omitted or 0:,} more characters"
    name = f" {text.quoted(part.text)}" if part.text else ""
    return f"{part.kind}{name}" + (f" value={text.quoted(part.value)}" if part.value else "")


def _words(words: Sequence[tuple[int, str]]) -> str:
    """Return words in one pair of quotes, with a bar between cells."""
    made = ""
    last = words[0][0]
    for cell, piece in words:
        if made:
            made += " | " if cell != last else " "
        made += text.escaped(piece).replace("|", "\\|")
        last = cell
    return f'"{made}"'


def rest_line(omitted: Omitted, cursor: str) -> str:
    """Return the line that states what was left out."""
    counts = [
        f"{omitted.elements:,} more element{'s' if omitted.elements != 1 else ''}" if omitted.elements else "",
        f"{omitted.chars:,} more characters" if omitted.chars else "",
    ]
    return f"... {', '.join(filter(None, counts)) or 'more'}; cursor {cursor}"
