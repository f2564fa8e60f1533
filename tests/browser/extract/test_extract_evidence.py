"""agent/extract: a value is given on evidence for its own property only, and otherwise none."""

from typing import Any

import pytest

from agentbrowser.client import Browser
from tests.browser.extract.test_extract import Plain, extract, listed, single, typed
from tests.browser.site import Site
from tests.each import in_parts

_SHOPS = ("Alba Shop", "Brook Shop", "Crest Shop")
_DELIVERIES = tuple(zip(_SHOPS, ("Free delivery", "Free delivery", "$4.99 delivery"), strict=True))
_FLIGHTS = {"Alba Air": "Nonstop", "Brook Air": "Nonstop", "Crest Air": "1 stop"}
_OFFICES = ("On-site", "Hybrid", "On-site")
_PLACES = ("Remote", "Hybrid", "On-site")
_STRINGS = {"type": "array", "items": {"type": "string"}}


def _table(head: str, *rows: str) -> str:
    cells = ["".join(f"<td>{cell}</td>" for cell in row.split("|")) for row in rows]
    names = "".join(f"<th>{name}</th>" for name in head.split("|"))
    return f"<table><tr>{names}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def _cards(*bodies: str) -> str:
    return f"<main><h1>Things</h1><div>{''.join(f'<div class=card>{body}</div>' for body in bodies)}</div></main>"


def _named(names: tuple[str, ...], field: str = "name", **same: Any) -> list[Plain]:
    return [{field: name, **same} for name in names]


_HOURS = "<table><tr><th>Mon</th><td>9–17</td></tr><tr><th>Sat</th><td>10–14</td></tr></table>"
_USERS = _table("ID|Name|Role", "1|User 1|member", "2|User 2|admin", "3|User 3|member", "4|User 4|guest")
_LINKED = '<script type="application/ld+json">{"@type":"Product","name":"Cello","offers":{"price":"1699.00"}}</script>'
_RUNS = (("fix", "4m 12s"), ("add", "3m 2s"), ("bump", "5m 40s"))
_DAYS = (("Monday", 7), ("Tuesday", 9), ("Friday", 12))
_TITLES = (("The", "Quiet", "House"), ("A", "Long", "Road"), ("Our", "Small", "Town"))
_TALK = """<h1>Talk</h1>
<div class=comment><b class=author>Ann</b><p class=text>First</p><div class=replies>
<div class=comment><b class=author>Bob</b><p class=text>I agree</p></div>
<div class=comment><b class=author>Cy</b><p class=text>I do not</p></div></div></div>
<div class=comment><b class=author>Dee</b><p class=text>Second</p><div class=replies>
<div class=comment><b class=author>Eve</b><p class=text>Why so</p></div></div></div>"""
_COOK = """<h1>Cook</h1><h2>Responsibilities</h2><ul><li>Cook meals</li><li>Keep the kitchen clean</li></ul>
<h2>Requirements</h2><ul><li>Two years of work</li><li>Fluent French</li></ul>"""
_COOK_IN_BOLD = _COOK.replace("<h2>", "<p><b>").replace("</h2>", "</b></p>")
_LAMP = "<h3><a href=/l>Oak lamp</a></h3><p class=price>$12.00</p>"
_FOUND = """<h1>Search</h1><p>1 result for lamp</p><div class=results><div class=result>
<h3><a href=/l>Oak lamp</a></h3><p class=price>$12.00</p></div></div>"""
_CITIES = _table("City|People", "Leeds|1,000", "York|2,000", "Hull|3,000") + _table(
    "City|People", "Bonn|4,000", "Ulm|5,000"
)

_PUPILS = ("Ann", "Bob", "Cy")
_FILMS = ("Dune: Part One", "Dune: Part Two", "Dune: Messiah")
_BRANCHES = ("Leeds – Briggate", "Leeds – Headrow", "Leeds – Trinity")
_GOODS = (("Lamp", True), ("Mug", False), ("Bag", True))
_OFFER = "<button>Add to cart</button>"
_SOLD = "<span class=badge>Sold out</span><button disabled>Add to cart</button>"
_REPLIES = {"type": "array", "items": {"type": "object", "properties": {
    **typed(author="string", text="string"), "replies": listed(author="string", text="string"),
}}}  # fmt: skip
_THREAD = "".join(
    f"<div class=comment><span class=user>{name}</span><p class=body>{text}</p>{inner}</div>"
    for name, text, inner in (
        ("Ann", "First", "<div class=children><div class=comment><span class=user>Bob</span>"
         "<p class=body>I agree</p></div></div>"),
        ("Dee", "Second", ""), ("Flo", "Third", ""),
    )
)  # fmt: skip

