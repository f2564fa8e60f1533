"""Folds of many changes of one kind."""

from agentbrowser.browser.observe.diff import Change
from agentbrowser.browser.observe.look.change_folds import folded
from agentbrowser.browser.observe.text import element_line
from agentbrowser.protocol.types.element import InteractiveElement
from agentbrowser.protocol.types.selector import Ref


def added(name: str, ref: str | None = None, *, disabled: bool | None = None, is_back: bool = False) -> Change:
    ref = ref or f"@{''.join(filter(str.isalnum, name.lower()))}"
    element = InteractiveElement(
        ref=ref, role="button", name=name, disabled=disabled, selector=Ref(ref), action_hints=[], tag_name="button"
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
    for few in (
        days[:6],
        [added(str(day)) for day in range(1, 31)],
        [added(f"Chair {n}") for n in range(9)],
        days[:1] * 9,
    ):
        assert lines(few) == [change.line for change in few]


def test_what_is_back_as_before_is_one_line_of_refs() -> None:
    back = [added(f"Row {n}", is_back=True) for n in range(14)]
    close = added("Close")
    assert lines([back[0], close, *back[1:]]) == [
        "+ back as before: @row0 @row1 @row2 @row3 @row4 @row5 @row6 @row7 @row8 @row9 and 4 more elements",
        close.line,
    ]
    assert lines(back[:6]) == [change.line for change in back[:6]]
