"""agent/extract on the forms and tables of applications: fields, choices, states, and rows that a request names."""

from typing import Any, Final

import pytest

from agentbrowser.client import Browser
from tests.browser.extract.test_extract import Plain, extract, listed, single
from tests.browser.site import Site
from tests.each import in_parts

_RADIOS: Final = """<fieldset><legend>Newsletter</legend>
<label><input type=radio name=newsletter id=newsletter-yes value=yes>Yes</label>
<label><input type=radio name=newsletter id=newsletter-no value=no checked>No</label></fieldset>
<fieldset><legend>Contact by</legend><label><input type=radio name=by>Phone</label>
<label><input type=radio name=by checked>Email</label></fieldset>"""

OBJECTS: Final[dict[str, tuple[str, Plain, Any]]] = {
    "the answer to yes or no is the chosen button": (
        _RADIOS, single(newsletter="boolean", contactBy="string"), {"newsletter": False, "contactBy": "Email"},
    ),
    "a choice by roles is the checked one": (
        "<div role=radiogroup aria-label=Visibility><button role=radio aria-checked=false>Public</button>"
        "<button role=radio aria-checked=true>Private</button></div>",
        single(visibility="string", isPublic="boolean", isPrivate="boolean"),
        {"visibility": "Private", "isPublic": False, "isPrivate": True},
    ),
    "a choice of toggle buttons is the pressed one": (
        "<div><span>Theme</span><div><button aria-pressed=true>Dark</button>"
        "<button aria-pressed=false>Light</button></div></div>",
        single(theme="string"), {"theme": "Dark"},
    ),
    "a field has its label though there is help below it": (
        "<form>" + "".join(
            f"<div class=item><div class=name><label>{name}</label></div><div class=control><div class=input>"
            f"<input value='{value}'></div><div class=extra>Only the owner of the workspace can change "
            "what is written here.</div></div></div>"
            for name, value in (("Mascot", "Otter"), ("Desk", "Night dispatch"), ("Team", "Blue"))
        ) + "</form>",
        single(desk="string", mascot="string", team="string"),
        {"desk": "Night dispatch", "mascot": "Otter", "team": "Blue"},
    ),
    "a list that the page draws has the label of its field": (
        "<div><div><label>Reports to</label></div><div><div><span><input role=combobox readonly></span>"
        "<span class=ant-select-selection-placeholder>Select a person</span></div><span>▾</span></div></div>"
        "<div><div><label>Department</label></div><div><div><span><input role=combobox readonly></span>"
        "<span>Night dispatch</span></div><span>▾</span></div></div>",
        single(reportsTo="string", department="string"), {"department": "Night dispatch"},
    ),
    "a pencil behind a value is no second name": (
        "<h1>Halden Yard</h1>" + "".join(
            f"<div><span class='l slds-form-element__label'>{name}</span><div><span>{value}</span></div>"
            f"<button title='Edit {name}'>✎</button></div>"
            for name, value in (("Employees", 240), ("SLA", "Gold"), ("Ownership", "Private"), ("Type", "Direct"))
        ),
        single(employeeCount="integer", slaLevel="string", ownership="string"),
        {"employeeCount": 240, "slaLevel": "Gold", "ownership": "Private"},
    ),
    "the number in a field's own name is no value": (
        "<div><h2>Latency p95</h2></div><div><h2>Calls</h2><div>12</div></div>",
        single(p95LatencyMs="number", calls="integer"), {"calls": 12},
    ),
    "the state in a badge beside the title is the status": (
        "<h1>Label printer prints twice</h1><div><span class=pill>Open</span> <span>via Email</span></div>"
        "<p>The printer in the second bay prints each label two times since Monday.</p>",
        single(status="string"), {"status": "Open"},
    ),
    "a command behind a list is no entry": (
        "<h2>Clubs</h2><div>Chess Club<br>Jazz Band<br>Year 10 Netball<br><a href=/clubs>Join another club</a></div>",
        {"type": "object", "properties": {"clubs": {"type": "array", "items": {"type": "string"}}}},
        {"clubs": ["Chess Club", "Jazz Band", "Year 10 Netball"]},
    ),
    "an option that asks for a choice is none": (
        "<label>Name <input value=Ann></label><label>Language <select><option selected>Select…<option>English</select>"
        "</label>",
        single(name="string", language="string"), {"name": "Ann"},
    ),
    "the words in an empty field are none": (
        "<label>Name <input value=Ann></label><div><label>Group</label><div>"
        "<span class=ant-select-selection-placeholder>Pick a group</span></div></div>",
        single(name="string", group="string"), {"name": "Ann"},
    ),
    "a heading is no value of a field that is empty": (
        "<h1>Profile</h1><form><label for=a>First name</label><input id=a value=Ann>"
        "<label for=b>Job title</label><input id=b></form>",
        single(firstName="string", jobTitle="string"), {"firstName": "Ann"},
    ),
    "the class of a switch is no state": (
        "<form><input class=form-check-input type=checkbox role=switch id=bots>"
        "<label for=bots>Include known bots</label></form>",
        single(includeBots="boolean"), {"includeBots": False},
    ),
    "the name of a button is none": (
        "<div role=listitem><span>State/Province</span><div></div><button title='Edit State/Province'>✎</button></div>"
        "<div role=listitem><span>City</span><div>Halifax</div><button title='Edit City'>✎</button></div>",
        single(city="string", state="string"), {"city": "Halifax"},
    ),
    "a command that names the field is none, even of prose": (
        "<div><div>Topic</div><div><span>Gates 12 to 42</span></div></div>"
        "<div><div>Description</div><div><button>Add description</button></div></div>",
        single(topic="string", description="string"), {"topic": "Gates 12 to 42"},
    ),
    "a link behind a description is no part of it": (
        "<dl><div><dt>Name<dd>Ann Berg<dd><a href=/n>Change</a></div>"
        "<div><dt>Date of birth<dd>5 January 1980<dd><a href=/b>Change</a></div></dl>",
        single(name="string", birthDate="string"), {"name": "Ann Berg", "birthDate": "5 January 1980"},
    ),
    "words for nothing are none": (
        "<dl><dt>Courier<dd>Not assigned<dt>Owner<dd>Unassigned<dt>Coupon<dd>None applied<dt>Status<dd>Open</dl>",
        single(courier="string", owner="string", coupon="string", status="string"), {"status": "Open"},
    ),
    "a day is none if the page says that there is none": (
        "<dl><dt>Expires on<dd>Does not expire<dt>Created on<dd>3 May 2026</dl>",
        single(expiresOn="string", createdOn="string"), {"createdOn": "3 May 2026"},
    ),
    "a day is no time of day": (
        "<h1>Booking</h1><dl><dt>Arrival<dd>19 July 2026<dt>Nights<dd>3</dl>",
        single(arrivalTime="string", nights="integer"), {"nights": 3},
    ),
    "a date is no number of an order": (
        "<table><tr><td><b>Purchased:</b><td>27-Feb-2023</table>", single(purchaseOrder="string"), None,
    ),
    "a time of day may stand behind its day": (
        "<dl><dt>Start time<dd>2026-03-05T19:30:00<dt>Sort code<dd>00-11-22</dl>",
        single(startTime="string", sortCode="string"), {"startTime": "2026-03-05T19:30:00", "sortCode": "00-11-22"},
    ),
    "a date stands without what is before it": (
        "<dl><dt>Next invoice<dd>$588.00 on Jan 3, 2027</dl>",
        single(nextInvoiceDate="string"), {"nextInvoiceDate": "Jan 3, 2027"},
    ),
    "a value in a component is named by the words in it": (
        "<div><x-field><template shadowrootmode=open><div><span class=label>Industry</span>"
        "<div><span><slot name=out></slot></span></div></div></template>"
        "<span slot=out><x-text><b>Shipbuilding</b></x-text></span></x-field></div>",
        single(industry="string"), {"industry": "Shipbuilding"},
    ),
}  # fmt: skip

