"""Descriptions in words: what they mean on labelled pages, and how they are read."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrowser.browser.semantic import resolve
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.browser.semantic.resolve import partial_match_error, rank
from agentbrowser.browser.semantic.words import are_opposite, similarity, split, stem
from agentbrowser.protocol.errors import SelectorAmbiguous
from agentbrowser.protocol.types.selector import Css, Selector, Semantic

LABELLED = Path(__file__).parents[1] / "descriptions"


def best(description: str, elements: Sequence[ElementFeatures], asked: Semantic) -> Selector | None:
    found = resolve.best_element(description, elements, asked)
    return found.selector if found else None


@attrs.frozen
class Case:
    """A description on a page, and the number of the element that is meant; or ``ambiguous``, or ``none``."""

    page: str
    description: str
    meant: str
    elements: tuple[ElementFeatures, ...]

    def chosen(self) -> str:
        selector = self.answer()
        if isinstance(selector, SelectorAmbiguous):
            return "ambiguous"
        return selector.value if isinstance(selector, Css) else "none"

    def answer(self) -> Selector | SelectorAmbiguous | None:
        asked = Semantic(self.description)
        try:
            selector = best(self.description, self.elements, asked)
        except SelectorAmbiguous as several:
            return several
        return selector or partial_match_error(self.description, self.elements, asked)


def cases(name: str) -> Iterator[Case]:
    page, elements = "", list[ElementFeatures]()
    for line in (LABELLED / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            page, elements = line[3:], []
        elif line.startswith("? "):
            description, _, meant = line[2:].rpartition(" = ")
            yield Case(page, description, meant, tuple(elements))
        elif line and not line.startswith("#"):
            elements.append(element(line))


def element(line: str) -> ElementFeatures:
    """Read what is known of an element: ``5 button Sign in ; type=submit``."""
    first, *more = line.split(" ; ")
    number, role, name = first.split(" ", 2)
    known: dict[str, Any] = dict(part.split("=", 1) for part in more)
    return ElementFeatures(role=role, name=name, selector=Css(number), kind=known.pop("type", None), **known)


# The floors stand just below what was measured, that of the fresh set below its first run; the files' heads say how.
@pytest.mark.parametrize(
    ("name", "least", "most_wrong", "count"),
    [
        ("tuned", 0.96, 0, 196),
        ("held_out", 0.97, 0, 102),
        ("unseen", 0.94, 0, 101),
        ("fresh", 0.57, 0, 40),
        ("danger", 0.45, 0.07, 200),
    ],
)
def test_descriptions_mean_what_a_reader_would_say(name: str, least: float, most_wrong: float, count: int) -> None:
    judged = [(case, case.chosen()) for case in cases(name)]
    assert len(judged) == count
    missed = [(case.page, case.description, case.meant, chosen) for case, chosen in judged if chosen != case.meant]
    assert 1 - len(missed) / len(judged) >= least, missed
    # To say that it is not clear costs a request; to act on another element may cost anything.
    wrong = [miss for miss in missed if miss[3].isdigit()]
    assert len(wrong) / len(judged) <= most_wrong, wrong


def test_who_is_told_that_it_is_not_clear_is_shown_the_right_element() -> None:
    answers = [(case, case.answer()) for name in ("tuned", "held_out", "unseen", "fresh") for case in cases(name)]
    unclear = [
        [one["value"] for one in answer.details["candidates"]].count(case.meant)
        for case, answer in answers
        if isinstance(answer, SelectorAmbiguous) and case.meant.isdigit()
    ]
    assert len(unclear) >= 10
    assert sum(unclear) / len(unclear) >= 0.9


def described(role: str, name: str | None = None, **known: Any) -> ElementFeatures:
    return ElementFeatures(role=role, name=name, selector=Css(f"[aria-label='{name}']"), **known)


PAGE = (
    described("link", "Home"),
    described("searchbox", "Search products"),
    described("button", "Search"),
    described("textbox", "E-mail address"),
    described("textbox", "Password"),
    described("checkbox", "Remember me"),
    described("button", "Log in"),
    described("link", "Sign up"),
    described("combobox", "Country"),
    described("button", "Delete category"),
    described("button"),
)


@pytest.mark.parametrize("name", ["Email", "Your email", "My account", "Account", "Work email:"])
def test_a_whole_name_means_its_element_even_if_another_name_means_the_same(name: str) -> None:
    names = ("Email", "Your email", "Work email:", "Account", "My account")
    page = [described("textbox", one) for one in names]
    for said in (name, name.lower(), f"  {name} ", f"{name} textbox"):
        assert best(said, page, Semantic(said)) == described("", name).selector


def test_two_elements_of_the_same_name_are_ambiguous() -> None:
    page = [ElementFeatures(role="textbox", name="Email", selector=Css(css)) for css in ("#one", "#other")]
    with pytest.raises(SelectorAmbiguous):
        best("Email", page, Semantic("Email"))


def test_of_two_names_in_another_case_the_very_name_is_meant() -> None:
    page = [described("button", "Add variable"), described("button", "Add Variable")]
    assert best("Add Variable", page, Semantic("Add Variable")) == page[1].selector
    with pytest.raises(SelectorAmbiguous):
        best("add variable", page, Semantic("add variable"))


def test_another_form_of_the_word_is_not_clear_where_an_element_has_the_very_word() -> None:
    page = [described("button", "Place order"), described("link", "Orders")]
    with pytest.raises(SelectorAmbiguous) as several:
        best("Order", page, Semantic("Order"))
    assert {one["name"] for one in several.value.details["candidates"]} == {"Place order", "Orders"}
    assert best("Orders", page, Semantic("Orders")) == page[1].selector
    assert best("order", page[1:], Semantic("order")) == page[1].selector


def test_a_candidate_shows_its_ref_and_its_surroundings() -> None:
    page = [
        ElementFeatures(role="button", name="Edit", selector=Css(f"#{name}"), ref=f"@edit{place}", near=name * 20)
        for place, name in enumerate(("Ann", "Bob"))
    ]
    with pytest.raises(SelectorAmbiguous) as several:
        best("Edit", page, Semantic("Edit"))
    shown = {one["ref"]: one["near"] for one in several.value.details["candidates"]}
    assert shown == {"@edit0": "Ann" * 20, "@edit1": "Bob" * 20}


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("the search box", "Search products"),
        ("search button", "Search"),
        ("email field", "E-mail address"),
        ("Enter your password", "Password"),
        ("password input", "Password"),
        ("remember me check box", "Remember me"),
        ("login button", "Log in"),
        ("sign in", "Log in"),
        ("link to sign up", "Sign up"),
        ("country dropdown", "Country"),
        ("delete categories", "Delete category"),
        ("home page link", "Home"),
        ('the button that says "Log in"', "Log in"),
        ("first text box", "Search products"),
        ("pasword", "Password"),
    ],
)
def test_the_description_resolves_to_the_best_element(description: str, name: str) -> None:
    assert best(description, PAGE, Semantic(description)) == described("", name).selector


@pytest.mark.parametrize("description", ["newsletter", "the", "", "?!", "cart button", "ninth button", "log out"])
def test_a_description_that_nothing_fits_resolves_to_none(description: str) -> None:
    assert best(description, PAGE, Semantic(description)) is None


def test_a_page_without_elements_resolves_to_none() -> None:
    assert best("first button", [], Semantic("first button")) is None
    assert rank("button", []) == []


def test_equally_fitting_elements_are_ambiguous_with_candidates() -> None:
    with pytest.raises(SelectorAmbiguous) as caught:
        best("button", PAGE, Semantic("button"))
    details = caught.value.details
    assert details["count"] == 4
    assert [one["text"] for one in details["candidates"]] == ["Search", "Log in", "Delete category", "button"]
    first = details["candidates"][0]
    assert first == {
        "type": "css",
        "value": "[aria-label='Search']",
        "text": "Search",
        "role": "button",
        "name": "Search",
        "score": 0.5,
    }


def test_no_more_than_five_candidates_are_told() -> None:
    rows = [described("button", "Edit") for _ in range(20)]
    with pytest.raises(SelectorAmbiguous) as caught:
        best("edit button", rows, Semantic("edit button"))
    assert caught.value.details["count"] == 20
    assert len(caught.value.details["candidates"]) == 5


@pytest.mark.parametrize("nth", range(1, 5))
def test_ordinals_count_in_the_order_of_the_page(nth: int) -> None:
    rows = [ElementFeatures(role="button", name="Edit", selector=Css(f"#b{row}")) for row in range(1, 5)]
    word = ["first", "second", "third", "fourth"][nth - 1]
    for description in (f"{word} edit button", f"the {nth}{['st', 'nd', 'rd', 'th'][nth - 1]} Edit button"):
        assert best(description, rows, Semantic(description)) == Css(f"#b{nth}")


@pytest.mark.parametrize(
    ("known", "description"),
    [
        ({"kind": "tel"}, "phone field"),
        ({"placeholder": "Your nickname"}, "nickname"),
        ({"near": "Delivery address"}, "the field in delivery address"),
        ({"value": "Berlin"}, "Berlin field"),
    ],
)
def test_more_than_the_name_counts(known: dict[str, Any], description: str) -> None:
    page = [described("textbox", "Other"), ElementFeatures(role="textbox", name="Field", selector=Css("#it"), **known)]
    assert best(description, page, Semantic(description)) == Css("#it")


@pytest.mark.parametrize("description", ["turn autoplay off", "no autoplay", "don't autoplay", "enable autoplay"])
def test_a_switch_is_used_both_ways(description: str) -> None:
    page = [described("switch", "Autoplay"), described("button", "Turn on captions"), described("button", "Play")]
    assert best(description, page, Semantic(description)) == Css("[aria-label='Autoplay']")


def test_what_it_is_to_be_without_is_not_chosen() -> None:
    page = [described("button", "Save and publish"), described("button", "Save draft")]
    assert best("save without publishing", page, Semantic("")) == Css("[aria-label='Save draft']")


@pytest.mark.parametrize("description", ["defrobnicate the order", "the wine glass order"])
def test_what_has_only_part_is_shown_and_not_acted_on(description: str) -> None:
    page = [described("button", "Ship order"), described("button", "Help")]
    assert best(description, page, Semantic(description)) is None
    error = partial_match_error(description, page, Semantic(description))
    assert error is not None
    assert [one["name"] for one in error.details["candidates"]] == ["Ship order"]


@pytest.mark.parametrize(
    "description", ["ship order 1050", "reverse the order", "newsletter", "ship Dave", "fifth ship button"]
)
def test_nothing_is_shown_where_what_is_named_is_not_there(description: str) -> None:
    page = [described("button", "Ship order 1041"), described("button", "Ship order 1042")]
    assert partial_match_error(description, page, Semantic(description)) is None


@pytest.mark.parametrize(
    ("description", "name"),
    [
        ("throw the draft away", "Discard draft"),
        ("coupon field", "Gutschein"),
        ("Suchfeld", "Suche"),
        ("log in", "Anmelden"),
    ],
)
def test_other_words_and_other_languages(description: str, name: str) -> None:
    page = [
        described("button", "Discard draft"),
        described("textbox", "Gutschein"),
        described("searchbox", "Suche"),
        described("link", "Anmelden"),
        described("link", "Abmelden"),
    ]
    assert best(description, page, Semantic(description)) == described("", name).selector


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=8))
def test_ranking_is_stable_and_bounded(description: str, names: list[str]) -> None:
    page = [ElementFeatures(role="button", name=name, selector=Css(str(index))) for index, name in enumerate(names)]
    ranked = rank(description, page)
    scores = [score for score, _ in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert ranked == rank(description, page)


# Words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("saveAndClose", "save and close"),
        ("HTMLEditor2", "html editor2"),
        ("snake_case-name", "snake case name"),
        ("Événement à Zürich", "evenement a zurich"),
        ("Straße", "strasse"),
        ("E-Mail", "email"),
        ("Tom's post", "tom post"),
        ("×", "close"),
        ("ＦＵＬＬ", "full"),
        ("two rooms", "2 rooms"),
        ("", ""),
    ],
)
def test_texts_are_split_into_words(text: str, words: str) -> None:
    assert " ".join(split(text)) == words


@pytest.mark.parametrize(
    "alike",
    [
        "save saves saved saving",
        "category categories",
        "box boxes",
        "notification notifications notified",
        "delete deleted deleting deletes",
        "submit submitted submitting",
        "address addresses",
        "search searches searching",
    ],
)
def test_endings_make_no_difference(alike: str) -> None:
    first, *others = map(stem, alike.split())
    assert all(similarity(first, other) > 0 for other in others)


@pytest.mark.parametrize("pair", ["login signin", "cart basket", "erase delete", "mail email", "phone telephone"])
def test_synonyms_are_alike_both_ways(pair: str) -> None:
    one, other = map(stem, pair.split())
    assert similarity(one, other) == similarity(other, one) == 0.9


@pytest.mark.parametrize("pair", ["cat car", "save safe", "login logout", "accept reject", "11800 11900"])
def test_other_words_are_not_alike(pair: str) -> None:
    one, other = map(stem, pair.split())
    assert similarity(one, other) == 0


@pytest.mark.parametrize("pair", ["accept decline", "signin signout", "next back", "mute unmute"])
def test_contraries_are_known_through_their_synonyms(pair: str) -> None:
    one, other = map(stem, pair.split())
    assert are_opposite(one, other)
    assert are_opposite(other, one)
    assert not are_opposite(one, one)


@pytest.mark.parametrize(
    ("description", "names"),
    [
        ("Cancel order", ["Cancel subscription", "Back"]),
        ("Cancel appointment", ["Cancel subscription", "Back"]),
        ("Delete project", ["Delete all", "Rename"]),
        ("Delete project", ["Delete all", "Archive project"]),
        ("remove photo", ["Remove account", "Close"]),
        ("archive all messages", ["Archive", "Reply"]),
        ("Save", ["Don't save", "Cancel"]),
        ("the save button", ["Do not save", "Cancel"]),
        ("Speichern", ["Nicht speichern", "Abbrechen"]),
        ("mark as read", ["Mark unread"]),
    ],
)
def test_what_is_done_to_another_thing_is_not_clear(description: str, names: list[str]) -> None:
    page = [described("button", name) for name in names]
    assert best(description, page, Semantic(description)) is None


def test_a_submit_button_of_another_verb_is_not_clear_for_send() -> None:
    """The chat's own send button was named "Stop" just then, and a click on "Redeem" was reported as done."""
    page = [described("button", "Redeem", kind="submit"), described("button", "Stop")]
    assert best("send", page, Semantic("send")) is None
    assert partial_match_error("send", page, Semantic("send")) is not None
    assert best("submit", page, Semantic("submit")) == page[0].selector
    named = [described("button", "Submit order", kind="submit"), page[1]]
    assert best("send", named, Semantic("send")) == named[0].selector


