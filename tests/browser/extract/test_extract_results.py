"""agent/extract: params, answers, origins of values, refusals."""

from typing import Any

import pytest
import trio

from agentbrowser.client import Browser
from agentbrowser.config import Config
from agentbrowser.methods import page
from agentbrowser.protocol import errors
from agentbrowser.protocol.registry import Scope
from agentbrowser.server.app import open_server
from tests.browser.extract.test_extract import THINGS, data_of, extract, listed, single, typed
from tests.browser.site import Site

SHOP = """<h1>Shop</h1><ul class=goods>{}</ul>""".format(
    "".join(f"<li><h3>Thing {at}</h3><span class=price>${at}.50</span></li>" for at in range(1, 8))
)
OTHER = """<div id=left><h2>Left</h2><p>Price: $1</p></div><div id=right><h2>Right</h2><p>Price: $2</p></div>"""


async def test_the_cursor_returns_more_items(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", SHOP))
    names: list[list[str]] = []
    cursor: dict[str, str] = {}
    while True:
        answer = await browser.request("agent/extract", {"schema": THINGS, "maxItems": 3, **cursor})
        names.append([one["name"] for one in answer["data"]])
        if "nextCursor" not in answer:
            break
        cursor = {"cursor": answer["nextCursor"]}
    assert names == [["Thing 1", "Thing 2", "Thing 3"], ["Thing 4", "Thing 5", "Thing 6"], ["Thing 7"]]


async def test_items_without_a_required_value_are_dropped_and_counted(browser: Browser, site: Site) -> None:
    rows = ("Ash", "<b>$5</b>"), ("Birch", "<b>sold</b>"), ("Cedar", "<b>$7</b>"), ("Elm", "<b>$9</b>")
    body = "".join(f"<li><h3>{name}</h3>{price}</li>" for name, price in rows)
    schema = listed(name="string", price="number")
    schema["items"]["required"] = ["price"]
    answer = await extract(browser, site, f"<ul>{body}</ul>", schema)
    assert [one["name"] for one in answer["data"]] == ["Ash", "Cedar", "Elm"]
    assert answer["dropped"] == 1


async def test_a_truncated_page_is_reported(browser: Browser, site: Site) -> None:
    deeper = """<script>
      let at = document.body;
      for (let depth = 0; depth < 500; depth++) at = at.appendChild(document.createElement('div'));
      at.textContent = 'deep';
    </script>"""
    assert "truncated" not in await extract(browser, site, SHOP, THINGS)
    answer = await extract(browser, site, SHOP + deeper, THINGS)
    assert (len(answer["data"]), answer["truncated"]) == (7, True)


async def test_an_extraction_without_items_fails(browser: Browser, site: Site) -> None:
    body = "<ul><li><h3>Ash</h3><p>tall</p></li><li><h3>Birch</h3><p>white</p></li></ul>"
    schema = listed(name="string", price="number")
    schema["items"]["required"] = ["price"]
    answer = await extract(browser, site, body, schema)
    assert answer["success"] is False
    assert "price" in answer["error"]
    assert "data" not in answer


async def test_a_missing_required_property_of_an_object_fails(browser: Browser, site: Site) -> None:
    schema = {**single(name="string", iban="string"), "required": ["iban"]}
    answer = await extract(browser, site, "<h1>Lamp</h1><p>Price: $6</p>", schema)
    assert answer["success"] is False
    assert "iban" in answer["error"]


async def test_a_page_without_data_fails(browser: Browser, site: Site) -> None:
    answer = await extract(browser, site, "", listed(name="string", price="number"))
    assert answer == {"success": False, "error": "Nothing on the page fits name, price.", "confidence": 0}


@pytest.mark.parametrize(("part", "name", "price"), [("#left", "Left", 1), ("#right", "Right", 2)])
async def test_only_the_selected_part_is_read(browser: Browser, site: Site, part: str, name: str, price: int) -> None:
    selector = {"type": "css", "value": part}
    data = await data_of(browser, site, OTHER, single(title="string", price="number"), selector=selector)
    assert data == {"title": name, "price": price}


async def test_a_selector_without_a_match_fails_at_once(browser: Browser, site: Site) -> None:
    with trio.fail_after(4):  # the default wait for an element alone takes 5 s
        answer = await extract(browser, site, OTHER, THINGS, selector={"type": "css", "value": "#none"})
    assert (answer["success"], answer["confidence"]) == (False, 0)
    assert "The selector matches nothing" in answer["error"]


async def test_a_selector_with_several_matches_is_refused(browser: Browser, site: Site) -> None:
    with pytest.raises(errors.SelectorAmbiguous):
        await extract(browser, site, OTHER, THINGS, selector={"type": "css", "value": "div"})


async def test_the_list_mode_returns_a_list_of_objects(browser: Browser, site: Site) -> None:
    data = await data_of(browser, site, SHOP, single(name="string", price="number"), mode="list")
    assert [one["price"] for one in data] == [1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]


async def test_every_source_leads_to_its_value(browser: Browser, site: Site) -> None:
    answer = await extract(browser, site, SHOP, THINGS, includeSourceRefs=True)
    assert {source["path"] for source in answer["sources"]} == {
        f"/{at}/{name}" for at in range(7) for name in ("name", "price")
    }
    for source in answer["sources"]:
        for selector in (source["selector"], {"type": "ref", "value": source["ref"]}):
            state = await browser.request("observe/element", {"selector": selector, "properties": ["text"]})
            assert state["text"] == source["text"]
        _, at, name = source["path"].split("/")
        value = answer["data"][int(at)][name]
        assert source["text"] == (value if name == "name" else f"${value:.2f}")


async def test_a_source_has_the_undivided_text_of_its_element(browser: Browser, site: Site) -> None:
    cards = [f"<article><h3>Bread {at}</h3><p>{at},50 € <s>9,00 €</s>(saved)</p></article>" for at in range(1, 5)]
    answer = await extract(browser, site, f"<main>{''.join(cards)}</main>", THINGS, includeSourceRefs=True)
    assert [one["price"] for one in answer["data"]] == [1.5, 2.5, 3.5, 4.5]
    prices = [source["text"] for source in answer["sources"] if source["path"].endswith("price")]
    assert prices == ["1,50 €", "2,50 €", "3,50 €", "4,50 €"]


async def test_sources_are_right_behind_a_price_whose_painted_pieces_are_left_out(browser: Browser, site: Site) -> None:
    painted = "<span aria-hidden=true><b>${0}</b><sup>50</sup></span>"
    item = f"<li><h3>{{1}}</h3><div class=price>{painted}<span class=sr-only>${{0}}.50</span></div></li>"
    body = "".join(item.format(at + 1, name) for at, name in enumerate(("Lamp", "Mug", "Bag")))
    answer = await extract(browser, site, f"<ul>{body}</ul>", THINGS, includeSourceRefs=True)
    assert [source["text"] for source in answer["sources"]] == ["Lamp", "$1.50", "Mug", "$2.50", "Bag", "$3.50"]
    for source in answer["sources"]:
        state = await browser.request("observe/element", {"selector": source["selector"], "properties": ["text"]})
        assert state["text"] == source["text"]


async def test_sources_in_shadow_roots_are_resolved(browser: Browser, site: Site) -> None:
    body = """<x-card><template shadowrootmode=open><h2><slot name=title></slot></h2><p class=price>$6.00</p></template>
    <span slot=title>Lamp</span></x-card><x-card><template shadowrootmode=open><h2><slot name=title></slot></h2>
    <p class=price>$8.00</p></template><span slot=title>Chair</span></x-card>"""
    answer = await extract(browser, site, f"<main>{body}</main>", THINGS, includeSourceRefs=True)
    assert answer["data"] == [{"name": "Lamp", "price": 6}, {"name": "Chair", "price": 8}]
    assert len(answer["sources"]) == 4
    for source in answer["sources"]:
        state = await browser.request("observe/element", {"selector": source["selector"], "properties": ["text"]})
        assert state["text"] == source["text"]


async def test_a_frame_is_searched_if_the_page_has_no_data(browser: Browser, site: Site) -> None:
    site.html("/inner", SHOP)
    await browser.call(page.navigate, url=site.html("/", "<h1>Outer</h1><iframe src=/inner></iframe>"))
    answer = await browser.request("agent/extract", {"schema": THINGS, "includeSourceRefs": True})
    assert [one["name"] for one in answer["data"]] == [f"Thing {at}" for at in range(1, 8)]
    first = answer["sources"][0]
    assert first["ref"].startswith("@f")
    state = await browser.request("observe/element", {"selector": first["selector"], "properties": ["text"]})
    assert state["text"] == first["text"]


async def test_the_selected_frame_is_read(browser: Browser, site: Site) -> None:
    site.html("/inner", "<h1>Chair</h1><p>Price: $8</p>")
    await browser.call(page.navigate, url=site.html("/", "<h1>Lamp</h1><p>Price: $6</p><iframe src=/inner></iframe>"))
    await browser.request("frame/switch", {"selector": {"type": "css", "value": "iframe"}})
    answer = await browser.request("agent/extract", {"schema": single(name="string", price="number")})
    assert answer["data"] == {"name": "Chair", "price": 8}


async def test_functions_of_the_page_are_never_called(browser: Browser, site: Site) -> None:
    body = (
        SHOP
        + """<script>
    var calls = 0;
    for (const kind of [Node, Element, HTMLElement, Document]) for (const name of Object.keys(kind.prototype)) {
      const own = Object.getOwnPropertyDescriptor(kind.prototype, name);
      if (!own.configurable || !own.get) continue;
      Object.defineProperty(kind.prototype, name, { ...own, get() { calls++; return own.get.call(this); } });
    }
    Object.defineProperty(Array.prototype, 'flatMap', { value: () => { calls++; } });
    calls = 0;</script>"""
    )

    async def counted() -> int:
        answer = await browser.request("script/evaluate", {"expression": "calls", "world": "main"})
        return int(answer["value"])

    await browser.call(page.navigate, url=site.html("/", body))
    idle = -await counted() + await counted()
    before = await counted()
    answer = await browser.request("agent/extract", {"schema": THINGS, "includeSourceRefs": True})
    assert len(answer["data"]) == 7
    assert await counted() - before == idle


async def test_the_page_is_left_as_it_was(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", SHOP))
    before = await browser.request("observe/dom", {})
    await browser.request("agent/extract", {"schema": THINGS, "includeSourceRefs": True})
    assert await browser.request("observe/dom", {}) == before


async def test_thousands_of_rows_are_read(browser: Browser, site: Site) -> None:
    rows = "".join(f"<tr><td>Item {at}<td>{at}.50</tr>" for at in range(5000))
    body = f"<table><tr><th>Name<th>Price</tr>{rows}</table>"
    answer = await extract(browser, site, body, THINGS, maxItems=5000)
    assert len(answer["data"]) == 5000
    assert answer["data"][4999] == {"name": "Item 4999", "price": 4999.5}


@pytest.mark.slow
async def test_a_page_beyond_all_limits_is_read_up_to_them(browser: Browser, site: Site) -> None:
    depth = "<div>" * 600 + "deep" + "</div>" * 600
    body = f"{SHOP}{depth}{'<span></span>' * 130_000}"
    assert len(await data_of(browser, site, body, THINGS)) == 7


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "object"}, "schema"),
        ({"type": "array", "items": {"type": "array", "items": {"type": "string"}}}, "schema.items"),
        (
            {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": single(c="string")}}}},
            "schema.properties.a.properties.b.properties.c",
        ),
        ({"type": "date"}, "schema.type"),
    ],
)
async def test_an_unsupported_schema_is_refused(browser: Browser, schema: dict[str, Any], path: str) -> None:
    with pytest.raises(errors.InvalidParams) as caught:
        await browser.request("agent/extract", {"schema": schema})
    assert caught.value.details["path"] == path


