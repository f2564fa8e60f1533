"""Annotations on images: options, positions, and reported positions."""

import io
from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageColor

from agentbrowser.browser.observe.pictures.annotations import MarkedElement, Rect, annotate, draw, place_badges
from agentbrowser.protocol import codec
from agentbrowser.protocol.errors import InvalidParams
from agentbrowser.protocol.types.annotations import COLOR_NAMES, AnnotateOptions, BadgeStyle, BoxStyle, MarkStyle
from agentbrowser.protocol.types.observe import BoundingBox

WHITE, RED, LIME, BLUE = (255, 255, 255), (255, 0, 0), (0, 255, 0), (0, 0, 255)


def marked(bounds: Sequence[float], ref: str = "@a") -> MarkedElement:
    x, y, width, height = bounds
    return MarkedElement(ref, BoundingBox(x=x, y=y, width=width, height=height))


def blank(width: int = 300, height: int = 200) -> Image.Image:
    return Image.new("RGB", (width, height), "white")


def as_png(picture: Image.Image) -> bytes:
    encoded = io.BytesIO()
    picture.save(encoded, "png")
    return encoded.getvalue()


def styled(box: str = "lime", badge: str = "blue", **style: Any) -> AnnotateOptions:
    """Return options with pure colors, so that each pixel identifies its part."""
    line = style.pop("line", "solid")
    width = style.pop("width", 2)
    return AnnotateOptions(
        style=MarkStyle(badge=BadgeStyle(color=badge), box=BoxStyle(color=box, style=line, width=width), **style)
    )


def extent(picture: Image.Image, color: tuple[int, int, int]) -> tuple[int, int, int, int] | None:
    """Return the smallest rectangle that holds all pixels of a color."""
    bits = bytes(255 * (picture.getpixel((x, y)) == color) for y in range(picture.height) for x in range(picture.width))
    return Image.frombytes("L", picture.size, bits).getbbox()


# What can be asked for


def test_every_option_has_a_default() -> None:
    assert codec.structure(AnnotateOptions, {}) == AnnotateOptions()
    usual = codec.unstructure(AnnotateOptions())
    assert usual == {
        "enabled": True,
        "style": {
            "badge": {"size": 18},
            "box": {"width": 2, "style": "solid"},
            "showBoundingBox": True,
            "opacity": 1.0,
        },
        "maxLabels": 50,
        "labelFormat": "number",
    }


def test_every_option_can_be_set() -> None:
    badge = {"color": "#F00", "textColor": "White", "size": 20, "font": "bold 12px sans-serif"}
    box = {"color": "#11223344", "width": 3, "style": "dotted"}
    style = {"badge": badge, "box": box, "showBoundingBox": False, "opacity": 0}
    asked = {"enabled": False, "style": style, "maxLabels": 1, "labelFormat": "both"}
    assert codec.unstructure(codec.structure(AnnotateOptions, asked)) == asked


@pytest.mark.parametrize(
    ("asked", "path"),
    [
        ({"style": {"badge": {"color": "rainbow"}}}, "style.badge.color"),
        ({"style": {"badge": {"textColor": "#12345"}}}, "style.badge.textColor"),
        ({"style": {"badge": {"color": "rgb(1, 2, 3)"}}}, "style.badge.color"),
        ({"style": {"badge": {"size": 0}}}, "style.badge.size"),
        ({"style": {"badge": {"size": "big"}}}, "style.badge.size"),
        ({"style": {"badge": {"font": 12}}}, "style.badge.font"),
        ({"style": {"box": {"color": "#ggg"}}}, "style.box.color"),
        ({"style": {"box": {"color": ""}}}, "style.box.color"),
        ({"style": {"box": {"width": 99}}}, "style.box.width"),
        ({"style": {"box": {"style": "wavy"}}}, "style.box.style"),
        ({"style": {"opacity": 1.5}}, "style.opacity"),
        ({"style": {"showBoundingBox": 1}}, "style.showBoundingBox"),
        ({"style": "red"}, "style"),
        ({"maxLabels": 0}, "maxLabels"),
        ({"labelFormat": "name"}, "labelFormat"),
        ({"enabled": "yes"}, "enabled"),
    ],
)
def test_invalid_options_are_named(asked: dict[str, Any], path: str) -> None:
    with pytest.raises(InvalidParams) as refused:
        codec.structure(AnnotateOptions, asked)
    assert refused.value.details["path"] == path