def test_what_is_not_to_be_done_is_found_by_its_words() -> None:
    page = [described("button", name) for name in ("Save", "Don't save", "Cancel")]
    for said in ("don't save", "do not save"):
        assert best(said, page, Semantic(said)) == page[1].selector
    assert best("save", page, Semantic("save")) == page[0].selector


def test_what_somebody_has_typed_says_nothing_of_the_field() -> None:
    page = [described("textbox", "Note", value="please cancel it"), described("button", "OK")]
    assert best("Cancel", page, Semantic("Cancel")) is None
    assert best("the field with please cancel it", page, Semantic("")) == page[0].selector


def test_words_beside_a_button_are_not_its_own() -> None:
    page = [described("button", "Reopen", near="Done"), described("button", "Remove", near="Filter papers")]
    assert best("done", page, Semantic("done")) is None
    assert best("remove coffee beans", page, Semantic("")) is None
    assert best("remove filter papers", page, Semantic("")) == page[1].selector


def _list_with(symbol: str) -> list[ElementFeatures]:
    """Rows with a link and a button each, as a list of issues has them."""
    titles = ["Login fails", "Crash on save", "Slow search", "Slow search (9)"]
    rows = [
        (
            ElementFeatures(role="link", name=title, selector=Css(f"link {number}")),
            ElementFeatures(role="button", name=symbol, selector=Css(str(number)), near=f"{number} {title} open cy"),
        )
        for number, title in zip((1, 2, 4, 9), titles, strict=True)
    ]
    return [one for row in rows for one in row]


