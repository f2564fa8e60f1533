"""Descriptions on real pages: what tells elements of the same name apart is what stands around them."""

import asyncio

import pytest
from playwright.async_api import Route

from agentbrowser.browser.act.locate import ElementSearch
from agentbrowser.browser.deadline import Deadline
from agentbrowser.browser.semantic.candidates import interactive
from agentbrowser.browser.semantic.features import ElementFeatures
from agentbrowser.browser.semantic.resolve import best_element
from agentbrowser.client import Browser
from agentbrowser.protocol.errors import AgentBrowserError, ElementNotFound, ElementNotVisible, SelectorAmbiguous
from agentbrowser.protocol.types.selector import Semantic
from tests.browser.site import Site
from tests.browser.stage import FakeTab
from tests.browser.watched_page import Scenarios, WatchedTab

SHOP = """
<div class=card><h3>Espresso machine</h3><p>199 EUR</p><button id=espresso>Add to cart</button></div>
<div class=card><h3>Milk frother</h3><p>29 EUR</p><button id=frother>Add to cart</button></div>
<div class=card><h3>Grinder</h3><p style="display:none">frother</p><button id=grinder>Add to cart</button></div>
"""
TABLE = """
<table>
<tr><td>Alice<td>Admin<td><button id=edit-alice>Edit row</button><button id=delete-alice>Delete row</button>
<tr><td>Bob<td>Editor<td><button id=edit-bob>Edit row</button><button id=delete-bob>Delete row</button>
</table>
"""
ROWS = """
<table>
<tr onclick="" id=row-ann><td><span onclick="" id=ann>Ann</span><td>20<td><a onclick="" id=delete-ann>Delete</a>
<tr onclick="" id=row-ben><td><span onclick="" id=ben>Ben</span><td>22<td><a onclick="" id=delete-ben>Delete</a>
</table>
"""
HINTED = """
<div><div>Database address *</div><input id=dsn placeholder="engine://user@host">
<div>See the <a href=/>manual</a></div></div>
<input placeholder="Search">
"""
LABELS = """
<button role=combobox aria-label=Fruit id=fruit>Choose</button><p>Fruit:</p>
<button role=combobox id=framework>Pick one</button>
"""
DRAWN = """
<div><p>Count</p><span><input placeholder="Please input" id=count><button><i class=plus></i></button></span></div>
<div><p>Loudness</p><div onclick=""><p role=slider tabindex=0 id=loudness>o</p></div></div>
"""
QUESTIONS = """
<form>
<fieldset><legend>Do you need a visa?</legend>
<label><input type=radio name=v id=visa-yes>Yes</label><label><input type=radio name=v id=visa-no>No</label></fieldset>
<fieldset><legend>Will you relocate?</legend>
<label><input type=radio name=r id=move-yes>Yes</label><label><input type=radio name=r id=move-no>No</label></fieldset>
<input id=tel type=tel aria-label="Number"><input id=count type=number aria-label="Number of guests">
<p>Your story: <textarea id=story></textarea></p>
<button id=go>Continue</button><button id=other type=button>Carry on</button>
</form>
"""


