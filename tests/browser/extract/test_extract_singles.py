"""agent/extract: single objects, whose values are found by their names."""

from agentbrowser.client import Browser
from tests.browser.extract.test_extract import data_of, extract, single
from tests.browser.site import Site


async def test_a_unit_in_the_name_of_a_field_is_ignored(browser: Browser, site: Site) -> None:
    body = """<h1>Line</h1><table><tr><td>Length:</td><td>33.9 km</td></tr><tr><td>Width:</td><td>1000 mm</td></tr>
    <tr><td>Operator:</td><td>Wendel GmbH<sup><a href="#n1">[1]</a></sup></td></tr></table>"""
    schema = single(lengthKm="number", widthMm="number", operator="string")
    assert await data_of(browser, site, body, schema) == {"lengthKm": 33.9, "widthMm": 1000, "operator": "Wendel GmbH"}


async def test_a_time_is_read_as_shown_and_not_in_machine_form(browser: Browser, site: Site) -> None:
    body = """<script type="application/ld+json">{"@type": "Recipe", "name": "Tart", "prepTime": "PT20M"}</script>
    <h1>Tart</h1><div><span class=label>Preparation</span> <span>20 minutes</span></div>"""
    assert await data_of(browser, site, body, single(name="string", prepTime="string")) == {
        "name": "Tart",
        "prepTime": "20 minutes",
    }


async def test_a_duration_is_given_in_machine_form_where_that_is_requested(browser: Browser, site: Site) -> None:
    body = """<h1>Tart</h1><dl><dt>Preparation time</dt><dd><time datetime="PT20M">20 minutes</time></dd></dl>"""
    schema = single(name="string", prepTime="string")
    schema["properties"]["prepTime"]["description"] = "ISO 8601 duration"
    assert (await data_of(browser, site, body, schema))["prepTime"] == "PT20M"


async def test_a_count_that_is_shown_goes_before_one_in_data_for_machines(browser: Browser, site: Site) -> None:
    body = """<script type="application/ld+json">{"@type": "Product", "name": "Lamp",
    "aggregateRating": {"@type": "AggregateRating", "ratingValue": 4.4, "reviewCount": 90}}</script>
    <h1>Lamp</h1><p>4.4 <span>97 reviews</span></p>"""
    assert await data_of(browser, site, body, single(name="string", reviewCount="integer")) == {
        "name": "Lamp",
        "reviewCount": 97,
    }


async def test_labels_of_a_form_are_no_values(browser: Browser, site: Site) -> None:
    body = """<h1>Booking</h1><form><label><b>Email</b></label><input name=a><label><b>Arrival</b></label>
    <input name=b></form>"""
    answer = await extract(browser, site, body, single(email="string", arrival="string"))
    assert not answer["success"], answer


async def test_a_chosen_file_is_its_name_and_no_path_with_a_label(browser: Browser, site: Site) -> None:
    body = """<h1>Application</h1><p>Step 3 of 3<form><label>Photo <input type=file></label></form>
    <script>const chosen = new DataTransfer(); chosen.items.add(new File(["x"], "photo.png"));
    document.querySelector("input").files = chosen.files</script>"""
    asked = single(photo="string")
    assert await data_of(browser, site, body, asked, minConfidence=0.1) == {"photo": "photo.png"}
    answer = await extract(browser, site, body, single(reference="string"))
    assert not answer["success"], answer


async def test_the_options_of_a_control_do_not_name_it(browser: Browser, site: Site) -> None:
    body = """<h1>Delivery</h1><p><label>Country <select><option>Price</option><option selected>Norway</option>
    <option>Floor area of the flat in square metres</option></select></label></p>"""
    assert await data_of(browser, site, body, single(country="string")) == {"country": "Norway"}
    answer = await extract(browser, site, body, single(floorArea="string"))
    assert not answer["success"], answer


async def test_the_label_of_a_control_does_not_name_the_text_before_it(browser: Browser, site: Site) -> None:
    body = "<h1>Delivery</h1><p><label for=c>Country</label> <input id=c></p><b>Express</b><label>City <input></label>"
    answer = await extract(browser, site, body, single(country="string", city="string"))
    assert not answer["success"], answer


async def test_the_headers_of_a_table_with_one_row_name_its_values(browser: Browser, site: Site) -> None:
    body = """<h1>Result</h1><table><tr><th>Voters</th><th>Turnout</th></tr>
    <tr><td>81,344</td><td>56.93</td></tr></table>"""
    assert await data_of(browser, site, body, single(voters="integer", turnout="number")) == {
        "voters": 81344,
        "turnout": 56.93,
    }


async def test_a_total_count_is_read_and_not_the_count_of_the_page(browser: Browser, site: Site) -> None:
    body = "<h1>Hoodies</h1><p>Items 1-9 of 47</p><div>Page 1 of 6</div>"
    assert await data_of(browser, site, body, single(itemCount="integer", pageCount="integer")) == {
        "itemCount": 47,
        "pageCount": 6,
    }


async def test_an_address_is_found_by_the_text_of_its_link(browser: Browser, site: Site) -> None:
    body = """<h1>Quill</h1><a href="https://code.example/quill">Source code</a>
    <a href="https://quill.example/">Homepage</a> <a href="https://else.example/">Help</a>"""
    schema = {"type": "object", "properties": {"homepageUrl": {"type": "string", "format": "uri"}}}
    assert await data_of(browser, site, body, schema) == {"homepageUrl": "https://quill.example/"}