@pytest.mark.parametrize(
    ("symbol", "description"),
    [
        ("⋯", "⋯ in the row Slow search (9)"),
        ("⋯", "the more menu of Slow search (9)"),
        ("⋯", "Slow search (9) more actions"),
        ("...", "more button of Slow search (9)"),
        ("🗑️", "delete Slow search (9)"),
        ("✎", "edit Slow search (9)"),
        ("⠿", "⠿ of Slow search (9)"),
        ("⋮", '"⋮" of Slow search (9)'),
    ],
)
def test_a_symbol_and_its_row_mean_the_button_and_not_the_link_of_the_row(symbol: str, description: str) -> None:
    assert best(description, _list_with(symbol), Semantic(description)) == Css("9")


@pytest.mark.parametrize(("symbol", "description"), [("⋯", "menu of {}"), ("⋯", "⋯"), ("🗑", "the more menu of {}")])
def test_a_button_that_is_not_clear_is_a_candidate_beside_the_link_of_its_row(symbol: str, description: str) -> None:
    said = description.format("Slow search (9)")
    answer = Case("issues", said, "ambiguous", tuple(_list_with(symbol))).answer()
    assert isinstance(answer, SelectorAmbiguous)
    values = {one["value"] for one in answer.details["candidates"]}
    assert values >= ({"9", "link 9"} if "{}" in description else {"1", "2", "4", "9"})


