"""Lines of a page that was loaded again: those that were seen are left out."""

from agentbrowser.browser.observe.look.repeats import without_repeats

NAV = [f'@page{n} link "Page {n} of the handbook for authors"' for n in range(20)]
ROWS = [f'| "Row {n}" @edit{n} link "Edit"' for n in range(1, 6)]


def test_what_is_as_before_is_counted_and_what_is_new_or_gone_is_shown() -> None:
    before = [*NAV, *ROWS]
    now = ['page "Users (5)"', 'alert "Saved."', *NAV, *ROWS[:2], '| "Row 3b" @edit3 link "Edit"', *ROWS[3:]]
    assert without_repeats(now, before) == [
        'page "Users (5)"',
        'alert "Saved."',
        "... 22 lines as before",
        '| "Row 3b" @edit3 link "Edit"',
        "... 2 lines as before",
        "gone",
        '| "Row 3" @edit3 link "Edit"',
    ]


def test_rows_that_have_other_refs_now_are_shown() -> None:
    now = without_repeats([*NAV, '| "Row 2" @edit1 link "Edit"'], [*NAV, *ROWS[:2]])
    assert now == ["... 20 lines as before", '| "Row 2" @edit1 link "Edit"', "gone", ROWS[0]]


def test_rows_in_another_order_are_shown() -> None:
    now = without_repeats([*NAV, ROWS[2], ROWS[0], ROWS[1]], [*NAV, *ROWS[:3]])
    assert now == ["... 20 lines as before", ROWS[2], "... 2 lines as before"]


def test_a_repeated_line_stands_for_one_of_before() -> None:
    assert without_repeats([*NAV, "| x", "| x"], [*NAV, "| x"]) == ["... 21 lines as before", "| x"]


def test_on_another_page_the_navigation_is_left_out_and_nothing_is_called_gone() -> None:
    words = [f'"Words {n} {"x" * 40}"' for n in range(40)]
    for is_elsewhere in (False, True):  # most of the page is another one
        now = without_repeats([*NAV, "main", *words, ROWS[0]], [*NAV, "main", *ROWS], is_elsewhere=is_elsewhere)
        assert now == ["... 21 lines as before", *words, ROWS[0]]


def test_a_page_is_shown_whole_where_little_would_be_saved() -> None:
    assert without_repeats(NAV[:3], NAV[:3]) is None
    assert without_repeats([*NAV[:5], *ROWS, *NAV[5:8]], NAV, is_elsewhere=True) is None


def test_of_much_that_is_gone_the_first_lines_are_shown() -> None:
    lost = [f'"Line {n}"' for n in range(8)] + [f'"{"x" * 200}"']
    shown = without_repeats(NAV, [*NAV, *lost]) or []
    assert shown[1:] == ["gone", *lost[:5], "... 4 more lines"]