async def test_two_levels_of_nesting_are_supported(browser: Browser, site: Site) -> None:
    owner = {"type": "object", "properties": typed(owner="string", phone="string")}
    schema = {"type": "object", "properties": {"name": {"type": "string"}, "contact": owner}}
    body = "<h1>Lamp shop</h1><dl><dt>Owner</dt><dd>Ida Berg</dd><dt>Phone</dt><dd>+47 22 33 44 55</dd></dl>"
    assert await data_of(browser, site, body, schema) == {
        "name": "Lamp shop",
        "contact": {"owner": "Ida Berg", "phone": "+47 22 33 44 55"},
    }


async def test_the_observe_scope_may_extract(site: Site) -> None:
    config = Config(port=0, scope=Scope.READONLY, readonly_navigation=True, drain_timeout_s=1)
    async with open_server(config) as server, server.connect() as browser:
        assert len(await data_of(browser, site, SHOP, THINGS)) == 7


async def test_numbers_are_read_as_the_page_writes_them(browser: Browser, site: Site) -> None:
    for language, said, meant in (
        ("de", "1.299 €", 1299),
        ("en", "$1,299", 1299),
        ("de", "12,5 €", 12.5),
        ("fr", "1 299,90 €", 1299.9),
        ("en", "1.5k", 1500),
        ("en", "-£4.20", -4.2),
        ("de-CH", "CHF 1’299.50", 1299.5),
    ):
        body = f"<script>document.documentElement.lang = '{language}'</script><h1>Lamp</h1><p>Price: {said}</p>"
        assert await data_of(browser, site, body, single(price="number")) == {"price": meant}, said