@pytest.mark.parametrize("description", ["switch of Eve", "the switch in the row of Eve", "Eve active"])
def test_the_role_and_the_row_mean_the_element_of_that_role_in_the_row(description: str) -> None:
    page = [
        ElementFeatures(role=role, name=name, selector=Css(f"{name} {who}"), near=near and f"{who} {who.lower()}@x.org")
        for who in ("Ada", "Eve")
        for role, name, near in (
            ("checkbox", who, None),
            ("cell", who, None),
            ("combobox", "Role", "yes"),
            ("switch", "Active", "yes"),
            ("button", "Delete", "yes"),
        )
    ]
    answer = Case("users", description, "Active Eve", tuple(page)).answer()
    if isinstance(answer, SelectorAmbiguous):
        assert "Active Eve" in {one["value"] for one in answer.details["candidates"]}
        assert "row" in description or "switch" in description
    else:
        assert answer == Css("Active Eve")


FLIGHTS = [
    *(described("button", name) for name in ("From Choose airport", "To Choose airport", "Search flights")),
    *(described("textbox", name) for name in ("Depart", "Month")),
]


@pytest.mark.parametrize(
    ("description", "number"),
    [
        ("From", 0),
        ("to", 1),
        ("From airport", 0),
        ("to airport", 1),
        ("the From field", 0),
        ("Choose airport (To)", 1),
        ("go to Search flights", 2),
        ("set the month to May", 4),
    ],
)
def test_a_preposition_that_alone_tells_two_names_apart_counts(description: str, number: int) -> None:
    assert best(description, FLIGHTS, Semantic(description)) == FLIGHTS[number].selector