def test_a_refused_color_has_a_hint() -> None:
    with pytest.raises(InvalidParams, match=r'must be a color: #rgb, .* or a CSS name, got "rainbow"'):
        codec.structure(BadgeStyle, {"color": "rainbow"})


def test_the_names_of_colors_are_those_that_can_be_drawn() -> None:
    assert set(ImageColor.colormap) == COLOR_NAMES


# What is drawn


def test_the_badge_is_at_its_position_and_the_box_around_the_element() -> None:
    picture = blank()
    (mark,) = draw(picture, [marked((50, 60, 100, 30))], styled())
    assert (mark.label, mark.ref) == ("1", "@a")
    assert picture.getpixel((mark.position.x, mark.position.y)) == BLUE
    assert extent(picture, BLUE)[:2] == (mark.position.x, mark.position.y)  # type: ignore[index]
    assert extent(picture, LIME) == (48, 58, 152, 92)
    assert picture.getpixel((100, 75)) == WHITE


@pytest.mark.parametrize(
    ("bounds", "box"),
    [
        ((-50, -20, 100, 100), (0, 0, 52, 82)),
        ((250, 150, 100, 100), (248, 148, 300, 200)),
        ((-10, -10, 900, 900), (0, 0, 300, 200)),
        ((10.4, 10.6, 20.2, 20.2), (8, 9, 33, 33)),
    ],
)
def test_a_box_ends_where_the_image_ends(bounds: tuple[float, ...], box: tuple[int, ...]) -> None:
    picture = blank()
    draw(picture, [marked(bounds)], styled(badge="#0000"))
    assert extent(picture, LIME) == box


@pytest.mark.parametrize(
    "bounds", [(-30, 10, 30, 10), (300, 10, 30, 10), (10, 200, 5, 5), (10, 10, 0, 10), (10, 10, 10, 0.3)]
)
def test_elements_outside_the_image_are_not_annotated(bounds: tuple[float, ...]) -> None:
    picture = blank()
    marks = draw(picture, [marked(bounds), marked((20, 50, 60, 20), "@b")], AnnotateOptions(label_format="both"))
    assert [mark.label for mark in marks] == ["1 @b"]


def test_boxes_can_be_left_out() -> None:
    picture = blank()
    (mark,) = draw(picture, [marked((50, 60, 100, 30))], styled(show_bounding_box=False))
    assert extent(picture, LIME) is None
    assert picture.getpixel((mark.position.x, mark.position.y)) == BLUE


def test_annotations_can_be_transparent() -> None:
    picture = blank()
    (mark,) = draw(picture, [marked((50, 60, 100, 30))], styled(opacity=0.5))
    assert picture.getpixel((mark.position.x, mark.position.y)) == (127, 127, 255)
    picture = blank()
    draw(picture, [marked((50, 60, 100, 30))], styled(opacity=0))
    assert picture.getcolors() == [(300 * 200, WHITE)]


def runs(picture: Image.Image, y: int) -> list[int]:
    """Return the lengths of the dashes and gaps of the line in that row."""
    row = [picture.getpixel((x, y)) for x in range(52, 148)]
    changes = [0, *(x for x in range(1, len(row)) if row[x] != row[x - 1]), len(row)]
    return [after - before for before, after in pairwise(changes)]


def test_lines_are_solid_dashed_or_dotted() -> None:
    lines = {}
    for line in ("solid", "dashed", "dotted"):
        picture = blank()
        draw(picture, [marked((50, 60, 100, 60))], styled(line=line))
        lines[line] = runs(picture, 121)
    assert lines["solid"] == [96]
    assert set(lines["dashed"][1:-1]) == {6}
    assert set(lines["dotted"][1:-1]) == {2}


def test_labels_are_numbers_refs_or_both_and_no_more_than_asked_for() -> None:
    elements = [marked((10, 40 * row, 50, 20), f"@r{row}") for row in range(5)]
    labels = {
        fields: [mark.label for mark in draw(blank(), elements, AnnotateOptions(label_format=fields, max_labels=2))]
        for fields in ("number", "ref", "both")
    }
    assert labels == {"number": ["1", "2"], "ref": ["@r0", "@r1"], "both": ["1 @r0", "2 @r1"]}


