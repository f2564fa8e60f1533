"""Keys of columns: the path of the values in an item, a space, their source, and marks for a part or a selection.

The in-page script makes most keys, such as ``li>span.price text`` (``scripts/extract/columns/columns.js``), and this
package adds marks of its own. Within a group a key is unique.
"""

from typing import Final

CHILD: Final = ">"
"""Mark before each step of a path."""
TEXT: Final = " text"
OWN_TEXT: Final = " own"
"""Text of elements without that of their children."""
CLEANED_TEXT: Final = " plain"
"""Text without notes, struck-out texts and texts for screen readers."""
WHOLE_CELL: Final = " whole"
"""Text of a cell of a table, with all that is in it."""

LABELLED_PART: Final = ":"
"""Mark before the label of a part: "Author: Ann". At the end of a key it stands for values without their colons."""
BESIDE_BRACKETS: Final = ("(0", "(1")
"""Ends for the parts before and in brackets."""
VARYING_NUMBER: Final = "?"
"""Mark of one of several values at one place whose number differs by item."""
OF_SEVERAL: Final = (VARYING_NUMBER, "#", "~")
"""Marks of one of several values at one place: by number, where it differs, where all items have as many, by shape."""

WITHOUT_PREFIX: Final = "^"
"""End for values without the prefix that nearly all have."""
UNION: Final = "+"
"""End for the union of columns that differ by the form of their label."""
FIRST_END, LAST_END = "<1", "<2"
"""Ends for the two ends of a span: "£70,000 – £85,000"."""
DATE_OF_MOMENT, TIME_OF_MOMENT = "<3", "<4"
SPAN_MARK_LENGTH: Final = len(FIRST_END)


def part_of_line(key: str, place: int) -> str:
    """Return the key of a part of a line that separators divide: "Berlin · full time"."""
    return f"{key}/{place}"


def text_between(key: str, place: int) -> str:
    """Return the key of a text between the children of an element."""
    return f"{key}={place}"


def path_of(key: str) -> str:
    """Return the path of a key, without its source and marks."""
    return key.rpartition(" ")[0]