@pytest.mark.parametrize("description", ["choose airport", "choose airport from and to"])
def test_names_that_a_preposition_would_tell_apart_are_ambiguous_without_it(description: str) -> None:
    with pytest.raises(SelectorAmbiguous):
        best(description, FLIGHTS, Semantic(description))


@pytest.mark.parametrize("description", ["in", "the", "from"])
def test_a_preposition_alone_means_no_name_that_only_holds_it(description: str) -> None:
    page = [described("button", name) for name in ("In stock", "The end", "Remove from cart", "From", "From us")]
    answer = best(description, page, Semantic(description))
    assert answer == (page[3].selector if description == "from" else None)


def test_a_symbol_in_a_name_with_words_is_no_word() -> None:
    page = [described("button", "Next →"), described("button", "★ Rate"), described("link", "Star charts")]
    assert best("next", page, Semantic("next")) == page[0].selector
    assert best("★ Rate", page, Semantic("★ Rate")) == page[1].selector
    assert best("star charts ★", page, Semantic("star charts ★")) == page[2].selector


@pytest.mark.parametrize("description", ["Close", "the X button", "x"])
def test_the_letter_of_a_cross_means_to_close_only_where_it_is_alone(description: str) -> None:
    page = [described("spinbutton", "Resend if down X times"), described("link", "Model X"), described("button", "Add")]
    assert best(description, page, Semantic(description)) is None
    for name in ("X", "Close"):
        close = described("button", name)
        assert best(description, [*page, close], Semantic(description)) == close.selector
    assert best("Model X", [*page, close], Semantic("Model X")) == page[1].selector