_OPENING = {"type": "array", "items": {"type": "object", "properties": {
    **typed(name="string"), "hours": listed(day="string", hours="string"),
}}}  # fmt: skip


def _plain_talk() -> str:
    def comment(name: str, text: str, *replies: str) -> str:
        inner = f"<ul>{''.join(replies)}</ul>" if replies else ""
        return f"<li><b class=author>{name}</b> <p class=text>{text}</p>{inner}</li>"

    ann = comment("Ann", "First", comment("Bob", "I agree"), comment("Cy", "I do not"))
    dee = comment("Dee", "Second", comment("Eve", "Why so"))
    return f"<h1>Comments</h1><ul>{ann}{dee}{comment('Flo', 'Third')}</ul>"


LISTS: dict[str, tuple[str, Plain, list[Plain]]] = {
    "an equal header wins over the shape of values": (
        _USERS, listed(id="integer", name="string"), [{"id": at, "name": f"User {at}"} for at in range(1, 5)],
    ),
    "a column with a few values that are alike is that of its header": (
        _table("ID|Status|Note", *[f"{at}|open|{'' if at % 5 else 'call first'}" for at in range(30)]),
        listed(status="string", note="string"),
        [{"status": "open", **({} if at % 5 else {"note": "call first"})} for at in range(30)],
    ),
    "a first row of names is no item": (
        "<table><tr><td>Name</td><td>Email</td></tr><tr><td>Ann Ott</td><td>ann@x.example</td></tr>"
        "<tr><td>Bob Ray</td><td>bob@x.example</td></tr></table>",
        listed(name="string", email="string"),
        [{"name": "Ann Ott", "email": "ann@x.example"}, {"name": "Bob Ray", "email": "bob@x.example"}],
    ),
    "a column of No is false": (
        _table("Name|Admin|Active", "Ann|Yes|No", "Bob|No|No", "Cy|Yes|No"), listed(name="string", active="boolean"),
        _named(("Ann", "Bob", "Cy"), active=False),
    ),
    "a column of dashes is false": (
        _table("Name|Admin|Active", "Ann|✓|–", "Bob|✓|–", "Cy|✓|–"), listed(name="string", active="boolean"),
        _named(("Ann", "Bob", "Cy"), active=False),
    ),
    "a column of crosses is false": (
        _table("Plan|SSO|Backup", "Free|✓|✗", "Pro|✓|✗", "Max|✓|✗"), listed(plan="string", backup="boolean"),
        _named(("Free", "Pro", "Max"), "plan", backup=False),
    ),
    "a column of None is not replaced by its neighbour": (
        _table("Dish|Vegan|Allergens", "Soup|Yes|None", "Stew|No|None", "Pie|Yes|None"),
        listed(dish="string", allergens="string"), _named(("Soup", "Stew", "Pie"), "dish"),
    ),
    "a title with an emphasized word is whole": (
        _cards(*[f"<h3><a href=#{c}>{a} <span>{b}</span> {c}</a></h3><p>$10.00</p>" for a, b, c in _TITLES]),
        listed(title="string", price="number"), _named(tuple(map(" ".join, _TITLES)), "title", price=10),
    ),
    "the part of a class that names the element tells the lowest from the highest": (
        _cards(*[
            f"<b>{day}</b> <i class=min-max-temperature__max>{at}°</i> <i class=min-max-temperature__min>{at - 5}°</i>"
            for day, at in _DAYS
        ]),
        listed(day="string", minTemperature="integer", maxTemperature="integer"),
        [{"day": day, "minTemperature": at - 5, "maxTemperature": at} for day, at in _DAYS],
    ),
    "free is a cost of delivery": (
        _cards(*[f"<h3>{name}</h3><p>{cost}</p><p>{at}03 reviews</p>" for at, (name, cost) in enumerate(_DELIVERIES)]),
        listed(name="string", delivery="string"),
        [{"name": name, "delivery": cost} for name, cost in _DELIVERIES],
    ),
    "a cost of delivery that is free is 0": (
        _cards(*[f"<h3>{name}</h3><p>{cost}</p><p>{at}03 reviews</p>" for at, (name, cost) in enumerate(_DELIVERIES)]),
        listed(name="string", deliveryCost="number"),
        [{"name": name, "deliveryCost": 4.99 if "$" in cost else 0} for name, cost in _DELIVERIES],
    ),
    "a state that excludes the field's is no": (
        _cards(*[f"<h3>{name}</h3><p>{place}</p>" for name, place in zip(_SHOPS, _PLACES, strict=True)]),
        listed(name="string", remote="boolean"),
        [{"name": name, "remote": place == "Remote"} for name, place in zip(_SHOPS, _PLACES, strict=True)],
    ),
    "a value of some items is no name of what follows": (
        _cards(*[
            f"<h3>{name}</h3><p>{stops}</p><b>{at}42 kg</b>"
            for at, (name, stops) in enumerate(_FLIGHTS.items(), 1)
        ]),
        listed(name="string", stops="integer"),
        _named(tuple(_FLIGHTS)),
    ),
    "states that all exclude the field's are no": (
        _cards(*[f"<h3>{name}</h3><p>{place}</p>" for name, place in zip(_SHOPS, _OFFICES, strict=True)]),
        listed(name="string", remote="boolean"), _named(_SHOPS, remote=False),
    ),
    "a duration is no number of a run": (
        _cards(*[f"<h3><a href=#>{name}</a></h3><p>{time}</p>" for name, time in _RUNS]),
        listed(title="string", runNumber="integer"), _named(("fix", "add", "bump"), "title"),
    ),
    "a score in the hundreds is no rating": (
        _table("Player|Score", "Ann|812", "Bob|797", "Cy|640"), listed(player="string", rating="number"),
        _named(("Ann", "Bob", "Cy"), "player"),
    ),
    "small tables in cards are no items": (
        _cards(*[f"<h3>{name}</h3><p>Leeds</p>{_HOURS}" for name in _SHOPS]), listed(name="string"), _named(_SHOPS),
    ),
    "replies are nested, and a comment is none of its own": (
        _TALK,
        {"type": "array", "items": {"type": "object", "properties": {
            "author": {"type": "string"}, "replies": listed(author="string"),
        }}},
        [
            {"author": "Ann", "replies": [{"author": "Bob"}, {"author": "Cy"}]},
            {"author": "Dee", "replies": [{"author": "Eve"}]},
        ],
    ),
    "replies in plain lists are nested": (
        _plain_talk(), _REPLIES,
        [
            {"author": "Ann", "text": "First", "replies": [
                {"author": "Bob", "text": "I agree"}, {"author": "Cy", "text": "I do not"},
            ]},
            {"author": "Dee", "text": "Second", "replies": [{"author": "Eve", "text": "Why so"}]},
            {"author": "Flo", "text": "Third"},
        ],
    ),
    "opening hours in cards are nested": (
        _cards(*[f"<h3>{name}</h3><p>Leeds</p>{_HOURS}" for name in _SHOPS]), _OPENING,
        _named(_SHOPS, hours=[{"day": "Mon", "hours": "9–17"}, {"day": "Sat", "hours": "10–14"}]),
    ),
    "a header over empty cells gives none, not the neighbour's values": (
        _table("Name|Admin|Active", "Ann|Yes|", "Bob|No|", "Cy|Yes|"), listed(name="string", active="boolean"),
        _named(_PUPILS),
    ),
    "a column of dashes is none, and the others are given": (
        _table("Name|Phone|Email", "Ann|+44 113 496 0100|–", "Bob|+44 113 496 0101|–"),
        listed(name="string", email="string"), _named(("Ann", "Bob")),
    ),
    "Non-stop is a value": (
        _table("Flight|To|Stops", "BA1|Rome|Non-stop", "BA2|Nice|Non-stop"), listed(flight="string", stops="string"),
        _named(("BA1", "BA2"), "flight", stops="Non-stop"),
    ),
    "a state goes before the button of its card": (
        _cards(*[f"<h3>{name}</h3><p>$5.00</p>{_OFFER if has else _SOLD}" for name, has in _GOODS]),
        listed(name="string", inStock="boolean"), [{"name": name, "inStock": has} for name, has in _GOODS],
    ),
    "a name that all rows share with a dash is whole": (
        _cards(*[f"<h3>{name}</h3><p>Open until 17:00</p>" for name in _BRANCHES]), listed(name="string"),
        _named(_BRANCHES),
    ),
    "a title with an emphasized end is whole": (
        _cards(*[f"<h3><a href=#>{a} {b} <b>{c}</b></a></h3><p>$10.00</p>" for a, b, c in _TITLES]),
        listed(title="string", price="number"), _named(tuple(map(" ".join, _TITLES)), "title", price=10),
    ),
    "a name under a header that all rows share with a dash is whole": (
        _table("Branch|Phone", *[f"{name}|0113 496 010{at}" for at, name in enumerate(_BRANCHES)]),
        listed(branch="string"), _named(_BRANCHES, "branch"),
    ),
    "a title is not cut at its colon": (
        _cards(*[f"<h3>{name}</h3><p>$5.00</p>" for name in _FILMS]), listed(title="string"), _named(_FILMS, "title"),
    ),
    "a score beyond 100 is no rating of cards": (
        _cards(*[f"<h3>{name}</h3><span class=score>{points} points</span>" for name, points in (
            ("Post A", 812), ("Post B", 797), ("Post C", 64),
        )]), listed(title="string", rating="number"), _named(("Post A", "Post B", "Post C"), "title"),
    ),
    "replies are no texts of the comment": (
        f"<h1>Talk</h1>{_THREAD}", _REPLIES,
        [
            {"author": "Ann", "text": "First", "replies": [{"author": "Bob", "text": "I agree"}]},
            {"author": "Dee", "text": "Second"}, {"author": "Flo", "text": "Third"},
        ],
    ),
    "a single result is a list of one": (
        _FOUND, listed(title="string", price="number"), [{"title": "Oak lamp", "price": 12}],
    ),
    "a single article is a list of one": (
        f"<h1>Search</h1><p>1 result</p><article>{_LAMP}</article>", listed(title="string", price="number"),
        [{"title": "Oak lamp", "price": 12}],
    ),
    "a single card is a list of one": (
        f"<main><h1>Search</h1><p>1 result</p><div class=card>{_LAMP}</div></main>",
        listed(title="string", price="number"), [{"title": "Oak lamp", "price": 12}],
    ),
    "a column of commands is no column of values": (
        _table("Name|Manager", *[f"{name}|<a href=/e>Assign</a>" for name in _PUPILS]),
        listed(name="string", manager="string"), _named(_PUPILS),
    ),
    "a list of tasks may be one of commands": (
        _table("Task|Day", "<a href=/1>Add users</a>|1", "<a href=/2>Show errors</a>|2", "<a href=/3>Edit names</a>|3"),
        listed(task="string", day="integer"),
        [{"task": "Add users", "day": 1}, {"task": "Show errors", "day": 2}, {"task": "Edit names", "day": 3}],
    ),
    "several absent fields empty no list": (
        _cards(*[f"<h3>{name}</h3><p>Open until 17:00</p>" for name in _SHOPS]),
        listed(name="string", sku="string", rating="number", reviewCount="integer", seller="string"), _named(_SHOPS),
    ),
}  # fmt: skip