_INVOICES: Final = "<table><tr><th>Invoice<th>Customer<th>Status</tr>{}</table>".format(
    "".join(
        f"<tr><td>{number}<td>{name}<td><span class=badge>{state}</span></tr>"
        for number, name, state in (
            ("INV-1", "Ann Berg", "Paid"),
            ("INV-2", "Bo Li", "Overdue"),
            ("INV-3", "Cy Dunn", "Paid"),
            ("INV-4", "Dee Ray", "Overdue"),
            ("INV-5", "Eve Fox", "Draft"),
        )
    )
)
_EXTRAS: Final = "<table><tr><th>Extra<th>Price<th>Chosen</tr>{}</table>".format(
    "".join(
        f"<tr><td>{name}<td>€{price}<td><input type=checkbox {state}></tr>"
        for name, price, state in (
            ("Breakfast", 12, "checked"), ("Parking", 9, ""), ("Sauna", 19, "checked"), ("Bicycle", 15, ""),
        )
    )
)  # fmt: skip


@pytest.mark.parametrize("cases", in_parts(OBJECTS, 3))
async def test_a_form_gives_what_is_in_its_fields(browser: Browser, site: Site, cases: list[str]) -> None:
    for case in cases:
        body, schema, expected = OBJECTS[case]
        answer = await extract(browser, site, body, schema)
        assert answer.get("data") == expected, (case, answer)


