"""Folds of many changes into one line: what is gone or back as before, days of a calendar, options of a list, rows."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import attrs

from agentbrowser.browser.observe.text import element_line, quoted_name
from agentbrowser.browser.semantic.dates import is_part_of_date, named_date
from agentbrowser.browser.semantic.words import split
from agentbrowser.protocol.types.element import InteractiveElement, SeenState

if TYPE_CHECKING:
    from agentbrowser.browser.observe.diff import Change

_MAX_GONE: Final = 6
"""Number of removed texts, and of removed elements, that are shown with their words: where a page or a list has been
replaced, what was there before costs as much as what is there now."""
_MAX_BACK: Final = 6
"""Number of elements and texts that are shown again, after a dialog over them has closed."""
_MAX_REDRAWN: Final = 6
"""Number of elements of a part of the page that was drawn anew, which are shown with their names."""
_SEEN: Final = tuple(field.name for field in attrs.fields(SeenState) if field.name != "ref")
"""Fields of a state that an element keeps when it is drawn anew."""
_MAX_REFS: Final = 10
"""Number of refs that the line of a fold names."""
_ROW: Final = "row"
_TICKED: Final = frozenset({"checkbox", "radio", "switch"})
_CELLS: Final = frozenset({"cell", "columnheader", "gridcell", "rowheader"})
_FOLDED: Final = _CELLS | _TICKED
_LONGEST_ROW: Final = 200
"""Number of characters of a name that a line shows."""
_LEAST_DAYS: Final = 7
_LEAST_MONTH: Final = 20
"""Number of days without a month, from which on numbers are no pages of a list."""
_DAY: Final = re.compile("[1-9]|[12][0-9]|3[01]")
_LONGEST_DAY: Final = 60
_OPTION: Final = "option"
_SHOWN_OPTIONS: Final = 12
"""Number of new options of a list that are shown before the line of the others."""
_LEAST_OPTIONS: Final = 20
"""Number of further options that are one line."""


def folded(kept: Sequence["Change"]) -> list["Change"]:
    """Return the changes, with similar ones folded into one line."""
    return _fold_removed(_join_cells(_fold_redrawn(_fold_back(_fold_options(_fold_days(_fold_rows(kept)))))))


def _join_cells(kept: Sequence["Change"]) -> list["Change"]:
    """Join the new cells of a row, or those that have other words, into one line, as a look shows them."""
    changes = list["Change"]()
    for (_, mark), run in itertools.groupby(kept, lambda change: (change.block, _joined_by(change))):
        first, *others = run
        if not mark or not others:
            changes += [first, *others]
            continue
        more = [_cell(change) for change in others]
        line = first.line if mark == "+" else f"~ {_cell(first)}"
        changes.append(attrs.evolve(first, line=" ".join([line, *more])))
    return changes


def _joined_by(change: "Change") -> str:
    """Return the mark of the line that a cell may stand on with others of its row; empty for other changes."""
    cell = change.updated or (change.added[0] if len(change.added) == 1 else None)
    if change.block is None or cell is None or cell.role not in _CELLS or change.is_back:
        return ""
    if change.updated is None:
        return "+" if change.line == f"+ {element_line(cell)}" else ""
    return "~" if change.is_renamed else ""


def _cell(change: "Change") -> str:
    return element_line(change.updated or change.added[0], with_context=False)


def _fold_rows(kept: Sequence["Change"]) -> list["Change"]:
    """Fold the cells of a new row, whose words are its name, and what is ticked in them into the line of the row."""
    changes, names = list["Change"](), ""
    for change in kept:
        element = _new_element(change)
        if element is None or element.role == _ROW:
            names = (element.name or "") if element is not None else ""
            names = names if len(names) <= _LONGEST_ROW else ""
        elif element.role in _FOLDED and element.name and element.name in names and not element.value:
            if element.role in _TICKED:
                ticked = element_line(attrs.evolve(element, name=None, context=None))
                changes[-1] = attrs.evolve(changes[-1], line=f"{changes[-1].line} {ticked}")
            continue
        changes.append(change)
    return changes


def _fold_removed(kept: Sequence["Change"]) -> list["Change"]:
    texts = [change for change in kept if change.words and change.words.kind == "removed"][_MAX_GONE:]
    elements = [change for change in kept if change.removed is not None][_MAX_GONE:]
    if not (texts or elements):
        return list(kept)
    away = set(map(id, [*texts, *elements]))
    line = f"- {_counted([change.removed or '' for change in elements], len(texts))}"
    last = attrs.evolve((*texts, *elements)[-1], line=line)
    return [*(change for change in kept if id(change) not in away), last]


def _fold_back(kept: Sequence["Change"]) -> list["Change"]:
    """Fold what is again as it was: the page behind a dialog that has closed."""
    back = [change for change in kept if change.is_back]
    if len(back) <= _MAX_BACK:
        return list(kept)
    refs = [element.ref for change in back for element in change.added]
    texts = sum(change.words is not None for change in back)
    first = attrs.evolve(back[0], line=f"+ back as before: {_counted(refs, texts)}")
    return [first if change is back[0] else change for change in kept if change is back[0] or not change.is_back]


def _fold_redrawn(kept: Sequence["Change"]) -> list["Change"]:
    """Fold new elements in the state of removed ones: a form that its page has drawn anew.

    Each is the only one of its role and name, since it could else be that of another row.
    """
    gone = {_state(change.before): change for change in kept if change.removed is not None and change.before}
    new = [(change, element) for change in kept if (element := _new_element(change)) is not None]
    names = Counter((element.role, element.name) for _, element in new)
    again = [
        (change, element)
        for change, element in new
        if names[element.role, element.name] == 1 and not element.focused and element.name and _state(element) in gone
    ]
    again = [(change, element) for change, element in again if change.frame_id == again[0][0].frame_id]
    if len(again) <= _MAX_REDRAWN:
        return list(kept)
    first, elements = again[0][0], [element for _, element in again]
    line = f"+ drawn anew, as before: {' '.join(element.ref for element in elements)}"
    folded_ids = {id(gone[_state(element)]) for element in elements} | {id(change) for change, _ in again[1:]}
    joined = attrs.evolve(first, line=line, added=elements)
    return [joined if change is first else change for change in kept if id(change) not in folded_ids]


def _new_element(change: "Change") -> InteractiveElement | None:
    """Return the element of a change that adds only one, which was not there before."""
    return change.added[0] if len(change.added) == 1 and not (change.words or change.is_back) else None


def _state(seen: SeenState | InteractiveElement) -> tuple[object, ...]:
    """Return the state that an element has in common with the one that is drawn in its place."""
    return tuple(getattr(seen, field) for field in _SEEN)


def _counted(refs: Sequence[str], texts: int) -> str:
    more = len(refs) - _MAX_REFS
    counts = [
        f"{more} more element{'s' if more != 1 else ''}" if more > 0 else "",
        f"{texts} {'more ' if refs or more > 0 else ''}text{'s' if texts != 1 else ''}" if texts else "",
    ]
    return " and ".join(filter(None, [" ".join(refs[:_MAX_REFS]), *counts]))


def _fold_days(kept: Sequence["Change"]) -> list["Change"]:
    """Fold the days of a calendar that differ in their dates only: each is found by its name.

    The days in another state, such as disabled ones and today, come behind the line of the others.
    """
    changes = list["Change"]()
    numbers = itertools.count()
    for calendar, run in itertools.groupby(kept, lambda change: _calendar_of(change, next(numbers))):
        if calendar is None:
            changes += run
            continue
        by_state: dict[object, list[Change]] = {}
        for change in run:
            by_state.setdefault(_day_state(change), []).append(change)
        for days in by_state.values():
            changes += _as_span(days)
    return changes


def _fold_options(kept: Sequence["Change"]) -> list["Change"]:
    """Fold the options of a long list that has opened, but for the first ones and those in a state of their own."""
    changes = list["Change"]()
    for is_plain, run in itertools.groupby(kept, _is_plain_option):
        options = list(run)
        others = options[_SHOWN_OPTIONS:] if is_plain else []
        if len(others) < _LEAST_OPTIONS:
            changes += options
        else:
            changes += [*options[:_SHOWN_OPTIONS], _span(others, "more")]
    return changes


def _is_plain_option(change: "Change") -> bool:
    option = _new_element(change)
    return option is not None and change.line == f"+ {option.ref} {_OPTION} {quoted_name(option.name or '')}"


def _calendar_of(change: "Change", index: int) -> object:
    """Return what the days of one calendar have in common; None for another change than a new day.

    Args:
      index: number of the change: days without a month are those that count up with it.
    """
    day = _new_element(change)
    if day is None:
        return None
    name = day.name or ""
    if _DAY.fullmatch(name):
        return int(name) - index, change.frame_id
    date = named_date(name) if len(name) <= _LONGEST_DAY else None
    return None if date is None or date.day is None else ("dated", change.frame_id)


def _day_state(change: "Change") -> object:
    """Return what is said of a day besides its date."""
    day = change.added[0]
    name = day.name or ""
    if _DAY.fullmatch(name):
        return element_line(attrs.evolve(day, ref="", name=None, context=None))
    words = tuple("" if is_part_of_date(word) else word for word in split(name))
    return words, change.line.replace(day.ref, "").replace(quoted_name(name), "")


def _as_span(days: list["Change"]) -> list["Change"]:
    """Return one line for days; the days themselves if they are few, or two have one name."""
    names = {change.added[0].name for change in days}
    if len(names) < _LEAST_DAYS or len(names) != len(days):
        return days
    is_numbers = _DAY.fullmatch(days[-1].added[0].name or "") and len(days) < _LEAST_MONTH
    return [_span(days, "numbers" if is_numbers else "days")]


def _span(changes: Sequence["Change"], kind: str) -> "Change":
    """Return one line for new elements, from the first to the last."""
    first, last = changes[0], changes[-1].added[0]
    span = f"to {last.ref} {quoted_name(last.name or '')}: {len(changes)} {kind}, each by its name"
    return attrs.evolve(first, line=f"{first.line} {span}")
