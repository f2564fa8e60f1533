"""agent/extract: structures of pages, and the values in them."""

from typing import Any

from agentbrowser.client import Browser
from agentbrowser.methods import page
from tests.browser.site import Site

Plain = dict[str, Any]


def listed(**properties: str) -> Plain:
    """Return the schema of an array of objects with scalar properties."""
    return {"type": "array", "items": {"type": "object", "properties": typed(**properties)}}


def single(**properties: str) -> Plain:
    """Return the schema of an object with scalar properties."""
    return {"type": "object", "properties": typed(**properties)}


def typed(**properties: str) -> Plain:
    return {name: {"type": kind} for name, kind in properties.items()}


async def extract(browser: Browser, site: Site, body: str, schema: Plain, **params: Any) -> Plain:
    await browser.call(page.navigate, url=site.html("/", body))
    answer: Plain = await browser.request("agent/extract", {"schema": schema, **params})
    return answer


async def data_of(browser: Browser, site: Site, body: str, schema: Plain, **params: Any) -> Any:
    answer = await extract(browser, site, body, schema, **params)
    assert answer["success"], answer
    assert 0 < answer["confidence"] <= 1
    return answer["data"]


PAIR: list[Plain] = [{"name": "Lamp", "price": 12.5}, {"name": "Chair", "price": 1049}]
THINGS = listed(name="string", price="number")


async def test_a_table_with_headers_is_read(browser: Browser, site: Site) -> None:
    body = """<table><thead><tr><th>Product</th><th>Price</th></tr></thead>
    <tbody><tr><td>Lamp</td><td>$12.50</td></tr><tr><td>Chair</td><td>$1,049.00</td></tr></tbody>
    <tfoot><tr><td>Total</td><td>$1,061.50</td></tr></tfoot></table>"""
    assert await data_of(browser, site, body, THINGS) == PAIR


async def test_a_first_row_that_only_resembles_headers_is_data(browser: Browser, site: Site) -> None:
    body = """<table><tr><td><b>Name</b></td><td><b>Price</b></td></tr>
    <tr><td>Lamp</td><td>12.50</td></tr><tr><td>Chair</td><td>1,049.00</td></tr></table>"""
    assert await data_of(browser, site, body, THINGS) == PAIR


async def test_a_cell_with_rowspan_is_a_value_of_each_row(browser: Browser, site: Site) -> None:
    body = """<table><tr><th>Region</th><th>Town</th><th>People</th></tr>
    <tr><th rowspan=2>North</th><td>Alm</td><td>10,200</td></tr><tr><td>Birk</td><td>900</td></tr>
    <tr><th rowspan=1>South</th><td>Cole</td><td>55,000</td></tr></table>"""
    data = await data_of(browser, site, body, listed(region="string", town="string", people="integer"))
    assert data == [
        {"region": "North", "town": "Alm", "people": 10200},
        {"region": "North", "town": "Birk", "people": 900},
        {"region": "South", "town": "Cole", "people": 55000},
    ]


async def test_grouped_headers_are_joined(browser: Browser, site: Site) -> None:
    body = """<table><thead><tr><th rowspan=2>City</th><th colspan=2>Population</th></tr>
    <tr><th>2011</th><th>2021</th></tr></thead><tbody><tr><td>Oslo</td><td>600</td><td>700</td></tr>
    <tr><td>Bergen</td><td>260</td><td>285</td></tr></tbody></table>"""
    data = await data_of(browser, site, body, listed(city="string", population2021="integer"))
    assert data == [{"city": "Oslo", "population2021": 700}, {"city": "Bergen", "population2021": 285}]


async def test_a_transposed_table_is_read(browser: Browser, site: Site) -> None:
    body = """<table><tr><th></th><th>Basic</th><th>Pro</th></tr><tr><th>Price</th><td>$5</td><td>$9</td></tr>
    <tr><th>Storage</th><td>1 GB</td><td>10 GB</td></tr><tr><th>Support</th><td>no</td><td>yes</td></tr></table>"""
    schema = listed(plan="string", price="number", storage="string", support="boolean")
    assert await data_of(browser, site, body, schema) == [
        {"plan": "Basic", "price": 5, "storage": "1 GB", "support": False},
        {"plan": "Pro", "price": 9, "storage": "10 GB", "support": True},
    ]


