"""Annotations on a screenshot: a box around each element, and a badge with its label.

They are drawn on the image afterwards, so that the page can neither detect nor prevent them.

Source: J. Yang et al., Set-of-Mark Prompting Unleashes Extraordinary Visual Grounding in GPT-4V, 2023.
"""

import base64
import io
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import attrs
from PIL import Image, ImageColor, ImageDraw, ImageFont

from agentbrowser.browser.background_tasks import in_thread
from agentbrowser.browser.page.frame_tree import FrameGeometry, JsonObject
from agentbrowser.protocol.types.annotations import (
    AnnotateOptions,
    Annotation,
    LabelFormat,
    LineStyle,
    MarkStyle,
    Position,
)
from agentbrowser.protocol.types.element import Screenshot
from agentbrowser.protocol.types.observe import BoundingBox, ScreenshotResult

_PALETTE: Final = (
    *("#e6194b", "#0068d6", "#1a7f37", "#8e24aa", "#d35400", "#00707a"),
    *("#c2185b", "#3f51b5", "#7a5c00", "#455a64", "#b71c1c", "#5e35b1"),
)
"""Colours that are dark enough for white text; neighbours differ clearly."""
_TEXT_HEIGHT: Final = 0.72
_PADDING: Final = 0.25
"""Text height and padding, in heights of the badge."""
_BRIGHT: Final = 150
"""Luma from which black text is more readable than white."""
_QUALITY: Final = 80

_CELL_SIDE: Final = 32
"""Side of a grid cell, for finding neighbouring rectangles."""
_LARGE_BADGES: Final = 4
"""Minimum height of an element with room for its badge inside, in heights of a badge."""
_SMALL_BADGES: Final = 3
"""Maximum height of an element that no badge should cover, in heights of a badge."""
_COVER_FRACTION: Final = 32
"""Fraction of a badge that may cover something before the next, less obvious position is better."""
_WORST_COST: Final = 1 << 60
"""More pixels than any image has."""

Color = tuple[int, ...]


class Rect(NamedTuple):
    """Rectangle of image pixels; right and bottom are exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def height(self) -> int:
        """Return the number of rows."""
        return self.bottom - self.top

    def overlap(self, other: "Rect") -> int:
        """Return the number of pixels in both rectangles."""
        width = min(self.right, other.right) - max(self.left, other.left)
        height = min(self.bottom, other.bottom) - max(self.top, other.top)
        return width * height if width > 0 and height > 0 else 0

    def clipped_to(self, width: int, height: int) -> "Rect":
        """Return the part inside an image of that size; it may be empty."""
        return Rect(max(0, self.left), max(0, self.top), min(width, self.right), min(height, self.bottom))

    def with_margin(self, by: int) -> "Rect":
        """Return the rectangle with a margin of that many pixels."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)


NOWHERE: Final = Rect(0, 0, 0, 0)


@attrs.frozen
class MarkedElement:
    """An element to annotate, with its bounds in CSS pixels of the screenshot."""

    ref: str
    bounds: BoundingBox

    @classmethod
    def of(cls, plain: JsonObject, geometry: FrameGeometry) -> "MarkedElement | None":
        """Return an element that the scripts of its frame have described; None if it is not visible."""
        if plain.get("covered") or plain.get("offscreen"):
            return None
        bounds = geometry.visible_part(BoundingBox(**plain["bounds"]))
        return cls(plain["ref"], bounds) if bounds else None


@attrs.frozen
class _Mark:
    """One annotation, in pixels of the image."""

    label: str
    ref: str
    box: Rect
    color: str


async def marked_screenshot(
    taken: ScreenshotResult, elements: Sequence[MarkedElement], options: AnnotateOptions
) -> tuple[Screenshot, list[Annotation]]:
    """Return a screenshot of the viewport with annotations, at one pixel per CSS pixel. [asyncio]"""
    image, annotations = await in_thread(annotate, base64.b64decode(taken.data), elements, options)
    data = base64.b64encode(image).decode("ascii")
    screenshot = Screenshot(data=data, format="jpeg", width=taken.width, height=taken.height, annotated=True)
    return screenshot, annotations


def annotate(
    image: bytes, elements: Sequence[MarkedElement], options: AnnotateOptions
) -> tuple[bytes, list[Annotation]]:
    """Draw annotations on an image of one pixel per CSS pixel, and return it as JPEG.

    Elements outside the image are left out; the box of a partly visible one surrounds its visible part.

    Args:
      image: a lossless image, if possible: it is encoded again.
    """
    picture = Image.open(io.BytesIO(image)).convert("RGB")
    annotations = draw(picture, elements, options)
    encoded = io.BytesIO()
    picture.save(encoded, "jpeg", quality=_QUALITY)
    return encoded.getvalue(), annotations