@pytest.mark.parametrize(
    ("instruction", "numbers"),
    [
        ("the overdue invoices", ["INV-2", "INV-4"]),
        ("invoices that are paid or still a draft", ["INV-1", "INV-3", "INV-5"]),
        ("all invoices, also the overdue ones", ["INV-1", "INV-2", "INV-3", "INV-4", "INV-5"]),
        (None, ["INV-1", "INV-2", "INV-3", "INV-4", "INV-5"]),
    ],
)
async def test_an_instruction_names_rows_by_their_state(
    browser: Browser, site: Site, instruction: str | None, numbers: list[str]
) -> None:
    schema = listed(invoice="string", customer="string")
    params = {"instruction": instruction} if instruction else {}
    answer = await extract(browser, site, _INVOICES, schema, **params)
    assert [item["invoice"] for item in answer["data"]] == numbers, answer


async def test_an_instruction_names_the_rows_that_are_ticked(browser: Browser, site: Site) -> None:
    schema = listed(extra="string", price="number")
    answer = await extract(browser, site, _EXTRAS, schema, instruction="only the extras that the guest has ticked")
    assert answer["data"] == [{"extra": "Breakfast", "price": 12}, {"extra": "Sauna", "price": 19}], answer


async def test_a_column_without_a_header_is_no_answer_by_elimination(browser: Browser, site: Site) -> None:
    rows = "".join(
        f"<tr><td>INV-{at}<td>${at}0.00<td>{name}</tr>" for at, name in enumerate(("Blue Cup", "Red Cup", "Red Jar"), 1)
    )
    body = f"<table><tr><th>Invoice<th>Amount<th></tr>{rows}</table>"
    answer = await extract(browser, site, body, listed(invoice="string", amount="number", approver="string"))
    assert answer["data"][0] == {"invoice": "INV-1", "amount": 10}, answer


async def test_the_rows_under_a_cell_of_several_rows_are_of_one_kind(browser: Browser, site: Site) -> None:
    body = """<table><thead><tr><th>Date<th>Type<th>Details<th>Balance</tr></thead><tbody>
    <tr><th scope=row>2 Apr<td>DD<td>Water<td>1,816</tr>
    <tr><th scope=row rowspan=2>4 Apr<td>VIS<td>Grocer<td>1,751</tr><tr><td>VIS<td>Tram<td>1,738</tr>
    <tr><th scope=row>9 Apr<td>SO<td>Rent<td>813</tr>
    <tr><th scope=row rowspan=3>11 Apr<td>ATM<td>Cash<td>753</tr><tr><td>VIS<td>Cafe<td>735</tr>
    <tr><td>FPI<td>Gift<td>780</tr></tbody><tfoot><tr><th scope=row colspan=3>Total<td>780</tr></tfoot></table>"""
    answer = await extract(browser, site, body, listed(date="string", details="string", balance="number"))
    dates = ["2 Apr", "4 Apr", "4 Apr", "9 Apr", "11 Apr", "11 Apr", "11 Apr"]
    assert [item["date"] for item in answer["data"]] == dates, answer


@pytest.mark.parametrize("table", ["", "<table><tr><th>Article<th>Quantity<tr><td>Brush<td>2<tr><td>Tea<td>1</table>"])
async def test_sections_are_the_items_and_not_the_pairs_of_names_and_values_in_them(
    browser: Browser, site: Site, table: str
) -> None:
    orders = (("Ada Lovelace", "Shipped"), ("Grace Hopper", "Open"), ("Alan Turing", "Open"))
    body = "".join(
        f"<section><h2>Order {at}</h2><dl><dt>Customer<dd>{customer}<dt>Status<dd>{status}</dl>{table}</section>"
        for at, (customer, status) in enumerate(orders, 1001)
    )
    answer = await extract(browser, site, body, listed(customer="string", status="string"))
    assert answer["data"] == [{"customer": customer, "status": status} for customer, status in orders], answer


async def test_a_table_of_parameters_has_items_called_as_the_fields_are(browser: Browser, site: Site) -> None:
    rows = (("name", "string"), ("type", "string"), ("size", "integer"))
    body = f"<table><tr><th>Name<th>Type</tr>{''.join(f'<tr><td>{name}<td>{type_}' for name, type_ in rows)}</table>"
    answer = await extract(browser, site, body, listed(name="string", type="string"))
    assert answer["data"] == [{"name": name, "type": type_} for name, type_ in rows], answer
