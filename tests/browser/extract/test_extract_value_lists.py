"""agent/extract: lists of plain values in a single object."""

import pytest

from agentbrowser.client import Browser
from tests.browser.extract.test_extract import Plain, data_of, extract
from tests.browser.site import Site


def several(**properties: str) -> Plain:
    """Return the schema of an object whose properties are lists of plain values."""
    return {
        "type": "object",
        "properties": {name: {"type": "array", "items": {"type": kind}} for name, kind in properties.items()},
    }


PANEL = """<h1>Saltvinter</h1><dl>
<dt>Writers</dt><dd><a href=/1>Liv Aggerholm</a></dd><dd><a href=/2>Jeppe Strand</a></dd>
<dt>Languages</dt><dd><ul><li><a href=/da>Danish</a></li><li><a href=/is>Icelandic</a></li></ul></dd>
<dt>Countries</dt><dd><a href=/dk>Denmark</a>, <a href=/is>Iceland</a> and <a href=/no>Norway</a></dd>
<dt>Budget</dt><dd>24,500,000 kr.</dd></dl>"""


async def test_several_values_with_one_label_in_a_panel_are_a_list(browser: Browser, site: Site) -> None:
    schema = several(writers="string", languages="string", countries="string")
    assert await data_of(browser, site, PANEL, schema) == {
        "writers": ["Liv Aggerholm", "Jeppe Strand"],
        "languages": ["Danish", "Icelandic"],
        "countries": ["Denmark", "Iceland", "Norway"],
    }


async def test_each_item_of_a_list_is_read_as_a_whole(browser: Browser, site: Site) -> None:
    body = """<h1>Omelette</h1><h2>Ingredients</h2><ul><li><input type=checkbox> <span class=n>500</span> <span>g</span>
    <span class=name>of potatoes</span></li><li><input type=checkbox> <b>2</b> <span class=name>onions</span>
    </li></ul><h2>Steps</h2><ol><li><span>1</span> <p>Peel.</p></li><li><span>2</span> <p>Fry.</p></li></ol>"""
    data = await data_of(browser, site, body, several(ingredients="string", steps="string"))
    assert data == {"ingredients": ["500 g of potatoes", "2 onions"], "steps": ["Peel.", "Fry."]}


async def test_the_options_of_a_form_are_a_list(browser: Browser, site: Site) -> None:
    body = """<h1>Lamp</h1><form><fieldset><legend>Colour</legend><input type=radio name=c id=a checked>
    <label for=a>Brass<span class=visually-hidden>Sold out</span></label><input type=radio name=c id=b>
    <label for=b>Black<span class=visually-hidden>Sold out</span></label></fieldset>
    <label>Size <select><option value="">Choose</option><option>20 cm</option><option>30 cm</option></select></label>"""
    data = await data_of(browser, site, body, several(colours="string", sizes="string"), minConfidence=0)
    assert data == {"colours": ["Brass", "Black"], "sizes": ["20 cm", "30 cm"]}


async def test_values_in_a_line_after_their_label_are_a_list(browser: Browser, site: Site) -> None:
    body = """<h1>Rigging</h1><div>Moderators: <a href=/h>Harbourmaster</a>, <a href=/t>Tess</a></div>
    <div><h2>Skills</h2><span class=pill>GIS</span> <span class=pill>Python</span></div>
    <p><b>Opening days:</b><br>Monday<br>Thursday</p>"""
    data = await data_of(browser, site, body, several(moderators="string", skills="string", openingDays="string"))
    assert data == {
        "moderators": ["Harbourmaster", "Tess"],
        "skills": ["GIS", "Python"],
        "openingDays": ["Monday", "Thursday"],
    }


async def test_a_list_that_the_page_does_not_name_is_not_returned(browser: Browser, site: Site) -> None:
    answer = await extract(browser, site, PANEL, several(allergens="string"))
    assert not answer["success"]


TWO_LISTS = """<nav><ul><li><a href=/>Home</a><li><a href=/shop>Shop</a></ul></nav><main><h1>Shed</h1>
<ul><li>Apple<li>Pear<li>Plum</ul><p>And also these:<ol><li>Hammer<li>Saw</ol></main>"""
STRINGS = {"type": "array", "items": {"type": "string"}}


@pytest.mark.parametrize("instruction", [None, "all list entries"])
async def test_a_request_that_names_no_list_returns_the_entries_of_all(
    browser: Browser, site: Site, instruction: str | None
) -> None:
    answer = await extract(browser, site, TWO_LISTS, STRINGS, instruction=instruction, includeSourceRefs=True)
    assert answer["data"] == ["Apple", "Pear", "Plum", "Hammer", "Saw"]
    assert [source["text"] for source in answer["sources"]] == answer["data"]


async def test_a_request_that_names_one_list_returns_only_that(browser: Browser, site: Site) -> None:
    body = "<h2>Fruit</h2><ul><li>Apple<li>Pear<li>Plum</ul><h2>Tools</h2><ul><li>Hammer<li>Saw</ul>"
    assert await data_of(browser, site, body, STRINGS, instruction="tools") == ["Hammer", "Saw"]


async def test_sizes_of_clothes_are_letters(browser: Browser, site: Site) -> None:
    radio = "<input type=radio name=s id={0} {1}><label for={0}>{0}</label>"
    choices = "".join(radio.format(*size) for size in (("S", "checked"), ("M", ""), ("L", "")))
    body = f"<h1>Jacket</h1><fieldset><legend>Size</legend>{choices}</fieldset>"
    assert await data_of(browser, site, body, several(sizes="string")) == {"sizes": ["S", "M", "L"]}


async def test_a_heading_is_no_list_of_its_parts(browser: Browser, site: Site) -> None:
    title = "Lathe motor hums, won't start"
    post = f"<div class=post><h3 class=first><a href=#{{0}}>{title}</a></h3><p>It hums a bit, number {{0}}.</p></div>"
    body = f"<h2 class=topic-title><a href=/t>{title}</a></h2>{''.join(map(post.format, '123'))}"
    schema = several(tags="string")
    schema["properties"]["threadTitle"] = {"type": "string"}
    assert await data_of(browser, site, body, schema) == {"threadTitle": title}


async def test_the_rows_of_a_table_of_properties_are_no_list_of_features(browser: Browser, site: Site) -> None:
    rows = (("Type", "T3"), ("Area", "128 m²"), ("Built", "1987"), ("State", "Renovated"))
    row = "<div><dt class=specs__label>{}</dt><dd class=specs__value>{}</dd></div>"
    facts = "".join(row.format(*one) for one in rows)
    body = f"<h1>Flat</h1><h2>Features</h2><dl>{facts}</dl>"
    answer = await extract(browser, site, body, several(features="string"), minConfidence=0)
    assert not answer["success"], answer