@pytest.mark.parametrize("others", [[("combobox", "Department")], [("button", "Save")]])
def test_a_bare_choose_is_not_meant_by_words_that_say_what_to_choose(others: list[tuple[str, str]]) -> None:
    page = [described("button", "Choose"), *(described(*other) for other in others)]
    assert best("Choose department", page, Semantic("")) is None
    assert best("choose", page, Semantic("")) == Css("[aria-label='Choose']")


def test_words_without_a_match_are_answered_with_what_the_action_is_for() -> None:
    page = [described("button", "Go"), described("textbox", "City"), described("textbox", "Street")]
    asked = [("Postal code", "fill"), ("the street 5", "fill"), ("Postal code", "click"), ("go 5", None)]
    names = [[one["name"] for one in resolve.fallback_candidates(words, page, action)] for words, action in asked]
    assert names == [["City", "Street"], ["Street", "City"], [], ["Go"]]


def test_the_contrary_is_never_chosen() -> None:
    for description, name in (("reject cookies", "Accept cookies"), ("sign out", "Sign in"), ("unmute", "Mute")):
        assert best(description, [described("button", name)], Semantic(description)) is None


def test_a_thing_with_another_number_is_another_thing() -> None:
    page = (
        described("columnheader", "Qty"),
        described("gridcell", "2", near="Chair 247 toggle cell value 18.00"),
        described("checkbox", "toggle cell value", near="Chair 247 2 18.00"),
    )
    asked = Semantic("the qty cell of Chair 2")
    assert best(asked.description, page, asked) is None
    row = Semantic("the checkbox of Chair 247")
    assert best(row.description, page, row) == page[2].selector


@pytest.mark.parametrize("description", ["December 10", "10 December 2026", "Thursday, December 10"])
def test_a_day_is_found_by_its_number_where_the_name_has_an_ordinal(description: str) -> None:
    days = [described("button", f"Thursday, December {day}, 2026") for day in ("3rd", "10th", "17th")]
    page = [*days, described("button", "Sunday, January 10th, 2027"), described("button", "10")]
    assert best(description, page, Semantic(description)) == days[1].selector


@pytest.mark.parametrize("description", ["December 24, 2026", "24 December", "Dec 24", "24. Dezember 2026"])
def test_another_day_is_never_meant(description: str) -> None:
    """A calendar showed November and the first days of December: a click on the 24th of November was done."""
    november = [described("button", f"November {day}, 2026") for day in range(1, 31)]
    page = [*november, *(described("button", f"December {day}, 2026") for day in range(1, 13))]
    assert best(description, page, Semantic(description)) is None
    there = described("button", "December 24, 2026")
    for name in ("December 24, 2026", "24 December"):
        assert best(name, [*page, there], Semantic(name)) == there.selector
    assert best("December 24, 2027", [there], Semantic("")) is None


def test_a_number_alone_is_no_match_for_a_name_with_other_words() -> None:
    page = [described("radio", "star star"), described("button", "Person 4"), described("listitem", "4")]
    assert best("4 stars", page[:2], Semantic("4 stars")) is None
    assert best("4 stars", [*[page[0]] * 5, page[2]], Semantic("4 stars")) is None
    assert best("page 4", page, Semantic("page 4")) == page[2].selector


def test_ok_is_a_label_and_no_word_for_saving() -> None:
    """The dialog with OK had not opened: the form behind it was saved instead."""
    page = [described("button", "Save", kind="submit"), described("button", "Apply")]
    assert best("OK", page, Semantic("OK")) is None
    assert best("OK", [*page, described("button", "Confirm")], Semantic("OK")) is not None


@pytest.mark.parametrize("description", ["delete Person 2", "Remove Person 2", "the delete link of Person 2"])
@pytest.mark.parametrize("is_button", [False, True])
def test_the_action_of_a_row_is_meant_and_not_the_row(description: str, is_button: bool) -> None:
    page = list[ElementFeatures]()
    for number in (1, 2, 3):
        text = f"Person {number} 2{number}"
        row = ElementFeatures(role="row", name=f"{text} Delete", selector=Css(f"#row{number}"))
        inner: dict[str, Any] = {"near": text if is_button else f"{text} Delete", "holder": row}
        name = ElementFeatures(role="generic", name=f"Person {number}", selector=Css(f"#name{number}"), **inner)
        role = "button" if is_button else "link"
        page += [row, name, ElementFeatures(role=role, name="Delete", selector=Css(f"#delete{number}"), **inner)]
    assert best(description, page, Semantic(description)) == Css("#delete2")
    assert best("Person 2", page, Semantic("Person 2")) == Css("#name2")