async def test_a_telephone_number_is_read_as_shown(browser: Browser, site: Site) -> None:
    body = """<h1>Club</h1><p>Write to us.</p><p><a href="tel:+4855550132"><span>55 55 01 32</span></a></p>"""
    assert await data_of(browser, site, body, single(name="string", phone="string")) == {
        "name": "Club",
        "phone": "55 55 01 32",
    }


async def test_a_value_that_the_page_lacks_is_not_returned(browser: Browser, site: Site) -> None:
    body = "<h1>Club</h1><p>We meet every week.</p><ul><li><a href=/a>News</a></li><li><a href=/b>Photos</a></li></ul>"
    answer = await extract(browser, site, body, single(allergens="string", mileage="number"))
    assert not answer["success"], answer


async def test_a_price_is_the_valid_one_and_not_the_one_that_is_struck_out(browser: Browser, site: Site) -> None:
    hidden = "style='position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(1px, 1px, 1px, 1px)'"
    for price in (
        "<p class=price><del><span>$20.00</span></del> <ins><span>$15.00</span></ins></p>",
        "<p class=price><s>$20.00</s> $15.00</p>",
        "<p class=price><span style='text-decoration: line-through'>$20.00</span> <span>$15.00</span></p>",
        f"""<p class=price><del aria-hidden=true>$20.00</del> <span {hidden}>Original price was: $20.00.</span>
        <ins aria-hidden=true>$15.00</ins> <span {hidden}>Current price is: $15.00.</span></p>""",
    ):
        body = f"<h1>Blue mug</h1>{price}<p>In stock</p><button>Add to cart</button>"
        answer = await data_of(browser, site, body, single(name="string", price="number"))
        assert answer == {"name": "Blue mug", "price": 15}, price
        answer = await data_of(browser, site, body, single(name="string", price="number", originalPrice="number"))
        # With texts for screen readers, the former price may make the other one doubtful: absent, and not wrong.
        assert {"price": 15, **answer} == {"name": "Blue mug", "price": 15, "originalPrice": 20}, price


async def test_the_name_of_a_value_is_none_of_the_parts_of_a_line_before_it(browser: Browser, site: Site) -> None:
    body = """<h1>Account settings</h1><form><label>Display name <input value="Ines Calder"></label></form>
    <p>Member since March 2021 · Plan: Pro, renews 1 Jan 2027 · <a href=#>Delete account</a></p>"""
    schema = single(displayName="string", plan="string", memberSince="string", country="string", renewal="string")
    answer = await data_of(browser, site, body, schema)
    assert answer["plan"].startswith("Pro")
    assert "Pro" not in answer.get("memberSince", "")


async def test_a_name_with_its_value_names_nothing_beside_it(browser: Browser, site: Site) -> None:
    car = "<h1>Golf</h1><ul><li>Fuel<b>Diesel</b></li><li>Power<b>110 kW</b></li><li>Owners<b>-</b></li></ul>"
    asked = single(fuel="string", power="number", owners="integer")
    assert await data_of(browser, site, car, asked) == {"fuel": "Diesel", "power": 110}
    ticket = "<h1>Ticket 42</h1><p>Assignee: none</p><span class=label>bug</span><p>Milestone: 2.0</p>"
    assert await data_of(browser, site, ticket, single(assignee="string", milestone="string")) == {"milestone": "2.0"}


async def test_the_name_between_a_figure_and_its_change_is_that_of_the_figure(browser: Browser, site: Site) -> None:
    tiles = (("12,408", "Active users", "+4.2%"), ("$1.2M", "Revenue", "▼ 1.1%"), ("2.3%", "Churn", "+0.1%"))
    body = "<h1>Dashboard</h1>" + "".join(
        f"<div>{''.join(f'<div>{one}</div>' for one in tile)}</div>" for tile in tiles
    )
    schema = single(activeUsers="integer", revenue="string", churn="number")
    assert await data_of(browser, site, body, schema) == {"activeUsers": 12408, "revenue": "$1.2M", "churn": 2.3}


async def test_a_text_in_the_title_of_the_document_is_what_a_page_without_a_heading_of_its_own_is_about(
    browser: Browser, site: Site
) -> None:
    body = """<script>document.title = "Bethan Prys — Conservator"</script><nav>BP</nav>
    <div class=card><span class=card-title>Bethan Prys</span><p class=role>Book conservator</p>
    <p>bethan@prys.example</p></div><h4>Experience</h4><p>Lead Conservator, Ludlow</p><h5>Skills</h5><p>Paste</p>"""
    answer = await extract(browser, site, body, single(name="string", email="string"))
    assert answer["data"] == {"name": "Bethan Prys", "email": "bethan@prys.example"}, answer


async def test_the_day_of_the_last_change_ends_where_the_next_sentence_begins(browser: Browser, site: Site) -> None:
    body = "<h1>Papers</h1><p>Some.</p><address>Last changed: 3 February 2025. Best viewed with any browser.</address>"
    assert await data_of(browser, site, body, single(lastUpdated="string")) == {"lastUpdated": "3 February 2025"}
