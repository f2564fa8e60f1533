"""agent/extract: single things: values by what the page calls them, and none where it calls nothing so."""

from agentbrowser.client import Browser
from tests.browser.extract.test_extract import data_of, extract, single
from tests.browser.site import Site


async def test_a_unit_in_the_name_of_a_property_is_not_asked_for(browser: Browser, site: Site) -> None:
    body = """<h1>Line</h1><table><tr><td>Length:</td><td>33.9 km</td></tr><tr><td>Width:</td><td>1000 mm</td></tr>
    <tr><td>Operator:</td><td>Wendel GmbH<sup><a href="#n1">[1]</a></sup></td></tr></table>"""
    schema = single(lengthKm="number", widthMm="number", operator="string")
    assert await data_of(browser, site, body, schema) == {"lengthKm": 33.9, "widthMm": 1000, "operator": "Wendel GmbH"}


async def test_a_time_as_the_page_shows_it_and_not_as_machines_do(browser: Browser, site: Site) -> None:
    body = """<script type="application/ld+json">{"@type": "Recipe", "name": "Tart", "prepTime": "PT20M"}</script>
    <h1>Tart</h1><div><span class=label>Preparation</span> <span>20 minutes</span></div>"""
    assert await data_of(browser, site, body, single(name="string", prepTime="string")) == {
        "name": "Tart",
        "prepTime": "20 minutes",
    }


async def test_the_heads_of_a_table_with_one_row_name_its_values(browser: Browser, site: Site) -> None:
    body = """<h1>Result</h1><table><tr><th>Voters</th><th>Turnout</th></tr>
    <tr><td>81,344</td><td>56.93</td></tr></table>"""
    assert await data_of(browser, site, body, single(voters="integer", turnout="number")) == {
        "voters": 81344,
        "turnout": 56.93,
    }


async def test_how_many_there_are_in_all_and_not_on_this_page(browser: Browser, site: Site) -> None:
    body = "<h1>Hoodies</h1><p>Items 1-9 of 47</p><div>Page 1 of 6</div>"
    assert await data_of(browser, site, body, single(itemCount="integer", pageCount="integer")) == {
        "itemCount": 47,
        "pageCount": 6,
    }


async def test_an_address_that_its_link_names(browser: Browser, site: Site) -> None:
    body = """<h1>Quill</h1><a href="https://code.example/quill">Source code</a>
    <a href="https://quill.example/">Homepage</a> <a href="https://else.example/">Help</a>"""
    schema = {"type": "object", "properties": {"homepageUrl": {"type": "string", "format": "uri"}}}
    assert await data_of(browser, site, body, schema) == {"homepageUrl": "https://quill.example/"}


async def test_a_telephone_number_as_it_is_shown(browser: Browser, site: Site) -> None:
    body = """<h1>Club</h1><p>Write to us.</p><p><a href="tel:+4855550132"><span>55 55 01 32</span></a></p>"""
    assert await data_of(browser, site, body, single(name="string", phone="string")) == {
        "name": "Club",
        "phone": "55 55 01 32",
    }


async def test_what_the_page_does_not_speak_of_is_not_given(browser: Browser, site: Site) -> None:
    body = "<h1>Club</h1><p>We meet every week.</p><ul><li><a href=/a>News</a></li><li><a href=/b>Photos</a></li></ul>"
    answer = await extract(browser, site, body, single(allergens="string", mileage="number"))
    assert not answer["success"], answer