async def test_each_field_has_its_confidence_and_evidence(browser: Browser, site: Site) -> None:
    body = "<h1>Club</h1><dl><dt>Phone</dt><dd>+44 113 496 0100</dd></dl>"
    answer = await extract(browser, site, body, single(phone="string", vatNumber="string"), minConfidence=0)
    assert answer["data"] == {"phone": "+44 113 496 0100"}
    assert answer["fields"]["phone"]["source"] == "label"
    assert 0 < answer["fields"]["phone"]["confidence"] < 1
    assert answer["fields"]["vatNumber"] == {"confidence": 0}


async def test_a_conflict_with_json_ld_is_reported(browser: Browser, site: Site) -> None:
    body = """<script type="application/ld+json">{"@type":"Product","name":"Cello","price":"1699.00"}</script>
    <h1>Cello</h1><p class=price>$1,449.99</p>"""
    answer = await extract(browser, site, body, single(name="string", price="number"))
    assert answer["data"]["price"] == 1449.99
    assert answer["fields"]["price"]["conflict"] == "1699.00"


async def test_doubtful_values_are_withheld_with_reasons(browser: Browser, site: Site) -> None:
    answer = await extract(browser, site, SHOP, THINGS, minConfidence=1)
    assert not answer["success"]
    assert "Below minConfidence 1: name (0." in answer["error"]
    assert answer["fields"]["name"]["withheld"] is answer["fields"]["price"]["withheld"] is True


async def test_a_doubtful_required_value_fails(browser: Browser, site: Site) -> None:
    schema = single(name="string") | {"required": ["name"]}
    answer = await extract(browser, site, "<h1>Lamp</h1>", schema, minConfidence=1)
    assert not answer["success"]
    assert "name (0." in answer["error"]
    assert "data" not in answer


async def test_a_document_that_its_script_has_emptied_holds_nothing(browser: Browser, site: Site) -> None:
    await browser.call(page.navigate, url=site.html("/", "<script>document.replaceChildren()</script>"))
    answer = await browser.request("agent/extract", {"schema": single(name="string")})
    assert not answer["success"]