async def test_an_aria_table_is_read(browser: Browser, site: Site) -> None:
    cell = "<div role=cell>{}</div>"
    row = "<div role=row>{}</div>"
    heads = row.format("<span role=columnheader>Name</span><span role=columnheader>Price</span>")
    rows = [
        row.format(cell.format(name) + cell.format(price)) for name, price in (("Lamp", "12.50"), ("Chair", "1049"))
    ]
    body = f"<div role=table>{heads}<div role=rowgroup>{''.join(rows)}</div></div>"
    assert await data_of(browser, site, body, THINGS, mode="table") == PAIR


async def test_cells_of_a_grid_are_in_the_column_that_they_state(browser: Browser, site: Site) -> None:
    """AG Grid draws pinned columns in rows of their own, and cells in the order in which their columns came."""

    def row(index: int, role: str, cells: dict[int, str]) -> str:
        parts = "".join(f"<div role={role} aria-colindex={column}>{cell}</div>" for column, cell in cells.items())
        return f"<div role=row aria-rowindex={index}>{parts}</div>"

    box = "<input type=checkbox><label><span>Pin run</span><input type=checkbox></label>"
    pinned, others = [], []
    for n in range(4):
        pinned.append(row(n + 2, "gridcell", {2: f"run-{n}", 3: f"{n + 3} minutes ago", 1: box}))
        others.append(row(n + 2, "gridcell", {5: f"{n + 1}00 ms", 4: f"set {n}"}))
    heads = [
        row(1, "columnheader", {2: "Run", 3: "Created", 1: ""}),
        row(1, "columnheader", {4: "Dataset", 5: "Duration"}),
    ]
    groups = (heads[:1], heads[1:], pinned, others)
    body = "".join(f"<div role=rowgroup>{''.join(rows)}</div>" for rows in groups)
    schema = listed(run="string", dataset="string", duration="string")
    data = await data_of(browser, site, f"<div role=grid>{body}</div>", schema)
    assert data == [{"run": f"run-{n}", "dataset": f"set {n}", "duration": f"{n + 1}00 ms"} for n in range(4)]


async def test_headers_of_a_grid_may_be_laid_out_by_a_table_of_their_own(browser: Browser, site: Site) -> None:
    """Gradio draws the rows beside it: the page places those in view, and a hidden row keeps the columns wide."""
    heads = "".join(f"<th role=columnheader>{name} <button>⋮</button></th>" for name in ("item", "qty", "price"))
    wide = "<tbody aria-hidden=true><tr style='visibility:hidden'><td>Shelf<td>44<td>199.50</tbody>"
    head = f"<table role=none><thead role=rowgroup><tr role=row>{heads}</tr></thead>{wide}</table>"
    goods = (("Chair", "2", "19.50"), ("Desk", "3", "29.50"), ("Lamp", "4", "39.50"))
    stock = [dict(zip(("item", "qty", "price"), row, strict=True)) for row in goods]
    cells = ["".join(f"<div role=gridcell>{cell}</div>" for cell in row) for row in goods]
    rows = "".join(f"<div role=row>{row}</div>" for row in cells)
    schema = listed(item="string", qty="string", price="string")
    assert await data_of(browser, site, f"<div role=grid>{head}<div role=none>{rows}</div></div>", schema) == stock


async def test_the_best_of_several_tables_is_read(browser: Browser, site: Site) -> None:
    body = """<h2>Opening hours</h2><table><tr><th>Day</th><th>Hours</th></tr><tr><td>Mon</td><td>9-5</td></tr>
    <tr><td>Tue</td><td>9-5</td></tr></table><h2>Menu</h2><table><tr><th>Dish</th><th>Price</th></tr>
    <tr><td>Soup</td><td>4.50</td></tr><tr><td>Stew</td><td>9.00</td></tr></table>"""
    data = await data_of(browser, site, body, listed(dish="string", price="number"))
    assert data == [{"dish": "Soup", "price": 4.5}, {"dish": "Stew", "price": 9}]


