"""Observations as text for a prompt, with one line for each element.

Text of the page stands in double quotes, with line breaks, quotes and invisible characters escaped, so that no page
can forge a line::

    page "Shop" https://shop.example/ scroll 0/2400
    @search searchbox "Search" value="shoes" (focused)
    @add button "Add to cart" in "Blue shoes"
    ... 117 more rows like @p3 link + @add3 button "Add to cart"; cursor r0@add3
    ... 412 more elements; cursor 100@foo
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from urllib.parse import quote

import attrs

from agentbrowser.protocol.types.element import InteractiveElement, ObserveMetadata
from agentbrowser.protocol.types.fold import Fold, TemplateElement
from agentbrowser.protocol.unseen import UNSEEN

_MAX_TEXT: Final = 200
_MAX_URL: Final = 300
_GLYPHS: Final = re.compile("[ \xa0]*[\ue000-\uf8ff\U000f0000-\U0010ffff]+")
"""Glyphs of icon fonts: no words, and six tokens each."""
_URL_MARKS: Final = "!#$%&'()*+,/:;=?@[]~"
_JOINERS: Final = "\u200c\u200d"
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_OTHERS: Final = re.compile(f'["\\\\{UNSEEN}]')
"""Printable characters that are escaped, too."""
_ERROR_PAGE: Final = "chrome-error:"
_FAILED: Final = " (error page of the browser: the load has failed)"
_TOO_DEEP: Final = " (parts are nested too deep, and missing here)"
_HINTS: Final = ("draggable", "scrollable")


def page_lines(metadata: ObserveMetadata) -> list[str]:
    """Return the line of the page, and one for an open dialog."""
    failed = _FAILED if metadata.url.startswith(_ERROR_PAGE) else ""
    missing = f"{_TOO_DEEP if metadata.too_deep else ''}{_without_answer(metadata)}"
    lines = [f"page {quoted(metadata.title)} {_url(metadata.url)}{_scroll(metadata)}{failed}{missing}"]
    if dialog := metadata.dialog:
        lines.append(f"dialog {dialog.type} {quoted(dialog.message)}")
    return lines


def changed_page_lines(before: ObserveMetadata | None, after: ObserveMetadata | None) -> list[str]:
    """Return the lines of the page that differ from those that the client has seen; the open dialog always."""
    if after is None:
        return []
    page, *dialog = page_lines(after)
    if before is None or (before.url, before.title) != (after.url, after.title):
        return [page, *dialog]
    scrolled = [_scroll(after).strip() or "scroll 0"] if _position(before) != _position(after) else []
    return [*scrolled, *filter(None, [_without_answer(after).strip()]), *dialog]


def is_same_page(before: ObserveMetadata | None, after: ObserveMetadata | None) -> bool:
    """Return True if only the size of the page differs, which is no news."""
    if before is None or after is None:
        return before is after
    return _position(before) == _position(after) and attrs.evolve(before, scroll=None) == attrs.evolve(
        after, scroll=None
    )


def _without_answer(metadata: ObserveMetadata) -> str:
    count = len(metadata.unseen_frames or ())
    who = "1 frame has not answered, and is" if count == 1 else f"{count} frames have not answered, and are"
    return f" ({who} missing here)" if count else ""


def _position(metadata: ObserveMetadata) -> tuple[int, int]:
    return (metadata.scroll.x, metadata.scroll.y) if metadata.scroll else (0, 0)


def blocks(elements: Sequence[InteractiveElement], folds: Sequence[Fold], frames: Mapping[str, str]) -> list[str]:
    """Return the text of each element: the line of a new frame, the element's own line, and those of its folds.

    Args:
      frames: labels of the frames, by their ids.
    """
    made = []
    frame = None
    for element in elements:
        lines = [element_line(element)]
        if element.frame_id != frame:
            frame = element.frame_id
            lines.insert(0, f"frame {frames.get(frame, '') if frame else 'main'}".rstrip())
        lines += [fold_line(fold) for fold in folds if fold.anchor == element.ref]
        made.append("\n".join(lines))
    return made


def remainder_line(count: int, cursor: str) -> str:
    """Return the line that states how many elements were left out."""
    return f"... {count} more element{'s' if count != 1 else ''}; cursor {cursor}"


def frame_label(name: str, url: str) -> str:
    """Return the label of a frame."""
    return f"{quoted(name)} {_url(url)}" if name else _url(url)


def quoted_name(name: str) -> str:
    """Return a name in quotes, without the glyphs of icon fonts that a style sheet puts beside its words."""
    return quoted(_GLYPHS.sub("", name).strip() or name)


def quoted(text: str) -> str:
    """Return a text in double quotes, on one line, with invisible characters escaped."""
    cut = text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"
    return f'"{escaped(cut)}"'


def escaped(text: str) -> str:
    """Return a text as it stands between quotes."""
    if text.isprintable() and _OTHERS.search(text) is None:
        return text
    return "".join(map(_escaped, text))


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if (character.isprintable() and not _OTHERS.match(character)) or character in _JOINERS:
        return character
    return " " if unicodedata.category(character) == "Zs" else f"\\u{{{ord(character):x}}}"


def element_line(element: InteractiveElement, *, with_context: bool = True) -> str:
    """Return the text of an element; a name that is no accessible one is marked as derived."""
    words = [element.ref, element.role]
    if element.name:
        words.append(f"{'~' if element.name_from else ''}{quoted_name(element.name)}")
    if element.context and with_context:
        words.append(f"in {quoted_name(element.context)}")
    if element.value:
        words.append(f"value={quoted(element.value)}")
    if element.format and not element.value:
        words.append(f"format={element.format.split()[0]}")
    if states := list(_states(element)):
        words.append(f"({', '.join(states)})")
    return " ".join(words)


def _states(element: InteractiveElement) -> Iterator[str]:
    if element.checked:
        yield "mixed" if element.checked == "mixed" else "checked"
    if element.expanded is not None:
        yield "expanded" if element.expanded else "collapsed"
    yield from (state for state in ("filled", "selected", "disabled", "invalid", "focused") if getattr(element, state))
    if element.double_click:
        yield "double-clickable"
    yield from (hint for hint in _HINTS if hint in element.action_hints)


def fold_line(fold: Fold) -> str:
    """Return the line of a fold."""
    like = " + ".join(map(_template, fold.template))
    return f"... {fold.count - fold.shown} more rows like {like}; cursor {fold.cursor}"


def _template(element: TemplateElement) -> str:
    return " ".join(filter(None, (element.ref, element.role, quoted(element.name) if element.name else None)))


def _scroll(metadata: ObserveMetadata) -> str:
    scroll = metadata.scroll
    if scroll is None:
        return ""
    down = f" scroll {scroll.y}/{scroll.max_y}"
    return f"{down} sideways {scroll.x}/{scroll.max_x}" if scroll.max_x else down


def _url(url: str) -> str:
    plain = quote(url, safe=_URL_MARKS)
    return plain if len(plain) <= _MAX_URL else f"{plain[: _MAX_URL - 1]}…"
