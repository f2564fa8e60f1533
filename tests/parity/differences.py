"""Scenarios in which we differ from Playwright: by design, or by a known defect."""

from typing import Final

BY_DESIGN: Final[dict[str, tuple[str, ...]]] = {
    "A trial sends no events to the page.": ("click with no click on trial", "dblclick with no click on trial"),
    "Typing in a field without the focus goes on after its value; Playwright begins before it. Behind a fill of "
    "several lines, it goes on after them in an editor, too.": (
        "type: a line break into a field",
        "type: into a field with a value",
        "type: where focus selects",
        "type: where typing moves the focus",
        *(f"press without focus: {key}" for key in ("Backspace", "Delete", "ArrowLeft", "x")),
    ),
    "A fill of a range input ends with an arrow key, from one step beside the value: some libraries take only that as "
    "chosen.": ("fill: a range", "fill: a range by its step"),
    "A fill of an editor that the page draws is a paste: its hidden field holds a part of the text, and lines that are "
    "typed are indented.": ("fill: the hidden field of an editor",),
    "A dialog that opens while a text is typed ends the typing, as the client has to answer it; the result has no "
    "`value`. Playwright types on once it is closed.": ("type: a dialog opens on the first character",),
    "A value that is not in the field afterwards is an error.": (
        "type: letters into a number field",
        "type: into a field with a maximum length",
        "type: where keydown is cancelled",
        "type: where keypress is cancelled",
        "type: where beforeinput is cancelled",
        "fill is refused: a wrong date",
        "fill is refused: a wrong time",
        "fill is refused: a wrong month",
        "fill is refused: a wrong week",
        "fill is refused: a wrong color",
        "fill is refused: a value out of the range",
        "fill: force skips the wait",
    ),
    "An element that can't take the keyboard focus gets no keys, and no other element does.": (
        "press: an element that can't have the focus",
    ),
    "Choosing options that are chosen already sends no events.": ("select: the selected option",),
    "Scrolling moves the page by itself, and sends no wheel events.": (
        *(f"scroll: {direction}" for direction in ("down", "right", "up", "left")),
        "scroll: the listener cancels",
    ),
    "An area of an image can be clicked; Playwright takes it for invisible.": (
        "click: an area of an image",
        "state: an area of an image is visible",
    ),
    "A disabled fieldset, an option of a disabled select and inert elements are not enabled.": (
        "state: what a disabled group or an inert part holds is not enabled",
    ),
    "A click on a label goes to its control, or to words of its own, where a link or a button lies in its middle; "
    "Playwright clicks that.": ("hit: a block label with a link in its middle",),
    "A cookie that the browser would drop, such as one for all sites that is not secure, is an error, and none is set; "
    "Playwright sets the others.": ("cookies are refused: one of two, for all sites but not secure",),
    "Several values for a select that takes one are an error; Playwright chooses the first.": (
        "select: several options where one can be chosen",
    ),
    "An option with the value goes before an earlier one with that label.": ("select: by value before label",),
    "A prompt that is accepted without a text keeps its default; Playwright empties it.": (
        "a prompt with a default is accepted",
    ),
    "A drag moves in several steps, and enters its source first; Playwright moves in one. An item of a list (three or "
    "more alike) is dropped a quarter behind the middle of a target of its size: it takes its place.": (
        "drag: moves over the source first",
    ),
    "A click whose press moves the element away, as by its focus, is pressed again; Playwright's is lost.": (
        "click: the press moves the element away",
    ),
    "Modifiers are pressed in the order given.": ("click with Control and Alt", "dblclick with Control and Alt"),
}
"""Titles of scenarios by the reason of the difference, as docs/protocol.md words it."""

KNOWN_DEFECTS: Final[dict[str, str]] = {}
"""Causes by the title of the scenario. A scenario that passes again fails the suite until it leaves this table."""


DIFFERENT: Final = frozenset(title for titles in BY_DESIGN.values() for title in titles)
"""Titles of all scenarios that differ by design."""