async def test_a_grid_of_loose_cells_is_read(browser: Browser, site: Site) -> None:
    cells = "".join(f"<div>{text}</div>" for text in ("Lamp", "12.50", "Chair", "1049"))
    heads = "<div class=head>Name</div><div class=head>Price</div>"
    body = f"<div style='display:grid;grid-template-columns:1fr 1fr'>{heads}{cells}</div>"
    assert await data_of(browser, site, body, THINGS) == PAIR


async def test_cards_are_found_by_their_structure_alone(browser: Browser, site: Site) -> None:
    card = "<div><a href=/p/{0}><h3>{1}</h3></a><p>{2}</p></div>"
    cards = [card.format(*one) for one in (("lamp", "Lamp", "€12,50"), ("chair", "Chair", "€1.049,00"))]
    data = await data_of(
        browser, site, f"<main>{''.join(cards)}</main>", listed(name="string", price="number", url="string")
    )
    assert data == [{**thing, "url": site.url(f"/p/{thing['name'].lower()}")} for thing in PAIR]


async def test_cards_in_several_rows_are_one_list(browser: Browser, site: Site) -> None:
    card = "<div class=c><h3>{}</h3><span class=price>${}</span></div>"
    names = ["Ash", "Birch", "Cedar", "Dogwood", "Elm"]
    cards = [card.format(name, 10 + at) for at, name in enumerate(names)]
    body = f"<div><div class=row>{''.join(cards[:3])}</div><div class=row>{''.join(cards[3:])}</div></div>"
    data = await data_of(browser, site, body, THINGS)
    assert data == [{"name": name, "price": 10 + at} for at, name in enumerate(names)]


async def test_advertisements_between_items_are_dropped(browser: Browser, site: Site) -> None:
    card = "<li class='{}'><h3>{}</h3><b>$5</b></li>"
    cards = [card.format("item", name) for name in ("Ash", "Birch", "Cedar")]
    banner, advert = card.format("item sponsored", "Buy now"), "<li><small>Ad</small>Casino</li>"
    body = f"<ul>{cards[0]}{banner}{cards[1]}{advert}{cards[2]}</ul>"
    data = await data_of(browser, site, body, THINGS)
    assert [one["name"] for one in data] == ["Ash", "Birch", "Cedar"]


async def test_an_advertisement_that_begins_like_an_item_is_dropped(browser: Browser, site: Site) -> None:
    things = "".join(f"<h3>Walk {n}</h3><p>Along the river, part {n}</p>" for n in range(1, 6))
    body = f"<div><h3><a rel=sponsored href=/ad>Casino</a></h3>{things}</div>"
    data = await data_of(browser, site, body, listed(title="string", text="string"))
    assert data == [{"title": f"Walk {n}", "text": f"Along the river, part {n}"} for n in range(1, 6)]


async def test_a_missing_value_shifts_no_other(browser: Browser, site: Site) -> None:
    card = "<li><b>{}</b><span>{}</span></li>"
    rows = [card.format("Ann", "ann@x.example</span><span>+44 20 7946 0101"), card.format("Bob", "+44 20 7946 0102")]
    rows += [card.format("Cid", "cid@x.example"), card.format("Dee", "dee@x.example</span><span>+44 20 7946 0104")]
    data = await data_of(
        browser, site, f"<ul>{''.join(rows)}</ul>", listed(name="string", email="string", phone="string")
    )
    assert data[1] == {"name": "Bob", "phone": "+44 20 7946 0102"}
    assert data[2] == {"name": "Cid", "email": "cid@x.example"}
    assert data[3] == {"name": "Dee", "email": "dee@x.example", "phone": "+44 20 7946 0104"}


async def test_headings_with_their_content_are_items(browser: Browser, site: Site) -> None:
    body = """<h1>Help</h1><h3>Is it free?</h3><p>It is, for up to five people in one household.</p>
    <h3>Can I leave?</h3><p>At any time, with a month of notice by letter.</p>"""
    assert await data_of(browser, site, body, listed(question="string", answer="string")) == [
        {"question": "Is it free?", "answer": "It is, for up to five people in one household."},
        {"question": "Can I leave?", "answer": "At any time, with a month of notice by letter."},
    ]


async def test_a_definition_list_is_one_object(browser: Browser, site: Site) -> None:
    body = "<dl><dt>Brand</dt><dd>Acme</dd><dt>Weight</dt><dd>3 kg</dd><dt>Warranty</dt><dd>2 years</dd></dl>"
    data = await data_of(browser, site, body, single(brand="string", weight="string", warranty="string"))
    assert data == {"brand": "Acme", "weight": "3 kg", "warranty": "2 years"}