def test_a_name_of_its_own_comes_before_one_from_a_neighbour() -> None:
    page = [
        described("combobox", "Fruit"),
        attrs.evolve(described("combobox", "Fruit", derived=True), selector=Css("#b")),
    ]
    assert best("Fruit", page, Semantic("Fruit")) == page[0].selector


@pytest.mark.parametrize(
    ("action", "number"), [("check", 0), ("uncheck", 0), ("dblclick", 1), ("click", None), (None, None)]
)
def test_the_action_tells_a_checkbox_and_the_text_beside_it_apart(action: str | None, number: int | None) -> None:
    """Both are named by the text: "check Desk 3" was ambiguous in each table and list of tasks."""
    page = [
        described("checkbox", "Desk 3", derived=True),
        ElementFeatures(role="generic", name="Desk 3", derived=True, selector=Css("#text")),
    ]
    for description in ("Desk 3", "the Desk 3 one"):
        if number is None:
            with pytest.raises(SelectorAmbiguous):
                resolve.best_element(description, page, Semantic(description), action)
        else:
            assert resolve.best_element(description, page, Semantic(description), action) is page[number]


@pytest.mark.parametrize("description", ["switch News", 'switch "News"', "News switch"])
def test_the_role_before_the_name_is_that_of_a_candidate_as_it_is_shown(description: str) -> None:
    page = [described("checkbox", "News"), ElementFeatures(role="switch", name="News", selector=Css("#switch"))]
    assert best(description, page, Semantic(description)) == Css("#switch")


def test_a_role_in_one_word_and_a_part_of_the_name_mean_the_element_of_that_role() -> None:
    """A look has them so: ``menuitem "Rename F2"``."""
    page = [described("listitem", "Name: data"), described("menuitem", "Rename F2"), described("treeitem", "Data set")]
    assert best("menuitem Rename", page, Semantic("menuitem Rename")) == page[1].selector
    assert best("treeitem Data", page, Semantic("treeitem Data")) == page[2].selector


def test_text_is_a_word_of_a_name_too() -> None:
    assert best("Text File", [described("menuitem", "File")], Semantic("Text File")) is None


def test_the_field_is_meant_and_not_the_header_of_a_column_of_its_name() -> None:
    page = [described("columnheader", "Name"), ElementFeatures(role="textbox", name="Name", selector=Css("#field"))]
    assert best("Name", page, Semantic("Name")) == Css("#field")
    cells = [ElementFeatures(role="cell", name="New", near=f"Tom {n}", selector=Css(f"#{n}")) for n in range(3)]
    assert best("New", [*cells, described("menuitem", "New")], Semantic("New")) == described("", "New").selector


@pytest.mark.parametrize("description", ["Open Hammer 127", "✎ Hammer 127"])
def test_a_button_in_its_row_comes_before_the_row_and_the_cell(description: str) -> None:
    symbol, near = description.split()[0], "Hammer 127 Tools $32.00"
    row = ElementFeatures(role="row", name=f"Press Space {near} Open", selector=Css("#row"))
    page = [
        row,
        ElementFeatures(role="checkbox", name="Hammer 127", derived=True, selector=Css("#box")),
        ElementFeatures(role="generic", name="Hammer 127", derived=True, selector=Css("#cell")),
        ElementFeatures(role="button", name=symbol, near=near, selector=Css("#button"), holder=row),
        ElementFeatures(role="button", name=symbol, near="Hammer 137 Parts $14.00", selector=Css("#other")),
    ]
    page += [attrs.evolve(one, near=f"{number} Bolt") for number in (1, 2) for one in page[-2:]]
    assert best(description, page, Semantic(description)) == Css("#button")


def test_an_item_of_an_open_menu_is_not_passed_over_for_a_button_of_its_name() -> None:
    """The menu of a file was open, and "Delete" pressed the button of the toolbar."""
    page = [
        described("button", "Delete"),
        ElementFeatures(role="listitem", name="Delete", derived=True, selector=Css("#i")),
    ]
    with pytest.raises(SelectorAmbiguous):
        best("Delete", page, Semantic("Delete"))