def test_a_candidate_has_the_ref_that_the_client_has_observed_and_none_otherwise(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        assert {one.ref for one in await interactive(tab)} == {None}
        seen = await tab.see()
        assert [one.ref for one in await interactive(tab)] == list(seen)

    scenarios.look(SHOP, scenario)


@pytest.mark.parametrize(
    ("markup", "description", "id_"),
    [
        (SHOP, "add the milk frother to the cart", "frother"),
        (SHOP, "Add to cart button of the Grinder", "grinder"),
        (SHOP, "last add to cart button", "grinder"),
        (TABLE, "delete Bob", "delete-bob"),
        (TABLE, "edit button in the row of Alice", "edit-alice"),
        (ROWS, "delete Ben", "delete-ben"),
        (ROWS, "Ben", "ben"),
        (LABELS, "Fruit", "fruit"),
        (DRAWN, "Count", "count"),
        (DRAWN, "Loudness", "loudness"),
        (HINTED, "Database address", "dsn"),
        (QUESTIONS, "yes to the visa question", "visa-yes"),
        (QUESTIONS, "No, I will not relocate", "move-no"),
        (QUESTIONS, "phone number", "tel"),
        (QUESTIONS, "the text area for your story", "story"),
        (QUESTIONS, "submit button", "go"),
    ],
)
def test_a_description_goes_by_what_stands_around(
    scenarios: Scenarios, markup: str, description: str, id_: str
) -> None:
    async def scenario(tab: WatchedTab) -> None:
        meant = best_element(description, await interactive(tab), Semantic(description))
        assert meant is not None
        found = await ElementSearch(FakeTab(tab.page), meant.selector).locate(Deadline.of(1000))
        assert await found.locator.get_attribute("id") == id_

    scenarios.look(markup, scenario)


def test_twins_with_nothing_around_them_stay_ambiguous(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        elements = await interactive(tab)
        with pytest.raises(SelectorAmbiguous):
            best_element("add to cart", elements, Semantic("add to cart"))

    scenarios.look(SHOP, scenario)


def test_what_is_hidden_or_secret_is_not_gone_by(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        grinder = (await interactive(tab))[2]
        assert grinder.near == "Grinder"
        await tab.page.set_content(
            "<li><input type=password value=hunter2><button>Show</button><button>Go</button>"
            "<li><input value=open placeholder=Type><button>Show</button>"
        )
        secret, show, go, field, _ = await interactive(tab)
        assert (secret.value, secret.kind, field.value, field.placeholder) == (None, "password", "open", "Type")
        assert "hunter2" not in str([secret, show, go])
        assert show.near == "Go"

    scenarios.look(SHOP, scenario)


def test_an_element_without_a_name_is_not_found_by_words_beyond_other_elements(scenarios: Scenarios) -> None:
    async def scenario(tab: WatchedTab) -> None:
        elements = await interactive(tab)
        assert best_element("Total", elements, Semantic("Total")) is None

    scroller = f"<div style='height:30px;overflow:auto'>{'<p>x</p>' * 9}</div>"
    scenarios.markup(f"<div><p>Total</p><button>Pay</button>{scroller}</div>", scenario)


async def test_the_error_for_an_element_behind_a_modal_names_the_cover(browser: Browser, site: Site) -> None:
    """No look shows what a modal covers, and "not found" was all that a click by its words said."""
    cookies = "<div role=dialog style='position: fixed; inset: 0'>Cookies<button>Accept</button></div>"
    backdrop = "<div onclick='' style='position: fixed; inset: 0'></div>"
    news = "<dialog>News<button>Close</button></dialog><script>document.querySelector('dialog').showModal()</script>"
    for cover, words in [(cookies, "Cookies"), (news, "News"), (backdrop, "")]:
        page = f"<button>FAQ</button><div style='height: 2000px'></div><button>Imprint</button>{cover}"
        await browser.request("page/navigate", {"url": site.html("/", page)})
        for name, is_there in [("FAQ", True), ("the imprint", True), ("Refund", False)]:
            selector = {"type": "semantic", "description": name}
            expected = ElementNotVisible if is_there else ElementNotFound
            for timeout in (200, 5000):  # a busy machine may need longer to know the reason
                with pytest.raises(AgentBrowserError) as caught:
                    await browser.request("action/click", {"selector": selector, "options": {"timeout": timeout}})
                if isinstance(caught.value, expected) and (name != "FAQ" or "coveredBy" in caught.value.details):
                    break
            assert isinstance(caught.value, expected)
            assert name != "FAQ" or words in caught.value.details["coveredBy"]["text"]


async def test_words_that_are_the_text_of_one_element_mean_it(browser: Browser, site: Site) -> None:
    """A click on "Drop files here" had pressed "File", and one on the text of a cell the middle of its row or table."""
    rows = (("Ford", "M1"), ("Seat", "M2"))
    cells = "<div style='width: 300px'>{}</div><div style='width: 300px'>{}</div>"
    grid = "".join(f"<div role=row onclick='' style='display: flex'>{cells.format(*row)}</div>" for row in rows)
    note = "document.querySelector('output').value = `clicked ${event.target.textContent}.`"
    listener = f"<output></output><script>addEventListener('click', (event) => {{ {note} }})</script>"
    sheet = "<table role=presentation onmousedown='' style='width: 600px'>{}</table>"
    sheet = sheet.format(
        "".join(f"<tr><td>{one}<td>{two}" for one, two in (("Ann", "20"), ("Ben", "30"), ("Cem", "40")))
    )
    page = f"<button>File</button><p>Drop files here</p><p>Zebra</p><p>Zebra</p>{grid}{sheet}{listener}"
    await browser.request("page/navigate", {"url": site.html("/", page)})

    async def click(words: str) -> None:
        selector = {"type": "semantic", "description": words}
        await browser.request("action/click", {"selector": selector, "options": {"timeout": 5000}})

    texts = ("Drop files here", "Ford", "M2", "Cem", "20")
    for words, clicked in (*((text, None) for text in texts), ("the file button", "File")):
        await click(words)
        await browser.request("page/waitFor", {"text": f"clicked {clicked or words}."})
    for words in ("Zebra", "drop"):
        with pytest.raises((ElementNotFound, SelectorAmbiguous)):
            await click(words)


@pytest.mark.slow
async def test_words_are_waited_for_while_the_page_may_still_change(browser: Browser, site: Site) -> None:
    """A page at rest kept the model waiting for 5 s for words that are not there, and named no candidates."""
    page = "<input aria-label=City><button>Go</button>"
    later = "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<button>Later</button>'), 2500)"
    polled = """let count = 0, add = () => document.body.insertAdjacentHTML('beforeend', '<button>Polled</button>');
      const poll = setInterval(() => fetch(`/?${count}`).then(() => (count += 1) === 3 && add()), 900)"""
    pushed = """new EventSource('/');
      const put = () => document.body.insertAdjacentHTML('beforeend', '<button>Pushed</button>');
      scheduler.postTask(put, { delay: 2500 })"""
    for script, name in [(later, "Later"), (polled, "Polled"), (pushed, "Pushed"), ("", None)]:
        await browser.request("page/navigate", {"url": site.html("/", f"{page}<script>{script}</script>")})
        if name is not None:
            await browser.request("action/click", {"selector": {"type": "semantic", "description": name}})
    selector = {"type": "semantic", "description": "Postal code"}
    with pytest.raises(ElementNotFound, match="and the page is at rest") as caught:
        await browser.request("action/fill", {"selector": selector, "value": "1"})
    assert [one["name"] for one in caught.value.details["candidates"]] == ["City"]


class LookingTab(WatchedTab):
    """A watched tab on which descriptions are of what the page has."""

    async def interactive(self, *, is_whole: bool = False) -> list[ElementFeatures]:
        return list(await interactive(self))


def test_an_element_that_fits_in_its_sense_only_is_meant_once_the_page_rests(scenarios: Scenarios) -> None:
    parts = """fetch('/parts').then(() => {
        const button = Object.assign(document.createElement('button'), {textContent: 'Delete', id: 'delete'})
        document.body.append(button) })"""

    async def answer(route: Route) -> None:
        await asyncio.sleep(0.4)
        await route.fulfill(body="")

    async def scenario(watched: WatchedTab) -> None:
        tab = LookingTab(watched.page)

        async def found(words: str) -> str | None:
            located = await ElementSearch(tab, Semantic(words), "click").locate(Deadline(5))
            return await located.locator.get_attribute("id")

        assert await found("Delete") == "remove"
        await tab.page.route("**/parts", answer)
        await tab.run(parts)
        assert await found("Remove") == "remove"
        assert await found("Delete") == "delete"

    scenarios.markup("<!doctype html><button id=remove>Remove</button>", scenario)