def draw(picture: Image.Image, elements: Sequence[MarkedElement], options: AnnotateOptions) -> list[Annotation]:
    """Draw the annotations on an image and return the positions of their badges."""
    style = options.style
    marks = _marks(elements, options, picture.size)
    height = min(picture.height, _pixels(style.badge.size))
    font = ImageFont.load_default(max(6, round(height * _TEXT_HEIGHT)))
    padding = 2 * round(height * _PADDING)
    sizes = [(min(picture.width, round(font.getlength(mark.label)) + padding), height) for mark in marks]
    badges = place_badges([mark.box for mark in marks], sizes, picture.size)
    layer = Image.new("RGBA", picture.size)
    pen = ImageDraw.Draw(layer)
    if style.show_bounding_box:
        for mark in marks:
            _draw_box(pen, mark, style)
    for mark, badge in zip(marks, badges, strict=True):
        _draw_badge(pen, mark, badge, style, font)
    _paste_layer(layer, picture, style.opacity)
    return [
        Annotation(label=mark.label, ref=mark.ref, position=Position(x=badge.left, y=badge.top))
        for mark, badge in zip(marks, badges, strict=True)
    ]


def _paste_layer(layer: Image.Image, picture: Image.Image, opacity: float) -> None:
    mask = layer.getchannel("A")
    picture.paste(layer, mask=mask.point([round(alpha * opacity) for alpha in range(256)]) if opacity < 1 else mask)


def _marks(elements: Sequence[MarkedElement], options: AnnotateOptions, canvas: tuple[int, int]) -> list[_Mark]:
    line = _pixels(options.style.box.width) if options.style.show_bounding_box else 0
    shown = [(element.ref, box) for element in elements if (box := _on_image(element.bounds, canvas)) is not None]
    return [
        _Mark(
            label=_label(options.label_format, number, ref),
            ref=ref,
            box=box.with_margin(line).clipped_to(*canvas),
            color=_PALETTE[(number - 1) % len(_PALETTE)],
        )
        for number, (ref, box) in enumerate(shown[: options.max_labels], 1)
    ]


def _on_image(bounds: BoundingBox, canvas: tuple[int, int]) -> Rect | None:
    """Return the part of an element inside the image; None if it is less than a pixel."""
    edges = (bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height)
    box = Rect(*map(round, edges)).clipped_to(*canvas)
    return box if box.left < box.right and box.top < box.bottom else None


def _label(format_: LabelFormat, number: int, ref: str) -> str:
    return {"number": f"{number}", "ref": ref, "both": f"{number} {ref}"}[format_]


def _pixels(length: float) -> int:
    return max(1, round(length))


def _draw_badge(pen: ImageDraw.ImageDraw, mark: _Mark, badge: Rect, style: MarkStyle, font: Any) -> None:
    color = _rgba(style.badge.color or mark.color)
    text = _rgba(style.badge.text_color) if style.badge.text_color else _contrast(color)
    pen.rectangle((badge.left, badge.top, badge.right - 1, badge.bottom - 1), fill=color)
    middle = (badge.left + badge.right) / 2, (badge.top + badge.bottom) / 2
    pen.text(middle, mark.label, fill=text, font=font, anchor="mm")


def _draw_box(pen: ImageDraw.ImageDraw, mark: _Mark, style: MarkStyle) -> None:
    color = _rgba(style.box.color or style.badge.color or mark.color)
    line = _pixels(style.box.width)
    box = mark.box
    for left, top, right, bottom in (
        (box.left, box.top, box.right, min(box.bottom, box.top + line)),
        (box.left, max(box.top, box.bottom - line), box.right, box.bottom),
        (box.left, box.top, min(box.right, box.left + line), box.bottom),
        (max(box.left, box.right - line), box.top, box.right, box.bottom),
    ):
        for part in _dashes(Rect(left, top, right, bottom), line, style.box.style):
            pen.rectangle((part.left, part.top, part.right - 1, part.bottom - 1), fill=color)


def _dashes(side: Rect, line: int, style: LineStyle) -> list[Rect]:
    """Split a side of a box into dashes of three line widths or dots of one, with equal gaps."""
    if style == "solid":
        return [side]
    length = 3 * line if style == "dashed" else line
    if side.right - side.left >= side.bottom - side.top:
        starts = range(side.left, side.right, 2 * length)
        return [Rect(start, side.top, min(start + length, side.right), side.bottom) for start in starts]
    starts = range(side.top, side.bottom, 2 * length)
    return [Rect(side.left, start, side.right, min(start + length, side.bottom)) for start in starts]