async def test_labels_and_values_are_read_from_any_markup(browser: Browser, site: Site) -> None:
    pairs = (("Manufacturer", "Acme"), ("Colour", "dark red"), ("Weight", "3 kg"))
    for pair in (
        "<p>{}: {}</p>",
        "<p><b>{}:</b> {}</p>",
        "<div><span>{}</span><span>{}</span></div>",
        "<div><div class=label>{}</div><div class=value><span>{}</span></div></div>",
        "<table><tr><th>{}</th><td>{}</td></tr></table>",
        "<li><strong>{}</strong> {}</li>",
    ):
        body = "<h1>Kettle</h1>" + "".join(pair.format(*one) for one in pairs)
        data = await data_of(browser, site, body, single(brand="string", color="string", weight="string"))
        assert data == {"brand": "Acme", "color": "dark red", "weight": "3 kg"}, pair


async def test_the_current_values_of_a_form_are_read(browser: Browser, site: Site) -> None:
    body = """<form><label>First name <input value=Ida></label><label for=l>Last name</label><input id=l value=Berg>
    <label>Country <select><option>Norway<option selected>Sweden</select></label>
    <label><input type=checkbox checked> Newsletter</label><label><input type=checkbox> Public profile</label>
    <fieldset><legend>Plan</legend><label><input type=radio name=p> Free</label>
    <label><input type=radio name=p checked> Team</label></fieldset>
    <textarea aria-label=About>Sails.</textarea></form>"""
    schema = single(
        firstName="string", lastName="string", country="string", newsletter="boolean", publicProfile="boolean"
    )
    schema["properties"] |= typed(plan="string", about="string")
    assert await data_of(browser, site, body, schema) == {
        "firstName": "Ida",
        "lastName": "Berg",
        "country": "Sweden",
        "newsletter": True,
        "publicProfile": False,
        "plan": "Team",
        "about": "Sails.",
    }


async def test_secrets_are_never_read(browser: Browser, site: Site) -> None:
    body = """<form><label>User <input value=ida></label><label>Password <input type=password value=canary></label>
    <label>Code <input autocomplete=one-time-code value=canary></label>
    <label>Card number <input autocomplete=cc-number value=canary></label>
    <input type=hidden name=token value=canary></form>"""
    schema = single(user="string", password="string", code="string", cardNumber="string", token="string")
    answer = await extract(browser, site, body, schema, includeSourceRefs=True)
    assert answer["data"] == {"user": "ida"}
    assert "canary" not in str(answer)


async def test_hidden_texts_are_not_read(browser: Browser, site: Site) -> None:
    body = """<div hidden>Price: $1</div><div style=visibility:hidden>Price: $2</div><template>Price: $3</template>
    <p style=opacity:0>Price: $4</p><!-- Price: $5 --><h1>Lamp</h1><p>Price: $6</p>"""
    assert await data_of(browser, site, body, single(name="string", price="number")) == {"name": "Lamp", "price": 6}


async def test_microdata_names_values_of_any_form(browser: Browser, site: Site) -> None:
    body = """<div itemscope itemtype=https://schema.org/Product><span itemprop=name>Lamp</span> and more words
    <meta itemprop=sku content=L-77><i itemprop=price content=12.50>twelve and a half</i></div>"""
    data = await data_of(browser, site, body, single(name="string", sku="string", price="number"))
    assert data == {"name": "Lamp", "sku": "L-77", "price": 12.5}


async def test_rdfa_is_read(browser: Browser, site: Site) -> None:
    body = """<div vocab=https://schema.org/ typeof=Person><p>The poet <b property=name>Ida Berg</b>, a
    <i property=nationality>Norwegian</i>, won the <u property=award>North Prize</u>.</p></div>"""
    data = await data_of(browser, site, body, single(name="string", nationality="string", award="string"))
    assert data == {"name": "Ida Berg", "nationality": "Norwegian", "award": "North Prize"}