OBJECTS: dict[str, tuple[str, Plain, Plain]] = {
    "who sells is not who ships": (
        "<h1>Lamp</h1><dl><dt>Sold by<dd>Acme<dt>Weight<dd>2 kg</dl>", single(shipsFrom="string", weight="string"),
        {"weight": "2 kg"},
    ),
    "what holds a heading and a list names the list": (
        "<h1>Lamp</h1><div id=feature-bullets><h3>About this item</h3><ul><li>Light: fits in a pocket."
        "<li>Lasts two days.</ul></div>",
        {"type": "object", "properties": {"features": _STRINGS}},
        {"features": ["Light: fits in a pocket.", "Lasts two days."]},
    ),
    "the value of a field goes before the links beside it": (
        "<div><label for=d>Day:</label><p class=date><input id=d value=2026-11-30><a href=#>Today</a></p></div>",
        single(day="string"), {"day": "2026-11-30"},
    ),
    "a struck price is the former one": (
        "<h1>Lamp</h1><p>Was <s>$20</s> now $15</p>", single(price="number", oldPrice="number"),
        {"price": 15, "oldPrice": 20},
    ),
    "a row names no value of the next": (
        "<div>Shipping <span>Calculated later</span></div><div>Total <span>$40.00</span></div>",
        single(shipping="number", total="number"), {"total": 40},
    ),
    "the words of a button may be its state": (
        "<dl><dt>Priority<dd><button>High</button><dt>Status<dd><a href=/s>Open</a></dl>",
        single(priority="string", status="string"), {"priority": "High", "status": "Open"},
    ),
    "a disabled button means unavailable": (
        "<h1>Lamp</h1><p>$12.00</p><button disabled>Add to cart</button>", single(name="string", inStock="boolean"),
        {"name": "Lamp", "inStock": False},
    ),
    "a status goes before a button": (
        "<h1>Lamp</h1><p>Sold out</p><button disabled>Add to cart</button>",
        single(name="string", inStock="boolean"),
        {"name": "Lamp", "inStock": False},
    ),
    "the number in a heading is not replaced by one with another name": (
        "<h1>Order #W-88213</h1><p>Tracking number: <a href=/t>JD0146</a></p>", single(orderNumber="string"),
        {"orderNumber": "#W-88213"},
    ),
    "a label without content gives nothing": (
        "<h1>Office</h1><dl><dt>Phone</dt><dd>+44 113 496 0100</dd><dt>Fax</dt><dd></dd>"
        "<dt>City</dt><dd>Leeds</dd></dl>",
        single(phone="string", fax="string"), {"phone": "+44 113 496 0100"},
    ),
    "a visible price goes before another in JSON-LD": (
        f"{_LINKED}<h1>Cello</h1><div>$1,449.99</div><p>Free delivery over $50</p>",
        single(name="string", price="number"),
        {"name": "Cello", "price": 1449.99},
    ),
    "an address is given as its link has it": (
        "<h1>Priya</h1><p>Website: <a href=https://raman.example/>raman.example</a></p>",
        single(name="string", website="string"), {"name": "Priya", "website": "https://raman.example/"},
    ),
    "money has no thousandths": ("<h1>Auto</h1><p>Preis: € 24.980</p>", single(price="number"), {"price": 24980}),
    "an amount with a dash for cents has no thousandths": (
        "<h1>Auto</h1><p class=prijs>€ 24.980,-</p>", single(prijs="number"), {"prijs": 24980},
    ),
    "an integer has no thousandths": (
        "<h1>Auto</h1><p>Kilometerstand: 124.500 km</p>", single(kilometerstand="integer"), {"kilometerstand": 124500},
    ),
    "a heading of a column is no value": (
        _table("Email|Name", "ann@x.example|Ann Ott"), single(name="string"), {"name": "Ann Ott"},
    ),
    "lines of an invoice are values of their own": (
        "Invoice #: INV-17<br>Created: March 1, 2024<br>", single(invoiceNumber="string", date="string"),
        {"invoiceNumber": "INV-17", "date": "March 1, 2024"},
    ),
    "a button that ARIA disables means unavailable": (
        "<h1>Lamp</h1><p>$3.00</p><button aria-disabled=true>Add to cart</button>",
        single(name="string", inStock="boolean"), {"name": "Lamp", "inStock": False},
    ),
    "an empty line is no value of the next name": (
        "<p>Fax: <br>City: Leeds<br>Phone: 0113 496 0100</p>", single(fax="string", city="string"), {"city": "Leeds"},
    ),
    "an empty element is no value of the next name": (
        "<div><span>Fax</span><span></span></div><div><span>City</span><span>Leeds</span></div>",
        single(fax="string", city="string"), {"city": "Leeds"},
    ),
    "two lists under two headings stay apart": (
        _COOK, {"type": "object", "properties": {"responsibilities": _STRINGS, "requirements": _STRINGS}},
        {
            "responsibilities": ["Cook meals", "Keep the kitchen clean"],
            "requirements": ["Two years of work", "Fluent French"],
        },
    ),
    "two lists under two bold lines stay apart": (
        _COOK_IN_BOLD, {"type": "object", "properties": {"responsibilities": _STRINGS, "requirements": _STRINGS}},
        {
            "responsibilities": ["Cook meals", "Keep the kitchen clean"],
            "requirements": ["Two years of work", "Fluent French"],
        },
    ),
}  # fmt: skip

