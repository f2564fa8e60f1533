"""Folds of many changes of one kind."""

from typing import Any

import attrs

from agentbrowser.browser.observe.diff import Change
from agentbrowser.browser.observe.look.change_folds import folded
from agentbrowser.browser.observe.text import element_line
from agentbrowser.protocol.types.element import InteractiveElement, SeenState
from agentbrowser.protocol.types.selector import Ref


def added(
    name: str, ref: str | None = None, *, role: str = "button", disabled: bool | None = None, is_back: bool = False
) -> Change:
    ref = ref or f"@{''.join(filter(str.isalnum, name.lower()))}"
    element = InteractiveElement(
        ref=ref, role=role, name=name, disabled=disabled, selector=Ref(ref), action_hints=[], tag_name="button"
    )
    return Change(rank=4, line=f"+ {element_line(element)}", added=[element], is_back=is_back)


def lines(changes: list[Change]) -> list[str]:
    return [change.line for change in folded(changes)]


def test_the_days_of_a_calendar_are_one_line_and_one_that_is_different_has_its_own() -> None:
    days = [added(f"Choose Monday, December {day}th, 2026") for day in range(4, 19)]
    other = added("Not available Monday, December 19th, 2026")
    off = added("Choose Monday, December 20th, 2026", disabled=True)
    assert lines([added("Next Month"), *days, other, off]) == [
        '+ @nextmonth button "Next Month"',
        f'{days[0].line} to {days[-1].added[0].ref} "Choose Monday, December 18th, 2026": 15 days, each by its name',
        other.line,
        off.line,
    ]
    numbered = [added(str(day), disabled=day == 9 or None) for day in range(1, 32)]
    assert lines(numbered) == [
        '+ @1 button "1" to @31 "31": 30 days, each by its name',
        '+ @9 button "9" (disabled)',
    ]
    pages = [added(str(page)) for page in range(1, 9)]
    assert lines(pages) == ['+ @1 button "1" to @8 "8": 8 numbers, each by its name']
    past = [added(f"May {day}, 2026", disabled=day < 10 or None) for day in range(1, 32)]
    today = added("Today, May 15, 2026")
    assert lines([*past[:14], today, *past[15:]]) == [
        '+ @may12026 button "May 1, 2026" (disabled) to @may92026 "May 9, 2026": 9 days, each by its name',
        '+ @may102026 button "May 10, 2026" to @may312026 "May 31, 2026": 21 days, each by its name',
        today.line,
    ]
    for few in (
        days[:6],
        [added(str(day)) for day in range(1, 31, 2)],
        [added(f"Chair {n}") for n in range(9)],
        days[:1] * 9,
    ):
        assert lines(few) == [change.line for change in few]


def test_the_options_of_a_long_list_are_one_line_behind_the_first_ones() -> None:
    options = [added(str(code), f"@code{code}", role="option") for code in range(100, 200)]
    chosen = attrs.evolve(options[50], line=f"{options[50].line} (selected)")
    field = added("Codes", role="textbox")
    assert lines([field, *options[:50], chosen, *options[51:80]]) == [
        field.line,
        *(option.line for option in options[:12]),
        '+ @code112 option "112" to @code149 "149": 38 more, each by its name',
        chosen.line,
        *(option.line for option in options[51:80]),
    ]
    few = options[:31]
    assert lines(few) == [option.line for option in few]


def test_what_is_back_as_before_is_one_line_of_refs() -> None:
    back = [added(f"Row {n}", is_back=True) for n in range(14)]
    close = added("Close")
    assert lines([back[0], close, *back[1:]]) == [
        "+ back as before: @row0 @row1 @row2 @row3 @row4 @row5 @row6 @row7 @row8 @row9 and 4 more elements",
        close.line,
    ]
    assert lines(back[:6]) == [change.line for change in back[:6]]


def test_cells_of_a_row_that_are_new_or_have_other_words_are_one_line() -> None:
    def cell(name: str, row: int, **known: Any) -> Change:
        return attrs.evolve(added(name, role="cell"), block=("", row), **known)

    def renamed(name: str, row: int, **known: Any) -> Change:
        new = cell(name, row)
        return attrs.evolve(new, line=f"~ {name} was", added=[], updated=new.added[0], is_renamed=True, **known)

    button = attrs.evolve(added("Go"), block=("", 1))
    assert lines([cell("a", 1), cell("b", 1), cell("c", 2), button, cell("d", 1)]) == [
        '+ @a cell "a" @b cell "b"',
        '+ @c cell "c"',
        '+ @go button "Go"',
        '+ @d cell "d"',
    ]
    checked = attrs.evolve(renamed("d", 2), is_renamed=False)
    assert lines([renamed("a", 1), renamed("b", 1), renamed("c", 2), checked]) == [
        '~ @a cell "a" @b cell "b"',
        "~ c was",
        "~ d was",
    ]
    outside = attrs.evolve(cell("a", 1), block=None)
    assert lines([outside, outside]) == [outside.line] * 2


def test_a_new_row_is_one_line_without_the_cells_whose_words_it_has() -> None:
    row, other = added("Select Ann 40", "@r1", role="row"), added("Select Bob 50", "@r2", role="row")
    within = [added("Select", "@s", role="gridcell"), added("Select", "@tick", role="checkbox"), added("Ann")]
    foreign = added("40 more", "@more", role="gridcell")
    assert lines(
        [row, *within, foreign, other, added("Bob", role="gridcell"), added("OK"), added("OK", role="cell")]
    ) == [
        f"{row.line} @tick checkbox",
        within[-1].line,
        foreign.line,
        other.line,
        added("OK").line,
        added("OK", role="cell").line,
    ]


def gone(name: str, ref: str, role: str = "button", **states: Any) -> Change:
    before = SeenState(ref=ref, role=role, name=name, **states)
    return Change(rank=8.5, line=f'- {ref} {role} "{name}"', removed=ref, before=before)


def test_a_form_that_is_drawn_anew_is_one_line_without_what_was_there_before() -> None:
    names = [f"Field {letter}" for letter in "ABCDEFGH"]
    new = [added(name, f"@new{at}", role="textbox") for at, name in enumerate(names)]
    old = [gone(name, f"@old{at}", "textbox") for at, name in enumerate(names)]
    assert lines([*new, *old]) == [f"+ drawn anew, as before: {' '.join(f'@new{at}' for at in range(8))}"]
    typed = gone(names[0], "@old0", "textbox", value="Ada")
    assert lines([*new, typed, *old[1:]]) == [
        new[0].line,
        f"+ drawn anew, as before: {' '.join(f'@new{at}' for at in range(1, 8))}",
        typed.line,
    ]
    focused = attrs.evolve(added("Note"), added=[attrs.evolve(added("Note").added[0], focused=True)])
    apart = [focused, added("", "@nameless"), attrs.evolve(added("Go"), frame_id="other")]
    before = [gone("Note", "@a"), gone("", "@b"), gone("Go", "@c")]
    assert lines([*new, *apart, *before, *old])[1:] == [change.line for change in (*apart, *before)]
    assert lines([*new[:6], *old[:6]]) == [change.line for change in (*new[:6], *old[:6])]
    rows = [added("Edit", f"@edit{at}") for at in range(6, 12)]
    before = [gone("Edit", f"@edit{at}") for at in range(6)]
    assert lines([*rows, *before]) == [change.line for change in (*rows, *before)]
