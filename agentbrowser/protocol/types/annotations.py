"""Annotations of screenshots: their style and their positions."""

import re
from typing import Any, Final, Literal

import attrs

from agentbrowser.protocol.types.fields import field

LabelFormat = Literal["number", "ref", "both"]
LineStyle = Literal["solid", "dashed", "dotted"]

_NAMES: Final = """
aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod
darkgray darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon
darkseagreen darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray
dimgrey dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green
greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon
lightblue lightcoral lightcyan lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon
lightseagreen lightskyblue lightslategray lightslategrey lightsteelblue lightyellow lime limegreen linen magenta
maroon mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen
mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive
olivedrab orange orangered orchid palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru
pink plum powderblue purple rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen
seashell sienna silver skyblue slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato
turquoise violet wheat white whitesmoke yellow yellowgreen
"""
COLOR_NAMES: Final = frozenset(_NAMES.split())
"""Named colors of CSS (CSS Color Module Level 4, 6.1)."""
_HEX: Final = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{4}|[0-9a-f]{6}|[0-9a-f]{8})", re.IGNORECASE)


def is_color(text: str) -> bool:
    """Return True for a CSS color: a name, or # with 3, 4, 6 or 8 hexadecimal digits."""
    return _HEX.fullmatch(text) is not None or text.lower() in COLOR_NAMES


def _color() -> Any:
    return field(default=None, fits=is_color, expected="a color: #rgb, #rgba, #rrggbb, #rrggbbaa or a CSS name")


@attrs.frozen(kw_only=True)
class BadgeStyle:
    """Style of the label badges; absent values differ by element."""

    color: str | None = _color()
    text_color: str | None = _color()
    """When absent, black or white, whichever has more contrast."""
    size: int = field(default=18, minimum=8, maximum=100)
    """Height in CSS pixels."""
    font: str | None = field(default=None, maximum=200)
    """A CSS font; the server bundles one font, to which all others fall back."""


@attrs.frozen(kw_only=True)
class BoxStyle:
    """Style of the boxes around the elements."""

    color: str | None = _color()
    """The badge's color when absent."""
    width: int = field(default=2, minimum=1, maximum=20)
    """Line width in CSS pixels."""
    style: LineStyle = "solid"


@attrs.frozen(kw_only=True)
class MarkStyle:
    """Style of the annotations."""

    badge: BadgeStyle = BadgeStyle()
    box: BoxStyle = BoxStyle()
    show_bounding_box: bool = True
    opacity: float = field(default=1.0, minimum=0, maximum=1)


@attrs.frozen(kw_only=True)
class AnnotateOptions:
    """Options of the annotations."""

    enabled: bool = True
    style: MarkStyle = MarkStyle()
    max_labels: int = field(default=50, minimum=1, maximum=2000)
    label_format: LabelFormat = "number"
    """``number`` counts the elements in order; ``both`` is the number, a space, and the ref."""


@attrs.frozen(kw_only=True)
class Position:
    """A pixel of the image, from its upper left corner."""

    x: int
    y: int


@attrs.frozen(kw_only=True)
class Annotation:
    """An annotation: its label, its element, and the upper left pixel of its badge."""

    label: str
    ref: str
    position: Position
