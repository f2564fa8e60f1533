"""Selectors: each kind finds exactly its element in a real page, and none can say more than it is for."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from agentbrowser.browser.act.locate import ElementSearch, LocatedElement
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.protocol.errors import ElementNotFound, InvalidParams, SelectorAmbiguous
from agentbrowser.protocol.types.selector import (
    Coordinates,
    Css,
    Label,
    Placeholder,
    Ref,
    Role,
    Selector,
    Semantic,
    TestId,
    Text,
    XPath,
)
from tests.browser.stage import FakeTab, Stage


def play(stage: Stage, test: Callable[[FakeTab], Coroutine[Any, Any, None]]) -> None:
    stage.share("/actions.html", test)


async def find(tab: FakeTab, selector: Selector, timeout_s: float = 0.1) -> LocatedElement:
    return await ElementSearch(tab, selector).locate(Deadline(timeout_s))


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        (Css("#save"), "save"),
        (Css('button[title="a >> b"]'), "save"),
        (Css("#host input"), "shaded"),
        (XPath("//button[@title='a >> b']"), "save"),
        (XPath("//button[text()='Save']"), "save"),
        (Role("button", "sav"), "save"),
        (Role("BUTTON", "Save", exact=True), "save"),
        (Role("switch"), "switch"),
        (Text("aVe"), "save"),
        (Text("Save", exact=True), "save"),
        (Label("first"), "first"),
        (Label("Password", exact=True), "password"),
        (Placeholder("search"), "query"),
        (TestId("save-button"), "save"),
        (Ref("@save"), "save"),
        (Semantic("the save button"), "save"),
    ],
)
def test_each_kind_finds_its_element(stage: Stage, selector: Selector, expected: str) -> None:
    async def test(tab: FakeTab) -> None:
        tab.css_by_ref["@save"] = "#save"
        tab.things = [
            ElementFeatures(role="button", name="Save", selector=Css("#save")),
            ElementFeatures(role="button", name="Off", selector=Css("#off")),
        ]
        found = await find(tab, selector)
        assert await found.locator.get_attribute("id") == expected

    play(stage, test)


@pytest.mark.parametrize(
    "selector",
    [
        Role("button", "sav", exact=True),
        Text("save", exact=True),
        Label("first", exact=True),
        Placeholder("search", exact=True),
        TestId("save"),
    ],
)
def test_exact_is_exact(stage: Stage, selector: Selector) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ElementNotFound):
            await find(tab, selector)

    play(stage, test)


# Strings that would reach the Save button, cross into the frame or run a pattern if they were more than what they are.
SMUGGLED = [
    "internal:role=button",
    "text=Save",
    "xpath=//button[@id='save']",
    "css=#save",
    "#save",
    "/S.ve/",
    "/^(a+)+$/",
    '"Save"i',
    'Save"] >> css=#save',
    'x" >> css=#save >> text="',
    "iframe >> internal:control=enter-frame >> #inside",
]


@pytest.mark.parametrize("kind", [Text, Label, Placeholder, TestId, lambda text: Role("button", text)])
def test_text_is_only_text(stage: Stage, kind: Callable[[str], Selector]) -> None:
    async def test(tab: FakeTab) -> None:
        for text in SMUGGLED:
            with pytest.raises(ElementNotFound):
                await find(tab, kind(text), 0.0)

    play(stage, test)


FOREIGN: list[Selector] = [
    Css("#save >> visible=true"),
    Css("iframe >> internal:control=enter-frame >> #inside"),
    Css("xpath=//button"),
    Css("text=Save"),
    Css("//button"),
    Css("/*'*/ p:text-matches('(a+)+$') /*'*/"),
    Css("###"),
    Css("a["),
    XPath("css=#save"),
    XPath("//p >> css=#save"),
    XPath("//["),
    XPath("count(//a)"),
    Role("button >> css=#save"),
    Role("button[include-hidden]"),
    Role(""),
]


def test_a_selector_speaks_its_own_language_only(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        for selector in FOREIGN:
            with pytest.raises(InvalidParams) as caught:
                await find(tab, selector)
            field = "role" if isinstance(selector, Role) else "value"
            assert caught.value.details["path"] == f"selector.{field}"

    play(stage, test)


def test_text_that_looks_like_a_pattern_is_found_as_text(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        found = await find(tab, Text("(a+)+$"))
        assert await found.locator.get_attribute("id") == "plain-text"

    play(stage, test)


def test_candidates_match_one_element_each(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(SelectorAmbiguous) as caught:
            await find(tab, Css("input"))
        details = caught.value.details
        assert (details["count"] > 5, len(details["candidates"])) == (True, 5)
        ids = [await (await find(tab, Css(one["value"]))).locator.get_attribute("id") for one in details["candidates"]]
        assert ids == ["query", "first", "mail", "password", "code"]
        assert [one["text"] for one in details["candidates"][:2]] == ["Search here", "First name"]
        # The properties of a form are its fields of their names. Through the second form, Playwright finds no path.
        names = "".join(f"<input name={name}>" for name in ("children", "localName", "id", "labels"))
        forms = f"<form>{names}<i>A</i><i>B</i></form><form><input name=parentElement><u>A</u><u>B</u></form>"
        await tab.page.evaluate("markup => { document.body.innerHTML = markup }", forms)
        for tag, texts in (("i", ["A", "B"]), ("form", ["AB"]), ("u", [])):
            with pytest.raises(SelectorAmbiguous) as caught:
                await find(tab, Css(tag))
            assert [one["text"] for one in caught.value.details["candidates"]] == texts

    play(stage, test)


def test_elements_that_can_not_be_seen_count_too(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(SelectorAmbiguous) as caught:
            await find(tab, Css("#save, #hidden"))
        assert caught.value.details["count"] == 2

    play(stage, test)


def test_a_description_that_fits_several_or_none(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        tab.things = [
            ElementFeatures(role="button", name="Save draft", selector=Css("#save")),
            ElementFeatures(role="button", name="Save copy", selector=Css("#off")),
        ]
        with pytest.raises(SelectorAmbiguous) as caught:
            await find(tab, Semantic("save button"))
        assert [one["value"] for one in caught.value.details["candidates"]] == ["#save", "#off"]
        assert all(0 < one["score"] <= 1 for one in caught.value.details["candidates"])
        with pytest.raises(ElementNotFound):
            await find(tab, Semantic("newsletter"))
        tab.things.pop()
        with pytest.raises(SelectorAmbiguous) as caught:
            await find(tab, Semantic("the wine glass draft"))
        assert [one["value"] for one in caught.value.details["candidates"]] == ["#save"]


def test_what_fits_in_part_is_waited_with_until_something_fits(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        tab.things = [ElementFeatures(role="button", name="Save draft", selector=Css("#off"))]

        async def appear() -> None:
            await asyncio.sleep(0.05)
            tab.things = [*tab.things, ElementFeatures(role="button", name="Glass draft", selector=Css("#save"))]

        later = asyncio.create_task(appear())
        found = await find(tab, Semantic("the wine glass draft"), timeout_s=5)
        await later
        assert await found.locator.get_attribute("id") == "save"

    play(stage, test)


def test_a_point_means_one_element_in_a_shadow_root_with_twins_outside(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        await tab.page.evaluate("host.shadowRoot.innerHTML = '<slot></slot><i>shade</i>'")
        for expression, text in (("host.querySelector('i')", "light"), ("host.shadowRoot.querySelector('i')", "shade")):
            box = await tab.page.evaluate(f"(r => [r.x + r.width / 2, r.y + 3])({expression}.getBoundingClientRect())")
            found = await find(tab, Coordinates(*box))
            assert await found.locator.text_content() == text

    play(stage, test)


def test_selectors_are_read_in_the_frame_of_the_tab(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        with pytest.raises(ElementNotFound):
            await find(tab, Css("#inside"))
        tab.inner = tab.page.frames[1]
        assert await (await find(tab, Css("#inside"))).locator.count() == 1
        with pytest.raises(ElementNotFound):
            await find(tab, Css("#save"))

    play(stage, test)


def test_an_element_is_found_in_the_document_that_follows(stage: Stage) -> None:
    async def test(tab: FakeTab) -> None:
        looking = asyncio.create_task(find(tab, XPath("//title[.='Next']"), 20))
        for _ in range(3):
            await tab.page.goto(stage.pages.url("/actions.html"))
        await tab.page.goto(stage.pages.url("/next"))
        assert await (await looking).locator.count() == 1

    play(stage, test)
