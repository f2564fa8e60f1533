"""Common prefixes of a column."""

import pytest

from agentbrowser.extraction.columns.prefixes import without_colons, without_prefix


@pytest.mark.parametrize(
    ("texts", "prefix", "rest"),
    [
        (["Ref. 44", "Ref. 17", "Ref. 9"], "Ref.", ["44", "17", "9"]),
        (["Time left 1d", "Time left 2d 4h", "Time left 5h"], "Time left", ["1d", "2d 4h", "5h"]),
        (["by Ann", "by Bob", "by Cid Dew"], "by", ["Ann", "Bob", "Cid Dew"]),
        (
            ["For: Office of A", "For: Office of B", "For: Office of C"],
            "For:",
            ["Office of A", "Office of B", "Office of C"],
        ),
    ],
)
def test_a_common_prefix_is_removed(texts: list[str], prefix: str, rest: list[str]) -> None:
    assert without_prefix(texts) == (prefix, rest)


@pytest.mark.parametrize(
    "texts",
    [
        ["about 1181", "about 1224", "about 1190"],
        ["2 rooms", "2 beds", "2 baths"],
        ["€ 4", "€ 7", "€ 9"],
        ["ul. Portowa 14", "ul. Jodłowa 5", "ul. Dworska 3"],
        ["Ann Lee", "Bob Lee", "Cid Lee"],
        ["Ref. 44", "Ref. 17"],
        ["Lamp", "Lamp", "Lamp"],
    ],
)
def test_a_prefix_that_is_part_of_the_value_is_kept(texts: list[str]) -> None:
    assert without_prefix(texts) is None


def test_labels_are_read_without_colons() -> None:
    assert without_colons(["Monday:", "Tuesday :", "Friday："]) == ["Monday", "Tuesday", "Friday"]


@pytest.mark.parametrize("texts", [["Price:", "Price:", "Price:"], ["Monday:", "Tuesday"], ["Monday:"], ["a:", ":"]])
def test_a_label_that_is_the_same_in_every_row_is_no_value(texts: list[str]) -> None:
    assert without_colons(texts) is None