async def test_json_ld_is_read(browser: Browser, site: Site) -> None:
    body = """<h1>Soup</h1><script type=application/ld+json>{"@context": "https://schema.org", "@type": "Recipe",
    "name": "Soup", "recipeYield": "4 portions", "author": {"@type": "Person", "name": "Ida Berg"},
    "aggregateRating": {"ratingValue": "4.5", "reviewCount": 12}}</script>"""
    schema = single(name="string", author="string", rating="number", servings="string")
    data = await data_of(browser, site, body, schema, minConfidence=0)  # "servings" is doubtful
    assert data == {"name": "Soup", "author": "Ida Berg", "rating": 4.5, "servings": "4 portions"}


async def test_embedded_application_state_is_read(browser: Browser, site: Site) -> None:
    body = """<div id=app>Loading</div><script type=application/json>{"props": {"stations": [
    {"id": 1, "title": "Canal Street", "bikes": 7, "open": true},
    {"id": 2, "title": "Mill Lane", "bikes": 0, "open": false}
    ]}}</script>"""
    data = await data_of(browser, site, body, listed(title="string", bikes="integer", open="boolean"))
    assert data == [
        {"title": "Canal Street", "bikes": 7, "open": True},
        {"title": "Mill Lane", "bikes": 0, "open": False},
    ]


async def test_broken_embedded_data_is_ignored(browser: Browser, site: Site) -> None:
    body = "<script type=application/ld+json>{oops</script><h1>Lamp</h1><p>Price: $6</p>"
    assert await data_of(browser, site, body, single(name="string", price="number")) == {"name": "Lamp", "price": 6}


async def test_open_graph_is_read(browser: Browser, site: Site) -> None:
    body = """<meta property=og:title content="Trams return"><meta property=og:image content=https://x.example/t.jpg>
    <meta name=author content="Ida Berg"><p>Text.</p>"""
    data = await data_of(browser, site, body, single(title="string", image="string", author="string"))
    assert data == {"title": "Trams return", "image": "https://x.example/t.jpg", "author": "Ida Berg"}


async def test_values_are_read_from_attributes(browser: Browser, site: Site) -> None:
    row = "<li><a href={0}>{1}</a> <time datetime={2}>{3}</time><img src={4} alt=''></li>"
    body = "<ul>{}{}</ul>".format(
        row.format("/a", "Alpha", "2024-05-01", "last week", "/a.png"),
        row.format("/b", "Beta", "2024-05-08", "yesterday", "/b.png"),
    )
    schema = listed(title="string", link="string", image="string")
    schema["items"]["properties"]["date"] = {"type": "string", "description": "as ISO date"}
    assert await data_of(browser, site, body, schema) == [
        {"title": "Alpha", "link": site.url("/a"), "image": site.url("/a.png"), "date": "2024-05-01"},
        {"title": "Beta", "link": site.url("/b"), "image": site.url("/b.png"), "date": "2024-05-08"},
    ]


async def test_ratings_are_read_from_stars_words_and_classes(browser: Browser, site: Site) -> None:
    stars = ("★★★★☆", "<i class='star-rating Three'></i>", "<b aria-label='4.5 out of 5 stars'></b>")
    for expected, drawn in zip((4, 3, 4.5), stars, strict=True):
        body = "".join(f"<li><h3>{name}</h3><div>{drawn}</div></li>" for name in ("Ash", "Birch", "Cedar"))
        data = await data_of(browser, site, f"<ul>{body}</ul>", listed(title="string", rating="number"))
        assert [one["rating"] for one in data] == [expected] * 3


async def test_a_badge_on_some_items_is_read_as_yes_and_no(browser: Browser, site: Site) -> None:
    rows = ("Ash", ""), ("Birch", "<em class=tag>In stock</em>"), ("Cedar", "<em class=tag>In stock</em>")
    body = "".join(f"<li><h3>{name}</h3>{mark}</li>" for name, mark in rows)
    data = await data_of(browser, site, f"<ul>{body}</ul>", listed(name="string", inStock="boolean"))
    assert [one["inStock"] for one in data] == [False, True, True]


