"""agent/extract: documents of JSON and XML, which the browser shows as text or as a tree."""

import json
from typing import Any, Final

import pytest

from agentbrowser.client import Browser
from agentbrowser.methods import page
from tests.browser.extract.test_extract import Plain, listed, single
from tests.browser.site import Site

_LAMPS: Final = [{"name": "Lamp", "price": 12.5, "inStock": True}, {"name": "Chair", "price": 49, "inStock": False}]
_ISSUES: Final = {
    "total": 2,
    "items": [
        {"title": "A trip", "author": {"login": "ann"}, "created_at": "2024-03-01"},
        {"title": "Bug in parser", "author": {"login": "bob"}, "created_at": "2024-03-02"},
    ],
}
_SHOWN: Final = {"type": "css", "value": ":root > body > pre"}
_CHANNEL: Final = """<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title>
<item><title>Bridge closed</title><link>http://alm.example/1</link><dc:creator>Ann</dc:creator></item>
<item><title>New school</title><link>http://alm.example/2</link><dc:creator>Bob</dc:creator></item></channel></rss>"""
_NEWS: Final = [
    {"title": "Bridge closed", "link": "http://alm.example/1", "author": "Ann"},
    {"title": "New school", "link": "http://alm.example/2", "author": "Bob"},
]
_CATALOG: Final = """<catalog><product sku="L1"><name>Lamp</name><price currency="EUR">12.50</price></product>
<product sku="C2"><name>Chair</name><price currency="SEK">49</price></product></catalog>"""
_PRODUCTS: Final = [
    {"sku": "L1", "name": "Lamp", "price": 12.5, "currency": "EUR"},
    {"sku": "C2", "name": "Chair", "price": 49, "currency": "SEK"},
]


async def _extract(browser: Browser, site: Site, type_: str, text: str, schema: Plain, **params: Any) -> Plain:
    await browser.call(page.navigate, url=site.serve("/data", text.encode(), **{"Content-Type": type_}))
    answer: Plain = await browser.request("agent/extract", {"schema": schema, **params})
    return answer


@pytest.mark.parametrize(
    ("type_", "text", "schema", "data"),
    [
        ("application/json", json.dumps(_LAMPS), listed(name="string", price="number", inStock="boolean"), _LAMPS),
        (
            "application/vnd.api+json; charset=utf-8",
            json.dumps(_ISSUES, indent=2),
            listed(title="string", author="string", createdAt="string"),
            [
                {"title": "A trip", "author": "ann", "createdAt": "2024-03-01"},
                {"title": "Bug in parser", "author": "bob", "createdAt": "2024-03-02"},
            ],
        ),
        ("text/plain", json.dumps(_LAMPS), listed(name="string", price="number"), [
            {"name": "Lamp", "price": 12.5}, {"name": "Chair", "price": 49},
        ]),
        ("application/rss+xml", _CHANNEL, listed(title="string", link="string", author="string"), _NEWS),
        ("text/xml", _CHANNEL, listed(title="string", link="string", author="string"), _NEWS),
        (
            "application/xml",
            _CATALOG,
            listed(sku="string", name="string", price="number", currency="string"),
            _PRODUCTS,
        ),
    ],
)  # fmt: skip
async def test_a_list_of_a_document_of_data_is_read(
    browser: Browser, site: Site, type_: str, text: str, schema: Plain, data: Plain
) -> None:
    answer = await _extract(browser, site, type_, text, schema)
    assert answer["success"], answer
    assert answer["data"] == data


async def test_the_source_of_a_value_is_the_element_that_shows_the_data(browser: Browser, site: Site) -> None:
    text = json.dumps({"order": {"status": "shipped", "total": {"amount": 99.5}}})
    schema = single(status="string", total="number", phone="string")
    answer = await _extract(browser, site, "application/json", text, schema, includeSourceRefs=True)
    assert answer["data"] == {"status": "shipped", "total": 99.5}
    assert {str(source["selector"]) for source in answer["sources"]} == {str(_SHOWN)}


@pytest.mark.parametrize(("type_", "text"), [("application/json", '{"status": "shipped"'), ("text/plain", "<?xml <a>")])
async def test_a_broken_document_of_data_has_none(browser: Browser, site: Site, type_: str, text: str) -> None:
    answer = await _extract(browser, site, type_, text, single(status="string"))
    assert not answer["success"], answer


async def test_an_image_of_xml_is_read_as_a_page(browser: Browser, site: Site) -> None:
    text = (
        """<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><text x="5" y="20">Total: 5</text></svg>"""
    )
    answer = await _extract(browser, site, "image/svg+xml", text, single(fill="string"))
    assert not answer["success"], answer


async def test_a_document_of_data_that_is_too_long_to_be_read_is_reported(browser: Browser, site: Site) -> None:
    text = json.dumps([{"name": "Lamp", "note": "x" * 500}] * 1000)
    answer = await _extract(browser, site, "application/json", text, listed(name="string"))
    assert not answer["success"], answer
    assert answer["truncated"]
