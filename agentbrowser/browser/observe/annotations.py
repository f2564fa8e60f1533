"""Marking the elements on a screenshot: a box around each, and a badge that says what it is called.

Drawn on the image after it was taken, so that the page neither notices nor can forbid it.

Source: J. Yang et al., Set-of-Mark Prompting Unleashes Extraordinary Visual Grounding in GPT-4V, 2023.
"""

import asyncio
import base64
import io
from collections.abc import Sequence
from typing import Any, Final

import attrs
from PIL import Image, ImageColor, ImageDraw, ImageFont

from agentbrowser.browser.observe.badge_layout import Rect, place
from agentbrowser.protocol.types.annotations import (
    AnnotateOptions,
    Annotation,
    LabelFormat,
    LineStyle,
    MarkStyle,
    Position,
)
from agentbrowser.protocol.types.element import Screenshot
from agentbrowser.protocol.types.observe import BoundingBox, ImageFormat, ScreenshotResult

_PALETTE: Final = (
    *("#e6194b", "#0068d6", "#1a7f37", "#8e24aa", "#d35400", "#00707a"),
    *("#c2185b", "#3f51b5", "#7a5c00", "#455a64", "#b71c1c", "#5e35b1"),
)
"""Dark enough for white text, and neighbours unlike each other."""
_TEXT_HEIGHT: Final = 0.72
_PADDING: Final = 0.25
"""Of the text and at its sides, in heights of the badge."""
_BRIGHT: Final = 150
"""From this luma on, black can be read better than white."""
_QUALITY: Final = 80

Color = tuple[int, ...]


@attrs.frozen
class Marked:
    """An element to mark; its bounds in CSS pixels of what the image shows."""

    ref: str
    bounds: BoundingBox


@attrs.frozen
class _Mark:
    """One mark, in pixels of the image."""

    label: str
    ref: str
    box: Rect
    color: str


async def marked_screenshot(
    taken: ScreenshotResult, elements: Sequence[Marked], options: AnnotateOptions
) -> tuple[Screenshot, list[Annotation]]:
    """Return a screenshot of the viewport, one pixel for each CSS pixel, with marks on it. [asyncio]"""
    image, annotations = await annotate(base64.b64decode(taken.data), elements, options)
    data = base64.b64encode(image).decode("ascii")
    screenshot = Screenshot(data=data, format="jpeg", width=taken.width, height=taken.height, annotated=True)
    return screenshot, annotations


async def annotate(
    image: bytes,
    elements: Sequence[Marked],
    options: AnnotateOptions,
    *,
    ratio: float = 1,
    format: ImageFormat = "jpeg",
    quality: int | None = None,
) -> tuple[bytes, list[Annotation]]:
    """Draw marks on an image, in a thread of their own. [asyncio]

    Elements that are not on the image are left out; those that are partly on it have a box around that part.

    Args:
      image: best without loss, for it is encoded again.
      ratio: how many pixels of the image a CSS pixel is.
      quality: 0 to 100; 80 when absent.
    """
    return await asyncio.to_thread(_annotated, image, elements, options, ratio, format, quality)


def _annotated(
    image: bytes,
    elements: Sequence[Marked],
    options: AnnotateOptions,
    ratio: float,
    format_: ImageFormat,
    quality: int | None,
) -> tuple[bytes, list[Annotation]]:
    picture = Image.open(io.BytesIO(image)).convert("RGB")
    annotations = draw(picture, elements, options, ratio)
    encoded = io.BytesIO()
    how = {} if format_ == "png" else {"quality": _QUALITY if quality is None else quality}
    picture.save(encoded, format_, **how)
    return encoded.getvalue(), annotations


def draw(
    picture: Image.Image, elements: Sequence[Marked], options: AnnotateOptions, ratio: float = 1
) -> list[Annotation]:
    """Draw the marks on a picture and tell where the badges are."""
    style = options.style
    marks = _marks(elements, options, ratio, picture.size)
    height = min(picture.height, _pixels(style.badge.size, ratio))
    font = ImageFont.load_default(max(6, round(height * _TEXT_HEIGHT)))
    padding = 2 * round(height * _PADDING)
    sizes = [(min(picture.width, round(font.getlength(mark.label)) + padding), height) for mark in marks]
    badges = place([mark.box for mark in marks], sizes, picture.size)
    layer = Image.new("RGBA", picture.size)
    pen = ImageDraw.Draw(layer)
    if style.show_bounding_box:
        for mark in marks:
            _draw_box(pen, mark, style, ratio)
    for mark, badge in zip(marks, badges, strict=True):
        _draw_badge(pen, mark, badge, style, font)
    _lay(layer, picture, style.opacity)
    return [
        Annotation(label=mark.label, ref=mark.ref, position=Position(x=badge.left, y=badge.top))
        for mark, badge in zip(marks, badges, strict=True)
    ]


def _lay(layer: Image.Image, picture: Image.Image, opacity: float) -> None:
    mask = layer.getchannel("A")
    picture.paste(layer, mask=mask.point([round(alpha * opacity) for alpha in range(256)]) if opacity < 1 else mask)


def _marks(elements: Sequence[Marked], options: AnnotateOptions, ratio: float, canvas: tuple[int, int]) -> list[_Mark]:
    line = _pixels(options.style.box.width, ratio) if options.style.show_bounding_box else 0
    shown = [
        (element.ref, box) for element in elements if (box := _on_image(element.bounds, ratio, canvas)) is not None
    ]
    return [
        _Mark(
            label=_label(options.label_format, number, ref),
            ref=ref,
            box=box.grown(line).within(*canvas),
            color=_PALETTE[(number - 1) % len(_PALETTE)],
        )
        for number, (ref, box) in enumerate(shown[: options.max_labels], 1)
    ]


def _on_image(bounds: BoundingBox, ratio: float, canvas: tuple[int, int]) -> Rect | None:
    """Return the part of an element that is on the image; None if there is not a whole pixel of it."""
    edges = (bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height)
    box = Rect(*(round(edge * ratio) for edge in edges)).within(*canvas)
    return box if box.left < box.right and box.top < box.bottom else None


def _label(format_: LabelFormat, number: int, ref: str) -> str:
    return {"number": f"{number}", "ref": ref, "both": f"{number} {ref}"}[format_]


def _pixels(length: float, ratio: float) -> int:
    return max(1, round(length * ratio))


def _draw_badge(pen: ImageDraw.ImageDraw, mark: _Mark, badge: Rect, style: MarkStyle, font: Any) -> None:
    color = _rgba(style.badge.color or mark.color)
    text = _rgba(style.badge.text_color) if style.badge.text_color else _contrast(color)
    pen.rectangle((badge.left, badge.top, badge.right - 1, badge.bottom - 1), fill=color)
    middle = (badge.left + badge.right) / 2, (badge.top + badge.bottom) / 2
    pen.text(middle, mark.label, fill=text, font=font, anchor="mm")


def _draw_box(pen: ImageDraw.ImageDraw, mark: _Mark, style: MarkStyle, ratio: float) -> None:
    color = _rgba(style.box.color or style.badge.color or mark.color)
    line = _pixels(style.box.width, ratio)
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
    """Cut a side of a box into dashes of three line widths, or dots of one, with as much between them."""
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
