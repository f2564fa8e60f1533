"""The scripted agent reads a look as a careful model does: it refuses to guess."""

import pytest

from bench.looping.facts import present, read_pages, words_of_outline, words_of_text
from tests.browser.sites.looks import TextLook
from tests.browser.sites.targets import Target, TargetAmbiguous, TargetMissing

LOOK = r"""page "Shop" http://shop.example/ scroll 0/400
alert "Sold \"out\"\u{200b}"
# "Mugs"
- "Blue mug" "€ 12.00" @add button "Add to cart"
- "Red mug" "€ 14.00" @add2 button "Add to cart"
| "12" @dentist generic ~"Dentist" | "13" @dentist2 generic ~"Dentist"
@e textbox "E-mail" in "Account" value="a@b" (focused, invalid: "Enter an address")
"Country" @land generic "Portugal"
@up button "👍" @close button "✕"
@list generic "Lisbon, Portugal Lisbon, Ohio"
- "Lisbon, Portugal"
... 12 more rows like @x link "More"; cursor r0@x"""


@pytest.fixture
def look() -> TextLook:
    return TextLook.of(LOOK)


@pytest.mark.parametrize(
    ("target", "action", "ref"),
    [
        (Target("button", "Add to cart", "Red mug"), "click", "@add2"),
        (Target("card", "Dentist", "12"), "drag", "@dentist"),
        (Target("field", "E-mail"), "fill", "@e"),
        (Target("field", near="Account"), "fill", "@e"),
        (Target("field", "Country"), "click", "@land"),
        (Target("button", "Thumbs up"), "click", "@up"),
        (Target("card", "Blue mug"), "hover", "@add"),
    ],
)
def test_a_target_is_found_by_role_name_and_words_near_it(
    look: TextLook, target: Target, action: str, ref: str
) -> None:
    assert target.find(look, action).ref == ref


def test_a_name_that_stands_twice_is_ambiguous(look: TextLook) -> None:
    with pytest.raises(TargetAmbiguous, match=r"@add button.*@add2 button"):
        Target("button", "Add to cart").find(look, "click")


@pytest.mark.parametrize(
    "target",
    [
        Target("button", "Pay"),
        Target("button", "Add to cart", "Green mug"),
        Target("card", "Blue mug"),  # words alone can't be clicked
        Target("option", "Lisbon, Portugal"),  # the list that holds them is not the option
    ],
)
def test_a_target_without_an_element_is_missing(look: TextLook, target: Target) -> None:
    with pytest.raises(TargetMissing):
        target.find(look, "click")


def test_words_are_read_in_order_and_unescaped(look: TextLook) -> None:
    assert 'Sold "out"\u200b Mugs Blue mug € 12.00 Add to cart Red mug' in look.words
    assert "Enter an address" in look.words
    assert look.folds == ["r0@x"]
    assert "More" not in look.words


def test_facts_count_only_if_they_stand_in_the_look() -> None:
    outline = """- generic [ref=e1]:
  - heading "Order 12" [level=2] [ref=e2]
  - text: "Total: € 12.00"
  - link "Back" [ref=e3] [cursor=pointer]:
    - /url: "#secret"
  - 'row "A: b" [ref=e4]'"""
    facts = ["Order 12", "Total: €12.00", "A: b", "secret", "ref=e1", "Order 13"]
    assert present(facts, words_of_outline(outline)) == {"Order 12", "Total: €12.00", "A: b"}
    assert present(["Blue mug € 12.00", "Sold out.", "textbox"], words_of_text(LOOK)) == {"Blue mug € 12.00"}


def test_pages_can_be_chosen_evenly() -> None:
    assert len(read_pages()) == 30
    assert [page.page for page in read_pages(2)] == [read_pages()[0].page, read_pages()[15].page]
    assert all(page.facts and page.actions for page in read_pages())


def test_words_of_changes_are_those_of_now() -> None:
    changes = """changes
+ "The plate was removed → gone"
~ "Total | 20" → "Total | 30"
~ @go button "Stop" was button "Go" value "a" → "b"
- "Old\""""
    assert TextLook.of(changes).words == "The plate was removed → gone Total | 30 Stop b"