def test_the_words_of_many_long_names_are_not_all_kept() -> None:
    for number in range(10_000):
        split(f"{number} {'x' * 190}")
    kept = split.__self__  # type: ignore[attr-defined]
    assert 0 < sum(map(len, kept)) <= 800_000


def test_the_control_of_a_row_is_meant_and_not_the_cell_with_the_words() -> None:
    """A check of "Games" was refused, as it is not for a cell, though the row has one checkbox."""
    row = ElementFeatures(role="row", name="Games Folder", selector=Css("#row"))
    games = ElementFeatures(role="rowheader", name="Games", selector=Css("#games"), holder=row)
    box = ElementFeatures(role="checkbox", name="Select Games", selector=Css("#box"), holder=row)
    other = ElementFeatures(role="checkbox", name="Select Docs", selector=Css("#other"))
    page = [row, box, games, attrs.evolve(games, name="Folder", selector=Css("#folder")), other]
    assert resolve.best_element("Games", page, Semantic("Games"), "check") is box
    assert resolve.best_element("Folder", page, Semantic("Folder"), "check") is box
    assert [resolve.best_element("Games", page, Semantic("Games"), action) for action in ("click", "type")] == [
        games
    ] * 2
    parts = [described("spinbutton", f"{part}, Start") for part in ("day", "month")]
    with pytest.raises(SelectorAmbiguous):  # the label alone, which takes no text, was named in the refusal
        resolve.best_element("Start", [described("generic", "Start", derived=True), *parts], Semantic("Start"), "fill")
    second = attrs.evolve(box, name="Lock", selector=Css("#lock"))
    with pytest.raises(SelectorAmbiguous) as caught:  # the refusal of the cell named neither
        resolve.best_element("Games", [*page, second], Semantic("Games"), "check")
    assert [one["name"] for one in caught.value.details["candidates"]] == ["Select Games", "Lock"]
    header = ElementFeatures(role="columnheader", name="Name", selector=Css("#header"))
    field = described("textbox", "Your name")
    assert resolve.best_element("Name", [header, field], Semantic("Name"), "fill") is field
    editable = ElementFeatures(role="generic", name="Comment", kind="editable", selector=Css("#editable"))
    page = [editable, described("textbox", "Your comment")]
    assert resolve.best_element("Comment", page, Semantic("Comment"), "fill") is editable


def test_keys_are_for_the_field_of_a_button_of_the_same_name() -> None:
    page = [element("1 button Search"), element("2 textbox Search")]
    assert resolve.best_element("Search", page, Semantic("Search"), "press") is page[1]
    assert resolve.best_element("Search button", page, Semantic("Search button"), "press") is page[0]
    assert resolve.best_element("Search", page[:1], Semantic("Search"), "press") is page[0]


def test_a_text_is_for_the_field_and_not_for_the_button_that_has_its_words() -> None:
    """A fill of the "search box" was refused, as it is not for a button: the field was "name, email" alone."""
    button = element("1 button Search")
    field = described("textbox", "name, email", derived=True, placeholder="name, email", key="search")
    for words in ("search box", "the search textbox", "Search"):
        assert resolve.best_element(words, [button, field], Semantic(words), "fill") is field
        assert resolve.best_element(words, [button, attrs.evolve(field, key=None)], Semantic(words), "fill") is button
    assert resolve.best_element("Search", [button, field], Semantic("Search"), "click") is button


def test_a_part_of_vague_words_is_no_name_of_another_action_and_a_cell_is_no_page() -> None:
    """The "item one" of a menu that was not open yet pressed "Remove item"."""
    assert best("item one", [described("button", "Remove item")], Semantic("")) is None
    assert best("the item", [described("button", "Save item")], Semantic("")) is not None
    number = ElementFeatures(role="button", name="2", selector=Css("#two"))
    assert best("page 2", [number, described("button", "Next")], Semantic("")) == Css("#two")
    for cell in (attrs.evolve(number, role="gridcell"), attrs.evolve(number, role="generic", kind="cell")):
        assert best("page 2", [cell, described("button", "Next")], Semantic("")) is None