def _rgba(color: str) -> Color:
    return ImageColor.getcolor(color, "RGBA")  # type: ignore[return-value]


def _contrast(color: Color) -> Color:
    red, green, blue, *_ = color
    is_bright = 0.299 * red + 0.587 * green + 0.114 * blue >= _BRIGHT
    return (0, 0, 0, 255) if is_bright else (255, 255, 255, 255)


@attrs.define(eq=False)
class _Grid:
    """Rectangles, indexed by the grid cells that they touch."""

    _cells: dict[tuple[int, int], list[Rect]] = attrs.field(factory=lambda: defaultdict(list))

    def add(self, rect: Rect) -> None:
        for cell in _touched(rect):
            self._cells[cell].append(rect)

    def overlap(self, rect: Rect) -> int:
        """Return how many pixels of a rectangle are covered; a pixel that is covered twice counts twice."""
        left, top, right, bottom = rect
        near = {other for cell in _touched(rect) for other in self._cells.get(cell, ())}
        return sum(
            (min(right, other[2]) - max(left, other[0])) * (min(bottom, other[3]) - max(top, other[1]))
            for other in near
            if other[0] < right and left < other[2] and other[1] < bottom and top < other[3]
        )


def _touched(rect: Rect) -> Iterable[tuple[int, int]]:
    columns = range(rect.left // _CELL_SIDE, -(-rect.right // _CELL_SIDE))
    rows = range(rect.top // _CELL_SIDE, -(-rect.bottom // _CELL_SIDE))
    return ((column, row) for column in columns for row in rows)


def place_badges(boxes: list[Rect], sizes: list[tuple[int, int]], canvas: tuple[int, int]) -> list[Rect]:
    """Return the positions of the badges of these boxes, each of its size, one after the other.

    A badge gets the first position that covers no other badge and almost nothing of a small element. Otherwise it gets
    the position that covers least, badges first.
    """
    badges, small = _Grid(), _Grid()
    small_boxes = [
        box if box.height < _SMALL_BADGES * height else NOWHERE for box, (_, height) in zip(boxes, sizes, strict=True)
    ]
    for box in small_boxes:
        small.add(box)
    placed = []
    for box, own, size in zip(boxes, small_boxes, sizes, strict=True):
        badge = _best(_places(box, size, canvas), own, badges, small)
        badges.add(badge)
        placed.append(badge)
    return placed


def _best(places: Iterable[Rect], own: Rect, badges: _Grid, small: _Grid) -> Rect:
    best, least = NOWHERE, (_WORST_COST, 0)
    for rank, rect in enumerate(places):
        step = (rect.right - rect.left) * rect.height // _COVER_FRACTION
        if least <= (0, rank * step):
            break
        over = badges.overlap(rect)
        if over > least[0]:
            continue
        # In a full area, a badge should rather cover its own element than another one.
        cost = over, rank * step + small.overlap(rect) - own.overlap(rect) // 2
        if cost < least:
            best, least = rect, cost
    return best


def _places(box: Rect, size: tuple[int, int], canvas: tuple[int, int]) -> Iterable[Rect]:
    """Yield the positions at the corners and sides of a box, best first: inside a large box, otherwise outside."""
    width, height = size
    left, top, right, bottom = box.left, box.top, box.right - width, box.bottom - height
    center, middle = (left + right) // 2, (top + bottom) // 2
    inside = [(left, top), (right, top), (left, bottom), (right, bottom), (center, top), (center, bottom)]
    above, below = box.top - height, box.bottom
    before, behind = box.left - width, box.right
    outside = [(left, above), (before, top), (right, above), (behind, top), (left, below), (right, below)]
    outside += [(before, middle), (behind, middle), (center, above), (center, below)]
    outside += [(before, above), (behind, above), (before, below), (behind, below)]
    is_large = box.height >= _LARGE_BADGES * height
    ordered = inside + outside if is_large else outside + inside
    return (_moved_onto(canvas, at, size) for at in ordered)


def _moved_onto(canvas: tuple[int, int], at: tuple[int, int], size: tuple[int, int]) -> Rect:
    """Return a rectangle, moved onto the image if necessary."""
    left = max(0, min(at[0], canvas[0] - size[0]))
    top = max(0, min(at[1], canvas[1] - size[1]))
    return Rect(left, top, left + size[0], top + size[1])