ABSENT: dict[str, tuple[str, Plain]] = {
    "a command is no value": (
        "<dl><dt>Maker<dd><a href=/m>Add</a><dt>Phone<dd><button>Show number</button><dt>Plan<dd><a href=/p>Upgrade</a>"
        "<dt>Email<dd><a href=/l>Log in to see</a></dl>",
        single(maker="string", phone="string", plan="string", email="string"),
    ),
    "the amount from which shipping is free is not its cost": (
        "<h1>Lamp</h1><p>Free shipping over $50</p>", single(shippingCost="number"),
    ),
    "a word without digits is no telephone number": (
        "<dl><dt>Phone<dd>Unknown<dt>Email<dd>Not shown</dl>", single(phone="string", email="string"),
    ),
    "what stands beside an empty field is not in it": (
        "<div><label for=d>Day:</label><p><input id=d><a href=#>Today</a></p></div>"
        "<div><label for=p>Price:</label><p><input id=p> <b>from 12.50 up</b></p></div>",
        single(day="string", price="number"),
    ),
    "an option that asks for a choice is none": (
        "<label>City <select><option value=''>Choose…<option>Leeds</select></label>", single(city="string"),
    ),
    "a left-over value is no answer": (
        "<h1>Cart</h1><p>Lamp</p><p>Qty: 1</p>", single(vatNumber="string", loyaltyPoints="integer"),
    ),
    "an empty cell is no telephone number": (
        "<table><tr><th>Fax<td></td></tr><tr><th>Phone<td>0113 496 0100</table>", single(fax="string"),
    ),
    "a name with a colon is no value of the name before": (
        "<p>Fax:</p><p>City: Leeds</p>", single(fax="string"),
    ),
    "a number plate is no date": (
        "<h1>Ada</h1><dl><dt>Town</dt><dd>Leeds</dd><dt>Plate</dt><dd>LD19 KXA</dd></dl>",
        single(registrationDate="string"),
    ),
    "an advert in a frame is no source": (
        "<h1>Cello</h1><div class=ad-slot><iframe srcdoc='<h3>Lamp</h3><p>Price: $12.99</p>'></iframe></div>",
        single(price="number"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("cases", in_parts(LISTS, 3))
async def test_items_hold_only_values_of_their_own_columns(browser: Browser, site: Site, cases: list[str]) -> None:
    for case in cases:
        body, schema, expected = LISTS[case]
        answer = await extract(browser, site, body, schema)
        assert answer.get("data") == expected, (case, answer)


@pytest.mark.parametrize("cases", in_parts(OBJECTS, 2))
async def test_objects_hold_only_values_of_their_own_properties(browser: Browser, site: Site, cases: list[str]) -> None:
    for case in cases:
        body, schema, expected = OBJECTS[case]
        answer = await extract(browser, site, body, schema)
        assert answer.get("data") == expected, (case, answer)


async def test_an_absent_value_is_not_invented(browser: Browser, site: Site) -> None:
    for case, (body, schema) in ABSENT.items():
        answer = await extract(browser, site, body, schema)
        assert not answer["success"], (case, answer)


async def test_reviews_are_no_telephone_numbers_even_if_one_is_required(browser: Browser, site: Site) -> None:
    schema = listed(name="string", phone="string")
    schema["items"]["required"] = ["phone"]
    body = _cards(*[f"<h3>{name}</h3><p>Leeds</p><p>4,{at}03 reviews</p>" for at, name in enumerate(_SHOPS)])
    answer = await extract(browser, site, body, schema)
    assert not answer["success"], answer


async def test_a_name_that_the_page_shows_nowhere_is_a_conflict(browser: Browser, site: Site) -> None:
    body = f"{_LINKED.replace('Cello', 'Old Cello')}<h1>New Cello</h1><p>$1,699.00</p>"
    answer = await extract(browser, site, body, single(name="string", price="number"))
    assert answer["data"] == {"name": "New Cello", "price": 1699}
    assert answer["fields"]["name"]["conflict"] == "Old Cello"


async def test_a_frame_of_the_size_of_an_advertisement_is_no_source(browser: Browser, site: Site) -> None:
    body = (
        "<h1>Cello</h1><p>A fine cello.</p><iframe width=300 height=250 srcdoc='<h3>Lamp</h3><p>Price: $12.99</p>'>"
        "</iframe>"
    )
    answer = await extract(browser, site, body, single(name="string", price="number"))
    assert answer["data"] == {"name": "Cello"}


@pytest.mark.parametrize("instruction", ["the second table", "table 2"])
async def test_an_instruction_counts_tables(browser: Browser, site: Site, instruction: str) -> None:
    schema = listed(city="string", people="integer")
    answer = await extract(browser, site, _CITIES, schema, instruction=instruction)
    assert answer["data"] == [{"city": "Bonn", "people": 4000}, {"city": "Ulm", "people": 5000}]