def test_each_element_has_a_color_of_its_own_and_text_that_can_be_read() -> None:
    picture = blank()
    elements = [marked((20 + 90 * column, 50, 40, 20), f"@{column}") for column in range(3)]
    spots = [mark.position for mark in draw(picture, elements, AnnotateOptions())]
    assert len({picture.getpixel((spot.x, spot.y)) for spot in spots}) == 3
    for badge, text in (("yellow", (0, 0, 0)), ("navy", WHITE)):
        picture = Image.new("RGB", (300, 200), "red")
        draw(picture, [marked((50, 60, 100, 30), "@mmm")], attrs.evolve(styled(badge=badge), label_format="ref"))
        assert extent(picture, text) is not None


def test_a_label_longer_than_the_image_begins_on_it() -> None:
    picture = blank(40, 12)
    (mark,) = draw(picture, [marked((5, 2, 30, 8), "@" + "w" * 60)], AnnotateOptions(label_format="ref"))
    assert (mark.position.x, mark.position.y) == (0, 0)


# Where badges go

SPANS = st.tuples(
    *(st.integers(-50, 400), st.integers(-50, 300), st.integers(1, 300), st.integers(1, 200)),
)


@given(st.lists(SPANS, max_size=30), st.sampled_from([(300, 200), (60, 30), (10, 10)]))
def test_badges_are_always_on_the_image(spans: list[tuple[int, ...]], size: tuple[int, int]) -> None:
    elements = [marked(span, f"@{index}") for index, span in enumerate(spans)]
    picture = blank(*size)
    for mark in draw(picture, elements, styled(badge="blue")):
        assert 0 <= mark.position.x < size[0]
        assert 0 <= mark.position.y < size[1]


@pytest.mark.parametrize(
    ("columns", "rows", "step", "size"),
    [
        (10, 8, (60, 45), (40, 20)),
        (10, 12, (60, 28), (40, 24)),
        (20, 12, (32, 32), (28, 28)),
        (1, 20, (0, 20), (500, 18)),
    ],
)
def test_badges_do_not_overlap(columns: int, rows: int, step: tuple[int, int], size: tuple[int, int]) -> None:
    boxes = [
        Rect(20 + step[0] * column, 20 + step[1] * row, 20 + step[0] * column + size[0], 20 + step[1] * row + size[1])
        for row in range(rows)
        for column in range(columns)
    ]
    badges = place_badges(boxes, [(24, 18)] * len(boxes), (700, 420))
    assert not any(one.overlap(other) for one, other in combinations(badges, 2))


def test_a_badge_goes_where_it_hides_nothing() -> None:
    lone, below, above = Rect(100, 100, 180, 120), Rect(100, 121, 180, 141), Rect(100, 79, 180, 99)
    boxes = [lone, below, above]
    for badge in place_badges(boxes, [(20, 18)] * 3, (400, 300)):
        assert not any(badge.overlap(box) for box in boxes)
    corner = Rect(0, 0, 400, 300)
    assert place_badges([corner], [(20, 18)], (400, 300)) == [Rect(0, 0, 20, 18)]


def test_a_badge_rather_covers_a_line_than_leaves_its_element() -> None:
    boxes = [Rect(20 + 110 * x, 20 + 48 * y, 112 + 110 * x, 52 + 48 * y) for y in range(5) for x in range(8)]
    badges = place_badges(boxes, [(24, 18)] * len(boxes), (1280, 720))
    for box, badge in zip(boxes, badges, strict=True):
        assert badge.left == box.left or badge.top == box.top


# Encoding


def test_the_image_is_a_jpeg_with_its_marks() -> None:
    image, (mark,) = annotate(as_png(blank()), [marked((50, 60, 100, 30))], styled(badge="red"))
    picture = Image.open(io.BytesIO(image))
    assert (picture.format, picture.size) == ("JPEG", (300, 200))
    red, green, blue = picture.convert("RGB").getpixel((mark.position.x + 2, mark.position.y + 2))  # type: ignore[misc]
    assert red > 200
    assert max(green, blue) < 80