async def test_lists_in_items_are_read(browser: Browser, site: Site) -> None:
    row = "<article><h2>{}</h2><ul class=tags>{}</ul></article>"
    tags = [["red", "blue"], ["green"], ["red", "green", "black"]]
    body = "".join(
        row.format(name, "".join(f"<li>{tag}</li>" for tag in some)) for name, some in zip("ABC", tags, strict=True)
    )
    schema = listed(title="string")
    schema["items"]["properties"]["tags"] = {"type": "array", "items": {"type": "string"}}
    data = await data_of(browser, site, body, schema)
    assert data == [{"title": name, "tags": some} for name, some in zip("ABC", tags, strict=True)]


async def test_objects_in_items_are_read(browser: Browser, site: Site) -> None:
    row = "<li><h3>{}</h3><p>Phone: {}</p><p>E-mail: {}</p></li>"
    body = (
        "<ul>"
        + row.format("Ann", "+44 20 7946 0101", "a@x.example")
        + row.format("Bob", "+44 20 7946 0102", "b@x.example")
    )
    contact = {"type": "object", "properties": typed(phone="string", email="string")}
    schema = {
        "type": "array",
        "items": {"type": "object", "properties": {"name": {"type": "string"}, "contact": contact}},
    }
    assert await data_of(browser, site, body + "</ul>", schema) == [
        {"name": "Ann", "contact": {"phone": "+44 20 7946 0101", "email": "a@x.example"}},
        {"name": "Bob", "contact": {"phone": "+44 20 7946 0102", "email": "b@x.example"}},
    ]


async def test_an_object_with_a_list_of_objects_is_read(browser: Browser, site: Site) -> None:
    body = """<h1>Invoice 2025-17</h1><p>Date: 3 May 2025</p>
    <table><tr><th>Description</th><th>Qty</th><th>Amount</th></tr>
    <tr><td>Paint</td><td>2</td><td>30.00</td></tr><tr><td>Brush</td><td>5</td><td>12.50</td></tr></table>
    <p>Total: 42.50</p>"""
    schema = single(date="string", total="number")
    schema["properties"]["lines"] = listed(description="string", quantity="integer", amount="number")
    assert await data_of(browser, site, body, schema) == {
        "date": "3 May 2025",
        "total": 42.5,
        "lines": [
            {"description": "Paint", "quantity": 2, "amount": 30},
            {"description": "Brush", "quantity": 5, "amount": 12.5},
        ],
    }


async def test_the_list_of_plain_values_with_the_requested_name_is_read(browser: Browser, site: Site) -> None:
    body = """<ul><li>Home</li><li>About</li></ul>
    <h2>Ingredients</h2><ul><li>2 eggs</li><li>Salt</li><li>Flour</li></ul>
    <h2>Tools</h2><ul><li>Bowl</li><li>Whisk</li></ul>"""
    schema = {"type": "array", "items": {"type": "string"}}
    assert await data_of(browser, site, body, schema, instruction="the ingredients") == ["2 eggs", "Salt", "Flour"]
    every = {"instruction": "which tools are needed", "minConfidence": 0}
    assert await data_of(browser, site, body, schema, **every) == ["Bowl", "Whisk"]


async def test_nested_comments_are_read(browser: Browser, site: Site) -> None:
    one = "<li class=c><b class=user>{}</b><p>{}</p>{}</li>"
    reply = "<ul>" + one.format("bob", "It does not, I have tried for a week.", "") + "</ul>"
    body = (
        "<ul>"
        + one.format("ann", "Does it work in the rain?", reply)
        + one.format("cid", "Thank you both.", "")
        + "</ul>"
    )
    data = await data_of(
        browser, site, body, listed(user="string", text="string"), instruction="all comments and replies"
    )
    assert data == [
        {"user": "ann", "text": "Does it work in the rain?"},
        {"user": "bob", "text": "It does not, I have tried for a week."},
        {"user": "cid", "text": "Thank you both."},
    ]


async def test_a_space_in_an_element_separates_it_from_its_neighbours(browser: Browser, site: Site) -> None:
    parts = [("Energy:", "412 kcal"), ("Fat:", "27 g"), ("Protein:", "12 g"), ("Salt:", "1 g")]
    body = "".join(f"<li><b>{name}</b><span> {value}</span></li>" for name, value in parts)
    schema: Plain = {"type": "array", "items": {"type": "string"}}
    data = await data_of(browser, site, f"<h2>Nutrition</h2><ul>{body}</ul>", schema, instruction="the nutrition")
    assert data == [f"{name} {value}" for name, value in parts]
